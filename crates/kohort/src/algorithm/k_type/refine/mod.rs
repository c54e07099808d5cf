//! Refinement: tuples shrink as long as the notion holds, for (k,k) and global (1,k).
//!
//! The papers stop when every row has enough. By then most tuples are larger than they need be: Algorithm 4 grows them row
//! by row and looks at no other tuples of k rows, and what Algorithms 5 and 6 added for somebody may have become superfluous.
//! Here every row in turn, the costliest first, is given the cheapest tuple that is found for it while all others stay as
//! they are: one that covers the row, k rows, and whoever cannot do without it ([`propose`]). What each kind of rows would
//! choose if it had to think of nobody else ([`wishes`]) shows the way, where it can be found. For global (1,k), (k,k) is refined first; then
//! tuples grow again until every row has k matches ([`grow`]), and shrink once more.
//!
//! *Guarantees*: (k,1) and the notion hold after every single change, so it can end at any time; no change costs anything, so
//! the result never costs more than what it began with. The answer does not depend on the number of threads: tuples
//! for some rows are looked for side by side, and taken one after the other if they still may be.
//!
//! *Complexity* O(s) per row and step, s kinds in its tuple and the one it wishes for; memory for who lies in which tuple.
//! Where these are too many, tuples stay as they are.

mod cover;
mod grow;
mod places;
mod propose;
mod wishes;

use rayon::prelude::*;

use self::cover::Cover;
use self::places::Places;
use self::propose::cheaper;
use self::wishes::Wishes;
use super::start::Kinds;
use super::{Goal, Tuples};
use crate::algorithm::{Problem, Run, Stage};
use crate::error::Result;

/// How often every row is looked at, unless nothing changes any more. On Adult the second time saves 0.1 %, the third nothing.
pub const STEPS: usize = 4;

/// Rows that are looked at side by side.
const TOGETHER: usize = 512;

/// Entries per row of the table that are looked at in all, at most: seconds for ten thousand rows. The costliest tuples come
/// first, so what is left out would have saved little.
const WORK_PER_ROW: u64 = 200_000;

/// Tuples for the same goal that cost less, or as much. `steps`: how often every row is looked at, at most.
pub fn refine_tuples(
    problem: Problem<'_>,
    goal: Goal,
    tuples: Tuples,
    steps: usize,
    run: &Run<'_>,
) -> Result<Tuples> {
    let kinds = Kinds::new(problem.space);
    match Refiner::new(problem, &kinds, run)? {
        Some(refiner) => refiner.shrink(goal, tuples, steps, run),
        None => Ok(tuples),
    }
}

/// All that refinement knows of a table.
pub(super) struct Refiner<'a> {
    problem: Problem<'a>,
    places: Places<'a>,
    wishes: Option<Wishes>,
}

impl<'a> Refiner<'a> {
    /// None when time is up.
    pub(super) fn new(problem: Problem<'a>, kinds: &'a Kinds<'a>, run: &Run<'_>) -> Result<Option<Self>> {
        let places = Places::new(kinds);
        if !super::optimal::is_quick(problem, kinds) {
            return Ok(Some(Self { problem, places, wishes: None }));
        }
        let Some(tuples) = super::optimal::of_kinds(problem, kinds, run)? else { return Ok(None) };
        let wishes = Some(Wishes::new(&places, tuples));
        Ok(Some(Self { problem, places, wishes }))
    }

    /// What every row wishes for, where that is known.
    pub(super) fn wished(&self) -> Option<Tuples> {
        let wishes = self.wishes.as_ref()?;
        Some(self.places.kinds.of_row.iter().map(|&kind| wishes.of(kind).0.to_vec()).collect())
    }

    /// Tuples that cost no more, for the same goal; better ones as time allows.
    pub(super) fn shrink(&self, goal: Goal, tuples: Tuples, steps: usize, run: &Run<'_>) -> Result<Tuples> {
        run.watch.enter(Stage::Refine, self.problem.space.rows() as u64);
        let cover = if self.applies(goal) { self.cover(goal, &tuples) } else { None };
        let Some(mut cover) = cover else { return Ok(tuples) };
        let mut work_left = WORK_PER_ROW * self.problem.space.rows() as u64;
        for _ in 0..steps {
            let before = cover.cost();
            self.step(&mut cover, &mut work_left, run)?;
            if cover.cost() == before || work_left == 0 || run.time_is_up()? {
                break;
            }
            cover.count_anew();
        }
        Ok(cover.into_tuples())
    }

    /// Tuples that grow until every row has k matches. None when time is up.
    pub(super) fn grow(&self, tuples: Tuples, run: &Run<'_>) -> Result<Option<Tuples>> {
        match self.cover(Goal::Global, &tuples) {
            Some(cover) => grow::grow(cover, run),
            None => Ok(Some(tuples)),
        }
    }

    /// Whether tuples can be told to serve the goal by counting rows, and by the values behind a row's matches.
    fn applies(&self, goal: Goal) -> bool {
        let demands = self.problem.demands;
        goal >= Goal::Both && demands.people().is_none() && demands.survive_adding_rows()
    }

    fn cover(&self, goal: Goal, tuples: &Tuples) -> Option<Cover<'_>> {
        Cover::new(self.problem, &self.places, goal == Goal::Global, tuples)
    }

    /// About how many entries are looked at to find another tuple for a row.
    fn work(&self, cover: &Cover<'_>, row: u32) -> u64 {
        let wish = self.wishes.as_ref().map_or(0, |wishes| wishes.of(cover.kind(row)).1.len());
        let candidates = (cover.held(row).inside.len() + wish) as u64;
        candidates * u64::from(self.problem.demands.k()) * self.problem.space.dims() as u64
    }

    /// Looks at every row whose tuple costs anything, as far as there is work left.
    fn step(&self, cover: &mut Cover<'_>, work_left: &mut u64, run: &Run<'_>) -> Result<()> {
        let mut rows: Vec<u32> =
            (0..self.problem.space.rows() as u32).filter(|&row| cover.held(row).cost > 0).collect();
        rows.sort_by_key(|&row| (std::cmp::Reverse(cover.held(row).cost), row));
        for (some, done) in rows.chunks(TOGETHER).zip((0..).step_by(TOGETHER)) {
            if *work_left == 0 || run.time_is_up()? {
                break;
            }
            *work_left = work_left.saturating_sub(some.iter().map(|&row| self.work(cover, row)).sum());
            run.watch.progress(done, rows.len() as u64);
            let wishes = self.wishes.as_ref();
            let found: Vec<_> = some.par_iter().map(|&row| cheaper(cover, wishes, row)).collect();
            for (&row, tuple) in some.iter().zip(found) {
                let taken = tuple.is_none_or(|tuple| cover.try_give(row, tuple));
                // Somebody was faster: what is there now?
                if !taken && let Some(tuple) = cheaper(cover, wishes, row) {
                    cover.try_give(row, tuple);
                }
            }
        }
        Ok(())
    }
}
