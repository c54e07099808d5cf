//! The help texts.

use crate::common::Desk;

#[test]
fn of_every_command() {
    let desk = Desk::new();
    for command in [
        "",
        "init",
        "anonymize",
        "append",
        "bound",
        "explain",
        "completions",
        "man",
        "verify",
        "risk",
        "generate",
        "reproduce",
        "list",
        "hierarchy",
        "hierarchy build",
        "hierarchy check",
        "hierarchy show",
        "hierarchy convert",
        "ledger",
        "ledger show",
        "ledger repair",
    ] {
        let name = format!("help {command}").trim().replace(' ', "_");
        insta::assert_snapshot!(name, desk.done(&format!("{command} --help")).text());
    }
}

#[test]
fn the_version() {
    let version = desk_version();
    assert_eq!(version, format!("kohort {}\n", env!("CARGO_PKG_VERSION")));
}

fn desk_version() -> String {
    Desk::new().done("--version").text()
}

#[test]
fn no_command_at_all() {
    let ran = Desk::new().run("");
    assert_eq!((ran.code, ran.text().as_str()), (Some(2), ""));
    assert!(ran.err.contains("Usage: kohort <COMMAND>"), "{}", ran.err);
}

#[test]
fn an_unknown_command_or_flag() {
    insta::assert_snapshot!(Desk::new().refused("anonymise x.csv"));
    insta::assert_snapshot!(Desk::with_people().refused("anonymize people.csv --sensitiv illness -o r.csv"));
}
