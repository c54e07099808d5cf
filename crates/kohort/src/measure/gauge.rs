//! A measure laid along one attribute.

use super::Measure;
use super::scale::equal_steps;
use super::tree_costs::TreeCosts;
use crate::data::{Attribute, Cell, Domain, Node, Numbers};

/// What every cell of one attribute costs under one measure.
pub struct Gauge {
    measure: Measure,
    shape: Shape,
    full: f64,
}

enum Shape {
    Tree(TreeCosts),
    Interval { numbers: Numbers, others: f64, bits: Bits },
}

impl Gauge {
    /// Prepares the measure for the attribute.
    pub fn new(measure: Measure, attribute: &Attribute) -> Self {
        let bits = Bits::new(&attribute.counts);
        let everything = bits.entropy(0, attribute.counts.len());
        let others = attribute.present().saturating_sub(1) as f64;
        let shape = match &attribute.domain {
            Domain::Tree(h) => Shape::Tree(TreeCosts::new(measure, attribute, h)),
            Domain::Interval(numbers) => Shape::Interval { numbers: numbers.clone(), others, bits },
        };
        let full = match measure {
            Measure::Entropy => everything,
            Measure::Whd { .. } if !can_lose(&attribute.domain) => 0.0,
            _ => 1.0,
        };
        Self { measure, shape, full }
    }

    /// Of how many equal steps all costs are multiples; none where they are of no equal steps.
    pub(super) fn steps(&self) -> Option<u32> {
        match (&self.shape, self.measure) {
            (Shape::Tree(costs), _) => costs.steps(),
            (Shape::Interval { .. }, Measure::Entropy) => None,
            (Shape::Interval { others, .. }, Measure::Lm) => equal_steps(&[1.0], *others),
            (Shape::Interval { numbers, .. }, _) => {
                let ends: Vec<(f64, f64)> =
                    (0..numbers.len()).map(|code| numbers.bounds(Cell { lo: code, hi: code })).collect();
                let first = ends.first().map_or(0.0, |(lo, _)| *lo);
                let widths: Vec<f64> = ends.iter().flat_map(|(lo, hi)| [lo - first, hi - first]).collect();
                equal_steps(&widths, numbers.range())
            }
        }
    }

    /// A suppressed cell: fully lost.
    pub fn full(&self) -> f64 {
        self.full
    }

    /// A hierarchy node. Zero for attributes without hierarchy.
    pub fn node(&self, node: Node) -> f64 {
        match &self.shape {
            Shape::Tree(costs) => costs.of(node),
            Shape::Interval { .. } => 0.0,
        }
    }

    /// A cell of the search, as it is published: with its ends on the grid, if there is one. A single value off the grid then
    /// costs something, too.
    #[inline]
    pub fn cell(&self, cell: Cell) -> f64 {
        match &self.shape {
            Shape::Tree(costs) => costs.of(cell.lo),
            Shape::Interval { numbers, .. } if numbers.is_missing(cell) => 0.0,
            Shape::Interval { numbers, .. } if numbers.is_any(cell) => self.full,
            Shape::Interval { numbers, .. } => {
                let (lo, hi) = numbers.bounds(cell);
                self.range(Some(numbers.inside(cell)), hi - lo)
            }
        }
    }

    /// A published interval of a given width that covers these codes of the table (or none of them). Its ends need not
    /// be values of the table: grids and other tools publish wider intervals than the closure.
    #[inline]
    pub fn range(&self, codes: Option<Cell>, width: f64) -> f64 {
        let Shape::Interval { numbers, others, bits } = &self.shape else { return 0.0 };
        match (self.measure, codes) {
            (Measure::Il | Measure::Whd { .. } | Measure::Ncp, _) => ratio(width, numbers.range()).min(1.0),
            (Measure::Lm, Some(c)) => ratio(f64::from(c.hi - c.lo), *others),
            (Measure::Entropy, Some(c)) => bits.entropy(c.lo as usize, c.hi as usize + 1),
            (Measure::Lm | Measure::Entropy, None) => 0.0,
        }
    }
}

/// Whether a value can become anything else. A column of which none can takes no part in the distortion, also where a row is
/// suppressed (`algorithms.md` §1).
fn can_lose(domain: &Domain) -> bool {
    match domain {
        Domain::Tree(h) => h.height() > 0,
        Domain::Interval(numbers) => numbers.range() > 0.0 || numbers.has_missing(),
    }
}

/// A constant attribute loses nothing: 0/0 is 0 (`algorithms.md` §13, S0).
pub(super) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Entropy of any range of codes in constant time: `log2 N - (sum c log2 c) / N` from two prefix sums.
pub(super) struct Bits {
    rows: Vec<f64>,
    weighted: Vec<f64>,
}

impl Bits {
    pub(super) fn new(counts: &[u32]) -> Self {
        let (mut rows, mut weighted) = (vec![0.0], vec![0.0]);
        let (mut n, mut s) = (0.0, 0.0);
        for &c in counts {
            let c = f64::from(c);
            n += c;
            s += if c > 0.0 { c * c.log2() } else { 0.0 };
            rows.push(n);
            weighted.push(s);
        }
        Self { rows, weighted }
    }

    pub(super) fn entropy(&self, start: usize, end: usize) -> f64 {
        let n = self.rows[end] - self.rows[start];
        if n <= 0.0 { 0.0 } else { (n.log2() - (self.weighted[end] - self.weighted[start]) / n).max(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Hierarchy, Kind};

    fn flat(counts: Vec<u32>) -> Attribute {
        let hierarchy = Hierarchy::flat("x", (0..counts.len()).map(|i| i.to_string())).unwrap();
        Attribute::new("x", Domain::Tree(hierarchy), counts)
    }

    /// `algorithms.md` §14.5.
    #[test]
    fn worked_example_5_entropy_is_not_monotone() {
        let paths = [vec!["a", "ab", "*"], vec!["b", "ab", "*"], vec!["c", "*"]];
        let hierarchy = Hierarchy::from_paths("x", paths).unwrap();
        let (ab, root) = (hierarchy.node("ab").unwrap(), hierarchy.root());
        let a = Attribute::new("x", Domain::Tree(hierarchy), vec![1, 1, 98]);
        let gauge = Gauge::new(Measure::Entropy, &a);
        assert!((gauge.node(ab) - 1.0).abs() < 1e-12);
        assert!((gauge.node(root) - 0.161_441).abs() < 5e-7);
    }

    #[test]
    fn constant_attributes_lose_nothing() {
        for measure in [Measure::Il, Measure::Lm, Measure::Entropy, Measure::Whd { beta: 1.0 }] {
            let attribute = flat(vec![4]);
            let gauge = Gauge::new(measure, &attribute);
            let cost = gauge.node(0);
            assert!(cost.abs() < 1e-12, "{measure:?} {cost}");
        }
    }

    #[test]
    fn what_can_lose_nothing_is_no_distortion_when_suppressed() {
        let full = |measure, attribute: &Attribute| Gauge::new(measure, attribute).full();
        let numbers = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            let (numbers, _) = Numbers::order(Kind::Integer, &texts, None).unwrap();
            Attribute::new("x", Domain::Interval(numbers), vec![1; texts.len()])
        };
        for beta in [0.0, 1.0] {
            let loses = [numbers(&["7"]), numbers(&["7", ""]), numbers(&["7", "8"]), flat(vec![4])]
                .map(|attribute| full(Measure::Whd { beta }, &attribute) > 0.0);
            assert_eq!(loses, [false, true, true, true]);
        }
        assert!((full(Measure::Il, &numbers(&["7"])) - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn lm_counts_the_values_that_occur() {
        let gauge = Gauge::new(Measure::Lm, &flat(vec![3, 0, 0, 2, 1]));
        assert!((gauge.node(5) - 1.0).abs() < 1e-12);
    }
}
