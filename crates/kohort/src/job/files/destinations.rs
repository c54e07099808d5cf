//! Where a job may write: never over what it reads, and never one file over the other.

use std::path::{Path, PathBuf};

use crate::data::recipes::HierarchySpec;
use crate::error::{Error, Result};
use crate::input::JobSpec;
use crate::output::{refuse_foreign_ending, refuse_same_file, replaces, same_file};

/// The place of the certificate: beside the release, unless another was named; none for standard output.
pub(super) fn certificate(spec: &JobSpec, output: &Path) -> Option<PathBuf> {
    spec.certificate.clone().or_else(|| beside(output, ".certificate.json"))
}

/// Where the release goes to a pipe there is no place beside it: the steward must say what becomes of the audit record.
fn check_audit(spec: &JobSpec, output: &Path) -> Result<()> {
    let declined = spec.no_audit.unwrap_or(false);
    if declined && spec.audit.is_some() {
        return Err(Error::job("an audit record is both named and declined")
            .at("audit, no-audit")
            .help("omit one of them"));
    }
    if output == Path::new("-") && spec.audit.is_none() && !declined {
        return Err(Error::job(
            "the release goes to standard output, so there is no place beside it for the audit record",
        )
        .option_with("output", "-")
        .help("name one for your files with ‹audit=FILE.json›, or say ‹no-audit›"));
    }
    if spec.audit.as_deref() == Some(Path::new("-")) {
        return Err(Error::job("the audit record is private and goes to a file, not to standard output")
            .option_with("audit", "-")
            .help("name a file"));
    }
    Ok(())
}

/// The place of the private audit record: beside the release, unless another was named or none is wanted.
pub(super) fn audit(spec: &JobSpec, output: &Path) -> Option<PathBuf> {
    if spec.no_audit.unwrap_or(false) {
        return None;
    }
    spec.audit.clone().or_else(|| beside(output, ".audit.json"))
}

/// An audit record of an earlier release that would seem to belong to this one.
pub(super) fn stale_audit(spec: &JobSpec) -> Option<PathBuf> {
    let place = beside(spec.output.as_deref()?, ".audit.json")?;
    let elsewhere =
        spec.no_audit.unwrap_or(false) || spec.audit.as_deref().is_some_and(|a| !same_file(a, &place));
    (elsewhere && place.is_file()).then_some(place)
}

/// The certificate of an earlier release that would seem to belong to this one.
pub(super) fn stale_certificate(spec: &JobSpec) -> Option<PathBuf> {
    let place = beside(spec.output.as_deref()?, ".certificate.json")?;
    let elsewhere = spec.certificate.as_deref().is_some_and(|c| !same_file(c, &place));
    (elsewhere && place.is_file()).then_some(place)
}

fn beside(output: &Path, ending: &str) -> Option<PathBuf> {
    let mut name = output.as_os_str().to_owned();
    name.push(ending);
    (output != Path::new("-")).then(|| name.into())
}

/// Refuses to lose a file: nothing that is written replaces what is read, or another thing that is written.
pub(super) fn check(spec: &JobSpec, input: &Path, output: &Path) -> Result<()> {
    refuse_foreign_ending(output)?;
    refuse_same_file(input, output)?;
    let stdout = Path::new("-");
    if output == stdout && spec.certificate.as_deref() == Some(stdout) {
        return Err(Error::job("the release and the certificate cannot both go to standard output")
            .at("‹output=-› ‹certificate=-›")
            .help("write one of them to a file"));
    }
    if let Some(place) = &spec.solutions {
        check_ending(place)?;
    }
    check_audit(spec, output)?;
    let (certificate, audit) = (certificate(spec, output), audit(spec, output));
    let written = [
        ("the release", Some(output)),
        ("the certificate", certificate.as_deref()),
        ("the audit record", audit.as_deref()),
        ("the list of solutions", spec.solutions.as_deref()),
    ];
    let written: Vec<_> = written.into_iter().filter_map(|(what, place)| Some((what, place?))).collect();
    let read = inputs(spec, input);
    for (at, &(what, place)) in written.iter().enumerate() {
        if let Some((lost, _)) = read.iter().find(|(_, file)| replaces(file, place)) {
            return Err(refusal(what, lost, place));
        }
        if let Some((lost, _)) = written[..at].iter().find(|(_, other)| same_file(other, place)) {
            return Err(refusal(what, lost, place));
        }
    }
    spec.certificate.iter().try_for_each(|place| refuse_other_kind(place, Document::Certificate))?;
    spec.audit.iter().try_for_each(|place| refuse_other_kind(place, Document::Audit))
}

/// The two documents that go with a release.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Document {
    Certificate,
    Audit,
}

/// Refuses to put a document where something else is, such as the private record in the place of a public certificate.
fn refuse_other_kind(place: &Path, document: Document) -> Result<()> {
    let small = |m: &std::fs::Metadata| m.len() < 1 << 26;
    let Ok(found) = place.metadata() else { return Ok(()) };
    if !found.is_file() || found.len() == 0 {
        return Ok(());
    }
    let text = if small(&found) { std::fs::read(place).unwrap_or_default() } else { Vec::new() };
    let object: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    let kind = object["document"].as_str().unwrap_or_default();
    let (name, option, expected) = match document {
        Document::Certificate => ("certificate", "certificate", "kohort certificate"),
        Document::Audit => ("audit record", "audit", "kohort audit"),
    };
    if kind.starts_with(expected) {
        return Ok(());
    }
    Err(Error::job(format!("there is a file that is not an earlier {name}, and would be lost"))
        .option_with(option, place.display().to_string())
        .help("give it another name, or remove that file first"))
}

/// Every file the job reads, or might.
fn inputs(spec: &JobSpec, input: &Path) -> Vec<(&'static str, PathBuf)> {
    let named = spec.columns.values().filter_map(|column| match &column.hierarchy {
        Some(HierarchySpec::File(file)) => Some(file.clone()),
        _ => None,
    });
    let folder = spec.hierarchies.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
    let lying = folder.into_iter().flatten().flatten().map(|entry| entry.path());
    let job_file = spec.path.iter().map(|path| ("the job file", path.clone()));
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
        .option_with("solutions", place.display().to_string())
        .help("end the name of the file in one of them"))
}

/// Whether a list of solutions is to be JSON.
pub(super) fn is_json(place: &Path) -> bool {
    place.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"))
}

fn refusal(what: &str, lost: &str, place: &Path) -> Error {
    Error::job(format!("{what} would replace {lost}"))
        .in_file(place.display().to_string())
        .help("give it another name")
}
