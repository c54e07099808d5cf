//! How a refinement goes on: how many steps there are, how warm it is, and when it ends.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::axis::Axis;
use super::dice::Dice;
use super::draft::Share;
use super::lists::ClassLists;
use super::region::Region;
use super::{Effort, SCALE};
use crate::algorithm::{Problem, Run};
use crate::bound::Guide;
use crate::error::Result;

/// Steps for k rows, unless the job says otherwise: the larger classes are, the longer a step takes. On Adult, two seconds.
const FOR_K_ROWS: u64 = 60;

/// Steps per row at least and at most.
const PER_ROW: (u64, u64) = (2, 12);

/// So many steps in all at least, which take no time to speak of, and at most, which take a minute or two.
const IN_ALL: (u64, u64) = (3_000, 6_000_000);

/// Groups of a region at most. Smaller ones have more borders, larger ones longer bitsets and fewer that are refined side by side.
const GROUPS: usize = 12_000;

/// How often the table is cut anew, with as few steps as are usual and with many. Adult, lm, k = 10, 60 steps a row, two seeds each:
/// 0.0740 with 12, 0.0739 with 24, 0.0741 with 48.
const ROUNDS: (u64, u64) = (12, 24);

/// So many steps per row are many.
const MANY: u64 = 20;

/// Entries of lists that a step may look at on average, unless the job says how many steps there are. Where only k = 10 is asked
/// for on Adult, steps look at fewer. Classes that satisfy harder demands are larger: without this limit, refining Adult under
/// t = 0.3 took 90 s instead of 15 s.
const ENTRIES: u64 = 4_000;

/// Steps per row in a round where time is what is given, and regions take turns.
const TIMED: u64 = 4;

/// The share of the time that a round takes where they need not.
const SLICE: f64 = 1.0 / 24.0;

/// What becomes of the temperature after a round that was too warm, and which share of what is lost a round takes away that was not.
const COOLER: f64 = 0.5;
const WORTH_IT: f64 = 0.0002;

/// The share of all steps, and of those of a round, after which nothing is made any more that loses more. Only a round that ends
/// cold tells where it made the classes better.
const COLD: (f64, f64) = (0.97, 0.9);

/// How often a region asks whether to go on: after so many steps.
const ASK: u64 = 32;

/// How a refinement goes on.
pub(super) struct Plan {
    /// Steps per round and row. Where time is what is given, a round may end before.
    per_round: f64,
    /// Where time is what is given: how much of it was spent before the first step.
    timed_from: Option<f64>,
    /// How many entries a step may look at on average, where that is limited.
    entries: Option<u64>,
    /// How often the table is cut anew, unless time is what is given.
    rounds: u64,
    rows: u64,
    /// What a class loses at first, on average.
    mean_loss: f64,
    /// How much more a change may lose at first, about.
    temperature: f64,
    /// What became of that after rounds that were too warm, as a share.
    cooled: f64,
}

/// How much more a change may lose at first, as a share of what a class loses: the more steps, the more can be made up for. A
/// sixth for six a row, two fifths for sixty. What a round made worse is taken back, so this is twice as warm as annealing without
/// that: Adult, lm, k = 10, 16 steps a row, three seeds each: 0.0750 with 0.26, 0.0748 with 0.43, 0.0749 with 0.68.
fn heat(steps_per_row: u64) -> f64 {
    0.02 + 0.08 * f64::from(steps_per_row.max(1).ilog2())
}

impl Plan {
    pub(super) fn new(
        effort: Effort,
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
            Effort::Time => TIMED * ROUNDS.1 * rows,
        };
        let per_row = steps as f64 / rows.max(1) as f64;
        let rounds = if per_row < MANY as f64 { ROUNDS.0 } else { ROUNDS.1 };
        let mean_loss = lists.mean_loss(axes);
        Some(Self {
            per_round: per_row / rounds as f64,
            timed_from: (effort == Effort::Time).then(|| run.watch.time_spent()),
            entries: (effort == Effort::Usual).then_some(ENTRIES),
            rounds,
            rows,
            mean_loss,
            temperature: heat(per_row as u64) * mean_loss,
            cooled: 1.0,
        })
    }

    /// Whether there are no more rounds.
    pub(super) fn is_over(&self, round: u64, run: &Run<'_>) -> bool {
        if self.timed_from.is_some() { run.watch.time_spent() >= 1.0 } else { round >= self.rounds }
    }

    /// How far it is before a round, out of [`SCALE`].
    pub(super) fn done(&self, round: u64, run: &Run<'_>) -> u64 {
        let share = self.timed_from.map_or(round as f64 / self.rounds as f64, |from| spent(from, run));
        (share.min(1.0) * SCALE as f64) as u64
    }

    /// After a round: where it made hardly anything better, it was too warm, and the next ones make fewer changes that lose more.
    /// Tables with many columns show it, or with columns that keep a value or lose all of it: their classes lose much and differ
    /// little.
    pub(super) fn judge(&mut self, before: u64, after: u64) {
        if (before - after) as f64 <= WORTH_IT * before as f64 {
            self.cooled *= COOLER;
        }
    }

    /// Where time is what is given, the steps so far tell how many there will be.
    pub(super) fn learn(&mut self, steps: u64, run: &Run<'_>) {
        if let Some(from) = self.timed_from {
            let in_all = steps as f64 / spent(from, run).max(f64::EPSILON);
            self.temperature = heat((in_all / self.rows.max(1) as f64) as u64) * self.mean_loss;
        }
    }

    /// What a region of so many rows may do in a round; regions are numbered from 0.
    pub(super) fn turn(&self, seed: u64, round: u64, number: u64, rows: u64) -> Turn {
        let steps = ((self.per_round * rows as f64).ceil() as u64).max(1);
        let entries = self.entries.map(|entries| entries * steps);
        Turn {
            seed,
            stream: (round << 32) + 1 + number,
            begins: round as f64 / self.rounds as f64,
            lasts: 1.0 / self.rounds as f64,
            steps,
            entries,
            temperature: self.temperature * self.cooled,
        }
    }

    /// The regions of a round.
    pub(super) fn regions(
        lists: &mut ClassLists,
        axes: &[Axis<'_>],
        seed: u64,
        round: u64,
    ) -> Vec<(u64, Vec<Vec<Share>>)> {
        (0..).zip(lists.split(axes, GROUPS, &mut Dice::new(seed, round << 32))).collect()
    }

    /// Cuts the table into regions and refines each; returns how many steps were made.
    pub(super) fn round(
        &self,
        problem: Problem<'_>,
        axes: &[Axis<'_>],
        guide: Option<&Guide>,
        lists: &mut ClassLists,
        round: u64,
        run: &Run<'_>,
    ) -> Result<u64> {
        let regions = Self::regions(lists, axes, run.seed, round);
        // Where every region has a thread of its own, all work for the same time.
        let alone = regions.len() <= rayon::current_num_threads();
        let clock =
            self.timed_from.map(|from| Clock { from, until: alone.then(|| spent(from, run) + SLICE) });
        let work = |(number, classes): (u64, Vec<Vec<Share>>)| {
            let rows: u64 = classes.iter().flatten().map(|share| u64::from(share.rows)).sum();
            let turn = self.turn(run.seed, round, number, rows);
            let mut of_table = lists.region(problem, axes, &classes, guide, turn.dice());
            let steps = turn.anneal(&mut of_table.region, clock, run)?;
            Ok((ClassLists::of_table(of_table), steps))
        };
        let refined: Vec<(Vec<Vec<Share>>, u64)> =
            regions.into_par_iter().with_max_len(1).map(work).collect::<Result<_>>()?;
        let steps = refined.iter().map(|(_, made)| made).sum();
        lists.replace(refined.into_iter().map(|(classes, _)| classes));
        Ok(steps)
    }
}

/// What a region may do in a round.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Turn {
    seed: u64,
    stream: u64,
    /// Which share of all rounds was over before this one, and which share it is.
    begins: f64,
    lasts: f64,
    /// Steps at most.
    steps: u64,
    /// Entries to look at at most, where that is limited.
    entries: Option<u64>,
    /// How much more a change may lose at the beginning of the first round, about.
    temperature: f64,
}

/// When a round ends, where time is what is given.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// Which share of the time was spent before the first step.
    from: f64,
    /// Up to which share a round goes on; by steps where there is none.
    until: Option<f64>,
}

impl Turn {
    /// The draws of the region.
    pub(super) fn dice(&self) -> Dice {
        Dice::new(self.seed, self.stream)
    }

    /// Makes the steps of a region; returns how many.
    pub(super) fn anneal(&self, region: &mut Region<'_>, clock: Option<Clock>, run: &Run<'_>) -> Result<u64> {
        let mut step = 0;
        loop {
            let done = self.done(step, region, clock, run);
            if done >= 1.0 || (step % ASK == 0 && run.time_is_up()?) {
                return Ok(step);
            }
            let spent = match clock {
                Some(clock) => spent(clock.from, run),
                None => self.begins + done * self.lasts,
            };
            region.step(self.temperature * cooled(spent, COLD.0) * cooled(done, COLD.1));
            step += 1;
        }
    }

    /// Which share of its turn a region has had after so many steps.
    fn done(&self, step: u64, region: &Region<'_>, clock: Option<Clock>, run: &Run<'_>) -> f64 {
        if let Some(Clock { from, until }) = clock {
            if run.watch.time_spent() >= 1.0 {
                return 1.0;
            }
            if let Some(until) = until {
                return 1.0 - ((until - spent(from, run)) / SLICE).max(0.0);
            }
        }
        let of_steps = step as f64 / self.steps as f64;
        let most = self.entries.map_or(f64::INFINITY, |entries| entries as f64);
        of_steps.max(region.entries() as f64 / most)
    }
}

/// Which share of the temperature is left after a share of the steps.
fn cooled(spent: f64, cold: f64) -> f64 {
    (1.0 - spent / cold).max(0.0)
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
