//! What is refused when a ledger is opened or committed, and what is not.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use kohort::ledger::{Ledger, LedgerFile, Settled};
use kohort::output::Staged;

use crate::desk::{Desk, commit_next};

fn refusal<T>(of: kohort::Result<T>) -> String {
    let e = of.err().unwrap();
    assert!(["input", "job"].contains(&e.kind()), "{e}");
    assert!(e.way_out().is_some(), "{e}");
    e.to_string()
}

#[test]
fn releases_follow_one_another() {
    let desk = Desk::with_release();
    commit_next(desk.root(), "r2.csv").unwrap();
    commit_next(desk.root(), "r2.csv").unwrap();
    let (file, ledger) = LedgerFile::open(&desk.ledger()).unwrap();
    assert_eq!((ledger.releases.len(), ledger.next_number(), file.settled()), (3, 4, None));
    assert_eq!(ledger.releases[1].place, desk.at("out/r2.csv"));
    drop(file);
    let beside =
        |name: &str| [name.to_owned(), format!("{name}.audit.json"), format!("{name}.certificate.json")];
    let mut expected = [beside("r1.csv"), beside("r2.csv")].concat();
    expected.extend(["l.ledger".into(), "l.ledger.mirror".into()]);
    expected.sort();
    assert_eq!(desk.names(), expected);
}

#[test]
fn only_its_owner_may_read_it() {
    let desk = Desk::with_release();
    for name in ["private/l.ledger", "private/l.ledger.mirror", "out/r1.csv.audit.json"] {
        assert_eq!(desk.at(name).metadata().unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    let mode = desk.at("out/r1.csv").metadata().unwrap().permissions().mode();
    fs::write(desk.at("out/usual"), "").unwrap();
    assert_eq!(mode, desk.at("out/usual").metadata().unwrap().permissions().mode());
}

#[test]
fn two_runs_at_once_are_refused() {
    let desk = Desk::with_release();
    let (open, _) = LedgerFile::open(&desk.ledger()).unwrap();
    assert!(refusal(LedgerFile::open(&desk.ledger())).contains("another run"));
    // By another name, too.
    std::os::unix::fs::symlink(desk.ledger(), desk.at("link")).unwrap();
    assert!(refusal(LedgerFile::open(&desk.at("link"))).contains("another run"));
    drop(open);
    LedgerFile::open(&desk.at("link")).unwrap();
}

#[test]
fn standard_output_is_no_place() {
    let desk = Desk::with_release();
    let (file, ledger) = LedgerFile::open(&desk.ledger()).unwrap();
    let stream = || Staged::new(Path::new("-")).unwrap();
    assert!(refusal(file.commit(&ledger, stream(), Vec::new())).contains("not to standard output"));
    assert!(refusal(LedgerFile::open_or_new(Path::new("-"))).contains("not standard input"));
}

#[test]
fn a_release_does_not_replace_the_ledger() {
    let desk = Desk::with_release();
    for name in ["l.ledger", "l.ledger.mirror", "l.ledger.journal"] {
        let (file, mut ledger) = LedgerFile::open(&desk.ledger()).unwrap();
        let release = Staged::new(&desk.at("private").join(name)).unwrap();
        let record = kohort::ledger::ReleaseRecord::of(2, &release, 10, 1).unwrap();
        ledger.releases.push(record);
        assert!(
            refusal(file.commit(&ledger, release, Vec::new())).contains("would replace the ledger"),
            "{name}"
        );
    }
    assert_eq!(LedgerFile::open(&desk.ledger()).unwrap().1.releases.len(), 1);
}

#[test]
fn the_record_is_that_of_the_release() {
    let desk = Desk::with_release();
    let (file, ledger) = LedgerFile::open(&desk.ledger()).unwrap();
    let other = Staged::new(&desk.at("out/other.csv")).unwrap();
    assert_eq!(file.commit(&ledger, other, Vec::new()).unwrap_err().kind(), "internal");
    assert!(!desk.at("out/other.csv").exists());
}

/// A backup that somebody puts in the place of the ledger has forgotten what came after it.
#[test]
fn an_earlier_state_is_refused() {
    let desk = Desk::with_release();
    let backup = fs::read(desk.ledger()).unwrap();
    commit_next(desk.root(), "r2.csv").unwrap();
    fs::write(desk.ledger(), &backup).unwrap();
    let said = refusal(LedgerFile::open(&desk.ledger()));
    assert!(said.contains("earlier state") && said.contains("knows 1 release, its mirror 2"), "{said}");
    assert!(refusal(kohort::ledger::repair(&desk.ledger(), None)).contains("earlier state"));
    fs::hard_link(desk.ledger(), desk.at("second")).unwrap();
    assert!(refusal(LedgerFile::open(&desk.ledger())).contains("2 names"));
}

#[test]
fn a_ledger_that_is_gone_is_not_begun_anew() {
    let desk = Desk::with_release();
    fs::remove_file(desk.ledger()).unwrap();
    assert!(refusal(LedgerFile::open_or_new(&desk.ledger())).contains("its mirror is there"));
    assert!(refusal(LedgerFile::open(&desk.at("private/other"))).contains("there is no ledger"));
}

/// Somebody replaces the ledger while a release is made.
#[test]
fn a_ledger_that_was_replaced_meanwhile_is_not_overwritten() {
    let desk = Desk::with_release();
    let (file, mut ledger) = LedgerFile::open(&desk.ledger()).unwrap();
    let release = Staged::new(&desk.at("out/r2.csv")).unwrap();
    ledger.releases.push(kohort::ledger::ReleaseRecord::of(2, &release, 10, 1).unwrap());
    let other = Ledger { salt: [9; 32], ..ledger.clone() };
    fs::write(desk.ledger(), other.to_bytes().unwrap()).unwrap();
    assert!(refusal(file.commit(&ledger, release, Vec::new())).contains("was replaced"));
    assert!(!desk.at("out/r2.csv").exists());
    assert!(!desk.names().iter().any(|name| name.contains("pending") || name.ends_with("journal")));
}

/// A folder in the place of the release: the ledger knows it already, so it is put there as soon as that is possible.
#[test]
fn what_cannot_be_finished_now_is_finished_later() {
    let desk = Desk::with_release();
    let (file, mut ledger) = LedgerFile::open(&desk.ledger()).unwrap();
    let release = Staged::new(&desk.at("out/r2.csv")).unwrap();
    ledger.releases.push(kohort::ledger::ReleaseRecord::of(2, &release, 10, 1).unwrap());
    fs::create_dir_all(desk.at("out/r2.csv/full")).unwrap();
    assert!(
        refusal(file.commit(&ledger, release, Vec::new())).contains("the ledger knows the release already")
    );
    assert!(LedgerFile::open(&desk.ledger()).is_err());
    fs::remove_dir_all(desk.at("out/r2.csv")).unwrap();
    let (file, ledger) = LedgerFile::open(&desk.ledger()).unwrap();
    assert_eq!((file.settled(), ledger.releases.len()), (Some(Settled::Finished(2)), 2));
    assert!(desk.at("out/r2.csv").is_file());
}
