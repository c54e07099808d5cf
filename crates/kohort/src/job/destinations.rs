//! Where a job may write: never over what it reads, and never one file over the other.

use std::path::{Path, PathBuf};

use crate::data::hierarchy_build::HierarchySpec;
use crate::error::{Error, Result};
use crate::input::JobFile;
use crate::output::{refuse_foreign_ending, refuse_same_file, same_file};

/// The place of the certificate: beside the release, unless another was named; none for standard output.
pub(super) fn certificate(job: &JobFile, output: &Path) -> Option<PathBuf> {
    job.certificate.clone().or_else(|| beside(output, ".certificate.json"))
}

/// Where the release goes to a pipe there is no place beside it: the steward must say what becomes of the audit record.
pub(super) fn check_audit(job: &JobFile, output: &Path) -> Result<()> {
    let declined = job.no_audit.unwrap_or(false);
    if declined && job.audit.is_some() {
        return Err(Error::job("an audit record is both named and declined")
            .at("audit, no-audit")
            .help("leave one of them away"));
    }
    if output == Path::new("-") && job.audit.is_none() && !declined {
        return Err(Error::job(
            "the release goes to standard output, so there is no place beside it for the audit record",
        )
        .at("-o -")
        .help("name one for your files with --audit FILE.json, or say --no-audit"));
    }
    if job.audit.as_deref() == Some(Path::new("-")) {
        return Err(Error::job("the audit record is private and goes to a file, not to standard output")
            .at("--audit -")
            .help("name a file"));
    }
    Ok(())
}

/// The place of the private audit record: beside the release, unless another was named or none is wanted.
pub(super) fn audit(job: &JobFile, output: &Path) -> Option<PathBuf> {
    if job.no_audit.unwrap_or(false) {
        return None;
    }
    job.audit.clone().or_else(|| beside(output, ".audit.json"))
}

fn beside(output: &Path, ending: &str) -> Option<PathBuf> {
    let mut name = output.as_os_str().to_owned();
    name.push(ending);
    (output != Path::new("-")).then(|| name.into())
}

/// Refuses to lose a file.
pub(super) fn check(job: &JobFile, input: &Path, output: &Path) -> Result<()> {
    refuse_foreign_ending(output)?;
    refuse_same_file(input, output)?;
    let stdout = Path::new("-");
    if output == stdout && job.certificate.as_deref() == Some(stdout) {
        return Err(Error::job("the release and the certificate cannot both go to standard output")
            .at("-o - --certificate -")
            .help("write one of them to a file"));
    }
    let certificate = certificate(job, output);
    let solutions = job.solutions.as_deref();
    if let Some(place) = solutions {
        check_ending(place)?;
        let others = [(Some(output), "the release"), (certificate.as_deref(), "the certificate")];
        for (other, what) in others {
            if other.is_some_and(|other| same_file(other, place)) {
                return Err(lost(&format!("the list of solutions would replace {what}"), place));
            }
        }
    }
    for place in std::iter::once(output).chain(certificate.as_deref()).chain(solutions) {
        if same_file(input, place) {
            let what = if Some(place) == solutions { "the list of solutions" } else { "the certificate" };
            return Err(lost(&format!("{what} would replace the input"), place));
        }
        if hierarchies(job).any(|h| same_file(h, place)) || in_folder(job, place) {
            return Err(lost("this would replace a hierarchy", place));
        }
    }
    match certificate {
        Some(place) if same_file(&place, output) => {
            Err(lost("the certificate would replace the release", &place))
        }
        _ => Ok(()),
    }
}

fn hierarchies(job: &JobFile) -> impl Iterator<Item = &Path> {
    job.columns.values().filter_map(|column| match &column.hierarchy {
        Some(HierarchySpec::File(file)) => Some(file.as_path()),
        _ => None,
    })
}

/// Whether a file that is there already lies in the folder of hierarchies.
fn in_folder(job: &JobFile, place: &Path) -> bool {
    let folder = place.canonicalize().ok().and_then(|p| p.parent().map(Path::to_owned));
    let hierarchies = job.hierarchies.as_ref().and_then(|h| h.canonicalize().ok());
    folder.is_some() && folder == hierarchies
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

fn lost(what: &str, place: &Path) -> Error {
    Error::job(what).at(place.display().to_string()).help("give it another name")
}
