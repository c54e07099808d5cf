//! Places nothing can or may be written to.

use std::process::{Command, Stdio};

use crate::common::{Desk, PEOPLE, ROLES};

fn refused(output: &str) -> String {
    Desk::with_people().refused(&format!("anonymize people.csv {ROLES} -o {output}"))
}

#[test]
fn a_missing_folder() {
    insta::assert_snapshot!(refused("nowhere/release.csv"), @r#"
    exit code 2
    error: cannot write: No such file or directory (os error 2) at path "/tmp/.tmpiGVKZG/nowhere/.kohort-xHnwtQ"
      where: nowhere/release.csv
      way out: create the folder first; nothing was written
    "#);
}

#[test]
fn a_file_where_a_folder_should_be() {
    insta::assert_snapshot!(refused("people.csv/release.csv"), @r#"
    exit code 2
    error: cannot write: Not a directory (os error 20) at path "/tmp/.tmp9Nk4pS/people.csv/.kohort-hywaGe"
      where: people.csv/release.csv
      way out: nothing was written
    "#);
}

#[test]
fn a_folder_where_a_file_should_be() {
    insta::assert_snapshot!(refused("tmp"), @r"
    exit code 2
    error: this is a folder, expected a file name
      where: tmp
    ");
}

/// The superuser may write anywhere, so this shows something only to others.
#[test]
fn a_folder_nobody_may_write_to() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with_people().with("closed/old.csv", "");
    std::fs::set_permissions(desk.path("closed"), PermissionsExt::from_mode(0o555)).unwrap();
    if std::fs::write(desk.path("closed/probe"), "").is_ok() {
        println!("skipped: this user may write to read-only folders");
        return;
    }
    let message = desk.refused(&format!("anonymize people.csv {ROLES} -o closed/release.csv"));
    assert!(message.starts_with("exit code 2\n") && message.contains("choose a folder you may write to"), "{message}");
}

#[test]
fn the_input_itself() {
    insta::assert_snapshot!(refused("people.csv"), @r"
    exit code 2
    error: the output is the input itself
      where: people.csv
      way out: write the release to another file
    ");
}

#[test]
fn the_input_itself_by_another_path() {
    insta::assert_snapshot!(refused("./tmp/../people.csv"), @r"
    exit code 2
    error: the output is the input itself
      where: ./tmp/../people.csv
      way out: write the release to another file
    ");
}

#[test]
fn the_input_itself_through_a_link() {
    let desk = Desk::with_people();
    std::os::unix::fs::symlink("people.csv", desk.path("link.csv")).unwrap();
    insta::assert_snapshot!(desk.refused(&format!("anonymize people.csv {ROLES} -o link.csv")), @r"
    exit code 2
    error: the output is the input itself
      where: link.csv
      way out: write the release to another file
    ");
    insta::assert_snapshot!(desk.refused(&format!("anonymize link.csv {ROLES} -o people.csv")), @r"
    exit code 2
    error: the output is the input itself
      where: people.csv
      way out: write the release to another file
    ");
    assert_eq!(desk.read("people.csv"), PEOPLE);
}

#[test]
fn the_certificate_must_not_replace_what_is_read_or_written() {
    let desk = Desk::with_people();
    let line = format!("anonymize people.csv {ROLES} -o release.csv --certificate");
    insta::assert_snapshot!(desk.refused(&format!("{line} people.csv")), @"");
    insta::assert_snapshot!(desk.refused(&format!("{line} ./release.csv")), @"");
    insta::assert_snapshot!(desk.refused(&format!("{line} nowhere/c.json")), @"");
    assert_eq!(desk.read("people.csv"), PEOPLE);
}

#[test]
fn a_job_file_or_a_hierarchy_is_not_replaced_either() {
    let trees = "41075;*\n41076;*\n41099;*\n48201;*\n48202;*\n";
    let desk = Desk::with_people().with("job.toml", "k = 3\n").with("trees/zip.csv", trees);
    let line = format!("anonymize people.csv {ROLES} --job job.toml --hierarchies trees -o");
    insta::assert_snapshot!(desk.refused(&format!("{line} job.toml")), @"");
    insta::assert_snapshot!(desk.refused(&format!("{line} trees/zip.csv")), @"");
    assert_eq!(desk.read("trees/zip.csv"), trees);
}

/// What a shell does with `> /dev/full`: a disk without a free byte.
fn to_full_disk(desk: &Desk, line: &str) -> String {
    let before = desk.files();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("kohort"));
    command.args(line.split_whitespace()).current_dir(desk.path("")).env("TMPDIR", desk.path("tmp"));
    let output = command.stdin(Stdio::null()).stdout(full).output().unwrap();
    assert_eq!(desk.files(), before, "files came or went");
    format!("exit code {}\n{}", output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_release_on_a_full_disk() {
    let line = format!("anonymize people.csv {ROLES} -o - --quiet");
    insta::assert_snapshot!(to_full_disk(&Desk::with_people(), &line), @r"
    exit code 2
    error: cannot write: No space left on device (os error 28)
      where: standard output
      way out: free some space or choose another place; nothing was written
    ");
}

#[test]
fn other_output_on_a_full_disk() {
    let desk = Desk::with_people().with("zip.csv", "1;*\n2;*\n");
    insta::assert_snapshot!(to_full_disk(&desk, "list"), @r"
    exit code 101

    thread 'main' (24844) panicked at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1165:9:
    failed printing to stdout: No space left on device (os error 28)
    stack backtrace:
       0: __rustc::rust_begin_unwind
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
       1: core::panicking::panic_fmt
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:80:14
       2: std::io::stdio::print_to::<std::io::stdio::Stdout>
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1165:9
       3: std::io::stdio::_print
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1275:5
       4: section<core::iter::adapters::chain::Chain<core::iter::sources::once::Once<(alloc::string::String, alloc::string::String)>, core::iter::adapters::map::Map<core::slice::iter::Iter<kohort::algorithm::Entry>, kohort::commands::list::print_lists::{closure_env#0}>>>
                 at /tmp/wt-a/crates/kohort-cli/src/commands/list.rs:52:5
       5: print_lists
                 at /tmp/wt-a/crates/kohort-cli/src/commands/list.rs:36:5
       6: run
                 at /tmp/wt-a/crates/kohort-cli/src/commands/list.rs:28:9
       7: main
                 at /tmp/wt-a/crates/kohort-cli/src/main.rs:42:32
       8: call_once<fn() -> std::process::ExitCode, ()>
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ops/function.rs:250:5
    note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "list --json"), @r"
    exit code 101

    thread 'main' (24901) panicked at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1165:9:
    failed printing to stdout: No space left on device (os error 28)
    stack backtrace:
       0: __rustc::rust_begin_unwind
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
       1: core::panicking::panic_fmt
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:80:14
       2: std::io::stdio::print_to::<std::io::stdio::Stdout>
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1165:9
       3: std::io::stdio::_print
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1275:5
       4: run
                 at /tmp/wt-a/crates/kohort-cli/src/commands/list.rs:26:9
       5: main
                 at /tmp/wt-a/crates/kohort-cli/src/main.rs:42:32
       6: call_once<fn() -> std::process::ExitCode, ()>
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ops/function.rs:250:5
    note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "verify people.csv --qi age"), @r"
    exit code 101

    thread 'main' (24971) panicked at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1165:9:
    failed printing to stdout: No space left on device (os error 28)
    stack backtrace:
       0: __rustc::rust_begin_unwind
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
       1: core::panicking::panic_fmt
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:80:14
       2: std::io::stdio::print_to::<std::io::stdio::Stdout>
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1165:9
       3: std::io::stdio::_print
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1275:5
       4: run
                 at /tmp/wt-a/crates/kohort-cli/src/commands/verify.rs:45:9
       5: main
                 at /tmp/wt-a/crates/kohort-cli/src/main.rs:39:34
       6: call_once<fn() -> std::process::ExitCode, ()>
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ops/function.rs:250:5
    note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "verify people.csv --qi age --json"), @r"
    exit code 101

    thread 'main' (25039) panicked at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1165:9:
    failed printing to stdout: No space left on device (os error 28)
    stack backtrace:
       0: __rustc::rust_begin_unwind
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
       1: core::panicking::panic_fmt
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:80:14
       2: std::io::stdio::print_to::<std::io::stdio::Stdout>
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1165:9
       3: std::io::stdio::_print
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/io/stdio.rs:1275:5
       4: run
                 at /tmp/wt-a/crates/kohort-cli/src/commands/verify.rs:43:9
       5: main
                 at /tmp/wt-a/crates/kohort-cli/src/main.rs:39:34
       6: call_once<fn() -> std::process::ExitCode, ()>
                 at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ops/function.rs:250:5
    note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "generate art --rows 5"), @r"
    exit code 2
    error: cannot write: No space left on device (os error 28)
      where: standard output
      way out: free some space or choose another place; nothing was written
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "hierarchy show zip.csv"), @r"
    exit code 2
    error: cannot write to standard output: No space left on device (os error 28)
    ");
}

/// A reader that has seen enough is no error: `kohort list | head -1`.
#[test]
fn a_closed_pipe_is_no_error() {
    let desk = Desk::with_people().with("zip.csv", "1;*\n2;*\n");
    for line in [
        "list",
        "list --json",
        "verify people.csv --qi age",
        "generate art --rows 5",
        "hierarchy show zip.csv",
        &format!("anonymize people.csv {ROLES} -o - --quiet"),
        &format!("anonymize people.csv {ROLES} -o r.csv"),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("kohort"));
        command.args(line.split_whitespace()).current_dir(desk.path("")).env("TMPDIR", desk.path("tmp"));
        let output = command.stdin(Stdio::null()).stdout(writer).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(0) && !err.contains("panic"), "{line}: {:?}\n{err}", output.status);
    }
}

/// A disk so small that it fills up while the release is written. Mounting takes rights most users do not have.
struct TinyDisk<'a>(&'a Desk);

impl<'a> TinyDisk<'a> {
    fn mount(desk: &'a Desk) -> Option<Self> {
        std::fs::create_dir(desk.path("disk")).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(desk.path("disk")).stderr(Stdio::null());
        mount.status().is_ok_and(|s| s.success()).then_some(Self(desk))
    }
}

impl Drop for TinyDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path("disk")).status();
    }
}

#[test]
fn a_disk_that_fills_up() {
    let desk = Desk::new();
    desk.done("generate census --rows 3000 -o t.csv");
    let Some(_disk) = TinyDisk::mount(&desk) else {
        println!("skipped: mounting is not allowed here");
        return;
    };
    for ending in ["csv", "parquet", "arrow"] {
        let line = format!("anonymize t.csv --qi age,sex -k 5 --algorithm mondrian -o disk/release.{ending}");
        insta::with_settings!({snapshot_suffix => ending}, {
            insta::assert_snapshot!("a_disk_that_fills_up", desk.refused(&line));
        });
    }
    insta::assert_snapshot!(desk.refused("generate census --rows 3000 -o disk/t.csv"), @"");
}
