//! Two ways of computing meet, for Truta et al. 2008: greedy-pk and enhanced-pk, row by row.

use std::cell::Cell;
use std::ops::RangeInclusive;

use super::common::adult::adult;
use super::common::by_hand::whole_numbers;
use super::common::draw::{Sheet, mostly_small, sheets};
use super::common::fixed;
use super::common::plain::enhanced_pk::{Course, course};
use super::common::plain::greedy_pk::greedy_pk;
use super::common::plain::{Plain, listed, numbered};
use kohort::Error;
use kohort::algorithm::{Algorithm, EnhancedPk, FirstSeed, KMember, Problem, Quiet, Run, Seeds};
use kohort::data::Table;
use kohort::demand::{Demands, Model};
use kohort::measure::Measure;
use kohort::model::BoundDemands;
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const ENHANCED_PK: EnhancedPk = EnhancedPk { local_search: true };
const GREEDY_PK: KMember = KMember { first_seed: FirstSeed::Row, seeds: Seeds::Diverse };

/// What is asked of a table.
#[derive(Debug, Clone, Copy)]
struct Ask {
    measure: Measure,
    k: usize,
    p: usize,
    seed: u64,
}

fn asks() -> impl Strategy<Value = Ask> {
    let all = [Measure::Il, Measure::Lm, Measure::Entropy, Measure::Whd { beta: 1.0 }, Measure::Ncp];
    let k = prop_oneof![6 => 2..=5usize, 1 => 6..=12usize];
    let seed = prop_oneof![Just(0u64), any::<u64>()];
    (proptest::sample::select(all.to_vec()), k, 1..=4usize, seed).prop_map(|(measure, k, p, seed)| Ask {
        measure,
        k,
        p,
        seed,
    })
}

/// How the values of a sensitive column come about.
#[derive(Debug, Clone, Copy)]
enum Habit {
    Even,
    /// Low values are frequent.
    Skewed,
    /// Mostly the value of the first column.
    Copied,
}

/// A sensitive column: how many values, their habit, one draw per row, and how many kinds p counts instead, if not all.
type Secret = (u32, Habit, Vec<u32>, Option<u32>);

fn secrets(
    rows: usize,
    columns: RangeInclusive<usize>,
    values: RangeInclusive<u32>,
) -> impl Strategy<Value = Vec<Secret>> {
    let habit = prop_oneof![1 => Just(Habit::Even), 2 => Just(Habit::Skewed), 1 => Just(Habit::Copied)];
    let kinds = prop_oneof![3 => Just(None), 1 => (2..=3u32).prop_map(Some)];
    vec((values, habit, vec(0..60u32, rows), kinds), columns)
}

/// Sheets of few sensitive values, with the kinds that p counts.
fn cases(
    rows: impl Strategy<Value = usize>,
    qi: RangeInclusive<usize>,
    columns: RangeInclusive<usize>,
    values: RangeInclusive<u32>,
) -> impl Strategy<Value = (Sheet, Vec<Option<u32>>)> {
    sheets(rows, qi, 0..=0).prop_flat_map(move |sheet| {
        secrets(sheet.rows, columns.clone(), values.clone()).prop_map(move |secrets| {
            let value = |(span, habit, draws, _): &Secret, row: usize| match (habit, draws[row]) {
                (Habit::Skewed, draw) => draw * draw * span / 3600,
                (Habit::Copied, draw) if draw > 6 => secrets[0].2[row] % span,
                (_, draw) => draw % span,
            };
            let texts =
                |secret: &Secret| (0..sheet.rows).map(|row| format!("s{}", value(secret, row))).collect();
            let sensitive = secrets.iter().map(texts).collect();
            (Sheet { sensitive, ..sheet.clone() }, secrets.iter().map(|s| s.3).collect())
        })
    })
}

/// Kinds in no particular order, and not numbered from 0.
fn kinds_of(codes: u32, kinds: Option<u32>) -> Option<Vec<u32>> {
    kinds.map(|kinds| (0..codes).map(|code| 40 - 3 * (code % kinds)).collect())
}

fn clusters(table: &Table, ask: Ask, models: &BoundDemands, algorithm: &dyn Algorithm) -> Vec<u32> {
    let costs = ask.measure.search_costs(table);
    let space = Space::new(table, costs, models);
    let problem = Problem { space: &space, demands: models, quota: 0 };
    match algorithm.group(problem, &Run::new(ask.seed, &Quiet)).unwrap() {
        Solution::Clusters(of_row) => of_row,
        other => panic!("clusters were expected, not {other:?}"),
    }
}

/// Both algorithms both ways; the course of enhanced-pk, where p is above 1.
fn agree(sheet: &Sheet, kinds: &[Option<u32>], ask: Ask) -> Option<Course> {
    let mut table = sheet.table();
    let kinds: Vec<_> = table.sensitive.iter().zip(kinds).map(|(s, k)| kinds_of(s.distinct, *k)).collect();
    let mut fewest = usize::MAX;
    for (sensitive, kinds) in table.sensitive.iter_mut().zip(&kinds) {
        let mut different = kinds.clone().unwrap_or_else(|| (0..sensitive.distinct).collect());
        different.sort_unstable();
        different.dedup();
        fewest = fewest.min(different.len());
        sensitive.kinds = kinds.clone().unwrap_or_default();
    }
    let k = ask.k.min(table.rows).max(2);
    let ask = Ask { k, p: ask.p.min(fewest).min(k), ..ask };
    let models = Demands::new(k as u32, Some(ask.p as u32)).unwrap().bind(&table).unwrap();
    if models.check_solvable(&table, false).is_err() {
        return None;
    }
    let plain = Plain::new(&table, ask.measure, ask.k, ask.p).with_kinds(kinds);
    let slow = numbered(table.rows, &greedy_pk(&plain, ask.seed));
    assert_eq!(clusters(&table, ask, &models, &GREEDY_PK), slow, "greedy-pk, {ask:?}");
    if ask.p < 2 {
        return None;
    }
    let slow = course(&plain, ask.seed);
    let fast = clusters(&table, ask, &models, &ENHANCED_PK);
    assert_eq!(fast, numbered(table.rows, &slow.clusters), "enhanced-pk, {ask:?}");
    let of_paper = clusters(&table, ask, &models, &EnhancedPk { local_search: false });
    assert_eq!(of_paper, numbered(table.rows, &slow.full), "without the local search, {ask:?}");
    assert!(slow.clusters.iter().all(|c| plain.holds(c)));
    if table.sensitive.len() == 1 {
        assert_eq!(slow.clusters.len(), slow.begun, "one column reaches the bound");
    }
    Some(slow)
}

/// So many tables; on how many of them clusters swapped rows, and on how many some failed.
fn on_tables(
    number: u32,
    cases: impl Strategy<Value = (Sheet, Vec<Option<u32>>)>,
    asks: impl Strategy<Value = Ask>,
) -> (usize, usize) {
    let (swapped, failed) = (Cell::new(0), Cell::new(0));
    TestRunner::new(fixed(number))
        .run(&(cases, asks), |((sheet, kinds), ask)| {
            if let Some(course) = agree(&sheet, &kinds, ask) {
                swapped.set(swapped.get() + usize::from(course.swaps > 0));
                failed.set(failed.get() + usize::from(!course.failed.is_empty()));
            }
            Ok(())
        })
        .unwrap();
    println!("{} tables with swaps, {} with clusters that failed", swapped.get(), failed.get());
    (swapped.get(), failed.get())
}

#[test]
fn on_tables_of_few_columns() {
    let (swapped, _) = on_tables(4000, cases(mostly_small(), 1..=4, 1..=3, 2..=6), asks());
    assert!(swapped > 200, "only {swapped} tables needed swaps");
}

/// Hardly more values than p asks for, and classes as small as p allows.
#[test]
fn where_values_are_short() {
    let tight = asks().prop_map(|ask| Ask { k: ask.p.max(2), p: ask.p.max(2), ..ask });
    let (swapped, failed) = on_tables(6000, cases(4..=24usize, 1..=3, 3..=5, 2..=4), tight);
    assert!(swapped > 500, "only {swapped} tables needed swaps");
    assert!(failed > 100, "only {failed} tables had clusters that failed");
}

proptest! {
    #![proptest_config(fixed(100))]

    #[test]
    fn on_tables_of_forty_columns((sheet, kinds) in cases(2..=40usize, 40..=40, 1..=3, 2..=6), ask in asks()) {
        agree(&sheet, &kinds, ask);
    }
}

/// Without a p there is nothing to deal; models that look at the values in another way do not help.
#[test]
fn refused_without_p() {
    let table = whole_numbers(&["1", "2", "3", "4"], "abab");
    let plain = Demands::new(2, None).unwrap();
    for demands in [plain.clone(), plain.and(Model::EntropyL { l: 2.0 }).unwrap()] {
        let models = demands.bind(&table).unwrap();
        let space = Space::new(&table, Measure::Il.search_costs(&table), &models);
        let problem = Problem { space: &space, demands: &models, quota: 0 };
        let refused = ENHANCED_PK.group(problem, &Run::new(0, &Quiet)).unwrap_err();
        assert!(matches!(&refused, Error::Job(_)) && refused.to_string().contains("`p = 2`"), "{refused}");
    }
}

/// More values than there are protected parts: p is dealt out, and what then lacks values is merged.
#[test]
fn parts_fewer_than_the_values_asked_for() {
    let mut table = whole_numbers(&["1", "2", "3", "4", "5", "6", "7", "8"], "abcdabcd");
    table.sensitive[0].kinds = vec![0, 0, 1, 1];
    let demands = Demands::new(4, Some(2)).unwrap().and(Model::DistinctL { l: 4 }).unwrap();
    let models = demands.bind(&table).unwrap();
    let ask = Ask { measure: Measure::Il, k: 4, p: 2, seed: 0 };
    let found = listed(&clusters(&table, ask, &models, &ENHANCED_PK));
    let plain = Plain::new(&table, ask.measure, 4, 4);
    assert!(found.iter().all(|c| plain.holds(c)), "{found:?}");
}

#[test]
fn on_three_thousand_people() {
    let qi = ["age", "workclass", "marital-status", "race", "sex", "native-country"];
    let Some(sheet) = adult(3000, &qi, &["education-num", "education", "occupation"]) else { return };
    for (p, seed) in [(2, 0), (8, 0), (10, 5)] {
        let course = agree(&sheet, &[None; 3], Ask { measure: Measure::Il, k: 20, p, seed }).unwrap();
        println!("p = {p}: {} clusters, {} swaps, {:?} failed", course.begun, course.swaps, course.failed);
    }
}
