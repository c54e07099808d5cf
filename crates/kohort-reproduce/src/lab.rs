//! What all experiments share: which tables are at hand, how much is to be tried, and how a job is run and timed.

mod parallel;
mod timed;

use kohort::algorithm::{Observer, Problem};
use kohort::data::Table;
use kohort::demand::Demands;
use kohort::input::{Column, JobSpec};
use kohort::job::files::FileJob;
use kohort::measure::Measure;
use kohort::report::Summary;
use kohort::space::Space;
use kohort::verify::Loss;
use kohort::{Error, Result};
use tempfile::TempDir;

use crate::sets::{Adult, Cmc, read_columns, scratch};

pub(crate) use parallel::each;
pub(crate) use timed::{Clock, Others, Stopwatch, alone};

/// The place where experiments are run.
pub(crate) struct Lab<'a> {
    /// UCI Adult, where it is at hand.
    pub(crate) adult: Option<Adult>,
    /// UCI CMC, where it is at hand.
    pub(crate) cmc: Option<Cmc>,
    /// Whether fewer samples, seeds and settings are tried.
    pub(crate) quick: bool,
    /// Who looks on, and may stop everything.
    pub(crate) observer: &'a dyn Observer,
    /// Hears what is being done.
    pub(crate) tell: &'a (dyn Fn(&str) + Sync),
}

/// A job that was run to its verified end. Its release goes when this goes.
pub(crate) struct Ran {
    pub(crate) summary: Summary,
    pub(crate) loss: Loss,
    /// Seconds of the search on one thread, refinement included; reading, writing and checking are not.
    pub(crate) seconds: f64,
    folder: TempDir,
}

impl Ran {
    /// Some columns of the release.
    pub(crate) fn released(&self, names: &[&str]) -> Result<Vec<Column>> {
        read_columns(&self.folder.path().join(RELEASE), names)
    }
}

const RELEASE: &str = "release.csv";

impl Lab<'_> {
    /// One thing in a thorough run, another in a quick one.
    pub(crate) fn pick<T>(&self, thorough: T, quick: T) -> T {
        if self.quick { quick } else { thorough }
    }

    /// Runs a job on one thread and checks its release, which gets a place of its own.
    pub(crate) fn run(&self, job: JobSpec) -> Result<Ran> {
        let folder = scratch()?;
        let clock = Clock::new(self.observer);
        let job = JobSpec { output: Some(folder.path().join(RELEASE)), threads: Some(1), ..job };
        let summary = FileJob::new(job)?.run(&clock)?.summary;
        let loss = summary.loss.clone().ok_or_else(|| Error::internal("no loss was measured"))?;
        Ok(Ran { summary, loss, seconds: clock.searched(), folder })
    }

    /// The same; nothing where no table meets what is asked.
    pub(crate) fn run_if_possible(&self, job: JobSpec) -> Result<Option<Ran>> {
        match self.run(job) {
            Err(Error::Unsolvable(_)) => Ok(None),
            ran => ran.map(Some),
        }
    }
}

/// Does something with a table, a measure and demands, as the search sees them.
pub(crate) fn with_problem<T>(
    table: &Table,
    measure: Measure,
    (k, p): (u32, Option<u32>),
    work: impl FnOnce(Problem<'_>) -> Result<T>,
) -> Result<T> {
    let demands = Demands::new(k, p)?.bind(table)?;
    let space = Space::new(table, measure.search_costs(table), &demands);
    work(Problem { space: &space, demands: &demands, quota: 0 })
}
