//! What the nodes of a hierarchy cost under a measure: parts of a whole.

use super::Measure;
use super::gauge::{Bits, ratio};
use super::scale::equal_steps;
use super::weights::{height_weight, whd_by};
use crate::data::{Attribute, Hierarchy, Node, Span};

/// What every node of one attribute costs.
pub(super) struct TreeCosts {
    /// Per node.
    parts: Vec<f64>,
    /// Of what; 0 where nothing can be lost.
    whole: f64,
    /// Whether parts and whole are numbers of something, such as levels, values or years.
    counted: bool,
}

impl TreeCosts {
    pub(super) fn new(measure: Measure, attribute: &Attribute, h: &Hierarchy) -> Self {
        let costs = match measure {
            Measure::Il => {
                attribute.spans().map_or_else(|| by_height(h), |spans| by_width(h, &attribute.counts, &spans))
            }
            Measure::Lm => by_values(h, &attribute.counts),
            Measure::Entropy => by_entropy(h, &attribute.counts),
            Measure::Whd { beta } => by_weight(attribute, h, beta),
            Measure::Ncp => by_leaves(h),
        };
        let costs = costs.by_label(h);
        if measure.is_monotone() { costs.rising(h) } else { costs }
    }

    /// Short paths are often filled up by repeating a label. Who reads it cannot know how high it stands: wherever it does, it
    /// costs what the node costs that a reader must take it for. A value that is called like a group above it is left alone,
    /// because values cost nothing.
    fn by_label(mut self, h: &Hierarchy) -> Self {
        let read = |node: Node| if h.is_leaf(node) { node } else { h.node(h.label(node)).unwrap_or(node) };
        self.parts = (0..h.len() as Node).map(|node| self.parts[read(node) as usize]).collect();
        self
    }

    /// What lies above another group costs no less, also where it is called like a value far below both.
    fn rising(mut self, h: &Hierarchy) -> Self {
        for node in 0..h.root() as usize {
            let above = h.parent(node as Node).map_or(node, |parent| parent as usize);
            self.parts[above] = self.parts[above].max(self.parts[node]);
        }
        self
    }

    /// Of how many equal steps all costs are multiples.
    pub(super) fn steps(&self) -> Option<u32> {
        if self.counted { equal_steps(&self.parts, self.whole) } else { None }
    }

    /// What a node costs.
    pub(super) fn of(&self, node: Node) -> f64 {
        ratio(self.parts[node as usize], self.whole)
    }
}

/// `part` of every node, of a whole.
fn all(h: &Hierarchy, whole: f64, part: impl Fn(Node) -> f64) -> TreeCosts {
    TreeCosts { parts: (0..h.len() as Node).map(part).collect(), whole, counted: true }
}

/// What every node costs, by a formula.
fn any(h: &Hierarchy, cost: impl Fn(Node) -> f64) -> TreeCosts {
    TreeCosts { counted: false, ..all(h, 1.0, cost) }
}

/// Subtree height over tree height (Truta et al. 2008); in unbalanced trees a leaf has height 0 wherever it hangs.
fn by_height(h: &Hierarchy) -> TreeCosts {
    all(h, f64::from(h.height()), |node| f64::from(h.height_of(node)))
}

/// Numbers with a tree of ranges: width over the range of the table, as for intervals that nobody wrote a hierarchy for (Truta
/// et al. 2008, Definition 6). The label counts, not the values that happen to lie inside (`algorithms.md` §4.4); where it has
/// no bound it reaches as far as the table does. The root says nothing.
fn by_width(h: &Hierarchy, counts: &[u32], spans: &[Option<Span>]) -> TreeCosts {
    let occurring = counts.iter().zip(spans).filter(|(count, _)| **count > 0).filter_map(|(_, span)| *span);
    let (least, most) = occurring
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), (x, _)| (least.min(x), most.max(x)));
    let range = (most - least).max(0.0);
    let bounded = |(low, high): Span| {
        let low = if low.is_finite() { low } else { least.min(high) };
        let high = if high.is_finite() { high } else { most.max(low) };
        (high - low).min(range)
    };
    // In a column of one value nothing is lost but by the root.
    let whole = if range > 0.0 { range } else { 1.0 };
    let width = |node: Node| spans[node as usize].map_or(0.0, bounded);
    all(h, whole, |node| if node == h.root() { whole } else { width(node) })
}

/// How many other values of the table a node leaves possible (Gionis et al. 2008, equation (4)).
fn by_values(h: &Hierarchy, counts: &[u32]) -> TreeCosts {
    let mut before = vec![0_u32];
    before.extend(counts.iter().scan(0, |sum, &count| {
        *sum += u32::from(count > 0);
        Some(*sum)
    }));
    let others = |node: Node| {
        let leaves = h.leaves(node);
        let present = before[leaves.end as usize] - before[leaves.start as usize];
        f64::from(present.saturating_sub(1))
    };
    all(h, others(h.root()), others)
}

/// Bits of uncertainty (Gionis et al. 2008, equation (3)); not a share of anything.
fn by_entropy(h: &Hierarchy, counts: &[u32]) -> TreeCosts {
    let bits = Bits::new(counts);
    any(h, |node| {
        let leaves = h.leaves(node);
        bits.entropy(leaves.start as usize, leaves.end as usize)
    })
}

/// The weighted steps of Li et al. 2006, counted from the leaves, so that no value costs anything before it is generalized.
fn by_weight(attribute: &Attribute, h: &Hierarchy, beta: f64) -> TreeCosts {
    if beta == 0.0 && attribute.level_weights.is_empty() {
        return by_height(h);
    }
    let levels = h.height() + 1;
    let given = |j: u32| attribute.level_weights.iter().find(|(level, _)| *level == j);
    let weight = |j: u32| given(j).map_or_else(|| height_weight(j, beta), |(_, w)| *w);
    any(h, |node| whd_by(levels, levels, levels - h.height_of(node), weight))
}

/// The share of declared leaves; a leaf itself has lost nothing.
fn by_leaves(h: &Hierarchy) -> TreeCosts {
    let leaves = |node: Node| if h.is_leaf(node) { 0.0 } else { h.leaves(node).len() as f64 };
    all(h, f64::from(h.leaf_count()), leaves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Domain;

    fn attribute(paths: &[&[&str]], counts: Vec<u32>) -> Attribute {
        let tree = Hierarchy::from_paths("age", paths.iter().map(|path| path.iter().copied())).unwrap();
        Attribute::new("age", Domain::Tree(tree), counts)
    }

    fn cost(attribute: &Attribute, measure: Measure, label: &str) -> f64 {
        let Domain::Tree(h) = &attribute.domain else { unreachable!() };
        TreeCosts::new(measure, attribute, h).of(h.node(label).unwrap())
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    /// Ages 17 to 90 in the spelling of a well-known file: 19 of 73 years, at whatever height.
    #[test]
    fn ranges_cost_by_width() {
        let paths: &[&[&str]] = &[
            &["17", "15-19", "10-19", "0-19", "*"],
            &["37", "35-39", "30-39", "20-39", "*"],
            &["90", "90-94", "90-99", "80-99", "*"],
        ];
        let age = attribute(paths, vec![1, 2, 1]);
        for (label, width) in [("17", 0.0), ("35-39", 4.0), ("30-39", 9.0), ("80-99", 19.0), ("*", 73.0)] {
            near(cost(&age, Measure::Il, label), width / 73.0);
        }
        // Values that do not occur widen no range.
        let age = attribute(paths, vec![1, 2, 0]);
        near(cost(&age, Measure::Il, "0-19"), 19.0 / 20.0);
        near(cost(&age, Measure::Il, "80-99"), 19.0 / 20.0);
        near(cost(&age, Measure::Lm, "30-39"), 0.0);
        near(cost(&age, Measure::Whd { beta: 0.0 }, "30-39"), 0.5);
    }

    #[test]
    fn labels_without_bound_reach_as_far_as_the_table() {
        let paths: &[&[&str]] =
            &[&["10", "<18", "*"], &["40", "[18, 65[", "*"], &["70", "65+", "*"], &["", "*"]];
        let age = attribute(paths, vec![1, 1, 1, 1]);
        near(cost(&age, Measure::Il, "<18"), 8.0 / 60.0);
        near(cost(&age, Measure::Il, "[18, 65["), 47.0 / 60.0);
        near(cost(&age, Measure::Il, "65+"), 5.0 / 60.0);
        near(cost(&age, Measure::Il, ""), 0.0);
        near(cost(&age, Measure::Il, "*"), 1.0);
    }

    #[test]
    fn a_repeated_label_costs_the_same_everywhere() {
        let paths: &[&[&str]] = &[
            &["a", "a", "a", "*"],
            &["b", "bc", "bc", "*"],
            &["c", "bc", "bc", "*"],
            &["d", "D", "DE", "*"],
            &["f", "F", "F", "*"],
            &["g", "G", "F", "*"],
        ];
        let place = attribute(paths, vec![1; 6]);
        let Domain::Tree(h) = &place.domain else { unreachable!() };
        for measure in [Measure::Il, Measure::Lm, Measure::Ncp, Measure::Whd { beta: 1.0 }] {
            let costs = TreeCosts::new(measure, &place, h);
            for node in 0..h.len() as Node {
                near(costs.of(node), costs.of(h.node(h.label(node)).unwrap()));
            }
        }
        near(cost(&place, Measure::Il, "a"), 0.0);
        near(cost(&place, Measure::Il, "bc"), 1.0 / 3.0);
        // `F` for `f` alone: the reader must think of `g`, too.
        near(cost(&place, Measure::Il, "F"), 2.0 / 3.0);
        // Another label is another step, whatever lies below.
        near(cost(&place, Measure::Il, "DE"), 2.0 / 3.0);
        // Called like the value far below it.
        let odd = attribute(&[&["x", "y", "x", "*"], &["z", "*"]], vec![1; 2]);
        let Domain::Tree(h) = &odd.domain else { unreachable!() };
        let costs = TreeCosts::new(Measure::Il, &odd, h);
        let way_up = std::iter::successors(Some(0), |&node| h.parent(node)).map(|node| costs.of(node));
        assert!(way_up.is_sorted());
    }

    #[test]
    fn declared_categories_and_constant_columns() {
        let paths: &[&[&str]] = &[&["17", "15-19", "0-19", "*"], &["37", "35-39", "20-39", "*"]];
        let code = Attribute { is_category: true, ..attribute(paths, vec![1, 2]) };
        near(cost(&code, Measure::Il, "0-19"), 2.0 / 3.0);
        let constant = attribute(paths, vec![0, 2]);
        near(cost(&constant, Measure::Il, "20-39"), 0.0);
        near(cost(&constant, Measure::Il, "*"), 1.0);
    }
}
