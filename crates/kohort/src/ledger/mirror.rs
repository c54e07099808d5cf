//! A second copy of the ledger as it is now, for the day when the disk damages the first.
//!
//! It is never an earlier state: a ledger that has forgotten a release would let the next one give people away. And it holds
//! no row that the ledger itself has let go.

use std::path::{Path, PathBuf};

use super::file::read;
use super::{Ledger, beside, seal, whole};
use crate::error::{Error, Result, counted};

/// Where the mirror of a ledger lies.
pub(super) fn place(ledger: &Path) -> PathBuf {
    beside(ledger, ".mirror")
}

/// Replaces it by these bytes.
pub(super) fn write(ledger: &Path, bytes: &[u8]) -> Result<()> {
    whole::replace(&place(ledger), bytes)
}

/// Refuses a ledger whose mirror knows more releases: somebody has put an earlier state in its place.
pub(super) fn refuse_behind(at: &Path, ledger: &Ledger, bytes: &[u8]) -> Result<()> {
    let Ok(Some(mirror)) = read(&place(at)) else { return Ok(()) };
    if seal::of(&mirror) == seal::of(bytes) {
        return Ok(());
    }
    // A mirror that is damaged itself says nothing.
    let Ok(mirror) = Ledger::from_bytes(&mirror, "mirror") else { return Ok(()) };
    let (known, own) = (mirror.releases.len(), ledger.releases.len());
    if known <= own {
        return Ok(());
    }
    Err(Error::input(format!(
        "this is an earlier state of the ledger: it knows {}, its mirror {known}",
        counted(own as u64, "release")
    ))
    .in_file(at.display().to_string())
    .help("move it away, and let `ledger repair` restore the later state from the mirror"))
}
