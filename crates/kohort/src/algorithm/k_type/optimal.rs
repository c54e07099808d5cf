//! The optimal (k,1)-anonymization (`algorithms.md` §10.6): for every row the cheapest tuple that covers it and k rows in all.
//!
//! Gionis et al. 2008 calls it impractical, O(nᵏ), because it looks for k − 1 companions. But only tuples count, and along hierarchies
//! a row has few: one per choice of an ancestor in every column. For each choice of depths the rows are grouped by their
//! ancestors at these depths; a group of k rows is a tuple for each of them. One column may be hierarchy-free: within a
//! group its rows are laid out by value, and every row takes the cheapest interval around it with k rows. For measures
//! where a larger cell costs at least as much, this also bounds the loss of every k-, (k,k)- and (k,1)-anonymous table from
//! below, row by row.
//!
//! *Complexity* O(d · ∏(hⱼ + 1)) for d different rows and hierarchies of heights hⱼ. *Guarantee*: no (k,1)-anonymization
//! costs less. NearPairs: the first depths, from the values up.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Tuples;
use super::start::Kinds;
use crate::algorithm::{Problem, Run};
use crate::data::{Cell, Domain, Hierarchy};
use crate::error::{Error, Result};

/// Choices of depths beyond which the search is refused.
const CHOICES: u64 = 1_000_000;

/// Choices times kinds of rows up to which nobody need ask for it: seconds.
const QUICK: u64 = 1 << 26;

/// Whether the search is possible, and soon done.
pub(super) fn is_quick(problem: Problem<'_>, kinds: &Kinds<'_>) -> bool {
    let search = Search::new(kinds, u64::from(problem.demands.k()));
    search.is_ok_and(|search| search.choices().saturating_mul(kinds.count.len() as u64) <= QUICK)
}

/// One tuple per kind of rows; none when time is up.
pub(super) fn of_kinds(problem: Problem<'_>, kinds: &Kinds<'_>, run: &Run<'_>) -> Result<Option<Tuples>> {
    let mut search = Search::new(kinds, u64::from(problem.demands.k()))?;
    let all = search.choices();
    for choice in 0..all {
        if run.time_is_up()? {
            return Ok(None);
        }
        search.try_depths(choice);
        run.watch.progress(choice, all);
    }
    Ok(Some(search.best.into_iter().map(|(_, tuple)| tuple).collect()))
}

struct Search<'a> {
    kinds: &'a Kinds<'a>,
    k: u64,
    trees: Vec<(usize, &'a Hierarchy)>,
    line: Option<usize>,
    best: Vec<(u64, Vec<Cell>)>,
}

impl<'a> Search<'a> {
    fn new(kinds: &'a Kinds<'a>, k: u64) -> Result<Self> {
        let (mut trees, mut lines) = (Vec::new(), Vec::new());
        for dim in 0..kinds.space.dims() {
            match &kinds.space.attribute(dim).domain {
                Domain::Tree(h) => trees.push((dim, h)),
                Domain::Interval(_) => lines.push(dim),
            }
        }
        let refuse = |what: String, help: &str| {
            Err(Error::job(what).option_with("algorithm", "k1-optimal").help(help))
        };
        if lines.len() > 1 {
            return refuse(
                format!("{} columns have no hierarchy, expected one at most", lines.len()),
                "give the others a hierarchy, or use k1-expansion",
            );
        }
        let nobody = vec![(u64::MAX, Vec::new()); kinds.count.len()];
        let search = Self { kinds, k, trees, line: lines.first().copied(), best: nobody };
        if search.choices() > CHOICES {
            return refuse(
                format!("{} choices of levels, expected at most {CHOICES}", search.choices()),
                "use fewer or lower hierarchies, or k1-expansion",
            );
        }
        Ok(search)
    }

    fn choices(&self) -> u64 {
        self.trees.iter().fold(1u64, |n, (_, h)| n.saturating_mul(u64::from(h.height()) + 1))
    }

    /// Groups all kinds by their ancestors at one choice of depths, deepest first.
    fn try_depths(&mut self, mut choice: u64) {
        let mut depths = Vec::new();
        for (_, h) in &self.trees {
            let levels = u64::from(h.height()) + 1;
            depths.push(h.height() - (choice % levels) as u32);
            choice /= levels;
        }
        let columns: Vec<Vec<u32>> = self
            .trees
            .iter()
            .zip(&depths)
            .map(|((dim, h), &depth)| {
                let up: Vec<u32> = (0..h.leaf_count()).map(|leaf| ancestor(h, leaf, depth)).collect();
                self.kinds.codes[*dim].iter().map(|&code| up[code as usize]).collect()
            })
            .collect();
        let cost = |kind: usize| -> u64 {
            let cells = self.trees.iter().zip(&columns);
            cells.map(|((dim, _), c)| u64::from(self.kinds.space.cell_cost(*dim, at(c[kind])))).sum()
        };
        if (0..self.best.len()).all(|kind| cost(kind) >= self.best[kind].0) {
            return;
        }
        let mut groups: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
        for kind in 0..self.best.len() {
            groups.entry(columns.iter().map(|c| c[kind]).collect()).or_default().push(kind);
        }
        let large = groups.into_iter().filter(|(_, members)| {
            members.iter().map(|&kind| u64::from(self.kinds.count[kind])).sum::<u64>() >= self.k
        });
        let large: Vec<_> = large.map(|(nodes, members)| (cost(members[0]), nodes, members)).collect();
        for (base, nodes, members) in large {
            self.offer(&nodes, base, members);
        }
    }

    /// Offers a group's tuple to its members; with the cheapest interval around each, where a column has no hierarchy.
    fn offer(&mut self, nodes: &[u32], base: u64, members: Vec<usize>) {
        let Some(dim) = self.line else {
            for kind in members {
                self.take(kind, base, nodes, None);
            }
            return;
        };
        let mut by_code: BTreeMap<u32, (u64, Vec<usize>)> = BTreeMap::new();
        for kind in members {
            let entry = by_code.entry(self.kinds.codes[dim][kind]).or_default();
            entry.0 += u64::from(self.kinds.count[kind]);
            entry.1.push(kind);
        }
        let values: Vec<(u32, u64)> = by_code.iter().map(|(&code, (rows, _))| (code, *rows)).collect();
        for (own, (_, kinds)) in by_code.into_values().enumerate() {
            let Some((cost, cell)) = self.cheapest(dim, &values, own) else { continue };
            for kind in kinds {
                self.take(kind, base + cost, nodes, Some(cell));
            }
        }
    }

    /// The cheapest cell around a value that holds k rows: every start at or below it, and the first end that is enough.
    fn cheapest(&self, dim: usize, values: &[(u32, u64)], own: usize) -> Option<(u64, Cell)> {
        let space = self.kinds.space;
        let mut best: Option<(u64, Cell)> = None;
        for from in (0..=own).rev() {
            let mut rows: u64 = values[from..=own].iter().map(|(_, n)| n).sum();
            let mut to = own;
            while rows < self.k && to + 1 < values.len() {
                to += 1;
                rows += values[to].1;
            }
            if rows < self.k {
                continue;
            }
            let ends = (at(values[from].0), at(values[to].0));
            let cell = space.join_cell(dim, ends.0, ends.1);
            let cost = u64::from(space.cell_cost(dim, cell));
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, cell));
            }
        }
        best
    }

    fn take(&mut self, kind: usize, cost: u64, nodes: &[u32], cell: Option<Cell>) {
        if cost >= self.best[kind].0 {
            return;
        }
        let mut tuple = vec![Cell { lo: 0, hi: 0 }; self.kinds.space.dims()];
        for ((dim, _), &node) in self.trees.iter().zip(nodes) {
            tuple[*dim] = at(node);
        }
        if let (Some(dim), Some(cell)) = (self.line, cell) {
            tuple[dim] = cell;
        }
        self.best[kind] = (cost, tuple);
    }
}

fn at(node: u32) -> Cell {
    Cell { lo: node, hi: node }
}

/// The ancestor of a leaf at a depth; the leaf itself where it does not lie that deep.
fn ancestor(h: &Hierarchy, leaf: u32, depth: u32) -> u32 {
    let mut node = leaf;
    while h.depth(node) > depth {
        node = h.parent(node).unwrap_or(node);
    }
    node
}
