//! What a commit is about to do, on the disk before it does it: whoever opens the ledger after a run that was killed knows
//! from it what is to be finished or undone.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{beside, whole};
use crate::error::{Error, Result};
use crate::output::{Pending, remove, sync_folder_of, write_error};

/// A commit: the ledger before and after it, and the files of the release.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    /// The seal of the ledger before; none before the first release.
    pub(super) before: Option<String>,
    /// The seal of the ledger that knows the release. A ledger with this seal is the commit: before it the files are
    /// discarded, after it they are put in their places.
    pub(super) after: String,
    /// What belongs to the release, and the release last.
    pub(super) files: Vec<Pending>,
}

impl Journal {
    /// Where the journal of a ledger lies.
    pub(super) fn place(ledger: &Path) -> PathBuf {
        beside(ledger, ".journal")
    }

    /// The journal of a commit that was not finished.
    pub(super) fn read(ledger: &Path) -> Result<Option<Self>> {
        let place = Self::place(ledger);
        let text = match std::fs::read(&place) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|e| unreadable(&format!("cannot be read: {e}"), &place))?,
        };
        serde_json::from_slice(&text).map(Some).map_err(|_| unreadable("is damaged", &place))
    }

    /// Writes it, so that it is on the disk with its name.
    pub(super) fn write(&self, ledger: &Path) -> Result<()> {
        let place = Self::place(ledger);
        let text = serde_json::to_vec(self)
            .map_err(|e| Error::internal(format!("the journal cannot be written as JSON: {e}")))?;
        whole::replace(&place, &text)
    }

    /// The commit is finished or undone.
    pub(super) fn remove(ledger: &Path) -> Result<()> {
        let place = Self::place(ledger);
        remove(&place).and_then(|()| sync_folder_of(&place)).map_err(|e| write_error(&e, &place))
    }

    /// The ledger knows the release: it and what belongs to it are put in their places. May be done again.
    pub(super) fn finish(&self) -> Result<()> {
        let Some((release, companions)) = self.files.split_last() else { return Ok(()) };
        self.files.iter().try_for_each(Pending::check)?;
        // Where a release is, its companions are its own: the earlier one goes before they come.
        if !companions.is_empty() {
            release.clear_place()?;
        }
        companions.iter().try_for_each(Pending::put_in_place)?;
        release.put_in_place()
    }

    /// The ledger does not know the release: nobody shall ever see it. May be done again.
    pub(super) fn undo(&self) -> Result<()> {
        self.files.iter().try_for_each(Pending::discard)
    }
}

fn unreadable(what: &str, place: &Path) -> Error {
    Error::input(format!("the journal of a run that was interrupted {what}"))
        .in_file(place.display().to_string())
        .help("let `ledger repair` look at the ledger: it says what can be saved")
}
