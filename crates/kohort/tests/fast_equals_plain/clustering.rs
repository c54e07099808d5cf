//! Two ways of computing meet: every shipped algorithm gives the clusters of its plain loop, in the same order.

use super::common::draw::{Sheet, mostly_small, sheets};
use super::common::fixed;
use super::common::plain::k_member::k_member;
use super::common::plain::kaca::kaca;
use super::common::plain::mondrian::mondrian;
use super::common::plain::oka::oka;
use super::common::plain::systematic::systematic;
use super::common::plain::{Plain, numbered};
use kohort::algorithm::{
    Algorithm, Cut, FirstSeed, KMember, Kaca, Mondrian, Oka, Problem, Quiet, Rule, Run, Seeds, Systematic,
};
use kohort::data::Table;
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::model::BoundDemands;
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::prelude::*;

/// What is asked of a table.
#[derive(Debug, Clone, Copy)]
struct Ask {
    measure: Measure,
    k: usize,
    p: usize,
    seed: u64,
    /// KACA's threshold in halves of a cell, and how many rows may go.
    threshold: Option<u32>,
    quota: usize,
}

fn measures() -> impl Strategy<Value = Measure> {
    let all = [Measure::Il, Measure::Lm, Measure::Entropy, Measure::Whd { beta: 1.0 }, Measure::Ncp];
    proptest::sample::select(all.to_vec())
}

/// Small k mostly; now and then all rows in one class.
fn asks() -> impl Strategy<Value = Ask> {
    let k = prop_oneof![6 => 2..=5usize, 2 => 6..=12usize, 1 => Just(usize::MAX)];
    let seed = prop_oneof![Just(0u64), any::<u64>()];
    let threshold = proptest::option::of(0..12u32);
    (measures(), k, 1..=4usize, seed, threshold, 0..20usize)
        .prop_map(|(measure, k, p, seed, threshold, quota)| Ask { measure, k, p, seed, threshold, quota })
}

/// The demands as far as the table can meet them at all.
fn fit(ask: Ask, table: &Table) -> Option<(Ask, BoundDemands)> {
    let ask = Ask { k: ask.k.min(table.rows).max(2), ..ask };
    let fewest = table.sensitive.iter().map(|s| s.distinct as usize).min().unwrap_or(1);
    let ask = Ask { p: ask.p.min(fewest).min(ask.k), ..ask };
    let models = Demands::new(ask.k as u32, Some(ask.p as u32)).ok()?.bind(table).ok()?;
    models.check_solvable(table, false).is_ok().then_some((ask, models))
}

fn shipped(table: &Table, ask: Ask, models: &BoundDemands, algorithm: &dyn Algorithm) -> Vec<u32> {
    let costs = ask.measure.search_costs(table);
    let space = Space::new(table, costs, models);
    match algorithm
        .group(Problem { space: &space, demands: models, quota: ask.quota }, &Run::new(ask.seed, &Quiet))
        .unwrap()
    {
        Solution::Clusters(of_row) => of_row,
        other => panic!("clusters were expected, not {other:?}"),
    }
}

fn agree(sheet: &Sheet, ask: Ask) {
    let mut table = sheet.table();
    // Columns are not always named in the order in which the table has them.
    for (dim, q) in table.qi.iter_mut().enumerate() {
        q.attribute.place = (ask.seed >> dim & 1) as u32;
    }
    let Some((ask, models)) = fit(ask, &table) else { return };
    let plain = Plain::new(&table, ask.measure, ask.k, ask.p);
    for first_seed in [FirstSeed::Row, FirstSeed::Farthest] {
        let fast = shipped(&table, ask, &models, &KMember { first_seed, seeds: Seeds::Farthest });
        let slow = numbered(table.rows, &k_member(&plain, first_seed, ask.seed));
        assert_eq!(fast, slow, "k-member, first seed {first_seed:?}, {ask:?}");
    }
    for rule in [Rule::Loss, Rule::Increase] {
        let fast = shipped(&table, ask, &models, &Systematic { rule });
        let slow = numbered(table.rows, &systematic(&plain, rule, ask.seed));
        assert_eq!(fast, slow, "systematic, {rule:?}, {ask:?}");
    }
    let slow = numbered(table.rows, &oka(&plain, ask.seed));
    assert_eq!(shipped(&table, ask, &models, &Oka), slow, "oka, {ask:?}");
    for threshold in [None, ask.threshold] {
        let fast = shipped(&table, ask, &models, &Kaca { threshold: threshold.map(|t| f64::from(t) / 2.0) });
        let fixed = threshold.map(|t| (f64::from(t) / 2.0 * f64::from(plain.scale)).round() as u64);
        let slow = numbered(table.rows, &kaca(&plain, ask.seed, fixed, ask.quota));
        assert_eq!(fast, slow, "kaca, threshold {threshold:?}, {ask:?}");
    }
    for cut in [Cut::Strict, Cut::Relaxed] {
        let fast = shipped(&table, ask, &models, &Mondrian { cut });
        let slow = numbered(table.rows, &mondrian(&plain, cut));
        assert_eq!(fast, slow, "mondrian, {cut:?}, {ask:?}");
    }
}

proptest! {
    #![proptest_config(fixed(4000))]

    #[test]
    fn on_tables_of_few_columns(sheet in sheets(mostly_small(), 1..=6, 0..=2), ask in asks()) {
        agree(&sheet, ask);
    }
}

proptest! {
    #![proptest_config(fixed(100))]

    #[test]
    fn on_tables_of_forty_columns(sheet in sheets(2..=40usize, 40..=40, 0..=1), ask in asks()) {
        agree(&sheet, ask);
    }
}
