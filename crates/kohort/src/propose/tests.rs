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

/// Numbers that repeat, as a register gives them out.
const GIVEN_OUT: Cell = |i| (100_000_000 + i * i % 302 * 1_234_567).to_string();

#[test]
fn repeating_numbers_under_a_word_for_a_person_are_never_published() {
    for name in ["patient", "customer", "member", "Mitarbeiter", "Kunde", "user", "account", "insured", "xyz"]
    {
        let found = proposal(400, &[AGE, (name, GIVEN_OUT)]);
        let column = &found.columns[1];
        assert!(matches!(column.role, Role::Person | Role::Identifier), "{name}: {:?}", column.because);
    }
    let few = proposal(400, &[AGE, ("customer", |i| ["new", "old", "lost"][i % 3].to_owned())]);
    assert_eq!(few.columns[1].role, Role::QuasiIdentifier, "kinds of people are no people");
    let income = proposal(400, &[AGE, ("income", GIVEN_OUT)]);
    assert_eq!(income.columns[1].role, Role::Sensitive);
}

#[test]
fn names_of_people_are_identifiers_whatever_the_column_is_called() {
    let full: Cell = |i| {
        let (given, family) = (["Anna", "John", "Maria", "Peter"][i % 4], ["Smith", "Brown", "Weiß"][i % 3]);
        format!("{given} {family}")
    };
    let turned: Cell =
        |i| format!("{}, {}", ["Smith", "Brown", "Weiß"][i % 3], ["Anna", "John", "Maria"][i / 3 % 3]);
    for name in ["insured", "supervisor", "manager", "father", "mother_name", "school", "xyz", "diagnosis"] {
        for cell in [full, turned] {
            let found = proposal(360, &[AGE, (name, cell)]);
            assert_eq!(found.columns[1].role, Role::Identifier, "{name}: {:?}", found.columns[1].because);
        }
    }
    let places: Cell =
        |i| ["New York", "San Diego", "Los Angeles", "El Paso", "Santa Fe", "Fort Worth"][i % 6].into();
    assert_eq!(proposal(360, &[AGE, ("city", places)]).columns[1].role, Role::QuasiIdentifier);
}

#[test]
fn what_hardly_repeats_says_whose_row_it_is_only_where_nothing_else_does() {
    // 418 rows of 399 different values.
    let nearly: Cell = |i| (if i < 19 { i * 3 + 1000 } else { (i - 19) * 3 + 1000 }).to_string();
    let number: (&str, Cell) = ("Pat-Nr", |i| i.to_string());
    let found = proposal(418, &[number, AGE, ("xyz", nearly)]);
    assert_eq!((found.columns[2].role, found.people), (Role::Identifier, 418));
    assert!(
        found.columns[2].is_guess && found.notes.iter().any(|note| note.contains("xyz")),
        "{:?}",
        found.notes
    );
    let found = proposal(418, &[AGE, ("xyz", nearly)]);
    assert!(found.columns[1].role == Role::Person && found.columns[1].is_guess);
    assert!(
        found.notes.iter().any(|note| note.starts_with("that xyz says whose row it is")),
        "{:?}",
        found.notes
    );
    let term: Cell = |i| {
        let i = if i < 19 { i } else { i - 19 };
        format!("19{:02}.{:02}.{:02} - 1999.01.01", i / 28 % 100, i % 12 + 1, i % 28 + 1)
    };
    for (name, cell) in [("Term (yyyy.mm.dd)", term), ("atbat freq", nearly)] {
        let found = proposal(418, &[AGE, (name, cell)]);
        let column = &found.columns[1];
        assert!(column.role == Role::Identifier && column.is_guess, "{name}: {:?}", column.because);
    }
}

#[test]
fn what_is_called_like_a_part_of_a_study_is_kept_only_where_its_values_can_be_one() {
    let of = |name: &str, cell: Cell| {
        let column = proposal(300, &[AGE, (name, cell)]).columns[1].clone();
        (column.role, column.is_guess)
    };
    assert_eq!(of("Fold", |i| ["R on L", "L on R", "Neither"][i % 3].into()), (Role::Sensitive, true));
    assert_eq!(of("Fold", |i| (i % 5).to_string()), (Role::Keep, false));
    assert_eq!(of("arm", |i| ["Placebo", "arm 2"][i % 2].into()), (Role::Keep, false));
}

#[test]
fn what_nobody_reads_has_no_spelling_in_the_job() {
    let born: (&str, Cell) = ("born", |i| format!("{:02}/{:02}/19{}", 1 + i % 5, 1 + i % 7, 60 + i % 9));
    let mut examined = examine(&table(300, &[AGE, born])).unwrap();
    for role in [Role::Drop, Role::Identifier, Role::Keep] {
        examined.set_role(1, role);
        let found = examined.proposal(true).unwrap();
        assert!(found.columns[1].date_format.is_empty() && !found.columns[1].dates_taken_as.is_empty());
        found.spec().check().unwrap();
    }
    examined.set_role(1, Role::QuasiIdentifier);
    assert_eq!(examined.proposal(true).unwrap().columns[1].date_format.len(), 1);
}

#[test]
fn dates_that_leave_it_open_are_named_until_somebody_says_which_come_first() {
    let born: (&str, Cell) = ("born", |i| format!("{:02}/{:02}/19{}", 1 + i % 5, 1 + i % 7, 60 + i % 9));
    let mut examined = examine(&table(300, &[AGE, born])).unwrap();
    let found = examined.proposal(true).unwrap();
    assert!(found.columns[1].is_guess && found.notes.iter().any(|n| n.contains("born")), "{:?}", found.notes);
    examined.set_order_of_dates(1, true);
    let found = examined.proposal(true).unwrap();
    assert!(!found.columns[1].is_guess && found.notes.is_empty(), "{:?}", found.notes);
    assert_eq!(found.columns[1].date_format[0].to_string(), "%m/%d/%Y");
}

#[test]
fn all_guesses_are_named() {
    let names: Vec<String> = (0..20).map(|c| format!("xq{c}")).collect();
    let secret: Cell = |i| (f64::from(u32::try_from(i * i % 31).unwrap()) / 4.0).to_string();
    let mut columns: Vec<(&str, Cell)> = names.iter().map(|name| (name.as_str(), secret)).collect();
    let kinds: Cell = |i| format!("kind {}", i % 6);
    columns.extend([AGE, ("wxyz", kinds)]);
    let found = proposal(300, &columns);
    assert!(names.iter().all(|name| found.notes[0].contains(name.as_str())), "{:?}", found.notes);
    assert!(
        found.notes.iter().any(|note| note.contains("wxyz")),
        "a guessed quasi-identifier: {:?}",
        found.notes
    );
}

#[test]
fn positions_have_a_grid_however_few_they_are() {
    let latitude: (&str, Cell) = ("latitude", |i| format!("48.13{:05}", 10_000 + i * 977));
    let found = proposal(40, &[AGE, latitude]);
    assert!(found.columns[1].snap.is_some_and(|step| step > 0.0), "{:?}", found.columns[1]);
}

#[test]
fn codes_of_digits_are_no_quantities() {
    let commune: Cell = |i| (10_000 + i % 90 * 911).to_string();
    let found = proposal(900, &[AGE, ("commune", commune)]);
    let mask = matches!(
        &found.columns[1].hierarchy,
        Some(HierarchySpec::Built(crate::data::recipes::Recipe::Mask { .. }))
    );
    assert!(mask && found.columns[1].snap.is_none(), "{:?}", found.columns[1]);
    let state: Cell = |i| (1 + i % 51).to_string();
    let column = proposal(900, &[AGE, ("state", state)]).columns[1].clone();
    assert!(column.is_guess && column.snap.is_none(), "{column:?}");
    assert!(column.hierarchy_because.contains("type = \"category\""), "{column:?}");
}

#[test]
fn several_columns_say_whose_row_it_is_together() {
    let number: Cell = |i| (i % 10).to_string();
    let of = |i: usize| format!("house {}", i / 10 % 10);
    let mut examined = examine(&table(400, &[AGE, ("xyz", number), ("abc", of)])).unwrap();
    examined.set_role(1, Role::Person);
    examined.set_role(2, Role::Person);
    let found = examined.proposal(true).unwrap();
    assert_eq!(
        (found.people, found.people_because.as_str()),
        (100, "'xyz' and 'abc' together say whose row it is")
    );
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
