//! What is left on disk when a run is killed, interrupted or out of space: nothing of the input that others could read, no
//! release without its own certificate, and nothing at all after the next run.

use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::Desk;
use crate::process::{command, copy_folder, end, feed, has_strace, mismatch, send, traces};

/// Somebody without an age is suppressed; nobody else has her illness. Names are dropped.
const PATIENTS: &str = "\
name,age,sex,zip,illness
MARKNAME1,34,f,41075,flu
MARKNAME2,36,m,41076,flu
MARKNAME3,35,f,41076,gout
MARKNAME4,61,m,48201,gout
MARKNAME5,58,f,48202,flu
MARKNAME6,59,m,48202,asthma
MARKNAME7,,f,41099,MARKPOX
";
const MARKS: [&str; 2] = ["MARKNAME", "MARKPOX"];
const INPUTS: [&str; 1] = ["patients.csv"];
const ROLES: &str =
    "--identifier name --rest keep --qi age,sex,zip --sensitive illness --missing suppress --threads 1";

fn desk() -> Desk {
    let desk = Desk::new().with("patients.csv", PATIENTS);
    std::fs::create_dir(desk.path("out")).unwrap();
    desk
}

/// Nothing readable is left, and what is published fits together.
fn assert_clean(desk: &Desk, when: &str) {
    let found = traces(desk, &MARKS, &INPUTS);
    assert!(found.is_empty(), "{when}: {found:?}");
    let wrong = mismatch(&desk.path("out/r.csv"), &desk.path("out/r.csv.certificate.json"));
    assert_eq!(wrong, None, "{when}");
}

/// Every file a run leaves beside its release has the name of the release.
fn assert_no_leftovers(desk: &Desk, when: &str) {
    assert_clean(desk, when);
    let names: Vec<_> =
        std::fs::read_dir(desk.path("out")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!names.iter().any(|n| n.to_string_lossy().starts_with(".kohort-")), "{when}: {names:?}");
}

/// Standard input is in no file that has a name, neither while it is read nor after any end.
#[test]
fn standard_input_has_no_name() {
    let lines = [
        format!("anonymize - {ROLES} -k 2 -o out/r.csv"),
        "verify - --qi age,sex -k 2".to_owned(),
        "hierarchy build - --column zip --mask right --levels 5 -o out/zip.csv".to_owned(),
        "hierarchy check zip.csv --data - --column zip".to_owned(),
    ];
    for line in &lines {
        for signal in ["INT", "TERM", "KILL"] {
            let desk = desk().with("zip.csv", "41075;*\n");
            let mut child = command(&desk, &[], line).stdin(Stdio::piped()).spawn().unwrap();
            let open = feed(&mut child, PATIENTS);
            assert_clean(&desk, &format!("{line}, waiting"));
            send(signal, &child);
            let status = end(&mut child).unwrap_or_else(|| panic!("{line}: does not end at {signal}"));
            drop(open);
            if signal != "KILL" {
                assert_eq!(status.code(), Some(130), "{line}, {signal}");
            }
            assert_no_leftovers(&desk, &format!("{line}, {signal}"));
        }
    }
}

/// Everything that changes what others could find on the disk, and opening files, which makes them. Not every machine
/// knows all of these.
const CHANGES: [&str; 19] = [
    "write",
    "writev",
    "pwrite64",
    "copy_file_range",
    "sendfile",
    "splice",
    "open",
    "openat",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "fsync",
    "ftruncate",
    "chmod",
    "fchmod",
    "fchmodat",
    "flock",
];

/// Kills a run when it makes a system call for the n-th time, for every call and n; then the next run must clean up.
fn killed_at_every_change(line: &str) {
    if !has_strace() {
        return;
    }
    let desk = desk();
    let again = format!("anonymize patients.csv {ROLES} -k 2 -o out/r.csv");
    desk.done(&again);
    copy_folder(&desk.path("out"), &desk.path("before"));
    let mut killed = 0;
    for (call, earlier) in CHANGES.iter().flat_map(|call| [(call, true), (call, false)]) {
        for n in 1.. {
            // The folder for temporary files is empty.
            copy_folder(&desk.path(if earlier { "before" } else { "tmp" }), &desk.path("out"));
            let (trace, inject) = (format!("trace=?{call}"), format!("inject=?{call}:signal=KILL:when={n}"));
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject];
            let stdin = std::fs::File::open(desk.path("patients.csv")).unwrap();
            let output = command(&desk, &strace, line).stdin(stdin).output().unwrap();
            let when = format!("{line}, killed at {call} {n}, with an earlier release: {earlier}");
            assert_clean(&desk, &when);
            if output.status.success() {
                break;
            }
            killed += 1;
            assert_eq!(
                output.status.signal(),
                Some(9),
                "{when}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert!(n < 1000, "{when}: no end");
            desk.done(&again);
            assert_no_leftovers(&desk, &format!("the run after {when}"));
        }
    }
    println!("{line}: killed {killed} times");
    assert!(killed > 50, "killed only {killed} times");
}

#[test]
fn killed_at_every_change_from_a_file() {
    killed_at_every_change(&format!("anonymize patients.csv {ROLES} -k 3 -o out/r.csv"));
}

#[test]
fn killed_at_every_change_from_standard_input() {
    killed_at_every_change(&format!("anonymize - {ROLES} -k 3 -o out/r.csv --intervals midpoint"));
}

/// One run pauses between its two files, and another one publishes to the same place meanwhile.
#[test]
fn two_runs_to_one_place() {
    if !has_strace() {
        return;
    }
    let desk = desk();
    let slow = [
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        "trace=/^rename",
        "-e",
        "inject=/^rename:delay_enter=3000000:when=2",
    ];
    let line = |k: u32| format!("anonymize patients.csv {ROLES} -k {k} -o out/r.csv");
    let mut first = command(&desk, &slow, &line(2)).spawn().unwrap();
    // It pauses when one of the two files is there.
    let paused = |name: &str| std::fs::exists(desk.path("out").join(name)).unwrap();
    while !paused("r.csv") && !paused("r.csv.certificate.json") {
        assert!(first.try_wait().unwrap().is_none(), "ended before it began");
        std::thread::sleep(Duration::from_millis(5));
    }
    let meanwhile = mismatch(&desk.path("out/r.csv"), &desk.path("out/r.csv.certificate.json"));
    desk.done(&line(3));
    assert!(end(&mut first).is_some_and(|status| status.success()));
    assert_no_leftovers(&desk, "after both runs");
    assert_eq!(meanwhile, None, "during the first");
}

/// A desk with a table that takes a while, and names in it that are dropped.
fn busy_desk() -> Desk {
    let mut table = String::from("name,age,zip,illness\n");
    for i in 0..4000_u32 {
        let (age, zip) = (18 + i.wrapping_mul(2_654_435_761) % 70, 41_000 + i.wrapping_mul(40_503) % 900);
        let illness = ["flu", "gout", "asthma"][i as usize % 3];
        let _ = writeln!(table, "MARKNAME{i},{age},{zip},{illness}");
    }
    let desk = Desk::new().with("patients.csv", table);
    std::fs::create_dir(desk.path("out")).unwrap();
    desk
}

const BUSY: &str =
    "--identifier name --rest keep --qi age,zip --sensitive illness -k 5 -o out/r.csv --algorithm mondrian";

#[test]
fn signals_at_many_moments() {
    let desk = busy_desk();
    for delay in [0, 5, 15, 30, 45, 60, 80, 100, 130, 160, 200, 300] {
        for signal in ["INT", "TERM", "KILL"] {
            let stdin = std::fs::File::open(desk.path("patients.csv")).unwrap();
            let mut child = command(&desk, &[], &format!("anonymize - {BUSY}")).stdin(stdin).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(delay));
            send(signal, &child);
            let when = format!("{signal} after {delay} ms");
            let status = end(&mut child).unwrap_or_else(|| panic!("{when}: no end"));
            assert_clean(&desk, &when);
            // Before the program listens, a signal ends it as it ends any other.
            if status.code().is_some() {
                assert!([0, 130].contains(&status.code().unwrap()), "{when}: {status}");
                assert_no_leftovers(&desk, &when);
            }
        }
    }
    desk.done(&format!("anonymize patients.csv {BUSY}"));
    assert_no_leftovers(&desk, "the run after all");
}

/// `ulimit -f`: files may not grow beyond some size. That ends a program in silence, unless it does something about it.
#[test]
fn no_file_may_grow() {
    let desk = busy_desk();
    desk.done(&format!("anonymize patients.csv {BUSY}"));
    let before = desk.bytes("out/r.csv");
    for blocks in [0, 1, 2, 8, 32] {
        for ignore in ["", "trap '' XFSZ;"] {
            let limit = format!("ulimit -c 0; {ignore} ulimit -f {blocks}; exec \"$0\" \"$@\"");
            let line = format!("anonymize - {BUSY} --seed 1");
            let stdin = std::fs::File::open(desk.path("patients.csv")).unwrap();
            let output = command(&desk, &["sh", "-c", &limit], &line).stdin(stdin).output().unwrap();
            let when = format!("{limit}: {}", String::from_utf8_lossy(&output.stderr));
            assert!(!output.status.success(), "{when}");
            assert_clean(&desk, &when);
            assert_eq!(desk.bytes("out/r.csv"), before, "{when}");
            assert_eq!(output.status.code(), Some(2), "{when}");
            assert!(when.contains("cannot write") && when.contains("way out"), "{when}");
            assert_no_leftovers(&desk, &when);
        }
    }
    desk.done(&format!("anonymize patients.csv {BUSY}"));
    assert_no_leftovers(&desk, "the run after all");
}

/// A small disk in place of a folder. Mounting takes rights most users do not have.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount(at: std::path::PathBuf, kilobytes: u32) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", &format!("size={kilobytes}k"), "tmpfs"])
            .arg(&at)
            .stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|s| s.success());
        if !mounted {
            println!("skipped: mounting is not allowed here");
        }
        mounted.then_some(Self(at))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// A full disk, for the release or for standard input: what was published before stays, and nothing else. No attack ever
/// succeeded here.
#[test]
fn a_full_disk() {
    for (folder, kilobytes) in ["out", "tmp"].into_iter().flat_map(|f| [(f, 20), (f, 28), (f, 48)]) {
        let desk = busy_desk().with("few.csv", PATIENTS);
        let Some(_disk) = SmallDisk::mount(desk.path(folder), kilobytes) else { return };
        desk.done(&format!("anonymize few.csv {ROLES} -k 2 -o out/r.csv"));
        let before = desk.bytes("out/r.csv");
        let stdin = std::fs::File::open(desk.path("patients.csv")).unwrap();
        let output = command(&desk, &[], &format!("anonymize - {BUSY}")).stdin(stdin).output().unwrap();
        let when = format!("{folder} of {kilobytes} KB: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{when}");
        let found = traces(&desk, &MARKS, &["patients.csv", "few.csv"]);
        assert!(found.is_empty(), "{when}: {found:?}");
        assert_eq!(
            mismatch(&desk.path("out/r.csv"), &desk.path("out/r.csv.certificate.json")),
            None,
            "{when}"
        );
        assert_eq!(desk.bytes("out/r.csv"), before, "{when}");
        let blamed = desk.path("tmp").display().to_string();
        assert!(folder == "out" || when.contains(&blamed), "{when}");
    }
}
