//! A commit that is killed, or that fails, at any system call: ledger and release are both the old or both the new.

use std::fs;
use std::process::{Command, Stdio};

use kohort::input::sha256_of;
use kohort::ledger::{Ledger, LedgerFile};

use crate::child::{committing, opening};
use crate::desk::{COMPANIONS, Desk, content, is_release};

/// Everything that changes what is on the disk, and opening files, which makes them.
const CALLS: [&str; 7] = ["/^p?write", "openat", "/^rename", "/^unlink", "/sync$", "/chmod", "flock"];

fn has_strace() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o", "/dev/null", "true"]).stderr(Stdio::null());
    let works = strace.status().is_ok_and(|s| s.success());
    if !works {
        println!("skipped: strace is not here, or may not be used");
    }
    works
}

/// How many releases the ledger knows, without anything being done about it.
fn known(desk: &Desk) -> u32 {
    let Ok(bytes) = fs::read(desk.ledger()) else { return 0 };
    Ledger::from_bytes(&bytes, "l.ledger").unwrap().releases.len() as u32
}

/// Before anybody opens the ledger again: nobody can see a release that it does not know.
fn assert_nothing_unknown(desk: &Desk, name: &str, next: u32, when: &str) {
    let seen = is_release(&desk.at("out").join(name), &sha256_of(&content(next, "")));
    assert!(!seen || known(desk) == next, "{when}: the release can be seen, and the ledger does not know it");
    assert!(desk.leaks().is_empty(), "{when}: {:?}", desk.leaks());
}

/// After somebody opened it: everything is of the release that the ledger knows last.
fn assert_whole(desk: &Desk, when: &str) -> u32 {
    let knows = known(desk);
    if knows > 0 {
        let (_, ledger) = LedgerFile::open(&desk.ledger()).unwrap();
        let last = ledger.releases.last().unwrap();
        assert!(is_release(&last.place, &last.sha256), "{when}: release {knows} is not in its place");
        for ending in COMPANIONS {
            let beside = format!("{}{ending}", last.place.display());
            let text = fs::read_to_string(beside).unwrap_or_default();
            assert_eq!(text, content(knows, ending), "{when}: {ending} is of another release");
        }
        assert_eq!(
            fs::read(desk.ledger()).unwrap(),
            fs::read(desk.at("private/l.ledger.mirror")).unwrap(),
            "{when}"
        );
    }
    let left = |name: &String| name.contains("pending") || ends_in(name, "journal") || ends_in(name, "lock");
    let names = desk.names();
    assert!(!names.iter().any(left), "{when}: {names:?}");
    assert!(desk.leaks().is_empty(), "{when}: {:?}", desk.leaks());
    knows
}

/// Lets every call go wrong once, the first time, the second time and so on, until a run meets none any more.
fn at_every_call(wrong: &str, calls: &[&str], earlier: bool, name: &str) {
    if !has_strace() {
        return;
    }
    let before = if earlier { Desk::with_release() } else { Desk::new() };
    let (old, mut stops, mut ends) = (u32::from(earlier), 0, [0, 0]);
    for call in calls {
        for n in 1.. {
            // Records hold full paths, so every run happens in the same place.
            let kept = Desk::new();
            kept.become_copy_of(&before);
            let log = kept.at("log");
            let (trace, inject) = (format!("trace={call}"), format!("inject={call}:{wrong}:when={n}"));
            let log_name = log.display().to_string();
            let strace = ["strace", "-f", "-qq", "-o", &log_name, "-e", &trace, "-e", &inject];
            let ran = committing(&before, &strace, name).output().unwrap();
            let when = format!("{name}, {wrong} at {call} {n}, earlier release: {earlier}");
            let met = fs::read_to_string(&log).unwrap();
            let met = ran.status.code().is_none() || met.contains("INJECTED");
            assert_nothing_unknown(&before, name, old + 1, &when);
            assert!(opening(&before).output().unwrap().status.success(), "{when}: cannot be opened");
            let knows = assert_whole(&before, &when);
            assert!(knows == old || knows == old + 1, "{when}: {knows} releases");
            assert!(!ran.status.success() || knows == old + 1, "{when}: done, and yet nothing happened");
            ends[(knows - old) as usize] += 1;
            before.become_copy_of(&kept);
            if !met {
                break;
            }
            stops += 1;
            assert!(n < 1000, "{when}: no end");
        }
    }
    println!("{name}, {wrong}, earlier: {earlier}: stopped {stops} times, old and new {ends:?}");
    assert!(stops > 20 && ends[0] > 5 && ends[1] > 5, "stopped {stops} times, old and new {ends:?}");
}

#[test]
fn killed_before_the_first_release() {
    at_every_call("signal=KILL", &CALLS, false, "r1.csv");
}

#[test]
fn killed_beside_an_earlier_release() {
    at_every_call("signal=KILL", &CALLS, true, "r2.csv");
}

#[test]
fn killed_in_the_place_of_an_earlier_release() {
    at_every_call("signal=KILL", &CALLS, true, "r1.csv");
}

#[test]
fn a_disk_that_fails() {
    at_every_call("error=EIO", &["/^rename", "/sync$", "/^unlink", "/chmod"], true, "r1.csv");
}

#[test]
fn a_disk_that_is_full() {
    at_every_call("error=ENOSPC", &["/^p?write", "/^rename", "/sync$"], true, "r2.csv");
}

/// A disk that loses power keeps what was synced, and of the rest what it likes. So the order of the calls matters: the
/// release is on the disk before the ledger knows it, and the ledger before anybody can see the release.
#[test]
fn what_is_on_the_disk_when() {
    if !has_strace() {
        return;
    }
    let desk = Desk::with_release();
    let log = desk.at("log").display().to_string();
    let strace = ["strace", "-f", "-qq", "-y", "-o", &log, "-e", "trace=/^rename,/sync$"];
    assert!(committing(&desk, &strace, "r1.csv").output().unwrap().status.success());
    let log = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    let renamed = |to: &str| {
        let to = format!("/{to}\"");
        let is = |line: &&str| line.contains("rename") && line.trim_end_matches(") = 0").ends_with(&to);
        lines.iter().position(is).unwrap_or_else(|| panic!("nothing becomes {to}\n{log}"))
    };
    let synced = |what: &str, from: usize, to: usize| {
        let is = |line: &&str| line.contains("sync(") && line.contains(what);
        assert!(lines[from..to].iter().any(is), "no sync of {what} in time\n{log}");
    };
    let (journal, commit) = (renamed("l.ledger.journal"), renamed("l.ledger"));
    let (certificate, release) = (renamed("r1.csv.certificate.json"), renamed("r1.csv"));
    let mirror = renamed("l.ledger.mirror");
    let waits = lines
        .iter()
        .rposition(|line| {
            line.contains("rename") && line.contains("/.kohort.pending-") && line.contains("/.kohort-")
        })
        .unwrap();
    assert!(journal < waits && waits < commit && commit < certificate, "{log}");
    assert!(certificate < release && release < mirror, "{log}");
    synced("/out/.kohort-", 0, journal);
    synced("/private>", journal, waits);
    synced("/out>", waits, commit);
    let staged = lines[commit].split('"').nth(1).unwrap();
    synced(staged, 0, commit);
    synced("/private>", commit, certificate);
    synced("/out>", certificate, release);
    synced("/out>", release, mirror);
}

/// Whether a file name has this ending.
fn ends_in(name: &str, ending: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, found)| found == ending)
}
