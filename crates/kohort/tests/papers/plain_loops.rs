//! The plain loops themselves: the papers' examples, small cases worked by hand, and what the papers prove about them.

use super::common::asked::{UNIFORM, asks, fit};
use super::common::by_hand::{drawn, each_row_once, paths, same, sheet, whole_numbers};
use super::common::draw::{Drawn, Shape, mostly_small, sheets};
use super::common::fixed;
use super::common::plain::kaca::kaca;
use super::common::plain::oka::oka;
use super::common::plain::repair::repair;
use super::common::plain::systematic::{places, systematic};
use super::common::plain::{Plain, leaf, listed};
use kohort::algorithm::Rule;
use kohort::data::{Cell, Domain, Kind, QuasiIdentifier, Table};
use kohort::measure::Measure;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

const RULES: [Rule; 2] = [Rule::Loss, Rule::Increase];

/// Li et al. 2006, Table 1a.
fn table_1a() -> Table {
    let postcode = ["4350", "4351", "4352", "4353"].map(|code| format!("{code};435*;43**;4***;*"));
    let columns = vec![
        drawn(Shape::Flat, ["male", "male", "male", "female", "female", "female"]),
        drawn(Shape::Flat, ["middle", "middle", "young", "young", "old", "old"]),
        drawn(
            paths(&postcode.each_ref().map(String::as_str)),
            ["4350", "4350", "4351", "4352", "4353", "4353"],
        ),
    ];
    sheet(columns, "sososo").table()
}

#[test]
fn kaca_finds_table_1b_of_li_2006_whatever_it_draws() {
    let table = table_1a();
    let plain = Plain::new(&table, UNIFORM, 2, 1);
    for seed in 0..20 {
        let found = kaca(&plain, seed, None, 0);
        same(&table, &found, &[&[0, 1], &[2, 3], &[4, 5]]);
        assert_eq!(plain.total(&found), 5 * u64::from(plain.scale) / 2);
    }
}

/// Rows 3 and 4 are 2.5 apart; alone, row 4 is 3.75 from rows 5 and 6, row 3 is as far from rows 1 and 2.
#[test]
fn kaca_suppresses_what_is_farther_than_the_threshold_within_the_budget() {
    let table = table_1a();
    let plain = Plain::new(&table, UNIFORM, 2, 1);
    let limit = 5 * u64::from(plain.scale) / 2;
    same(&table, &kaca(&plain, 0, Some(limit), 2), &[&[0, 1], &[2, 3], &[4, 5]]);
    same(&table, &kaca(&plain, 0, Some(limit - 1), 0), &[&[0, 1], &[2, 3], &[4, 5]]);
    same(&table, &kaca(&plain, 0, Some(limit - 1), 2), &[&[0, 1], &[4, 5]]);
    // Only one row may go. Of two classes of one row, the fixed rule takes the one whose gender comes first: row 4.
    same(&table, &kaca(&plain, 0, Some(limit - 1), 1), &[&[0, 1, 2], &[4, 5]]);
    // Five rows in one class would do, four would not: the second lone row has to stay.
    let plain = Plain::new(&table, UNIFORM, 5, 1);
    assert_eq!(kaca(&plain, 0, Some(0), 6).iter().map(Vec::len).sum::<usize>(), 5);
}

#[test]
fn kaca_takes_a_stub_and_leaves_the_trunk() {
    let column = drawn(paths(&["a;ab;*", "b;ab;*", "c;*"]), ["a", "b", "a", "a", "a", "c"]);
    let table = sheet(vec![column], "").table();
    let plain = Plain::new(&table, UNIFORM, 2, 1);
    // b takes the lowest a with it to `ab`. c is as far from this class of two (1 + 2 * 1/2) as from one of the three a
    // that are left (1 + 1): fewer rows win.
    same(&table, &kaca(&plain, 0, None, 0), &[&[0, 1], &[2, 5], &[3, 4]]);
}

#[test]
fn kaca_joins_classes_that_get_the_same_tuple() {
    let column = drawn(paths(&["a;g;*", "b;g;*", "c;g;*", "d;g;*", "e;*"]), ["a", "b", "c", "d", "e", "e"]);
    let table = sheet(vec![column], "").table();
    // a and b become `g`, c follows; d takes a stub of these three to `g`, where the trunk already is.
    let plain = Plain::new(&table, UNIFORM, 2, 1);
    same(&table, &kaca(&plain, 0, None, 0), &[&[0, 1, 2, 3], &[4, 5]]);
}

/// Paper 002, Table 1. The paper calls it sorted, but no order of its columns makes it so; its numbering as a column
/// that costs nothing does.
fn patients(numbered: bool) -> Table {
    let education = ["9th;9-10;*", "10th;9-10;*", "11th;11-12;*", "12th;11-12;*"];
    let number = drawn(Shape::Number(Kind::Integer), ["1", "2", "3", "4", "5", "6"]);
    let mut columns = vec![
        drawn(Shape::Flat, ["4350", "4351", "4352", "4350", "4350", "4350"]),
        drawn(Shape::Flat, ["Male", "Male", "Male", "Male", "Female", "Female"]),
        drawn(Shape::Number(Kind::Integer), ["24", "25", "26", "35", "40", "38"]),
        drawn(paths(&education), ["9th", "10th", "9th", "9th", "10th", "11th"]),
    ];
    if numbered {
        columns.insert(0, Drawn { weight: 0.0, ..number });
    }
    sheet(columns, "").table()
}

/// The first seed that visits record 2 first, then 3, then 1.
fn seed_of_the_paper() -> u64 {
    (1..100).find(|&seed| places(3, seed) == [1, 2, 0]).unwrap()
}

#[test]
fn systematic_finds_the_clusters_of_paper_002() {
    let table = patients(true);
    let plain = Plain::new(&table, Measure::Il, 3, 1);
    for rule in RULES {
        let found = systematic(&plain, rule, seed_of_the_paper());
        assert_eq!(found, [[1, 2, 0], [4, 5, 3]], "{rule:?}");
        assert_eq!(plain.total(&found), 189 * u64::from(plain.scale) / 16, "11.8125 by the definition");
    }
}

/// Sorted by its columns as they are, the table visits other records in other clusters, and ends with the same two.
#[test]
fn systematic_finds_them_in_the_sorted_table_too() {
    let table = patients(false);
    let plain = Plain::new(&table, Measure::Il, 3, 1);
    assert_eq!(plain.sorted_rows(), [5, 4, 0, 3, 1, 2]);
    for rule in RULES {
        same(&table, &systematic(&plain, rule, seed_of_the_paper()), &[&[3, 4, 5], &[0, 1, 2]]);
    }
}

/// What OKA makes of one column of whole numbers by the fixed rules.
#[track_caller]
fn oka_of(k: usize, texts: &[&str], expected: &[&[u32]]) {
    let table = whole_numbers(texts, "");
    same(&table, &oka(&Plain::new(&table, Measure::Il, k, 1), 0), expected);
}

#[test]
fn oka_levels_sizes_by_taking_out_the_farthest() {
    // Seeds 0 and 12. All others are nearer to 12, and 10 and 14 are the farthest from the mean, which is 12 again.
    oka_of(3, &["0", "10", "11", "12", "13", "14"], &[&[0, 1, 5], &[2, 3, 4]]);
    // Seeds 0 and 10; the mean of 10, 11 and 12 is 11, and 12 goes and comes back.
    oka_of(2, &["0", "1", "10", "11", "12"], &[&[0, 1], &[2, 3, 4]]);
    // Seeds 0 and 10; 10 is 6 2/3 from the mean of 10, 20 and 20, but without it 10 from 20 and 9 from 1.
    oka_of(2, &["0", "2", "10", "20", "20"], &[&[0, 1, 2], &[3, 4]]);
    // Seeds 5 and a missing value. 9 is as far from the one as from the other: the earlier cluster wins.
    oka_of(2, &["", "", "", "5", "9"], &[&[3, 4], &[0, 1, 2]]);
}

/// The first and the third pair are nearest to each other, but only b and c can help them: by increase 16 rather than
/// 24, and 16 rather than the 20 of following the other. Unions stay in the lower place, and others move up.
#[test]
fn repair_merges_by_deficit_then_by_increase() {
    let table = whole_numbers(&["10", "11", "90", "91", "12", "13", "16", "17", "6", "7"], "aabcaabcbc");
    let plain = Plain::new(&table, Measure::Il, 2, 2);
    let clusters = vec![vec![0, 1], vec![2, 3], vec![4, 5], vec![6, 7], vec![8, 9]];
    same(&table, &repair(&plain, clusters.clone()), &[&[0, 1, 8, 9], &[2, 3], &[4, 5, 6, 7]]);
    let clusters = clusters.into_iter().rev().collect();
    same(&table, &repair(&plain, clusters), &[&[0, 1, 8, 9], &[4, 5, 6, 7], &[2, 3]]);
}

/// Every algorithm's clusters of all rows.
fn all_clusterings(plain: &Plain<'_>, seed: u64) -> [Vec<Vec<u32>>; 4] {
    let [literal, increase] = RULES.map(|rule| systematic(plain, rule, seed));
    [kaca(plain, seed, None, 0), literal, increase, oka(plain, seed)]
}

proptest! {
    #![proptest_config(fixed(1000))]

    /// Theorem 3 of Kabir et al. 2011.
    #[test]
    fn systematic_clusters_have_k_to_2k_minus_1_rows(
        sheet in sheets(mostly_small(), 1..=4, 0..=0),
        ask in asks(),
    ) {
        let table = sheet.table();
        let plain = fit(&table, ask, false);
        for rule in RULES {
            let clusters = systematic(&plain, rule, ask.seed);
            each_row_once(&table, &clusters);
            prop_assert!(clusters.iter().all(|c| (plain.k..2 * plain.k).contains(&c.len())), "{clusters:?}");
        }
    }

    /// There are as many clusters as can have k rows, and all have them before anything is repaired.
    #[test]
    fn oka_clusters_have_at_least_k_rows(sheet in sheets(mostly_small(), 1..=4, 0..=0), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, false);
        let clusters = oka(&plain, ask.seed);
        each_row_once(&table, &clusters);
        prop_assert_eq!(clusters.len(), table.rows / plain.k);
        prop_assert!(clusters.iter().all(|c| c.len() >= plain.k), "{:?}", clusters);
    }

    #[test]
    fn all_clusters_hold_where_the_whole_table_does(
        sheet in sheets(mostly_small(), 1..=4, 0..=2),
        ask in asks(),
    ) {
        let table = sheet.table();
        let plain = fit(&table, ask, true);
        for clusters in all_clusterings(&plain, ask.seed) {
            each_row_once(&table, &clusters);
            prop_assert!(clusters.iter().all(|c| plain.holds(c)), "{clusters:?}");
        }
    }

    /// Rows dealt at random: most clusters are too small, too uniform or both.
    #[test]
    fn any_clusters_can_be_repaired(
        (sheet, dealt) in sheets(1..=40usize, 1..=3, 0..=2)
            .prop_flat_map(|sheet| { let rows = sheet.rows; (Just(sheet), vec(0..12u32, rows)) }),
        ask in asks(),
    ) {
        let table = sheet.table();
        let plain = fit(&table, ask, true);
        let clusters: Vec<Vec<u32>> = listed(&dealt).into_iter().filter(|c| !c.is_empty()).collect();
        let repaired = repair(&plain, clusters.clone());
        each_row_once(&table, &repaired);
        prop_assert!(repaired.iter().all(|c| plain.holds(c)), "{clusters:?} became {repaired:?}");
        // Clusters are joined, never taken apart.
        let inside = |c: &Vec<u32>| repaired.iter().any(|r| c.iter().all(|row| r.contains(row)));
        prop_assert!(clusters.iter().all(inside), "{clusters:?} became {repaired:?}");
    }

    #[test]
    fn kaca_suppresses_no_more_than_it_may(
        sheet in sheets(mostly_small(), 1..=4, 0..=2),
        ask in asks(),
        limit in 0.0..4.0f64,
        budget in 0..=20usize,
    ) {
        let table = sheet.table();
        let plain = fit(&table, ask, true);
        let limit = (limit * f64::from(plain.scale)) as u64;
        let clusters = kaca(&plain, ask.seed, Some(limit), budget);
        let kept: usize = clusters.iter().map(Vec::len).sum();
        prop_assert!(table.rows - kept <= budget);
        prop_assert!(clusters.iter().all(|c| plain.holds(c)), "{clusters:?}");
        prop_assert_eq!(kaca(&plain, ask.seed, Some(limit), 0), kaca(&plain, ask.seed, None, budget));
    }
}

/// Definition 9 of Li et al. 2006, as the sum of two differences of fixed-point costs.
fn dist(plain: &Plain<'_>, a: &[Cell], b: &[Cell]) -> u64 {
    let top = plain.cost(&plain.joined(a, b));
    let distortion = |t: &[Cell]| top.checked_sub(plain.cost(t)).unwrap();
    distortion(a) + distortion(b)
}

/// Whether two nodes are one to whoever reads them: from one to the other, all have the same label and the same values.
fn alike(plain: &Plain<'_>, dim: usize, a: Cell, b: Cell) -> bool {
    let Domain::Tree(h) = &plain.table.qi[dim].attribute.domain else { return a == b };
    let (low, high) = (a.lo.min(b.lo), a.lo.max(b.lo));
    let is_like = |node: u32| h.label(node) == h.label(low) && h.leaves(node) == h.leaves(low);
    let mut up = std::iter::successors(Some(low), |&node| h.parent(node)).take_while(|&node| is_like(node));
    up.any(|node| node == high)
}

/// Whether somebody who reads two nodes may take one for the other: they hold the same values, and the label of one of them stands
/// elsewhere in the tree as well.
fn confusable(plain: &Plain<'_>, dim: usize, a: Cell, b: Cell) -> bool {
    let Domain::Tree(h) = &plain.table.qi[dim].attribute.domain else { return false };
    let repeats = |cell: Cell| h.node(h.label(cell.lo)) != Some(cell.lo);
    h.leaves(a.lo) == h.leaves(b.lo) && (repeats(a) || repeats(b))
}

/// Lemma 1, and what makes it a metric: no distance only between tuples that are alike wherever the weight is not 0, or that
/// repeated labels make hard to tell apart.
fn is_metric(plain: &Plain<'_>, tuples: &[Vec<Cell>]) {
    let dist = |a, b| dist(plain, a, b);
    let counts = |&dim: &usize| plain.table.qi[dim].attribute.weight > 0.0;
    for a in tuples {
        assert_eq!(dist(a, a), 0);
        for b in tuples {
            assert_eq!(dist(a, b), dist(b, a));
            let all = |test: &dyn Fn(usize) -> bool| (0..plain.dims()).filter(counts).all(test);
            let same = |dim: usize| alike(plain, dim, a[dim], b[dim]);
            assert!(!all(&same) || dist(a, b) == 0, "{a:?} and {b:?}");
            let near = |dim: usize| same(dim) || confusable(plain, dim, a[dim], b[dim]);
            assert!(dist(a, b) > 0 || all(&near), "{a:?} and {b:?}");
            for c in tuples {
                assert!(dist(a, c) <= dist(a, b) + dist(b, c), "{a:?}, {b:?} and {c:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(fixed(1000))]

    #[test]
    fn distances_between_generalized_tuples_are_a_metric(
        sheet in sheets(1..=12usize, 1..=6, 0..=0),
        nodes in vec(vec(any::<Index>(), 6), 8),
    ) {
        let mut table = sheet.table();
        table.qi.retain(|q| matches!(q.attribute.domain, Domain::Tree(_)));
        let tuple = |nodes: &Vec<Index>| {
            let cell = |(q, index): (&QuasiIdentifier, &Index)| match &q.attribute.domain {
                Domain::Tree(h) => leaf(index.index(h.len()) as u32),
                Domain::Interval(_) => unreachable!("only trees are left"),
            };
            table.qi.iter().zip(nodes).map(cell).collect()
        };
        let tuples: Vec<Vec<Cell>> = nodes.iter().map(tuple).collect();
        for beta in [0.0, 1.0] {
            is_metric(&Plain::new(&table, Measure::Whd { beta }, 1, 1), &tuples);
        }
    }
}
