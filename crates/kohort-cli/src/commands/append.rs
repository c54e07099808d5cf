//! `kohort append`: the next release of a growing table.

use std::path::{Path, PathBuf};

use kohort::algorithm::InsertionRule;
use kohort::error::Said;
use kohort::job::append::Appended;
use kohort::job::files::{AppendPlaces, FileAppendJob, mark_published};
use kohort::{Error, Result};

use super::{anonymize, summary_table};
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::{Spectator, say, tell};

/// What `kohort append` can be asked.
#[derive(Debug, clap::Args)]
// `anonymize::Args` has a group of this name.
#[group(skip)]
pub(crate) struct Args {
    /// The private record of the growing table; made with the first release. Keep it where the original is kept
    #[arg(long, value_name = "FILE", help_heading = "The ledger")]
    ledger: PathBuf,
    /// Where the last release is now, if it was moved
    #[arg(long, value_name = "RELEASE", help_heading = "The ledger")]
    previous: Option<PathBuf>,
    /// A table of those whose rows are to be taken out: the person columns or, where there are none, the identifiers
    #[arg(long, value_name = "FILE", help_heading = "The ledger")]
    withdraw: Option<PathBuf>,
    /// Take rows of others out with those that are withdrawn, where they are never split
    #[arg(long, requires = "withdraw", help_heading = "The ledger")]
    withhold: bool,
    /// Nobody is going to see this release: until one is published, rows may be inserted by --rule
    #[arg(long, conflicts_with = "published", help_heading = "The ledger")]
    unpublished: bool,
    /// An earlier release was published after all; alone, it only records that
    #[arg(long, help_heading = "The ledger")]
    published: bool,
    /// Insert the new rows into the groups of the last release one by one: least-loss, least-increase or posterior. Only while nobody
    /// has seen a release: afterwards, comparing two of them would expose every new person
    #[arg(long, value_name = "RULE", help_heading = "The ledger")]
    rule: Option<String>,
    #[command(flatten)]
    job: anonymize::Args,
}

/// Makes the release and says what became of the batch.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (json, quiet) = (args.job.json, args.job.quiet);
    if args.published && args.job.names_no_table() {
        return published(&args.ledger, quiet);
    }
    let places = AppendPlaces {
        ledger: args.ledger,
        previous: args.previous,
        withdraw: args.withdraw,
        withhold: args.withhold,
        rule: args.rule.as_deref().map(rule).transpose()?,
        unpublished: args.unpublished,
        published: args.published,
    };
    let job = FileAppendJob::new(args.job.into_job()?, places)?;
    let spectator = Spectator::new(quiet);
    let appended = job.run(&spectator);
    spectator.finish();
    let appended = appended?;
    let outcome = &appended.outcome;
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
        say(&format!("{}\n", to_json(&appended, &spectator)?))?;
    } else if !quiet {
        let places = (job.certificate_place(), job.audit_place());
        let has_batch = appended.growth.batch > 0;
        let table = if has_batch { summary_table::outcome } else { summary_table::achieved };
        say(&table(places, outcome))?;
        say(&summary_table::growth(&appended.growth, job.ledger_place()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Records that somebody may have seen the earlier releases, and makes none.
fn published(ledger: &Path, quiet: bool) -> Result<ExitCode> {
    let is_news = mark_published(ledger)?;
    let told = if is_news { "is recorded as published now" } else { "was recorded as published before" };
    if !quiet {
        say(&format!("{}: what was released {told}\n", ledger.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn rule(name: &str) -> Result<InsertionRule> {
    InsertionRule::named(name).map_err(|e| e.option_with("rule", name))
}

fn to_json(appended: &Appended, clock: &Spectator) -> Result<String> {
    let broken = |e: serde_json::Error| Error::internal(e.to_string());
    let mut object = anonymize::to_json(&appended.outcome, clock)?;
    object["growth"] = serde_json::to_value(&appended.growth).map_err(broken)?;
    serde_json::to_string_pretty(&object).map_err(broken)
}
