//! What all experiments share: which tables are at hand, how much is to be tried, and how a job is run and timed.

use std::sync::Mutex;
use std::time::Instant;

use kohort::algorithm::{Observer, Problem, Signal, Stage};
use kohort::data::Table;
use kohort::demand::Demands;
use kohort::input::JobSpec;
use kohort::job::files::FileJob;
use kohort::measure::Measure;
use kohort::report::Summary;
use kohort::space::Space;
use kohort::verify::Loss;
use kohort::{Error, Result};

use crate::sets::{Adult, Cmc};

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
    pub(crate) tell: &'a dyn Fn(&str),
}

/// A job that was run to its verified end.
pub(crate) struct Ran {
    pub(crate) summary: Summary,
    pub(crate) loss: Loss,
    /// Seconds of the search, refinement included; reading, writing and checking are not.
    pub(crate) seconds: f64,
}

impl Lab<'_> {
    /// One thing in a thorough run, another in a quick one.
    pub(crate) fn pick<T>(&self, thorough: T, quick: T) -> T {
        if self.quick { quick } else { thorough }
    }

    /// Runs a job and checks its release.
    pub(crate) fn run(&self, job: JobSpec) -> Result<Ran> {
        let clock = Clock::new(self.observer);
        let summary = FileJob::new(job)?.run(&clock)?.summary;
        let loss = summary.loss.clone().ok_or_else(|| Error::internal("no loss was measured"))?;
        Ok(Ran { summary, loss, seconds: clock.searched() })
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

/// Clocks the search of a job for whoever looks on.
struct Clock<'a> {
    observer: &'a dyn Observer,
    searching: Mutex<(Option<Instant>, f64)>,
}

impl<'a> Clock<'a> {
    fn new(observer: &'a dyn Observer) -> Self {
        Self { observer, searching: Mutex::new((None, 0.0)) }
    }

    fn switch(&self, searches: bool) -> f64 {
        let mut state = self.searching.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(since) = state.0.take() {
            state.1 += since.elapsed().as_secs_f64();
        }
        state.0 = searches.then(Instant::now);
        state.1
    }

    fn searched(&self) -> f64 {
        self.switch(false)
    }
}

impl Observer for Clock<'_> {
    fn enter(&self, stage: Stage, _of: u64) {
        self.switch(matches!(stage, Stage::Solve | Stage::Refine));
    }

    fn signal(&self) -> Signal {
        self.observer.signal()
    }
}
