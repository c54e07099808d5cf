//! The forest algorithm (Aggarwal et al. 2005), the one with a guarantee that Gionis et al. 2008 compares with.
//!
//! Rows are joined into trees of at least k rows by edges to near rows, and the trees are cut into parts that are as small as
//! k allows.
//!
//! *Reading* (`algorithms.md` §6): the weight of an edge is what the two rows cost together. While a tree has fewer than k
//! rows, its only row without an outgoing edge gets one to the nearest row outside. Cutting is weight-aware
//! ([`decompose`]): as published it can leave a part below k, because the Steiner vertices it adds are no rows. Trees are
//! cut wherever both parts keep k rows, not only above the published threshold; that never costs more. Models beyond k are
//! repaired by merging.
//!
//! *Complexity* O(n · d), d different rows. *Guarantee*: parts have between k and max(2k − 1, 3k − 3) rows before any
//! repair, and for a measure that obeys the triangle inequality and costs a set at most what its tree costs (IL, NCP and
//! WHD on hierarchies and intervals, LM; not entropy) the loss is at most 3k − 3 times the least possible: a row's outgoing
//! edge is no dearer than its (k−1)-th nearest row, which costs no more than its class in any k-anonymization, and each
//! row of a part pays at most the edges of the part's tree.
//!
//! NearPairs: the smallest tree, then the lowest row; the nearest row, then the lowest.

mod decompose;

use std::collections::BTreeSet;

use self::decompose::decompose;
use super::finish_with_mondrian::finish_with_mondrian;
use super::free_rows::Tables;
use super::repair::repair;
use super::scan::{add_up, scan};
use super::{Algorithm, AlgorithmEntry, Problem, Run};
use crate::demand::Notion;
use crate::error::Result;
use crate::solution::Solution;
use crate::space::Space;

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "forest",
    about: "joins near rows into trees and cuts them; loses more, but never beyond a bound",
    source: "Aggarwal et al. 2005",
    complexity: "O(n · d), d different rows",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[],
    make: |settings| {
        settings.check(ENTRY.name, &[])?;
        Ok(Box::new(Forest))
    },
};

/// The forest algorithm.
pub struct Forest;

impl Algorithm for Forest {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let (space, k) = (problem.space, problem.demands.k() as usize);
        let mut trees = Trees::new(space);
        let all = space.rows();
        while let Some(tree) = trees.smallest_below(k) {
            if run.time_is_up()? {
                return finish_with_mondrian(problem, run, Vec::new(), &(0..all as u32).collect::<Vec<_>>());
            }
            if !trees.grow(tree) {
                break;
            }
            run.watch.progress(trees.edges as u64, all as u64);
        }
        let Trees { mut neighbours, members, .. } = trees;
        let roots: Vec<u32> = members.iter().filter_map(|rows| rows.iter().min().copied()).collect();
        let mut lists: Vec<Vec<u32>> =
            roots.into_iter().flat_map(|root| decompose(&mut neighbours, all, root, k)).collect();
        lists.sort_by_key(|rows| rows[0]);
        let lists = repair(problem, run, lists)?;
        Ok(Solution::from_clusters(all, &lists))
    }
}

/// A forest while it grows. A tree is known by a number; one that was joined to another has no members.
struct Trees<'a> {
    space: &'a Space<'a>,
    group_of: Vec<u32>,
    tree_of: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// Per tree: its row without an outgoing edge.
    sink: Vec<u32>,
    /// Trees by size, then lowest row.
    by_size: BTreeSet<(usize, u32, u32)>,
    lowest: Vec<u32>,
    neighbours: Vec<Vec<u32>>,
    edges: usize,
}

impl<'a> Trees<'a> {
    fn new(space: &'a Space<'a>) -> Self {
        let rows = space.rows() as u32;
        Self {
            space,
            group_of: space.groups().of_rows(),
            tree_of: (0..rows).collect(),
            members: (0..rows).map(|row| vec![row]).collect(),
            sink: (0..rows).collect(),
            by_size: (0..rows).map(|row| (1, row, row)).collect(),
            lowest: (0..rows).collect(),
            neighbours: vec![Vec::new(); rows as usize],
            edges: 0,
        }
    }

    fn smallest_below(&self, k: usize) -> Option<u32> {
        self.by_size.first().filter(|(size, ..)| *size < k).map(|(.., tree)| *tree)
    }

    /// Joins a tree to the one with the row nearest to its sink; false when there is no other.
    fn grow(&mut self, tree: u32) -> bool {
        let from = self.sink[tree as usize];
        let Some(to) = self.nearest_outside(tree, from) else { return false };
        self.neighbours[from as usize].push(to);
        self.neighbours[to as usize].push(from);
        self.edges += 1;
        let host = self.tree_of[to as usize];
        for t in [tree, host] {
            self.by_size.remove(&(self.members[t as usize].len(), self.lowest[t as usize], t));
        }
        let moved = std::mem::take(&mut self.members[tree as usize]);
        for &row in &moved {
            self.tree_of[row as usize] = host;
        }
        self.lowest[host as usize] = self.lowest[host as usize].min(self.lowest[tree as usize]);
        self.members[host as usize].extend(moved);
        self.by_size.insert((self.members[host as usize].len(), self.lowest[host as usize], host));
        true
    }

    /// The row outside the tree that costs least together with the given one; lowest row first.
    fn nearest_outside(&self, tree: u32, from: u32) -> Option<u32> {
        let (space, groups) = (self.space, self.space.groups());
        let tables = Tables::new(space, &space.tuple(self.group_of[from as usize] as usize));
        // Only the tree's own groups can have a first row inside it.
        let mut own: Vec<u32> =
            self.members[tree as usize].iter().map(|&row| self.group_of[row as usize]).collect();
        own.sort_unstable();
        own.dedup();
        let outside = |&&row: &&u32| self.tree_of[row as usize] != tree;
        let first = |group: usize| match own.binary_search(&(group as u32)) {
            Ok(_) => groups.rows(group).iter().find(outside).copied(),
            Err(_) => Some(groups.rows(group)[0]),
        };
        let of_chunk = |chunk: std::ops::Range<usize>| {
            let mut joined = vec![0u64; chunk.len()];
            for (dim, table) in tables.columns().iter().enumerate() {
                add_up(&mut joined, &space.ranks(dim)[chunk.clone()], table);
            }
            chunk.zip(joined).filter_map(|(group, cost)| Some((cost, first(group)?))).min()
        };
        let nearer = |a: Option<(u64, u32)>, b: Option<(u64, u32)>| a.into_iter().chain(b).min();
        scan(groups.len(), of_chunk, nearer).flatten().map(|(_, row)| row)
    }
}
