//! `kohort ledger repair`: what is wrong, and what was done about it.

use std::path::PathBuf;

use kohort::Result;
use kohort::ledger::{Repaired, repair};

use super::{counted, told};
use crate::exit::ExitCode;
use crate::terminal::say;

/// Arguments of `kohort ledger repair`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A ledger is restored from its mirror, LEDGER.mirror, only if that knows every release. Otherwise it stays as it is, with exit code 2."
)]
pub(super) struct Args {
    /// The ledger
    ledger: PathBuf,
    /// Where the last release lies now, if it was moved
    #[arg(long, value_name = "FILE")]
    previous: Option<PathBuf>,
}

/// Repairs what can be repaired.
pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let repaired = repair(&args.ledger, args.previous.as_deref())?;
    let releases = counted(repaired.releases.into(), "release");
    say(&format!("{}: {releases}\n{}\n", args.ledger.display(), lines(&repaired).join("\n")))?;
    Ok(ExitCode::SUCCESS)
}

fn lines(repaired: &Repaired) -> Vec<String> {
    let mut lines = Vec::new();
    if repaired.restored {
        lines.push("the ledger was damaged or gone: it was restored from its mirror".to_owned());
    }
    if repaired.mirrored {
        lines.push("its mirror was missing or of another state: it was written anew".to_owned());
    }
    lines.extend(repaired.settled.map(told));
    if lines.is_empty() {
        lines.push("nothing had to be repaired".to_owned());
    }
    lines.push(match &repaired.release {
        Some(place) => format!("the last release is as it was published: {}", place.display()),
        None => "the last release is not in its place, or was changed; --previous FILE says where it lies now, for the next release is made from it".into(),
    });
    lines
}
