//! The space of generalized values: join, contains and cost fit together.

use kohort::data::{Attribute, Cell, Domain};
use kohort::measure::{Gauge, Measure};
use kohort::space::Space;
use kohort::verify::Published;
use proptest::prelude::*;

use super::common::draw::{Sheet, sheets};
use super::common::fixed;
use super::common::plain::Plain;

pub(crate) const MEASURES: [Measure; 6] = [
    Measure::Il,
    Measure::Lm,
    Measure::Entropy,
    Measure::Whd { beta: 0.0 },
    Measure::Whd { beta: 1.0 },
    Measure::Ncp,
];

/// Every cell the attribute can publish: all nodes, or all intervals that are no mixture of missing and present.
pub(crate) fn cells(attribute: &Attribute) -> Vec<Cell> {
    match &attribute.domain {
        Domain::Tree(h) => (0..h.len() as u32).map(|n| Cell { lo: n, hi: n }).collect(),
        Domain::Interval(n) => {
            let codes = n.code_count();
            let all = (0..codes).flat_map(|lo| (lo..codes).map(move |hi| Cell { lo, hi }));
            all.filter(|&c| !n.is_any(c) || c == attribute.top()).collect()
        }
    }
}

fn covered(attribute: &Attribute, cell: Cell) -> Vec<u32> {
    (0..attribute.code_count()).filter(|&code| attribute.contains(cell, code)).collect()
}

/// Join is commutative, associative, idempotent, covers both sides, and is the smallest cell that does.
fn joins_are_closures(attribute: &Attribute) {
    let cells = cells(attribute);
    let join = |a, b| attribute.join(a, b);
    let inside = |small: &[u32], large: &[u32]| small.iter().all(|code| large.contains(code));
    for &a in &cells {
        assert_eq!(join(a, a), a);
        assert_eq!(join(a, attribute.top()), attribute.top());
        for &b in &cells {
            let ab = join(a, b);
            assert_eq!(ab, join(b, a));
            assert_eq!(join(a, ab), ab);
            let (in_a, in_b) = (covered(attribute, a), covered(attribute, b));
            let both = covered(attribute, ab);
            assert!(inside(&in_a, &both) && inside(&in_b, &both));
            for &c in &cells {
                assert_eq!(join(ab, c), join(a, join(b, c)));
                let wide = covered(attribute, c);
                if inside(&in_a, &wide) && inside(&in_b, &wide) {
                    assert!(inside(&both, &wide), "{c:?} is smaller than {ab:?}");
                }
            }
        }
    }
    for &a in &cells {
        for code in 0..attribute.code_count() {
            // A chain of single children covers one value at several heights: compare what is covered, not the node.
            let grown = covered(attribute, join(a, attribute.leaf(code)));
            assert_eq!(attribute.contains(a, code), grown == covered(attribute, a));
        }
    }
}

/// Whether single values, too, may be published as intervals.
fn is_snapped(attribute: &Attribute) -> bool {
    matches!(&attribute.domain, Domain::Interval(numbers) if numbers.is_snapped())
}

/// What the search minimizes is what whoever reads the published interval counts.
fn costs_as_published(attribute: &Attribute, measure: Measure) {
    let gauge = Gauge::new(measure, attribute);
    for cell in cells(attribute).into_iter().filter(|_| matches!(attribute.domain, Domain::Interval(_))) {
        let read = Published::read(attribute, &attribute.text(cell)).loss(&gauge);
        assert!((gauge.cell(cell) - read).abs() < 1e-12, "{measure:?}, {cell:?}: {read}");
    }
}

fn costs_fit_together(sheet: &Sheet, measure: Measure) {
    let table = sheet.table();
    let space = Space::new(
        &table,
        measure.search_costs(&table),
        &kohort::demand::Demands::default().bind(&table).unwrap(),
    );
    let plain = Plain::new(&table, measure, 2, 1);
    let mut costs = Vec::new();
    for dim in 0..space.dims() {
        let attribute = space.attribute(dim);
        for cell in cells(attribute) {
            assert_eq!(u64::from(space.cell_cost(dim, cell)), plain.cell_cost(dim, cell));
            space.join_costs(dim, cell, &mut costs);
            assert_eq!(costs.len(), space.values(dim).len());
            for (&code, &cost) in space.values(dim).iter().zip(&costs) {
                let joined = space.join_cell(dim, cell, attribute.leaf(code));
                assert_eq!(cost, space.cell_cost(dim, joined), "{measure:?}, {cell:?} and code {code}");
                let dearer = cost >= space.cell_cost(dim, cell);
                assert!(dearer || !space.is_monotone(), "{measure:?}: {joined:?} is cheaper than {cell:?}");
            }
        }
        for code in (0..attribute.code_count()).filter(|_| !is_snapped(attribute)) {
            assert_eq!(
                space.cell_cost(dim, attribute.leaf(code)),
                0,
                "{measure:?}: a value itself costs nothing"
            );
        }
        costs_as_published(attribute, measure);
    }
    for (dim, group) in (0..space.dims()).flat_map(|d| (0..space.groups().len()).map(move |g| (d, g))) {
        let code = space.values(dim)[space.ranks(dim)[group] as usize];
        assert_eq!((code, space.rank(dim, code)), (space.codes(dim)[group], space.ranks(dim)[group]));
    }
    for group in 0..space.groups().len() {
        for other in 0..space.groups().len() {
            let mut tuple = space.tuple(group);
            let before = tuple.clone();
            let contained = space.contains(&tuple, other);
            assert_eq!(space.absorb(&mut tuple, other), !contained);
            assert!(space.contains(&tuple, group) && space.contains(&tuple, other));
            assert_eq!(contained, before == tuple);
        }
    }
}

proptest! {
    #![proptest_config(fixed(200))]

    #[test]
    fn join_is_the_smallest_cover(sheet in sheets(1..=12usize, 1..=2, 0..=0)) {
        for q in &sheet.table().qi {
            joins_are_closures(&q.attribute);
        }
    }

    #[test]
    fn costs_agree_with_joins(sheet in sheets(1..=20usize, 1..=4, 0..=0)) {
        for measure in MEASURES {
            costs_fit_together(&sheet, measure);
        }
    }
}
