//! `kohort ledger show|repair`.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use kohort::input::{JobSpec, MemoryTable, sha256_of};
use kohort::ledger::{Atom, Ledger, LedgerFile, ReleaseRecord};
use kohort::output::Staged;

use crate::common::Desk;

/// What must never be shown.
const MARKS: [&str; 3] = ["MARKILLNESS", "MARKNAME", "MARKCONSENT"];

/// A desk with a ledger of two releases: an atom was withdrawn, two rows wait.
fn desk() -> Desk {
    let desk = Desk::new();
    commit(&desk, "r1.csv", None);
    let before = LedgerFile::open(&desk.path("l.ledger")).unwrap().1;
    commit(&desk, "r2.csv", Some(before));
    desk
}

fn commit(desk: &Desk, name: &str, before: Option<Ledger>) {
    let release = Staged::new(&desk.path(name)).unwrap();
    release.writer().unwrap().write_all(name.as_bytes()).unwrap();
    let atom = |rows, first_release, withdrawn_in| Atom {
        rows,
        people: None,
        first_release,
        withdrawn_in,
        class: 0,
    };
    let ledger = if let Some(mut ledger) = before {
        ledger.releases.push(ReleaseRecord::of(2, &release, 7, 2).unwrap());
        ledger.atoms[0].withdrawn_in = Some(2);
        ledger.atoms.push(atom(4, 2, None));
        ledger.atom_of = vec![1, 1, 1, 2, 2, 2, 2];
        ledger
    } else {
        first(ReleaseRecord::of(1, &release, 6, 0).unwrap(), vec![atom(3, 1, None), atom(3, 1, None)])
    };
    LedgerFile::open_or_new(&desk.path("l.ledger")).unwrap().0.commit(&ledger, release, vec![]).unwrap();
}

fn first(release: ReleaseRecord, atoms: Vec<Atom>) -> Ledger {
    let column = |text: &str| Arc::new(StringArray::from(vec![text; 2])) as ArrayRef;
    let waiting =
        RecordBatch::try_from_iter([("name", column("MARKNAME")), ("illness", column("MARKILLNESS"))])
            .unwrap();
    Ledger {
        job: JobSpec {
            k: Some(3),
            t_closeness: vec!["0.2".into()],
            qi: vec!["age".into(), "zip".into()],
            sensitive: vec!["illness".into()],
            opt_out: Some("consent=MARKCONSENT".into()),
            ..JobSpec::default()
        },
        trees: BTreeMap::from([("zip".into(), sha256_of("tree"))]),
        columns: vec![("age".into(), "Utf8".into()), ("illness".into(), "Utf8".into())],
        published: true,
        releases: vec![release],
        atoms,
        atom_of: vec![0, 0, 0, 1, 1, 1],
        keys: Vec::new(),
        gone: Vec::new(),
        salt: [1; 32],
        frozen: BTreeMap::from([("illness".into(), vec![("MARKILLNESS".into(), 6)])]),
        waiting: Some(MemoryTable::new("waiting", &waiting.schema(), vec![waiting]).unwrap()),
    }
}

/// The folder of the desk is another one in every run.
fn placeless(desk: &Desk, text: &str) -> String {
    text.replace(&desk.path("").display().to_string(), "/desk/")
}

#[test]
fn show() {
    let desk = desk();
    let ran = desk.done("ledger show l.ledger");
    assert_eq!(ran.err, "");
    // How wide the last column is depends on the name of the folder.
    let text = placeless(&desk, &ran.text());
    let words: Vec<String> =
        text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    insta::assert_snapshot!("show_ledger", words.join("\n"));
    assert!(MARKS.iter().all(|mark| !text.contains(mark)), "{text}");
}

#[test]
fn show_as_json() {
    let desk = desk();
    let text = placeless(&desk, &desk.done("ledger show l.ledger --json").text());
    assert!(MARKS.iter().all(|mark| !text.contains(mark)), "{text}");
    insta::assert_snapshot!("show_ledger_json", text);
}

#[test]
fn show_while_another_run_works() {
    let desk = desk();
    let _open = LedgerFile::open(&desk.path("l.ledger")).unwrap();
    let ran = desk.done("ledger show l.ledger --json");
    assert!(ran.err.contains("another run works with this ledger"), "{}", ran.err);
    assert!(ran.text().contains("\"releases\""));
    assert!(desk.refused("ledger repair l.ledger").contains("another run works with this ledger"));
}

#[test]
fn what_is_no_ledger_is_refused() {
    let desk = Desk::with_people();
    for command in ["show", "repair"] {
        let said = desk.refused(&format!("ledger {command} nowhere"));
        assert!(said.starts_with("exit code 2") && said.contains("nowhere"), "{said}");
    }
    assert!(desk.refused("ledger show people.csv").contains("this is not a ledger"));
    assert!(desk.refused("ledger show .").contains("this is a folder"));
    assert!(desk.refused("ledger show -").contains("a ledger is a file"));
}

/// A power cut: the file ends anywhere.
#[test]
fn cut_off_it_is_refused_and_repaired() {
    let desk = desk();
    let whole = desk.bytes("l.ledger");
    for length in [0, 1, 7, 8, 11, 12, 40, whole.len() / 2, whole.len() - 33, whole.len() - 1] {
        std::fs::write(desk.path("l.ledger"), &whole[..length]).unwrap();
        let said = desk.refused("ledger show l.ledger");
        assert!(said.starts_with("exit code 2\nerror: the ledger is damaged"), "{length}: {said}");
        assert!(said.contains("where: ") && said.contains("way out: "), "{said}");
        let text = desk.done("ledger repair l.ledger").text();
        assert!(text.contains("restored from its mirror"), "{text}");
        assert_eq!(desk.bytes("l.ledger"), whole);
    }
    insta::assert_snapshot!("repair_nothing", placeless(&desk, &desk.done("ledger repair l.ledger").text()));
    std::fs::write(desk.path("l.ledger"), &whole[..whole.len() - 33]).unwrap();
    std::fs::remove_file(desk.path("l.ledger.mirror")).unwrap();
    insta::assert_snapshot!("repair_lost", placeless(&desk, &desk.refused("ledger repair l.ledger")));
}

#[test]
fn a_release_that_was_moved_is_asked_for() {
    let desk = desk();
    std::fs::rename(desk.path("r2.csv"), desk.path("moved.csv")).unwrap();
    let text = desk.done("ledger repair l.ledger").text();
    assert!(text.contains("--previous FILE"), "{text}");
    let text = desk.done("ledger repair l.ledger --previous moved.csv").text();
    assert!(text.contains("as it was published: moved.csv"), "{text}");
}
