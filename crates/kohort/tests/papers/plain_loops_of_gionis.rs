//! The plain loops for Gionis et al. 2008 themselves: the paper's examples, small cases worked by hand, and what the paper and
//! `algorithms.md` say about them.

use super::common::asked::{Ask, asks, fit};
use super::common::by_hand::{drawn, each_row_once, paths, same, sheet, whole_numbers};
use super::common::draw::{Drawn, Shape, sheets};
use super::common::fixed;
use super::common::plain::Plain;
use super::common::plain::agglomerative::{Distance, Equal, Ruler, agglomerative, distance, ripen, spare};
use super::common::plain::forest::{arrows, decompose, forest};
use super::common::plain::k_type::{
    contains, degrees, global, k1_expansion, k1_nearest, k1_optimal, matches, one_k, posterior,
};
use super::common::plain::optimum::optimum;
use kohort::algorithm::EqualRows;
use kohort::data::{Attribute, Cell, Domain, Kind, Table};
use kohort::measure::Measure;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// All four distances, each with both algorithms.
const WAYS: [(u8, bool); 8] =
    [(1, false), (2, false), (3, false), (4, false), (1, true), (2, true), (3, true), (4, true)];
const EPSILON: f64 = 0.1;

fn ruler(function: u8) -> Ruler {
    Ruler { function, epsilon: EPSILON }
}

/// A column that tells rows apart at no cost.
fn weightless(column: Drawn) -> Drawn {
    Drawn { weight: 0.0, ..column }
}

/// A generalized value by its text: a node, or a range of numbers as `3..7`.
fn cell(attribute: &Attribute, text: &str) -> Cell {
    match &attribute.domain {
        Domain::Tree(h) => attribute.leaf(h.node(text).unwrap()),
        Domain::Interval(n) => {
            let (lo, hi) = text.split_once("..").unwrap();
            n.between(lo.parse().unwrap(), hi.parse().unwrap()).unwrap()
        }
    }
}

/// One tuple per line, its cells with spaces between them.
fn tuples(table: &Table, lines: &[&str]) -> Vec<Vec<Cell>> {
    let tuple =
        |line: &&str| table.qi.iter().zip(line.split(' ')).map(|(q, t)| cell(&q.attribute, t)).collect();
    lines.iter().map(tuple).collect()
}

/// The smallest tuples that cover a row, one for each row.
fn verbatim(plain: &Plain<'_>) -> Vec<Vec<Cell>> {
    (0..plain.table.rows as u32).map(|row| plain.leaf(row)).collect()
}

fn sizes(lists: &[Vec<usize>]) -> Vec<usize> {
    lists.iter().map(Vec::len).collect()
}

/// What all tuples cost on average per cell, as the paper states it.
fn mean_cost(plain: &Plain<'_>, tuples: &[Vec<Cell>]) -> f64 {
    let total: u64 = tuples.iter().map(|tuple| plain.cost(tuple)).sum();
    total as f64 / (tuples.len() * plain.dims()) as f64 / f64::from(plain.scale)
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
}

/// The table of Proposition 4.5.
fn three_rows() -> Table {
    sheet(vec![drawn(Shape::Flat, ["1", "1", "2"]), drawn(Shape::Flat, ["3", "4", "4"])], "").table()
}

/// Its (2,2)-anonymization.
const TWO_TWO: [&str; 3] = ["1 *", "* *", "* 4"];

/// `algorithms.md` §14.1: every anonymization with the degrees of rows and of tuples, the matches and the losses.
#[test]
fn worked_example_1_the_four_tables_of_proposition_4_5() {
    let table = three_rows();
    let [lm, entropy] = [Measure::Lm, Measure::Entropy].map(|measure| Plain::new(&table, measure, 2, 1));
    for (lines, rows, of_tuples, matched, losses) in [
        (["* *", "* *", "* *"], [3, 3, 3], [3, 3, 3], [3, 3, 3], [1.0, 0.918_296]),
        (["1 3", "* *", "* 4"], [2, 2, 2], [1, 3, 2], [1, 2, 2], [0.5, 0.459_148]),
        (["1 *", "* 4", "* 4"], [1, 3, 2], [2, 2, 2], [1, 2, 2], [0.5, 0.459_148]),
        (TWO_TWO, [2, 3, 2], [2, 3, 2], [2, 3, 2], [2.0 / 3.0, 0.612_197]),
    ] {
        let tuples = tuples(&table, &lines);
        assert_eq!(degrees(&lm, &tuples), (rows.to_vec(), of_tuples.to_vec()), "{lines:?}");
        assert_eq!(sizes(&matches(&lm, &tuples)), matched, "{lines:?}");
        near(mean_cost(&lm, &tuples), losses[0]);
        near(mean_cost(&entropy, &tuples), losses[1]);
    }
}

/// Nobody may say "each match is equally probable" (errata S0-7).
#[test]
fn worked_example_1_matches_are_not_equally_probable() {
    let table = three_rows();
    let plain = Plain::new(&table, Measure::Lm, 2, 1);
    let found = posterior(&plain, &tuples(&table, &TWO_TWO));
    let third = 1.0 / 3.0;
    let expected = [[2.0 * third, third, 0.0], [third, third, third], [0.0, third, 2.0 * third]];
    for (found, expected) in found.into_iter().flatten().zip(expected.into_iter().flatten()) {
        near(found, expected);
    }
    let found = posterior(&plain, &tuples(&table, &["* *", "* *", "* *"]));
    found.into_iter().flatten().for_each(|share| near(share, third));
}

/// `algorithms.md` §14.2: most rows verbatim, k rows fully suppressed.
#[test]
fn worked_example_2_one_k_alone_is_insecure() {
    let table = sheet(vec![drawn(Shape::Flat, ["a", "b", "c", "d", "e"])], "").table();
    let plain = Plain::new(&table, Measure::Lm, 2, 1);
    let published = tuples(&table, &["a", "b", "c", "*", "*"]);
    assert_eq!(degrees(&plain, &published), (vec![3, 3, 3, 2, 2], vec![1, 1, 1, 5, 5]));
    assert_eq!(matches(&plain, &published), [vec![0], vec![1], vec![2], vec![3, 4], vec![3, 4]]);
    assert_eq!(one_k(&plain, published.clone()), published, "it is a (1,2)-anonymization");
}

/// Two columns of the values 0, 1 and 2, where 0 and 1 have a group.
fn pairs(rows: &[&str]) -> Table {
    let column = |i: usize| drawn(paths(&["0;01;*", "1;01;*", "2;*"]), rows.iter().map(|row| &row[i..=i]));
    sheet(vec![column(0), column(1)], "").table()
}

/// `algorithms.md` §7.4 and §14.3, the first table.
#[test]
fn worked_example_3_two_two_need_not_be_global() {
    let table = pairs(&["10", "01", "01", "10", "00"]);
    let plain = Plain::new(&table, Measure::Lm, 2, 1);
    let published = tuples(&table, &["1 *", "0 *", "01 *", "1 0", "01 0"]);
    let (rows, of_tuples) = degrees(&plain, &published);
    assert!(rows.iter().chain(&of_tuples).all(|&degree| degree >= 2));
    let matched = matches(&plain, &published);
    assert_eq!(matched[4], [4]);
    assert!(matched[..4].iter().all(|m| m.len() >= 2), "{matched:?}");

    // Rows 2 and 3 are its neighbours, and equal: the first of them makes the tuple of row 5 grow, no other does.
    let grown = tuples(&table, &["1 *", "0 *", "01 *", "1 0", "01 01"]);
    assert_eq!(global(&plain, published), grown);
    assert!(matches(&plain, &grown).iter().all(|m| m.len() >= 2));
}

/// `algorithms.md` §7.4 and §14.3, the second table.
#[test]
fn worked_example_3_global_one_three_need_not_be_three_one() {
    let table = pairs(&["02", "11", "01", "12"]);
    let plain = Plain::new(&table, Measure::Lm, 3, 1);
    let published = tuples(&table, &["01 *", "01 01", "01 *", "01 *"]);
    assert_eq!(degrees(&plain, &published).1, [4, 2, 4, 4]);
    assert!(matches(&plain, &published).iter().all(|m| m.len() >= 3));
    assert_eq!(global(&plain, published.clone()), published);
}

/// A distance as the paper's means over attributes state it.
fn stated(plain: &Plain<'_>, function: u8, a: &[u32], b: &[u32]) -> f64 {
    let unit = plain.dims() as f64 * f64::from(plain.scale);
    match distance(plain, ruler(function), a, b) {
        Distance::Exact(units) => units as f64 / unit,
        Distance::Real(units) if function == 3 => units / unit,
        Distance::Real(ratio) => ratio,
    }
}

/// `algorithms.md` §14.4. With a second column of equal values every mean is halved, and epsilon is not.
#[test]
fn worked_example_4_distances_on_flat_values() {
    let flat = || drawn(Shape::Flat, ["a", "b", "c"]);
    let one = sheet(vec![flat()], "").table();
    let two = sheet(vec![flat(), drawn(Shape::Flat, ["x", "x", "x"])], "").table();
    let ln = std::f64::consts::LN_2;
    for (table, singles, third) in [
        (one, [2.0, 1.0, 1.0 / ln, 10.0], [1.0, 0.0, 0.0, 1.0 / 1.1]),
        (two, [1.0, 0.5, 0.5 / ln, 5.0], [0.5, 0.0, 0.0, 0.5 / 0.6]),
    ] {
        let plain = Plain::new(&table, Measure::Lm, 2, 1);
        for function in 1..=4 {
            near(stated(&plain, function, &[0], &[1]), singles[usize::from(function) - 1]);
            near(stated(&plain, function, &[0, 1], &[2]), third[usize::from(function) - 1]);
        }
    }
}

/// Rows at 0, 1, 4 and 16 of 16: costs of 1/16 and 12/16 become one of 16/16.
#[test]
fn distances_between_larger_clusters() {
    let table = whole_numbers(&["0", "1", "4", "16"], "");
    let plain = Plain::new(&table, Measure::Il, 2, 1);
    near(stated(&plain, 1, &[0, 1], &[2, 3]), (4.0 * 16.0 - 2.0 - 2.0 * 12.0) / 16.0);
    near(stated(&plain, 2, &[0, 1], &[2, 3]), 3.0 / 16.0);
    near(stated(&plain, 3, &[0, 1], &[2, 3]), 3.0 / 16.0 / 4f64.ln());
    near(stated(&plain, 4, &[0, 1], &[2, 3]), 1.0 / (13.0 / 16.0 + 0.1));
}

/// What an agglomerative algorithm makes of one column of whole numbers.
#[track_caller]
fn merged(k: usize, (function, modified): (u8, bool), texts: &[&str], expected: &[&[u32]]) {
    let table = whole_numbers(texts, "");
    let plain = Plain::new(&table, Measure::Il, k, 1);
    same(&table, &agglomerative(&plain, function, EPSILON, modified, EqualRows::Lend), expected);
}

#[test]
fn the_lowest_rows_merge_first_and_leftovers_join_the_first() {
    let table = sheet(vec![drawn(Shape::Flat, ["a", "b", "c", "d", "e"])], "").table();
    for (function, modified) in WAYS {
        let plain = Plain::new(&table, Measure::Lm, 2, 1);
        same(
            &table,
            &agglomerative(&plain, function, EPSILON, modified, EqualRows::Lend),
            &[&[0, 1, 4], &[2, 3]],
        );
    }
}

/// What counts is the lowest row of each cluster, and first the lower of these: not which cluster is older.
#[test]
fn equally_near_clusters_merge_in_the_order_of_their_lowest_rows() {
    for (function, modified) in WAYS {
        merged(2, (function, modified), &["0", "10", "11", "1"], &[&[0, 3], &[1, 2]]);
        merged(3, (function, modified), &["7", "7", "9", "9", "9", "7"], &[&[0, 1, 5], &[2, 3, 4]]);
    }
}

/// Four equal rows and three equal rows stay together; a single one does not keep them from it.
#[test]
fn equal_rows_are_one_cluster_however_many() {
    for (function, modified) in WAYS {
        merged(3, (function, modified), &["7", "7", "7", "7", "9", "9", "9"], &[&[0, 1, 2, 3], &[4, 5, 6]]);
        merged(
            2,
            (function, modified),
            &["9", "7", "7", "7", "9", "9", "60", "64"],
            &[&[0, 4, 5], &[1, 2, 3], &[6, 7]],
        );
    }
}

/// By (8) two pairs form and merge: 16 - 2 - 4 = 10 rather than 3 * 125 and more. Of these four rows the last one is
/// the one without which the rest is narrowest.
#[test]
fn a_ripe_cluster_gives_back_what_it_can_spare() {
    let texts = ["0", "1", "3", "5", "127", "128"];
    merged(3, (1, false), &texts, &[&[0, 1, 2, 3, 4, 5]]);
    merged(3, (1, true), &texts, &[&[0, 1, 2], &[3, 4, 5]]);
    // 1 to 4 and 0 to 3 are equally wide: the lowest row goes.
    merged(3, (1, true), &["0", "1", "3", "4", "127", "128"], &[&[1, 2, 3], &[0, 4, 5]]);
}

/// 0, 1, 2 and 10, 11, 12 merge. First 0 goes, then 1 rather than 12: 2 to 12 is as wide as 1 to 11.
#[test]
fn what_can_be_spared_is_asked_anew_after_every_row() {
    let texts = ["0", "1", "2", "10", "11", "12", "64", "64"];
    merged(4, (1, true), &texts, &[&[2, 3, 4, 5], &[0, 1, 6, 7]]);
}

/// 30 joins the zeros. Then 33 is 3 from these, though it was nearer to the others before.
#[test]
fn leftovers_join_one_after_the_other() {
    let texts = ["0", "0", "0", "30", "33", "64", "64", "64"];
    merged(3, (2, false), &texts, &[&[0, 1, 2, 3, 4], &[5, 6, 7]]);
}

/// 16 adds 16 to the four zeros and to the three between 32 and 34.
#[test]
fn a_leftover_joins_the_smaller_of_two_equally_near_clusters() {
    let texts = ["0", "0", "0", "0", "32", "33", "34", "16", "64", "64", "64"];
    merged(3, (2, false), &texts, &[&[0, 1, 2, 3], &[8, 9, 10], &[4, 5, 6, 7]]);
}

/// By (8) three pairs form before one is joined by 0. By (9) 15 adds 6 to the pair of 21 and 25, as the pair of 31 and
/// 32 would, but is one row. By (10) 25 joins 31 and 32 before it finds 21. By (11) the two pairs merge: 11 / 8.2.
#[test]
fn each_distance_has_its_own_way() {
    let texts = ["0", "8", "15", "21", "25", "31", "32"];
    merged(3, (1, false), &texts, &[&[0, 1, 2], &[3, 4, 5, 6]]);
    merged(3, (2, false), &texts, &[&[2, 3, 4], &[0, 1, 5, 6]]);
    merged(3, (3, false), &texts, &[&[4, 5, 6], &[0, 1, 2, 3]]);
    merged(3, (4, false), &texts, &[&[3, 4, 5, 6], &[0, 1, 2]]);
}

#[test]
fn too_few_rows_are_one_cluster() {
    for (function, modified) in WAYS {
        merged(4, (function, modified), &["1", "2", "3"], &[&[0, 1, 2]]);
        merged(1, (function, modified), &["1", "2", "1"], &[&[0, 2], &[1]]);
    }
    let table = whole_numbers(&["1", "2", "3"], "");
    same(&table, &forest(&Plain::new(&table, Measure::Il, 4, 1)), &[&[0, 1, 2]]);
}

/// The pairs of equal rows are not diverse; the nearest other pair is.
#[test]
fn clusters_that_are_not_diverse_are_repaired() {
    let table = whole_numbers(&["0", "0", "5", "5", "64", "64", "60", "60"], "aabbaabb");
    let plain = Plain::new(&table, Measure::Il, 2, 2);
    let pairs: &[&[u32]] = &[&[0, 1, 2, 3], &[4, 5, 6, 7]];
    same(&table, &agglomerative(&plain, 1, EPSILON, false, EqualRows::Lend), pairs);
    same(&table, &forest(&plain), pairs);
}

#[track_caller]
fn arrows_of(k: usize, texts: &[&str], expected: &[(u32, u32)]) {
    let table = whole_numbers(texts, "");
    assert_eq!(arrows(&Plain::new(&table, Measure::Il, k, 1)), expected);
}

#[test]
fn the_smallest_tree_asks_through_its_last_row() {
    // Single rows first, in order; then the pair of 0 and 1, through 1, though the row at 10 is in a larger tree.
    arrows_of(3, &["0", "1", "10", "11", "30"], &[(0, 1), (2, 3), (4, 3), (1, 2)]);
    // Of two trees of three rows the one with row 0 asks, though it became one last.
    arrows_of(4, &["0", "1", "20", "21", "22", "2"], &[(0, 1), (2, 3), (4, 3), (5, 1), (1, 2)]);
    // As far to the left as to the right: the lower row.
    arrows_of(2, &["8", "16", "0"], &[(0, 1), (2, 0)]);
    // The tree of 0, 1 and 3 has asked through all but the row at 3, whatever is nearer to another.
    arrows_of(4, &["1", "0", "3", "-2", "9"], &[(0, 1), (2, 0), (3, 1), (4, 2)]);
}

/// The parts of one tree, given the neighbours of every vertex that are lower than itself.
#[track_caller]
fn parted(k: usize, above: &[u32], expected: &[&[u32]]) {
    let edges: Vec<(u32, u32)> = (1..).zip(above).map(|(vertex, &near)| (vertex, near)).collect();
    assert_eq!(decompose(above.len() as u32 + 1, k, &edges), expected);
}

#[test]
fn trees_are_cut_at_the_first_edge_that_leaves_both_sides_large_enough() {
    parted(2, &[0, 1, 2, 3, 4], &[&[0, 1], &[2, 3], &[4, 5]]);
    parted(3, &[0, 1, 2, 3], &[&[0, 1, 2, 3, 4]]);
    // Three branches of two rows on row 0, the lowest first.
    parted(2, &[0, 1, 0, 3, 0, 5], &[&[0, 5, 6], &[1, 2], &[3, 4]]);
}

#[test]
fn trees_without_such_an_edge_are_dealt_around_a_vertex() {
    // Six leaves on row 0: it needs two of them.
    parted(3, &[0; 6], &[&[0, 1, 2], &[3, 4, 5, 6]]);
    // Nine: a Steiner vertex holds the other seven, and is dealt around in its turn. It counts nothing, so it needs 3.
    parted(3, &[0; 9], &[&[0, 1, 2], &[3, 4, 5], &[6, 7, 8, 9]]);
    // Row 0 is found from 1, through two vertices.
    parted(3, &[2, 0, 0, 0, 0, 0], &[&[0, 1, 2], &[3, 4, 5, 6]]);
    // Branches of 1, 2, 2, 2 and 1 rows: the larger first; equal sides, so row 0 is with these.
    parted(4, &[0, 0, 2, 0, 4, 0, 6, 0], &[&[0, 2, 3, 4, 5], &[1, 6, 7, 8]]);
    // Branches of 2, 2, 2 and 1 rows: row 0 is needed on the other side.
    parted(4, &[0, 1, 0, 3, 0, 5, 0], &[&[0, 5, 6, 7], &[1, 2, 3, 4]]);
}

/// Three branches of two rows on a Steiner vertex cannot be dealt: 3k - 3 rows stay together. Nor can three of three
/// rows on a row when each side must have five: 3k - 5 rows.
#[test]
fn some_trees_cannot_be_split() {
    parted(3, &[0, 1, 0, 3, 0, 5, 0, 7], &[&[0, 1, 2], &[3, 4, 5, 6, 7, 8]]);
    parted(5, &[0, 1, 2, 0, 4, 5, 0, 7, 8], &[&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
}

/// The published cells of every tuple.
fn shown(table: &Table, tuples: &[Vec<Cell>]) -> Vec<String> {
    let text = |tuple: &Vec<Cell>| {
        let cells = table.qi.iter().zip(tuple).map(|(q, &cell)| q.attribute.text(cell));
        cells.collect::<Vec<_>>().join(" ")
    };
    tuples.iter().map(text).collect()
}

/// Row 0 is nearest to 3 and to -4; but with 3 in its tuple, 5 is cheaper.
#[test]
fn nearest_and_expansion_differ() {
    let table = whole_numbers(&["0", "3", "5", "-4"], "");
    let plain = Plain::new(&table, Measure::Il, 3, 1);
    assert_eq!(shown(&table, &k1_nearest(&plain)), ["[-4, 3]", "[0, 5]", "[0, 5]", "[-4, 3]"]);
    assert_eq!(shown(&table, &k1_expansion(&plain)), ["[0, 5]", "[0, 5]", "[0, 5]", "[-4, 3]"]);
}

#[test]
fn equally_near_rows_are_taken_in_order_but_covered_ones_first() {
    let table = whole_numbers(&["8", "16", "0"], "");
    let plain = Plain::new(&table, Measure::Il, 2, 1);
    for found in [k1_nearest(&plain), k1_expansion(&plain)] {
        assert_eq!(shown(&table, &found), ["[8, 16]", "[8, 16]", "[0, 8]"]);
    }
    // All rows cost nothing; the third is equal to the first.
    let number = weightless(drawn(Shape::Flat, ["p", "q", "p", "r"]));
    let table = sheet(vec![drawn(Shape::Flat, ["x"; 4]), number], "").table();
    let plain = Plain::new(&table, Measure::Il, 2, 1);
    for found in [k1_nearest(&plain), k1_expansion(&plain)] {
        assert_eq!(shown(&table, &found), ["x p", "x *", "x p", "x *"]);
    }
}

/// Covered is more than equal: with 1 and 5 in its tuple, row 0 takes 3 rather than the earlier 9.
#[test]
fn expansion_takes_covered_rows_first() {
    let number = weightless(drawn(Shape::Number(Kind::Integer), ["1", "5", "9", "3"]));
    let table = sheet(vec![drawn(Shape::Flat, ["x"; 4]), number], "").table();
    let plain = Plain::new(&table, Measure::Il, 3, 1);
    assert_eq!(shown(&table, &k1_expansion(&plain))[0], "x [1, 5]");
    assert_eq!(shown(&table, &k1_nearest(&plain))[0], "x [1, 9]");
}

/// The paper's (2,1)-anonymization becomes its (2,2)-anonymization.
#[test]
fn one_k_grows_the_paper_s_third_table_to_its_fourth() {
    let table = three_rows();
    let plain = Plain::new(&table, Measure::Lm, 2, 1);
    assert_eq!(one_k(&plain, tuples(&table, &["1 *", "* 4", "* 4"])), tuples(&table, &TWO_TWO));
}

/// 50 adds 10 to either tuple of 0 to 40, and 14 to that of 64; 64 adds 14 to the first tuple as to that of 50.
#[test]
fn one_k_grows_by_the_smallest_increase_row_by_row() {
    let table = whole_numbers(&["0", "40", "50", "64"], "");
    let given = tuples(&table, &["0..40", "0..40", "50..50", "64..64"]);
    let found = |k| shown(&table, &one_k(&Plain::new(&table, Measure::Il, k, 1), given.clone()));
    assert_eq!(found(2), ["[0, 64]", "[0, 40]", "50", "64"]);
    // The third tuple of 0 is that of 50. Then 40 has three; 50 takes the first two, at 10 each, and has three; 64
    // takes the first two, at 14 each.
    assert_eq!(found(3), ["[0, 64]", "[0, 64]", "[0, 50]", "64"]);
}

#[track_caller]
fn globally(k: usize, p: usize, texts: &[&str], secrets: &str, expected: &[&str]) {
    let table = whole_numbers(texts, secrets);
    let plain = Plain::new(&table, Measure::Il, k, p);
    assert_eq!(shown(&table, &global(&plain, verbatim(&plain))), expected);
}

/// Where all neighbours are matches, both tuples grow. 14 adds 4 and 4 with 10, but 14 and 4 with 0.
#[test]
fn global_finds_another_match_where_neighbours_do_not_suffice() {
    globally(2, 1, &["0", "10", "14"], "", &["[0, 10]", "[0, 14]", "[10, 14]"]);
    // Nothing more can be done where all rows are matches.
    globally(4, 1, &["0", "10", "14"], "", &["[0, 14]", "[0, 14]", "[0, 14]"]);
    // 12 is as near as 4, and its row is lower.
    globally(2, 1, &["8", "12", "4", "12", "4"], "", &["[8, 12]", "[8, 12]", "4", "12", "4"]);
}

/// What counts is the sum: row 0 has a match and needs another. 3 adds 2 to its tuple and 3 to its own, but 4 adds 3 to
/// the one and 1 to the other. Then 3 needs a match, and has 4 at 1 rather than 0 at 3.
#[test]
fn global_grows_both_tuples_by_the_least() {
    let table = whole_numbers(&["0", "3", "4", "1"], "");
    let given = tuples(&table, &["0..1", "3..3", "1..4", "0..1"]);
    let found = global(&Plain::new(&table, Measure::Il, 3, 1), given);
    assert_eq!(shown(&table, &found), ["[0, 4]", "[3, 4]", "[0, 4]", "[0, 1]"]);
}

/// When row 0 has two matches of one value, it needs 16 rather than 10. Before it has two, any will do.
#[test]
fn global_asks_for_new_values_once_there_are_k_matches() {
    globally(2, 2, &["0", "10", "14"], "aab", &["[0, 14]", "[0, 10]", "[0, 14]"]);
    let texts = ["0", "1", "10", "16"];
    let diverse = ["[0, 16]", "[0, 1]", "[10, 16]", "[0, 16]"];
    globally(2, 2, &texts, "aaab", &diverse);
    globally(2, 1, &texts, "aaab", &["[0, 1]", "[0, 1]", "[10, 16]", "[10, 16]"]);
    // 10 is new in a second column that has two values already.
    let mut two = sheet(vec![drawn(Shape::Number(Kind::Integer), texts)], "aaab");
    two.sensitive.insert(0, ["x", "y", "z", "x"].map(str::to_owned).to_vec());
    let table = two.table();
    let plain = Plain::new(&table, Measure::Il, 2, 2);
    assert_eq!(shown(&table, &global(&plain, verbatim(&plain))), diverse);
}

/// 8 is covered by a tuple of a row to the left and one to the right; those two have a match of their own value.
#[test]
fn global_takes_the_nearest_neighbour_then_the_first() {
    for (right, expected) in [("12", "[8, 12]"), ("13", "[4, 8]")] {
        let table = whole_numbers(&["8", right, "4", right, "4"], "");
        let wide = format!("8..{right}");
        let alone = format!("{right}..{right}");
        let given = tuples(&table, &["8..8", &wide, "4..8", &alone, "4..4"]);
        let found = global(&Plain::new(&table, Measure::Il, 2, 1), given.clone());
        assert_eq!(shown(&table, &found[..1]), [expected]);
        assert_eq!(found[1..], given[1..]);
    }
}

/// Every row is covered by all later tuples and matches only its own. Where that is too few, the nearest neighbour will
/// do; where only the value is missing, it has to be the last row, and that makes all tuples matches of all they cover.
#[test]
fn global_takes_the_cheapest_neighbour_while_matches_are_few() {
    let table = whole_numbers(&["0", "4", "8", "16"], "aaab");
    let given = tuples(&table, &["0..0", "0..4", "0..8", "0..16"]);
    let found = |k, p| shown(&table, &global(&Plain::new(&table, Measure::Il, k, p), given.clone()));
    assert_eq!(found(2, 1), ["[0, 4]", "[0, 4]", "[0, 16]", "[0, 16]"]);
    assert_eq!(found(1, 2), ["[0, 16]", "[0, 4]", "[0, 8]", "[0, 16]"]);
}

/// A random tree: who is above whom, and what the vertices are called.
fn trees() -> impl Strategy<Value = Vec<(u32, u32)>> {
    let names = |rows: usize| Just((0..rows as u32).collect::<Vec<_>>()).prop_shuffle();
    // Below few of the latest vertices it is like a path, below any it is bushy, below few of the first like a star.
    let drawn = move |rows: usize| (vec(any::<Index>(), rows), 0..3u8, 1..4usize, names(rows));
    (1..=60usize).prop_flat_map(drawn).prop_map(|(above, form, few, names)| {
        let parent = |v: usize| match form {
            0 => above[v].index(v),
            1 => v - 1 - above[v].index(v.min(few)),
            _ => above[v].index(v.min(few)),
        };
        (1..names.len()).map(|v| (names[v], names[parent(v)])).collect()
    })
}

/// How many rows a part of the forest has.
fn part_sizes(k: usize) -> std::ops::RangeInclusive<usize> {
    k..=(2 * k - 1).max(3 * k - 3)
}

proptest! {
    #![proptest_config(fixed(5000))]

    /// `algorithms.md` §14.16.
    #[test]
    fn worked_example_16_parts_of_trees_have_k_to_3k_minus_3_rows(edges in trees(), k in 1..=6usize) {
        let rows = edges.len() as u32 + 1;
        let parts = decompose(rows, k, &edges);
        let mut all = parts.concat();
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..rows), "{:?}", parts);
        if rows as usize >= k {
            prop_assert!(parts.iter().all(|part| part_sizes(k).contains(&part.len())), "{:?}", parts);
        } else {
            prop_assert_eq!(parts.len(), 1);
        }
    }
}

proptest! {
    #![proptest_config(fixed(400))]

    #[test]
    fn ripe_clusters_have_k_to_2k_minus_2_rows_or_k(sheet in sheets(1..=40usize, 1..=4, 0..=0), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, false);
        let ways = [Equal::Literal, Equal::Whole, Equal::Lending].into_iter();
        for (equal_rows, (function, modified)) in ways.flat_map(|equal| WAYS.map(|way| (equal, way))) {
            let (ripe, left) = ripen(&plain, ruler(function), modified, equal_rows);
            each_row_once(&table, &[ripe.concat(), left.clone()]);
            prop_assert!(left.len() < plain.k);
            let largest = if modified { plain.k } else { plain.k.max(2 * plain.k - 2) };
            let equal = |c: &[u32]| c.iter().all(|&row| plain.closure(&[row]) == plain.closure(&c[..1]));
            let sound = |c: &Vec<u32>| (plain.k..=largest).contains(&c.len()) || c.len() >= plain.k && equal(c);
            prop_assert!(ripe.iter().all(sound), "{:?}", ripe);
        }
    }

    #[test]
    fn clusters_hold_where_the_whole_table_does(sheet in sheets(1..=40usize, 1..=4, 0..=2), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, true);
        for clusters in clusterings(&plain) {
            each_row_once(&table, &clusters);
            prop_assert!(clusters.iter().all(|c| plain.holds(c)), "{:?}", clusters);
        }
    }

    /// What Algorithm 2 says in terms of distances, for all four of them (`algorithms.md` §7.1).
    #[test]
    fn the_row_that_can_be_spared_is_the_farthest(sheet in sheets(2..=10usize, 1..=4, 0..=0), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, false);
        let all: Vec<u32> = (0..table.rows as u32).collect();
        let rest = |row: u32| all.iter().copied().filter(|&r| r != row).collect::<Vec<_>>();
        for function in 1..=4 {
            let far = |row| stated(&plain, function, &all, &rest(row));
            let farthest = far(spare(&plain, &all));
            prop_assert!(all.iter().all(|&row| far(row) <= farthest));
        }
    }

    /// One arrow per row at most; and no more than k - 2 rows are nearer than the one it points to.
    #[test]
    fn arrows_point_to_near_rows(sheet in sheets(1..=40usize, 1..=4, 0..=0), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, false);
        let arrows = arrows(&plain);
        let mut from: Vec<u32> = arrows.iter().map(|arrow| arrow.0).collect();
        from.sort_unstable();
        from.dedup();
        prop_assert_eq!(from.len(), arrows.len());
        for (from, to) in arrows {
            let far = |row: u32| plain.cost(&plain.closure(&[from, row]));
            let nearer = (0..table.rows as u32).filter(|&row| row != from && far(row) < far(to)).count();
            prop_assert!(nearer + 2 <= plain.k, "{nearer} rows are nearer to {from} than {to}");
        }
    }

    #[test]
    fn parts_of_the_forest_have_k_to_3k_minus_3_rows(sheet in sheets(1..=40usize, 1..=4, 0..=0), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, false);
        let parts = forest(&plain);
        each_row_once(&table, &parts);
        prop_assert!(parts.iter().all(|part| part_sizes(plain.k).contains(&part.len())), "{:?}", parts);
        prop_assert!(parts.is_sorted_by_key(|part| part.iter().min().copied()));
    }

    /// The guarantee of Aggarwal et al., with the factor of `algorithms.md` §6.
    #[test]
    fn the_forest_costs_at_most_3k_minus_3_times_the_optimum(sheet in sheets(1..=8usize, 1..=4, 0..=0), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, monotone(ask), false);
        let factor = *part_sizes(plain.k).end() as u64;
        let most = factor * optimum(&plain).unwrap() + rounding(&plain);
        prop_assert!(plain.total(&forest(&plain)) <= most);
    }

    #[test]
    fn tuples_of_rows_become_k_one_then_k_k_then_global(sheet in sheets(1..=24usize, 1..=4, 0..=2), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, true);
        let enough = |degrees: &[usize]| degrees.iter().all(|&degree| degree >= plain.k);
        for k1 in [k1_nearest(&plain), k1_expansion(&plain)] {
            prop_assert!(covers_own_rows(&plain, &k1));
            prop_assert!(enough(&degrees(&plain, &k1).1));

            let kk = one_k(&plain, k1.clone());
            let (rows, of_tuples) = degrees(&plain, &kk);
            prop_assert!(enough(&rows) && enough(&of_tuples));
            prop_assert!(grew(&plain, &k1, &kk));
            prop_assert_eq!(&one_k(&plain, kk.clone()), &kk);

            let global_1k = global(&plain, kk.clone());
            prop_assert!(grew(&plain, &kk, &global_1k));
            prop_assert!(all_matched(&plain, &global_1k));
            prop_assert_eq!(&global(&plain, global_1k.clone()), &global_1k);
        }
        // Algorithm 6 does not need a (k,k)-anonymization to begin with.
        prop_assert!(all_matched(&plain, &global(&plain, verbatim(&plain))));
        prop_assert!(enough(&degrees(&plain, &one_k(&plain, verbatim(&plain))).0));
    }
}

/// The clusters of every algorithm of the paper.
fn clusterings(plain: &Plain<'_>) -> Vec<Vec<Vec<u32>>> {
    let both = [EqualRows::Lend, EqualRows::Literal].into_iter();
    let ways = both.flat_map(|equal| WAYS.map(|(function, modified)| (function, modified, equal)));
    let merged = |(function, modified, equal)| agglomerative(plain, function, EPSILON, modified, equal);
    ways.map(merged).chain([forest(plain)]).collect()
}

fn monotone(ask: Ask) -> Ask {
    Ask { measure: if ask.measure.is_monotone() { ask.measure } else { Measure::Lm }, ..ask }
}

/// What rounding to fixed-point units can add up to where a bound holds for the numbers behind them.
fn rounding(plain: &Plain<'_>) -> u64 {
    (plain.table.rows * plain.table.rows * plain.dims()) as u64
}

fn covers_own_rows(plain: &Plain<'_>, tuples: &[Vec<Cell>]) -> bool {
    tuples.iter().zip(0..).all(|(tuple, row)| contains(plain, tuple, row))
}

/// Whether every tuple covers what it did before.
fn grew(plain: &Plain<'_>, before: &[Vec<Cell>], after: &[Vec<Cell>]) -> bool {
    before.iter().zip(after).all(|(before, after)| plain.joined(before, after) == *after)
}

/// Whether every row has matches enough, k of them and diverse ones.
fn all_matched(plain: &Plain<'_>, tuples: &[Vec<Cell>]) -> bool {
    matches(plain, tuples).iter().all(|m| plain.holds(&m.iter().map(|&j| j as u32).collect::<Vec<_>>()))
}

/// For every row the least cost of a set of k rows with it, by trying them all: the paper's own definition.
fn cheapest_sets(plain: &Plain<'_>) -> Vec<u64> {
    let rows = plain.table.rows;
    let mut least = vec![u64::MAX; rows];
    for set in 0..1u32 << rows {
        let members: Vec<u32> = (0..rows as u32).filter(|row| set >> row & 1 == 1).collect();
        if members.len() == plain.k {
            let cost = plain.cost(&plain.closure(&members));
            for row in members {
                least[row as usize] = least[row as usize].min(cost);
            }
        }
    }
    least
}

/// Matches by `algorithms.md` §7.3: a consistent tuple from which a way leads back, where row i leads to every row
/// whose tuple covers it.
fn matches_by_cycles(plain: &Plain<'_>, tuples: &[Vec<Cell>]) -> Vec<Vec<usize>> {
    let n = tuples.len();
    let arc = |i: usize, j: usize| contains(plain, &tuples[j], i as u32);
    let mut way: Vec<Vec<bool>> = (0..n).map(|i| (0..n).map(|j| arc(i, j)).collect()).collect();
    for middle in 0..n {
        for i in 0..n {
            for j in 0..n {
                way[i][j] |= way[i][middle] && way[middle][j];
            }
        }
    }
    (0..n).map(|i| (0..n).filter(|&j| arc(i, j) && way[j][i]).collect()).collect()
}

/// For every row a tuple that covers it and up to three others.
fn drawn_tuples(plain: &Plain<'_>, others: &[Vec<Index>]) -> Vec<Vec<Cell>> {
    let with = |row: u32| {
        let others = others[row as usize].iter().map(|index| index.index(plain.table.rows) as u32);
        plain.closure(&std::iter::once(row).chain(others).collect::<Vec<_>>())
    };
    (0..plain.table.rows as u32).map(with).collect()
}

proptest! {
    #![proptest_config(fixed(400))]

    #[test]
    fn no_tuple_of_k_rows_costs_less_than_the_optimum(sheet in sheets(1..=12usize, 1..=3, 0..=0), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, false);
        let best = k1_optimal(&plain);
        let not_below = |tuples: &[Vec<Cell>]| best.iter().zip(tuples).all(|(&best, t)| plain.cost(t) >= best);
        for k1 in [k1_nearest(&plain), k1_expansion(&plain)] {
            prop_assert!(not_below(&k1));
            prop_assert!(not_below(&one_k(&plain, k1)));
        }
        for clusters in clusterings(&plain) {
            for cluster in clusters {
                let cost = plain.cost(&plain.closure(&cluster));
                prop_assert!(cluster.iter().all(|&row| cost >= best[row as usize]), "{:?}", cluster);
            }
        }
    }

    /// Under a monotone measure the best tuple is the closure of some k rows; and Proposition 5.1.
    #[test]
    fn the_optimum_is_that_of_the_paper(sheet in sheets(1..=9usize, 1..=3, 0..=0), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, monotone(ask), false);
        let best = k1_optimal(&plain);
        prop_assert_eq!(&best, &cheapest_sets(&plain));
        let factor = plain.k.max(2) as u64 - 1;
        for (best, tuple) in best.into_iter().zip(k1_nearest(&plain)) {
            prop_assert!(plain.cost(&tuple) <= factor * best + rounding(&plain));
        }
    }

    #[test]
    fn matches_lie_on_cycles(
        sheet in sheets(1..=24usize, 1..=3, 0..=0),
        others in vec(vec(any::<Index>(), 0..=3), 24),
    ) {
        let table = sheet.table();
        let plain = Plain::new(&table, Measure::Lm, 1, 1);
        let tuples = drawn_tuples(&plain, &others);
        prop_assert_eq!(matches(&plain, &tuples), matches_by_cycles(&plain, &tuples));
    }

    #[test]
    fn matches_are_the_tuples_with_a_probability(
        sheet in sheets(1..=6usize, 1..=3, 0..=0),
        others in vec(vec(any::<Index>(), 0..=3), 6),
    ) {
        let table = sheet.table();
        let plain = Plain::new(&table, Measure::Lm, 1, 1);
        let tuples = drawn_tuples(&plain, &others);
        let shares = posterior(&plain, &tuples);
        let possible = |row: &Vec<f64>| (0..row.len()).filter(|&j| row[j] > 0.0).collect::<Vec<_>>();
        prop_assert_eq!(matches(&plain, &tuples), shares.iter().map(possible).collect::<Vec<_>>());
        for i in 0..table.rows {
            near(shares[i].iter().sum(), 1.0);
            near(shares.iter().map(|row| row[i]).sum(), 1.0);
        }
    }
}
