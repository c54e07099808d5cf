//! How much faster are the shipped algorithms than plain loops that give the same result?
//!
//! Every algorithm runs twice on the same table in the same run: as the loop over rows that the tests believe
//! (`crates/kohort/tests/common/plain`, included here, so that there is one of each), and as it is shipped, with one thread
//! and with two. Both must give the same answer, or nothing is reported. The time of the shipped form begins at the encoded
//! table, as that of the loop does: grouping equal rows and filling cost tables count.
//!
//! Every measurement is a process of its own, so that its peak memory is its own. Forms with one thread are measured by the time
//! that thread was on a processor, so that other work on the machine does not count.
//!
//! `cargo run --release -p kohort-bench --bin speed -- --help`

#[path = "../adult.rs"]
mod adult;
mod cases;
mod child;
mod clock;
#[path = "../columns.rs"]
mod columns;
mod compare;
mod limit;
mod measure;
mod over_codes;
#[path = "../peak.rs"]
mod peak;
#[path = "../../../crates/kohort/tests/common/plain/mod.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "written for tests, which use more of it")]
mod plain;
mod report;
#[path = "../results.rs"]
mod results;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Measures plain loops against shipped algorithms", args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    options: Options,
}

#[derive(Subcommand)]
enum Command {
    /// Compares two results; fails where something got worse by more than 20 %
    Compare { old: PathBuf, new: PathBuf },
    /// One measurement, as a line of JSON
    #[command(hide = true)]
    Child(child::Task),
}

#[derive(Args)]
struct Options {
    /// The Adult table; without it ../shared or KOHORT_SHARED, and where there is none a census-like table
    adult: Option<PathBuf>,
    /// Rows, the first of the table; 'all' are 30,162 of Adult and 30,000 of census
    #[arg(long, value_delimiter = ',', default_value = "1000,3000")]
    sizes: Vec<tables::Size>,
    #[arg(long, value_delimiter = ',', default_value = "10")]
    k: Vec<usize>,
    /// Quasi-identifiers; 16 are always of the census-like table
    #[arg(long, value_delimiter = ',', default_value = "8")]
    attributes: Vec<usize>,
    /// Some algorithms only, such as kaca,agglomerative/3
    #[arg(long, value_delimiter = ',')]
    algorithms: Vec<String>,
    /// Leaves out plain loops that are expected to take longer
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    plain_limit: f64,
    /// Runs every plain loop, however long it takes
    #[arg(long)]
    all: bool,
    /// Where the result is kept, if not in bench/results
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> Result<ExitCode> {
    let Cli { command, options } = Cli::parse();
    match command {
        Some(Command::Compare { old, new }) => compare::run(&old, &new),
        Some(Command::Child(task)) => child::run(&task).map(|()| ExitCode::SUCCESS),
        None => measure::run(&options).map(|()| ExitCode::SUCCESS),
    }
}
