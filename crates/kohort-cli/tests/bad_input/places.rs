//! Places nothing can or may be written to.

use std::process::{Command, Stdio};

use crate::common::{Desk, PEOPLE, ROLES};

fn refused(output: &str) -> String {
    Desk::with_people().refused(&format!("anonymize people.csv {ROLES} -o {output}"))
}

#[test]
fn a_missing_folder() {
    insta::assert_snapshot!(refused("nowhere/release.csv"), @r"
    exit code 2
    error: cannot write: No such file or directory (os error 2)
      where: nowhere/release.csv
      way out: create the folder first; nothing was written
    ");
}

#[test]
fn a_file_where_a_folder_should_be() {
    insta::assert_snapshot!(refused("people.csv/release.csv"), @r"
    exit code 2
    error: cannot write: Not a directory (os error 20)
      where: people.csv/release.csv
      way out: a part of this path is a file, expected a folder; nothing was written
    ");
}

#[test]
fn a_folder_where_a_file_should_be() {
    insta::assert_snapshot!(refused("tmp"), @r"
    exit code 2
    error: this is a folder, expected a file name
      where: tmp
      way out: add a file name to it
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
    // So that the test's own folder can be removed.
    std::fs::set_permissions(desk.path("closed"), PermissionsExt::from_mode(0o755)).unwrap();
    assert!(
        message.starts_with("exit code 2\n") && message.contains("choose a folder you may write to"),
        "{message}"
    );
}

#[test]
fn an_ending_that_promises_another_format() {
    insta::assert_snapshot!(refused("release.xlsx"), @r"
    exit code 2
    error: kohort does not write .xlsx files
      where: release.xlsx
      way out: end the name in .csv, .tsv, .jsonl, .parquet or .arrow; .gz or .zst behind the first three packs them
    ");
    insta::assert_snapshot!(refused("release.csv.bz2"), @r"
    exit code 2
    error: kohort does not write .bz2 files
      where: release.csv.bz2
      way out: end the name in .csv, .tsv, .jsonl, .parquet or .arrow; .gz or .zst behind the first three packs them
    ");
    insta::assert_snapshot!(Desk::new().refused("generate art -o t.json"), @r"
    exit code 2
    error: kohort does not write .json files
      where: t.json
      way out: end the name in .csv, .tsv, .jsonl, .parquet or .arrow; .gz or .zst behind the first three packs them
    ");
}

#[test]
fn standard_input_and_output_are_there_once() {
    insta::assert_snapshot!(refused("- --certificate -"), @r"
    exit code 2
    error: the release and the certificate cannot both go to standard output
      where: -o - --certificate -
      way out: write one of them to a file
    ");
    insta::assert_snapshot!(refused("- --json"), @r"
    exit code 2
    error: the release and the JSON object cannot both go to standard output
      where: -o - --json
      way out: write the release to a file, or omit --json
    ");
    insta::assert_snapshot!(Desk::with_people().refused("verify - --original - --qi age"), @r"
    exit code 2
    error: the release and the original cannot both come from standard input
      where: verify - --original -
      way out: read one of them from a file
    ");
}

#[test]
fn a_name_taken_by_the_ends_of_an_interval() {
    let desk = Desk::new().with("t.csv", "age,age_min\n1,x\n2,y\n");
    insta::assert_snapshot!(desk.refused("anonymize t.csv -o r.csv --rest keep --qi age -k 2 --intervals bounds"), @r"
    exit code 2
    error: the release would have two columns named 'age_min'
      where: --intervals bounds
      way out: rename the column in the input
    ");
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
    insta::assert_snapshot!(desk.refused(&format!("{line} people.csv")), @r"
    exit code 2
    error: the certificate would replace the input
      where: people.csv
      way out: give it another name
    ");
    insta::assert_snapshot!(desk.refused(&format!("{line} ./release.csv")), @r"
    exit code 2
    error: the certificate would replace the release
      where: ./release.csv
      way out: give it another name
    ");
    insta::assert_snapshot!(desk.refused(&format!("{line} nowhere/c.json")), @r"
    exit code 2
    error: cannot write: No such file or directory (os error 2)
      where: nowhere/c.json
      way out: create the folder first; nothing was written
    ");
    assert_eq!(desk.read("people.csv"), PEOPLE);
}

#[test]
fn a_job_file_or_a_hierarchy_is_not_replaced_either() {
    let trees = "41075;*\n41076;*\n41099;*\n48201;*\n48202;*\n";
    let desk = Desk::with_people().with("job.toml", "k = 3\n").with("trees/zip.csv", trees);
    let line = format!("anonymize people.csv {ROLES} --job job.toml --hierarchies trees -o");
    insta::assert_snapshot!(desk.refused(&format!("{line} job.toml")), @r"
    exit code 2
    error: the release would replace the job file
      where: --job job.toml, -o job.toml
      way out: write the release to another file, such as -o release.csv
    ");
    insta::assert_snapshot!(desk.refused(&format!("{line} trees/zip.csv")), @r"
    exit code 2
    error: the release would replace a hierarchy
      where: trees/zip.csv
      way out: give it another name
    ");
    assert_eq!(desk.read("trees/zip.csv"), trees);
}

/// `-o /dev/stdout > out.csv` leads to a file, but what belongs beside it would go to /dev.
#[test]
fn devices_and_open_streams() {
    insta::assert_snapshot!(refused("/dev/stdout"), @r"
    exit code 2
    error: this stands for a device or an open stream, expected a file
      where: /dev/stdout
      way out: write - for standard output: -o -
    ");
    let desk = Desk::with_people();
    std::os::unix::fs::symlink("/dev/stdout", desk.path("link.csv")).unwrap();
    for place in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/null", "link.csv"] {
        for line in [
            format!("-o {place}"),
            format!("-o r.csv --certificate {place}"),
            format!("-o r.csv --audit {place}"),
        ] {
            let before = desk.files();
            let out = std::fs::File::create(desk.path("tmp/out.csv")).unwrap();
            let mut command = Command::new(assert_cmd::cargo::cargo_bin("kohort"));
            command.arg("anonymize").arg("people.csv").args(ROLES.split(' ')).args(line.split(' '));
            command.current_dir(desk.path("")).env("TMPDIR", desk.path("tmp"));
            let output = command.stdin(Stdio::null()).stdout(out).output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(
                output.status.code() == Some(2) && said.contains("a device or an open stream"),
                "{line}: {said}"
            );
            std::fs::remove_file(desk.path("tmp/out.csv")).unwrap();
            assert_eq!(desk.files(), before, "{line}");
        }
    }
    assert!(!std::path::Path::new("/dev/stdout.certificate.json").exists());
}

/// Two jobs that name one certificate: the release made first would stand beside the certificate of the second.
#[test]
fn the_certificate_of_another_release() {
    let desk = Desk::with_people();
    std::fs::create_dir(desk.path("papers")).unwrap();
    let line = format!("anonymize people.csv {ROLES} --quiet --certificate papers/c.json -o");
    desk.done(&format!("{line} a.csv"));
    // The same command again, with other demands even, is no other release.
    desk.done(&format!("{line} a.csv"));
    desk.done(&format!("{line} a.csv --suppress 30%"));
    let before = (desk.bytes("a.csv"), desk.bytes("papers/c.json"));
    std::fs::copy(desk.path("a.csv"), desk.path("papers/a.csv")).unwrap();
    insta::assert_snapshot!(desk.refused(&format!("{line} b.csv")), @r"
    exit code 2
    error: there is the certificate of another release, papers/a.csv, which would be left without
      where: --certificate papers/c.json
      way out: give every release a certificate of its own, or remove that release first
    ");
    std::fs::remove_file(desk.path("papers/a.csv")).unwrap();
    let message = desk.refused(&format!("{line} b.csv"));
    assert!(message.contains("another release, ./a.csv"), "{message}");
    assert!(before == (desk.bytes("a.csv"), desk.bytes("papers/c.json")));
    // A certificate whose release is gone is in nobody's way.
    std::fs::remove_file(desk.path("a.csv")).unwrap();
    desk.done(&format!("{line} b.csv"));
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
    let line = format!("anonymize people.csv {ROLES} -o - --no-audit --quiet");
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
    exit code 2
    error: cannot print: No space left on device (os error 28)
      where: standard output
      way out: free some space or print to another place; files named on the command line are complete
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "list --json"), @r"
    exit code 2
    error: cannot print: No space left on device (os error 28)
      where: standard output
      way out: free some space or print to another place; files named on the command line are complete
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "verify people.csv --qi age"), @r"
    exit code 2
    error: cannot print: No space left on device (os error 28)
      where: standard output
      way out: free some space or print to another place; files named on the command line are complete
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "verify people.csv --qi age --json"), @r"
    exit code 2
    error: cannot print: No space left on device (os error 28)
      where: standard output
      way out: free some space or print to another place; files named on the command line are complete
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "generate art --rows 5"), @r"
    exit code 2
    error: cannot write: No space left on device (os error 28)
      where: standard output
      way out: free some space or choose another place; nothing was written
    ");
    insta::assert_snapshot!(to_full_disk(&desk, "hierarchy show zip.csv"), @r"
    exit code 2
    error: cannot print: No space left on device (os error 28)
      where: standard output
      way out: free some space or print to another place; files named on the command line are complete
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
        &format!("anonymize people.csv {ROLES} -o - --no-audit --quiet"),
        &format!("anonymize people.csv {ROLES} -o r.csv"),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("kohort"));
        command.args(line.split_whitespace()).current_dir(desk.path("")).env("TMPDIR", desk.path("tmp"));
        let output = command.stdin(Stdio::null()).stdout(writer).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(0) && !err.contains("panic"),
            "{line}: {:?}\n{err}",
            output.status
        );
    }
}

/// A disk so small that it fills up while the release is written. Mounting takes rights most users do not have.
struct TinyDisk<'a>(&'a Desk);

impl<'a> TinyDisk<'a> {
    fn mount(desk: &'a Desk) -> Option<Self> {
        std::fs::create_dir(desk.path("disk")).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"]).arg(desk.path("disk")).stderr(Stdio::null());
        // Only made when mounted: dropping it unmounts.
        mount.status().is_ok_and(|s| s.success()).then(|| Self(desk))
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
        let line = format!(
            "anonymize t.csv --rest keep --qi age,sex -k 5 --algorithm mondrian -o disk/release.{ending}"
        );
        insta::with_settings!({snapshot_suffix => ending}, {
            insta::assert_snapshot!("a_disk_that_fills_up", desk.refused(&line));
        });
    }
    insta::assert_snapshot!(desk.refused("generate census --rows 3000 -o disk/t.csv"), @r"
    exit code 2
    error: cannot write: No space left on device (os error 28)
      where: disk/t.csv
      way out: free some space or choose another place; nothing was written
    ");
}
