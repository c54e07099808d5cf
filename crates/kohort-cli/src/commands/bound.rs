//! `kohort bound`: how little any release of this table could lose.

use std::fmt::Write as _;
use std::time::Duration;

use kohort::input::{parse_duration, with_seconds};
use kohort::job::files::FileBoundJob;
use kohort::job::{Stage, TableBound};
use kohort::report::rounded_down;
use kohort::{Error, Result};
use serde_json::{Map, Value, json};

use super::anonymize;
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::{Spectator, peak_rss_mb, say};

/// What `kohort bound` can be asked: what `anonymize` can, although nothing is released.
#[derive(Debug, clap::Args)]
// `anonymize::Args` has a group of this name.
#[group(skip)]
#[command(mut_args(without_release))]
pub(crate) struct Args {
    /// Look for the best bound so long, such as 60s or 5m [default: a counted amount of work, about a minute at most for
    /// some ten thousand rows; it gives the same bound every time]
    #[arg(long, value_name = "TIME", help_heading = "The bound", allow_hyphen_values = true)]
    time: Option<String>,
    #[command(flatten)]
    asked: anonymize::Args,
}

/// What says how a release is made, written and described, and changes nothing about the bound. It is taken all the same, so that the
/// flags of `anonymize` can be given as they are, but it is not in the help.
const OF_THE_RELEASE: [&str; 24] = [
    "output",
    "algorithm",
    "set",
    "distance",
    "block_rows",
    "refine",
    "refine_steps",
    "levels",
    "time_limit",
    "bound",
    "keep_order",
    "suppressed",
    "intervals",
    "solutions",
    "certificate",
    "audit",
    "no_audit",
    "publish_counts",
    "refuse_risky",
    "rest",
    "keep",
    "drop",
    "rows_are_people",
    "identifier",
];

fn without_release(flag: clap::Arg) -> clap::Arg {
    let is_irrelevant = OF_THE_RELEASE.contains(&flag.get_id().as_str());
    if is_irrelevant { flag.hide(true) } else { flag }
}

/// Looks for the bound and says it.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (json, quiet) = (args.asked.json, args.asked.quiet);
    let time = args.time.as_deref().map(time).transpose()?;
    let job = FileBoundJob::new(&args.asked.into_job()?)?;
    let spectator = Spectator::new(quiet);
    let found = job.run(time, &spectator);
    spectator.finish();
    let found = found?;
    if json {
        say(&format!("{}\n", to_json(&job, &found, &spectator)?))?;
    } else if !quiet {
        say(&for_people(&job, &found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn time(text: &str) -> Result<Duration> {
    parse_duration(text).map_err(|_| {
        let meant =
            with_seconds(text).map(|meant| format!("--time {meant} means seconds; ")).unwrap_or_default();
        Error::job(format!("'{text}' is not a length of time"))
            .at("--time")
            .help(format!("{meant}write a number with a unit: 500ms, 90s, 5m or 2h"))
    })
}

fn for_people(job: &FileBoundJob, found: &TableBound) -> String {
    let bound = &found.lower_bound;
    let (k, notion) = (job.job().demands().k(), job.job().notion().title());
    let Some(least) = bound.bound else {
        let why = bound.reason.as_ref().map(|reason| reason.spoken_by(&CommandLine)).unwrap_or_default();
        return format!("No bound: {why}.\n");
    };
    let mut text = format!(
        "No release of these {} rows with {notion} for k = {k} loses less than\n\n  {} = {:.5}\n\n",
        found.rows,
        bound.measure,
        rounded_down(least, 5)
    );
    text += "whatever method makes it. Prices of rows prove it; every box was checked.\n";
    if found.is_timed {
        let _ = writeln!(text, "It was looked for by the clock: another run may find another bound.");
    }
    text += "This speaks about the original table. Keep it private.\n";
    text
}

fn to_json(job: &FileBoundJob, found: &TableBound, clock: &Spectator) -> Result<String> {
    let bound = &found.lower_bound;
    let mut lower_bound = Map::new();
    lower_bound.insert(bound.measure.into(), json!(bound.bound));
    if let Some(reason) = &bound.reason {
        lower_bound.insert("reason".into(), Value::String(reason.spoken_by(&CommandLine)));
    }
    let object = json!({
        "rows": found.rows,
        "k": job.job().demands().k(),
        "notion": job.job().notion().name(),
        "lower_bound": lower_bound,
        "reproducible": !found.is_timed,
        "seconds": {"read": clock.seconds(Stage::Read), "bound": clock.seconds(Stage::Bound)},
        "peak_rss_mb": peak_rss_mb(),
    });
    serde_json::to_string_pretty(&object).map_err(|e| Error::internal(e.to_string()))
}
