//! Few rows that lie apart, and for which a whole group is wide.
//!
//! A group counts as wide for few rows where without them it would show a range of half the width, or a node of half the height.
//!
//! Which rows a group was made of is written nowhere. They are among those that fit it, and so what is said of these holds for
//! them: without all fitting rows that lie apart, the others lie in a smaller cell, and the members among them do.

use super::shown::{Kinds, Shown};
use crate::data::{Attribute, Cell, Domain, Hierarchy, Node, Table};
use crate::measure::{Gauge, Measure};
use crate::report::Strays;
use crate::verify::Published;

/// Rows that a message names.
const NAMED: usize = 10;

/// What floating point may add to a width.
const ROUNDING: f64 = 1e-9;

/// At most one row of so many lies apart.
const ONE_OF: u64 = 10;

/// The most rows of a group that may lie apart from the others.
pub(super) fn most(rows: u64) -> u64 {
    (rows / ONE_OF).max(1)
}

/// The values of the rows that fit a group in one column, with how many rows have each, ascending by code.
fn values(table: &Table, dim: usize, kinds: &Kinds, fitting: &[u32]) -> Vec<(u32, u64)> {
    let codes = &table.qi[dim].codes;
    let mut values: Vec<(u32, u64)> =
        fitting.iter().map(|&kind| (codes.get(kinds.first(kind) as usize), kinds.count(&[kind]))).collect();
    values.sort_unstable();
    values.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0 };
        same
    });
    values
}

/// A smaller cell, and how many rows lie outside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Narrow {
    cell: Cell,
    outside: u64,
}

/// How wide a cell is to the eye, and what it loses.
pub(super) struct Gauges {
    /// Widths and heights decide which rows lie apart.
    width: Gauge,
    /// The loss that is told.
    pub(super) loss: Gauge,
}

impl Gauges {
    pub(super) fn new(attribute: &Attribute) -> Self {
        Self { width: Gauge::new(Measure::Il, attribute), loss: Gauge::new(Measure::Lm, attribute) }
    }
}

/// The rows without which a group would be half as wide in a column; none where no few rows are to blame.
pub(super) fn strays(
    (shown, group): (&Shown, usize),
    (table, dim): (&Table, usize),
    (kinds, fitting): (&Kinds, &[u32]),
    gauges: &Gauges,
) -> Option<Strays> {
    let attribute = &table.qi[dim].attribute;
    let cell = shown.cells[dim][group];
    let most = most(shown.rows[group].len() as u64);
    let values = values(table, dim, kinds, fitting);
    let narrow = match &attribute.domain {
        Domain::Tree(tree) => in_tree(tree, root_of(tree, cell), &values, most),
        Domain::Interval(_) => on_line(attribute, &values, most, &gauges.width),
    }?;
    let lm = gauges.loss.cell(narrow.cell);
    let is_half = 2.0 * gauges.width.cell(narrow.cell) <= cell.loss(&gauges.width) + ROUNDING;
    if narrow.outside == 0 || !is_half || lm >= cell.loss(&gauges.loss) {
        return None;
    }
    let is_outside =
        |kind: &u32| !attribute.contains(narrow.cell, table.qi[dim].codes.get(kinds.first(*kind) as usize));
    let apart = fitting.iter().copied().filter(is_outside);
    let mut rows: Vec<u64> = apart.flat_map(|kind| kinds.rows(kind)).map(|row| u64::from(row) + 1).collect();
    rows.sort_unstable();
    rows.truncate(NAMED);
    Some(Strays { rows, count: narrow.outside, becomes: attribute.text(narrow.cell), lm })
}

fn root_of(tree: &Hierarchy, cell: Published) -> Node {
    match cell {
        Published::Node(node) => node,
        _ => tree.root(),
    }
}

/// Down into the child that holds all values but few, as often as there is one.
fn in_tree(tree: &Hierarchy, from: Node, values: &[(u32, u64)], most: u64) -> Option<Narrow> {
    let all: u64 = values.iter().map(|(_, rows)| rows).sum();
    let (mut node, mut inside) = (from, all);
    loop {
        // What holds more than a half is above the value in the middle.
        let below = tree.leaves(node);
        let within: Vec<&(u32, u64)> = values.iter().filter(|(leaf, _)| below.contains(leaf)).collect();
        let mut seen = 0;
        let middle = within.iter().find(|(_, rows)| {
            seen += rows;
            2 * seen >= inside
        })?;
        let child = child_above(tree, node, middle.0)?;
        let range = tree.leaves(child);
        let kept: u64 = within.iter().filter(|(leaf, _)| range.contains(leaf)).map(|(_, rows)| rows).sum();
        if all - kept > most {
            break;
        }
        (node, inside) = (child, kept);
        if tree.is_leaf(node) {
            break;
        }
    }
    (node != from).then_some(Narrow { cell: Cell { lo: node, hi: node }, outside: all - inside })
}

/// The child of a node that a leaf lies below; none where the node is that leaf.
fn child_above(tree: &Hierarchy, node: Node, leaf: Node) -> Option<Node> {
    let mut up = std::iter::successors(Some(leaf), |&at| tree.parent(at));
    up.find(|&at| tree.parent(at) == Some(node))
}

/// The cheapest interval that holds all values but few, cut off at its ends.
fn on_line(attribute: &Attribute, values: &[(u32, u64)], most: u64, gauge: &Gauge) -> Option<Narrow> {
    let all: u64 = values.iter().map(|(_, rows)| rows).sum();
    let mut best: Option<(f64, Narrow)> = None;
    let mut low_out = 0;
    for (first, &(lo, rows)) in values.iter().enumerate() {
        if low_out > most {
            break;
        }
        let mut high_out = 0;
        for &(hi, rows) in values[first..].iter().rev() {
            let outside = low_out + high_out;
            if outside > most || outside >= all {
                break;
            }
            let cell = attribute.join(attribute.leaf(lo), attribute.leaf(hi));
            let found = (gauge.cell(cell), Narrow { cell, outside });
            let is_better = |(cost, narrow): &(f64, Narrow)| {
                found.0 < *cost || (found.0 <= *cost && outside < narrow.outside)
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some(found);
            }
            high_out += rows;
        }
        low_out += rows;
    }
    best.map(|(_, narrow)| narrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Kind, Numbers};

    fn ages(texts: &[&str]) -> Attribute {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let (numbers, _) = Numbers::order(Kind::Integer, &texts, None).unwrap();
        let counts = vec![1; numbers.code_count() as usize];
        Attribute::new("age", Domain::Interval(numbers), counts)
    }

    #[test]
    fn the_old_man_is_found() {
        let ages = ages(&["20", "21", "22", "23", "90"]);
        let gauge = Gauge::new(Measure::Il, &ages);
        let found = on_line(&ages, &[(0, 4), (1, 4), (2, 2), (4, 1)], 1, &gauge).unwrap();
        assert_eq!((found.outside, ages.text(found.cell).as_str()), (1, "[20, 22]"));
        let many = on_line(&ages, &[(0, 4), (1, 4), (4, 2)], 1, &gauge).unwrap();
        assert_eq!(many.outside, 0, "two are more than few");
    }

    #[test]
    fn those_without_a_value_lie_apart() {
        let ages = ages(&["20", "21", "22", ""]);
        let gauge = Gauge::new(Measure::Lm, &ages);
        let found = on_line(&ages, &[(0, 9), (1, 3), (3, 1)], 1, &gauge).unwrap();
        assert_eq!((found.outside, ages.text(found.cell).as_str()), (1, "[20, 21]"));
    }

    #[test]
    fn a_tree_is_gone_down_as_far_as_few_are_left_behind() {
        let paths = [["a", "A", "*"], ["b", "A", "*"], ["c", "C", "*"], ["d", "C", "*"]];
        let tree = Hierarchy::from_paths("x", paths).unwrap();
        let leaf = |label: &str| tree.leaf(label).unwrap();
        let values = [(leaf("a"), 9), (leaf("b"), 6), (leaf("d"), 1)];
        let found = in_tree(&tree, tree.root(), &values, 1).unwrap();
        assert_eq!((found.outside, tree.label(found.cell.lo)), (1, "A"));
        assert_eq!(in_tree(&tree, tree.root(), &[(0, 5), (2, 5)], 1), None);
        let one = in_tree(&tree, tree.root(), &[(0, 15), (1, 1), (2, 1)], 2).unwrap();
        assert_eq!((one.outside, tree.label(one.cell.lo)), (2, "a"));
    }

    /// Against trying every interval.
    #[test]
    fn no_interval_with_as_few_outside_is_cheaper() {
        let ages = ages(&["1", "2", "5", "9", "10", "30", "31", "99"]);
        let gauge = Gauge::new(Measure::Il, &ages);
        for counts in 0..3_u64.pow(8) {
            let values: Vec<(u32, u64)> = (0..8)
                .map(|code| (code, counts / 3_u64.pow(code) % 3))
                .filter(|(_, rows)| *rows > 0)
                .collect();
            let all: u64 = values.iter().map(|(_, rows)| rows).sum();
            let most = all / 4;
            let Some(found) = on_line(&ages, &values, most, &gauge) else { continue };
            let outside = |cell: Cell| {
                values
                    .iter()
                    .filter(|(code, _)| !(cell.lo <= *code && *code <= cell.hi))
                    .map(|(_, n)| n)
                    .sum::<u64>()
            };
            assert_eq!(outside(found.cell), found.outside);
            let cells = (0..8).flat_map(|lo| (lo..8).map(move |hi| Cell { lo, hi }));
            let cheapest = cells.filter(|&cell| outside(cell) <= most && outside(cell) < all);
            let cheapest = cheapest.map(|cell| gauge.cell(cell)).fold(f64::INFINITY, f64::min);
            assert!(gauge.cell(found.cell) <= cheapest + 1e-12, "{values:?}");
        }
    }
}
