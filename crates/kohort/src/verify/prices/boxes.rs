//! All permitted boxes with enough rows: by how much the dearest of their rows pay too much.
//!
//! Columns get their cells one after the other. As long as the dearest rows of a part pay no more than what its cells cost so
//! far, every box inside is in order: it has no dearer rows, and costs at least as much.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::cells::{Cells, Line, ceiling};
use super::{Bounded, Patience, PriceLayer};
use crate::data::{Codes, Groups, Hierarchy, Table};

/// Different rows, the dearest first, and the cells of their columns.
pub(super) struct Boxes<'a> {
    cells: Vec<Cells<'a>>,
    /// Per column and place.
    codes: Vec<Vec<u32>>,
    price: Vec<i64>,
    count: Vec<u64>,
    /// Places that may meet in a box.
    regions: Vec<Vec<u32>>,
    /// How many rows a box needs, and of how many of them the mean price counts.
    rows: u64,
    shared_by: u64,
    patience: Patience<'a>,
    /// Entries looked at.
    work: AtomicU64,
    /// Whether somebody was told to stop.
    stopped: AtomicBool,
}

/// Parts with fewer entries are not handed to another thread.
const AT_ONCE: usize = 2000;

impl<'a> Boxes<'a> {
    pub(super) fn new(
        table: &'a Table,
        layer: &PriceLayer,
        kinds: &Groups,
        prices: &[i64],
        bounded: &Bounded,
        (shared_by, patience): (u64, Patience<'a>),
    ) -> Self {
        let mut order: Vec<usize> = (0..kinds.len()).collect();
        order.sort_by_key(|&kind| std::cmp::Reverse(prices[kind]));
        // Columns with few values first.
        let mut columns = layer.columns.clone();
        columns.sort_by_key(|&column| table.qi[column].attribute.present());
        let attributes = || columns.iter().map(|&column| &table.qi[column].attribute);
        // A row that is published by itself may cover others beyond their boundaries.
        let is_bounded = shared_by > 1;
        let cells: Vec<Cells<'a>> =
            attributes().map(|attribute| Cells::new(attribute, bounded.measure, is_bounded)).collect();
        let code = |column: usize, kind: usize| table.qi[column].codes.get(kinds.rows(kind)[0] as usize);
        let codes: Vec<Vec<u32>> =
            columns.iter().map(|&column| order.iter().map(|&kind| code(column, kind)).collect()).collect();
        let regions = if is_bounded {
            let ceilings: Vec<Codes> = attributes()
                .zip(&codes)
                .map(|(attribute, codes)| codes.iter().map(|&code| ceiling(attribute, code)).collect())
                .collect();
            let by: Vec<_> =
                ceilings.iter().map(|c| (c, c.iter().max().map_or(1, |most| most + 1))).collect();
            let groups = Groups::by(order.len(), &by);
            (0..groups.len()).map(|group| groups.rows(group).to_vec()).collect()
        } else {
            vec![(0..order.len() as u32).collect()]
        };
        Self {
            cells,
            codes,
            price: order.iter().map(|&kind| prices[kind]).collect(),
            count: order.iter().map(|&kind| kinds.rows(kind).len() as u64).collect(),
            regions,
            rows: u64::from(bounded.k.max(1)),
            shared_by,
            patience,
            work: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// By how much the dearest rows of a box pay too much together: the worst of all boxes; 0 where none does. None where more
    /// than patience lasts for would have to be looked at.
    pub(super) fn worst(self) -> Option<i64> {
        let worst = self.regions.par_iter().map(|region| self.column(0, region, 0)).max().unwrap_or(0);
        // Whoever looks first: they are all counted before anybody stops.
        (!self.stopped.into_inner()).then_some(worst)
    }

    /// Counts entries; says whether they are too many, or time is up.
    fn is_too_much(&self, entries: usize) -> bool {
        let entries = entries as u64;
        let looked_at = self.work.fetch_add(entries, Ordering::Relaxed) + entries;
        let stop = looked_at > self.patience.most || !(self.patience.goes_on)();
        if stop {
            self.stopped.store(true, Ordering::Relaxed);
        }
        stop
    }

    /// What the dearest rows of a part pay together beyond this cost of each; nothing where there are too few rows.
    fn excess(&self, part: &[u32], cost: i64) -> i64 {
        let (mut rows, mut sharing, mut paid) = (0, 0, 0);
        for &place in part {
            let count = self.count[place as usize];
            let taken = count.min(self.shared_by - sharing);
            rows += count;
            sharing += taken;
            paid += taken.cast_signed() * self.price[place as usize];
            if sharing == self.shared_by && rows >= self.rows {
                return paid - self.shared_by.cast_signed() * cost;
            }
        }
        0
    }

    /// The boxes inside a part whose cells up to this column are known.
    fn column(&self, column: usize, part: &[u32], cost: i64) -> i64 {
        let excess = self.excess(part, cost);
        if excess <= 0 || column == self.cells.len() || self.is_too_much(part.len()) {
            return excess.max(0);
        }
        match &self.cells[column] {
            Cells::Tree { h, below, cost: costs } => {
                self.node((column, h, below, costs), h.root(), part, cost)
            }
            Cells::Line(line) => self.intervals(column, line, part, cost),
        }
    }

    /// The boxes whose cell is a node, or below it.
    fn node(&self, tree: Tree<'_>, node: u32, part: &[u32], cost: i64) -> i64 {
        let (column, h, below, costs) = tree;
        let parts = self.apart(column, h, &below[node as usize], part);
        if let [(only, _)] = parts[..] {
            // All of it may become the lower node, which costs no more.
            return self.node(tree, only, part, cost);
        }
        let own = || self.column(column + 1, part, cost + costs[node as usize]);
        let inside = |(child, part): &(u32, Vec<u32>)| {
            if self.excess(part, cost) > 0 { self.node(tree, *child, part, cost) } else { 0 }
        };
        if part.len() < AT_ONCE {
            return parts.iter().map(inside).max().unwrap_or(0).max(own());
        }
        let (own, inside) = rayon::join(own, || parts.par_iter().map(inside).max().unwrap_or(0));
        own.max(inside)
    }

    /// A part by the nodes directly below another one; none for a value.
    fn apart(&self, column: usize, h: &Hierarchy, below: &[u32], part: &[u32]) -> Vec<(u32, Vec<u32>)> {
        let mut parts: Vec<(u32, Vec<u32>)> = below.iter().map(|&node| (node, Vec::new())).collect();
        if parts.is_empty() {
            return parts;
        }
        for &place in part {
            let code = self.codes[column][place as usize];
            let at = below.partition_point(|&node| h.leaves(node).end <= code);
            parts[at].1.push(place);
        }
        parts.retain(|(_, part)| !part.is_empty());
        parts
    }

    /// The boxes whose cell is an interval: from every lower end upwards.
    fn intervals(&self, column: usize, line: &Line<'_>, part: &[u32], cost: i64) -> i64 {
        let mut entries: Vec<(u32, u32)> =
            part.iter().map(|&place| (self.codes[column][place as usize], place)).collect();
        entries.sort_unstable();
        let starts: Vec<usize> =
            (0..entries.len()).filter(|&at| at == 0 || entries[at - 1].0 < entries[at].0).collect();
        let dearest = self.excess(part, 0);
        let from = |&start: &usize| self.upwards(column, line, &entries[start..], (dearest, cost));
        if part.len() < AT_ONCE {
            return starts.iter().map(from).max().unwrap_or(0);
        }
        starts.par_iter().map(from).max().unwrap_or(0)
    }

    /// The intervals that begin with the first entry. `dearest` is what the dearest rows of all entries pay.
    fn upwards(
        &self,
        column: usize,
        line: &Line<'_>,
        entries: &[(u32, u32)],
        (dearest, before): (i64, i64),
    ) -> i64 {
        let (mut inside, mut at, mut worst) = (Vec::new(), 0, 0);
        while at < entries.len() {
            let code = entries[at].0;
            let Some(own) = line.cost(entries[0].0, code) else { break };
            let cost = before + own;
            if dearest <= self.shared_by.cast_signed() * cost {
                break; // a longer one costs no less
            }
            while at < entries.len() && entries[at].0 == code {
                let place = entries[at].1;
                let slot = inside.partition_point(|&other| other < place);
                inside.insert(slot, place);
                at += 1;
            }
            worst = self.column(column + 1, &inside, cost).max(worst);
        }
        worst
    }
}

/// The tree of a column: which column it is, its hierarchy, what lies below every node, and what nodes cost.
type Tree<'t> = (usize, &'t Hierarchy, &'t [Vec<u32>], &'t [i64]);
