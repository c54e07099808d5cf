//! Any algorithm within boundaries, and what may be suppressed: the frame around every clustering.
//!
//! Boundaries cut the table into parts that no class can reach across ([`Regions`]); each is solved by itself, at the costs
//! of the whole table. With one part this is the algorithm alone.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::settle::settle;
use super::suppress::suppress;
use super::{Algorithm, Answer, BlockCounts, Observer, Problem, Run, Signal};
use crate::error::{Error, Result};
use crate::model::{BoundDemands, Regions};
use crate::solution::{SUPPRESSED, Solution};
use crate::space::Space;

/// Why rows were suppressed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct SuppressionCounts {
    /// Rows with a missing quasi-identifier, where the job says so.
    pub missing: u64,
    /// Rows that fit no class within the boundaries.
    pub boundaries: u64,
    /// Rows of sensitive values that are too frequent in the whole table.
    pub skewed: u64,
    /// Rows farther from all others than the algorithm's threshold.
    pub outliers: u64,
    /// Rows that cost more generalized than suppressed.
    pub costly: u64,
    /// Rows whose class fell short at the levels that were taken.
    pub levels: u64,
}

/// Solves every part; rows of `regions.out` are suppressed. With an `allowance`, so many rows may go in all, which algorithms that
/// suppress of their own accord keep to.
pub fn solve_regions(
    solver: &dyn Algorithm,
    space: &Space<'_>,
    demands: &BoundDemands,
    regions: &Regions,
    allowance: Option<usize>,
    run: &Run<'_>,
) -> Result<Answer> {
    let quota = allowance.map_or(usize::MAX, |rows| rows.saturating_sub(regions.out.len()));
    let problem = Problem { space, demands, quota };
    if regions.parts.len() == 1 && regions.out.is_empty() {
        solver.solve(problem, run)
    } else {
        apart(solver, problem, &slices(&regions.parts), run)
    }
}

/// Makes a release of classes: with an `allowance`, rows that cost more generalized than suppressed go, and classes that are
/// published alike satisfy the demands together. Says why rows are suppressed.
pub(super) fn settle_regions(
    problem: Problem<'_>,
    regions: &Regions,
    allowance: Option<usize>,
    mut class_of: Vec<u32>,
    run: &Run<'_>,
) -> Result<(Vec<u32>, SuppressionCounts)> {
    let mut account = SuppressionCounts::of(regions);
    let out = regions.out.len() as u64;
    let gone = |class_of: &[u32]| class_of.iter().filter(|&&c| c == SUPPRESSED).count() as u64;
    account.outliers = gone(&class_of) - out;
    if let Some(allowance) = allowance {
        let quota = allowance.saturating_sub(gone(&class_of) as usize);
        class_of = suppress(Problem { quota, ..problem }, run, class_of, &regions.parts)?;
        account.costly = gone(&class_of) - out - account.outliers;
    }
    Ok((settle(problem, run, class_of, &regions.parts)?, account))
}

impl SuppressionCounts {
    /// The rows that are in no part.
    pub(super) fn of(regions: &Regions) -> Self {
        let out = regions.out.len() as u64;
        if regions.bounded {
            Self { boundaries: out, ..Self::default() }
        } else {
            Self { skewed: out, ..Self::default() }
        }
    }
}

fn slices(parts: &[Vec<u32>]) -> Vec<&[u32]> {
    parts.iter().map(Vec::as_slice).collect()
}

/// The parts one by one, classes numbered through.
pub(super) fn apart(
    solver: &dyn Algorithm,
    problem: Problem<'_>,
    parts: &[&[u32]],
    run: &Run<'_>,
) -> Result<Answer> {
    let Problem { space, demands, quota } = problem;
    let group_of = space.groups().of_rows();
    let done = AtomicU64::new(0);
    let solve = |(rows, quota): (&&[u32], usize)| {
        let part = space.part(&group_of, rows);
        let watch = Part(run.watch);
        let quietly = Run::new(run.seed, &watch);
        let answer = solver.solve(Problem { space: &part, demands, quota }, &quietly)?;
        let so_far = done.fetch_add(rows.len() as u64, Ordering::Relaxed) + rows.len() as u64;
        run.watch.progress(so_far, space.rows() as u64);
        Ok(answer)
    };
    let shares = shares(parts, quota);
    let answers: Vec<Answer> =
        parts.par_iter().with_max_len(1).zip(shares).map(solve).collect::<Result<_>>()?;
    let blocks = answers.iter().fold(BlockCounts::default(), |all, answer| all.and(answer.blocks));
    let solutions = answers.into_iter().map(|answer| answer.solution).collect();
    Ok(Answer { solution: joined(space.rows(), parts, solutions)?, blocks })
}

/// The solutions of parts as one of all rows.
pub(super) fn joined(rows: usize, parts: &[&[u32]], solutions: Vec<Solution>) -> Result<Solution> {
    match solutions.first() {
        Some(Solution::PerRecord(_)) => tuples_of_all(rows, parts, solutions),
        _ => classes_of_all(rows, parts, solutions),
    }
}

/// Classes of all parts, numbered through.
fn classes_of_all(rows: usize, parts: &[&[u32]], answers: Vec<Solution>) -> Result<Solution> {
    let mut class_of = vec![SUPPRESSED; rows];
    let mut next = 0;
    for (rows, answer) in parts.iter().zip(answers) {
        let Solution::Clusters(classes) = answer else { return Err(no_clusters()) };
        let first = next;
        for (&row, &class) in rows.iter().zip(&classes).filter(|(_, c)| **c != SUPPRESSED) {
            class_of[row as usize] = first + class;
            next = next.max(first + class + 1);
        }
    }
    Ok(Solution::Clusters(class_of))
}

/// Tuples of all parts; rows in no part have none.
fn tuples_of_all(rows: usize, parts: &[&[u32]], answers: Vec<Solution>) -> Result<Solution> {
    let mut tuples = vec![Vec::new(); rows];
    for (rows, answer) in parts.iter().zip(answers) {
        let Solution::PerRecord(part) = answer else { return Err(no_clusters()) };
        for (&row, tuple) in rows.iter().zip(part) {
            tuples[row as usize] = tuple;
        }
    }
    Ok(Solution::PerRecord(tuples))
}

fn no_clusters() -> Error {
    Error::internal("boundaries were given to an algorithm that recodes whole columns")
}

/// How many rows each part may suppress: in proportion to its rows, without losing any to rounding.
pub(super) fn shares(parts: &[&[u32]], quota: usize) -> Vec<usize> {
    let all: u128 = parts.iter().map(|p| p.len() as u128).sum::<u128>().max(1);
    let quota = (quota as u128).min(all);
    let mut before = 0;
    let of_part = |part: &&[u32]| {
        let from = quota * before / all;
        before += part.len() as u128;
        (quota * before / all - from) as usize
    };
    parts.iter().map(of_part).collect()
}

/// A part reports no progress of its own.
struct Part<'a>(&'a dyn Observer);

impl Observer for Part<'_> {
    fn signal(&self) -> Signal {
        self.0.signal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        let parts: Vec<Vec<u32>> = [7, 1, 92, 40].map(|n| vec![0; n]).to_vec();
        for quota in [0, 1, 13, 139, 140, 5000] {
            let shares = shares(&slices(&parts), quota);
            assert_eq!(shares.iter().sum::<usize>(), quota.min(140));
            assert!(shares.iter().zip(&parts).all(|(s, p)| *s <= p.len()));
        }
    }
}
