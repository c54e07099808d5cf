//! Flags that `anonymize` and `verify` share: roles, hierarchies, demands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kohort::catalog::CATALOG;
use kohort::data::{DateFormat, Decimal, Intervals, Kind, Missing, MissingSensitive, Rest, Step, Suppressed};
use kohort::error::marked;
use kohort::input::{ColumnSpec, JobSpec, ReadOptions, Scalar};
use kohort::output::replaces;
use kohort::{Error, Result};

use super::offered::{self, offered};

/// How a table in a file is to be read, where the file does not tell it by itself.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ReadFlags {
    /// Encoding of text that is not UTF-8 and has no mark, such as windows-1252 or shift_jis
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    encoding: Option<String>,
    /// Lines of CSV that begin with this character are comments, and nobody's rows
    #[arg(long, value_name = "CHARACTER", help_heading = "Reading")]
    comment: Option<String>,
    /// The sheet of an Excel or OpenDocument file [default: the only one with anything in it]
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    sheet: Option<String>,
    /// What to ask a SQLite database for, a single select [default: all of its only table]
    #[arg(long, value_name = "SQL", help_heading = "Reading")]
    query: Option<String>,
}

impl ReadFlags {
    /// For commands that have no job.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            encoding: self.encoding.clone(),
            comment: self.comment.clone(),
            sheet: self.sheet.clone(),
            query: self.query.clone(),
            as_text: false,
        }
    }
}

/// Which columns are what, and what is demanded.
#[derive(Debug, clap::Args)]
pub(crate) struct JobFlags {
    /// Job file (TOML) with the same names as the flags; flags win
    #[arg(long, value_name = "FILE", help_heading = "The job")]
    pub(crate) job: Option<PathBuf>,
    #[command(flatten)]
    read: ReadFlags,
    /// Columns that name a person by themselves; they are dropped
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Columns")]
    identifier: Vec<String>,
    /// Columns that say whose row it is, all of them together: every demand then counts people instead of rows, and they are
    /// dropped
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Columns")]
    person: Vec<String>,
    /// Quasi-identifiers: columns an outsider could know; they are generalized
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Columns")]
    qi: Vec<String>,
    /// Columns nobody may learn; released as they are, protected by the demands
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Columns")]
    sensitive: Vec<String>,
    /// Columns to release as they are, protected by nothing
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Columns")]
    keep: Vec<String>,
    /// Columns to leave out, although they name nobody
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Columns")]
    drop: Vec<String>,
    /// What becomes of all columns that have no role [default: none may be left]
    #[arg(long, value_name = "keep|drop", value_parser = offered(&["keep", "drop"], rest), hide_possible_values = true, help_heading = "Columns")]
    rest: Option<Rest>,
    /// Folder with one <column>.csv per hierarchy
    #[arg(long, value_name = "DIR", help_heading = "Columns")]
    hierarchies: Option<PathBuf>,
    /// How a column's values compare: integer, decimal, date, timestamp, category. A number or date becomes smallest intervals, even
    /// if the folder has a hierarchy for it
    #[arg(long = "type", value_name = "COLUMN=TYPE", value_delimiter = ',', help_heading = "Columns")]
    types: Vec<String>,
    /// How a column's dates are written, such as born=%d.%m.%Y or seen="%d/%m/%Y %H:%M"; repeat it for several columns, or for
    /// several formats of one. Usual spellings are recognized where they can be read in one way only
    #[arg(long, value_name = "COLUMN=FORMAT", help_heading = "Columns")]
    date_format: Vec<String>,
    /// What stands before the decimals of a column's numbers: with comma, 1.234,5 is one thousand two hundred and a bit; with
    /// point, 1,234.5 is
    #[arg(long, value_name = "COLUMN=comma|point", value_delimiter = ',', help_heading = "Columns")]
    decimal: Vec<String>,
    /// Texts that mean a missing value in quasi-identifiers, sensitive and person columns, besides blank ones; COLUMN=TEXT in
    /// one column alone
    #[arg(
        long,
        value_name = "TEXT,TEXT",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Columns"
    )]
    na: Vec<String>,
    /// The highest hierarchy node a column's values may become; repeat it for several nodes, or list them: a=X,a=Y
    #[arg(long, value_name = "COLUMN=NODE", help_heading = "Boundaries")]
    max_generalization: Vec<String>,
    /// The largest width of a column's intervals; days for dates, seconds for timestamps
    #[arg(long, value_name = "COLUMN=WIDTH", help_heading = "Boundaries")]
    max_width: Vec<String>,
    /// Values that no interval of a column may reach across, from small to large
    #[arg(long, value_name = "COLUMN=A,B", help_heading = "Boundaries")]
    cuts: Vec<String>,
    /// Rows with this value are published as they are: their people do not mind. They count for nobody's k
    #[arg(long, value_name = "COLUMN=VALUE", help_heading = "Columns")]
    opt_out: Option<String>,
    /// Everyone hides among at least N
    #[arg(short, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Demands")]
    k: Option<u32>,
    /// Every class has at least N different values of each sensitive column
    #[arg(short, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Demands")]
    p: Option<u32>,
    /// Diversity of each sensitive column in every class: distinct:L different values, entropy:L, or recursive:C,L. This and
    /// the demands below may be repeated or listed, and name one sensitive column: distinct:3@diagnosis,entropy:2@ward
    #[arg(long, value_name = "KIND:L", help_heading = "Demands")]
    l_diversity: Vec<String>,
    /// How far the sensitive values of a class may be distributed from those of the original (or of the release, where
    /// verify has no original), between 0 and 1; values are apart as equal (1 if different), ordered (by rank) or hierarchical (by their hierarchy) [default: equal]
    #[arg(long, value_name = "T[:DISTANCE]", help_heading = "Demands", allow_hyphen_values = true)]
    t_closeness: Vec<String>,
    /// The largest share that a sensitive value may have of a class
    #[arg(long, value_name = "SHARE", help_heading = "Demands", allow_hyphen_values = true)]
    alpha: Vec<String>,
    /// How much more frequent a sensitive value may be in a class than in the original, relative to its frequency there: 1
    /// lets it be twice as frequent
    #[arg(long, value_name = "B", help_heading = "Demands", allow_hyphen_values = true)]
    beta_likeness: Vec<String>,
    /// How far the frequency of a sensitive value in a class may be from that in the original, as the natural logarithm of
    /// their ratio: 0.7 lets it be half to twice as frequent. Every class must have every value
    #[arg(long, value_name = "D", help_heading = "Demands", allow_hyphen_values = true)]
    delta_disclosure: Vec<String>,
    /// A node of a sensitive column's hierarchy below which all values count as one for -p; repeat it for several nodes
    #[arg(long, value_name = "COLUMN=NODE", help_heading = "Demands")]
    protected: Vec<String>,
    /// What a missing sensitive value counts: nothing (it is no value for p and l, and has no share), or as much as any
    /// other [default: ignore]
    #[arg(long, value_name = "ignore|count", value_parser = offered(&["ignore", "count"], missing_sensitive), hide_possible_values = true, help_heading = "Demands")]
    missing_sensitive: Option<MissingSensitive>,
    #[arg(long, value_name = "NAME", value_parser = offered::notions(), hide_possible_values = true, help_heading = "Demands", help = notions())]
    notion: Option<String>,
    /// Exponent of the weights of the distortion (measure `whd`): 0 uniform, larger makes steps near the root dearer
    #[arg(long, value_name = "B", help_heading = "Measures")]
    beta: Option<f64>,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", help_heading = "Running")]
    threads: Option<usize>,
}

impl JobFlags {
    /// The job file, if any, with these flags put over it.
    pub(crate) fn merged(self, more: JobSpec) -> Result<JobSpec> {
        let file = self.job.as_deref().map(JobSpec::read).transpose()?.unwrap_or_default();
        let mut columns: BTreeMap<String, ColumnSpec> = BTreeMap::new();
        for text in &self.types {
            let (name, kind) = pair(text, "type")?;
            columns.entry(name).or_default().kind = Some(parse_kind(&kind)?);
        }
        for text in &self.date_format {
            let (name, format) = pair(text, "date-format")?;
            let format = DateFormat::try_from(format).map_err(bad_format)?;
            columns.entry(name).or_default().date_format.push(format);
        }
        for text in &self.decimal {
            let (name, mark) = pair(text, "decimal")?;
            columns.entry(name).or_default().decimal = Some(decimal(&mark)?);
        }
        self.boundaries(&mut columns)?;
        let mut na = Vec::new();
        for text in trimmed(self.na) {
            match text.split_once('=') {
                Some((column, text)) => columns.entry(column.into()).or_default().na.push(text.into()),
                None => na.push(text),
            }
        }
        let flags = JobSpec {
            encoding: self.read.encoding,
            comment: self.read.comment,
            sheet: self.read.sheet,
            query: self.read.query,
            identifier: trimmed(self.identifier),
            person: trimmed(self.person),
            qi: trimmed(self.qi),
            sensitive: trimmed(self.sensitive),
            keep: trimmed(self.keep),
            drop: trimmed(self.drop),
            rest: self.rest,
            na,
            missing_sensitive: self.missing_sensitive,
            hierarchies: self.hierarchies,
            k: self.k,
            p: self.p,
            beta: self.beta,
            l_diversity: texts(&self.l_diversity, |part| part.contains(':')),
            t_closeness: texts(&self.t_closeness, begins_with_number),
            alpha: texts(&self.alpha, begins_with_number),
            beta_likeness: texts(&self.beta_likeness, begins_with_number),
            delta_disclosure: texts(&self.delta_disclosure, begins_with_number),
            notion: self.notion,
            opt_out: self.opt_out,
            threads: self.threads,
            columns,
            ..more
        };
        let merged = file.overridden_by(flags);
        if let (Some(job), Some(output)) = (&self.job, &merged.output)
            && replaces(job, output)
        {
            return Err(Error::job("the release would replace the job file")
                .at(format!("--job {}", job.display()))
                .option_with("output", output.display().to_string())
                .help("write the release to another file, such as ‹output=release.csv›"));
        }
        Ok(merged)
    }
}

/// The help of `--notion`, from the list.
fn notions() -> String {
    let names = |protects: bool| {
        let some = CATALOG.notions.iter().filter(move |entry| entry.protects == protects);
        some.map(|entry| entry.notion.name()).collect::<Vec<_>>()
    };
    let (strong, weak) = (names(true).join(", "), names(false).join(" and "));
    format!("What hiding among N means: {strong}; {weak} protect nobody by themselves [default: k]")
}

/// `COLUMN=NODE`, split at the first equals sign: node labels such as `<=50K` contain one more often than column names do.
fn of_node(text: &str, option: &str) -> Result<(String, String)> {
    match text.split_once('=') {
        Some((name, node)) => Ok((name.to_owned(), node.to_owned())),
        None => pair(text, option),
    }
}

impl JobFlags {
    fn boundaries(&self, columns: &mut BTreeMap<String, ColumnSpec>) -> Result<()> {
        for text in listed(&self.max_generalization, names_column) {
            let (name, node) = of_node(&text, "max-generalization")?;
            columns.entry(name).or_default().max_generalization.get_or_insert_default().push(node);
        }
        for text in listed(&self.protected, names_column) {
            let (name, node) = of_node(&text, "protected")?;
            columns.entry(name).or_default().protected.get_or_insert_default().push(node);
        }
        for text in listed(&self.max_width, names_column) {
            let (name, width) = pair(&text, "max-width")?;
            let number = width.parse().map_err(|_| {
                Error::job(format!("width '{width}' is not a number")).option("max-width").help(format!(
                    "give the largest width, such as {}",
                    marked("max-width", format!("{name}=20"))
                ))
            })?;
            let entry = columns.entry(name.clone()).or_default();
            once(entry.max_width.replace(number).is_none(), &name, "max-width", "give it one width")?;
        }
        for text in listed(&self.cuts, names_column) {
            let (name, cuts) = pair(&text, "cuts")?;
            let cuts = cuts.split(',').map(|cut| Scalar::Text(cut.trim().to_owned())).collect();
            let entry = columns.entry(name.clone()).or_default();
            let way_out =
                format!("list all cuts at once, such as {}", marked("cuts", format!("{name}=18,65")));
            once(entry.cuts.replace(cuts).is_none(), &name, "cuts", &way_out)?;
        }
        Ok(())
    }
}

/// Of two boundaries for one column neither may be forgotten silently.
fn once(is_first: bool, name: &str, option: &str, way_out: &str) -> Result<()> {
    if is_first {
        return Ok(());
    }
    Err(Error::job(format!("column '{name}' is named twice")).option(option).help(way_out))
}

/// What was given for a flag that may be repeated or take a list: `a=3,b=3` is two. What stands behind a comma begins a new
/// entry only where `begins` says so, because values have commas, too.
fn listed(given: &[String], begins: impl Fn(&str) -> bool) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in given {
        let mut parts = text.split(',');
        all.extend(parts.next().map(str::to_owned));
        for part in parts {
            match all.last_mut() {
                Some(last) if !begins(part) => {
                    last.push(',');
                    last.push_str(part);
                }
                _ => all.push(part.trim_start().to_owned()),
            }
        }
    }
    all
}

/// `COLUMN=…`.
fn names_column(part: &str) -> bool {
    part.split_once('=')
        .is_some_and(|(name, _)| name.trim().ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn begins_with_number(part: &str) -> bool {
    part.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

fn texts(given: &[String], begins: impl Fn(&str) -> bool) -> Vec<Scalar> {
    listed(given, begins).into_iter().map(Scalar::Text).collect()
}

/// `--qi "age, sex"` means the columns `age` and `sex`.
fn trimmed(names: Vec<String>) -> Vec<String> {
    names.into_iter().map(|name| name.trim().to_owned()).collect()
}

/// Splits `COLUMN=VALUE` at the last `=`: column names may contain one.
pub(crate) fn pair(text: &str, option: &str) -> Result<(String, String)> {
    let (name, value) = text.rsplit_once('=').ok_or_else(|| {
        Error::job(format!("'{text}', expected NAME=VALUE"))
            .option(option)
            .help(format!("write {}, without spaces", marked(option, format!("{text}=…"))))
    })?;
    Ok((name.to_owned(), value.to_owned()))
}

/// `--snap`: steps by column.
pub(crate) fn grids(snap: &[String]) -> Result<BTreeMap<String, Step>> {
    let grid = |text: &String| {
        let (column, step) = pair(text, "snap")?;
        let step = step.parse().map_err(|why: String| {
            Error::job(why).option("snap").help(format!(
                "give the width of the grid, such as {}",
                marked("snap", format!("{column}=5"))
            ))
        })?;
        Ok((column, step))
    };
    snap.iter().map(grid).collect()
}

/// `--levels`: levels by column.
pub(crate) fn levels(given: &[String]) -> Result<BTreeMap<String, u32>> {
    let mut levels = BTreeMap::new();
    for text in given.iter().map(|text| text.trim()) {
        let (name, level) = pair(text, "levels")?;
        let number = level.parse().map_err(|_| {
            let example = marked("levels", format!("{name}=1"));
            Error::job(format!("level '{level}' is not a whole number"))
                .option_with("levels", text)
                .help(format!("say how many steps up, such as {example}; 0 is the value itself"))
        })?;
        once(levels.insert(name.clone(), number).is_none(), &name, "levels", "give it one level")?;
    }
    Ok(levels)
}

/// Reads one of a few words by their names in job files.
pub(crate) fn choice<T: serde::de::DeserializeOwned>(text: &str, of: &str) -> std::result::Result<T, String> {
    serde_json::from_value(serde_json::json!(text)).map_err(|_| format!("expected one of {of}"))
}

/// `--rest`.
fn rest(text: &str) -> std::result::Result<Rest, String> {
    choice(text, "keep, drop")
}

/// `--missing-sensitive`.
fn missing_sensitive(text: &str) -> std::result::Result<MissingSensitive, String> {
    choice(text, "ignore, count")
}

/// `--suppressed`.
pub(crate) fn suppressed(text: &str) -> std::result::Result<Suppressed, String> {
    choice(text, "drop, star")
}

/// `--intervals`.
pub(crate) fn intervals(text: &str) -> std::result::Result<Intervals, String> {
    choice(text, "text, bounds, midpoint")
}

/// `--missing`.
pub(crate) fn missing(text: &str) -> std::result::Result<Missing, String> {
    choice(text, "value, refuse, suppress")
}

fn whole(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| "expected a whole number, such as 10".to_owned())
}

/// What to say of a date format that is none.
pub(crate) fn bad_format(why: String) -> Error {
    Error::job(why)
        .option("date-format")
        .help("write it with %d for the day, %m or %b for the month, %Y or %y for the year, such as %d.%m.%Y")
}

/// `--decimal`.
pub(crate) fn decimal(text: &str) -> Result<Decimal> {
    choice(text, "comma, point").map_err(|why| {
        Error::job(format!("'{text}' stands before no decimals: {why}"))
            .option("decimal")
            .help("write it in letters, such as ‹decimal=price=comma›")
    })
}

fn parse_kind(text: &str) -> Result<Kind> {
    Ok(match text {
        "integer" => Kind::Integer,
        "decimal" => Kind::Decimal,
        "date" => Kind::Date,
        "timestamp" => Kind::Timestamp,
        "category" => Kind::Category,
        _ => {
            return Err(Error::job(format!("there is no type '{text}'"))
                .option("type")
                .help("one of integer, decimal, date, timestamp, category"));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, begins: impl Fn(&str) -> bool) -> Vec<String> {
        listed(&[text.to_owned()], begins)
    }

    #[test]
    fn a_comma_separates_entries_where_the_next_one_begins() {
        assert_eq!(split("a=3,b=3", names_column), ["a=3", "b=3"]);
        assert_eq!(split("age=18,65,born=2000-01-01", names_column), ["age=18,65", "born=2000-01-01"]);
        assert_eq!(split("town=Bay, north,town=Hill", names_column), ["town=Bay, north", "town=Hill"]);
        assert_eq!(split("income=a,<=50K", names_column), ["income=a,<=50K"]);
        let kinds = |part: &str| part.contains(':');
        assert_eq!(split("recursive:2,3,distinct:3@a", kinds), ["recursive:2,3", "distinct:3@a"]);
        assert_eq!(split("0.5@a,0.2@b", begins_with_number), ["0.5@a", "0.2@b"]);
        assert_eq!(split("0.5@a, b", begins_with_number), ["0.5@a, b"]);
    }
}
