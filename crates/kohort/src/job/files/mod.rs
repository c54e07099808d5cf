//! The walk for tables in files: paths, standard input and output, and where everything is put.

mod destinations;
mod others_certificate;
mod sink;

use std::path::{Path, PathBuf};

pub use self::sink::FileSink;
use super::{CheckedJob, Observer, Outcome, Verdict, anonymize, verify};
use crate::error::{Error, Result, Said};
use crate::input::{FileTable, JobSpec, TableSource};

/// A job from one file to another.
pub struct FileJob {
    spec: JobSpec,
    job: CheckedJob,
    input: PathBuf,
    output: PathBuf,
}

impl FileJob {
    /// Checks what can be checked before any data is read.
    pub fn new(spec: JobSpec) -> Result<Self> {
        let missing = |what: &str, option: &str| Error::job(format!("no {what} was given")).option(option);
        let input = spec.input.clone().ok_or_else(|| {
            missing("input table", "input").help("name a .csv, .tsv, .parquet or .arrow file")
        })?;
        let output = spec.output.clone().ok_or_else(|| {
            missing("place for the release", "output")
                .help("say where to write it, such as ‹output=release.csv›")
        })?;
        let job = spec.check()?;
        destinations::check(&spec, &input, &output)?;
        Ok(Self { spec, job, input, output })
    }

    /// Makes the release.
    pub fn run(&self, observer: &dyn Observer) -> Result<Outcome> {
        observer.enter(super::Stage::Read, 0);
        let source = FileTable::open(&self.input)?;
        let mut sink = FileSink::new(&self.spec, &self.output, source.format());
        let mut outcome = anonymize(&self.job, &source, &mut sink, observer)?;
        outcome.notes.extend(self.notes(&outcome));
        Ok(outcome)
    }

    /// Where the certificate goes.
    pub fn certificate_place(&self) -> Option<PathBuf> {
        destinations::certificate(&self.spec, &self.output)
    }

    /// Where the private audit record goes.
    pub fn audit_place(&self) -> Option<PathBuf> {
        destinations::audit(&self.spec, &self.output)
    }

    /// What a person should hear about the files.
    fn notes(&self, outcome: &Outcome) -> Vec<Said> {
        let spec = &self.spec;
        let mut out = Vec::new();
        if let Some(place) = &spec.solutions {
            out.push(outcome.solutions.note(place));
        }
        if spec.output.as_deref() == Some(Path::new("-")) && spec.certificate.is_none() {
            out.push("no certificate is written, because the release goes to standard output; ‹certificate=FILE.json› names a place for it".into());
        }
        out.extend(destinations::stale_audit(spec).map(|place| {
            format!("{} is of an earlier release: this run writes no audit record", place.display()).into()
        }));
        out.extend(destinations::stale_certificate(spec).map(|place| {
            format!("{} is of an earlier release, and does not belong to this one", place.display()).into()
        }));
        out
    }
}

/// A table in a file, to be examined.
pub struct FileVerifyJob {
    job: CheckedJob,
    release: PathBuf,
    original: Option<PathBuf>,
}

impl FileVerifyJob {
    /// Checks what can be checked before any data is read.
    pub fn new(spec: &JobSpec, release: PathBuf, original: Option<PathBuf>) -> Result<Self> {
        let stdin = Path::new("-");
        if release == stdin && original.as_deref() == Some(stdin) {
            return Err(Error::job("the release and the original cannot both come from standard input")
                .at("verify ‹release=-› ‹original=-›")
                .help("read one of them from a file"));
        }
        Ok(Self { job: spec.check_for_verification()?, release, original })
    }

    /// What it is checked for.
    pub fn job(&self) -> &CheckedJob {
        &self.job
    }

    /// Examines the table.
    pub fn run(&self, observer: &dyn Observer) -> Result<Verdict> {
        let release = FileTable::open_release(&self.release)?;
        let original = self.original.as_deref().map(FileTable::open).transpose()?;
        let original = original.as_ref().map(|original| original as &dyn TableSource);
        verify(&self.job, &release, original, observer)
    }
}
