//! A folder of its own for every test, and the program run in it with relative paths, so that messages are the same on
//! every machine.

// Every test program uses another part of this.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// Twelve people. Two are one of a kind, one has no age; commas, quotes and line breaks are in `note`, which nobody touches.
pub(crate) const PEOPLE: &str = "\
name,age,sex,zip,illness,note
Ada,34,f,41075,flu,plain
Bob,36,m,41076,flu,\"one, two\"
Cleo,35,f,41076,gout,\"she said \"\"no\"\"\"
Dan,61,m,48201,gout,
Eve,58,f,48202,flu,\"two
lines\"
Finn,59,m,48202,asthma,plain
Gus,22,m,41099,asthma,  spaced
Hal,24,m,41099,flu,ü
Ivy,,f,41075,gout,plain
Jon,47,m,48201,flu,;
Kim,45,f,48202,asthma,plain
Lea,44,f,48201,gout,last
";

/// The roles of [`PEOPLE`], with k = 3.
pub(crate) const ROLES: &str = "--identifier name --qi age,sex,zip --sensitive illness --keep note -k 3";

/// Twelve people in six towns, two in each.
pub(crate) const TOWNS: &str = "\
name,age,location,illness
Ann,25,San Diego,flu
Ben,27,Los Angeles,gout
Cat,31,San Diego,flu
Dov,33,Los Angeles,asthma
Eli,40,Seattle,gout
Fay,42,Seattle,flu
Gil,26,Wichita,flu
Hua,30,Kansas City,gout
Ian,52,Wichita,asthma
Jan,55,Kansas City,flu
Kay,58,Lincoln,gout
Lev,61,Lincoln,asthma
";

/// Where the towns of [`TOWNS`] lie.
pub(crate) const LOCATIONS: &str = "\
San Diego;California;West Coast;US
Los Angeles;California;West Coast;US
Seattle;Washington;West Coast;US
Wichita;Kansas;Midwest;US
Kansas City;Kansas;Midwest;US
Lincoln;Nebraska;Midwest;US
";

/// The roles of [`TOWNS`].
pub(crate) const TOWN_ROLES: &str =
    "--identifier name --qi age,location --sensitive illness --hierarchies trees";

/// Marked nodes, one above another. They leave four groups: California 4, Kansas 4, Midwest (Lincoln) 2, US (Seattle) 2.
pub(crate) const MARKS: &str = "--max-generalization location=Midwest --max-generalization location=Kansas --max-generalization location=California";

/// A folder with nothing in it but what the test puts there. Temporary files go to its `tmp`.
pub(crate) struct Desk {
    folder: TempDir,
}

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; none when a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output, as it is.
    pub(crate) out: Vec<u8>,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    /// Standard output as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.out.clone()).unwrap()
    }
}

impl Desk {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        Self { folder }
    }

    /// A folder with `people.csv` in it.
    pub(crate) fn with_people() -> Self {
        Self::new().with("people.csv", PEOPLE)
    }

    /// A folder with `towns.csv` and its hierarchy in it.
    pub(crate) fn with_towns() -> Self {
        Self::new().with("towns.csv", TOWNS).with("trees/location.csv", LOCATIONS)
    }

    /// The same with one more file.
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    /// Where a file of this name is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// A file as text.
    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// The program, at home in this folder.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = match std::env::var_os("KOHORT") {
            Some(other_build) => Command::new(other_build),
            None => Command::cargo_bin("kohort").unwrap(),
        };
        command.args(line.split_whitespace());
        command.current_dir(self.folder.path());
        command.env("TMPDIR", self.path("tmp")).env("COLUMNS", "100").env_remove("KOHORT_LOG");
        command
    }

    /// Runs a command line; words are what spaces separate.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_with(line, b"")
    }

    /// Runs a command line with something on standard input.
    pub(crate) fn run_with(&self, line: &str, input: &[u8]) -> Ran {
        let output = self.command(line).write_stdin(input).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        let ran = Ran { code: output.status.code(), out: output.stdout, err };
        self.check_unmarked(line, &ran);
        ran
    }

    /// The library marks the options that its messages name; nobody may ever see the marks.
    fn check_unmarked(&self, line: &str, ran: &Ran) {
        let marked = |text: &str| text.contains(['‹', '›']);
        assert!(!marked(&ran.err), "kohort {line}\n{}", ran.err);
        assert!(!marked(&String::from_utf8_lossy(&ran.out)), "kohort {line}\n{ran:?}");
        let documents = self.files().into_iter().filter(|path| path.extension().is_some_and(|e| e == "json"));
        for document in documents.filter(|path| path.is_file()) {
            let text = String::from_utf8_lossy(&std::fs::read(&document).unwrap_or_default()).into_owned();
            assert!(!marked(&text), "kohort {line}\n{}: {text}", document.display());
        }
    }

    /// Runs a command line that must work.
    pub(crate) fn done(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, Some(0), "kohort {line}\n{}", ran.err);
        ran
    }

    /// Runs a command line that must fail without leaving any file; returns the exit code and the message.
    pub(crate) fn refused(&self, line: &str) -> String {
        self.refused_with(line, b"")
    }

    /// The same with something on standard input.
    pub(crate) fn refused_with(&self, line: &str, input: &[u8]) -> String {
        let before = self.files();
        let ran = self.run_with(line, input);
        assert_eq!(self.files(), before, "files came or went\n{}", ran.err);
        assert_eq!(ran.text(), "", "standard output is for results");
        format!("exit code {}\n{}", ran.code.unwrap_or(-1), ran.err)
    }

    /// Every file and folder, hidden ones too.
    pub(crate) fn files(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        walk(self.folder.path(), &mut found);
        found
    }
}

fn walk(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            walk(&path, found);
        }
        found.insert(path);
    }
}
