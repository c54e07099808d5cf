//! Random batches: every release is verified, and comparing all of them finds no set below what was asked.

use std::collections::{BTreeMap, BTreeSet};

use kohort::Quiet;
use kohort::data::Intervals;
use kohort::input::{JobSpec, Scalar};

use super::attack::{subtracted, traced};
use super::series::{Dice, Row, Series, people, rows_of, spec};

const QI: [&str; 3] = ["age", "zip", "sex"];
/// The same where intervals are published as two numbers.
const BOUNDS: [&str; 5] = ["age_min", "age_max", "zip_min", "zip_max", "sex"];
const BATCHES: usize = 30;

/// How often every value occurs.
fn counted<'a>(values: impl IntoIterator<Item = &'a String>) -> BTreeMap<&'a String, f64> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1.0;
    }
    counts
}

/// What a set of rows has to have, in plain words of the papers.
type Demand = fn(values: &[String], frozen: &[String]) -> bool;

fn enough(values: &[String], _: &[String]) -> bool {
    values.len() >= 3
}

fn two_values(values: &[String], _: &[String]) -> bool {
    counted(values).len() >= 2
}

fn entropy(values: &[String], _: &[String]) -> bool {
    let n = values.len() as f64;
    let bits: f64 = counted(values).values().map(|times| -(times / n) * (times / n).ln()).sum();
    bits >= 1.8f64.ln() - 1e-9
}

fn close(values: &[String], frozen: &[String]) -> bool {
    let (here, there) = (counted(values), counted(frozen));
    let all: BTreeSet<&&String> = here.keys().chain(there.keys()).collect();
    let share = |counts: &BTreeMap<&String, f64>, value: &String, of: usize| {
        counts.get(value).copied().unwrap_or_default() / of as f64
    };
    let apart: f64 = all
        .iter()
        .map(|value| (share(&here, value, values.len()) - share(&there, value, frozen.len())).abs())
        .sum();
    apart / 2.0 <= 0.4 + 1e-9
}

/// How many times as frequent as at first every value is.
fn gains(values: &[String], frozen: &[String]) -> Vec<f64> {
    let (here, there) = (counted(values), counted(frozen));
    let share = |counts: &BTreeMap<&String, f64>, value: &String, of: usize| {
        counts.get(value).copied().unwrap_or_default() / of as f64
    };
    let all: BTreeSet<&&String> = here.keys().chain(there.keys()).collect();
    let gain = |value: &&&String| share(&here, value, values.len()) / share(&there, value, frozen.len());
    all.iter().map(gain).collect()
}

fn alike(values: &[String], frozen: &[String]) -> bool {
    gains(values, frozen).iter().all(|gain| gain - 1.0 <= 1.5 + 1e-9)
}

fn undisclosed(values: &[String], frozen: &[String]) -> bool {
    gains(values, frozen).iter().all(|gain| gain.ln().abs() < 1.4)
}

/// Grows a table by random batches, with people who do not mind, and people who leave.
fn grown(spec: JobSpec, seed: u64) -> (Series, Vec<Row>, BTreeSet<String>) {
    let mut dice = Dice::new(seed);
    let mut given = people(&mut dice, 0, 40);
    let mut series = Series::new(spec);
    series.grow(&given, &[], false).unwrap();
    let mut gone = BTreeSet::new();
    for number in 1..BATCHES {
        let size = [0, 1, 2, 4, 7, 12, 15][dice.below(7)];
        let batch = people(&mut dice, given.len(), size);
        given.extend(batch.iter().cloned());
        let leaving: Vec<Row> = if number % 6 == 5 {
            let somebody = given[dice.below(given.len())].clone();
            if gone.contains(&somebody["note"]) { Vec::new() } else { vec![somebody] }
        } else {
            Vec::new()
        };
        let before: BTreeSet<String> = published(&series);
        series.grow(&batch, &leaving, true).unwrap();
        let after = published(&series);
        gone.extend(before.difference(&after).cloned());
        gone.extend(leaving.iter().map(|row| row["note"].clone()));
    }
    (series, given, gone)
}

/// Notes of the last release.
fn published(series: &Series) -> BTreeSet<String> {
    rows_of(series.releases.last().unwrap()).iter().map(|row| row["note"].clone()).collect()
}

fn values(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| row["illness"].clone()).collect()
}

/// Everything that holds for any series.
fn check(series: &Series, (given, gone): (&[Row], &BTreeSet<String>), (demand, qi): (Demand, &[&str])) {
    let first = &given[..40];
    let hidden = series.hidden();
    let frozen = values(&first.iter().filter(|row| row["consent"] != "public").cloned().collect::<Vec<_>>());
    let meets = |values: &[String]| enough(values, &frozen) && demand(values, &frozen);
    // Every prefix: groups of a longer series are finer.
    for until in 1..=hidden.len() {
        for group in traced(&hidden[..until], qi) {
            assert!(meets(&values(&group)), "after {until} releases: {} rows", group.len());
        }
    }
    for (at, before) in hidden.iter().enumerate() {
        for after in &hidden[at + 1..] {
            for some in subtracted(before, after, qi) {
                assert!(meets(&some), "{some:?}");
            }
        }
    }
    // Nobody is lost, and nobody who waits is published.
    let (shown, waiting) = (published(series), series.waiting());
    assert!(shown.is_disjoint(&waiting) && shown.is_disjoint(gone) && waiting.is_disjoint(gone));
    let all: BTreeSet<String> = given.iter().map(|row| row["note"].clone()).collect();
    let accounted: BTreeSet<String> = shown.iter().chain(&waiting).chain(gone).cloned().collect();
    assert_eq!(accounted, all);
    // What is not generalized is what it was.
    let illness: BTreeMap<&String, &String> =
        given.iter().map(|row| (&row["note"], &row["illness"])).collect();
    for row in rows_of(series.releases.last().unwrap()) {
        assert_eq!(illness[&row["note"]], &row["illness"]);
    }
    for release in &series.releases {
        let verdict =
            kohort::verify(&series.spec.check_for_verification().unwrap(), release, None, &Quiet).unwrap();
        let short: Vec<String> = verdict.shortfalls.iter().map(ToString::to_string).collect();
        // How far classes are from the first release, only who has its values can tell.
        let compared = ["t = 0.4", "beta-likeness 1.5", "delta-disclosure 1.4"];
        assert!(short.iter().all(|what| compared.iter().any(|asked| what.contains(asked))), "{short:?}");
    }
}

fn holds(spec: JobSpec, seed: u64, demand: Demand) -> Series {
    let (series, given, gone) = grown(spec, seed);
    let bounds = series.spec.intervals == Some(Intervals::Bounds);
    check(&series, (&given, &gone), (demand, if bounds { &BOUNDS } else { &QI }));
    assert_eq!(series.releases.len(), BATCHES);
    assert!(series.growths.iter().any(|g| g.waiting > 0), "nobody waited");
    assert!(series.growths.iter().any(|g| g.new_atoms > 0 && g.release > 1), "nobody was appended");
    assert!(series.growths.iter().any(|g| g.withdrawn > 0), "nobody left");
    assert!(series.growths.iter().any(|g| g.opened > 0), "nobody was published as they are");
    series
}

#[test]
fn k_holds_for_everything_that_releases_tell_together() {
    holds(spec(), 1, enough);
}

#[test]
fn p_holds() {
    holds(JobSpec { p: Some(2), ..spec() }, 2, two_values);
}

#[test]
fn distinct_and_entropy_diversity_hold() {
    let asked = |text: &str| JobSpec { l_diversity: vec![Scalar::Text(text.into())], ..spec() };
    holds(asked("distinct:2"), 3, two_values);
    holds(asked("entropy:1.8"), 4, entropy);
}

/// Against the values of the first release, whatever the later ones bring.
#[test]
fn t_holds() {
    holds(JobSpec { t_closeness: vec![Scalar::Text("0.4".into())], ..spec() }, 5, close);
}

#[test]
fn a_measure_that_is_not_monotone_and_masks() {
    let (series, given, gone) = grown(JobSpec { measure: Some("entropy".into()), ..spec() }, 6);
    check(&series, (&given, &gone), (enough, &QI));
    let hierarchies = r#"
        k = 3
        qi = ["age", "zip", "sex"]
        [columns]
        zip = { hierarchy = { mask = "right", levels = 3 } }
    "#;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("job.toml"), hierarchies).unwrap();
    let masked = JobSpec::read(&folder.path().join("job.toml")).unwrap();
    let (series, given, gone) = grown(spec().overridden_by(masked), 7);
    check(&series, (&given, &gone), (enough, &QI));
}

#[test]
fn beta_and_delta_hold() {
    let asked = |beta: Option<f64>, delta: Option<f64>| JobSpec {
        beta_likeness: beta.map(Scalar::from).into_iter().collect(),
        delta_disclosure: delta.map(Scalar::from).into_iter().collect(),
        ..spec()
    };
    holds(asked(Some(1.5), None), 9, alike);
    holds(asked(None, Some(1.4)), 10, undisclosed);
}

#[test]
fn bounds_hold_what_texts_hold() {
    let asked = JobSpec { intervals: Some(Intervals::Bounds), p: Some(2), ..spec() };
    let series = holds(asked, 11, two_values);
    assert!(series.releases.iter().all(|release| rows_of(release)[0].contains_key("zip_max")));
}

/// Somebody who does not mind is given and withdrawn in one call: nobody ever sees them.
#[test]
fn who_leaves_at_once_is_not_published_as_they_are() {
    let mut dice = Dice::new(12);
    let mut series = Series::new(spec());
    series.grow(&people(&mut dice, 0, 40), &[], false).unwrap();
    let mut batch = people(&mut dice, 40, 6);
    batch[0].insert("consent".into(), "public".into());
    series.grow(&batch, &batch[..1], false).unwrap();
    assert!(!published(&series).contains(&batch[0]["note"]));
    assert_eq!(series.growths[1].withdrawn, 1);
}

/// Same seed, same bytes, at any number of threads.
#[test]
fn threads_change_nothing() {
    let with = |threads| {
        let (series, _, _) =
            grown(JobSpec { threads: Some(threads), p: Some(2), seed: Some(3), ..spec() }, 8);
        let releases: Vec<Vec<Row>> = series.releases.iter().map(|release| rows_of(release)).collect();
        (releases, series.waiting())
    };
    assert_eq!(with(1), with(2));
}
