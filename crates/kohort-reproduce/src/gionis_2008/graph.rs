//! Rows, and the tuples they lie in: degrees, matches, and Algorithm 6 step by step as it is printed.
//!
//! A match is a tuple of the same strongly connected component (`docs/algorithms.md` §7.3). Equal rows are one node.

use std::ops::Range;

use kohort::Result;
use kohort::algorithm::{Algorithm as _, Goal, KType, Problem, Run, Start};
use kohort::data::{Cell, Consistency, Domain, components};
use kohort::solution::Solution;
use kohort::space::Space;

use crate::lab::Lab;

/// The (k,k)-anonymization of Algorithms 4 and 5.
pub(super) fn expanded(lab: &Lab<'_>, problem: Problem<'_>) -> Result<Vec<Vec<Cell>>> {
    let algorithm = KType { start: Start::Expansion, goal: Goal::Both, refine: false };
    match algorithm.group(problem, &Run::new(0, lab.observer))? {
        Solution::PerRecord(tuples) => Ok(tuples),
        _ => Err(kohort::Error::internal("(k,k) gives every row a tuple")),
    }
}

/// Who lies in what.
pub(super) struct Graph<'a> {
    space: &'a Space<'a>,
    tuples: Vec<Vec<Cell>>,
    /// Per row, its group of equal rows.
    group_of: Vec<u32>,
    /// Per group, the rows whose tuples cover it, ascending.
    lies_in: Vec<Vec<u32>>,
    /// Per group, then per tuple.
    component: Vec<u32>,
    stale: bool,
}

impl<'a> Graph<'a> {
    pub(super) fn new(space: &'a Space<'a>, tuples: Vec<Vec<Cell>>) -> Self {
        let ranges = |dim: usize| tuples.iter().map(|tuple| admitted(space, dim, tuple[dim])).collect();
        let consistency = Consistency {
            codes: (0..space.dims()).map(|dim| space.attribute(dim).code_count()).collect(),
            rows: (0..space.dims()).map(|dim| space.codes(dim)).collect(),
            tuples: (0..space.dims()).map(ranges).collect(),
        };
        let lies_in = consistency.neighbours(usize::MAX).unwrap_or_default();
        let group_of = space.groups().of_rows();
        Self { space, tuples, group_of, lies_in, component: Vec::new(), stale: true }
    }

    /// Per row, in how many tuples it lies.
    pub(super) fn degrees(&self) -> Vec<usize> {
        self.group_of.iter().map(|&group| self.lies_in[group as usize].len()).collect()
    }

    /// Per row, how many matches it has.
    pub(super) fn matches(&mut self) -> Vec<usize> {
        self.look();
        let of_group: Vec<usize> = (0..self.lies_in.len() as u32).map(|group| self.known(group)).collect();
        self.group_of.iter().map(|&group| of_group[group as usize]).collect()
    }

    fn look(&mut self) {
        if self.stale {
            let groups = self.lies_in.len() as u32;
            let to_tuples = self.lies_in.iter().map(|list| list.iter().map(|tuple| groups + tuple).collect());
            let to_owners = self.group_of.iter().map(|&group| vec![group]);
            self.component = components(&to_tuples.chain(to_owners).collect::<Vec<_>>());
            self.stale = false;
        }
    }

    fn is_match(&self, group: u32, tuple: u32) -> bool {
        self.component[group as usize] == self.component[self.lies_in.len() + tuple as usize]
    }

    /// Matches by the components that were found last: arcs are only added, so there are no fewer.
    fn known(&self, group: u32) -> usize {
        self.lies_in[group as usize].iter().filter(|&&tuple| self.is_match(group, tuple)).count()
    }

    /// Algorithm 6. Of every row that had fewer than k matches when its turn came, how many steps it took.
    pub(super) fn steps(&mut self, lab: &Lab<'_>, k: usize) -> Result<Vec<usize>> {
        let run = Run::new(0, lab.observer);
        let mut steps = Vec::new();
        self.look();
        for row in 0..self.group_of.len() as u32 {
            let mut taken = 0;
            while self.lacks(row, k) {
                run.time_is_up()?;
                if !self.step(row) {
                    break;
                }
                taken += 1;
            }
            if taken > 0 {
                steps.push(taken);
            }
        }
        Ok(steps)
    }

    fn lacks(&mut self, row: u32, k: usize) -> bool {
        let group = self.group_of[row as usize];
        if self.known(group) >= k {
            return false;
        }
        self.look();
        self.known(group) < k
    }

    /// Lines 5 to 7: the row's tuple takes in the cheapest owner of a tuple that is no match yet.
    fn step(&mut self, row: u32) -> bool {
        let group = self.group_of[row as usize];
        let strangers = self.lies_in[group as usize].iter().filter(|&&tuple| !self.is_match(group, tuple));
        let grown = |owner: u32| {
            let mut tuple = self.tuples[row as usize].clone();
            self.space.absorb(&mut tuple, self.group_of[owner as usize] as usize);
            tuple
        };
        let Some(owner) = strangers.copied().min_by_key(|&owner| (self.space.cost(&grown(owner)), owner))
        else {
            return false;
        };
        let tuple = grown(owner);
        for (group, list) in self.lies_in.iter_mut().enumerate() {
            if self.space.contains(&tuple, group)
                && let Err(place) = list.binary_search(&row)
            {
                list.insert(place, row);
            }
        }
        self.tuples[row as usize] = tuple;
        self.stale = true;
        true
    }
}

/// The codes a cell admits.
fn admitted(space: &Space<'_>, dim: usize, cell: Cell) -> Range<u32> {
    match &space.attribute(dim).domain {
        Domain::Tree(tree) => tree.leaves(cell.lo),
        Domain::Interval(_) => cell.lo..cell.hi + 1,
    }
}
