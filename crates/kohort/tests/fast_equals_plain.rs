//! Two ways of computing meet: every shipped algorithm gives the clusters of its plain loop, in the same order.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::draw::{Sheet, mostly_small, sheets};
use common::fixed;
use common::plain::k_member::k_member;
use common::plain::mondrian::mondrian;
use common::plain::{Plain, numbered};
use kohort::algorithm::{Algorithm, Cut, FirstSeed, KMember, Mondrian, Problem, Quiet, Run};
use kohort::data::{Space, Table};
use kohort::measure::Measure;
use kohort::model::Models;
use kohort::solution::Solution;
use proptest::prelude::*;

/// What is asked of a table.
#[derive(Debug, Clone, Copy)]
struct Ask {
    measure: Measure,
    k: usize,
    p: usize,
    seed: u64,
}

fn measures() -> impl Strategy<Value = Measure> {
    let all = [Measure::Il, Measure::Lm, Measure::Entropy, Measure::Whd { beta: 1.0 }, Measure::Ncp];
    proptest::sample::select(all.to_vec())
}

/// Small k mostly; now and then all rows in one class.
fn asks() -> impl Strategy<Value = Ask> {
    let k = prop_oneof![6 => 2..=5usize, 2 => 6..=12usize, 1 => Just(usize::MAX)];
    let seed = prop_oneof![Just(0u64), any::<u64>()];
    (measures(), k, 1..=4usize, seed).prop_map(|(measure, k, p, seed)| Ask { measure, k, p, seed })
}

/// The demands as far as the table can meet them at all.
fn fit(ask: Ask, table: &Table) -> Option<(Ask, Models)> {
    let ask = Ask { k: ask.k.min(table.rows).max(2), ..ask };
    let fewest = table.sensitive.iter().map(|s| s.distinct as usize).min().unwrap_or(1);
    let ask = Ask { p: ask.p.min(fewest).min(ask.k), ..ask };
    let models = Models::new(ask.k as u32, Some(ask.p as u32)).ok()?;
    models.check_solvable(table).is_ok().then_some((ask, models))
}

fn shipped(table: &Table, ask: Ask, models: &Models, algorithm: &dyn Algorithm) -> Vec<u32> {
    let costs = ask.measure.compass(table);
    let space = Space::new(table, costs, models.need_sensitive(), ask.measure.is_monotone());
    match algorithm.solve(Problem { space: &space, models }, &Run::new(ask.seed, &Quiet)).unwrap() {
        Solution::Clusters(of_row) => of_row,
        other => panic!("clusters were expected, not {other:?}"),
    }
}

fn agree(sheet: &Sheet, ask: Ask) {
    let table = sheet.table();
    let Some((ask, models)) = fit(ask, &table) else { return };
    let plain = Plain::new(&table, ask.measure, ask.k, ask.p);
    for first_seed in [FirstSeed::Row, FirstSeed::Farthest] {
        let fast = shipped(&table, ask, &models, &KMember { first_seed });
        let slow = numbered(table.rows, &k_member(&plain, first_seed, ask.seed));
        assert_eq!(fast, slow, "k-member, first seed {first_seed:?}, {ask:?}");
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
