//! Out of time: whoever has not finished leaves the rest to Mondrian.

use super::repair::repair;
use super::{Observer, Problem, Run, Signal, mondrian, tally_rows};
use crate::error::Result;
use crate::solution::Solution;

/// Time is up already, and whoever completes the answer must not stop at that again; being cancelled still counts.
pub(super) struct IgnoreDeadline<'a>(pub(super) &'a dyn Observer);

impl Observer for IgnoreDeadline<'_> {
    fn signal(&self) -> Signal {
        match self.0.signal() {
            Signal::TimeUp => Signal::Go,
            other => other,
        }
    }
}

/// Finished clusters stay; what is left is cut by Mondrian, or joins the first cluster if it cannot stand alone; under
/// demands that do not survive adding rows, as many as it takes.
pub(super) fn finish_with_mondrian(
    problem: Problem<'_>,
    run: &Run<'_>,
    mut done: Vec<Vec<u32>>,
    rest: &[u32],
) -> Result<Solution> {
    let group_of = problem.space.groups().of_rows();
    let holds = |part: &Vec<u32>| problem.demands.hold(&tally_rows(problem, &group_of, part));
    let mut rest = rest.to_vec();
    // Built for k alone, not yet repaired: such clusters are not finished.
    let (finished, open): (Vec<_>, Vec<_>) = done.drain(..).partition(|cluster| holds(cluster));
    done = finished;
    rest.extend(open.into_iter().flatten());
    rest.sort_unstable();
    if rest.is_empty() {
        return Ok(Solution::from_clusters(problem.space.rows(), &done));
    }
    let parts = mondrian::cut_rows(problem, &Run::new(run.seed, &IgnoreDeadline(run.watch)), &rest)?;
    if parts.iter().all(holds) {
        done.extend(parts);
    } else if !problem.demands.survive_adding_rows() {
        // The first cluster could break.
        done.push(rest);
        done = repair(problem, run, done)?;
    } else if let Some(first) = done.first_mut() {
        first.extend(rest);
    } else {
        done.push(rest);
    }
    Ok(Solution::from_clusters(problem.space.rows(), &done))
}
