//! Releases in files, to be attacked together.

use std::path::{Path, PathBuf};

use super::claims::Claims;
use super::{names_columns, others_certificate, told};
use crate::error::{Error, Result};
use crate::input::{FileTable, JobSpec, ReadOptions, TableSource};
use crate::job::risk::risk_of_each;
use crate::job::{CheckedJob, Observer, RiskQuestion};
use crate::risk::RiskFound;

/// Releases of the same people in files.
pub struct FileRiskJob {
    jobs: Vec<CheckedJob>,
    releases: Vec<PathBuf>,
    question: RiskQuestion,
    reading: ReadOptions,
}

impl FileRiskJob {
    /// Checks what can be checked before any data is read. Where neither quasi-identifiers nor a job file are named, the
    /// certificates beside the releases say what is claimed of them; what the job says goes before that.
    pub fn new(spec: &JobSpec, releases: Vec<PathBuf>, question: RiskQuestion) -> Result<Self> {
        if releases.len() < 2 && question.known.is_empty() {
            return Err(Error::job(format!("{} given, expected at least two", shown(releases.len())))
                .help("name the releases that somebody could have, the earliest first; `verify` looks at one by itself"));
        }
        let job = |release: &PathBuf| {
            if names_columns(spec) {
                return spec.check_for_verification();
            }
            let Some(place) = Claims::beside(release) else {
                // A path that leads nowhere is the more likely mistake.
                FileTable::open_release_with(release, &spec.reading())?;
                return Err(no_columns(release));
            };
            Ok(Claims::read(&place)?.job(spec, false)?.job)
        };
        let jobs = releases.iter().map(job).collect::<Result<_>>()?;
        Ok(Self { jobs, releases, question, reading: spec.reading() })
    }

    /// Attacks them.
    pub fn run(&self, observer: &dyn Observer) -> Result<RiskFound> {
        let open = |release: &PathBuf| FileTable::open_release_with(release, &self.reading);
        let tables: Vec<FileTable> = self.releases.iter().map(open).collect::<Result<_>>()?;
        for table in &tables {
            told(table, observer);
        }
        let sources: Vec<&dyn TableSource> = tables.iter().map(|table| table as &dyn TableSource).collect();
        let jobs: Vec<&CheckedJob> = self.jobs.iter().collect();
        risk_of_each(&jobs, &sources, &self.question, observer)
    }
}

fn no_columns(release: &Path) -> Error {
    let beside = others_certificate::beside(release);
    Error::job("no quasi-identifier was named").in_file(release.display().to_string()).option("qi").help(format!(
        "name the columns an outsider could know; there is no certificate beside the release ({}) that would name them",
        beside.display()
    ))
}

fn shown(releases: usize) -> &'static str {
    if releases == 0 { "no release was" } else { "one release was" }
}
