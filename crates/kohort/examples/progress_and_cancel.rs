//! Watches a job and stops it: after a second the search is told to finish with what it has. A second argument cancels it instead.
//!
//! `cargo run --release -p kohort --example progress_and_cancel -- [ROWS] [cancel]`

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kohort::data::Role;
use kohort::generate::find;
use kohort::input::{JobSpec, MemoryTable};
use kohort::output::MemorySink;
use kohort::{Observer, Signal, Stage};

/// Says every so often how far the job is, and when it has taken enough time.
struct Impatient {
    until: Instant,
    /// What it wants then.
    wants: Signal,
    said: AtomicU64,
}

impl Observer for Impatient {
    fn enter(&self, stage: Stage, _of: u64) {
        self.said.store(0, Ordering::Relaxed);
        println!("{stage:?}");
    }

    fn progress(&self, done: u64, of: u64) {
        // Asked very often: what is done here must be cheap.
        if done >= self.said.load(Ordering::Relaxed) + 20_000 {
            self.said.store(done, Ordering::Relaxed);
            println!("  {done} of {of}");
        }
    }

    fn signal(&self) -> Signal {
        if Instant::now() < self.until { Signal::Go } else { self.wants }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let rows = args.next().map_or(Ok(50_000), |rows| rows.parse())?;
    let wants = if args.next().is_some() { Signal::Cancelled } else { Signal::TimeUp };

    let census = find("census")?;
    let made = census.rows(rows, 1);
    let schema = made.schema();
    let people = MemoryTable::new("people", &schema, made.collect::<Result<_, _>>()?)?;
    let named = |role| census.columns().iter().filter(move |c| c.role == role).map(|c| c.name.to_owned());
    let spec = JobSpec {
        identifier: named(Role::Identifier).collect(),
        qi: named(Role::QuasiIdentifier).collect(),
        sensitive: named(Role::Sensitive).collect(),
        keep: named(Role::Keep).collect(),
        k: Some(10),
        ..JobSpec::default()
    };

    let observer =
        Impatient { until: Instant::now() + Duration::from_secs(1), wants, said: AtomicU64::new(0) };
    let mut sink = MemorySink::new("release");
    match kohort::anonymize(&spec.check()?, &people, &mut sink, &observer) {
        Ok(outcome) => {
            println!("released {} rows", outcome.summary.released);
            outcome.notes.iter().for_each(|note| println!("note: {note}"));
        }
        Err(kohort::Error::Stopped(why)) => println!("no release: {why}"),
        Err(other) => return Err(other.into()),
    }
    Ok(())
}
