//! A folder with a ledger in one place and its releases in another.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use kohort::Result;
use kohort::input::{JobSpec, sha256_of, sha256_of_file};
use kohort::ledger::{Atom, Ledger, LedgerFile, ReleaseRecord};
use kohort::output::Staged;

/// Nobody but the owner may ever read this in a file.
pub(crate) const SECRET: &str = "MARKFROZEN";

/// What lies beside a release.
pub(crate) const COMPANIONS: [&str; 2] = [".certificate.json", ".audit.json"];

pub(crate) struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(desk.at("private")).unwrap();
        fs::create_dir(desk.at("out")).unwrap();
        desk
    }

    /// A desk with a first release in `r1.csv`.
    pub(crate) fn with_release() -> Self {
        let desk = Self::new();
        commit_next(&desk.at(""), "r1.csv").unwrap();
        desk
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn ledger(&self) -> PathBuf {
        self.at("private/l.ledger")
    }

    /// Everything in both folders goes, and what another desk has comes.
    pub(crate) fn become_copy_of(&self, other: &Self) {
        for name in ["private", "out"] {
            fs::remove_dir_all(self.at(name)).unwrap();
            fs::create_dir(self.at(name)).unwrap();
            for entry in fs::read_dir(other.at(name)).unwrap().map(std::result::Result::unwrap) {
                fs::copy(entry.path(), self.at(name).join(entry.file_name())).unwrap();
            }
        }
    }

    /// The names of all files in both folders.
    pub(crate) fn names(&self) -> Vec<String> {
        let all = ["private", "out"].iter().flat_map(|folder| fs::read_dir(self.at(folder)).unwrap());
        let mut names: Vec<String> =
            all.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Makes `l.ledger` remember where the desk was when releases lie under another root: records hold full paths.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Files that others may read although they show what is private.
    pub(crate) fn leaks(&self) -> Vec<PathBuf> {
        let all = ["private", "out"].iter().flat_map(|folder| fs::read_dir(self.at(folder)).unwrap());
        all.map(|entry| entry.unwrap().path())
            .filter(|path| {
                let open = path.metadata().unwrap().permissions().mode() & 0o077 != 0;
                let bytes = fs::read(path).unwrap();
                let hidden = path.file_name().unwrap().to_string_lossy().starts_with('.');
                open && (hidden || bytes.windows(SECRET.len()).any(|w| w == SECRET.as_bytes()))
            })
            .collect()
    }
}

/// What the files of a release hold.
pub(crate) fn content(number: u32, ending: &str) -> String {
    let secret = if ending == ".audit.json" { SECRET } else { "public" };
    format!("{secret}, release {number}{ending}\n").repeat(200)
}

/// Opens the ledger below this folder, and makes and records its next release, ten rows longer than the one before.
pub(crate) fn commit_next(root: &Path, name: &str) -> Result<()> {
    let (file, ledger) = LedgerFile::open_or_new(&root.join("private/l.ledger"))?;
    let number = ledger.as_ref().map_or(1, Ledger::next_number);
    let place = root.join("out").join(name);
    let staged = |ending: &str| -> Result<Staged> {
        let mut name = place.clone().into_os_string();
        name.push(ending);
        let place = PathBuf::from(name);
        let staged = if ending == ".audit.json" { Staged::private(&place) } else { Staged::new(&place) }?;
        staged.writer()?.write_all(content(number, ending).as_bytes()).unwrap();
        Ok(staged)
    };
    let (release, companions) = (staged("")?, COMPANIONS.map(staged));
    let mut ledger = ledger.unwrap_or_else(empty);
    ledger.releases.push(ReleaseRecord::of(number, &release, 10 * u64::from(number), number - 1)?);
    let atom = Atom { rows: 10, people: None, first_release: number, withdrawn_in: None, class: number - 1 };
    ledger.atoms.push(atom);
    ledger.atom_of = (0..number).flat_map(|atom| [atom; 10]).collect();
    file.commit(&ledger, release, companions.into_iter().collect::<Result<_>>()?)
}

fn empty() -> Ledger {
    Ledger {
        job: JobSpec { k: Some(10), qi: vec!["age".into()], ..JobSpec::default() },
        trees: BTreeMap::from([("age".into(), sha256_of("tree"))]),
        columns: vec![("age".into(), "Utf8".into())],
        published: true,
        releases: Vec::new(),
        atoms: Vec::new(),
        atom_of: Vec::new(),
        keys: Vec::new(),
        gone: Vec::new(),
        salt: [3; 32],
        frozen: BTreeMap::from([("illness".into(), vec![(SECRET.into(), 10)])]),
        waiting: None,
    }
}

/// Whether this file has these bytes.
pub(crate) fn is_release(place: &Path, sha256: &str) -> bool {
    sha256_of_file(place).is_ok_and(|found| found == sha256)
}
