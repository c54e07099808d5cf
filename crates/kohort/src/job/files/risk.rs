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
    /// Whether certificates say which release is the earlier one.
    is_order_known: bool,
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
        let is_order_known = in_order(&releases)?;
        Ok(Self { jobs, releases, question, is_order_known, reading: spec.reading() })
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
        let mut found = risk_of_each(&jobs, &sources, &self.question, observer)?;
        if !self.is_order_known {
            found.not_tried.push(
                "whether the releases were made in the order in which they were named: nothing in them tells"
                    .into(),
            );
        }
        Ok(found)
    }
}

/// Whether the certificates beside all releases say that they stand in the order in which they were made. An error where they say
/// that they do not: who came would be taken for who left.
fn in_order(releases: &[PathBuf]) -> Result<bool> {
    let number = |release: &PathBuf| Claims::read(&Claims::beside(release)?).ok()?.release_of_series();
    let numbers: Vec<Option<u32>> = releases.iter().map(number).collect();
    let mut told: Vec<(u32, &PathBuf)> =
        numbers.iter().zip(releases).filter_map(|(n, r)| Some(((*n)?, r))).collect();
    if let Some([(earlier, first), (later, second)]) = told.windows(2).find(|pair| pair[0].0 > pair[1].0) {
        let what = format!(
            "{} is release {earlier} of its table and stands before {}, which is release {later}",
            first.display(),
            second.display()
        );
        told.sort_by_key(|(number, _)| *number);
        let named: Vec<String> = told.iter().map(|(_, release)| release.display().to_string()).collect();
        return Err(Error::job(what).help(format!("name the earliest first: {}", named.join(" "))));
    }
    Ok(releases.len() < 2 || numbers.iter().all(Option::is_some))
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
