//! `kohort hierarchy build`: from the values of a column to a file.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use kohort::Error;
use kohort::data::recipes::{DateLevel, MaskSide, RangeOf, Recipe, groups_of_words, nested};
use kohort::data::{DateFormat, Hierarchy, is_missing};
use kohort::input::{Declared, column_combinations, column_counts, counts_in_one_spelling};

use super::super::job_flags::{ReadFlags, bad_format, decimal};
use super::{Format, save};
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::tell;

/// Arguments of `kohort hierarchy build`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("way").required(true).args(["mask", "ranges", "dates", "balanced", "from_columns"])))]
pub(super) struct Args {
    /// The table
    data: PathBuf,
    /// The column to build for
    #[arg(
        long,
        value_name = "NAME",
        required_unless_present = "from_columns",
        conflicts_with = "from_columns"
    )]
    column: Option<String>,
    #[command(flatten)]
    read: ReadFlags,
    /// Texts that mean a missing value besides blank ones, such as NA,-99
    #[arg(long, value_name = "TEXTS", value_delimiter = ',', allow_hyphen_values = true)]
    na: Vec<String>,
    /// How dates are written, such as %d.%m.%Y; may be repeated
    #[arg(long, value_name = "FORMAT", conflicts_with = "mask")]
    date_format: Vec<String>,
    /// What stands before decimals
    #[arg(long, value_name = "comma|point", conflicts_with = "mask")]
    decimal: Option<String>,
    /// Hide characters from this end, one more per level
    #[arg(long, value_name = "SIDE", requires = "levels")]
    mask: Option<Side>,
    /// How many characters may be hidden
    // Not only `requires`: that is waived when another way rules the required one out.
    #[arg(long, value_name = "N", requires = "mask", conflicts_with_all = ["ranges", "dates", "balanced", "from_columns"])]
    levels: Option<u32>,
    /// Widths of nested ranges, from fine to coarse, such as 5,10,20
    #[arg(long, value_name = "WIDTHS", value_delimiter = ',')]
    ranges: Option<Vec<f64>>,
    /// Where ranges start [default: 0]
    #[arg(long, value_name = "NUMBER", requires = "ranges", allow_negative_numbers = true,
          conflicts_with_all = ["mask", "dates", "balanced", "from_columns"])]
    origin: Option<f64>,
    /// Calendar levels from fine to coarse, such as day/month/year/decade or hour/day/month
    #[arg(long, value_name = "LEVELS")]
    dates: Option<String>,
    /// Cut the sorted values into this many groups of about equally many rows, and those again
    #[arg(long, value_name = "N")]
    balanced: Option<u32>,
    /// Take the tree from the table itself: the column first, then those that lie above it, from fine to coarse, such as
    /// precinct,district,city. Refused where a value has two values above it
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    from_columns: Option<Vec<String>>,
    /// The file to write; - is standard output, as without it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Its format; by ending otherwise: .csv, .txt, .json
    #[arg(long)]
    to: Option<Format>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Side {
    Right,
    Left,
}

/// Builds and writes.
pub(super) fn run(args: &Args) -> Result<ExitCode, Error> {
    let hierarchy = match (&args.from_columns, &args.column) {
        (Some(columns), _) => from_columns(args, columns)?,
        (None, Some(column)) => from_values(args, column)?,
        (None, None) => return Err(Error::job("no column was named").help("add --column NAME")),
    };
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    save(&hierarchy, args.to, &args.data, output)
}

fn from_values(args: &Args, column: &str) -> Result<Hierarchy, Error> {
    let recipe = recipe(args)?;
    let mut counts = column_counts(&args.data, &args.read.options(), column)?;
    // Missing needs no line: it gets its place directly below the root when a table has it.
    counts.retain(|(value, _)| !is_missing(value, &args.na));
    if args.mask.is_none() {
        // As a job reads them that takes this hierarchy: labels are those that are published.
        let shown = args.data.display().to_string();
        let times = matches!(&recipe, Recipe::Dates(levels) if DateLevel::have_times(levels));
        let declared = Declared { times, ..written(args, column)? };
        counts = counts_in_one_spelling(column, counts, &declared, &shown)?;
    }
    let values: Vec<String> = counts.iter().map(|(value, _)| value.clone()).collect();
    let hierarchy = recipe.build(column, &counts, RangeOf::values(&values))?;
    if matches!(recipe, Recipe::Balanced(_)) && groups_of_words(&hierarchy) {
        tell(&format!(
            "note: the values of '{column}' are words, so its groups follow the alphabet and mean nothing: who is in one has nothing in common with the others but letters\n"
        ));
    }
    Ok(hierarchy)
}

fn from_columns(args: &Args, columns: &[String]) -> Result<Hierarchy, Error> {
    let names: Vec<String> = columns.iter().map(|name| name.trim().to_owned()).collect();
    let mut rows = column_combinations(&args.data, &args.read.options(), &names)?;
    let missing = |text: &&mut String| is_missing(text, &args.na);
    rows.iter_mut().flat_map(|(row, _)| row).filter(missing).for_each(String::clear);
    let built = nested(&names, &rows).map_err(|e| e.in_file(args.data.display().to_string()))?;
    for note in &built.notes {
        tell(&format!("note: {}\n", note.spoken_by(&CommandLine)));
    }
    Ok(built.hierarchy)
}

/// What was said of how values are written. Where a job names the column as well, it may be named here.
fn written(args: &Args, column: &str) -> Result<Declared, Error> {
    let alone = |text: &String| {
        let named = text.strip_prefix(column).and_then(|rest| rest.strip_prefix('='));
        named.unwrap_or(text).to_owned()
    };
    let format = |text: &String| DateFormat::try_from(alone(text)).map_err(bad_format);
    let formats = args.date_format.iter().map(format).collect::<Result<_, _>>()?;
    let decimal = args.decimal.as_ref().map(|text| decimal(&alone(text))).transpose()?;
    Ok(Declared { formats, decimal, ..Declared::default() })
}

fn recipe(args: &Args) -> Result<Recipe, Error> {
    if let (Some(side), Some(levels)) = (args.mask, args.levels) {
        let side = match side {
            Side::Right => MaskSide::Right,
            Side::Left => MaskSide::Left,
        };
        return Ok(Recipe::Mask { side, levels });
    }
    if let Some(widths) = &args.ranges {
        return Ok(Recipe::Ranges { widths: widths.clone(), origin: args.origin.unwrap_or(0.0) });
    }
    if let Some(levels) = &args.dates {
        return DateLevel::parse_list(levels).map(Recipe::Dates).map_err(|e| e.at("--dates"));
    }
    args.balanced.map(Recipe::Balanced).ok_or_else(|| {
        Error::job("no way to build the hierarchy was given")
            .help("add --mask, --ranges, --dates, --balanced or --from-columns")
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn parsed(flags: &str) -> Result<Recipe, String> {
        let words = ["build", "x.csv", "--column", "zip"].into_iter().chain(flags.split_whitespace());
        let line = Line::try_parse_from(words).map_err(|e| e.to_string())?;
        recipe(&line.args).map_err(|e| e.to_string())
    }

    #[test]
    fn every_way_is_understood() {
        assert_eq!(parsed("--mask right --levels 5"), Ok(Recipe::Mask { side: MaskSide::Right, levels: 5 }));
        let ranges = Recipe::Ranges { widths: vec![5.0, 10.0], origin: -3.0 };
        assert_eq!(parsed("--ranges 5,10 --origin -3"), Ok(ranges));
        assert_eq!(parsed("--dates month/year"), Ok(Recipe::Dates(vec![DateLevel::Month, DateLevel::Year])));
        assert_eq!(parsed("--balanced 4"), Ok(Recipe::Balanced(4)));
    }

    #[test]
    fn one_way_and_its_own_flags_only() {
        for flags in [
            "",
            "--mask right",
            "--levels 3",
            "--balanced 4 --dates year",
            "--balanced 4 --origin 1",
            "--balanced 4 --from-columns zip,town",
            "--dates year --levels 2",
            "--dates yeer",
        ] {
            assert!(parsed(flags).is_err(), "{flags}");
        }
    }
}
