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
mod dice;
mod draft;
mod frame;
mod guided;
mod holds;
mod index;
mod lists;
mod open_box;
mod polish;
mod recluster;
mod region;
mod split;

use rayon::prelude::*;

use self::axis::Axis;
use self::dice::Dice;
use self::draft::Share;
use self::lists::ClassLists;
use self::region::Region;
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

/// Steps for k rows, unless the job says otherwise: the larger classes are, the longer a step takes. On Adult, two seconds.
const FOR_K_ROWS: u64 = 60;

/// Steps per row at least and at most.
const PER_ROW: (u64, u64) = (2, 12);

/// So many steps in all at least, which take no time to speak of, and at most, which take a minute or two.
const IN_ALL: (u64, u64) = (3_000, 6_000_000);

/// Groups of a region at most. Smaller ones have more borders, larger ones longer bitsets and fewer that are refined side by side.
const GROUPS: usize = 10_000;

/// How often the table is cut anew.
const ROUNDS: u64 = 12;

/// Entries of lists that a step may look at on average, unless the job says how many steps there are. Where only k = 10 is asked
/// for on Adult, steps look at fewer. Classes that satisfy harder demands are larger: without this limit, refining Adult under
/// t = 0.3 took 90 s instead of 15 s.
const ENTRIES: u64 = 4_000;

/// Steps per row in a round where time is what is given, and regions take turns.
const TIMED: u64 = 4;

/// The share of the time that a round takes where they need not.
const SLICE: f64 = 1.0 / 24.0;

/// What becomes of the temperature after a round that was too warm.
const COOLER: f64 = 0.5;

/// The share of the steps after which nothing is made any more that loses more.
const COLD: f64 = 0.97;

/// How often a region asks whether to go on: after so many steps.
const ASK: u64 = 32;

/// All of the work, for whoever looks on.
const SCALE: u64 = 1_000;

/// What refining came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refined {
    /// How many steps were made.
    pub steps: u64,
    /// What all rows cost together before the first step, and after every round: the number of steps so far, and the cost.
    pub trace: Vec<(u64, u64)>,
}

/// Refines classes within each of some parts, across which no class reaches. Returns the best classes there were at the end
/// of a round, those at the beginning included.
pub(super) fn refine(
    problem: Problem<'_>,
    class_of: &[u32],
    parts: &[Vec<u32>],
    (effort, guide): (Effort, Option<&Guide>),
    run: &Run<'_>,
) -> Result<(Vec<u32>, Refined)> {
    let axes = Axis::all(problem.space);
    let mut lists = ClassLists::new(problem, class_of, parts);
    let start = lists.cost(&axes);
    let mut done = Refined { steps: 0, trace: vec![(0, start)] };
    let plan = Plan::new((effort, guide), problem, &lists, &axes, run).filter(|_| start > 0);
    let Some(mut plan) = plan else {
        return Ok((class_of.to_vec(), done));
    };
    let (mut best, mut least) = (lists.clone(), start);
    for round in 0.. {
        if plan.is_over(round, run) || run.time_is_up()? {
            break;
        }
        done.steps += plan.round(problem, &axes, &mut lists, round, run)?;
        let cost = lists.cost(&axes);
        done.trace.push((done.steps, cost));
        plan.learn(done.steps, run);
        run.watch.progress(plan.done(round + 1, run), SCALE);
        if cost < least {
            least = cost;
            best = lists.clone();
        } else if plan.is_too_warm() {
            plan.temperature *= COOLER;
            lists = best.clone();
        }
    }
    if least == start {
        return Ok((class_of.to_vec(), done));
    }
    Ok((best.class_of(problem.space, class_of), done))
}

/// How a refinement goes on.
struct Plan<'g> {
    guide: Option<&'g Guide>,
    /// Steps per round and row; none of all, where time is what is given.
    per_round: f64,
    /// Where time is what is given: how much of it was spent before the first step.
    timed_from: Option<f64>,
    /// How many entries a step may look at on average, where that is limited.
    entries: Option<u64>,
    rows: u64,
    /// What a class loses at first, on average.
    mean_loss: f64,
    /// How much more a change may lose at first, about.
    temperature: f64,
}

/// How much more a change may lose at first, as a share of what a class loses: the more steps, the more can be made up for. A
/// tenth for six a row, a sixth for seventy.
fn heat(steps_per_row: u64) -> f64 {
    0.05 + 0.02 * f64::from(steps_per_row.max(1).ilog2())
}

impl<'g> Plan<'g> {
    fn new(
        (effort, guide): (Effort, Option<&'g Guide>),
        problem: Problem<'_>,
        lists: &ClassLists,
        axes: &[Axis<'_>],
        run: &Run<'_>,
    ) -> Option<Self> {
        let rows = problem.space.rows() as u64;
        let steps = match effort {
            Effort::None => return None,
            Effort::Usual => usual_steps(rows, u64::from(problem.demands.k())),
            Effort::Steps(per_row) => u64::from(per_row) * rows,
            Effort::Time => TIMED * ROUNDS * rows,
        };
        let per_row = steps as f64 / rows.max(1) as f64;
        let mean_loss = lists.mean_loss(axes);
        Some(Self {
            guide,
            per_round: per_row / ROUNDS as f64,
            timed_from: (effort == Effort::Time).then(|| run.watch.time_spent()),
            entries: (effort == Effort::Usual).then_some(ENTRIES),
            rows,
            mean_loss,
            temperature: heat(per_row as u64) * mean_loss,
        })
    }

    /// Whether there are no more rounds.
    fn is_over(&self, round: u64, run: &Run<'_>) -> bool {
        if self.timed_from.is_some() { run.watch.time_spent() >= 1.0 } else { round >= ROUNDS }
    }

    /// How far it is before a round, out of [`SCALE`].
    fn done(&self, round: u64, run: &Run<'_>) -> u64 {
        let share = self.timed_from.map_or(round as f64 / ROUNDS as f64, |from| spent(from, run));
        (share.min(1.0) * SCALE as f64) as u64
    }

    /// Whether a round that ends worse than the best before it was too warm. With as few steps as are usual it was: they cannot
    /// make up for it. Tables with many columns show it, whose classes lose much and differ little.
    fn is_too_warm(&self) -> bool {
        self.entries.is_some()
    }

    /// Where time is what is given, the steps so far tell how many there will be.
    fn learn(&mut self, steps: u64, run: &Run<'_>) {
        if let Some(from) = self.timed_from {
            let in_all = steps as f64 / spent(from, run).max(f64::EPSILON);
            self.temperature = heat((in_all / self.rows.max(1) as f64) as u64) * self.mean_loss;
        }
    }

    /// Cuts the table into regions and refines each; returns how many steps were made.
    fn round(
        &self,
        problem: Problem<'_>,
        axes: &[Axis<'_>],
        lists: &mut ClassLists,
        round: u64,
        run: &Run<'_>,
    ) -> Result<u64> {
        let regions = lists.split(axes, GROUPS, &mut Dice::new(run.seed, round << 32));
        // Where every region has a thread of its own, all work for the same time.
        let from = self.timed_from.filter(|_| regions.len() <= rayon::current_num_threads());
        let until = from.map(|from| spent(from, run) + SLICE);
        let work = |(number, classes): (u64, Vec<Vec<Share>>)| {
            let rows: u64 = classes.iter().flatten().map(|share| u64::from(share.rows)).sum();
            let dice = Dice::new(run.seed, (round << 32) + 1 + number);
            let steps = (self.per_round * rows as f64).ceil() as u64;
            let turn = Turn { round, steps, until };
            let region = lists.region(problem, axes, &classes, self.guide, dice);
            self.anneal(region, turn, run).map(|(region, made)| (ClassLists::of_table(region), made))
        };
        let numbered: Vec<(u64, Vec<Vec<Share>>)> = (0..).zip(regions).collect();
        let refined: Vec<(Vec<Vec<Share>>, u64)> =
            numbered.into_par_iter().with_max_len(1).map(work).collect::<Result<_>>()?;
        let steps = refined.iter().map(|(_, made)| made).sum();
        lists.replace(refined.into_iter().map(|(classes, _)| classes));
        Ok(steps)
    }

    /// Makes the steps of one region in one round.
    fn anneal<'a>(
        &self,
        mut region: RegionOfTable<'a>,
        turn: Turn,
        run: &Run<'_>,
    ) -> Result<(RegionOfTable<'a>, u64)> {
        let mut step = 0;
        loop {
            let in_turn = self.done_of(turn, step, &region.region, run);
            if in_turn >= 1.0 || (step % ASK == 0 && run.time_is_up()?) {
                return Ok((region, step));
            }
            let spent = match self.timed_from {
                Some(from) => spent(from, run),
                None => (turn.round as f64 + in_turn) / ROUNDS as f64,
            };
            region.region.step(self.temperature * (1.0 - spent / COLD).max(0.0));
            step += 1;
        }
    }

    /// Which share of its turn a region has had after so many steps.
    fn done_of(&self, turn: Turn, step: u64, region: &Region<'_>, run: &Run<'_>) -> f64 {
        if self.timed_from.is_some() && run.watch.time_spent() >= 1.0 {
            return 1.0;
        }
        if let (Some(from), Some(until)) = (self.timed_from, turn.until) {
            return if spent(from, run) >= until { 1.0 } else { 0.0 };
        }
        let of_steps = step as f64 / turn.steps.max(1) as f64;
        let most = self.entries.map_or(f64::INFINITY, |entries| (entries * turn.steps.max(1)) as f64);
        of_steps.max(region.entries() as f64 / most)
    }
}

/// What a region may do in a round.
#[derive(Clone, Copy)]
struct Turn {
    round: u64,
    /// Steps at most.
    steps: u64,
    /// Up to which share of the time instead, where that is what ends a round.
    until: Option<f64>,
}

/// Which share of the time for steps is spent, where some was spent before them.
fn spent(before: f64, run: &Run<'_>) -> f64 {
    (run.watch.time_spent() - before) / (1.0 - before).max(f64::EPSILON)
}

/// As many steps as a table deserves.
fn usual_steps(rows: u64, k: u64) -> u64 {
    let per_row = (FOR_K_ROWS / k.max(1)).clamp(PER_ROW.0, PER_ROW.1);
    (per_row * rows).clamp(IN_ALL.0, IN_ALL.1)
}

/// A region, and which groups of the table its groups are.
struct RegionOfTable<'a> {
    region: Region<'a>,
    places: Vec<u32>,
}
