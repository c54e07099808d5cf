//! Section 5 of Kabir et al. 2011, taken literally: single rows join the classes of a table that was published, and are found at once.

use kohort::algorithm::{Algorithm, INSERTION_RULES, Problem, Quiet, Rule, Run, Systematic, insert};
use kohort::data::Kind;
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::risk::{Attack, Wanted};
use kohort::solution::Solution;
use kohort::space::Space;

use super::common::draw::{Drawn, Shape, Sheet};
use super::{Row, asked, found, interval};

const OLD: usize = 60;
const NEW: usize = 3;
const K: u32 = 5;

/// People of two numbers and one of seven illnesses, the same every time.
fn people(seed: u64) -> (Sheet, Vec<[u32; 2]>) {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as u32
    };
    let points: Vec<[u32; 2]> = (0..OLD + NEW).map(|_| [draw(80), draw(50)]).collect();
    let secrets = (0..OLD + NEW).map(|_| format!("s{}", draw(7))).collect();
    let column = |dim: usize| Drawn {
        name: format!("q{dim}"),
        shape: Shape::Number(Kind::Integer),
        texts: points.iter().map(|point| point[dim].to_string()).collect(),
        weight: 1.0,
        snap: None,
    };
    (Sheet { rows: OLD + NEW, qi: vec![column(0), column(1)], sensitive: vec![secrets] }, points)
}

/// The rows of some people, each published as the closure of its class.
fn published(sheet: &Sheet, points: &[[u32; 2]], class_of: &[u32], rows: usize) -> Vec<Row> {
    let show = |row: usize| {
        let class = (0..rows).filter(|&other| class_of[other] == class_of[row]);
        let ends = |dim: usize| {
            let values = class.clone().map(|other| points[other][dim]);
            interval(values.clone().min().unwrap(), values.max().unwrap())
        };
        (vec![ends(0), ends(1)], sheet.sensitive[0][row].clone())
    };
    (0..rows).map(show).collect()
}

#[test]
fn single_rows_that_join_classes_are_found_at_once() {
    for entry in INSERTION_RULES {
        for seed in 1..=40 {
            let (sheet, points) = people(seed);
            let table = sheet.table();
            let demands = Demands::new(K, None).unwrap().bind(&table).unwrap();
            let space = Space::new(&table, Measure::Il.search_costs(&table), &demands);
            let problem = Problem { space: &space, demands: &demands, quota: 0 };
            let run = Run::new(0, &Quiet);
            let old: Vec<u32> = (0..OLD as u32).collect();
            let part = space.part(&space.groups().of_rows(), &old);
            let first = Systematic { rule: Rule::Increase }.group(Problem { space: &part, ..problem }, &run);
            let Ok(Solution::Clusters(mut class_of)) = first else { panic!("clusters were expected") };
            class_of.resize(OLD + NEW, 0);
            let new: Vec<u32> = (OLD as u32..(OLD + NEW) as u32).collect();
            let joined = insert(problem, &class_of, &new, entry.rule, &run).unwrap();
            let releases = [
                published(&sheet, &points, &class_of, OLD),
                published(&sheet, &points, &joined.class_of, OLD + NEW),
            ];
            let alone = |at: usize| found(&releases[at..=at], &asked(K, 1)).is_met();
            assert!(alone(0) && alone(1), "each by itself keeps k");
            let both = found(&releases, &asked(K, 1));
            let smallest = both.smallest.unwrap();
            assert!(smallest.people <= NEW as u64, "{}, seed {seed}: {smallest:?}", entry.name);
            assert_eq!(both.by_attack[&Attack::OneRelease].found, 0);
        }
    }
}

#[test]
fn an_example_in_rows() {
    let rows = |texts: &[(&str, &str)]| -> Vec<Row> {
        texts.iter().map(|(age, illness)| (vec![(*age).to_owned()], (*illness).to_owned())).collect()
    };
    let first = rows(&[("[20, 29]", "flu"), ("[40, 49]", "gout"), ("[20, 29]", "gout"), ("[40, 49]", "flu")]);
    let second = [first.clone(), rows(&[("[20, 29]", "asthma")])].concat();
    let both = found(&[first, second], &asked(2, 1));
    let smallest = both.smallest.unwrap();
    assert_eq!((smallest.attack, smallest.people, smallest.at_least), (Attack::Difference, 1, 1));
    assert_eq!(smallest.among[0].rows, [5], "only she has it");
    // Nobody asked for k: a class of each release has two rows.
    assert_eq!(both.k, 2);
    let unasked = Wanted { k: None, ..asked(2, 1) };
    let alone = rows(&[("1", "flu"), ("1", "flu"), ("1", "flu")]);
    assert_eq!(found(std::slice::from_ref(&alone), &unasked).k, 3);
    // Values count, too.
    let short = found(&[alone], &asked(2, 2)).smallest.unwrap().shortage.unwrap();
    assert_eq!((short.column, short.values, short.wanted), (0, 1, 2));
}
