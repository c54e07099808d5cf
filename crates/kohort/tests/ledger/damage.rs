//! Power cuts and disks that forget: what is refused, what is restored, and what must not be.

use std::fs;

use kohort::ledger::{Ledger, LedgerFile, repair};

use crate::desk::{Desk, commit_next};

fn refusal(desk: &Desk) -> String {
    let e = repair(&desk.ledger(), None).unwrap_err();
    assert_eq!(e.kind(), "input", "{e}");
    assert!(e.way_out().is_some(), "{e}");
    e.to_string()
}

fn cut(desk: &Desk, name: &str, length: usize) {
    let bytes = fs::read(desk.at(name)).unwrap();
    fs::write(desk.at(name), &bytes[..length]).unwrap();
}

#[test]
fn cut_anywhere_it_is_restored_from_its_mirror() {
    let desk = Desk::with_release();
    commit_next(desk.root(), "r2.csv").unwrap();
    let whole = fs::read(desk.ledger()).unwrap();
    for length in (0..whole.len()).step_by(7) {
        cut(&desk, "private/l.ledger", length);
        let e = LedgerFile::open(&desk.ledger()).err().unwrap();
        assert!(e.kind() == "input" && e.way_out().is_some(), "{length}: {e}");
        let repaired = repair(&desk.ledger(), None).unwrap();
        assert!(repaired.restored && !repaired.mirrored, "{length}: {repaired:?}");
        assert_eq!((repaired.releases, repaired.release.unwrap()), (2, desk.at("out/r2.csv")));
        assert_eq!(fs::read(desk.ledger()).unwrap(), whole, "{length}");
    }
    fs::remove_file(desk.ledger()).unwrap();
    assert!(repair(&desk.ledger(), None).unwrap().restored);
    assert_eq!(fs::read(desk.ledger()).unwrap(), whole);
}

#[test]
fn without_a_mirror_it_says_what_is_left() {
    let desk = Desk::with_release();
    let whole = fs::read(desk.ledger()).unwrap();
    fs::remove_file(desk.at("private/l.ledger.mirror")).unwrap();
    let mut said = Vec::new();
    for length in [whole.len() - 1, whole.len() / 2, 20, 0] {
        fs::write(desk.ledger(), &whole[..length]).unwrap();
        said.push(refusal(&desk));
        assert_eq!(fs::read(desk.ledger()).unwrap().len(), length, "nothing was done");
    }
    assert!(
        said[0].contains("it has no mirror") && said[0].contains("knows 1 release, 7 of 7"),
        "{}",
        said[0]
    );
    assert!(said[3].contains("nothing in it can be read, 0 of 7 sections"), "{}", said[3]);
    cut(&desk, "private/l.ledger", 0);
    fs::write(desk.at("private/l.ledger.mirror"), &whole[..99]).unwrap();
    assert!(refusal(&desk).contains("its mirror is damaged, too"));
}

#[test]
fn a_mirror_that_is_lost_or_damaged_is_written_anew() {
    let desk = Desk::with_release();
    let whole = fs::read(desk.ledger()).unwrap();
    let mirror = desk.at("private/l.ledger.mirror");
    assert!(!repair(&desk.ledger(), None).unwrap().mirrored);
    fs::remove_file(&mirror).unwrap();
    assert!(repair(&desk.ledger(), None).unwrap().mirrored);
    fs::write(&mirror, "x").unwrap();
    LedgerFile::open(&desk.ledger()).unwrap();
    assert!(repair(&desk.ledger(), None).unwrap().mirrored);
    assert_eq!(fs::read(&mirror).unwrap(), whole);
}

/// An earlier state of the ledger would not know the last release.
#[test]
fn nothing_goes_back_behind_a_release() {
    let desk = Desk::with_release();
    let mirror = desk.at("private/l.ledger.mirror");
    let earlier = fs::read(&mirror).unwrap();
    commit_next(desk.root(), "r2.csv").unwrap();
    let whole = fs::read(desk.ledger()).unwrap();
    fs::write(&mirror, &earlier).unwrap();
    cut(&desk, "private/l.ledger", whole.len() - 1);
    assert!(refusal(&desk).contains("the damaged ledger knows a later release"));
    // Where the head is gone as well, the release tells: it is not the one that the mirror knows.
    fs::rename(desk.at("out/r2.csv"), desk.at("out/r1.csv")).unwrap();
    cut(&desk, "private/l.ledger", 20);
    assert!(refusal(&desk).contains("release 1"), "{}", refusal(&desk));
    fs::remove_file(desk.at("out/r1.csv")).unwrap();
    assert!(refusal(&desk).contains("there is no file"));
    // And a journal tells that another one was being recorded.
    let journal = format!(r#"{{"before":null,"after":"{}","files":[]}}"#, "0".repeat(64));
    fs::write(desk.at("private/l.ledger.journal"), journal).unwrap();
    assert!(refusal(&desk).contains("was being recorded"));
}

#[test]
fn a_release_that_was_moved_can_be_named() {
    let desk = Desk::with_release();
    fs::rename(desk.at("out/r1.csv"), desk.at("moved.csv")).unwrap();
    cut(&desk, "private/l.ledger", 50);
    assert!(refusal(&desk).contains("there is no file"));
    let repaired = repair(&desk.ledger(), Some(&desk.at("moved.csv"))).unwrap();
    assert_eq!((repaired.restored, repaired.release), (true, Some(desk.at("moved.csv"))));
}

#[test]
fn a_journal_that_cannot_be_read_is_removed_where_nothing_was_left_to_do() {
    let desk = Desk::with_release();
    let journal = desk.at("private/l.ledger.journal");
    fs::write(&journal, "{").unwrap();
    assert!(LedgerFile::open(&desk.ledger()).is_err());
    assert_eq!(repair(&desk.ledger(), None).unwrap().releases, 1);
    assert!(!journal.exists());
    fs::write(&journal, "{").unwrap();
    fs::rename(desk.at("out/r1.csv"), desk.at("moved.csv")).unwrap();
    assert!(repair(&desk.ledger(), None).is_err(), "the release might be what is to be put in its place");
    assert!(journal.exists());
}

/// A run was killed before the ledger knew the release, and the ledger is whole: neither is changed by looking.
#[test]
fn a_ledger_of_another_state_than_its_journal_is_refused() {
    let desk = Desk::with_release();
    let journal = format!(r#"{{"before":"{0}","after":"{0}","files":[]}}"#, "0".repeat(64));
    fs::write(desk.at("private/l.ledger.journal"), journal).unwrap();
    let said = LedgerFile::open(&desk.ledger()).err().unwrap().to_string();
    assert!(said.contains("neither the one before it nor the one after it"), "{said}");
    assert!(Ledger::from_bytes(&fs::read(desk.ledger()).unwrap(), "l").is_ok());
}
