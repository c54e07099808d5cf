//! Algorithm 6: from (k,k) to global (1,k). A row's *match* is a tuple it could own in some assignment of all rows to all
//! tuples that fits.
//!
//! Every row owns a tuple, which is such an assignment. With an arc from each row to the tuples it lies in and from each
//! tuple to the rows that own it, a row and a tuple it lies in can be matched if and only if they reach each other: an
//! alternating cycle through both exchanges them (Tassa 2012; `algorithms.md` §7.3). So matches are strongly connected
//! components, O(n + m), where the paper looks for a perfect matching per edge. Equal rows, and equal tuples, are one node.
//!
//! *Reading*: rows one after the other. While a row has fewer than k matches, its tuple grows by the row that costs
//! least among the owners of the other tuples it lies in; that makes the owner's tuple a match. With p-sensitivity the
//! matches' owners must have p values of every sensitive column, and owners with a new value come first (§7.4). A
//! row that lies in no other tuple makes a pair grow towards each other. Arcs are only added, so who is done stays done.

use rustc_hash::FxHashSet;

use super::Tuples;
use super::boxes::Boxes;
use crate::algorithm::{Problem, Run, tally_rows};
use crate::data::{Cell, Consistency, Domain, Space, components};
use crate::error::Result;
use crate::model::Tally;

/// The grown tuples; none when time is up.
pub(super) fn global(problem: Problem<'_>, run: &Run<'_>, tuples: Tuples) -> Result<Option<Tuples>> {
    let mut graph = Graph::new(problem, tuples);
    let rows = problem.space.rows() as u32;
    for row in 0..rows {
        while graph.lacks(row) {
            if run.time_is_up()? {
                return Ok(None);
            }
            if !graph.help(row) {
                break;
            }
        }
        run.watch.progress(u64::from(row), u64::from(rows));
    }
    Ok(Some(graph.boxes.into_tuples()))
}

/// Groups of equal rows and different tuples; groups come first in numbering.
struct Graph<'a> {
    problem: Problem<'a>,
    group_of: Vec<u32>,
    boxes: Boxes<'a>,
    /// Per group, the tuples it lies in, as box numbers.
    lies_in: Vec<Vec<u32>>,
    component: Vec<u32>,
    stale: bool,
    /// Groups known to have enough matches.
    done: Vec<bool>,
}

impl<'a> Graph<'a> {
    fn new(problem: Problem<'a>, tuples: Tuples) -> Self {
        let space = problem.space;
        let boxes = Boxes::new(space, tuples);
        let ranges = |dim: usize| boxes.tuples.iter().map(|t| admitted(space, dim, t[dim])).collect();
        let consistency = Consistency {
            codes: (0..space.dims()).map(|dim| space.attribute(dim).code_count()).collect(),
            rows: (0..space.dims()).map(|dim| space.codes(dim)).collect(),
            tuples: (0..space.dims()).map(ranges).collect(),
        };
        let lies_in = consistency.neighbours(usize::MAX).unwrap_or_default();
        let groups = space.groups().len();
        Self {
            problem,
            group_of: space.groups().of_rows(),
            boxes,
            lies_in,
            component: Vec::new(),
            stale: true,
            done: vec![false; groups],
        }
    }

    /// Brings the components up to date.
    fn refresh(&mut self) {
        if !self.stale {
            return;
        }
        let groups = self.lies_in.len() as u32;
        let mut out: Vec<Vec<u32>> =
            self.lies_in.iter().map(|boxes| boxes.iter().map(|b| groups + b).collect()).collect();
        for owners in &self.boxes.owners {
            let mut to: Vec<u32> = owners.iter().map(|&row| self.group_of[row as usize]).collect();
            to.sort_unstable();
            to.dedup();
            out.push(to);
        }
        self.component = components(&out);
        self.stale = false;
    }

    fn is_match(&self, group: u32, number: u32) -> bool {
        self.component[group as usize] == self.component[self.lies_in.len() + number as usize]
    }

    /// What the models see of a row's matches.
    fn matches(&self, group: u32) -> Tally {
        let boxes = self.lies_in[group as usize].iter().filter(|&&b| self.is_match(group, b));
        let owners: Vec<u32> = boxes.flat_map(|&b| self.boxes.owners[b as usize].iter().copied()).collect();
        tally_rows(self.problem, &self.group_of, &owners)
    }

    fn lacks(&mut self, row: u32) -> bool {
        let group = self.group_of[row as usize];
        if self.done[group as usize] {
            return false;
        }
        self.refresh();
        let enough = self.problem.models.hold(&self.matches(group));
        self.done[group as usize] = enough;
        !enough
    }

    /// Makes one more tuple a match of the row; false when nothing is left.
    fn help(&mut self, row: u32) -> bool {
        let group = self.group_of[row as usize];
        let tally = self.matches(group);
        let short = tally.rows() < u64::from(self.problem.models.k());
        let new = |owner: u32| {
            let codes =
                self.problem.space.sensitive().iter().map(|c| c[self.group_of[owner as usize] as usize]);
            !short && self.problem.models.gain(&tally, codes) > 0
        };
        let mine = self.boxes.of_row[row as usize];
        let grown = |number: u32, group: u32| self.grown(number, group);
        let near: Vec<u32> =
            self.lies_in[group as usize].iter().copied().filter(|&b| !self.is_match(group, b)).collect();
        let owners = near.iter().flat_map(|&b| self.boxes.owners[b as usize].iter().copied());
        let best = owners.map(|o| (!new(o), grown(mine, self.group_of[o as usize]).0, o)).min();
        if let Some((.., owner)) = best {
            let tuple = grown(mine, self.group_of[owner as usize]).1;
            self.give(row, tuple);
            return true;
        }
        let inside: FxHashSet<u32> = self.lies_in[group as usize].iter().copied().collect();
        let others =
            (0..self.boxes.of_row.len() as u32).filter(|&o| !inside.contains(&self.boxes.of_row[o as usize]));
        let cost =
            |o: u32| grown(mine, self.group_of[o as usize]).0 + grown(self.boxes.of_row[o as usize], group).0;
        let Some((.., owner)) = others.map(|o| (!new(o), cost(o), o)).min() else { return false };
        let (ours, theirs) =
            (grown(mine, self.group_of[owner as usize]).1, grown(self.boxes.of_row[owner as usize], group).1);
        self.give(row, ours);
        self.give(owner, theirs);
        true
    }

    /// By how much a tuple's cost grows when it takes a group in, and the tuple that it becomes.
    fn grown(&self, number: u32, group: u32) -> (i64, Vec<Cell>) {
        let space = self.problem.space;
        let mut tuple = self.boxes.tuples[number as usize].clone();
        let before = space.cost(&tuple).cast_signed();
        space.absorb(&mut tuple, group as usize);
        (space.cost(&tuple).cast_signed() - before, tuple)
    }

    /// Gives a row a larger tuple and brings the arcs up to date.
    fn give(&mut self, row: u32, tuple: Vec<Cell>) {
        let known = self.boxes.tuples.len() as u32;
        let number = self.boxes.give(row, tuple);
        if number >= known {
            let tuple = &self.boxes.tuples[number as usize];
            for (group, boxes) in self.lies_in.iter_mut().enumerate() {
                if self.problem.space.contains(tuple, group) {
                    boxes.push(number);
                }
            }
        }
        self.stale = true;
    }
}

/// The codes a cell admits.
fn admitted(space: &Space<'_>, dim: usize, cell: Cell) -> std::ops::Range<u32> {
    match &space.attribute(dim).domain {
        Domain::Tree(h) => h.leaves(cell.lo),
        Domain::Interval(_) => cell.lo..cell.hi + 1,
    }
}
