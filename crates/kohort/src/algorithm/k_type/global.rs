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
use crate::data::{Cell, Consistency, Domain, components};
use crate::error::Result;
use crate::model::Tally;
use crate::space::Space;

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

/// Groups of equal rows and different tuples. Nodes are the groups, and after them the tuples by box number.
struct Graph<'a> {
    problem: Problem<'a>,
    group_of: Vec<u32>,
    boxes: Boxes<'a>,
    groups: u32,
    /// Whom each node points to: a group to the tuples it lies in, a tuple to the groups that own it.
    out: Vec<Vec<u32>>,
    /// Components at the time of the last look. Arcs are only added, so nodes that shared one still do.
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
        let groups = space.groups().len() as u32;
        let mut out = consistency.neighbours(usize::MAX).unwrap_or_default();
        out.iter_mut().flatten().for_each(|number| *number += groups);
        let mut graph = Self {
            problem,
            group_of: space.groups().of_rows(),
            boxes,
            groups,
            out,
            component: Vec::new(),
            stale: true,
            done: vec![false; groups as usize],
        };
        for number in 0..graph.boxes.tuples.len() as u32 {
            let owners = graph.owners(number);
            graph.out.push(owners);
        }
        graph
    }

    /// The groups that own a tuple.
    fn owners(&self, number: u32) -> Vec<u32> {
        let owners = self.boxes.owners[number as usize].iter();
        let mut groups: Vec<u32> = owners.map(|&row| self.group_of[row as usize]).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The tuples a group lies in, as box numbers.
    fn lies_in(&self, group: u32) -> impl Iterator<Item = u32> {
        self.out[group as usize].iter().map(|node| node - self.groups)
    }

    /// Whether a tuple is known to be a match of a group. With components that are not up to date some are missed.
    fn is_match(&self, group: u32, number: u32) -> bool {
        let of = |node: u32| self.component.get(node as usize);
        of(group).is_some() && of(group) == of(self.groups + number)
    }

    /// What the demands see of a row's matches.
    fn matches(&self, group: u32) -> Tally {
        let boxes = self.lies_in(group).filter(|&b| self.is_match(group, b));
        let owners: Vec<u32> = boxes.flat_map(|b| self.boxes.owners[b as usize].iter().copied()).collect();
        tally_rows(self.problem, &self.group_of, &owners)
    }

    fn lacks(&mut self, row: u32) -> bool {
        let group = self.group_of[row as usize];
        if self.done[group as usize] {
            return false;
        }
        let mut enough = self.problem.demands.hold(&self.matches(group));
        if !enough && self.stale {
            self.component = components(&self.out);
            self.stale = false;
            enough = self.problem.demands.hold(&self.matches(group));
        }
        self.done[group as usize] = enough;
        !enough
    }

    /// Makes one more tuple a match of the row; false when nothing is left.
    fn help(&mut self, row: u32) -> bool {
        let group = self.group_of[row as usize];
        let tally = self.matches(group);
        let short = tally.rows() < u64::from(self.problem.demands.k());
        let new = |owner: u32| {
            let codes =
                self.problem.space.sensitive().iter().map(|c| c[self.group_of[owner as usize] as usize]);
            !short && self.problem.demands.gain(&tally, codes) > 0
        };
        let mine = self.boxes.of_row[row as usize];
        let grown = |number: u32, group: u32| self.grown(number, group);
        let near: Vec<u32> = self.lies_in(group).filter(|&b| !self.is_match(group, b)).collect();
        let owners = near.iter().flat_map(|&b| self.boxes.owners[b as usize].iter().copied());
        let best = owners.map(|o| (!new(o), grown(mine, self.group_of[o as usize]).0, o)).min();
        if let Some((.., owner)) = best {
            let tuple = grown(mine, self.group_of[owner as usize]).1;
            self.give(row, tuple);
            return true;
        }
        let inside: FxHashSet<u32> = self.lies_in(group).collect();
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
        let old = self.boxes.of_row[row as usize];
        let number = self.boxes.give(row, tuple);
        if number >= known {
            let node = self.groups + number;
            let tuple = &self.boxes.tuples[number as usize];
            for group in 0..self.groups {
                if self.problem.space.contains(tuple, group as usize) {
                    self.out[group as usize].push(node);
                }
            }
            self.out.push(Vec::new());
        }
        for changed in [old, number] {
            self.out[(self.groups + changed) as usize] = self.owners(changed);
        }
        self.stale = true;
    }
}

/// The codes a cell admits.
pub(super) fn admitted(space: &Space<'_>, dim: usize, cell: Cell) -> std::ops::Range<u32> {
    match &space.attribute(dim).domain {
        Domain::Tree(h) => h.leaves(cell.lo),
        Domain::Interval(_) => cell.lo..cell.hi + 1,
    }
}
