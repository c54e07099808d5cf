//! Refinement: classes that any algorithm found are changed step by step, for as long as is asked, and lose less and less.
//!
//! A step tries one change. Most often it *opens a box* ([`open_box`]): around a row that loses much, a box is drawn that
//! costs less and holds enough rows; they become a class, and those that their classes cannot spare find others. Where prices of
//! rows are known that no release undercuts ([`crate::bound`]), some of the boxes are those whose rows nearly pay for them
//! ([`guided`]): on Adult, k = 10, sixty steps a row, il 0.0726 instead of 0.0735. Otherwise
//! a few classes that are near each other are clustered anew ([`recluster`]). Rows are then moved and swapped between the classes
//! that changed, as long as that helps ([`polish`]). A change that loses less is made; one that loses more is made by chance, at first
//! often, in the end never: simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) over large neighbourhoods (Shaw 1998).
//!
//! What makes steps cheap: groups of equal rows instead of rows, costs of joins by look-up, boxes as an AND of bitsets
//! ([`index`]), and no scan over all classes: what is near is what shares a box. A table is cut into regions of some thousand
//! groups ([`split`]) that are refined side by side, and cut elsewhere in the next round; what a step costs does not depend on
//! how large the table is.
//!
//! *Guarantee*: every class satisfies the demands, and the classes lose no more than those it began with. Same seed, same
//! classes at any number of threads, unless time is what is given. Rows that are suppressed stay so.
//!
//! *Complexity* in proportion to the steps. On UCI Adult (30,162 rows, 8 attributes, k = 10) a step takes some 20 µs.

mod axis;
mod boxes_around;
mod classes;
mod combine;
mod dice;
mod draft;
mod frame;
mod guided;
mod holds;
mod index;
mod lists;
mod merge;
mod open_box;
mod plan;
mod polish;
mod recluster;
mod region;
mod split;
mod task;

pub use self::task::{Outsourced, RefineTask, RefinedBlock, refine_elsewhere};

use self::axis::Axis;
use self::lists::ClassLists;
use self::plan::Plan;
use super::{Problem, Run};
use crate::bound::Guide;
use crate::error::Result;

/// How much is done to refine an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Nothing.
    None,
    /// As much as a table of its size deserves.
    Usual,
    /// So many steps per row.
    Steps(u32),
    /// As long as the observer says ([`super::Observer::time_spent`]). What comes of it depends on the machine.
    Time,
}

/// What refining came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refined {
    /// How many steps were made.
    pub steps: u64,
    /// What all rows cost together before the first step, and at best after every round: the number of steps so far, and the cost.
    pub trace: Vec<(u64, u64)>,
}

/// All of the work, for whoever looks on.
const SCALE: u64 = 1_000;

/// Refines classes within each of some parts, across which no class reaches. Every round begins from the best classes so far, and
/// what it made worse is taken back, set of groups by set of groups (`combine`).
pub fn refine(
    problem: Problem<'_>,
    class_of: &[u32],
    parts: &[Vec<u32>],
    (effort, guide): (Effort, Option<&Guide>),
    run: &Run<'_>,
) -> Result<(Vec<u32>, Refined)> {
    let axes = Axis::all(problem.space);
    let round =
        |plan: &Plan, lists: &mut ClassLists, round| plan.round(problem, &axes, guide, lists, round, run);
    round_by_round(problem, (&axes, class_of, parts), effort, run, round)
}

/// Refines by some way to do one round, which returns how many steps it made.
fn round_by_round(
    problem: Problem<'_>,
    (axes, class_of, parts): (&[Axis<'_>], &[u32], &[Vec<u32>]),
    effort: Effort,
    run: &Run<'_>,
    mut do_round: impl FnMut(&Plan, &mut ClassLists, u64) -> Result<u64>,
) -> Result<(Vec<u32>, Refined)> {
    let mut lists = ClassLists::new(problem, class_of, parts);
    let start = lists.cost(axes);
    let mut done = Refined { steps: 0, trace: vec![(0, start)] };
    let plan = Plan::new(effort, problem, &lists, axes, run).filter(|_| start > 0);
    let Some(mut plan) = plan else {
        return Ok((class_of.to_vec(), done));
    };
    let mut least = start;
    for round in 0.. {
        if plan.is_over(round, run) || run.time_is_up()? {
            break;
        }
        let best = lists.clone();
        done.steps += do_round(&plan, &mut lists, round)?;
        lists.take_cheaper(&best, axes);
        let cost = lists.cost(axes);
        plan.learn(done.steps, run);
        run.watch.progress(plan.done(round + 1, run), SCALE);
        plan.judge(least, cost);
        least = cost;
        done.trace.push((done.steps, least));
    }
    if least == start {
        return Ok((class_of.to_vec(), done));
    }
    Ok((lists.class_of(problem.space, class_of), done))
}
