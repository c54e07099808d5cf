//! What the values of one column can become, and what that costs at least.

use crate::data::{Attribute, Boundary, Cell, Domain, Hierarchy, Numbers, is_within};
use crate::measure::{Gauge, Measure};

/// Values up to which the costs of all intervals are listed.
const LISTED: u32 = 1500;

/// The cells of a column. No cell costs more than a larger one that holds it: whoever may become the smaller may become the
/// larger as well, so nothing is proved about the smaller beyond that.
pub(super) enum Cells<'a> {
    /// Nodes of a tree, with what lies directly below each.
    Tree { h: &'a Hierarchy, below: Vec<Vec<u32>>, cost: Vec<i64> },
    /// Intervals of codes.
    Line(Line<'a>),
}

pub(super) struct Line<'a> {
    attribute: &'a Attribute,
    gauge: Gauge,
    codes: u32,
    listed: Vec<i64>,
    is_monotone: bool,
    /// Whether no interval may be wider than its owner allows.
    is_bounded: bool,
}

impl<'a> Cells<'a> {
    pub(super) fn new(attribute: &'a Attribute, measure: Measure, is_bounded: bool) -> Self {
        let gauge = Gauge::new(measure, attribute);
        match &attribute.domain {
            Domain::Interval(_) => Self::Line(Line::new(attribute, gauge, measure.is_monotone(), is_bounded)),
            Domain::Tree(h) => {
                let mut cost: Vec<i64> = (0..h.len() as u32).map(|node| whole(gauge.node(node))).collect();
                // What lies above a node has a larger number.
                for node in (0..h.root()).rev() {
                    let above = h.parent(node).map_or(i64::MAX, |up| cost[up as usize]);
                    cost[node as usize] = cost[node as usize].min(above);
                }
                Self::Tree { h, below: h.children_lists(), cost }
            }
        }
    }
}

/// A cost in whole numbers, never too high.
fn whole(cost: f64) -> i64 {
    (cost * super::ONE).floor() as i64
}

impl<'a> Line<'a> {
    fn new(attribute: &'a Attribute, gauge: Gauge, is_monotone: bool, is_bounded: bool) -> Self {
        let codes = attribute.code_count();
        let mut line = Self { attribute, gauge, codes, listed: Vec::new(), is_monotone, is_bounded };
        if codes <= LISTED {
            line.list();
        }
        line
    }

    fn list(&mut self) {
        let n = self.codes as usize;
        let mut listed = vec![i64::MAX; n * n];
        for width in (0..n).rev() {
            for lo in 0..n - width {
                let hi = lo + width;
                let own = self.own(lo as u32, hi as u32).unwrap_or(i64::MAX);
                let lower = if lo > 0 { listed[(lo - 1) * n + hi] } else { i64::MAX };
                let upper = if hi + 1 < n { listed[lo * n + hi + 1] } else { i64::MAX };
                listed[lo * n + hi] = own.min(lower).min(upper);
            }
        }
        self.listed = listed;
    }

    /// What an interval costs as it is; none where it is wider than its owner allows.
    fn own(&self, lo: u32, hi: u32) -> Option<i64> {
        let cell = self.attribute.join(Cell { lo, hi: lo }, Cell { lo: hi, hi });
        let Domain::Interval(numbers) = &self.attribute.domain else { return None };
        let fits = match &self.attribute.boundary {
            Some(Boundary::Line { width: Some(width), .. }) if self.is_bounded => {
                // As it is published: ends lie on the grid, if there is one. Missing values are among themselves.
                let missing = numbers.len();
                if hi == missing { lo == missing } else { is_within(numbers.bounds(Cell { lo, hi }), *width) }
            }
            _ => true,
        };
        fits.then(|| whole(self.gauge.cell(cell)))
    }

    /// What the interval between two codes costs at least; none where it is wider than its owner allows.
    pub(super) fn cost(&self, lo: u32, hi: u32) -> Option<i64> {
        match self.listed.get(lo as usize * self.codes as usize + hi as usize) {
            Some(&cost) => Some(cost).filter(|&cost| cost < i64::MAX),
            None if self.is_monotone => self.own(lo, hi),
            None => Some(0),
        }
    }
}

/// What a value may become at most, as a number that is the same for all that may meet: its nearest marked ancestor (Miller et
/// al. 2008, Definition 3), or the stretch between two cuts, where a missing number is on its own.
pub(super) fn ceiling(attribute: &Attribute, code: u32) -> u32 {
    match (&attribute.boundary, &attribute.domain) {
        (Some(Boundary::Nodes(marked)), Domain::Tree(h)) => {
            let up = std::iter::successors(Some(code), |&node| h.parent(node));
            up.into_iter().find(|node| marked.contains(node)).unwrap_or(h.root())
        }
        (Some(Boundary::Line { cuts, .. }), Domain::Interval(n)) => stretch(n, cuts, code),
        _ => 0,
    }
}

fn stretch(n: &Numbers, cuts: &[f64], code: u32) -> u32 {
    if code == n.len() {
        return cuts.len() as u32 + 1;
    }
    cuts.iter().filter(|&&cut| cut <= n.position(code)).count() as u32
}
