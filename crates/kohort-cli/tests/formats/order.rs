//! The order of rows: kept when asked for, otherwise shuffled, the same for the same seed.

use crate::common::{Desk, PEOPLE, ROLES};
use crate::rows::{cells, columns, sorted};

fn notes(desk: &Desk, flags: &str) -> Vec<Vec<String>> {
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --quiet {flags}"));
    columns(&cells(&desk.read("r.csv")), &["note", "illness"])
}

#[test]
fn kept_when_asked_for() {
    assert_eq!(notes(&Desk::with_people(), "--keep-order"), columns(&cells(PEOPLE), &["note", "illness"]));
}

#[test]
fn shuffled_otherwise() {
    let desk = Desk::with_people();
    let (kept, shuffled) = (notes(&desk, "--keep-order"), notes(&desk, ""));
    assert_ne!(kept, shuffled);
    assert_eq!(sorted(kept), sorted(shuffled));
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_another_order() {
    let desk = Desk::with_people();
    let first = notes(&desk, "--seed 7");
    let bytes = desk.bytes("r.csv");
    let certificate = desk.bytes("r.csv.certificate.json");
    assert_eq!(notes(&desk, "--seed 7"), first);
    assert_eq!(desk.bytes("r.csv"), bytes);
    assert_eq!(desk.bytes("r.csv.certificate.json"), certificate);
    assert_ne!(notes(&desk, "--seed 8"), first);
}

/// Two tables that differ in one protected cell must not share their order: the key is not the seed alone.
#[test]
fn the_order_depends_on_the_table() {
    let desk = Desk::with_people();
    let first = notes(&desk, "--seed 7");
    let desk = desk.with("people.csv", PEOPLE.replace("Lea,44,f,48201,gout", "Lea,44,f,48201,flu"));
    let second = notes(&desk, "--seed 7");
    let only_notes = |rows: Vec<Vec<String>>| rows.into_iter().map(|r| r[0].clone()).collect::<Vec<_>>();
    assert_ne!(only_notes(first), only_notes(second));
}
