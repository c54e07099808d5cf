//! KACA, k-anonymization by clustering in attribute hierarchies (Li et al. 2006, Algorithm 1).
//!
//! Rows with equal tuples form classes. As long as a class has fewer than k rows, one such class C is merged with the
//! class nearest to it: both are generalized to their closest common generalization. From a class that is large enough to
//! quota rows, only the *stub* goes along and the *trunk* keeps its detail (Definition 11).
//!
//! *Reading* (`algorithms.md` §5.4): the distance of Definition 10 counts the rows that move, `|C| · Distortion(t_C, t_CE) +
//! n₂ · Distortion(t_E, t_CE)`, with n₂ = k − |C| where `|C| + |E| ≥ 2k` and `|E|` otherwise; the stub has the lowest row
//! numbers; a class whose generalized tuple exists already is merged into it. "Randomly choose" draws among the small
//! classes; with seed 0 it is the smallest class, then the first tuple. Distortion is measured from the current tuple, so
//! the distances add up to the distortion of the classes' tuples. A release can lose less: rows that stay when a class is split are
//! published as their own closure, which may be smaller than the tuple the class had. Under `--measure whd` the distances are the paper's; any other
//! measure can stand in their place. Models beyond k are repaired by merging.
//!
//! *Outliers* (end of §5): with a `threshold`, a class whose nearest class is farther than that is suppressed instead, as
//! long as the rows that may be suppressed last and the remaining rows still satisfy the demands.
//!
//! *Complexity* O(d²) for d different rows. *Guarantee*: every class satisfies the demands; none on the loss.
//!
//! NearPairs: smaller n₂, then first tuple.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand_chacha::ChaCha20Rng;

use super::cluster_scan::{ClusterScan, Slot};
use super::finish_with_mondrian::finish_with_mondrian;
use super::repair::repair;
use super::{Algorithm, AlgorithmEntry, Problem, Run, Settings, signed};
use crate::data::{Cell, Groups};
use crate::demand::Notion;
use crate::error::Result;
use crate::model::Tally;
use crate::parameter::{Accepts, Parameter, Range};
use crate::solution::Solution;
use crate::space::Space;

const THRESHOLD: Parameter = Parameter {
    name: "threshold",
    accepts: Accepts::number(Range::at_least(0.0)),
    about: "classes farther than this from all others are suppressed instead of generalized (Definition 10's distance)",
};

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "kaca",
    about: "merges small classes with the nearest one; keeps most of a large class as it is",
    source: "Li et al. 2006",
    complexity: "O(d²), d different rows",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[THRESHOLD],
    make: |settings| Ok(Box::new(Kaca::new(settings)?)),
};

/// KACA.
pub struct Kaca {
    /// The distance beyond which a class is suppressed, in fully lost cells.
    pub threshold: Option<f64>,
}

impl Kaca {
    /// Checks the settings.
    pub fn new(settings: &Settings) -> Result<Self> {
        settings.check(ENTRY.name, ENTRY.settings)?;
        Ok(Self { threshold: settings.number(&THRESHOLD) })
    }
}

impl Algorithm for Kaca {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let mut classes = Classes::new(problem);
        let mut rng = run.rng(2);
        let one = f64::from(problem.space.scale());
        let threshold = self.threshold.map_or(i64::MAX, |t| (t * one).round() as i64);
        let start = classes.small.len();
        while let Some(chosen) = classes.choose(rng.as_mut()) {
            if run.time_is_up()? {
                let (done, rest) = classes.into_lists(problem.demands.k() as usize);
                return finish_with_mondrian(problem, run, done, &rest);
            }
            classes.settle(problem, chosen, threshold);
            run.watch.progress((start - classes.small.len().min(start)) as u64, start as u64);
        }
        let (lists, _) = classes.into_lists(0);
        let lists = repair(problem, run, lists)?;
        Ok(Solution::from_clusters(problem.space.rows(), &lists))
    }

    fn may_suppress(&self) -> bool {
        self.threshold.is_some()
    }
}

/// All classes by their tuple. A class keeps its number when it grows; numbers are never used again.
struct Classes<'a> {
    space: &'a Space<'a>,
    k: usize,
    rows: Vec<Vec<u32>>,
    tuples: Vec<Vec<Cell>>,
    number: BTreeMap<Vec<Cell>, u32>,
    /// Classes below k by size and tuple; the tuple alone gives their order when one is drawn.
    small: BTreeSet<(usize, Vec<Cell>)>,
    by_tuple: BTreeSet<Vec<Cell>>,
    scan: ClusterScan<'a>,
    /// What is not suppressed, and how many rows still may be.
    remaining: Tally,
    quota: usize,
    group_of: Vec<u32>,
}

impl<'a> Classes<'a> {
    fn new(problem: Problem<'a>) -> Self {
        let space = problem.space;
        let groups = space.groups();
        let all: Vec<u32> = (0..space.rows() as u32).collect();
        let group_of = groups.of_rows();
        let mut classes = Self {
            space,
            k: problem.demands.k() as usize,
            rows: Vec::new(),
            tuples: Vec::new(),
            number: BTreeMap::new(),
            small: BTreeSet::new(),
            by_tuple: BTreeSet::new(),
            scan: ClusterScan::new(space),
            remaining: super::tally_rows(problem, &group_of, &all),
            quota: problem.quota,
            group_of,
        };
        let mut equal: BTreeMap<Vec<Cell>, Vec<u32>> = BTreeMap::new();
        for group in 0..Groups::len(groups) {
            equal.entry(space.tuple(group)).or_default().extend(groups.rows(group));
        }
        for (tuple, rows) in equal {
            classes.put(tuple, rows);
        }
        classes
    }

    /// Adds rows to the class of a tuple, which is made if there is none.
    fn put(&mut self, tuple: Vec<Cell>, rows: Vec<u32>) {
        let next = self.rows.len() as u32;
        let number = *self.number.entry(tuple.clone()).or_insert(next);
        if number == next {
            self.rows.push(Vec::new());
            self.tuples.push(tuple.clone());
        }
        self.forget_small(&tuple, self.rows[number as usize].len());
        let mine = &mut self.rows[number as usize];
        mine.extend(rows);
        mine.sort_unstable();
        let size = mine.len();
        self.scan.put(number, size, &tuple);
        self.note_small(tuple, size);
    }

    /// Takes the first rows out of a class; a class without rows disappears.
    fn take(&mut self, number: u32, count: usize) -> Vec<u32> {
        let tuple = self.tuples[number as usize].clone();
        let mine = &mut self.rows[number as usize];
        let before = mine.len();
        let taken = mine.drain(..count).collect();
        self.forget_small(&tuple, before);
        if before == count {
            self.scan.remove(number);
            self.number.remove(&tuple);
        } else {
            self.scan.put(number, before - count, &tuple);
            self.note_small(tuple, before - count);
        }
        taken
    }

    fn note_small(&mut self, tuple: Vec<Cell>, size: usize) {
        if size < self.k {
            self.by_tuple.insert(tuple.clone());
            self.small.insert((size, tuple));
        }
    }

    fn forget_small(&mut self, tuple: &[Cell], size: usize) {
        if size < self.k && self.by_tuple.remove(tuple) {
            self.small.remove(&(size, tuple.to_vec()));
        }
    }

    /// The next small class: drawn, or the smallest.
    fn choose(&self, rng: Option<&mut ChaCha20Rng>) -> Option<u32> {
        let tuple = match rng {
            Some(_) if self.by_tuple.is_empty() => None,
            Some(rng) => self.by_tuple.iter().nth(rng.random_range(0..self.by_tuple.len())),
            None => self.small.first().map(|(_, tuple)| tuple),
        };
        tuple.map(|tuple| self.number[tuple])
    }

    /// Merges the class with its nearest, or suppresses it.
    fn settle(&mut self, problem: Problem<'_>, chosen: u32, threshold: i64) {
        let tuple = self.tuples[chosen as usize].clone();
        let (size, cost) = (self.rows[chosen as usize].len(), self.space.cost(&tuple).cast_signed());
        let k = self.k;
        let moving = |s: &Slot| if size + s.size as usize >= 2 * k { k - size } else { s.size as usize };
        let nearest = self.scan.best(&tuple, |s, _| {
            let (moves, joined) = (moving(&s), s.joined.cast_signed());
            let distance = signed(size) * (joined - cost) + signed(moves) * (joined - s.cost.cast_signed());
            (s.key != chosen).then_some((distance, moves))
        });
        let Some(((distance, moves), ties)) = nearest else {
            // Alone and below k: only where the table itself is too small, which nobody asks.
            self.forget_small(&tuple, size);
            return;
        };
        if distance > threshold && self.suppress(problem, chosen) {
            return;
        }
        let partner = ties.iter().map(|s| s.key).min_by_key(|&key| &self.tuples[key as usize]);
        let Some(partner) = partner else { return };
        let other = &self.tuples[partner as usize];
        let joined = (0..tuple.len()).map(|d| self.space.join_cell(d, tuple[d], other[d])).collect();
        let mut rows = self.take(chosen, size);
        rows.extend(self.take(partner, moves));
        self.put(joined, rows);
    }

    /// Suppresses a class if that is allowed and the rest can stand without it.
    fn suppress(&mut self, problem: Problem<'_>, chosen: u32) -> bool {
        let rows = &self.rows[chosen as usize];
        if rows.len() > self.quota {
            return false;
        }
        let gone = super::tally_rows(problem, &self.group_of, rows);
        let mut rest = self.remaining.clone();
        rest.subtract(&gone);
        if !problem.demands.hold(&rest) {
            return false;
        }
        self.remaining = rest;
        let size = rows.len();
        self.quota -= size;
        self.take(chosen, size);
        true
    }

    /// The classes of at least so many rows, by their lowest row, and all other rows.
    fn into_lists(self, at_least: usize) -> (Vec<Vec<u32>>, Vec<u32>) {
        let (mut done, rest): (Vec<_>, Vec<_>) =
            self.rows.into_iter().filter(|rows| !rows.is_empty()).partition(|rows| rows.len() >= at_least);
        done.sort_by_key(|rows| rows[0]);
        let mut rest: Vec<u32> = rest.into_iter().flatten().collect();
        rest.sort_unstable();
        (done, rest)
    }
}
