//! Random demands on a table.

use kohort::data::Table;
use kohort::measure::Measure;
use proptest::prelude::*;

use super::plain::Plain;

pub(crate) const UNIFORM: Measure = Measure::Whd { beta: 0.0 };

/// What is asked of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask {
    pub(crate) measure: Measure,
    pub(crate) k: usize,
    pub(crate) p: usize,
    pub(crate) seed: u64,
}

pub(crate) fn asks() -> impl Strategy<Value = Ask> {
    let all = [Measure::Il, Measure::Lm, Measure::Entropy, UNIFORM, Measure::Ncp];
    let measure = proptest::sample::select(all.to_vec());
    let seed = prop_oneof![Just(0u64), any::<u64>()];
    (measure, 1..=8usize, 2..=4usize, seed).prop_map(|(measure, k, p, seed)| Ask { measure, k, p, seed })
}

/// The demands as far as the whole table as one class meets them; p only where it is wanted.
pub(crate) fn fit(table: &Table, ask: Ask, diverse: bool) -> Plain<'_> {
    let fewest = table.sensitive.iter().map(|s| s.distinct as usize).min().unwrap_or(1);
    let p = if diverse { ask.p.min(fewest) } else { 1 };
    Plain::new(table, ask.measure, ask.k.min(table.rows), p)
}

/// How many different rows to look at together: mostly so few that even a small table is cut.
pub(crate) fn block_rows() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![2 => Just(None), 3 => (1..=12usize).prop_map(Some)]
}
