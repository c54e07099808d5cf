//! Runs that are ended from outside leave nothing under the final name.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};

use crate::common::Desk;

/// Large enough that the quadratic search is still at work when the signal comes, on any machine.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.done("generate census --rows 100000 -o census.csv");
    std::fs::create_dir(desk.path("out")).unwrap();
    desk
}

/// Starts a long run and returns when it has begun: its temporary file is there.
fn started(desk: &Desk) -> Child {
    let line = "anonymize census.csv -o out/release.csv --rest keep --qi age,sex,education,occupation -k 10 --algorithm k-member";
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("kohort"));
    command.args(line.split_whitespace()).current_dir(desk.path("")).env("TMPDIR", desk.path("tmp"));
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while left_in_out(desk).is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "ended before it began");
        std::thread::yield_now();
    }
    child
}

fn left_in_out(desk: &Desk) -> Vec<String> {
    let entries = std::fs::read_dir(desk.path("out")).unwrap();
    entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

/// Sends a signal by name and waits for the end.
fn ended_by(signal: &str, child: Child) -> Output {
    // The shell has `kill` built in; not every machine has it as a program.
    let sent = Command::new("sh").arg("-c").arg(format!("kill -{signal} {}", child.id())).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap()
}

#[test]
fn killed() {
    let desk = desk();
    let output = ended_by("KILL", started(&desk));
    assert_eq!(output.status.signal(), Some(9));
    let left = left_in_out(&desk);
    assert!(left.iter().all(|name| name.starts_with(".kohort-")), "{left:?}");
}

#[test]
fn interrupted() {
    let desk = desk();
    let output = ended_by("INT", started(&desk));
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(left_in_out(&desk), Vec::<String>::new());
    assert_eq!(std::fs::read_dir(desk.path("tmp")).unwrap().count(), 0);
    assert_eq!(output.stdout, b"");
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap(), @r"
    error: stopped before there was a result; nothing was written
    ");
}

/// What a scheduler sends before it kills.
#[test]
fn terminated() {
    let desk = desk();
    let output = ended_by("TERM", started(&desk));
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(left_in_out(&desk), Vec::<String>::new());
}
