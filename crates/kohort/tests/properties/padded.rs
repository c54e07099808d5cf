//! Hierarchy files fill short paths up by repeating labels. Whole columns at their best levels lose the least that any levels
//! lose, counted by the labels that are published.

use std::collections::BTreeMap;

use kohort::algorithm::{Algorithm, Incognito, Problem, Quiet, Run};
use kohort::data::{Hierarchy, Table};
use kohort::demand::Demands;
use kohort::input::{QiSpec, quasi_identifier};
use kohort::measure::Measure;
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::collection::vec;
use proptest::prelude::*;

use super::common::draw::column_of;
use super::common::fixed;

/// Labels of every path.
const LEVELS: usize = 4;

/// A column: the path of every value, and the value of every row.
#[derive(Debug, Clone)]
struct Padded {
    paths: Vec<Vec<String>>,
    values: Vec<usize>,
}

impl Padded {
    /// Every choice says of a value how many groups it has above it, and in which half of the wider one it lies. What is
    /// missing is filled up from below or from above.
    fn new(choices: &[u8], rows: &[u8]) -> Self {
        let path = |(value, &choice): (usize, &u8)| {
            let half = format!("half {}", choice % 2);
            let groups = match choice / 2 % 3 {
                0 => Vec::new(),
                1 => vec![half],
                _ => vec![format!("quarter {} {}", choice % 2, choice / 6 % 2), half],
            };
            let mut path = vec![format!("v{value}")];
            path.extend(groups);
            let from_below = choice / 12 % 2 == 0;
            while path.len() < LEVELS - 1 {
                let label = if from_below { path[0].clone() } else { path[path.len() - 1].clone() };
                path.insert(if from_below { 0 } else { path.len() }, label);
            }
            path.push("*".into());
            path
        };
        let paths: Vec<_> = choices.iter().enumerate().map(path).collect();
        Self { values: rows.iter().map(|&row| usize::from(row) % paths.len()).collect(), paths }
    }

    fn texts(&self) -> Vec<String> {
        self.values.iter().map(|&value| self.paths[value][0].clone()).collect()
    }

    fn label(&self, row: usize, level: usize) -> &str {
        &self.paths[self.values[row]][level]
    }

    /// What a published label costs in steps: the level at which it covers most values, the lowest of those. All paths are
    /// equally long.
    fn price(&self, label: &str) -> usize {
        let covers = |level: &usize| self.paths.iter().filter(|path| path[*level] == label).count();
        (0..LEVELS).min_by_key(|level| (std::cmp::Reverse(covers(level)), *level)).unwrap()
    }
}

/// What a vector of levels loses, in steps; none where somebody would be among fewer than k.
fn loss(columns: &[Padded], rows: usize, k: usize, levels: &[usize]) -> Option<usize> {
    let mut classes: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for row in 0..rows {
        let labels = columns.iter().zip(levels).map(|(column, &level)| column.label(row, level)).collect();
        *classes.entry(labels).or_default() += 1;
    }
    let price = |labels: &[&str]| columns.iter().zip(labels).map(|(c, l)| c.price(l)).sum::<usize>();
    let enough = classes.values().all(|&size| size >= k);
    enough.then(|| classes.iter().map(|(labels, size)| size * price(labels)).sum())
}

fn vectors(columns: usize) -> Vec<Vec<usize>> {
    (0..columns).fold(vec![Vec::new()], |vectors, _| {
        let longer = |v: &Vec<usize>| (0..LEVELS).map(|l| [&v[..], &[l]].concat()).collect::<Vec<_>>();
        vectors.iter().flat_map(longer).collect()
    })
}

fn best_levels(columns: &[Padded], rows: usize, k: u32) -> Vec<usize> {
    let qi = columns.iter().enumerate().map(|(at, column)| {
        let name = format!("q{at}");
        let hierarchy = Some(Hierarchy::from_paths(&name, column.paths.clone()).unwrap());
        let spec = QiSpec { hierarchy, ..QiSpec::default() };
        quasi_identifier(column_of(&name, &column.texts()), spec, "table").unwrap()
    });
    let table = Table { rows, qi: qi.collect(), ..Table::default() };
    let demands = Demands::new(k, None).unwrap().bind(&table).unwrap();
    let space = Space::new(&table, Measure::Il.search_costs(&table), &demands);
    let problem = Problem { space: &space, demands: &demands, quota: 0 };
    match Incognito::default().group(problem, &Run::new(0, &Quiet)).unwrap() {
        Solution::Levels(levels) => levels.chosen.iter().map(|&level| level as usize).collect(),
        other => panic!("levels were expected, not {other:?}"),
    }
}

proptest! {
    #![proptest_config(fixed(1000))]

    #[test]
    fn no_levels_lose_less_by_their_labels(
        trees in vec(vec(any::<u8>(), 2..=8), 1..=3),
        cells in vec(vec(any::<u8>(), 12), 3),
        k in 2..=4u32,
    ) {
        let columns: Vec<Padded> = trees.iter().zip(&cells).map(|(t, rows)| Padded::new(t, rows)).collect();
        let losses = vectors(columns.len()).into_iter().filter_map(|v| loss(&columns, 12, k as usize, &v));
        let chosen = best_levels(&columns, 12, k);
        prop_assert_eq!(loss(&columns, 12, k as usize, &chosen), losses.min(), "{:?}", chosen);
    }
}
