//! The check of a bound: prices in, bound out. However prices were found, no release loses less than what is certified here.
//!
//! If in every permitted box with at least k rows the k dearest pay at most k times its cost, no class pays more than it
//! costs, and all classes together cost at least what all rows pay (`algorithms.md` §10.7). So all boxes are looked at, by an
//! enumeration that shares nothing with the search, at costs taken from the definition of the measure. Where prices are too
//! high nevertheless, all rows pay less by what the worst box exceeds (Farley 1990), and what is left is certified.
//!
//! All of it is counted in whole numbers. Costs and prices are rounded down, what is paid back is rounded up.

mod boxes;
mod cells;

use crate::data::{Domain, Groups, Table};
use crate::demand::Notion;
use crate::measure::{Gauge, Measure};
use boxes::Boxes;

/// One fully lost cell.
const ONE: f64 = (1u64 << 28) as f64;

/// Less than this share of a figure is lost to rounding when figures are added up.
const SLACK: f64 = 1e-12;

/// Prices that are claimed to hold in some of the columns. Those of several layers add up: what is k-anonymous in all columns is so
/// in some.
pub struct PriceLayer {
    /// The quasi-identifiers, by their place in the table.
    pub columns: Vec<usize>,
    /// What every row pays, in units of the measure: those rows that are to be in classes, in their order.
    pub prices: Vec<f64>,
}

/// What a release must keep to.
pub struct Bounded {
    /// Among how many everyone hides.
    pub k: u32,
    /// What that means.
    pub notion: Notion,
    /// What is lost.
    pub measure: Measure,
    /// How many rows may be suppressed besides those that lack a value; `None` where any number may.
    pub may_go: Option<u64>,
}

/// How long boxes are looked at.
#[derive(Clone, Copy)]
pub struct Patience<'a> {
    /// Entries of parts at most.
    pub most: u64,
    /// Whether there is time for more.
    pub goes_on: &'a (dyn Fn() -> bool + Sync),
}

impl Patience<'_> {
    /// Until all boxes are looked at.
    pub const ENDLESS: Self = Self { most: u64::MAX, goes_on: &|| true };
}

/// What prices prove.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certified {
    /// No release loses less, as the measure is reported: per cell or, for the weighted distance, per cell that can lose.
    pub bound: f64,
    /// By how much prices were too high, per row and in units of the measure: the worst of all boxes.
    pub too_high: f64,
}

/// What no release of a table can lose less than; none for notions whose boxes may hold anybody, and where there are more
/// boxes than `patience` lasts for.
pub fn certified(
    table: &Table,
    bounded: &Bounded,
    layers: &[PriceLayer],
    patience: Patience<'_>,
) -> Option<Certified> {
    let shared_by = shared_by(bounded)?;
    let rows = table.in_classes();
    let mut paid = vec![0i64; rows.len()];
    let mut too_high = 0;
    let mut is_used = vec![false; table.qi.len()];
    for layer in layers {
        // A column counts once.
        if layer.prices.len() != rows.len() || layer.columns.iter().any(|&c| is_used[c]) {
            return None;
        }
        layer.columns.iter().for_each(|&c| is_used[c] = true);
        let excess = add_layer(table, &rows, bounded, (shared_by, patience), layer, &mut paid)?;
        too_high = too_high.max(excess);
    }
    let bound = figure(table, bounded, paid);
    Some(Certified { bound, too_high: too_high as f64 / ONE })
}

/// Of how many rows of a box the mean price counts: in a class all pay for all, a tuple is paid for by its own row.
fn shared_by(bounded: &Bounded) -> Option<u64> {
    match bounded.notion {
        Notion::K => Some(u64::from(bounded.k.max(1))),
        Notion::K1 | Notion::Kk => Some(1),
        Notion::OneK | Notion::Global => None,
    }
}

/// Adds what a layer proves to what rows pay; returns how much its prices were too high, per row. None where there are too
/// many boxes.
fn add_layer(
    table: &Table,
    rows: &[u32],
    bounded: &Bounded,
    (shared_by, patience): (u64, Patience<'_>),
    layer: &PriceLayer,
    paid: &mut [i64],
) -> Option<i64> {
    let part = table.select(rows);
    let codes: Vec<_> =
        layer.columns.iter().map(|&c| (&part.qi[c].codes, part.qi[c].attribute.code_count())).collect();
    let kinds = Groups::by(rows.len(), &codes);
    let least = |kind: usize| {
        let of = |&row: &u32| (layer.prices[row as usize] * ONE).floor() as i64;
        kinds.rows(kind).iter().map(of).min().unwrap_or(0)
    };
    // Equal rows pay the same: the least that one of them pays.
    let prices: Vec<i64> = (0..kinds.len()).map(least).collect();
    let worst = Boxes::new(&part, layer, &kinds, &prices, bounded, (shared_by, patience)).worst()?;
    let excess = -(-worst).div_euclid(shared_by.cast_signed());
    for (kind, price) in prices.iter().enumerate() {
        for &row in kinds.rows(kind) {
            paid[row as usize] += price - excess;
        }
    }
    Some(excess)
}

/// The bound as it is reported.
fn figure(table: &Table, bounded: &Bounded, mut paid: Vec<i64>) -> f64 {
    let counts = |column: &usize| !matches!(bounded.measure, Measure::Whd { .. }) || can_lose(table, *column);
    let columns: Vec<usize> = (0..table.qi.len()).filter(counts).collect();
    let full = |&column: &usize| Gauge::new(bounded.measure, &table.qi[column].attribute).full();
    let full = (columns.iter().map(full).sum::<f64>() * ONE).floor() as i64;
    // Those who pay most may be suppressed, and cost no more than that.
    paid.sort_unstable_by(|a, b| b.cmp(a));
    let may_go = bounded.may_go.map_or(paid.len(), |most| paid.len().min(most as usize));
    paid[..may_go].iter_mut().for_each(|price| *price = (*price).min(full));
    let lacking = (0..table.rows).filter(|&row| table.is_lacking(row)).count();
    let total = paid.into_iter().map(i128::from).sum::<i128>() + i128::from(full) * lacking as i128;
    let cells = (table.rows * columns.len()).max(1) as f64;
    (total as f64 / ONE / cells * (1.0 - SLACK)).max(0.0)
}

/// A column that can lose nothing takes no part in the distortion.
fn can_lose(table: &Table, column: usize) -> bool {
    match &table.qi[column].attribute.domain {
        Domain::Tree(h) => h.height() > 0,
        Domain::Interval(n) => n.range() > 0.0 || n.has_missing(),
    }
}
