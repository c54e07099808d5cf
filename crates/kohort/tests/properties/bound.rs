//! The lower bound: never above the optimum of tiny tables, whatever is asked; prices that are too high are noticed.

use kohort::bound::{Allowance, Crowd, Effort, Layer, search};
use kohort::data::{Cell, Domain, Table};
use kohort::demand::{Demands, Notion};
use kohort::measure::{Gauge, Measure};
use kohort::space::Space;
use kohort::verify::{Bounded, Certified, Patience, PriceLayer, certified};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;

use super::boundaries::{boundaries, bounded, violates};
use super::common::draw::sheets;
use super::common::fixed;
use super::costs::{MEASURES, cells};

/// What is asked of a release, and how hard prices are looked for.
#[derive(Debug, Clone)]
struct Asked {
    k: u32,
    notion: Notion,
    measure: Measure,
    /// How many rows may be suppressed; `None` for any number.
    may_go: Option<u64>,
    /// Work on the first pass, and in all.
    work: (u64, u64),
}

fn asked() -> impl Strategy<Value = Asked> {
    let notion = prop_oneof![6 => Just(Notion::K), 1 => Just(Notion::K1), 1 => Just(Notion::Kk)];
    let may_go = prop_oneof![3 => Just(Some(0)), 2 => (1..4u64).prop_map(Some), 1 => Just(None)];
    // Hardly any work: passes are cut off, and columns are priced apart.
    let work = prop_oneof![3 => Just((1 << 30, 1 << 20)), 1 => (0..300u64, 0..3000u64)];
    (2..=4u32, notion, select(MEASURES.to_vec()), may_go, work)
        .prop_map(|(k, notion, measure, may_go, work)| Asked { k, notion, measure, may_go, work })
}

impl Asked {
    fn bounded(&self) -> Bounded {
        Bounded { k: self.k, notion: self.notion, measure: self.measure, may_go: self.may_go }
    }

    fn layers(&self, table: &Table) -> Vec<Layer> {
        let demands = Demands::new(self.k, None).unwrap().bind(table).unwrap();
        let space = Space::new(table, self.measure.reported_costs(table), &demands);
        let full = (full(table, self.measure) * f64::from(space.scale())) as i64;
        let allowance = (self.may_go != Some(0)).then_some(Allowance { full, rows: self.may_go });
        let crowd = match self.notion {
            Notion::K => Crowd::of_classes(self.k),
            _ => Crowd::of_tuples(self.k),
        };
        let effort = Effort { first: self.work.0, work: self.work.1, go_on: &|| true, tell: &|_| () };
        search(&space, crowd, allowance, effort).layers
    }

    /// The same in units of the measure.
    fn priced(&self, table: &Table) -> Vec<PriceLayer> {
        let scale = f64::from(self.measure.reported_costs(table).scale);
        let of = |layer: Layer| PriceLayer {
            columns: layer.dims,
            prices: layer.prices.iter().map(|&price| price as f64 / scale).collect(),
        };
        self.layers(table).into_iter().map(of).collect()
    }

    fn certified(&self, table: &Table, layers: &[PriceLayer]) -> Certified {
        certified(table, &self.bounded(), layers, Patience::ENDLESS).unwrap()
    }
}

/// Columns that the measure looks at: those that can lose nothing are no part of the distortion.
fn counted(table: &Table, measure: Measure) -> impl Iterator<Item = usize> {
    let can_lose = move |&column: &usize| match &table.qi[column].attribute.domain {
        Domain::Tree(h) => h.height() > 0,
        Domain::Interval(n) => n.range() > 0.0 || n.has_missing(),
    };
    (0..table.qi.len()).filter(move |column| !matches!(measure, Measure::Whd { .. }) || can_lose(column))
}

fn full(table: &Table, measure: Measure) -> f64 {
    counted(table, measure).map(|c| Gauge::new(measure, &table.qi[c].attribute).full()).sum()
}

/// What a row of every set of rows costs at least that is published as one; infinite where boundaries forbid it. Sets are
/// bits, and every cell is tried, not only the smallest.
fn costs_of_sets(table: &Table, measure: Measure, within_boundaries: bool) -> Vec<f64> {
    let mut costs = vec![0.0; 1 << table.rows];
    for (column, q) in table.qi.iter().enumerate() {
        let gauge = Gauge::new(measure, &q.attribute);
        let allowed = |row: usize, cell: Cell| {
            let code = q.codes.get(row);
            q.attribute.contains(cell, code) && !(within_boundaries && violates(table, column, code, cell))
        };
        let rows_of =
            |cell: Cell| (0..table.rows).filter(|&row| allowed(row, cell)).map(|row| 1usize << row).sum();
        let cells: Vec<(usize, f64)> =
            cells(&q.attribute).into_iter().map(|cell| (rows_of(cell), gauge.cell(cell))).collect();
        for (set, cost) in costs.iter_mut().enumerate().skip(1) {
            let holds = cells.iter().filter(|(rows, _)| set & !rows == 0).map(|(_, cost)| *cost);
            *cost += holds.fold(f64::INFINITY, f64::min);
        }
    }
    costs
}

/// The least that all rows lose in classes of k, so many of them suppressed at most: by trying all.
fn best_classes(rows: usize, k: u32, costs: &[f64], may_go: usize, full: f64) -> f64 {
    // By how many may go, then by set of rows.
    let mut best = vec![vec![f64::INFINITY; 1 << rows]; may_go + 1];
    for left in 0..=may_go {
        best[left][0] = 0.0;
        for set in 1..1usize << rows {
            let first = set & set.wrapping_neg();
            let mut least = if left > 0 { best[left - 1][set & !first] + full } else { f64::INFINITY };
            let mut class = set;
            while class > 0 {
                if class & first > 0 && class.count_ones() >= k {
                    let cost = f64::from(class.count_ones()) * costs[class];
                    least = least.min(cost + best[left][set & !class]);
                }
                class = (class - 1) & set;
            }
            best[left][set] = least;
        }
    }
    best[may_go][(1 << rows) - 1]
}

/// The least that all rows lose when each is published in a box with k rows.
fn best_tuples(rows: usize, k: u32, costs: &[f64], may_go: usize, full: f64) -> f64 {
    let of_row = |row: usize| {
        let sets = (1..costs.len()).filter(|set| set >> row & 1 == 1 && set.count_ones() >= k);
        sets.map(|set| costs[set]).fold(f64::INFINITY, f64::min)
    };
    let mut all: Vec<f64> = (0..rows).map(of_row).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    all[..may_go].iter_mut().for_each(|cost| *cost = cost.min(full));
    all.into_iter().sum()
}

/// What the best release loses, as it is reported; infinite where there is none.
fn optimum(table: &Table, asked: &Asked) -> f64 {
    let is_class = asked.notion == Notion::K;
    let costs = costs_of_sets(table, asked.measure, is_class);
    let (rows, full) = (table.rows, full(table, asked.measure));
    let may_go = asked.may_go.map_or(rows, |most| rows.min(most as usize));
    let best = if is_class { best_classes } else { best_tuples };
    let cells = (rows * counted(table, asked.measure).count()).max(1) as f64;
    best(rows, asked.k, &costs, may_go, full) / cells
}

proptest! {
    #![proptest_config(fixed(3000))]

    #[test]
    fn no_bound_is_above_the_optimum(sheet in sheets(2..=8usize, 1..=3, 0..=0), drawn in boundaries(4), asked in asked()) {
        let table = bounded(&sheet, &drawn);
        let layers = asked.priced(&table);
        prop_assert!(!layers.is_empty());
        let found = asked.certified(&table, &layers);
        let best = optimum(&table, &asked);
        prop_assert!(found.bound <= best, "{} is above {best}", found.bound);
        prop_assert!(found.too_high < 1e-6 * table.qi.len() as f64, "{}", found.too_high);
    }

    /// Whatever prices are claimed, what is certified holds.
    #[test]
    fn no_prices_prove_too_much(
        sheet in sheets(2..=7usize, 1..=3, 0..=0),
        drawn in boundaries(4),
        asked in asked(),
        prices in vec(-1.0..3.0f64, 8),
    ) {
        let table = bounded(&sheet, &drawn);
        let columns = (0..table.qi.len()).collect();
        let layer = PriceLayer { columns, prices: prices[..table.rows].to_vec() };
        let found = asked.certified(&table, &[layer]);
        let best = optimum(&table, &asked);
        prop_assert!(found.bound <= best, "{} is above {best}", found.bound);
    }
}

proptest! {
    #![proptest_config(fixed(40))]

    /// Larger tiny tables, where classes of several sizes compete.
    #[test]
    fn nor_with_twelve_rows(sheet in sheets(9..=12usize, 1..=3, 0..=0), drawn in boundaries(9), asked in asked()) {
        let table = bounded(&sheet, &drawn);
        let found = asked.certified(&table, &asked.priced(&table));
        let best = optimum(&table, &asked);
        prop_assert!(found.bound <= best, "{} is above {best}", found.bound);
    }

    /// A row that pays more than its boxes cost is noticed, and what is certified falls.
    #[test]
    fn tampered_prices_are_noticed(sheet in sheets(6..=60usize, 1..=3, 0..=0), k in 2..=3u32, victim in any::<u32>()) {
        let table = sheet.table();
        let asked = Asked { k, notion: Notion::K, measure: Measure::Lm, may_go: Some(0), work: (1 << 30, 1 << 22) };
        let mut layers = asked.priced(&table);
        let honest = asked.certified(&table, &layers);
        prop_assert!(honest.too_high < 1e-6 * table.qi.len() as f64);
        // Equal rows pay what the one pays that pays least: all of them must ask for more.
        let code = |row: usize| table.qi.iter().map(|q| q.codes.get(row)).collect::<Vec<_>>();
        let victim = code(victim as usize % table.rows);
        let much = f64::from(k) * (1.0 + table.qi.len() as f64);
        for row in (0..table.rows).filter(|&row| code(row) == victim) {
            layers[0].prices[row] += 2.0 * much;
        }
        let found = asked.certified(&table, &layers);
        prop_assert!(found.too_high > 0.1, "{}", found.too_high);
    }

    /// Prices do not depend on the number of threads.
    #[test]
    fn threads_change_no_price(sheet in sheets(50..=200usize, 2..=4, 0..=0), asked in asked()) {
        let table = sheet.table();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| asked.layers(&table))
        };
        prop_assert_eq!(with(1), with(3));
    }
}

/// Bounds that are merely valid would be worth nothing: on tiny tables they come close to the optimum.
#[test]
fn bounds_are_close_to_the_optimum() {
    let (mut bounds, mut optima) = (0.0, 0.0);
    let mut runner = proptest::test_runner::TestRunner::new(fixed(200));
    let asked =
        |k| Asked { k, notion: Notion::K, measure: Measure::Lm, may_go: Some(0), work: (1 << 30, 1 << 22) };
    for _ in 0..200 {
        let sheet = sheets(8..=8usize, 2..=3, 0..=0).new_tree(&mut runner).unwrap().current();
        for k in [2, 4] {
            let (table, asked) = (sheet.table(), asked(k));
            bounds += asked.certified(&table, &asked.priced(&table)).bound;
            optima += optimum(&table, &asked);
        }
    }
    assert!(bounds > 0.9 * optima && bounds < optima, "{bounds} of {optima}");
}
