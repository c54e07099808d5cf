//! Three releases and more at once, in any combination.

use std::collections::{BTreeMap, BTreeSet};

use kohort::Quiet;
use kohort::algorithm::INSERTION_RULES;
use kohort::input::{JobSpec, TableSource};
use kohort::job::{RiskQuestion, risk};
use kohort::risk::RiskFound;

use super::attack::traced;
use super::series::{Dice, Row, Series, people, spec};

const QI: [&str; 3] = ["age", "zip", "sex"];

/// The fewest people, and the fewest illnesses, of all that somebody can tell apart who keeps these releases and can follow everybody.
fn smallest(releases: &[Vec<Row>]) -> (usize, usize) {
    let groups = traced(releases, &QI);
    let illnesses = |group: &Vec<Row>| group.iter().map(|row| &row["illness"]).collect::<BTreeSet<_>>().len();
    (groups.iter().map(Vec::len).min().unwrap(), groups.iter().map(illnesses).min().unwrap())
}

/// Some of the releases, in their order.
fn some(all: &[Vec<Row>], which: impl Fn(usize) -> bool) -> Vec<Vec<Row>> {
    all.iter().enumerate().filter(|(at, _)| which(*at)).map(|(_, release)| release.clone()).collect()
}

/// Every three releases, and many larger sets of them.
fn combinations(dice: &mut Dice, all: &[Vec<Row>]) -> Vec<Vec<Vec<Row>>> {
    let count = all.len();
    let mut found = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            found.extend((b + 1..count).map(|c| some(all, |at| [a, b, c].contains(&at))));
        }
    }
    for _ in 0..60 {
        let picked: Vec<bool> = (0..count).map(|_| dice.below(2) == 0).collect();
        found.push(some(all, |at| picked[at]));
    }
    found.push(all.to_vec());
    found.retain(|releases| releases.len() >= 3);
    found
}

/// The classes of a release, as notes.
fn classes(release: &[Row]) -> Vec<BTreeSet<String>> {
    let mut found: BTreeMap<Vec<&String>, BTreeSet<String>> = BTreeMap::new();
    for row in release {
        found.entry(QI.iter().map(|name| &row[*name]).collect()).or_default().insert(row["note"].clone());
    }
    found.into_values().collect()
}

/// What `kohort risk` finds in all of them.
fn attacked(series: &Series) -> RiskFound {
    let releases: Vec<&dyn TableSource> =
        series.releases.iter().map(|release| release as &dyn TableSource).collect();
    // Without what is kept: an attacker need not be told who is who.
    let asked = JobSpec { keep: Vec::new(), drop: vec!["note".into()], ..series.spec.clone() };
    let job = asked.check_for_verification().unwrap();
    risk(&job, &releases, &RiskQuestion::default(), &Quiet).unwrap()
}

#[test]
fn no_combination_of_releases_tells_less_than_a_group() {
    let mut dice = Dice::new(31);
    let mut series = Series::new(JobSpec { p: Some(2), ..spec() });
    let mut given = 0;
    for number in 0..10 {
        let size = if number == 0 { 40 } else { [2, 5, 9, 14][dice.below(4)] };
        series.grow(&people(&mut dice, given, size), &[], false).unwrap();
        given += size;
    }
    let hidden = series.hidden();
    for releases in combinations(&mut dice, &hidden) {
        let (rows, values) = smallest(&releases);
        assert!(rows >= 3 && values >= 2, "{} releases: {rows} rows, {values} values", releases.len());
    }
    // Unions, intersections and differences of classes of three releases.
    let illness: BTreeMap<&String, &String> =
        hidden.iter().flatten().map(|row| (&row["note"], &row["illness"])).collect();
    let all: Vec<Vec<BTreeSet<String>>> = hidden.iter().map(|release| classes(release)).collect();
    for _ in 0..20_000 {
        let mut pick = || {
            let release = &all[dice.below(all.len())];
            &release[dice.below(release.len())]
        };
        let (a, b, c) = (pick(), pick(), pick());
        let sets: [BTreeSet<&String>; 4] = [
            a.union(b).filter(|note| !c.contains(*note)).collect(),
            a.intersection(b).filter(|note| c.contains(*note)).collect(),
            a.difference(b).filter(|note| c.contains(*note)).collect(),
            c.iter().filter(|note| a.contains(*note) != b.contains(*note)).collect(),
        ];
        for set in sets.iter().filter(|set| !set.is_empty()) {
            let values: BTreeSet<&String> = set.iter().map(|note| illness[*note]).collect();
            assert!(set.len() >= 3 && values.len() >= 2, "{set:?}");
        }
    }
    let found = attacked(&series);
    assert!(found.is_met(), "{:?}", found.smallest);
}

/// The same attacks on the paper's literal insertion: the table is published, and single rows join its classes.
#[test]
fn single_rows_that_join_are_found_at_once() {
    for entry in INSERTION_RULES {
        for seed in 41..=45 {
            let mut dice = Dice::new(seed);
            // It is only said that nobody sees it.
            let mut series = Series { unpublished: true, ..Series::new(spec()) };
            series.grow(&people(&mut dice, 0, 40), &[], false).unwrap();
            series.rule = Some(entry.rule);
            for batch in 0..3 {
                let rows = people(&mut dice, 40 + batch, 1);
                let hidden: Vec<Row> = rows
                    .into_iter()
                    .map(|row| [row, [("consent".into(), "no".into())].into()])
                    .map(joined)
                    .collect();
                series.grow(&hidden, &[], false).unwrap();
            }
            let hidden = series.hidden();
            assert!(smallest(&hidden[..1]).0 >= 3, "each release by itself keeps k");
            assert_eq!(smallest(&hidden[..2]).0, 1, "{}, seed {seed}", entry.name);
            let (rows, values) = smallest(&hidden);
            assert_eq!((rows, values), (1, 1), "{}, seed {seed}", entry.name);
            let found = attacked(&series);
            assert!(!found.is_met() && found.smallest.unwrap().people == 1, "{}, seed {seed}", entry.name);
        }
    }
}

/// A row with some of its values replaced.
fn joined([row, new]: [Row; 2]) -> Row {
    row.into_iter().chain(new).collect()
}
