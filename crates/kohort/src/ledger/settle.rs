//! After a run that was interrupted: a commit is finished if the ledger knows the release, and undone otherwise.

use std::path::Path;

use super::file::read;
use super::journal::Journal;
use super::{Ledger, mirror, seal};
use crate::error::{Error, Result};
use crate::input::traces;
use crate::output::{lock_folders_of, sync_folder_of, write_error};

/// What was done about a run that was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// The ledger knew the release of this number, so it was put in its place.
    Finished(u32),
    /// The ledger did not know the release, so it was removed before anybody saw it.
    Undone,
}

/// Brings ledger and release together again. The ledger is locked by the caller.
pub(super) fn settle(place: &Path) -> Result<Option<Settled>> {
    let Some(journal) = Journal::read(place)? else { return Ok(None) };
    let bytes = read(place)?;
    let now = bytes.as_deref().and_then(seal::of);
    let settled = traces::publishing(|| match bytes {
        Some(bytes) if now.as_ref() == Some(&journal.after) => finished(place, &journal, &bytes),
        // A file that is too short for a seal is not the same as none.
        found if found.is_some() == now.is_some() && now == journal.before => {
            journal.undo().map(|()| Settled::Undone)
        }
        _ => Err(neither(place)),
    })?;
    Journal::remove(place)?;
    Ok(Some(settled))
}

/// The ledger knows the release. Whether it is whole is known only when it was read.
fn finished(place: &Path, journal: &Journal, bytes: &[u8]) -> Result<Settled> {
    let ledger = Ledger::from_bytes(bytes, &place.display().to_string())?;
    let _folders = lock_folders_of(&journal.files);
    sync_folder_of(place).map_err(|e| write_error(&e, place))?;
    journal.finish()?;
    mirror::write(place, bytes)?;
    Ok(Settled::Finished(ledger.next_number() - 1))
}

fn neither(place: &Path) -> Error {
    Error::input("a run was interrupted, and the ledger is neither the one before it nor the one after it")
        .in_file(place.display().to_string())
        .help("let `ledger repair` look at it: it says what can be saved")
}
