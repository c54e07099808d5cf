//! `docs/errata.md`: every example there, worked out.

use std::collections::{BTreeMap, BTreeSet};

use kohort::algorithm::{ALGORITHMS, InsertionRule, Problem, Quiet, Run, Settings, insert};
use kohort::data::Kind;
use kohort::demand::Demands;
use kohort::measure::{Measure, whd};
use kohort::space::Space;

use super::close;
use super::common::by_hand::whole_numbers;
use super::common::draw::{Drawn, Shape, Sheet};
use super::common::plain::Plain;
use super::common::plain::forest::{arrows, decompose};
use super::common::plain::k_type::{k1_expansion, one_k};
use super::gionis_2008::{edges, flat, matchings, pairs, publish};

/// The page, so that a number here cannot differ from the one there.
const PAGE: &str = include_str!("../../../../docs/errata.md");

#[track_caller]
fn on_the_page(words: &str) {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain(PAGE).contains(&plain(words)), "docs/errata.md does not say '{words}'");
}

/// Kabir et al. 2011: the class of rows 1 to 3 loses 4.875, that of rows 4 to 6 loses 6.9375.
#[test]
fn the_example_of_14_81() {
    // Heights 1, 1 and 2, ages within 16 years.
    let first = 3.0 * (1.0 + 0.0 + 2.0 / 16.0 + 1.0 / 2.0);
    let second = 3.0 * (0.0 + 1.0 + 5.0 / 16.0 + 2.0 / 2.0);
    close(first, 4.875);
    close(second, 6.9375);
    close(first + second, 11.8125);
    // As printed: gender lost in the first class, zip in the second.
    let printed = 3.0 * (1.0 + 1.0 + 2.0 / 16.0 + 1.0 / 2.0) + 3.0 * (1.0 + 1.0 + 5.0 / 16.0 + 2.0 / 2.0);
    close(printed, 17.8125);
    ["14.81", "17.8125", "11.8125", "4.875", "6.9375"].into_iter().for_each(on_the_page);
}

/// Kabir et al. 2011: a class of 1 and 2, and 3 comes.
#[test]
fn without_modification() {
    let table = whole_numbers(&["1", "2", "3"], "aaa");
    let demands = Demands::new(2, None).unwrap().bind(&table).unwrap();
    let space = Space::new(&table, Measure::Il.search_costs(&table), &demands);
    let problem = Problem { space: &space, demands: &demands, quota: 0 };
    for rule in [InsertionRule::LeastLoss, InsertionRule::LeastIncrease, InsertionRule::Posterior] {
        let joined = insert(problem, &[0, 0, 9], &[2], rule, &Run::new(0, &Quiet)).unwrap();
        assert_eq!((joined.class_of, joined.covered), (vec![0, 0, 0], 0), "[1, 2] does not cover 3");
    }
    let plain = Plain::new(&table, Measure::Il, 2, 1);
    let published = |rows: &[u32]| table.qi[0].attribute.text(plain.closure(rows)[0]);
    assert_eq!((published(&[0, 1]), published(&[0, 1, 2])), ("[1, 2]".into(), "[1, 3]".into()));
    on_the_page("without any modification");
    on_the_page("must become [1, 3]");
}

/// Kabir et al. 2011, Table 3, lines 8 to 15, for clusters that were begun: the sizes in the end. Rows are ages in their order.
fn filled(
    ages: [f64; 4],
    begun: [usize; 2],
    rows: [usize; 2],
    is_open: impl Fn(usize) -> bool,
) -> [usize; 2] {
    let mut clusters = begun.map(|row| vec![ages[row]]);
    for row in rows {
        let loss = |cluster: &Vec<f64>| {
            let all = || cluster.iter().copied().chain([ages[row]]);
            (cluster.len() + 1) as f64 * (all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min))
        };
        let open = clusters.iter_mut().filter(|cluster| is_open(cluster.len()));
        open.min_by(|a, b| loss(a).total_cmp(&loss(b))).unwrap().push(ages[row]);
    }
    clusters.map(|cluster| cluster.len())
}

/// Kabir et al. 2011: k = 2, where r is 2, 1.
#[test]
fn line_12() {
    let (ages, begun, rows) = ([1.0, 1.0, 1.0, 9.0], [1, 3], [0, 2]);
    assert_eq!(filled(ages, begun, rows, |size| size <= 2), [3, 1], "k + 1 and k - 1");
    assert_eq!(filled(ages, begun, rows, |size| size < 2), [2, 2]);
    on_the_page("k = 2, four rows, ages 1, 1, 1 and 9; the second and the last begin the clusters");
}

/// Truta et al. 2008: what uniform ages from 0 to 99 have instead of 99/6.
#[test]
fn a_uniform_distribution() {
    let ages = || (0..100).map(f64::from);
    let mean = ages().sum::<f64>() / 100.0;
    let deviation = (ages().map(|age| (age - mean).powi(2)).sum::<f64>() / 100.0).sqrt();
    close(mean, 99.0 / 2.0);
    assert_eq!(format!("{deviation:.1}, not {:.1}", 99.0 / 6.0), "28.9, not 16.5");
    on_the_page("28.9, not 16.5");
}

/// Li et al. 2006: what is printed as 0.087, heights of levels and of steps, and a tree of one value.
#[test]
fn distances_of_levels() {
    assert_eq!(format!("{:.4}", whd(6, 6, 5, 1.0)), "0.0876");
    close(whd(6, 6, 5, 1.0), 12.0 / 137.0);
    // Six levels, but five steps; sex has two levels, and one step.
    close(whd(6, 6, 1, 0.0), 5.0 * whd(6, 2, 1, 0.0));
    close(whd(2, 2, 1, 0.0), 1.0);
    close(whd(1, 1, 1, 0.0), 0.0);
    on_the_page("0.087 is 12/137 = 0.0876, cut off");
    on_the_page("0/0, which Kohort counts as 0");
}

/// Miller et al. 2008: where all rows share what bounds them, GreedyCKA makes the clusters of k-member.
#[test]
fn the_same_work() {
    let table = whole_numbers(&["1", "2", "7", "9", "20", "21"], "aaaaaa");
    let demands = Demands::new(2, None).unwrap().bind(&table).unwrap();
    let space = Space::new(&table, Measure::Il.search_costs(&table), &demands);
    let problem = Problem { space: &space, demands: &demands, quota: 0 };
    let [bounded, free] = ["greedy-cka", "k-member"].map(|name| {
        let entry = ALGORITHMS.iter().find(|entry| entry.name == name).unwrap();
        let algorithm = (entry.make)(&Settings::default()).unwrap();
        algorithm.group(problem, &Run::new(0, &Quiet)).unwrap()
    });
    assert_eq!(bounded, free);
    on_the_page("the clusters are the same");
}

/// Gionis et al. 2008: in the (2,2) table of its first example one match has probability 2/3.
#[test]
fn equally_probable() {
    let table = flat(&[&["1", "1", "2"], &["3", "4", "4"]]);
    let release = publish(&table, &[&["1", "*"], &["*", "*"], &["*", "4"]]);
    let all = matchings(&edges(&table, &release));
    assert_eq!((all.len(), pairs(&all, 0)), (3, vec![2, 1, 0]));
    on_the_page("2/3");
}

/// Table I of Gionis et al. 2008: best k-anonymization, forest and (k,k) at k = 5, 10, 15 and 20.
const TABLE_1: [[[f64; 4]; 3]; 6] = [
    [[0.65, 0.98, 1.13, 1.22], [0.89, 1.25, 1.42, 1.51], [0.53, 0.83, 0.99, 1.08]],
    [[0.66, 0.93, 1.08, 1.18], [1.02, 1.45, 1.63, 1.73], [0.50, 0.75, 0.90, 1.00]],
    [[0.67, 0.95, 1.08, 1.20], [0.99, 1.31, 1.46, 1.53], [0.54, 0.80, 0.98, 1.10]],
    [[0.12, 0.19, 0.23, 0.25], [0.15, 0.24, 0.28, 0.31], [0.10, 0.16, 0.19, 0.22]],
    [[0.14, 0.20, 0.24, 0.26], [0.22, 0.37, 0.46, 0.53], [0.09, 0.13, 0.16, 0.18]],
    [[0.14, 0.21, 0.25, 0.28], [0.19, 0.31, 0.40, 0.44], [0.11, 0.17, 0.20, 0.23]],
];

/// The least and the most by which one line lies below another, in whole percent.
fn span(low: usize, high: usize) -> (i64, i64) {
    let saved = TABLE_1.iter().flat_map(|case| {
        case[low].iter().zip(case[high]).map(|(low, high)| (100.0 * (1.0 - low / high)).round() as i64)
    });
    let saved: Vec<i64> = saved.collect();
    (*saved.iter().min().unwrap(), *saved.iter().max().unwrap())
}

#[test]
fn the_text_against_its_own_table() {
    assert_eq!(span(0, 1), (18, 51));
    assert_eq!(span(2, 0), (8, 36));
    on_the_page("reduced by 20 %–50 %");
    on_the_page("18 % to 51 %");
    on_the_page("between 10 % and 30 %");
    on_the_page("8 % to 36 %");
}

/// Five equal rows, k = 2: every row lies in all five tuples, more than 2k. With four rows nothing can lie in more.
#[test]
fn degrees_between_k_and_2k() {
    let table = whole_numbers(&["7"; 5], "aaaaa");
    let plain = Plain::new(&table, Measure::Lm, 2, 1);
    let tuples = one_k(&plain, k1_expansion(&plain));
    assert!(tuples.iter().all(|tuple| *tuple == plain.leaf(0)));
    assert!(tuples.len() > 4, "each of the five rows lies in five tuples");
    on_the_page("five equal rows");
}

/// A row and others that each differ from it in a column of their own.
fn star(rows: usize) -> Sheet {
    let column = |at: usize| Drawn {
        name: format!("A{at}"),
        shape: Shape::Flat,
        texts: (0..rows).map(|row| if row == at { "b" } else { "a" }.to_owned()).collect(),
        weight: 1.0,
        snap: None,
    };
    Sheet { rows, qi: (1..rows).map(column).collect(), sensitive: Vec::new() }
}

/// DECOMPOSE of Aggarwal et al. 2005 as it is printed, where vertices that are no rows count nothing and may be split at.
fn as_printed(rows: u32, k: usize, edges: &[(u32, u32)]) -> Vec<BTreeSet<u32>> {
    let mut tree: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for &(a, b) in edges {
        tree.entry(a).or_default().insert(b);
        tree.entry(b).or_default().insert(a);
    }
    let count = |tree: &BTreeMap<u32, BTreeSet<u32>>| tree.keys().filter(|&&v| v < rows).count();
    let (mut open, mut parts) = (vec![tree], Vec::new());
    while let Some(tree) = open.pop() {
        if count(&tree) <= (2 * k - 1).max(3 * k - 5) {
            parts.push(tree.keys().copied().filter(|&v| v < rows).collect());
            continue;
        }
        // All trees here are stars; the vertex in their middle is the one with most neighbours.
        let middle = *tree.iter().max_by_key(|(_, near)| near.len()).unwrap().0;
        let leaf = *tree[&middle].first().unwrap();
        // Case C: a subtree of k - 1 = 1 row takes the middle along; a Steiner vertex holds the rest together.
        let rest: BTreeSet<u32> = tree[&middle].iter().copied().filter(|&v| v != leaf).collect();
        let steiner = rows + open.len() as u32 + parts.len() as u32;
        let mut held: BTreeMap<u32, BTreeSet<u32>> = rest.iter().map(|&v| (v, [steiner].into())).collect();
        held.insert(steiner, rest);
        open.push([(leaf, [middle].into()), (middle, [leaf].into())].into());
        open.push(held);
    }
    parts
}

/// With k = 2, trees of up to three rows stay whole; so trees of up to five are cut once at most, and no cut is at a vertex that
/// is no row. Six rows are the fewest.
#[test]
fn the_decomposition_of_the_forest() {
    let arrows_of = |rows: usize| {
        let table = star(rows).table();
        arrows(&Plain::new(&table, Measure::Lm, 2, 1))
    };
    let edges = arrows_of(6);
    assert!(edges.iter().all(|&(a, b)| a == 0 || b == 0), "the forest is a star around row 0: {edges:?}");
    let printed = as_printed(6, 2, &edges);
    assert!(printed.iter().any(|part| part.len() < 2), "{printed:?}");
    assert!(as_printed(5, 2, &arrows_of(5)).iter().all(|part| part.len() >= 2));
    assert!(decompose(6, 2, &edges).iter().all(|part| part.len() >= 2));
    on_the_page("six rows");
}

/// Truta et al. 2008, section 3: the smallest interval, which Table 4 does not have.
#[test]
fn ranges_that_overlap() {
    let column = Drawn {
        name: "age".into(),
        shape: Shape::Number(Kind::Integer),
        texts: ["35", "38", "36"].map(str::to_owned).to_vec(),
        weight: 1.0,
        snap: None,
    };
    let table = Sheet { rows: 3, qi: vec![column], sensitive: Vec::new() }.table();
    let plain = Plain::new(&table, Measure::Il, 2, 1);
    assert_eq!(table.qi[0].attribute.text(plain.closure(&[0, 1, 2])[0]), "[35, 38]");
    on_the_page("[35-38]");
}
