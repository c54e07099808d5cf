//! What the other tests let a second process do, so that they can stop it.

use std::path::PathBuf;
use std::process::Command;

use kohort::ledger::LedgerFile;

use crate::desk::{Desk, commit_next};

const ROOT: &str = "KOHORT_LEDGER_ROOT";
const NAME: &str = "KOHORT_LEDGER_RELEASE";

/// A process that commits the next release under this name, started by the words in `before`.
pub(crate) fn committing(desk: &Desk, before: &[&str], name: &str) -> Command {
    let mut command = process(desk, before, "child::commits");
    command.env(NAME, name);
    command
}

/// A process that opens the ledger.
pub(crate) fn opening(desk: &Desk) -> Command {
    process(desk, &[], "child::opens")
}

fn process(desk: &Desk, before: &[&str], test: &str) -> Command {
    let own = std::env::current_exe().unwrap();
    let mut words = before.iter().map(std::ffi::OsString::from).chain([own.into_os_string()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args(["--exact", test, "--ignored", "--test-threads", "1"]);
    command.env(ROOT, desk.root());
    command
}

fn root() -> PathBuf {
    std::env::var_os(ROOT).unwrap().into()
}

#[test]
#[ignore = "other tests start it"]
fn commits() {
    commit_next(&root(), &std::env::var(NAME).unwrap()).unwrap();
}

#[test]
#[ignore = "other tests start it"]
fn opens() {
    LedgerFile::open_or_new(&root().join("private/l.ledger")).unwrap();
}
