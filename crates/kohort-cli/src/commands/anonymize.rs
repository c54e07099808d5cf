//! `kohort anonymize`: make a release.

use std::path::PathBuf;

use kohort::catalog::CATALOG;
use kohort::data::{Intervals, Missing, Suppressed};
use kohort::error::Said;
use kohort::input::{JobSpec, Scalar};
use kohort::job::files::FileJob;
use kohort::job::{Outcome, Stage};
use kohort::{Error, Result};
use serde_json::json;

use super::job_flags::{JobFlags, grids, intervals, levels, missing, pair, suppressed};
use super::offered::{self, offered};
use super::summary_table;
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::{Spectator, peak_rss_mb, say, tell};

/// What `kohort anonymize` can be asked.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub(crate) struct Args {
    /// The table: .csv, .tsv, .jsonl, .xlsx, .parquet, .arrow, SQLite and others, .gz and .zst; - is standard input
    #[arg(value_name = "DATA")]
    data: Option<PathBuf>,
    /// The release; the ending tells the format: .csv, .tsv, .jsonl (with .gz or .zst), .parquet, .arrow; - is standard output
    #[arg(short, long, value_name = "RELEASE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    flags: JobFlags,
    /// Which algorithm; `kohort list` shows them [default: auto]
    #[arg(long, value_name = "NAME", value_parser = offered::algorithms(), hide_possible_values = true, help_heading = "The search")]
    algorithm: Option<String>,
    /// Setting of the algorithm
    #[arg(long, value_name = "NAME=VALUE", help_heading = "The search")]
    set: Vec<String>,
    /// What agglomerative algorithms call close: 1 growth of the table's loss, 2 growth of a row's cost, 3 that over the
    /// logarithm of the rows, 4 the cost as a multiple of both before [default: 3]
    #[arg(long, value_name = "1|2|3|4", help_heading = "The search")]
    distance: Option<String>,
    /// How many different rows are looked at together: larger tables are cut into blocks of at most that many, as far as the
    /// demands allow, and mended across the cuts; 0 never cuts [default: 1000, 20 k, or 8000 with demands that more rows can
    /// break, whichever is most; tables of up to 20000 stay whole for an algorithm asked for by name]
    #[arg(long, value_name = "N", value_parser = block_rows, help_heading = "The search", allow_hyphen_values = true)]
    block_rows: Option<usize>,
    /// Refine the groups that the search found: on, off, or for a time such as 30s (then the same seed need not give the same
    /// release) [default: on for auto, off for an algorithm asked for by name]
    /// Ctrl-C takes the best groups by then
    #[arg(long, value_name = "on|off|TIME", help_heading = "The search", allow_hyphen_values = true)]
    refine: Option<String>,
    /// How many steps per row refine the groups; more take longer and usually lose less
    /// [default: 60 over k, from 2 to 12; fewer in all for very large tables]
    #[arg(long, value_name = "N", help_heading = "The search")]
    refine_steps: Option<u32>,
    #[arg(long, value_name = "NAME", value_parser = offered::measures(), hide_possible_values = true, help_heading = "The search", help = measures())]
    measure: Option<String>,
    /// Levels of columns that incognito takes as they are: 0 is the value, each step goes up in the hierarchy
    #[arg(long, value_name = "COLUMN=LEVEL", value_delimiter = ',', help_heading = "The search")]
    levels: Vec<String>,
    /// How many rows may be suppressed where that loses less, such as 5% or 0.05 [default: only what boundaries demand]
    #[arg(long, value_name = "SHARE", help_heading = "The search", allow_hyphen_values = true)]
    suppress: Option<String>,
    /// Finish quickly after this time, such as 60s or 5m
    #[arg(long, value_name = "TIME", help_heading = "Running", allow_hyphen_values = true)]
    time_limit: Option<String>,
    /// Say how little any release of this table could lose: a second or two of work, a time such as 20s, or off [default: on]
    #[arg(long, value_name = "on|off|TIME", help_heading = "Running", allow_hyphen_values = true)]
    bound: Option<String>,
    /// Same seed, same bytes. 0 takes the fixed rules of the papers, anything else draws [default: 0]
    #[arg(long, value_name = "N", help_heading = "Running")]
    seed: Option<u64>,
    /// Leave rows in the order of the table (which can identify people) instead of sorting them by a digest of what they show
    #[arg(long, help_heading = "The release")]
    keep_order: bool,
    /// What becomes of suppressed rows [default: drop]
    #[arg(long, value_name = "drop|star", value_parser = offered(&["drop", "star"], suppressed), hide_possible_values = true, help_heading = "The release")]
    suppressed: Option<Suppressed>,
    /// How intervals are published [default: text]
    #[arg(long, value_name = "text|bounds|midpoint", value_parser = offered(&["text", "bounds", "midpoint"], intervals), hide_possible_values = true, help_heading = "The release")]
    intervals: Option<Intervals>,
    /// Move interval ends outward to multiples of STEP, so that they are nobody's value; for dates and timestamps STEP is one of
    /// the calendar: 1 month, 7 days, 5 years, 15 minutes
    #[arg(long, value_name = "COLUMN=STEP", value_delimiter = ',', help_heading = "The release")]
    snap: Vec<String>,
    /// A missing quasi-identifier is a value of its own, refuses the job, or suppresses its row [default: value]
    #[arg(long, value_name = "value|refuse|suppress", value_parser = offered(&["value", "refuse", "suppress"], missing), hide_possible_values = true, help_heading = "The release")]
    missing: Option<Missing>,
    /// List every minimal solution of incognito, for people who want to choose themselves
    #[arg(long, value_name = "FILE.csv|.json", help_heading = "The release")]
    solutions: Option<PathBuf>,
    /// Where the certificate goes [default: RELEASE.certificate.json]
    #[arg(long, value_name = "FILE.json", help_heading = "The release")]
    certificate: Option<PathBuf>,
    /// Where the private audit record goes: what speaks about the original, for you and your auditor, not to be published
    /// [default: RELEASE.audit.json]
    #[arg(long, value_name = "FILE.json", help_heading = "The release", conflicts_with = "no_audit")]
    audit: Option<PathBuf>,
    /// Write no audit record
    #[arg(long, help_heading = "The release")]
    no_audit: bool,
    /// Let the certificate tell how many rows the original has and how many were suppressed
    #[arg(long, help_heading = "The release")]
    publish_counts: bool,
    /// Release nothing (exit code 3) when columns that are released as they are give people away
    #[arg(long, help_heading = "The release")]
    refuse_risky: bool,
    /// Every row is another person, although no identifier is different in every row
    #[arg(long, help_heading = "Columns")]
    rows_are_people: bool,
    /// Print one JSON object instead of the summary
    #[arg(long, help_heading = "Running")]
    pub(super) json: bool,
    /// Print nothing but errors, and what columns that are released as they are give away
    #[arg(long, help_heading = "Running")]
    pub(super) quiet: bool,
}

/// Runs the job and says what it did.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (json, quiet) = (args.json, args.quiet);
    let spec = args.into_job()?;
    // Standard output carries either the release or the summary, not both.
    let release_on_stdout = spec.output.as_deref() == Some(std::path::Path::new("-"));
    if json && release_on_stdout {
        return Err(Error::job("the release and the JSON object cannot both go to standard output")
            .at("‹output=-› --json")
            .help("write the release to a file, or omit --json"));
    }
    let job = FileJob::new(spec)?;
    let spectator = Spectator::new(quiet);
    let outcome = job.run(&spectator);
    spectator.finish();
    let outcome = outcome?;
    // What columns give away is said even to who wants to hear nothing, unless the JSON object says it.
    let shown: &[Said] = match (quiet, json) {
        (false, _) => &outcome.warnings,
        (true, false) => &outcome.risks,
        (true, true) => &[],
    };
    for warning in shown {
        tell(&format!("warning: {}\n", warning.spoken_by(&CommandLine)));
    }
    for note in outcome.notes.iter().filter(|note| !quiet && !spectator.has_told(note)) {
        tell(&format!("note: {}\n", note.spoken_by(&CommandLine)));
    }
    if json {
        let object = to_json(&outcome, &spectator)?;
        let text = serde_json::to_string_pretty(&object).map_err(|e| Error::internal(e.to_string()))?;
        say(&format!("{text}\n"))?;
    } else if !quiet {
        let text = summary_table::outcome((job.certificate_place(), job.audit_place()), &outcome);
        if release_on_stdout {
            tell(&text);
        } else {
            say(&text)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Whether there is neither a table to read nor a place to write to.
    pub(super) fn names_no_table(&self) -> bool {
        self.data.is_none() && self.output.is_none() && self.flags.job.is_none()
    }

    /// The job that the flags describe.
    pub(super) fn into_job(self) -> Result<JobSpec> {
        let snap = grids(&self.snap)?;
        let levels = levels(&self.levels)?;
        let settings = self.set.iter().map(|text| pair(text, "set")).collect::<Result<_>>()?;
        self.flags.merged(JobSpec {
            input: self.data,
            output: self.output,
            algorithm: self.algorithm,
            settings,
            distance: self.distance.map(Scalar::Text),
            block_rows: self.block_rows,
            refine: self.refine,
            refine_steps: self.refine_steps,
            measure: self.measure,
            seed: self.seed,
            time_limit: self.time_limit,
            bound: self.bound,
            keep_order: self.keep_order.then_some(true),
            suppressed: self.suppressed,
            intervals: self.intervals,
            snap,
            missing: self.missing,
            suppress: self.suppress.map(Scalar::Text),
            levels,
            solutions: self.solutions,
            certificate: self.certificate,
            audit: self.audit,
            no_audit: self.no_audit.then_some(true),
            publish_counts: self.publish_counts.then_some(true),
            refuse_risky: self.refuse_risky.then_some(true),
            rows_are_people: self.rows_are_people.then_some(true),
            ..JobSpec::default()
        })
    }
}

/// The help of `--measure`, from the list.
fn measures() -> String {
    let names: Vec<_> = CATALOG.measures.iter().map(|measure| measure.name).collect();
    format!("What to minimize: {} [default: {}]", names.join(", "), names[0])
}

/// The JSON object of a run.
pub(super) fn to_json(outcome: &Outcome, clock: &Spectator) -> Result<serde_json::Value> {
    let broken = |e: serde_json::Error| Error::internal(e.to_string());
    let mut object = serde_json::to_value(&outcome.summary).map_err(broken)?;
    object["seconds"] = json!({
        "read": clock.seconds(Stage::Read),
        "solve": clock.seconds(Stage::Solve),
        "refine": clock.seconds(Stage::Refine),
        "recode": clock.seconds(Stage::Recode),
        "verify": clock.seconds(Stage::Verify),
        "write": clock.seconds(Stage::Write),
        "bound": clock.seconds(Stage::Bound),
    });
    let spoken = |said: &[Said]| said.iter().map(|said| said.spoken_by(&CommandLine)).collect::<Vec<_>>();
    object["columns"] = serde_json::to_value(&outcome.columns).map_err(broken)?;
    object["warnings"] = json!(spoken(&outcome.warnings));
    object["notes"] = json!(spoken(&outcome.notes));
    object["peak_rss_mb"] = json!(peak_rss_mb());
    Ok(object)
}

/// Reads a number of rows.
fn block_rows(text: &str) -> std::result::Result<usize, String> {
    text.parse()
        .map_err(|_| "expected a whole number of rows in digits, such as 20000; 0 never cuts".to_owned())
}
