//! A walk over closed boxes: for every tuple, by how much its price is too high at most.
//!
//! Take prices y and a box B of cost c(B) with enough rows. No class in B pays more than k · c(B), so the k largest prices of
//! its rows must not exceed that. A tuple r of B is *at fault* there by
//! `sum of the k - 1 largest + min(y_r, k-th largest) - k · c(B)`: the most by which a set of k rows with r among them
//! exceeds. The walk finds the maximum over all boxes with r; below zero it says how much more r could pay.
//!
//! Depth first over the axes. Tuples stand in the order of their prices, and parts keep that order, so that the largest
//! prices of a part are its beginning. A part is left as soon as none of its tuples can be more at fault inside than it is
//! known to be: boxes inside have no larger prices and cost at least as much. For the same reason a part that there is no
//! time for may be treated as one box at the cost that it has so far: faults are then too high, never too low.

mod judge;
mod split;
mod sweep;

use std::ops::Range;

use super::axis::{Axis, FORBIDDEN, Line, Tree};
use super::sets::{NO_SET, Sets};
use super::terrain::Terrain;
use sweep::Sweep;

/// What a walk starts from, with tuples in order of descending prices.
pub(super) struct Ordered<'a> {
    pub(super) terrain: &'a Terrain<'a>,
    /// The tuple at every place.
    pub(super) order: Vec<u32>,
    pub(super) price: Vec<i64>,
    pub(super) count: Vec<u32>,
    /// Per axis and place.
    pub(super) ranks: Vec<Vec<u32>>,
    /// What any box with the tuple costs at least, as far as that is known.
    pub(super) least: Vec<i64>,
    /// How much it is at fault at least, as far as that is known.
    pub(super) fault: Vec<i64>,
}

/// How far a walk may go.
#[derive(Clone, Copy)]
pub(super) struct Limits<'a> {
    /// Entries that may be looked at before parts are treated as boxes.
    pub(super) work: u64,
    /// Asked now and then; when it says no, the walk ends and what it found is void.
    pub(super) go_on: &'a (dyn Fn() -> bool + Sync),
}

/// A part of the tuples to be looked at from some axis on, at the cost of what the axes before it have become.
pub(super) struct Task {
    pub(super) places: Vec<u32>,
    /// The cells of the axes before.
    cells: Vec<(u32, u32)>,
    cost: i64,
}

/// Walks through the boxes of one task after the other.
pub(super) struct Walk<'a> {
    from: &'a Ordered<'a>,
    limits: Limits<'a>,
    pub(super) fault: Vec<i64>,
    /// The set that says so, where one was found.
    pub(super) by: Vec<u32>,
    pub(super) sets: Sets,
    /// Entries looked at.
    pub(super) work: u64,
    /// At how much work to ask again whether to go on.
    ask_at: u64,
    pub(super) is_stopped: bool,
    /// Whether parts were taken as boxes for want of time.
    pub(super) is_cut: bool,
    /// Where parts are handed out as tasks instead of being walked through.
    hand_out: Option<usize>,
    tasks: Vec<Task>,
    /// Parts, one above the other.
    stack: Vec<u32>,
    /// Per axis: its node and the depth of that, or its interval.
    cells: Vec<(u32, u32)>,
    tally: Vec<(u32, u32)>,
    touched: Vec<u32>,
    sweep: Sweep,
}

/// Members of sets beyond which those that nobody refers to any longer are forgotten.
const MOST_MEMBERS: usize = 1 << 22;

/// Entries between two questions whether to go on.
const ASK_EVERY: u64 = 1 << 20;

/// Where the walk is: the axis, the part, and what it costs so far.
#[derive(Clone)]
struct At {
    axis: usize,
    part: Range<usize>,
    cost: i64,
}

impl<'a> Walk<'a> {
    pub(super) fn new(from: &'a Ordered<'a>, limits: Limits<'a>) -> Self {
        let axes = &from.terrain.axes;
        let nodes = axes.iter().map(|axis| match axis {
            Axis::Tree(tree) => tree.cost.len(),
            Axis::Line(_) => 0,
        });
        Self {
            from,
            limits,
            fault: from.fault.clone(),
            by: vec![NO_SET; from.price.len()],
            sets: Sets::default(),
            work: 0,
            ask_at: ASK_EVERY,
            is_stopped: false,
            is_cut: false,
            hand_out: None,
            tasks: Vec::new(),
            stack: Vec::new(),
            cells: vec![(0, 0); axes.len()],
            tally: vec![(0, 0); nodes.max().unwrap_or(0)],
            touched: Vec::new(),
            sweep: Sweep::default(),
        }
    }

    /// Cuts the regions along the first axes into the tasks of a pass; along none that is swept.
    pub(super) fn hand_out(mut self, axes: usize) -> Vec<Task> {
        let (all, last) = (self.from.terrain.axes.len(), self.from.terrain.axes.last());
        let swept = usize::from(matches!(last, Some(Axis::Line(_))));
        self.hand_out = Some(axes.min(all - swept));
        let mut place_of = vec![0; self.from.order.len()];
        for (place, &tuple) in self.from.order.iter().enumerate() {
            place_of[tuple as usize] = place as u32;
        }
        for region in &self.from.terrain.regions {
            let mut places: Vec<u32> = region.iter().map(|&tuple| place_of[tuple as usize]).collect();
            places.sort_unstable();
            self.run(&Task { places, cells: Vec::new(), cost: 0 });
        }
        self.tasks
    }

    /// All boxes of a task.
    pub(super) fn run(&mut self, task: &Task) {
        let axis = task.cells.len();
        self.cells[..axis].copy_from_slice(&task.cells);
        self.stack.clear();
        self.stack.extend_from_slice(&task.places);
        let part = 0..task.places.len();
        if self.has_crowd(part.clone()) {
            self.axis(At { axis, part, cost: task.cost });
        }
        if self.sets.size() > MOST_MEMBERS {
            self.sets.keep(&mut self.by);
        }
    }

    /// Whether what is left is to be taken as a box, for want of time.
    fn is_enough(&mut self) -> bool {
        if self.work > self.ask_at {
            self.ask_at = self.work + ASK_EVERY;
            self.is_stopped |= !(self.limits.go_on)();
        }
        self.is_cut |= self.work > self.limits.work;
        self.is_stopped || self.is_cut
    }

    /// A part that has its cells on all axes before this one.
    fn axis(&mut self, at: At) {
        if self.hand_out == Some(at.axis) {
            let (places, cells) = (self.stack[at.part].to_vec(), self.cells[..at.axis].to_vec());
            self.tasks.push(Task { places, cells, cost: at.cost });
            return;
        }
        let axes = &self.from.terrain.axes;
        let is_box = at.axis == axes.len();
        if is_box || self.is_enough() {
            self.offer(at.part, at.cost, is_box);
            return;
        }
        match &axes[at.axis] {
            Axis::Tree(tree) => self.node(tree, 0, at),
            Axis::Line(line) if at.axis + 1 == axes.len() => self.sweep(line, at),
            Axis::Line(line) => self.intervals(line, at),
        }
    }

    /// A part below one node of a tree, and below its children.
    fn node(&mut self, tree: &Tree, depth: usize, at: At) {
        let node = tree.at[depth][self.rank(at.axis, self.stack[at.part.start])];
        let own = At { cost: at.cost + tree.cost[node as usize], ..at.clone() };
        if tree.is_leaf[node as usize] {
            self.enter((node, depth as u32), own);
            return;
        }
        let below = self.stack.len();
        let Some(parts) = self.split(at.axis, &tree.at[depth + 1], at.part.clone()) else {
            // All of it lies below one child.
            self.node(tree, depth + 1, at);
            return;
        };
        for part in parts {
            let child = At { part, ..at.clone() };
            if self.is_worthwhile(&child) && self.is_closed(&child) {
                self.node(tree, depth + 1, child);
            }
        }
        self.stack.truncate(below);
        self.enter((node, depth as u32), own);
    }

    /// Goes on to the next axis with a cell of this one.
    fn enter(&mut self, cell: (u32, u32), at: At) {
        self.cells[at.axis] = cell;
        if self.is_worthwhile(&at) {
            self.axis(At { axis: at.axis + 1, ..at });
        }
    }

    /// All intervals of an axis that is not the last one.
    fn intervals(&mut self, line: &Line<'_>, at: At) {
        let mut values: Vec<u32> =
            self.stack[at.part.clone()].iter().map(|&p| self.rank(at.axis, p) as u32).collect();
        values.sort_unstable();
        values.dedup();
        for (from, &lo) in values.iter().enumerate() {
            for &hi in &values[from..] {
                let own = line.cost(lo as usize, hi as usize);
                let whole = At { cost: at.cost + own, ..at.clone() };
                if own >= FORBIDDEN || !self.is_worthwhile(&whole) {
                    break; // a longer one costs more
                }
                if self.is_enough() {
                    self.offer(at.part, at.cost, false);
                    return;
                }
                self.interval((lo, hi), &whole);
            }
        }
    }

    /// The tuples of a part that lie in an interval.
    fn interval(&mut self, (lo, hi): (u32, u32), at: &At) {
        let below = self.stack.len();
        self.work += at.part.len() as u64;
        for place in at.part.clone() {
            let place = self.stack[place];
            if (lo..=hi).contains(&(self.rank(at.axis, place) as u32)) {
                self.stack.push(place);
            }
        }
        let inside = At { part: below..self.stack.len(), ..at.clone() };
        if self.has_crowd(inside.part.clone()) && self.is_worthwhile(&inside) && self.is_closed(&inside) {
            self.cells[inside.axis] = (lo, hi);
            self.axis(At { axis: inside.axis + 1, ..inside });
        }
        self.stack.truncate(below);
    }

    #[inline]
    fn rank(&self, axis: usize, place: u32) -> usize {
        self.from.ranks[axis][place as usize] as usize
    }
}
