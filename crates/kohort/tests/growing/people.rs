//! People who come again are no new people.

use std::collections::BTreeSet;

use kohort::input::JobSpec;

use super::attack::traced;
use super::series::{Dice, Row, Series, people, spec};

fn by_person() -> JobSpec {
    JobSpec {
        identifier: Vec::new(),
        person: vec!["who".into()],
        p: Some(2),
        opt_out: None,
        keep: vec!["note".into(), "consent".into()],
        ..spec()
    }
}

/// Rows of these people.
fn of(people: &[usize], first_note: usize, dice: &mut Dice) -> Vec<Row> {
    let mut rows = super::series::people(dice, first_note, people.len());
    for (row, person) in rows.iter_mut().zip(people) {
        row.insert("who".into(), format!("p{person}"));
        row.insert("consent".into(), "no".into());
    }
    rows
}

#[test]
fn rows_of_known_people_alone_make_no_atom() {
    let mut dice = Dice::new(11);
    let first: Vec<usize> = (0..30).collect();
    let mut series = Series::new(by_person());
    series.grow(&of(&first, 0, &mut dice), &[], false).unwrap();
    series.grow(&of(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 100, &mut dice), &[], false).unwrap();
    assert_eq!((series.growths[1].new_atoms, series.growths[1].waiting), (0, 9));
    // With enough new people, those who wait come along.
    let next: Vec<usize> = (50..62).collect();
    series.grow(&of(&next, 200, &mut dice), &[], false).unwrap();
    let growth = &series.growths[2];
    assert!(growth.new_atoms > 0 && growth.returning > 0, "{growth:?}");
}

/// Every group that comparing releases leads to has at least k people who are in no earlier group.
#[test]
fn groups_have_k_new_people() {
    let mut dice = Dice::new(12);
    let mut series = Series::new(by_person());
    let (mut rows, mut notes) = (Vec::new(), 0);
    for round in 0..12 {
        let known = round * 8;
        let persons: Vec<usize> = (0..12).map(|_| dice.below(known + 8)).chain(known..known + 8).collect();
        let batch = of(&persons, notes, &mut dice);
        notes += batch.len();
        rows.extend(batch.clone());
        series.grow(&batch, &[], false).unwrap();
    }
    let who = |note: &String| rows.iter().find(|row| &row["note"] == note).unwrap()["who"].clone();
    let mut before: BTreeSet<String> = BTreeSet::new();
    let hidden = series.hidden();
    for number in 0..hidden.len() {
        let old: BTreeSet<String> = match number {
            0 => BTreeSet::new(),
            _ => hidden[number - 1].iter().map(|row| row["note"].clone()).collect(),
        };
        let new: Vec<Row> =
            hidden[number].iter().filter(|row| !old.contains(&row["note"])).cloned().collect();
        for group in traced(std::slice::from_ref(&new), &["age", "zip", "sex"]) {
            let fresh: BTreeSet<String> =
                group.iter().map(|row| who(&row["note"])).filter(|who| !before.contains(who)).collect();
            assert!(fresh.len() >= 3, "{} new people in release {}", fresh.len(), number + 1);
        }
        before.extend(new.iter().map(|row| who(&row["note"])));
    }
    assert!(series.growths.iter().any(|g| g.returning > 0), "nobody came again");
}

#[test]
fn who_leaves_and_comes_again_is_no_new_person() {
    let mut dice = Dice::new(13);
    let everybody: Vec<usize> = (0..12).collect();
    let mut series = Series::new(JobSpec { p: None, ..by_person() });
    let first = of(&everybody, 0, &mut dice);
    series.grow(&first, &[], false).unwrap();
    series.grow(&[], &first, false).unwrap();
    assert_eq!((series.growths[1].withdrawn, series.releases[1].rows()), (12, 0));
    series.grow(&of(&everybody, 100, &mut dice), &[], false).unwrap();
    assert_eq!((series.growths[2].appended, series.growths[2].waiting), (0, 12));
    let _ = people(&mut dice, 0, 0);
}

/// Somebody whose later row was withheld still counts in the earlier atom that she was first hidden in.
#[test]
fn who_is_withheld_counts_where_she_was_first() {
    let alike = |persons: &[usize], age: &str, first_note: usize| -> Vec<Row> {
        let mut rows = of(persons, first_note, &mut Dice::new(14));
        for row in &mut rows {
            let place = [("age", age), ("zip", "410"), ("sex", "f")];
            row.extend(place.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        rows
    };
    let mut series = Series::new(JobSpec { p: None, ..by_person() });
    series.grow(&alike(&[0, 1, 2], "20", 0), &[], false).unwrap();
    let later = alike(&[3, 4, 5, 0], "60", 10);
    series.grow(&later, &[], false).unwrap();
    assert_eq!(series.growths[1].returning, 1);
    series.grow(&[], &later[..1], true).unwrap();
    assert_eq!((series.growths[2].withdrawn, series.growths[2].withheld), (1, 3));
    series.grow(&alike(&[6, 7, 8], "30", 20), &[], false).unwrap();
    assert_eq!(series.releases[3].rows(), 6);
    // She is no new person for all that.
    series.grow(&alike(&[0, 9, 10], "40", 30), &[], false).unwrap();
    assert_eq!((series.growths[4].appended, series.growths[4].waiting), (0, 3));
}
