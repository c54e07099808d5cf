//! `campaign --jobs N --seed S --threads T [--minutes M]`: random jobs, checked by code that shares nothing with the library.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clap::Parser;
use kohort_campaign::campaign::{Plan, Tally, run, single};
use kohort_campaign::examine::Bench;

/// Random jobs, each checked by code that shares nothing with the library. Exit 1 if anything was found.
#[derive(Parser)]
struct Flags {
    /// How many jobs
    #[arg(long, default_value_t = 1000)]
    jobs: u64,
    /// The seed of the campaign; the time where none is given
    #[arg(long)]
    seed: Option<u64>,
    /// Runs the single job of this seed, as a finding names it
    #[arg(long)]
    only: Option<u64>,
    /// How many jobs at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Stops after so many minutes
    #[arg(long)]
    minutes: Option<f64>,
    /// Where findings go, one folder each
    #[arg(long, default_value = "findings")]
    findings: PathBuf,
    /// Also prints what jobs without a release said
    #[arg(long)]
    messages: bool,
}

fn main() -> Result<ExitCode> {
    let flags = Flags::parse();
    // Panics of the library are findings, not noise.
    std::panic::set_hook(Box::new(|_| ()));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |t| t.as_secs());
    let plan = Plan {
        jobs: flags.jobs,
        seed: flags.seed.unwrap_or(now),
        threads: flags.threads,
        most: flags.minutes.map(|m| Duration::from_secs_f64(m * 60.0)),
        findings: flags.findings,
    };
    eprintln!("seed {}", plan.seed);
    let start = Instant::now();
    let tally = if let Some(seed) = flags.only {
        let (tally, workshop) = (std::sync::Mutex::default(), tempfile::tempdir()?);
        single(seed, &plan, &Bench::new()?, workshop.path(), &tally)?;
        tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    } else {
        run(&plan)?
    };
    if flags.messages {
        messages(&tally);
    }
    println!("{}", tally.json(&plan, start.elapsed().as_secs_f64()));
    Ok(if tally.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn messages(tally: &Tally) {
    let mut all: Vec<_> = tally.messages.iter().collect();
    all.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (message, (count, seed)) in all {
        eprintln!("{count:6}  {message}  (seed {seed})");
    }
}
