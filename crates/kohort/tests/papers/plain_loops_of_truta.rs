//! The plain loops for Truta et al. 2008 and the models beside it: the paper's tables, small cases worked by hand, and what
//! `algorithms.md` says about them.

use std::collections::BTreeSet;

use super::common::asked::{Ask, asks, fit};
use super::common::by_hand::{drawn, each_row_once, paths, sheet, whole_numbers};
use super::common::draw::{Shape, Sheet, mostly_small, sheets, tree, value};
use super::common::fixed;
use super::common::plain::Plain;
use super::common::plain::enhanced_pk::{course, enhanced_pk};
use super::common::plain::greedy_pk::greedy_pk;
use super::common::plain::k_member::k_member;
use super::common::plain::models::{
    distinct, emd_equal, emd_hierarchical, emd_ordered, entropy_l, largest_share, moved_equal,
    moved_hierarchical, moved_ordered, recursive_holds,
};
use super::common::plain::optimum::most_classes;
use kohort::algorithm::FirstSeed;
use kohort::data::{Hierarchy, Kind, Table};
use kohort::measure::Measure;
use kohort::model::{i_value, max_clusters};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// Truta et al. 2008, Table 1: what becomes Table 2. Diagnoses and incomes are letters.
fn table_1() -> Table {
    let zip = paths(&["48202;4820*;48***;*", "48201;4820*;48***;*", "48310;4831*;48***;*"]);
    let columns = vec![
        drawn(Shape::Number(Kind::Integer), ["44", "44", "44", "55", "55"]),
        drawn(zip, ["48202", "48202", "48201", "48310", "48310"]),
    ];
    sheet(columns, "aassd 12345").table()
}

/// Alice takes Charley, who has another diagnosis, and not Bob. Dave is as different as Eva, and as far; Eva joins him.
/// Bob is left over.
#[test]
fn greedy_pk_finds_table_2() {
    let table = table_1();
    let plain = Plain::new(&table, Measure::Il, 2, 2);
    assert_eq!(greedy_pk(&plain, 0), [vec![0, 2, 1], vec![3, 4]]);
}

/// Diagnosis has fewer values than income, and both allow two clusters. Alice and Bob begin them, Charley and Dave are
/// the only ones of the next diagnosis; Eva is left over. Then Bob, who is far from both of his cluster, moves to Alice and
/// Charley: Table 2.
#[test]
fn enhanced_pk_separates_people_of_one_diagnosis() {
    let table = table_1();
    let found = course(&Plain::new(&table, Measure::Il, 2, 2), 0);
    assert_eq!(found.full, [vec![0, 2], vec![1, 3, 4]]);
    assert_eq!(found.clusters, [vec![0, 2, 1], vec![3, 4]]);
}

/// What greedy-pk makes of one column of whole numbers by the fixed rules, rows in the order in which they joined.
#[track_caller]
fn greedy_of((k, p): (usize, usize), texts: &[&str], secrets: &str, expected: &[&[u32]]) {
    let table = whole_numbers(texts, secrets);
    assert_eq!(greedy_pk(&Plain::new(&table, Measure::Il, k, p), 0), expected);
}

#[test]
fn greedy_pk_is_diverse_before_it_is_large() {
    // The nearest b first, then the lower of two rows that cost nothing more. The next seed is not the farthest row,
    // which is an a like the seed before, but the farthest b. Row 4 is left over.
    let texts = ["0", "1", "50", "51", "2", "49", "60"];
    greedy_of((3, 2), &texts, "aabbaba", &[&[0, 5, 1, 4], &[3, 6, 2]]);
    // Nobody asks for diversity: the nearest rows, and the farthest row as a seed.
    greedy_of((3, 1), &texts, "aabbaba", &[&[0, 1, 4], &[6, 3, 2, 5]]);
}

#[test]
fn greedy_pk_counts_the_columns_that_are_still_missing() {
    // Row 1 is nearer, but brings one value, row 2 two. Then nothing is missing, and the others cost nothing more.
    greedy_of((3, 2), &["0", "2", "9", "8"], "abba xxyx", &[&[0, 2, 1, 3]]);
    // All bring two values, and row 1 is the nearest. Then row 2 brings y and row 3 brings c; the nearer one is row 3.
    // With y, the last row brings what the second column still lacks.
    greedy_of((2, 3), &["0", "2", "9", "8"], "abbc xzyz", &[&[0, 1, 3, 2]]);
}

#[test]
fn greedy_pk_ends_where_a_cluster_fails() {
    // One b: the second cluster cannot be completed, and its rows go to the first one.
    greedy_of((2, 2), &["0", "1", "2", "3"], "aaab", &[&[0, 3, 1, 2]]);
    // Not even the first cluster can: all rows in one.
    greedy_of((2, 2), &["0", "1", "2"], "aaa", &[&[0, 1, 2]]);
    greedy_of((4, 2), &["0", "1", "2"], "aba", &[&[0, 1, 2]]);
    // The last cluster has diverse rows, but too few of them; of two equally near clusters the earlier one.
    greedy_of((2, 2), &["0", "0", "8", "8", "4"], "ababa", &[&[0, 1, 4], &[3, 2]]);
}

/// What enhanced-pk makes of one column of whole numbers by the fixed rules: the clusters after dealing, the swaps, the
/// clusters that failed, and the clusters before rows move between them.
#[track_caller]
fn enhanced_of(
    (k, p): (usize, usize),
    texts: &[&str],
    secrets: &str,
    dealt: &[&[u32]],
    (swaps, failed): (usize, &[usize]),
    expected: &[&[u32]],
) {
    let table = whole_numbers(texts, secrets);
    let found = course(&Plain::new(&table, Measure::Il, k, p), 0);
    assert_eq!(found.dealt, dealt);
    assert_eq!((found.swaps, found.failed.as_slice()), (swaps, failed));
    assert_eq!(found.full, expected);
}

/// Seventeen of one value, three others: every cluster needs one of the three.
#[test]
fn enhanced_pk_gives_every_cluster_a_rare_value() {
    let texts = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"];
    let texts = [&texts[..], &["2", "9", "16"]].concat();
    let secrets = "aaaaaaaaaaaaaaaaabbc";
    // Two rows of b begin the first two clusters as they come, c the third. Every cluster takes the a beside it.
    let dealt: &[&[u32]] = &[&[17, 2], &[18, 9], &[19, 16]];
    // One after the other, clusters take the nearest rows, the lower of two. Then 4 adds 9 to the first cluster and 15 to
    // the second, 5 adds 11 and 9; 10 and 11 add 11 and 13 to the second, 21 and 15 to the third, 12 adds 15 and 9.
    let filled: &[&[u32]] = &[&[17, 2, 1, 0, 3, 4], &[18, 9, 8, 7, 6, 5, 10, 11], &[19, 16, 15, 14, 13, 12]];
    enhanced_of((5, 2), &texts, secrets, dealt, (0, &[]), filled);
}

/// Five rows of a, at 8, 0, 3, 20 and 14; four of b, at 1, 19, 15 and 2. All clusters are begun with a.
#[test]
fn enhanced_pk_begins_far_apart() {
    let texts = ["8", "0", "3", "20", "14", "1", "19", "15", "2"];
    // Four clusters, at 8 and then where it is farthest from all others: 20, 0, 14. There are as many rows of b: each
    // chooses, and 2 has to go to 8. Then 3 lies between them and adds 6 there, but 9 - 2 to 0 and 1.
    let dealt: &[&[u32]] = &[&[0, 8], &[3, 6], &[1, 5], &[4, 7]];
    let all: &[&[u32]] = &[&[0, 8, 2], &[3, 6], &[1, 5], &[4, 7]];
    enhanced_of((2, 2), &texts, "aaaaabbbb", dealt, (0, &[]), all);
    // Two clusters, at 8 and 20. There are more rows of b: the clusters choose, and fill up one after the other: 3 and 1,
    // then 15 and 14. 0 is left over.
    let dealt: &[&[u32]] = &[&[0, 8], &[3, 6]];
    let all: &[&[u32]] = &[&[0, 8, 2, 5, 1], &[3, 6, 7, 4]];
    enhanced_of((4, 2), &texts, "aaaaabbbb", dealt, (0, &[]), all);
}

/// The rows of a begin the clusters at 0 and 10. Those of b choose in their order: 5 is as near to both and takes the first, so 1 is
/// left with the second, and intervals are 5 and 9 wide. Where the rows of a change places, they are 1 and 5.
#[test]
fn enhanced_pk_lets_rows_change_places() {
    let table = whole_numbers(&["0", "10", "5", "1"], "aabb");
    let found = course(&Plain::new(&table, Measure::Il, 2, 2), 0);
    assert_eq!(found.full, [[0, 2], [1, 3]]);
    assert_eq!(found.clusters, [[2, 1], [3, 0]]);
}

/// What the second column lacks comes from the free rows as long as they have it.
#[test]
fn enhanced_pk_takes_free_rows_first() {
    // Rows 0 and 3 have x both. The free row 2 has y, and is nearer to the other cluster, which needs nothing.
    let dealt: &[&[u32]] = &[&[0, 3], &[1, 4]];
    let all: &[&[u32]] = &[&[0, 3, 2], &[1, 4]];
    enhanced_of((2, 2), &["0", "10", "9", "1", "11"], "bbbaa xxyxz", dealt, (0, &[]), all);
}

/// The first cluster has x three times, and takes both free rows for y and z. The second is diverse, but stays too
/// small: it is dissolved, though two clusters of four rows would be possible.
#[test]
fn enhanced_pk_dissolves_what_stays_too_small() {
    let texts = ["0", "20", "5", "1", "19", "6", "2", "18"];
    let dealt: &[&[u32]] = &[&[0, 3, 6], &[1, 4, 7]];
    let secrets = "aaabbbcc xxyxyzxz";
    enhanced_of((4, 3), &texts, secrets, dealt, (0, &[]), &[&[0, 3, 6, 2, 5, 1, 4, 7]]);
    let table = whole_numbers(&texts, secrets);
    assert_eq!(most_classes(&Plain::new(&table, Measure::Il, 4, 3)), 2);
}

/// Both clusters have what the first column asks for, and neither what the second does. Rows 0 and 1 change places;
/// rows 2 and 3 could as well.
#[test]
fn enhanced_pk_swaps_one_row_for_another() {
    let dealt: &[&[u32]] = &[&[0, 2], &[1, 3]];
    let swapped: &[&[u32]] = &[&[2, 1], &[3, 0]];
    enhanced_of((2, 2), &["0", "10", "1", "11"], "aabb xyxy", dealt, (1, &[]), swapped);
}

/// Row 5 is nearest to the third cluster, which comes first as it has less; row 6 then makes the first one larger. The
/// second has x twice. It may have row 6 for nothing (30 + 4 - 8 for row 3, 27 + 2 - 8 for row 6), which is cheaper
/// than any exchange (18 + 30 - 8 at least).
#[test]
fn enhanced_pk_takes_a_row_another_cluster_can_spare() {
    let texts = ["0", "10", "20", "1", "11", "19", "2"];
    let dealt: &[&[u32]] = &[&[0, 3, 6], &[1, 4], &[2, 5]];
    let swapped: &[&[u32]] = &[&[0, 3], &[1, 4, 6], &[2, 5]];
    enhanced_of((2, 2), &texts, "aaabbcc xxxyxyz", dealt, (1, &[]), swapped);
}

/// The second column is dealt, as it has fewer values. The first cluster then has a, b, b and needs c or d, which the
/// other can only give for a row of the same value in the second column: c for a leaves b twice, d for b leaves the
/// other without a third value. What would help takes two steps: c for a, and then the free row with a.
#[test]
fn enhanced_pk_gives_up_where_one_swap_does_not_help() {
    let (texts, secrets) = (["0", "1", "20", "2", "18", "3", "17"], "aacbbbd xxxyyzz");
    let dealt: &[&[u32]] = &[&[0, 3, 5], &[2, 4, 6]];
    enhanced_of((3, 3), &texts, secrets, dealt, (0, &[0]), &[&[2, 4, 6, 0, 1, 3, 5]]);
    let table = whole_numbers(&texts, secrets);
    assert_eq!(most_classes(&Plain::new(&table, Measure::Il, 3, 3)), 2);
}

/// `algorithms.md` §14.10: two clusters are begun, none is possible. Both fail; the second has no partner left.
#[test]
fn enhanced_pk_makes_one_cluster_where_all_fail() {
    let dealt: &[&[u32]] = &[&[0, 2], &[1, 3]];
    let texts = ["0", "10", "1", "11"];
    enhanced_of((2, 2), &texts, "aabb xyxy uwwu", dealt, (0, &[0, 1]), &[&[0, 1, 2, 3]]);
    // No cluster is begun where there are too few rows, or too few values.
    enhanced_of((5, 2), &texts, "aabb", &[], (0, &[]), &[&[0, 1, 2, 3]]);
    enhanced_of((2, 3), &texts, "aabb", &[], (0, &[]), &[&[0, 1, 2, 3]]);
}

/// The clusters of enhanced-pk before rows move between them.
fn before_moves(plain: &Plain<'_>, seed: u64) -> Vec<Vec<u32>> {
    course(plain, seed).full
}

/// Greedy-pk draws one of all rows, enhanced-pk one of those with the first value to be dealt.
#[test]
fn the_first_seed_is_drawn() {
    let drawn = |texts: [&str; 6]| {
        let table = whole_numbers(&texts, "aaabbb");
        let plain = Plain::new(&table, Measure::Il, 3, 2);
        let begun = |of: fn(&Plain<'_>, u64) -> Vec<Vec<u32>>| {
            let rows: BTreeSet<u32> = (0..40).map(|seed| of(&plain, seed)[0][0]).collect();
            rows.into_iter().collect::<Vec<_>>()
        };
        [greedy_pk, before_moves].map(begun)
    };
    assert_eq!(drawn(["0", "1", "2", "3", "4", "5"]), [vec![0, 1, 2, 3, 4, 5], vec![0, 1, 2]]);
    // Of equal rows the lowest one stands for all.
    assert_eq!(drawn(["7"; 6]), [vec![0, 3], vec![0]]);
    assert_eq!(drawn(["7", "8", "8", "8", "8", "7"]), [vec![0, 1, 3, 5], vec![0, 1]]);
}

/// Every cluster holds, or there is one of all rows.
fn promised(plain: &Plain<'_>, clusters: &[Vec<u32>]) {
    each_row_once(plain.table, clusters);
    assert!(clusters.len() == 1 || clusters.iter().all(|c| plain.holds(c)), "{clusters:?}");
}

/// The frequencies of the first sensitive column.
fn frequencies(table: &Table) -> Vec<u64> {
    let mut found = vec![0; table.sensitive[0].distinct as usize];
    table.sensitive[0].codes.iter().for_each(|code| found[code as usize] += 1);
    found
}

/// As many clusters as the first sensitive column and k allow.
fn allowed(plain: &Plain<'_>) -> usize {
    let most = max_clusters(&frequencies(plain.table), plain.p as u32) as usize;
    most.min(plain.table.rows / plain.k)
}

proptest! {
    #![proptest_config(fixed(2000))]

    #[test]
    fn clusters_are_large_and_diverse_enough(sheet in sheets(mostly_small(), 1..=4, 0..=3), ask in asks()) {
        let table = sheet.table();
        // As asked, whether the table can meet it or not; then as far as it can.
        for plain in [Plain::new(&table, ask.measure, ask.k, ask.p), fit(&table, ask, true)] {
            promised(&plain, &greedy_pk(&plain, ask.seed));
            if plain.p > 1 && plain.columns() > 0 {
                promised(&plain, &enhanced_pk(&plain, ask.seed));
            }
        }
        let plain = fit(&table, ask, true);
        prop_assert!(greedy_pk(&plain, ask.seed).iter().all(|c| plain.holds(c)));
    }

    /// One sensitive column: every cluster gets p or p + 1 rows of different values, so none of them fails, and as
    /// p + 1 rows are not more than k unless nobody is short, all of them get k rows.
    #[test]
    fn enhanced_pk_reaches_the_bound_of_one_column(sheet in sheets(mostly_small(), 1..=4, 1..=1), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, true);
        if plain.p > 1 {
            let found = course(&plain, ask.seed);
            let fits = |c: &Vec<u32>| (plain.p..=plain.p + 1).contains(&c.len()) && plain.diverse(c);
            prop_assert!(found.dealt.iter().all(fits), "{:?}", found.dealt);
            prop_assert_eq!((found.swaps, found.failed.len()), (0, 0));
            prop_assert_eq!((found.begun, found.clusters.len()), (allowed(&plain), allowed(&plain)));
        }
    }

    /// No partition has more classes.
    #[test]
    fn no_partition_has_more_classes_than_the_bound(sheet in sheets(1..=8usize, 1..=1, 1..=3), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, Ask { k: ask.k.min(3), ..ask }, true);
        let most = most_classes(&plain);
        for column in 0..plain.columns() {
            let alone = Sheet { sensitive: vec![sheet.sensitive[column].clone()], ..sheet.clone() };
            prop_assert!(most <= allowed(&Plain::new(&alone.table(), ask.measure, plain.k, plain.p)));
        }
        if plain.columns() == 1 {
            prop_assert_eq!(most, allowed(&plain));
        }
        if plain.p > 1 {
            prop_assert!(enhanced_pk(&plain, ask.seed).len() <= most);
        }
        prop_assert!(greedy_pk(&plain, ask.seed).len() <= most);
    }

    #[test]
    fn greedy_pk_without_p_is_k_member(sheet in sheets(mostly_small(), 1..=4, 0..=1), ask in asks()) {
        let table = sheet.table();
        let plain = fit(&table, ask, false);
        prop_assert_eq!(greedy_pk(&plain, ask.seed), k_member(&plain, FirstSeed::Row, ask.seed));
    }

    /// Values of one kind are one value. (Rows of one kind need not be equal, so nothing may be drawn.)
    #[test]
    fn kinds_are_values_of_a_coarser_column(sheet in sheets(mostly_small(), 1..=3, 1..=2), ask in asks()) {
        let coarser = |text: &String| if text == "s3" || text == "s4" { "s1".to_owned() } else { text.clone() };
        let coarse = |texts: &Vec<String>| texts.iter().map(coarser).collect();
        let (fine, coarse) =
            (sheet.table(), Sheet { sensitive: sheet.sensitive.iter().map(coarse).collect(), ..sheet }.table());
        let kinds = |(a, b): (&kohort::data::Sensitive, &kohort::data::Sensitive)| {
            let mut kinds = vec![u32::MAX; a.distinct as usize];
            a.codes.iter().zip(b.codes.iter()).for_each(|(code, kind)| kinds[code as usize] = kind);
            Some(kinds)
        };
        let kinds = fine.sensitive.iter().zip(&coarse.sensitive).map(kinds).collect();
        let by_value = fit(&coarse, ask, true);
        let by_kind = Plain::new(&fine, ask.measure, by_value.k, by_value.p).with_kinds(kinds);
        prop_assert_eq!(greedy_pk(&by_kind, 0), greedy_pk(&by_value, 0));
        if by_value.p > 1 {
            prop_assert_eq!(enhanced_pk(&by_kind, 0), enhanced_pk(&by_value, 0));
        }
    }
}

/// The bound of one column, tried out on all tables of up to eight rows; rows differ in nothing but the column.
#[test]
fn the_bound_of_one_column_is_tight() {
    for frequencies in (1..=8).flat_map(|rows| summands(rows, rows)) {
        let secrets: String =
            ('a'..).zip(&frequencies).flat_map(|(letter, &times)| vec![letter; times as usize]).collect();
        let table = whole_numbers(&vec!["0"; secrets.len()], &secrets);
        for p in 2..=5 {
            let most = most_classes(&Plain::new(&table, Measure::Il, 1, p));
            assert_eq!(most as u64, max_clusters(&frequencies, p as u32), "{frequencies:?}, p = {p}");
        }
    }
}

/// All ways to write a number as a sum, the largest summand first and none larger than `largest`.
fn summands(number: u64, largest: u64) -> Vec<Vec<u64>> {
    if number == 0 {
        return vec![Vec::new()];
    }
    let first = 1..=largest.min(number);
    first
        .flat_map(|f| summands(number - f, f).into_iter().map(move |rest| [vec![f], rest].concat()))
        .collect()
}

/// Two columns reach it as well wherever it was tried (§3.2).
#[test]
fn the_bound_of_two_columns_is_tight_on_all_tables_of_six_rows() {
    for code in 0..3_usize.pow(6) {
        let second: String = (0..6).map(|row| ['x', 'y', 'z'][code / 3_usize.pow(row) % 3]).collect();
        for first in ["aaabbb", "aabbcc", "aaabbc", "aabbcd"] {
            let table = whole_numbers(&["0"; 6], &format!("{first} {second}"));
            for p in 2..=3 {
                let alone = [first, &second]
                    .map(|secrets| max_clusters(&frequencies(&whole_numbers(&["0"; 6], secrets)), p as u32));
                let most = most_classes(&Plain::new(&table, Measure::Il, 1, p));
                assert_eq!(most as u64, alone[0].min(alone[1]), "{first} {second}, p = {p}");
            }
        }
    }
}

/// Every value goes to as many clusters as it has rows for, the least loaded first.
fn loads(low: &[u64], clusters: usize) -> Vec<u64> {
    let mut loads = vec![0; clusters];
    for &rows in low {
        loads.sort_unstable();
        loads.iter_mut().take(rows as usize).for_each(|load| *load += 1);
        assert!(loads.iter().max().unwrap() - loads.iter().min().unwrap() <= 1, "{low:?}");
    }
    loads
}

proptest! {
    #![proptest_config(fixed(20_000))]

    /// `algorithms.md` §14.19, for as many clusters as possible and for fewer.
    #[test]
    fn worked_example_19_low_values_are_enough_for_all(
        mut frequencies in vec(prop_oneof![2 => 1..=4u64, 2 => 1..=40u64, 1 => 40..=200u64], 2..=10),
        p in 2..=7u32,
        fewer in any::<Index>(),
    ) {
        frequencies.sort_unstable_by(|a, b| b.cmp(a));
        let (most, i) = (max_clusters(&frequencies, p), i_value(&frequencies, p));
        prop_assert_eq!(most == 0, frequencies.len() < p as usize);
        if most > 0 {
            let (high, low) = frequencies.split_at((p - i) as usize);
            prop_assert!(high.iter().all(|&f| f >= most + 2), "{:?}, p = {}", frequencies, p);
            for clusters in [most as usize, 1 + fewer.index(most as usize)] {
                let loads = loads(low, clusters);
                prop_assert!(loads.iter().all(|&load| load >= u64::from(i)), "{:?}, p = {}", frequencies, p);
            }
        }
    }
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

/// `algorithms.md` §14.15, the example of the t-closeness paper: salaries of 3 to 11 thousand, one each.
#[test]
fn worked_example_15_ordered_distances() {
    let all: Vec<u32> = (3..=11).collect();
    for (class, expected) in [(&[3, 4, 5], 0.375), (&[6, 8, 11], 1.0 / 6.0)] {
        near(emd_ordered(class, &all, &all), expected);
        near(moved_ordered(class, &all, &all), expected);
    }
}

#[test]
fn worked_example_15_equal_and_hierarchical_distances() {
    let tree = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]];
    let tree = Hierarchy::from_paths("", tree).unwrap();
    let leaf_of = ["a", "b", "c", "d"].map(|label| tree.leaf(label).unwrap());
    let all = [0, 1, 2, 3];
    for (class, hierarchical) in [(&[0, 1][..], 0.5), (&[0, 2], 0.25), (&[0], 0.625)] {
        near(emd_hierarchical(class, &all, &tree, &leaf_of), hierarchical);
        near(moved_hierarchical(class, &all, &tree, &leaf_of), hierarchical);
    }
    for (class, equal) in [(&[0, 1][..], 0.5), (&[0], 0.75)] {
        near(emd_equal(class, &all), equal);
        near(moved_equal(class, &all), equal);
    }
}

/// Four values, of which one is half of the class; and the counterexamples of `algorithms.md` §8: rows that are added
/// may break what held.
#[test]
fn models_by_hand() {
    let class = [7, 7, 7, 7, 1, 1, 2, 3];
    assert_eq!(distinct(&class), 4);
    near(entropy_l(&class), 1.75f64.exp2());
    near(largest_share(&class), 0.5);
    // 4 < 2 (1 + 1 + 2), but not < 2 (1 + 1), nor < 4 · 1; and there is no fifth value.
    assert!(recursive_holds(&class, 2.0, 2) && !recursive_holds(&class, 2.0, 3));
    assert!(!recursive_holds(&class, 4.0, 4) && recursive_holds(&class, 4.5, 4));
    assert!(!recursive_holds(&class, 100.0, 5));

    let four = [0, 1, 1, 2];
    assert!(entropy_l(&four) >= 2.5 && entropy_l(&[&four[..], &[0; 4]].concat()) < 2.5);
    assert!(recursive_holds(&[0, 1, 2], 2.0, 3) && !recursive_holds(&[0, 1, 2, 0], 2.0, 3));
    for class in [&[5][..], &[5, 5]] {
        assert_eq!((distinct(class), entropy_l(class), largest_share(class)), (1, 1.0, 1.0));
        near(emd_ordered(class, &[5, 5, 5], &[5]), 0.0);
        near(moved_ordered(class, &[5, 5, 5], &[5]), 0.0);
    }
}

/// The values of a table, an order of them, and two classes.
fn classes() -> impl Strategy<Value = (Vec<u32>, Vec<u32>, [Vec<u32>; 2])> {
    let rows = vec((0..7u32, 0..3u8), 2..=12);
    (rows, Just((0..7).collect::<Vec<u32>>()).prop_shuffle()).prop_map(|(mut rows, mut order)| {
        (rows[0].1, rows[1].1) = (0, 1);
        let all: Vec<u32> = rows.iter().map(|row| row.0).collect();
        order.retain(|value| all.contains(value));
        let class = |number| rows.iter().filter(|row| row.1 == number).map(|row| row.0).collect();
        (all, order, [class(0), class(1)])
    })
}

proptest! {
    #![proptest_config(fixed(2000))]

    #[test]
    fn distances_are_the_least_that_must_be_moved(
        (all, order, [class, _]) in classes(),
        choices in vec(any::<u8>(), 24),
    ) {
        near(emd_equal(&class, &all), moved_equal(&class, &all));
        near(emd_ordered(&class, &all, &order), moved_ordered(&class, &all, &order));
        let tree = Hierarchy::from_paths("", tree(7, &choices)).unwrap();
        let leaf_of: Vec<u32> = (0..7).map(|v| tree.leaf(&value(v, &choices)).unwrap()).collect();
        near(
            emd_hierarchical(&class, &all, &tree, &leaf_of),
            moved_hierarchical(&class, &all, &tree, &leaf_of),
        );
    }

    /// In a tree of one level every value is as far from every other; the table itself is at no distance.
    #[test]
    fn distances_agree_where_they_must((all, order, [class, _]) in classes()) {
        let flat = Hierarchy::flat("", (0..7).map(|v| v.to_string())).unwrap();
        let leaf_of: Vec<u32> = (0..7).map(|v: u32| flat.leaf(&v.to_string()).unwrap()).collect();
        near(emd_hierarchical(&class, &all, &flat, &leaf_of), emd_equal(&class, &all));
        for distance in [emd_equal(&all, &all), emd_ordered(&all, &all, &order)] {
            near(distance, 0.0);
        }
        let farthest = emd_equal(&class, &all);
        prop_assert!(emd_ordered(&class, &all, &order) <= farthest + 1e-9);
    }

    /// What two classes satisfy, both together do (`algorithms.md` §8).
    #[test]
    fn models_survive_merging((all, order, [a, b]) in classes(), c in 1..=4u8, l in 1..=4usize) {
        let union = [a.as_slice(), &b].concat();
        let no_less = |of: &dyn Fn(&[u32]) -> f64| of(&union) >= of(&a).min(of(&b)) - 1e-9;
        prop_assert!(no_less(&|class| distinct(class) as f64));
        prop_assert!(no_less(&entropy_l));
        prop_assert!(no_less(&|class| -largest_share(class)));
        prop_assert!(no_less(&|class| -emd_equal(class, &all)));
        prop_assert!(no_less(&|class| -emd_ordered(class, &all, &order)));
        let holds = |class: &[u32]| recursive_holds(class, f64::from(c), l);
        prop_assert!(holds(&union) || !holds(&a) || !holds(&b), "{:?} and {:?}", a, b);
    }
}
