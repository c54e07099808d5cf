//! A certificate that is given a place of its own must not take that of another release's.
//!
//! Beside the release its name says whose it is. Elsewhere two jobs may name the same file, and the release that was made
//! first would end with a certificate that is not its own. The certificate knows its release by its digest; so if a table
//! nearby has that digest, and is not the one that is about to be replaced, the certificate stays where it is.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::input::{Packing, ending, sha256_of_file as sha256};
use crate::output::same_file;

/// How many bytes of tables are read to find the release of a certificate.
const MOST_BYTES: u64 = 1 << 30;

/// Refuses to replace a certificate whose release is still there, in the folder of either, and is not `output`. What only
/// was there, or cannot be read, is in nobody's way: the same command can always be run again.
pub(super) fn refuse_others(certificate: &Path, output: &Path) -> Result<()> {
    let stdout = Path::new("-");
    if certificate == stdout || output == stdout {
        return Ok(());
    }
    let Some(digest) = digest_in(certificate) else { return Ok(()) };
    let has_digest = |path: &Path| sha256(path).is_ok_and(|found| found == digest);
    if has_digest(output) {
        return Ok(());
    }
    let tables = folder(certificate).into_iter().chain(folder(output));
    // A release with a certificate beside it loses nothing, and need not be read.
    let served =
        |path: &PathBuf| digest_in(&beside(path)).is_some() && !same_file(&beside(path), certificate);
    let mut left = MOST_BYTES;
    let affordable = |path: &PathBuf| {
        let size = path.metadata().map_or(0, |m| m.len());
        left = left.saturating_sub(size);
        left > 0
    };
    let others = tables.filter(|path| is_table(path) && !same_file(path, output) && !served(path));
    match others.filter(affordable).find(|path| has_digest(path)) {
        None => Ok(()),
        Some(other) => Err(Error::job(format!(
            "there is the certificate of another release, {}, which would be left without",
            other.display()
        ))
        .option_with("certificate", certificate.display().to_string())
        .help("give every release a certificate of its own, or remove that release first")),
    }
}

/// Where the certificate of a release is if nothing else was said.
pub(super) fn beside(release: &Path) -> PathBuf {
    let mut name = release.as_os_str().to_owned();
    name.push(".certificate.json");
    name.into()
}

/// The digest of the release that a certificate belongs to; none if it is no certificate.
fn digest_in(certificate: &Path) -> Option<String> {
    // Certificates take kilobytes.
    let small = certificate.metadata().ok().filter(|m| m.is_file() && m.len() < 1 << 26);
    let text = small.and_then(|_| std::fs::read(certificate).ok())?;
    let object: serde_json::Value = serde_json::from_slice(&text).ok()?;
    Some(object["release"]["sha256"].as_str()?.to_owned())
}

/// The files of the folder that a file is in.
fn folder(of: &Path) -> Vec<PathBuf> {
    let folder = of.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort_unstable();
    files
}

fn is_table(path: &Path) -> bool {
    const ENDINGS: [&str; 11] =
        ["csv", "tsv", "tab", "psv", "jsonl", "ndjson", "parquet", "pq", "arrow", "feather", "ipc"];
    ENDINGS.contains(&ending(&Packing::split(path).0).as_str()) && path.is_file()
}
