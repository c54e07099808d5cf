//! Ways to lose a file or to be sent the wrong way.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::PathBuf;
use std::process::Output;

use crate::common::{Desk, PEOPLE, ROLES};
use crate::process::{command, end};

const ZIPS: &str = "41075;*\n41076;*\n41099;*\n48201;*\n48202;*\n";

/// Everything a job can read, each also under a second name.
fn desk() -> Desk {
    let desk = Desk::with_people()
        .with("job.toml", "k = 3\n")
        .with("trees/zip.csv", ZIPS)
        .with("sex.csv", "f;*\nm;*\n");
    let job = "k = 3\n[columns]\nsex = { hierarchy = \"sex.csv\" }\n";
    let desk = desk.with("more.toml", job);
    for (file, name) in
        [("people.csv", "people"), ("job.toml", "job"), ("trees/zip.csv", "zip"), ("sex.csv", "sex")]
    {
        std::fs::hard_link(desk.path(file), desk.path(&format!("hard-{name}.csv"))).unwrap();
        std::fs::hard_link(desk.path(file), desk.path(&format!("hard-{name}.json"))).unwrap();
        std::os::unix::fs::symlink(file, desk.path(&format!("soft-{name}.csv"))).unwrap();
        std::os::unix::fs::symlink(file, desk.path(&format!("soft-{name}.json"))).unwrap();
    }
    desk
}

fn contents(desk: &Desk) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    desk.files().into_iter().map(|path| (path.clone(), std::fs::read(path).ok())).collect()
}

fn code(output: &Output) -> String {
    format!("{:?}\n{}", output.status.code(), String::from_utf8_lossy(&output.stderr))
}

/// No output is any input, whatever it is called.
#[test]
fn no_output_replaces_an_input() {
    let desk = desk();
    let job = format!("anonymize people.csv {ROLES} --hierarchies trees --job");
    let mut lines = vec![
        format!("{job} job.toml -o r.csv --certificate job.toml"),
        format!("{job} job.toml -o r.csv --algorithm incognito --solutions trees/zip.csv"),
        format!("{job} more.toml -o sex.csv"),
        format!("anonymize soft-people.csv {ROLES} -o hard-people.csv"),
        "hierarchy build people.csv --column zip --mask right --levels 5 -o hard-people.csv".to_owned(),
        "hierarchy build people.csv --column zip --mask right --levels 5 -o soft-people.csv".to_owned(),
        "hierarchy convert sex.csv -o hard-sex.json".to_owned(),
        "hierarchy convert soft-sex.csv -o hard-sex.json".to_owned(),
        "generate hospital --rows 3 --hierarchies made -o made/postcode.csv".to_owned(),
    ];
    for link in ["hard", "soft"] {
        for name in ["people", "job", "zip"] {
            lines.push(format!("{job} job.toml -o {link}-{name}.csv"));
            lines.push(format!("{job} job.toml -o r.csv --certificate {link}-{name}.json"));
            lines
                .push(format!("{job} job.toml -o r.csv --algorithm incognito --solutions {link}-{name}.csv"));
        }
        lines.push(format!("{job} more.toml -o r.csv --certificate {link}-sex.json"));
    }
    std::fs::create_dir(desk.path("made")).unwrap();
    let before = contents(&desk);
    for line in &lines {
        let ran = desk.run(line);
        assert!(contents(&desk) == before, "{line}: a file was changed\n{}", ran.err);
        assert_eq!(ran.code, Some(2), "{line}\n{}", ran.err);
        assert!(ran.err.contains("replace") || ran.err.contains("is the input"), "{line}\n{}", ran.err);
    }
}

/// A shell can send a file to standard input, and standard output to the end of a file.
#[test]
fn redirected_streams_are_files_too() {
    let desk = desk();
    let table = || File::open(desk.path("people.csv")).unwrap();
    let line = format!("anonymize - {ROLES} -o people.csv");
    let output = command(&desk, &[], &line).stdin(table()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", code(&output));
    let end = OpenOptions::new().append(true).open(desk.path("people.csv")).unwrap();
    let line = format!("anonymize people.csv {ROLES} -o - --no-audit --quiet");
    let output = command(&desk, &[], &line).stdout(end).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", code(&output));
    let line = "hierarchy build - --column zip --mask right --levels 5 -o people.csv";
    let output = command(&desk, &[], line).stdin(table()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", code(&output));
    assert_eq!(desk.read("people.csv"), PEOPLE);
}

/// A folder for temporary files that is not there is not the fault of standard output.
#[test]
fn a_bad_folder_for_temporary_files_is_named() {
    let desk = desk();
    let to_stdout = format!("anonymize people.csv {ROLES} -o - --no-audit --quiet");
    for line in [to_stdout.as_str(), "generate art --rows 5", "verify - --qi age -k 2"] {
        let mut command = command(&desk, &[], line);
        let output =
            command.env("TMPDIR", desk.path("nowhere")).stdin(File::open(desk.path("people.csv")).unwrap());
        let output = output.output().unwrap();
        let said = code(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(
            said.contains("nowhere") && said.contains("TMPDIR") && !said.contains("standard"),
            "{line}: {said}"
        );
    }
}

/// Asking for more threads than any machine has is refused in words.
#[test]
fn too_many_threads() {
    let desk = desk();
    // Whatever is tried instead must not take the whole machine, or for ever.
    let limit = ["sh", "-c", "ulimit -v 8000000; exec \"$0\" \"$@\""];
    for threads in ["4294967295", "18446744073709551615", "1025"] {
        for line in
            [format!("anonymize people.csv {ROLES} -o r.csv"), "verify people.csv --qi age".to_owned()]
        {
            let mut child = command(&desk, &limit, &format!("{line} --threads {threads}")).spawn().unwrap();
            let status = end(&mut child);
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            let code = status.and_then(|s| s.code());
            assert!(
                code == Some(2) && said.contains("expected at most 1024"),
                "{line} {threads}: {code:?} {said}"
            );
        }
    }
}
