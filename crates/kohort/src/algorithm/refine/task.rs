//! A round of refinement as tasks that other processes can solve: a region with its classes, as data.
//!
//! [`refine_elsewhere`] cuts the table into regions, hands out a [`RefineTask`] of each, puts the answers together and cuts anew,
//! round by round. What comes of it is what [`refine`](super::refine) finds by itself, to the byte.

use serde::{Deserialize, Serialize};

use super::axis::Axis;
use super::draft::Share;
use super::lists::ClassLists;
use super::plan::{Plan, Turn};
use super::{Effort, Refined, round_by_round};
use crate::algorithm::blocks::Block;
use crate::algorithm::settle::all_hold;
use crate::algorithm::{Observer, Problem, Run};
use crate::bound::Guide;
use crate::error::{Error, Result};
use crate::measure::Measure;

/// One region to be refined for one round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RefineTask {
    block: Block,
    measure: Measure,
    /// The class of every row, from 0.
    class_of: Vec<u32>,
    /// Boxes that every row might be in.
    guide: Option<Guide>,
    turn: Turn,
}

/// A region after its round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefinedBlock {
    /// The class of every row, from 0.
    pub class_of: Vec<u32>,
    /// How many steps were made.
    pub steps: u64,
}

/// What is refined elsewhere, and how.
#[derive(Clone, Copy)]
pub struct Outsourced<'a> {
    /// How much is done: anything but a time, which no two processes share.
    pub effort: Effort,
    /// Boxes that every row might be in.
    pub guide: Option<&'a Guide>,
    /// What is minimized.
    pub measure: Measure,
    /// Source of all randomness.
    pub seed: u64,
}

/// Refines classes within each of some parts, across which no class reaches, by having `solve` solve the tasks of every round. It
/// returns one answer per task, in their order.
pub fn refine_elsewhere(
    problem: Problem<'_>,
    class_of: &[u32],
    parts: &[Vec<u32>],
    how: Outsourced<'_>,
    observer: &dyn Observer,
    solve: &mut dyn FnMut(Vec<RefineTask>) -> Result<Vec<RefinedBlock>>,
) -> Result<(Vec<u32>, Refined)> {
    if how.effort == Effort::Time {
        return Err(Error::job("what other processes refine is counted in steps, not in seconds"));
    }
    let (axes, run) = (Axis::all(problem.space), Run::new(how.seed, observer));
    let do_round = |plan: &Plan, lists: &mut ClassLists, round| {
        let regions = Plan::regions(lists, &axes, how.seed, round);
        let sent: Vec<Sent> = regions.iter().map(|(_, classes)| Sent::new(classes)).collect();
        let task = |((number, _), sent): (&(u64, _), &Sent)| {
            let rows = lists.rows(problem.space, &sent.places);
            let turn = plan.turn(how.seed, round, *number, rows.len() as u64);
            RefineTask {
                block: Block::new(problem, &rows),
                measure: how.measure,
                class_of: sent.class_of.clone(),
                guide: how.guide.map(|guide| guide.of_rows(&rows)),
                turn,
            }
        };
        let answers = solve(regions.iter().zip(&sent).map(task).collect())?;
        let is_whole = |(sent, answer): (&Sent, &RefinedBlock)| sent.places.len() == answer.class_of.len();
        if answers.len() != sent.len() || !sent.iter().zip(&answers).all(is_whole) {
            return Err(Error::input("the answers of other processes do not belong to the tasks"));
        }
        lists.replace(sent.iter().zip(&answers).map(|(sent, answer)| sent.classes(&answer.class_of)));
        Ok(answers.iter().map(|answer| answer.steps).sum())
    };
    let (class_of, refined) = round_by_round(problem, (&axes, class_of, parts), how.effort, &run, do_round)?;
    if !all_hold(problem, &class_of) {
        return Err(Error::input("the answers of other processes do not meet the demands"));
    }
    Ok((class_of, refined))
}

/// The rows of a task: their places among the groups of the table, ascending, so that other processes number them alike.
struct Sent {
    places: Vec<u32>,
    class_of: Vec<u32>,
}

impl Sent {
    fn new(classes: &[Vec<Share>]) -> Self {
        let rows =
            |(class, share): (u32, &Share)| std::iter::repeat_n((share.group, class), share.rows as usize);
        let shares =
            (0..).zip(classes).flat_map(|(class, shares)| shares.iter().map(move |share| (class, share)));
        let mut rows: Vec<(u32, u32)> = shares.flat_map(rows).collect();
        rows.sort_unstable();
        let (places, class_of) = rows.into_iter().unzip();
        Self { places, class_of }
    }

    /// The classes of an answer.
    fn classes(&self, class_of: &[u32]) -> Vec<Vec<Share>> {
        super::lists::listed(class_of.iter().copied().zip(self.places.iter().copied()).collect())
    }
}

impl RefineTask {
    /// How many rows the region has.
    pub fn rows(&self) -> usize {
        self.block.rows()
    }

    /// Makes the steps of the round.
    pub fn solve(&self, observer: &dyn Observer) -> Result<RefinedBlock> {
        let damaged =
            || Error::input("the task of a region is damaged: classes or boxes that it does not have");
        self.block.with_problem(self.measure, 0, |problem| {
            let (space, rows) = (problem.space, self.rows());
            if self.class_of.len() != rows
                || self.guide.as_ref().is_some_and(|guide| !guide.fits(space))
                || !all_hold(problem, &self.class_of)
            {
                return Err(damaged());
            }
            let axes = Axis::all(space);
            let mut lists = ClassLists::new(problem, &self.class_of, &[(0..rows as u32).collect()]);
            let classes = lists.split(&axes, usize::MAX, &mut self.turn.dice()).concat();
            let mut of_table = lists.region(problem, &axes, &classes, self.guide.as_ref(), self.turn.dice());
            let steps = self.turn.anneal(&mut of_table.region, None, &Run::new(0, observer))?;
            lists.replace(std::iter::once(ClassLists::of_table(of_table)));
            Ok(RefinedBlock { class_of: lists.class_of(space, &self.class_of), steps })
        })
    }
}
