//! Where a job may write: never over what it reads, and never one file over the other.

use std::path::{Path, PathBuf};

use crate::data::hierarchy_build::HierarchySpec;
use crate::error::{Error, Result};
use crate::input::JobFile;
use crate::output::{refuse_foreign_ending, refuse_same_file, replaces, same_file};

/// The place of the certificate: beside the release, unless another was named; none for standard output.
pub(super) fn certificate(job: &JobFile, output: &Path) -> Option<PathBuf> {
    let beside = || {
        let mut name = output.as_os_str().to_owned();
        name.push(".certificate.json");
        (output != Path::new("-")).then(|| name.into())
    };
    job.certificate.clone().or_else(beside)
}

/// Refuses to lose a file: nothing that is written replaces what is read, or another thing that is written.
pub(super) fn check(job: &JobFile, input: &Path, output: &Path) -> Result<()> {
    refuse_foreign_ending(output)?;
    refuse_same_file(input, output)?;
    let stdout = Path::new("-");
    if output == stdout && job.certificate.as_deref() == Some(stdout) {
        return Err(Error::job("the release and the certificate cannot both go to standard output")
            .at("-o - --certificate -")
            .help("write one of them to a file"));
    }
    if let Some(place) = &job.solutions {
        check_ending(place)?;
    }
    let certificate = certificate(job, output);
    let written = [
        ("the release", Some(output)),
        ("the certificate", certificate.as_deref()),
        ("the list of solutions", job.solutions.as_deref()),
    ];
    let written: Vec<_> = written.into_iter().filter_map(|(what, place)| Some((what, place?))).collect();
    let read = inputs(job, input);
    for (at, &(what, place)) in written.iter().enumerate() {
        if let Some((lost, _)) = read.iter().find(|(_, file)| replaces(file, place)) {
            return Err(refusal(what, lost, place));
        }
        if let Some((lost, _)) = written[..at].iter().find(|(_, other)| same_file(other, place)) {
            return Err(refusal(what, lost, place));
        }
    }
    Ok(())
}

/// Every file the job reads, or might.
fn inputs(job: &JobFile, input: &Path) -> Vec<(&'static str, PathBuf)> {
    let named = job.columns.values().filter_map(|column| match &column.hierarchy {
        Some(HierarchySpec::File(file)) => Some(file.clone()),
        _ => None,
    });
    let folder = job.hierarchies.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
    let lying = folder.into_iter().flatten().flatten().map(|entry| entry.path());
    let job_file = job.path.iter().map(|path| ("the job file", path.clone()));
    std::iter::once(("the input", input.to_owned()))
        .chain(job_file)
        .chain(named.chain(lying).map(|path| ("a hierarchy", path)))
        .collect()
}

/// The list of solutions is a CSV or a JSON file.
fn check_ending(place: &Path) -> Result<()> {
    if place != Path::new("-") && (is_json(place) || place.extension().is_some_and(|e| e == "csv")) {
        return Ok(());
    }
    Err(Error::job("the list of solutions is written as .csv or .json")
        .at(format!("--solutions {}", place.display()))
        .help("end the name of the file in one of them"))
}

/// Whether a list of solutions is to be JSON.
pub(super) fn is_json(place: &Path) -> bool {
    place.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"))
}

fn refusal(what: &str, lost: &str, place: &Path) -> Error {
    Error::job(format!("{what} would replace {lost}"))
        .at(place.display().to_string())
        .help("give it another name")
}
