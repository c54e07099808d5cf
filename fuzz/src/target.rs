//! The readers, each as a function of the bytes of a file.

use std::fmt;
use std::path::{Path, PathBuf};

use kohort::algorithm::Quiet;
use kohort::input::{
    FileTable, JobSpec, TableSource, check_hierarchy, encode, examine_hierarchy, read_hierarchy,
};
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::ledger::Ledger;
use kohort::{Error, Result};
use sha2::{Digest, Sha256};

/// A reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Tables as text: CSV and JSON.
    Csv,
    /// Parquet tables.
    Parquet,
    /// Arrow tables.
    Arrow,
    /// Hierarchies of ARX, Amnesia and mosaicrown.
    Hierarchy,
    /// Job files.
    Job,
    /// Releases in any format, as `verify` reads them.
    Release,
    /// Ledgers of growing tables.
    Ledger,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Csv, Self::Parquet, Self::Arrow, Self::Hierarchy, Self::Job, Self::Release, Self::Ledger];

    /// The target of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.to_string() == name)
    }

    /// Reads a file. The answer is what the reader said, be it an error; the ending of the file tells its format.
    pub fn read(self, file: &Path) -> String {
        let done = match self {
            Self::Csv | Self::Parquet | Self::Arrow => table(file),
            Self::Hierarchy => hierarchy(file),
            Self::Job => job(file),
            Self::Release => release(file),
            Self::Ledger => ledger(file),
        };
        done.unwrap_or_else(|e| e.to_string())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Hierarchy => "hierarchy",
            Self::Job => "job",
            Self::Release => "release",
            Self::Ledger => "ledger",
        };
        f.write_str(name)
    }
}

/// All columns as values, and each as text.
fn table(file: &Path) -> Result<String> {
    let source = FileTable::open(file)?;
    let all: Vec<usize> = (0..source.schema().fields().len()).collect();
    let mut rows = 0usize;
    for batch in source.batches(&all)? {
        rows += batch?.num_rows();
    }
    let texts = all.iter().map(|&column| match encode(&source, &[column]) {
        Ok(_) => String::new(),
        Err(e) => e.to_string(),
    });
    let texts: Vec<String> = texts.collect();
    // How large the table is tells less than what is in it.
    Ok(format!("a table of 2^{} rows, {}", rows.checked_ilog2().unwrap_or(0), texts.concat()))
}

fn hierarchy(file: &Path) -> Result<String> {
    let found = check_hierarchy(file, "column")?;
    let usable = examine_hierarchy(file, "column")?.usable();
    let read = read_hierarchy(file, "column");
    let said = found.first().map(|f| f.what.clone()).unwrap_or_default();
    if usable != read.is_ok() {
        return Err(Error::internal("`check` and reading do not agree about a hierarchy"));
    }
    Ok(format!("{usable} {said}"))
}

fn job(file: &Path) -> Result<String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let places = JobSpec {
        input: Some(folder.join("people.csv")),
        output: Some(folder.join("release.csv")),
        certificate: Some(folder.join("certificate.json")),
        rest: Some(kohort::data::Rest::Keep),
        ..JobSpec::default()
    };
    FileJob::new(JobSpec::read(file)?.overridden_by(places)).map(|_| "a job".into())
}

/// Against the table it was made from, and by itself.
fn release(file: &Path) -> Result<String> {
    let spec = JobSpec {
        qi: vec!["age".into(), "zip".into()],
        sensitive: vec!["illness".into()],
        k: Some(2),
        rest: Some(kohort::data::Rest::Keep),
        ..JobSpec::default()
    };
    let verdict = |original: Option<PathBuf>| {
        let verdict = FileVerifyJob::new(&spec, file.to_owned(), original)?.run(&Quiet)?;
        Ok::<String, Error>(verdict.shortfalls.iter().map(ToString::to_string).collect())
    };
    let original = file.parent().unwrap_or(Path::new(".")).join("people.csv");
    let traced = verdict(Some(original));
    let alone = verdict(None)?;
    Ok(format!("{alone} / {}", traced.unwrap_or_else(|e| e.to_string())))
}

/// As it is, and under a seal that is right: damage would hardly ever get past the wrong one.
fn ledger(file: &Path) -> Result<String> {
    let mut bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{e}"));
    let whole = Ledger::from_bytes(&bytes, "ledger").is_ok();
    if let Some(end) = bytes.len().checked_sub(32) {
        let seal = Sha256::digest(&bytes[..end]);
        bytes[end..].copy_from_slice(&seal);
    }
    let ledger = Ledger::from_bytes(&bytes, "ledger")?;
    // What can be read can be written and shown.
    ledger.to_bytes()?;
    let atoms = ledger.summary().atom_sizes.len();
    Ok(format!("a ledger, whole: {whole}, {atoms} sizes, waiting: {}", ledger.waiting.is_some()))
}
