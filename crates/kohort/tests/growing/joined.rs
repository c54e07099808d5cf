//! New atoms in old classes.

use kohort::input::JobSpec;

use super::series::{Row, Series, rows_of, spec};

fn row(number: usize, age: &str, zip: &str) -> Row {
    let values = [&format!("p{number}"), age, zip, "f", "flu", "no", &format!("n{number}")];
    super::series::COLUMNS.iter().map(|&name| name.to_owned()).zip(values.map(ToOwned::to_owned)).collect()
}

/// Atoms that are published alike are one class, and stay atoms.
#[test]
fn atoms_with_one_tuple_are_one_class() {
    let alike = |first: usize| (first..first + 3).map(|n| row(n, "30", "411")).collect::<Vec<_>>();
    let mut series = Series::new(spec());
    series.grow(&alike(0), &[], false).unwrap();
    series.grow(&alike(10), &[], false).unwrap();
    let ledger = series.ledger.as_ref().unwrap();
    assert_eq!(ledger.atoms.len(), 2);
    assert_eq!(ledger.atoms[0].class, ledger.atoms[1].class);
    assert_eq!(series.growths[1].new_atoms, 1);
}

/// Nearly everybody is of one age: a class of all ages has less entropy than one of two rare ages.
#[test]
fn under_entropy_an_atom_joins_where_that_loses_less() {
    let mut first: Vec<Row> = (0..40).map(|n| row(n, "50", "411")).collect();
    first.extend((40..42).map(|n| row(n, "20", "411")));
    first.extend((42..43).map(|n| row(n, "50", "411")));
    let rare: Vec<Row> = (100..103).map(|n| row(n, if n == 100 { "21" } else { "22" }, "411")).collect();
    let mut series = Series::new(JobSpec { measure: Some("entropy".into()), ..spec() });
    series.grow(&first, &[], false).unwrap();
    series.grow(&rare, &[], false).unwrap();
    let growth = &series.growths[1];
    assert_eq!((growth.new_atoms, growth.joined), (1, 1), "{growth:?}");
    let ages = |numbers: std::ops::Range<usize>| -> Vec<String> {
        let rows = rows_of(series.releases.last().unwrap());
        let is_one = |row: &&Row| numbers.clone().any(|n| row["note"] == format!("n{n}"));
        let mut ages: Vec<String> = rows.iter().filter(is_one).map(|row| row["age"].clone()).collect();
        ages.dedup();
        ages
    };
    let new = ages(100..103);
    assert_eq!(new.len(), 1);
    assert!(series.releases[0].rows() == 43 && rows_of(series.releases.last().unwrap()).len() == 46);
    let with_them =
        rows_of(series.releases.last().unwrap()).iter().filter(|row| row["age"] == new[0]).count();
    assert!(with_them > 3, "nobody else is published as {}", new[0]);
}
