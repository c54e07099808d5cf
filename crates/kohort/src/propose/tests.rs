//! Whole proposals.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};

use super::*;
use crate::input::MemoryTable;

/// A column by the number of the row.
type Cell = fn(usize) -> String;

fn table(rows: usize, columns: &[(&str, Cell)]) -> MemoryTable {
    let column = |(name, cell): &(&str, Cell)| {
        let texts: StringArray = (0..rows).map(|row| Some(cell(row))).collect();
        ((*name).to_owned(), Arc::new(texts) as ArrayRef)
    };
    let batch = RecordBatch::try_from_iter(columns.iter().map(column)).unwrap();
    MemoryTable::new("table", &batch.schema(), vec![batch]).unwrap()
}

fn proposal(rows: usize, columns: &[(&str, Cell)]) -> Proposal {
    propose(&table(rows, columns), true).unwrap()
}

fn roles(proposal: &Proposal) -> Vec<Role> {
    proposal.columns.iter().map(|column| column.role).collect()
}

const AGE: (&str, Cell) = ("age", |i| (20 + i * 7 % 50).to_string());
const TOWN: (&str, Cell) = ("town", |i| format!("town {}", i * 7 % 20));
const COUNTY: (&str, Cell) = ("county", |i| format!("county {}", i * 7 % 20 % 6));
const STATE: (&str, Cell) = ("state", |i| format!("state {}", i * 7 % 20 % 6 % 2));

#[test]
fn what_a_column_determines_becomes_its_tree_and_is_dropped() {
    let found = proposal(400, &[AGE, COUNTY, STATE, TOWN]);
    assert_eq!(roles(&found), [Role::QuasiIdentifier, Role::Drop, Role::Drop, Role::QuasiIdentifier]);
    let tree = found.columns[3].made.as_ref().unwrap();
    assert_eq!(tree.path(tree.leaf("town 7").unwrap()), ["town 7", "county 1", "state 1", "*"]);
    // Where no file may be written, columns stay as they are.
    let found = propose(&table(400, &[AGE, COUNTY, STATE, TOWN]), false).unwrap();
    assert!(found.columns.iter().all(|column| column.role == Role::QuasiIdentifier && column.made.is_none()));
}

#[test]
fn two_names_of_one_thing_are_one_too_many() {
    let number: (&str, Cell) = ("education_num", |i| (i % 9).to_string());
    let name: (&str, Cell) = ("education", |i| format!("level {}", i % 9));
    assert_eq!(
        roles(&proposal(300, &[AGE, number, name])),
        [Role::QuasiIdentifier, Role::Drop, Role::QuasiIdentifier]
    );
}

#[test]
fn what_a_known_column_determines_is_known() {
    let rate: (&str, Cell) = ("rate", |i| format!("0.{:03}", i * 7 % 20 * 31));
    let found = proposal(400, &[AGE, TOWN, rate]);
    assert_eq!(found.columns[2].role, Role::QuasiIdentifier, "{:?}", found.columns[2].because);
}

#[test]
fn people_with_several_rows_are_counted() {
    let person: (&str, Cell) = ("patient_id", |i| format!("P{:04}", i / 3));
    let visit: (&str, Cell) = ("visit_no", |i| i.to_string());
    let found = proposal(900, &[person, visit, AGE]);
    assert_eq!(roles(&found), [Role::Person, Role::Identifier, Role::QuasiIdentifier]);
    assert_eq!((found.people, found.k), (300, 5));
    // A household is several people where something tells them apart.
    let household: (&str, Cell) = ("household_id", |i| format!("H{:04}", i / 3));
    let found = proposal(900, &[household, visit, AGE]);
    assert_eq!(roles(&found), [Role::Identifier, Role::Identifier, Role::QuasiIdentifier]);
    // Where some are nobody's, people cannot be counted, and the job must say so.
    let gaps: (&str, Cell) =
        ("patient_id", |i| if i % 5 == 0 { String::new() } else { format!("P{:04}", i / 3) });
    let found = proposal(900, &[gaps, AGE]);
    assert_eq!(roles(&found), [Role::Identifier, Role::QuasiIdentifier]);
    assert!(found.rows_are_people && found.people == 900);
}

#[test]
fn somebody_who_knows_better_is_followed() {
    let mut examined = examine(&table(400, &[AGE, TOWN, ("xyz", |i| (i % 7).to_string())])).unwrap();
    assert_eq!(examined.columns()[2].role, Role::Sensitive);
    examined.set_role(2, Role::QuasiIdentifier);
    examined.set_role(1, Role::Drop);
    let found = examined.proposal(true).unwrap();
    assert_eq!(roles(&found), [Role::QuasiIdentifier, Role::Drop, Role::QuasiIdentifier]);
    assert_eq!(found.columns[2].kind, Some(Kind::Integer));
    examined.set_role(0, Role::Drop);
    examined.set_role(2, Role::Keep);
    assert!(matches!(examined.proposal(true), Err(Error::Input(_))));
}

#[test]
fn a_proposal_is_a_job_and_says_the_same_as_its_text() {
    let secret: (&str, Cell) = ("diagnosis", |i| format!("illness {}", i % 8));
    let born: (&str, Cell) =
        ("geboren am", |i| format!("{:02}.{:02}.{}", i % 28 + 1, i % 12 + 1, 1940 + i % 60));
    let name: (&str, Cell) = ("na\"me\n", |i| format!("person {i}"));
    let found = proposal(1200, &[AGE, TOWN, COUNTY, secret, born, name]);
    let file = |name: &str| (name.to_owned(), format!("trees/{name}.csv"));
    let hierarchies = found.columns.iter().filter(|c| c.made.is_some()).map(|c| file(&c.name)).collect();
    let text = found.to_toml(&Header {
        about: vec!["About.".into()],
        input: "t.csv".into(),
        hierarchies,
        ..Header::default()
    });
    let read: JobSpec = toml::from_str(&text).unwrap();
    let mut meant = found.spec();
    for column in &found.columns {
        if let Some(entry) = meant.columns.get_mut(&column.name)
            && column.made.is_some()
        {
            entry.hierarchy = Some(HierarchySpec::File(file(&column.name).1.into()));
        }
    }
    assert_eq!(read.columns, meant.columns);
    assert_eq!((read.k, read.rows_are_people), (Some(10), None));
    assert_eq!(read.columns["diagnosis"].p, Some(3));
    assert!(
        text.lines().all(|line| line.is_empty() || line.starts_with('#') || !line.starts_with(' ')),
        "{text}"
    );
}
