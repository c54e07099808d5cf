//! Cheapest boxes first: the boxes of a table in order of what they cost, each a class as soon as it holds enough rows.
//!
//! A level per attribute cuts the table into boxes. Combinations of levels are gone through from the cheapest to the dearest;
//! at each, every box that holds k of the rows that are left, and satisfies the demands, becomes a class, and its rows are no
//! longer left. Classes are published as the smallest tuple that covers them, which costs no more than their box. Hierarchies have
//! their levels; numbers without one get a ladder of wider and wider intervals ([`ladder`]).
//!
//! Where combinations are too many, those that cost most are not reached; Mondrian cuts what is left then. The rows that are
//! too few for a class in the end join the classes where they cost least more.
//!
//! *Source*: this project, after the local recoding that repeats full-domain generalization on the rows that are left.
//! *Complexity* O(v · d) for d different rows and the v combinations it goes through; rows that are left are soon few.
//! *Guarantee*: every class satisfies the demands; none on the loss. Ties: the combination that generalizes later attributes.

mod ladder;
mod order;

use rustc_hash::FxHashMap;

use self::ladder::Ladder;
use self::order::CheapestFirst;
use super::cluster_scan::ClusterScan;
use super::repair::repair;
use super::{Algorithm, AlgorithmEntry, Problem, Run, closure, mondrian};
use crate::demand::Notion;
use crate::error::Result;
use crate::solution::Solution;
use crate::space::Space;

/// Different rows it looks at together: its time grows faster than they do, and more of them gain nothing.
const BLOCK: usize = 30_000;

/// How many combinations of levels are tried per row at most, in all: combinations of many attributes never end.
const PER_ROW: u64 = 1_500;

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "boxes",
    about: "boxes from the cheapest to the dearest, each a class as soon as it holds enough rows; where auto begins",
    source: "this project",
    complexity: "O(d · v), d different rows, v combinations of levels",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[],
    make: |settings| {
        settings.check(ENTRY.name, ENTRY.settings)?;
        Ok(Box::new(Boxes))
    },
};

/// Cheapest boxes first.
pub struct Boxes;

impl Algorithm for Boxes {
    fn merges_equal_rows(&self) -> bool {
        true
    }

    fn block_rows(&self) -> Option<usize> {
        Some(BLOCK)
    }

    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let space = problem.space;
        let mut search = Search::new(problem);
        search.run(run)?;
        let Search { classes, left, .. } = search;
        let mut classes: Vec<Vec<u32>> = classes.iter().map(|class| rows(space, class)).collect();
        let left = rows(space, &left);
        let classes = if left.is_empty() { classes } else { finish(problem, run, &mut classes, left)? };
        let lists = repair(problem, run, classes)?;
        Ok(Solution::from_clusters(space.rows(), &lists))
    }
}

/// All rows of some tuples, ascending.
fn rows(space: &Space<'_>, firsts: &[u32]) -> Vec<u32> {
    let groups = firsts.iter().flat_map(|first| space.tuples().like(first));
    let mut rows: Vec<u32> = groups.flat_map(|&group| space.groups().rows(group as usize)).copied().collect();
    rows.sort_unstable();
    rows
}

/// Classes, and what is left of the rows. A tuple is named by its first group.
struct Search<'a> {
    problem: Problem<'a>,
    ladders: Vec<Ladder>,
    classes: Vec<Vec<u32>>,
    left: Vec<u32>,
    rows_left: u64,
    /// Per box of one combination, by a hash of its labels: how many of the rows that are left it holds.
    count: FxHashMap<u64, u64>,
    keys: Vec<u64>,
}

impl<'a> Search<'a> {
    fn new(problem: Problem<'a>) -> Self {
        let space = problem.space;
        let mut left: Vec<u32> = space.tuples().firsts().collect();
        let codes = |first: u32| (0..space.dims()).map(move |dim| space.codes(dim)[first as usize]);
        left.sort_by(|&a, &b| codes(a).cmp(codes(b)));
        Self {
            problem,
            ladders: (0..space.dims()).map(|dim| Ladder::new(space, dim)).collect(),
            classes: Vec::new(),
            left,
            rows_left: space.rows() as u64,
            count: FxHashMap::default(),
            keys: Vec::new(),
        }
    }

    fn run(&mut self, run: &Run<'_>) -> Result<()> {
        let all = self.problem.space.rows() as u64;
        let mut work = PER_ROW.saturating_mul(self.left.len() as u64);
        let costs: Vec<Vec<u64>> = self.ladders.iter().map(Ladder::costs).collect();
        for levels in CheapestFirst::new(&costs) {
            if self.rows_left < u64::from(self.problem.demands.k()) || work == 0 || run.time_is_up()? {
                break;
            }
            work = work.saturating_sub(self.left.len() as u64);
            self.take(&levels);
            run.watch.progress(all - self.rows_left, all);
        }
        Ok(())
    }

    fn size(&self, first: u32) -> u64 {
        let space = self.problem.space;
        space
            .tuples()
            .like(&first)
            .iter()
            .map(|&group| space.groups().rows(group as usize).len() as u64)
            .sum()
    }

    /// Makes classes of the boxes of one combination of levels.
    fn take(&mut self, levels: &[u32]) {
        let k = u64::from(self.problem.demands.k());
        self.count.clear();
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        keys.extend(self.left.iter().map(|&first| self.key(first, levels)));
        let mut found = false;
        for (&first, &key) in self.left.iter().zip(&keys) {
            let size = self.size(first);
            let count = self.count.entry(key).or_default();
            *count += size;
            found |= *count >= k;
        }
        if found {
            self.make_classes(&keys, k);
        }
        self.keys = keys;
    }

    fn make_classes(&mut self, keys: &[u64], k: u64) {
        let mut full: FxHashMap<u64, usize> = FxHashMap::default();
        let mut classes: Vec<Vec<u32>> = Vec::new();
        let mut left = Vec::new();
        for (&first, key) in self.left.iter().zip(keys) {
            if self.count[key] < k {
                left.push(first);
                continue;
            }
            let class = *full.entry(*key).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[class].push(first);
        }
        let (held, short): (Vec<_>, Vec<_>) = classes.into_iter().partition(|class| self.holds(class));
        let taken: u64 = held.iter().flatten().map(|&first| self.size(first)).sum();
        self.rows_left -= taken;
        self.classes.extend(held);
        if !short.is_empty() {
            left.extend(short.into_iter().flatten());
            let space = self.problem.space;
            let codes = |first: u32| (0..space.dims()).map(move |dim| space.codes(dim)[first as usize]);
            left.sort_by(|&a, &b| codes(a).cmp(codes(b)));
        }
        self.left = left;
    }

    fn holds(&self, class: &[u32]) -> bool {
        let (space, demands) = (self.problem.space, self.problem.demands);
        if !demands.need_sensitive() {
            return true;
        }
        let groups = class.iter().flat_map(|first| space.tuples().like(first));
        let items = groups.map(|&group| (group, space.groups().rows(group as usize).len() as u32));
        demands.hold_together(items, |column, group: u32| space.sensitive()[column][group as usize])
    }

    /// A hash of the labels that a tuple has at these levels. Should two boxes ever have the same one, they are one class, which
    /// loses more and is no less safe.
    fn key(&self, first: u32, levels: &[u32]) -> u64 {
        let space = self.problem.space;
        let label = |(dim, (ladder, &level)): (usize, (&Ladder, &u32))| {
            ladder.label(level, space.ranks(dim)[first as usize])
        };
        let labels = self.ladders.iter().zip(levels).enumerate().map(label);
        labels.fold(1, |hash: u64, label| {
            (hash ^ u64::from(label)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        })
    }
}

/// Rows that are left where combinations were too many are cut by Mondrian. Where they are too few for a class, each joins the one
/// where it costs least more.
fn finish(
    problem: Problem<'_>,
    run: &Run<'_>,
    classes: &mut Vec<Vec<u32>>,
    left: Vec<u32>,
) -> Result<Vec<Vec<u32>>> {
    let group_of = problem.space.groups().of_rows();
    let mut classes = std::mem::take(classes);
    if problem.rows_hold(&group_of, &left) {
        classes.extend(mondrian::cut_rows(problem, run, &left)?);
        return Ok(classes);
    }
    if classes.is_empty() {
        return Ok(vec![left]);
    }
    let space = problem.space;
    let mut tuples: Vec<_> = classes.iter().map(|rows| closure(space, &group_of, rows)).collect();
    let mut scan = ClusterScan::new(space);
    for (key, (rows, tuple)) in classes.iter().zip(&tuples).enumerate() {
        scan.put(key as u32, rows.len(), tuple);
    }
    for row in left {
        let group = group_of[row as usize] as usize;
        let best = scan.best(&space.tuple(group), |slot, _| Some((slot.increase(), slot.key)));
        let Some(((_, key), _)) = best else { break };
        let host = key as usize;
        classes[host].push(row);
        space.absorb(&mut tuples[host], group);
        scan.put(key, classes[host].len(), &tuples[host]);
    }
    Ok(classes)
}
