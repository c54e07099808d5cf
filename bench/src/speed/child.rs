//! One measurement in a process of its own.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use kohort::algorithm::{Problem, Quiet, Run};
use kohort::data::Table;
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::solution::Solution;
use kohort::space::Space;
use serde_json::json;

use crate::cases::Case;
use crate::clock::{Clock, Took};
use crate::peak::peak_bytes;
use crate::plain::Plain;
use crate::tables;

/// Short measurements are repeated so long.
const ENOUGH_SECONDS: f64 = 1.0;

/// What is measured.
#[derive(Args, Clone)]
pub(crate) struct Task {
    #[arg(long)]
    pub(crate) case: String,
    /// The Adult table, or none for the census-like one
    #[arg(long)]
    pub(crate) adult: Option<PathBuf>,
    #[arg(long)]
    pub(crate) rows: usize,
    #[arg(long)]
    pub(crate) attributes: usize,
    #[arg(long)]
    pub(crate) k: usize,
    /// Threads of the shipped form; 0 stands for the plain loop
    #[arg(long)]
    pub(crate) threads: usize,
}

impl Task {
    /// The flags that make a child do this.
    pub(crate) fn flags(&self) -> Vec<String> {
        let adult = self.adult.iter().flat_map(|file| ["--adult".to_owned(), file.display().to_string()]);
        let numbers =
            [("rows", self.rows), ("attributes", self.attributes), ("k", self.k), ("threads", self.threads)];
        let numbers = numbers.into_iter().flat_map(|(name, n)| [format!("--{name}"), n.to_string()]);
        ["child", "--case", &self.case].map(str::to_owned).into_iter().chain(adult).chain(numbers).collect()
    }
}

/// Measures and prints a line.
pub(crate) fn run(task: &Task) -> Result<()> {
    let case = Case::find(&task.case)?;
    let table = match &task.adult {
        Some(file) => tables::adult(file, task.rows)?,
        None => tables::census(task.rows, task.attributes)?,
    };
    forget_peak();
    let before = peak_bytes();
    let (took, solution) = if task.threads == 0 {
        let plain_loop = case.plain.context("there is no plain loop")?;
        repeated(|| Ok(plain_loop(&Plain::new(&table, Measure::Il, task.k, case.p))))?
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(task.threads).build()?;
        pool.install(|| repeated(|| shipped(&case, &table, task.k)))?
    };
    let found = json!({
        "seconds": took.busy, "wall_seconds": took.wall, "peak_bytes": peak_bytes(), "table_bytes": before, "digest": digest(&solution),
    });
    println!("{found}");
    Ok(())
}

/// Reading the table may take more memory than the algorithm does; from here on only the algorithm counts. Where the system
/// refuses, the peak is that of both.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Time on the wall is the shortest of all runs. Time on a processor is the mean: the system counts it in steps of some
/// milliseconds, so that one short run may seem to take none.
fn repeated(work: impl Fn() -> Result<Solution>) -> Result<(Took, Solution)> {
    let (mut least, mut times) = (f64::INFINITY, 0u32);
    let all = Clock::start();
    loop {
        let one = Clock::start();
        let solution = work()?;
        least = least.min(one.so_far().wall);
        times += 1;
        let total = all.so_far();
        if total.wall >= ENOUGH_SECONDS {
            return Ok((Took { wall: least, busy: total.busy / f64::from(times) }, solution));
        }
    }
}

/// From the encoded table to the solution, as a job goes.
fn shipped(case: &Case, table: &Table, k: usize) -> Result<Solution> {
    let models = Demands::new(k as u32, (case.p > 1).then_some(case.p as u32))?.bind(table)?;
    let measure = Measure::Il;
    let space = Space::new(table, measure.search_costs(table), &models);
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    Ok(case.shipped()?.group(problem, &Run::new(0, &Quiet))?)
}

/// Equal solutions have equal digests, in every process of this program.
fn digest(solution: &Solution) -> String {
    let mut hasher = DefaultHasher::new();
    match solution {
        Solution::Clusters(of_row) => of_row.hash(&mut hasher),
        Solution::Levels(l) => (&l.chosen, &l.suppressed, &l.minimal, l.complete).hash(&mut hasher),
        Solution::PerRecord(tuples) => tuples.hash(&mut hasher),
    }
    format!("{:016x}", hasher.finish())
}
