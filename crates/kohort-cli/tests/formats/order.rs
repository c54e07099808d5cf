//! The order of rows: kept when asked for, otherwise a function of the released rows.

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
fn changed_otherwise() {
    let desk = Desk::with_people();
    let (kept, changed) = (notes(&desk, "--keep-order"), notes(&desk, ""));
    assert_ne!(kept, changed);
    assert_eq!(sorted(kept), sorted(changed));
}

#[test]
fn the_same_job_gives_the_same_bytes() {
    let desk = Desk::with_people();
    let first = notes(&desk, "--seed 7");
    let bytes = desk.bytes("r.csv");
    let certificate = desk.bytes("r.csv.certificate.json");
    assert_eq!(notes(&desk, "--seed 7"), first);
    assert_eq!(desk.bytes("r.csv"), bytes);
    assert_eq!(desk.bytes("r.csv.certificate.json"), certificate);
}

/// Whoever stood first in the table stands anywhere in the release: its order is no function of the table's.
#[test]
fn the_order_of_the_table_does_not_matter() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..40).map(|i| format!("{},n{i}\n", 30 + i / 10)).collect();
    let release = |rows: Vec<&String>| {
        let text: String = rows.into_iter().map(String::as_str).collect();
        std::fs::write(desk.path("t.csv"), format!("age,note\n{text}")).unwrap();
        desk.done("anonymize t.csv -o r.csv --rest keep --qi age -k 10 --quiet");
        desk.read("r.csv")
    };
    assert_eq!(release(rows.iter().collect()), release(rows.iter().rev().collect()));
}
