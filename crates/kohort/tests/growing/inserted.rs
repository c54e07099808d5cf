//! Single rows join classes by the paper's own rules, as long as nobody has seen a release.

use std::collections::{BTreeMap, BTreeSet};

use kohort::algorithm::{INSERTION_RULES, InsertionRule};
use kohort::data::Intervals;
use kohort::input::{JobSpec, Scalar};

use super::attack::subtracted;
use super::series::{Dice, Row, Series, people, rows_of, spec};

const QI: [&str; 3] = ["age", "zip", "sex"];

/// A table that nobody has seen, and three people more than in a class of three.
fn grown(spec: &JobSpec, rule: InsertionRule, seed: u64) -> (Series, Vec<Row>) {
    let mut dice = Dice::new(seed);
    let mut rows = people(&mut dice, 0, 40);
    let mut series = Series { unpublished: true, ..Series::new(spec.clone()) };
    series.grow(&rows, &[], false).unwrap();
    series.rule = Some(rule);
    let batch = people(&mut dice, 40, 5);
    rows.extend(batch.clone());
    series.grow(&batch, &[], false).unwrap();
    (series, rows)
}

/// The sizes of classes, and how many illnesses they have.
fn classes(rows: &[Row], qi: &[&str]) -> Vec<(usize, usize)> {
    let mut found: BTreeMap<Vec<&String>, Vec<&String>> = BTreeMap::new();
    for row in rows {
        found.entry(qi.iter().map(|name| &row[*name]).collect()).or_default().push(&row["illness"]);
    }
    let sizes = |rows: &Vec<&String>| (rows.len(), rows.iter().collect::<BTreeSet<_>>().len());
    found.values().map(sizes).collect()
}

/// Whether a published age covers a person's.
fn covers(published: &str, age: &str) -> bool {
    let inside = published.trim_start_matches('[').trim_end_matches(']');
    let (lo, hi) = inside.split_once(", ").unwrap_or((inside, inside));
    let number = |text: &str| text.parse::<u32>().unwrap();
    (number(lo)..=number(hi)).contains(&number(age))
}

#[test]
fn everybody_is_released_and_every_class_keeps_what_was_asked() {
    for entry in INSERTION_RULES {
        for seed in 1..=6 {
            let asked = JobSpec { p: Some(2), ..spec() };
            let (series, rows) = grown(&asked, entry.rule, seed);
            let growth = &series.growths[1];
            assert_eq!((growth.inserted + growth.opened, growth.waiting, growth.new_atoms), (5, 0, 0));
            assert!(growth.covered + growth.widened > 0 && growth.covered <= growth.inserted, "{growth:?}");
            let hidden = series.hidden();
            let sizes = classes(&hidden[1], &QI);
            assert!(sizes.iter().all(|&(rows, values)| rows >= 3 && values >= 2), "{sizes:?}");
            assert!(sizes.len() <= classes(&hidden[0], &QI).len());
            let age: BTreeMap<&String, &String> =
                rows.iter().map(|row| (&row["note"], &row["age"])).collect();
            let shown = rows_of(series.releases.last().unwrap());
            assert_eq!(shown.len(), 45);
            assert!(shown.iter().all(|row| covers(&row["age"], age[&row["note"]])));
        }
    }
}

#[test]
fn once_a_release_is_published_no_row_joins_alone() {
    let (mut series, mut rows) = grown(&spec(), InsertionRule::LeastIncrease, 7);
    let more = people(&mut Dice::new(8), 45, 12);
    series.unpublished = false;
    series.grow(&more[..1], &[], false).unwrap();
    let refused = series.grow(&more[1..2], &[], false).unwrap_err().to_string();
    assert!(refused.contains("an earlier release was published") && refused.contains("way out"), "{refused}");
    // From here on the table grows by atoms, which no comparison of what was published can split.
    series.rule = None;
    series.grow(&more[1..], &[], false).unwrap();
    rows.extend(more);
    let hidden = series.hidden();
    for some in subtracted(&hidden[2], &hidden[3], &QI) {
        assert!(some.len() >= 3, "{some:?}");
    }
    let published = rows_of(series.releases.last().unwrap()).len() + series.waiting().len();
    assert_eq!(published, rows.len());
}

/// Rows that wait are part of the next batch, whichever way that goes.
#[test]
fn rows_that_wait_join_with_the_others() {
    let mut dice = Dice::new(9);
    let mut series = Series { unpublished: true, ..Series::new(spec()) };
    series.grow(&people(&mut dice, 0, 40), &[], false).unwrap();
    let few: Vec<Row> =
        people(&mut dice, 40, 9).into_iter().filter(|row| row["consent"] == "no").take(2).collect();
    series.grow(&few, &[], false).unwrap();
    assert_eq!(series.growths[1].waiting, 2);
    series.rule = Some(InsertionRule::LeastLoss);
    series.grow(&[], &[], false).unwrap();
    assert_eq!((series.growths[2].inserted, series.growths[2].waiting), (2, 0));
    assert_eq!(rows_of(series.releases.last().unwrap()).len(), 42);
}

/// A known person's new row joins as any other does, and counts for nobody.
#[test]
fn rows_of_known_people_join_too() {
    let asked = JobSpec {
        identifier: Vec::new(),
        person: vec!["who".into()],
        p: Some(2),
        opt_out: None,
        keep: vec!["note".into(), "consent".into()],
        ..spec()
    };
    let mut dice = Dice::new(10);
    let first = people(&mut dice, 0, 30);
    let mut series = Series { unpublished: true, ..Series::new(asked) };
    series.grow(&first, &[], false).unwrap();
    series.rule = Some(InsertionRule::LeastIncrease);
    let mut again = people(&mut dice, 100, 4);
    again[0].insert("who".into(), first[0]["who"].clone());
    series.grow(&again, &[], false).unwrap();
    assert_eq!((series.growths[1].inserted, series.growths[1].waiting), (4, 0));
    let atoms = &series.ledger.as_ref().unwrap().atoms;
    assert!(atoms.iter().all(|atom| atom.people.unwrap() >= 3));
    assert_eq!(atoms.iter().map(|atom| atom.rows).sum::<u32>(), 34);
}

/// The last release alone says what classes cover, whatever it looks like.
#[test]
fn classes_are_read_back_from_bounds_masks_and_grids() {
    let masked = r#"
        k = 3
        qi = ["age", "zip", "sex"]
        [columns]
        zip = { hierarchy = { mask = "right", levels = 3 } }
        age = { snap = 5 }
    "#;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("job.toml"), masked).unwrap();
    let masked = JobSpec::read(&folder.path().join("job.toml")).unwrap();
    let bounds = JobSpec { intervals: Some(Intervals::Bounds), ..spec() };
    for (asked, qi) in [
        (spec().overridden_by(masked), QI.to_vec()),
        (bounds, vec!["age_min", "age_max", "zip_min", "zip_max", "sex"]),
    ] {
        for seed in 11..=14 {
            let (series, _) = grown(&asked, InsertionRule::LeastIncrease, seed);
            let growth = &series.growths[1];
            assert_eq!(growth.inserted + growth.opened, 5);
            let sizes = classes(&series.hidden()[1], &qi);
            assert!(sizes.iter().all(|&(rows, _)| rows >= 3), "{sizes:?}");
            assert!(growth.covered > 0 || growth.widened > 0, "{growth:?}");
        }
    }
}

#[test]
fn what_single_rows_could_break_is_refused() {
    let asked = JobSpec { l_diversity: vec![Scalar::Text("entropy:1.8".into())], ..spec() };
    let mut dice = Dice::new(15);
    let mut series = Series { unpublished: true, ..Series::new(asked) };
    let rows = people(&mut dice, 0, 40);
    series.grow(&rows, &[], false).unwrap();
    series.rule = Some(InsertionRule::LeastLoss);
    let refused = series.grow(&people(&mut dice, 40, 1), &[], false).unwrap_err().to_string();
    assert!(refused.contains("one row more can break them"), "{refused}");
    let mut series = Series { unpublished: true, ..Series::new(spec()) };
    series.grow(&rows, &[], false).unwrap();
    series.rule = Some(InsertionRule::LeastLoss);
    let refused = series.grow(&[], &rows[..1], true).unwrap_err().to_string();
    assert!(refused.contains("while others are taken out") && refused.contains("`withdraw`"), "{refused}");
}
