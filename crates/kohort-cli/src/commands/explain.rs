//! `kohort explain`: why is this release as coarse as it is, and what would change that?

use std::fmt::Write as _;
use std::path::PathBuf;

use comfy_table::{CellAlignment, Table, presets};
use kohort::data::{Intervals, Missing, Suppressed};
use kohort::input::{JobSpec, Scalar};
use kohort::job::ExplainQuestion;
use kohort::job::files::{ExplainPlaces, FileExplainJob};
use kohort::report::{
    Explanation, QuickRuns, RowExplained, RowOf, Standing, Strays, Tried, WideColumn, WideGroup,
};
use kohort::{Error, Result};

use super::job_flags::{JobFlags, grids, intervals, missing, suppressed};
use super::offered::{self, offered};
use super::summary_table::count;
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::{Spectator, say};

/// What `kohort explain` can be asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The release
    #[arg(value_name = "RELEASE")]
    release: PathBuf,
    /// Explain this row of the release, counted from 1 below the header
    #[arg(long, value_name = "N", conflicts_with = "original_row")]
    row: Option<u64>,
    /// Explain this row of the original: also one that is not in the release
    #[arg(long, value_name = "N")]
    original_row: Option<u64>,
    /// Look at this column [default: those that lost most]
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
    /// The table the release was made from [default: the one in the audit record]
    #[arg(long, value_name = "DATA")]
    original: Option<PathBuf>,
    /// The private record that says which job made the release [default: RELEASE.audit.json, where neither --qi nor --job is
    /// given]; flags below are put over it
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,
    /// How many rows the quick runs look at that try changes; 0 for none [default: 10000]
    #[arg(long, value_name = "N")]
    quick_rows: Option<usize>,
    #[command(flatten)]
    flags: JobFlags,
    /// Which algorithm the quick runs take [default: that of the job, or auto]
    #[arg(long, value_name = "NAME", value_parser = offered::algorithms(), hide_possible_values = true, help_heading = "The search")]
    algorithm: Option<String>,
    /// What to minimize [default: that of the job, or il]
    #[arg(long, value_name = "NAME", value_parser = offered::measures(), hide_possible_values = true, help_heading = "The search")]
    measure: Option<String>,
    /// How many rows might be suppressed, such as 5% or 0.05
    #[arg(long, value_name = "SHARE", help_heading = "The search", allow_hyphen_values = true)]
    suppress: Option<String>,
    /// How the release shows intervals; only text and bounds can be explained
    #[arg(long, value_name = "text|bounds|midpoint", value_parser = offered(&["text", "bounds", "midpoint"], intervals), hide_possible_values = true, help_heading = "Columns")]
    intervals: Option<Intervals>,
    /// The grid that interval ends were moved to
    #[arg(long, value_name = "COLUMN=STEP", value_delimiter = ',', help_heading = "Columns")]
    snap: Vec<String>,
    /// What became of suppressed rows
    #[arg(long, value_name = "drop|star", value_parser = offered(&["drop", "star"], suppressed), hide_possible_values = true, help_heading = "Columns")]
    suppressed: Option<Suppressed>,
    /// As when the release was made: what a missing quasi-identifier is
    #[arg(long, value_name = "value|refuse|suppress", value_parser = offered(&["value", "refuse", "suppress"], missing), hide_possible_values = true, help_heading = "Columns")]
    missing: Option<Missing>,
    /// Print one JSON object instead of tables; private as well
    #[arg(long, help_heading = "Running")]
    json: bool,
    /// Show no progress
    #[arg(long, help_heading = "Running")]
    quiet: bool,
}

/// Explains, on standard output.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let said = args.flags.merged(JobSpec {
        algorithm: args.algorithm,
        measure: args.measure,
        suppress: args.suppress.map(Scalar::Text),
        intervals: args.intervals,
        snap: grids(&args.snap)?,
        suppressed: args.suppressed,
        missing: args.missing,
        ..JobSpec::default()
    })?;
    let places = ExplainPlaces { release: args.release, original: args.original, audit: args.audit };
    let question = ExplainQuestion {
        row: args.row,
        original_row: args.original_row,
        column: args.column,
        quick_rows: args.quick_rows,
    };
    let job = FileExplainJob::new(&said, places)?;
    let spectator = Spectator::new(args.quiet);
    let found = job.run(&question, &spectator);
    spectator.finish();
    let found = found?;
    let text = if args.json { to_json(&found)? } else { for_people(&found, question.column.as_deref()) };
    say(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The JSON object, with options as they are typed.
fn to_json(found: &Explanation) -> Result<String> {
    let object = found.as_json(&CommandLine)?;
    let text = serde_json::to_string_pretty(&object).map_err(|e| Error::internal(e.to_string()))?;
    Ok(format!("{text}\n"))
}

fn for_people(found: &Explanation, column: Option<&str>) -> String {
    let mut text = format!(
        "{} of {} rows in {} groups of at least {}, {} suppressed.\n\n",
        count(found.released),
        count(found.rows),
        count(found.classes),
        found.k,
        count(found.suppressed)
    );
    text += &columns(found);
    if let Some(row) = &found.row {
        text += &explained_row(row);
    }
    found.widest.iter().for_each(|wide| text += &wide_column(wide));
    if let Some(runs) = &found.quick_runs {
        text += &quick_runs(runs, found.row.is_some(), column);
    }
    for note in &found.notes {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Note: {}", note.spoken_by(&CommandLine));
    }
    text + "\n" + found.private + "\n"
}

fn columns(found: &Explanation) -> String {
    let mut table = plain(["", "lost (lm)", "of all", "says nothing", "il"]);
    for column in &found.columns {
        table.add_row([
            format!("  {}", column.name),
            format!("{:.4}", column.lm),
            percent(column.share),
            percent(column.says_nothing),
            format!("{:.4}", column.il),
        ]);
    }
    format!(
        "Where the detail went. lm: which share of a column's other values a cell leaves possible\n{}",
        right(table, 5)
    )
}

/// The groups that cost most in a column, and what few rows have to do with it.
fn wide_column(wide: &WideColumn) -> String {
    let mut text =
        format!("\nWhat makes '{}' coarse: the costliest of {} groups\n", wide.name, count(wide.looked_at));
    for group in &wide.groups {
        text += &wide_group(group, &wide.name);
    }
    let strays = wide.strays;
    if strays.groups == 0 {
        text.push_str("  In no group are few rows to blame.\n");
        return text;
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  In all: {} would be narrower without at most {}, which would save the others at least {} of what the column lost.",
        counted(strays.groups, "group"),
        counted(strays.rows, "row"),
        percent(strays.share)
    );
    text
}

fn wide_group(group: &WideGroup, column: &str) -> String {
    let of = |name: &str| group.shows.get(name).map_or("", String::as_str);
    let others: Vec<String> = group
        .shows
        .iter()
        .filter(|(name, _)| *name != column)
        .map(|(name, shown)| format!("{name} {}", quoted(shown)))
        .collect();
    let beside = if others.is_empty() { String::new() } else { format!(" (beside {})", others.join(", ")) };
    let mut text = format!(
        "  {} show {}{beside}: {:.4} lost per cell\n",
        counted(group.rows, "row"),
        quoted(of(column)),
        group.lm
    );
    text += &group.strays.as_ref().map_or_else(String::new, |strays| format!("    {}\n", without(strays)));
    text
}

/// What a group would be without few rows.
fn without(strays: &Strays) -> String {
    let more = strays.count - strays.rows.len() as u64;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let rows: Vec<String> = strays.rows.iter().map(ToString::to_string).collect();
    format!(
        "without {} {}{more} of the original: {}, {:.4}",
        if strays.count == 1 { "row" } else { "rows" },
        rows.join(", "),
        quoted(&strays.becomes),
        strays.lm
    )
}

fn explained_row(row: &RowExplained) -> String {
    let of = match row.of {
        RowOf::Release => "the release",
        RowOf::Original => "the original",
    };
    let standing = match row.standing {
        Standing::InGroup => "hides in a group",
        Standing::Suppressed => "is suppressed",
        Standing::AsItIs => "is published as it is",
    };
    let mut text = format!("\nRow {} of {of} {standing}\n", row.row);
    for because in &row.because {
        let _ = writeln!(text, "  {}", because.spoken_by(&CommandLine));
    }
    if row.could_be_rows > 0 {
        let listed: Vec<String> = row.could_be.iter().map(ToString::to_string).collect();
        let more = row.could_be_rows - row.could_be.len() as u64;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let lead = if row.could_be_rows == 1 { "it is row" } else { "it is one of the rows" };
        let _ = writeln!(text, "  {lead} {}{more} of the original", listed.join(", "));
    }
    if row.columns.is_empty() {
        return text;
    }
    let knows = row.columns.iter().any(|column| column.same_value.is_some());
    let mut table = if knows {
        plain(["", "shows", "lost (lm)", "rows with its value", "like it but here"])
    } else {
        plain(["", "shows", "lost (lm)", "", ""])
    };
    let number = |n: Option<u64>| n.map_or_else(String::new, count);
    for column in &row.columns {
        table.add_row([
            format!("  {}", column.name),
            column.shows.as_deref().map_or_else(|| "nothing".into(), quoted),
            format!("{:.4}", column.lm),
            number(column.same_value),
            number(column.only_this_differs),
        ]);
    }
    text += &right(table, 5);
    for (column, strays) in row.columns.iter().filter_map(|c| Some((c, c.strays.as_ref()?))) {
        let _ = writeln!(text, "  {}: {}", column.name, without(strays));
    }
    text
}

fn quick_runs(runs: &QuickRuns, of_row: bool, column: Option<&str>) -> String {
    let rows = if runs.rows < runs.of_rows {
        format!("{} of {} rows", count(runs.rows), count(runs.of_rows))
    } else {
        format!("all {} rows", count(runs.rows))
    };
    // The release was refined, and they are not.
    let mut text = format!(
        "\nWhat a change gives: quick runs, not refined, nothing written; {rows}: compare them with each other alone\n"
    );
    let aim = match (of_row, column) {
        (true, _) => "this row",
        (false, Some(name)) => name,
        (false, None) => "",
    };
    let wanted = |tried: &Tried| {
        let of_column = column.and_then(|name| tried.per_column.get(name).copied());
        if of_row { tried.row_lm } else { of_column }
    };
    let figure = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.4}"));
    let mut table = plain(["", "lost (lm)", aim, "gain", "suppressed"]);
    let changed = runs.changes.iter().map(|tried| (tried, format!("{:+.4}", tried.gain)));
    for (tried, gain) in std::iter::once((&runs.as_asked, String::new())).chain(changed) {
        table.add_row([
            format!("  {}", tried.what.spoken_by(&CommandLine)),
            format!("{:.4}", tried.lm),
            figure(wanted(tried)),
            gain,
            percent(tried.suppressed),
        ]);
    }
    text += &right(table, 5);
    if let Some(best) = runs.changes.first().filter(|best| best.gain > 0.0)
        && let Some(how) = &best.how
    {
        let _ = writeln!(text, "  The first of them: {}", how.spoken_by(&CommandLine));
    }
    if runs.changes.iter().all(|tried| tried.gain <= 0.0) {
        text += "  None of them loses less.\n";
    }
    if !runs.for_comparison.is_empty() {
        text += "\nOnly to know what something costs: another table, or another promise\n";
        let mut table = plain(["", "the others lost", "before", "", ""]);
        for tried in &runs.for_comparison {
            let mean = |run: &Tried| {
                let others = || run.per_column.iter().filter(|(name, _)| tried.column.as_ref() != Some(name));
                others().map(|(_, lm)| lm).sum::<f64>() / others().count().max(1) as f64
            };
            let what = format!("  {}", tried.what.spoken_by(&CommandLine));
            let figures = [format!("{:.4}", mean(tried)), format!("{:.4}", mean(&runs.as_asked))];
            table.add_row([what, figures[0].clone(), figures[1].clone(), String::new(), String::new()]);
        }
        text += &right(table, 5);
    }
    for not_tried in &runs.not_tried {
        let _ = writeln!(text, "  Not tried: {}", not_tried.spoken_by(&CommandLine));
    }
    text
}

fn plain(header: [&str; 5]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    table
}

/// All but the first column to the right, where figures stand.
fn right(mut table: Table, columns: usize) -> String {
    for at in 1..columns {
        if let Some(column) = table.column_mut(at) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{}\n", table.trim_fmt())
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A missing value is shown as such.
fn quoted(shown: &str) -> String {
    if shown.is_empty() { "nothing".to_owned() } else { format!("'{shown}'") }
}

/// `1 row`, `2,000 rows`.
fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}
