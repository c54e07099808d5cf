//! Explaining a release in a file: the private record beside it says which job made it, and from which table.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::{names_columns, told};
use crate::error::{Error, Result, marked};
use crate::input::{FileTable, JobSpec, ReadOptions, TableSource};
use crate::job::{CheckedJob, ExplainQuestion, Observer, explain};
use crate::report::Explanation;

/// Records take kilobytes.
const MOST_BYTES: u64 = 1 << 26;

/// Where the things are that are needed to explain a release.
#[derive(Debug, Clone, Default)]
pub struct ExplainPlaces {
    /// The release.
    pub release: PathBuf,
    /// The table it was made from, where that is said.
    pub original: Option<PathBuf>,
    /// The private record, where it does not lie beside the release.
    pub audit: Option<PathBuf>,
}

/// A release in a file that is to be explained.
pub struct FileExplainJob {
    job: CheckedJob,
    release: PathBuf,
    original: PathBuf,
    /// How the original is to be read.
    reading: ReadOptions,
    recorded: Option<Recorded>,
}

/// What the private record says.
#[derive(Debug, Deserialize)]
struct Recorded {
    #[serde(skip)]
    place: PathBuf,
    files: RecordedFiles,
    #[serde(default)]
    job: Option<JobSpec>,
    #[serde(default)]
    growth: Option<RecordedGrowth>,
}

#[derive(Debug, Deserialize)]
struct RecordedFiles {
    input: PathBuf,
    input_sha256: String,
    release_sha256: String,
}

#[derive(Debug, Deserialize)]
struct RecordedGrowth {
    release: u32,
}

impl FileExplainJob {
    /// Finds out which job made the release: the one that is said here, or the one in the private record, with what is said here put
    /// over it.
    pub fn new(said: &JobSpec, places: ExplainPlaces) -> Result<Self> {
        let ExplainPlaces { release, original, audit } = places;
        let beside = audit.clone().unwrap_or_else(|| beside(&release));
        let recorded = if audit.is_some() || (!names_columns(said) && beside.is_file()) {
            Some(Recorded::read(&beside)?)
        } else {
            None
        };
        let spec = match &recorded {
            Some(recorded) if !names_columns(said) => recorded.job()?.overridden_by(said.clone()),
            None if !names_columns(said) => return Err(no_job(&release, &beside)),
            _ => said.clone(),
        };
        let named = original.or_else(|| spec.input.clone());
        let original = named.or_else(|| recorded.as_ref().map(|recorded| recorded.files.input.clone()));
        let original = original.ok_or_else(|| {
            Error::job("the table that the release was made from was not named")
                .option("original")
                .help("name it, such as ‹original=patients.csv›: without it nobody can tell what was lost")
        })?;
        if original == Path::new("-") {
            return Err(Error::job("the original is read several times, which standard input cannot be")
                .option("original")
                .help("name a file"));
        }
        let reading = spec.reading();
        Ok(Self { job: spec.check()?, release, original, reading, recorded })
    }

    /// What was asked of the release.
    pub fn job(&self) -> &CheckedJob {
        &self.job
    }

    /// Explains it.
    pub fn run(&self, question: &ExplainQuestion, observer: &dyn Observer) -> Result<Explanation> {
        let release = FileTable::open_release(&self.release)?;
        let original = self.open_original()?;
        told(&original, observer);
        if let Some(recorded) = &self.recorded {
            recorded.check(&release, &original)?;
        }
        explain(&self.job, &release, &original, question, observer)
    }

    fn open_original(&self) -> Result<FileTable> {
        let is_recorded =
            self.recorded.as_ref().is_some_and(|recorded| recorded.files.input == self.original);
        if is_recorded && !self.original.is_file() {
            return Err(Error::input("the table that the release was made from is not where the record says")
                .in_file(self.original.display().to_string())
                .option("original")
                .help("say where it is now, such as ‹original=patients.csv›; places in the record are those of the run that wrote it"));
        }
        FileTable::open_with(&self.original, &self.reading)
    }
}

fn beside(release: &Path) -> PathBuf {
    let mut name = release.as_os_str().to_owned();
    name.push(".audit.json");
    name.into()
}

fn no_job(release: &Path, beside: &Path) -> Error {
    let elsewhere = marked("audit", "FILE");
    Error::job("nothing says which job made this release").in_file(release.display().to_string()).option("audit").help(format!(
        "there is no audit record beside it ({}): {elsewhere} says where it is; or say the job again: ‹original=DATA›, ‹qi›, ‹k› and whatever else was asked",
        beside.display()
    ))
}

impl Recorded {
    fn read(place: &Path) -> Result<Self> {
        let shown = place.display().to_string();
        let wrong = |why: &str| {
            Error::input(format!("this is no audit record: {why}"))
                .in_file(&shown)
                .option("audit")
                .help("name the private file that was written beside the release, which ends in .audit.json")
        };
        let size = place.metadata().map_err(|e| wrong(&e.to_string()))?.len();
        if size > MOST_BYTES {
            return Err(wrong("it is too large"));
        }
        let text = std::fs::read(place).map_err(|e| wrong(&e.to_string()))?;
        let object: Value = serde_json::from_slice(&text).map_err(|_| wrong("it is not JSON"))?;
        match object["document"].as_str() {
            Some("kohort audit record") => {}
            Some("kohort certificate") => {
                return Err(wrong("it is a certificate, which says nothing of the original"));
            }
            _ => return Err(wrong("it does not say that it is one")),
        }
        let read: Self = serde_json::from_value(object).map_err(|e| wrong(&e.to_string()))?;
        if let Some(growth) = read.growth.as_ref().filter(|growth| growth.release > 1) {
            return Err(Error::job(format!(
                "this is release {} of a growing table: it was made from the release before it, and there is no table of which all its rows are",
                growth.release
            ))
            .in_file(shown)
            .help("explain the first release of a growing table"));
        }
        Ok(Self { place: place.to_owned(), ..read })
    }

    fn job(&self) -> Result<JobSpec> {
        self.job.clone().ok_or_else(|| {
            Error::input("the audit record does not hold the job: an earlier version of kohort wrote it")
                .in_file(self.place.display().to_string())
                .help("say the job again: name the job file, or ‹qi›, ‹k› and whatever else was asked")
        })
    }

    /// Refuses another release, and another table, than those that were recorded.
    fn check(&self, release: &FileTable, original: &FileTable) -> Result<()> {
        let files = &self.files;
        let pairs = [
            (
                release,
                &files.release_sha256,
                "release",
                "the release is not the one that the audit record was written for",
            ),
            (
                original,
                &files.input_sha256,
                "original",
                "the table is not the one that the release was made from, by its audit record",
            ),
        ];
        for (table, recorded, option, what) in pairs {
            if table.digest()? != *recorded {
                return Err(Error::input(format!("{what}: its SHA-256 is another one"))
                    .in_file(table.name())
                    .option(option)
                    .help(format!("{} says which one it is", self.place.display())));
            }
        }
        Ok(())
    }
}
