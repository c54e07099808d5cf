//! `kohort verify`: what does this table achieve?

use std::path::PathBuf;

use kohort::data::{Intervals, Missing, Suppressed};
use kohort::input::JobSpec;
use kohort::job::files::FileVerifyJob;
use kohort::{Error, Result};

use super::job_flags::{JobFlags, grids, intervals, missing, suppressed};
use super::offered::offered;
use super::summary_table;
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::{Spectator, say, tell};

/// What `kohort verify` can be asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The release of any tool; - is standard input
    #[arg(value_name = "RELEASE")]
    release: PathBuf,
    /// The table it was made from: adds utility, and checks that every cell is a generalization of its source
    #[arg(long, value_name = "DATA")]
    original: Option<PathBuf>,
    /// The certificate whose digest, columns, demands and figures the release is held against [default:
    /// RELEASE.certificate.json, where neither --qi nor --job is given]
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    flags: JobFlags,
    /// How the release shows intervals; only midpoints need to be announced
    #[arg(long, value_name = "text|bounds|midpoint", value_parser = offered(&["text", "bounds", "midpoint"], intervals), hide_possible_values = true, help_heading = "Columns")]
    intervals: Option<Intervals>,
    /// The grid that interval ends were moved to: on it an interval may end at a cut
    #[arg(long, value_name = "COLUMN=STEP", value_delimiter = ',', help_heading = "Columns")]
    snap: Vec<String>,
    /// What became of suppressed rows: with star, rows that show nothing in any column are suppressed ones; with drop,
    /// they are members of a class
    #[arg(long, value_name = "drop|star", value_parser = offered(&["drop", "star"], suppressed), hide_possible_values = true, help_heading = "Columns")]
    suppressed: Option<Suppressed>,
    /// As when the release was made: with suppress, rows of the original that lack a quasi-identifier are known to be
    /// suppressed
    #[arg(long, value_name = "value|refuse|suppress", value_parser = offered(&["value", "refuse", "suppress"], missing), hide_possible_values = true, help_heading = "Columns")]
    missing: Option<Missing>,
    /// Print one JSON object instead of the summary
    #[arg(long, help_heading = "Running")]
    json: bool,
    /// Print nothing; the exit code tells
    #[arg(long, help_heading = "Running")]
    quiet: bool,
}

/// Examines the table; exit code 1 when it falls short of what is demanded or claimed.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let spec = args.flags.merged(JobSpec {
        intervals: args.intervals,
        snap: grids(&args.snap)?,
        suppressed: args.suppressed,
        missing: args.missing,
        ..JobSpec::default()
    })?;
    let job = match &args.certificate {
        Some(place) => FileVerifyJob::with_certificate(&spec, args.release, args.original, place)?,
        None => FileVerifyJob::new(&spec, args.release, args.original)?,
    };
    let spectator = Spectator::new(args.quiet);
    let verdict = job.run(&spectator);
    spectator.finish();
    let verdict = verdict?;
    let mut demands: Vec<String> = verdict.judged.iter().map(ToString::to_string).collect();
    if job.job().has_boundaries() && verdict.summary.achieved.boundary_violations.is_some() {
        demands.push("boundaries".into());
    }
    match verdict.summary.notion {
        "k" => {}
        // A claim that only the original could tell.
        _ if verdict.judged.is_empty() => {}
        weak @ ("1k" | "k1") => demands.push(format!("notion {weak} (protects nobody by itself)")),
        other => demands.push(format!("notion {other}")),
    }
    if args.json {
        let broken = |e: serde_json::Error| Error::internal(e.to_string());
        let mut object = serde_json::to_value(&verdict.summary).map_err(broken)?;
        let short: Vec<String> = verdict.shortfalls.iter().map(|s| s.spoken_by(&CommandLine)).collect();
        object["shortfalls"] = short.into();
        let text = serde_json::to_string_pretty(&object).map_err(broken)?;
        say(&format!("{text}\n"))?;
    } else if !args.quiet {
        say(&summary_table::verdict(&verdict))?;
        if let Some(check) = &verdict.summary.certificate {
            say(&format!("\n{}\n", summary_table::certificate(check)))?;
        }
        if verdict.shortfalls.is_empty() && !demands.is_empty() {
            say(&format!("\nMet: {}\n", demands.join(", ")))?;
        }
    }
    for unchecked in verdict.summary.not_checked.iter().flatten().filter(|_| !args.quiet && !args.json) {
        tell(&format!("not checked: {}\n", unchecked.spoken_by(&CommandLine)));
    }
    for shortfall in verdict.shortfalls.iter().filter(|_| !args.quiet) {
        tell(&format!("not met: {}\n", shortfall.spoken_by(&CommandLine)));
    }
    Ok(ExitCode::from(u8::from(!verdict.shortfalls.is_empty())))
}
