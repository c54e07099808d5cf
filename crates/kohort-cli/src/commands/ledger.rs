//! `kohort ledger show|repair`.

use clap::Subcommand;
use kohort::Result;
use kohort::ledger::Settled;

use super::summary_table::count;
use crate::exit::ExitCode;

mod repair;
mod show;

/// Arguments of `kohort ledger`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// What does it know? Releases, sizes of atoms, waiting rows, demands; no value of the table
    Show(show::Args),
    /// Say what is wrong with a ledger, and put right what can be put right without forgetting a release
    Repair(repair::Args),
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.action {
        Action::Show(args) => show::run(args),
        Action::Repair(args) => repair::run(args),
    }
}

/// What was done about a run that was interrupted, as a sentence.
fn told(settled: Settled) -> String {
    match settled {
        Settled::Finished(number) => {
            format!("a run was interrupted: release {number}, which the ledger knows, was put in its place")
        }
        Settled::Undone => {
            "a run was interrupted before the ledger knew its release: that was removed, nobody has seen it"
                .into()
        }
    }
}

/// `1 row`, `2,000 rows`.
fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}
