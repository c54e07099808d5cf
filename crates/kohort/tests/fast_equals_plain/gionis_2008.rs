//! Two ways of computing meet, for Gionis et al. 2008: merge by merge, tuple by tuple.

use super::common::draw::{Sheet, sheets};
use super::common::fixed;
use super::common::plain::agglomerative::agglomerative;
use super::common::plain::agglomerative_cached::agglomerative_cached;
use super::common::plain::forest::forest;
use super::common::plain::global_walk::global_walk;
use super::common::plain::k_type::{global, k1_expansion, k1_nearest, k1_optimal, one_k};
use super::common::plain::{Plain, numbered};
use kohort::algorithm::{
    Agglomerative, Algorithm, Distance, EqualRows, Forest, Goal, KType, Problem, Quiet, Run, Start,
};
use kohort::data::{Cell, Domain, Table};
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::model::BoundDemands;
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::prelude::*;

const DISTANCES: [(u8, Distance); 4] =
    [(1, Distance::Total), (2, Distance::Cost), (3, Distance::CostByLog), (4, Distance::Factor)];

/// Shrunk or not, and what becomes of equal rows.
const WAYS: [(bool, EqualRows); 4] = [
    (false, EqualRows::Lend),
    (true, EqualRows::Lend),
    (false, EqualRows::Literal),
    (true, EqualRows::Literal),
];

fn measures() -> impl Strategy<Value = Measure> {
    let all = [Measure::Il, Measure::Lm, Measure::Entropy, Measure::Whd { beta: 1.0 }, Measure::Ncp];
    proptest::sample::select(all.to_vec())
}

/// The demands, as far as the table can meet them.
fn fit(table: &Table, k: usize, p: usize) -> Option<(usize, usize, BoundDemands)> {
    let k = k.min(table.rows).max(2);
    let fewest = table.sensitive.iter().map(|s| s.distinct as usize).min().unwrap_or(1);
    let p = p.min(fewest).min(k);
    let models = Demands::new(k as u32, Some(p as u32)).ok()?.bind(table).ok()?;
    models.check_solvable(table, false).is_ok().then_some((k, p, models))
}

fn shipped(table: &Table, measure: Measure, models: &BoundDemands, algorithm: &dyn Algorithm) -> Solution {
    let space = Space::new(table, measure.search_costs(table), models);
    let problem = Problem { space: &space, demands: models, quota: 0 };
    algorithm.group(problem, &Run::new(0, &Quiet)).unwrap()
}

fn clusters_agree(sheet: &Sheet, measure: Measure, k: usize, p: usize) {
    let table = sheet.table();
    let Some((k, p, models)) = fit(&table, k, p) else { return };
    let plain = Plain::new(&table, measure, k, p);
    for (modified, equal_rows) in WAYS {
        for (function, distance) in DISTANCES {
            let shipped_form = Agglomerative { distance, epsilon: 0.1, modified, equal_rows };
            let fast = shipped(&table, measure, &models, &shipped_form);
            let slow = agglomerative(&plain, function, 0.1, modified, equal_rows);
            let cached = agglomerative_cached(&plain, function, 0.1, modified, equal_rows);
            let case = || format!("{function}, {modified}, {equal_rows:?}, k {k}, p {p}, {measure:?}");
            assert_eq!(cached, slow, "cached, {}", case());
            let slow = Solution::Clusters(numbered(table.rows, &slow));
            assert_eq!(fast, slow, "{}", case());
        }
    }
    let slow = Solution::Clusters(numbered(table.rows, &forest(&plain)));
    assert_eq!(shipped(&table, measure, &models, &Forest), slow, "forest, k {k}, p {p}, {measure:?}");
}

fn tuples(solution: Solution) -> Vec<Vec<Cell>> {
    match solution {
        Solution::PerRecord(tuples) => tuples,
        other => panic!("tuples were expected, not {other:?}"),
    }
}

fn tuples_agree(sheet: &Sheet, measure: Measure, k: usize, p: usize) {
    let table = sheet.table();
    let Some((k, p, models)) = fit(&table, k, p) else { return };
    let plain = Plain::new(&table, measure, k, p);
    let run = |start, goal| tuples(shipped(&table, measure, &models, &KType { start, goal, refine: false }));
    let (near, grown) = (k1_nearest(&plain), k1_expansion(&plain));
    assert_eq!(run(Start::Nearest, Goal::Tuples), near, "nearest, k {k}, {measure:?}");
    assert_eq!(run(Start::Expansion, Goal::Tuples), grown, "expansion, k {k}, {measure:?}");
    let rows = (0..table.rows as u32).map(|row| plain.leaf(row)).collect();
    assert_eq!(run(Start::Rows, Goal::Rows), one_k(&plain, rows), "1k, k {k}, {measure:?}");
    let both = one_k(&plain, grown);
    assert_eq!(run(Start::Nearest, Goal::Both), one_k(&plain, near), "kk-nearest, k {k}, {measure:?}");
    assert_eq!(run(Start::Expansion, Goal::Both), both, "kk-expansion, k {k}, {measure:?}");
    let owned = global(&plain, both.clone());
    assert_eq!(global_walk(&plain, both), owned, "global by walks, k {k}, p {p}, {measure:?}");
    assert_eq!(run(Start::Expansion, Goal::Global), owned, "global, k {k}, p {p}, {measure:?}");
}

fn optimum_agrees(sheet: &Sheet, measure: Measure, k: usize) {
    let table = sheet.table();
    let lines = table.qi.iter().filter(|q| matches!(q.attribute.domain, Domain::Interval(_))).count();
    let Some((k, _, models)) = fit(&table, k, 1).filter(|_| lines <= 1) else { return };
    let plain = Plain::new(&table, measure, k, 1);
    let found = tuples(shipped(
        &table,
        measure,
        &models,
        &KType { start: Start::Optimal, goal: Goal::Tuples, refine: false },
    ));
    let costs: Vec<u64> = found.iter().map(|tuple| plain.cost(tuple)).collect();
    assert_eq!(costs, k1_optimal(&plain), "k {k}, {measure:?}");
}

proptest! {
    #![proptest_config(fixed(700))]

    #[test]
    fn clusters_of_few_rows(sheet in sheets(1..=30usize, 1..=5, 0..=2), measure in measures(), k in 2..=6usize, p in 1..=3usize) {
        clusters_agree(&sheet, measure, k, p);
    }

    #[test]
    fn tuples_of_few_rows(sheet in sheets(1..=14usize, 1..=4, 0..=1), measure in measures(), k in 2..=5usize, p in 1..=2usize) {
        tuples_agree(&sheet, measure, k, p);
    }

    #[test]
    fn the_cheapest_tuples(sheet in sheets(1..=9usize, 1..=3, 0..=0), measure in measures(), k in 2..=4usize) {
        optimum_agrees(&sheet, measure, k);
    }
}

proptest! {
    #![proptest_config(fixed(6))]

    #[test]
    fn clusters_of_many_rows(sheet in sheets(100..=220usize, 2..=6, 0..=1), measure in measures(), k in 2..=12usize, p in 1..=2usize) {
        clusters_agree(&sheet, measure, k, p);
    }

    #[test]
    fn tuples_of_many_rows(sheet in sheets(40..=80usize, 2..=6, 0..=0), measure in measures(), k in 2..=6usize) {
        tuples_agree(&sheet, measure, k, 1);
    }
}
