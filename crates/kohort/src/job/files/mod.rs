//! The walk for tables in files: paths, standard input and output, and where everything is put.

mod append;
mod cannot_hold;
mod claims;
mod destinations;
mod explain;
mod init;
mod others_certificate;
mod risk;
mod save;
mod sink;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use self::append::{AppendPlaces, FileAppendJob, mark_published};
use self::claims::{ClaimedJob, Claims};
pub use self::explain::{ExplainPlaces, FileExplainJob};
pub use self::init::{FileInit, Proposed};
pub use self::risk::FileRiskJob;
pub use self::save::save_release;
pub use self::sink::FileSink;
use super::{CheckedJob, Observer, Outcome, TableBound, Verdict, anonymize, bound, verify};
use crate::data::{Hierarchy, Role};
use crate::error::{Error, Result, Said, marked};
use crate::input::{FileTable, JobSpec, ReadOptions, TableSource};

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
            missing("input table", "input")
                .help("name a .csv, .tsv, .xlsx, .jsonl, .parquet, .arrow or SQLite file")
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
        let source = FileTable::open_with(&self.input, &self.spec.reading())?;
        told(&source, observer);
        let mut sink = FileSink::new(&self.spec, &self.output, source.format());
        let cannot_hold = sink.cannot_hold(source.schema());
        if let Some(note) = &cannot_hold {
            observer.hear(note);
        }
        let mut outcome = anonymize(&self.job, &source, &mut sink, observer)?;
        outcome.notes.extend(source.notes().iter().cloned().chain(cannot_hold));
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

/// A table in a file of which is to be said what no release loses less than.
pub struct FileBoundJob {
    job: CheckedJob,
    input: PathBuf,
    reading: ReadOptions,
}

impl FileBoundJob {
    /// Checks what can be checked before any data is read.
    pub fn new(spec: &JobSpec) -> Result<Self> {
        let input = spec.input.clone().ok_or_else(|| {
            Error::job("no input table was given")
                .option("input")
                .help("name a .csv, .tsv, .xlsx, .jsonl, .parquet, .arrow or SQLite file")
        })?;
        Ok(Self { job: spec.check()?, input, reading: spec.reading() })
    }

    /// What is asked of a release.
    pub fn job(&self) -> &CheckedJob {
        &self.job
    }

    /// Looks for the bound, so long where a time is given.
    pub fn run(&self, time: Option<Duration>, observer: &dyn Observer) -> Result<TableBound> {
        let source = FileTable::open_with(&self.input, &self.reading)?;
        told(&source, observer);
        bound(&self.job, &source, time, observer)
    }
}

/// A table in a file, to be examined: for what is demanded of it, or for what its certificate claims.
pub struct FileVerifyJob {
    asked: AskedBy,
    release: PathBuf,
    original: Option<PathBuf>,
    reading: ReadOptions,
}

/// Who says what the table is to be examined for.
enum AskedBy {
    /// The user.
    Job(CheckedJob),
    /// The user, who names no quasi-identifier, beside a release without a certificate.
    Nobody(CheckedJob),
    /// A certificate, and the user where she wants something else.
    Certificate(Box<Claims>, Box<ClaimedJob>),
}

impl FileVerifyJob {
    /// Checks what can be checked before any data is read. Where neither quasi-identifiers nor a job file are named, the
    /// certificate beside the release says what is claimed of it.
    pub fn new(spec: &JobSpec, release: PathBuf, original: Option<PathBuf>) -> Result<Self> {
        if names_columns(spec) {
            let asked = AskedBy::Job(spec.check_for_verification()?);
            return Self::with(asked, release, original, spec.reading());
        }
        if let Some(place) = Claims::beside(&release) {
            return Self::with_certificate(spec, release, original, &place);
        }
        let asked = AskedBy::Nobody(spec.check_for_verification()?);
        Self::with(asked, release, original, spec.reading())
    }

    /// The same with a certificate, wherever it lies. What the job says goes before what is claimed.
    pub fn with_certificate(
        spec: &JobSpec,
        release: PathBuf,
        original: Option<PathBuf>,
        certificate: &Path,
    ) -> Result<Self> {
        let claims = Claims::read(certificate)?;
        let claimed = claims.job(spec, original.is_some())?;
        let asked = AskedBy::Certificate(Box::new(claims), Box::new(claimed));
        Self::with(asked, release, original, spec.reading())
    }

    fn with(
        asked: AskedBy,
        release: PathBuf,
        original: Option<PathBuf>,
        reading: ReadOptions,
    ) -> Result<Self> {
        let stdin = Path::new("-");
        if release == stdin && original.as_deref() == Some(stdin) {
            return Err(Error::job("the release and the original cannot both come from standard input")
                .at("verify ‹release=-› ‹original=-›")
                .help("read one of them from a file"));
        }
        Ok(Self { asked, release, original, reading })
    }

    /// What it is checked for.
    pub fn job(&self) -> &CheckedJob {
        match &self.asked {
            AskedBy::Job(job) | AskedBy::Nobody(job) => job,
            AskedBy::Certificate(_, claimed) => &claimed.job,
        }
    }

    /// Examines the table.
    pub fn run(&self, observer: &dyn Observer) -> Result<Verdict> {
        // What is said about how to read is said of the original; of the release, where there is no other table.
        let of_release = if self.original.is_some() { ReadOptions::default() } else { self.reading.clone() };
        let release = FileTable::open_release_with(&self.release, &of_release)?;
        told(&release, observer);
        if matches!(self.asked, AskedBy::Nobody(_)) {
            return Err(self.nothing_named());
        }
        let open = |original| FileTable::open_with(original, &self.reading);
        let original = self.original.as_deref().map(open).transpose()?;
        if let Some(original) = &original {
            told(original, observer);
        }
        let original = original.as_ref().map(|original| original as &dyn TableSource);
        match &self.asked {
            AskedBy::Certificate(claims, claimed) => {
                examine_claims(claims, claimed, &release, original, observer)
            }
            _ => verify(self.job(), &release, original, observer),
        }
    }

    fn nothing_named(&self) -> Error {
        let why = if self.release == Path::new("-") {
            "standard input has no certificate beside it that would name them".to_owned()
        } else {
            let beside = others_certificate::beside(&self.release);
            format!("there is no certificate beside the release ({}) that would name them", beside.display())
        };
        let elsewhere = marked("certificate", "FILE");
        Error::job("no quasi-identifier was named")
            .option("qi")
            .help(format!("name the columns an outsider could know; {why}, {elsewhere} says where it lies"))
    }
}

/// Examines a table for what the text of a certificate claims of it, wherever both lie. What `said` says goes before that, and
/// its hierarchies before those that it names.
pub fn verify_claims(
    (said, hierarchies): (&JobSpec, Vec<(String, Hierarchy)>),
    certificate: &str,
    release: &dyn TableSource,
    original: Option<&dyn TableSource>,
    observer: &dyn Observer,
) -> Result<Verdict> {
    let claims = Claims::parse(certificate.as_bytes(), Path::new("certificate"))?;
    let mut claimed = claims.job(said, original.is_some())?;
    for (column, tree) in hierarchies {
        claimed.job = claimed.job.with_hierarchy(column, tree);
    }
    examine_claims(&claims, &claimed, release, original, observer)
}

fn examine_claims(
    claims: &Claims,
    claimed: &ClaimedJob,
    release: &dyn TableSource,
    original: Option<&dyn TableSource>,
    observer: &dyn Observer,
) -> Result<Verdict> {
    let reduced = claims.without_gone(claimed, release)?;
    let mut verdict = verify(reduced.as_ref().unwrap_or(&claimed.job), release, original, observer)?;
    claims.compare(claimed, release, original.is_some(), &mut verdict)?;
    Ok(verdict)
}

/// Says how a table was read, where that needs words.
fn told(table: &FileTable, observer: &dyn Observer) {
    for note in table.notes() {
        observer.hear(note);
    }
}

/// Whether somebody says which columns are the quasi-identifiers.
pub fn names_columns(spec: &JobSpec) -> bool {
    let entries = || spec.columns.values().any(|entry| entry.role == Some(Role::QuasiIdentifier));
    spec.path.is_some() || !spec.qi.is_empty() || entries()
}
