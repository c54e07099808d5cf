//! Every shipped algorithm gives what its plain loop gives on real people: 3,000 of Adult, eight quasi-identifiers, k = 10.
//!
//! `greedy-pk` and `enhanced-pk`, which are made for p, are in `truta_2008.rs`. Loops that would take minutes have
//! fewer rows; the names of the tests say how many.

use super::common::adult::{QI, adult, tree};
use super::common::plain::agglomerative_cached::agglomerative_cached;
use super::common::plain::forest::forest;
use super::common::plain::global_walk::global_walk;
use super::common::plain::incognito::incognito;
use super::common::plain::k_member::k_member;
use super::common::plain::k_type::{k1_expansion, k1_nearest, k1_optimal, one_k};
use super::common::plain::kaca::kaca;
use super::common::plain::mondrian::mondrian;
use super::common::plain::oka::oka;
use super::common::plain::systematic::systematic;
use super::common::plain::{Plain, numbered};
use kohort::algorithm::{
    ALGORITHMS, Agglomerative, Algorithm, Cut, Distance, EqualRows, FirstSeed, Fixed, Forest, Goal,
    Incognito, KMember, KType, Kaca, Mondrian, Oka, Problem, Quiet, Rule, Run, Seeds, Settings, Start,
    Systematic,
};
use kohort::data::{Cell, Table};
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::solution::Solution;
use kohort::space::Space;

const K: usize = 10;

/// The table of some people; none where there is no Adult.
fn people(rows: usize) -> Option<Table> {
    adult(rows, &QI, &[]).map(|sheet| sheet.table())
}

fn plain(table: &Table) -> Plain<'_> {
    Plain::new(table, Measure::Il, K, 1)
}

fn shipped(table: &Table, algorithm: &dyn Algorithm) -> Solution {
    let models = Demands::new(K as u32, None).unwrap().bind(table).unwrap();
    let space = Space::new(table, Measure::Il.search_costs(table), &models);
    algorithm.group(Problem { space: &space, demands: &models, quota: 0 }, &Run::new(0, &Quiet)).unwrap()
}

/// `assert_eq` would print thousands of numbers.
#[track_caller]
fn same(table: &Table, name: &str, algorithm: &dyn Algorithm, clusters: &[Vec<u32>]) {
    assert!(shipped(table, algorithm) == Solution::Clusters(numbered(table.rows, clusters)), "{name}");
}

#[track_caller]
fn same_tuples(table: &Table, start: Start, goal: Goal, tuples: &[Vec<Cell>]) {
    let found = shipped(table, &KType { start, goal, refine: false });
    assert!(found == Solution::PerRecord(tuples.to_vec()), "{start:?}, {goal:?}");
}

#[test]
fn one_cluster_after_the_other() {
    let Some(table) = people(3000) else { return };
    let plain = plain(&table);
    let seeded = k_member(&plain, FirstSeed::Row, 0);
    same(&table, "k-member", &KMember { first_seed: FirstSeed::Row, seeds: Seeds::Farthest }, &seeded);
    let greedy_cka = ALGORITHMS.iter().find(|entry| entry.name == "greedy-cka").unwrap();
    same(&table, "greedy-cka", (greedy_cka.make)(&Settings::default()).unwrap().as_ref(), &seeded);
    let farthest = FirstSeed::Farthest;
    let solver = KMember { first_seed: farthest, seeds: Seeds::Farthest };
    same(&table, "k-member from the farthest row", &solver, &k_member(&plain, farthest, 0));
}

#[test]
fn all_clusters_at_once() {
    let Some(table) = people(3000) else { return };
    let plain = plain(&table);
    same(&table, "oka", &Oka, &oka(&plain, 0));
    for rule in [Rule::Loss, Rule::Increase] {
        same(&table, "systematic", &Systematic { rule }, &systematic(&plain, rule, 0));
    }
    same(&table, "kaca", &Kaca { threshold: None }, &kaca(&plain, 0, None, 0));
    same(&table, "forest", &Forest, &forest(&plain));
    for cut in [Cut::Strict, Cut::Relaxed] {
        same(&table, "mondrian", &Mondrian { cut }, &mondrian(&plain, cut));
    }
}

fn merges(modified: bool) {
    let Some(table) = people(3000) else { return };
    let plain = plain(&table);
    let distances = [Distance::Total, Distance::Cost, Distance::CostByLog, Distance::Factor];
    for (function, distance) in (1..).zip(distances) {
        let equal_rows = EqualRows::Lend;
        let slow = agglomerative_cached(&plain, function, 0.1, modified, equal_rows);
        let solver = Agglomerative { distance, epsilon: 0.1, modified, equal_rows };
        same(&table, &format!("distance {function}"), &solver, &slow);
    }
}

#[test]
fn agglomerative() {
    merges(false);
}

#[test]
fn agglomerative_modified() {
    merges(true);
}

#[test]
fn levels() {
    let Some(table) = people(3000) else { return };
    let models = Demands::new(K as u32, None).unwrap().bind(&table).unwrap();
    let slow = incognito(&plain(&table), 0, &Fixed::new(), &models);
    let (chosen, suppressed) = slow.chosen.unwrap();
    for every in [false, true] {
        let Solution::Levels(fast) = shipped(&table, &Incognito { every, ..Incognito::default() }) else {
            panic!("no levels")
        };
        assert_eq!((&fast.chosen, &fast.suppressed, fast.cost), (&chosen, &suppressed, slow.cost));
        assert!(fast.complete && fast.minimal == if every { slow.minimal.clone() } else { Vec::new() });
    }
}

#[test]
fn tuples_from_the_nearest() {
    let Some(table) = people(3000) else { return };
    let plain = plain(&table);
    let near = k1_nearest(&plain);
    same_tuples(&table, Start::Nearest, Goal::Tuples, &near);
    same_tuples(&table, Start::Nearest, Goal::Both, &one_k(&plain, near));
    let rows = (0..table.rows as u32).map(|row| plain.leaf(row)).collect();
    same_tuples(&table, Start::Rows, Goal::Rows, &one_k(&plain, rows));
}

#[test]
fn tuples_that_grow() {
    let Some(table) = people(3000) else { return };
    let plain = plain(&table);
    let grown = k1_expansion(&plain);
    same_tuples(&table, Start::Expansion, Goal::Tuples, &grown);
    let both = one_k(&plain, grown);
    same_tuples(&table, Start::Expansion, Goal::Both, &both);
    same_tuples(&table, Start::Expansion, Goal::Global, &global_walk(&plain, both));
}

/// The loop tries all tuples above every row on all rows, so ages need a tree, and five columns must do.
#[test]
fn cheapest_tuples_of_a_thousand() {
    let Some(mut sheet) = adult(1000, &["age", "sex", "race", "marital-status", "workclass"], &[]) else {
        return;
    };
    sheet.qi[0].shape = tree("age");
    let table = sheet.table();
    let plain = plain(&table);
    let Solution::PerRecord(tuples) =
        shipped(&table, &KType { start: Start::Optimal, goal: Goal::Tuples, refine: false })
    else {
        panic!("tuples were expected")
    };
    let costs: Vec<u64> = tuples.iter().map(|tuple| plain.cost(tuple)).collect();
    assert!(costs == k1_optimal(&plain));
}
