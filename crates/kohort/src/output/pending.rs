//! Finished files that wait until they may be seen, and survive the end of the process meanwhile.
//!
//! A hidden file belongs to its process: what a killed run leaves is removed by the next one. A pending file belongs to a
//! record that says where it is to go, so it has another kind of name, which nobody removes but the keeper of the record.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hidden::{self, Hidden};
use super::publish::lock_all;
use super::staged::{Staged, folder_of, write_error};
use crate::error::{Error, Result};
use crate::input::{platform, sha256_of_file};

const PREFIX: &str = ".kohort.pending-";

/// A finished file and the place where it belongs, as data: any process can put it there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pending {
    /// Where it waits, beside its place. Nobody but its owner may read it there.
    name: PathBuf,
    /// Where it belongs.
    target: PathBuf,
    /// The SHA-256 of its bytes.
    sha256: String,
    /// Who may read it in its place.
    mode: u32,
}

impl Pending {
    /// What a staged file will be called while it waits. Its bytes are on the disk from now on.
    pub(crate) fn of(staged: &Staged) -> Result<Self> {
        let mode = staged.mode().ok_or_else(|| {
            Error::job("the next release of a growing table goes to a file, not to standard output")
                .option_with("output", "-")
                .help("name a file: the release after it is made from it")
        })?;
        staged.sync()?;
        let fail = |e: io::Error| write_error(&e, staged.target());
        let target = std::path::absolute(staged.target()).map_err(fail)?;
        let hidden = staged.path().file_name().unwrap_or_default().to_string_lossy();
        let own = hidden.trim_start_matches(hidden::PREFIX);
        let name = folder_of(&target).join(format!("{PREFIX}{own}"));
        Ok(Self { name, target, sha256: sha256_of_file(staged.path())?, mode })
    }

    /// Where the file belongs.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The SHA-256 of the file.
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Lets the staged file wait. It stays locked as long as what is returned lives.
    pub(crate) fn take(&self, staged: Staged) -> Result<Hidden> {
        staged.become_pending(&self.name)
    }

    /// Whether it still waits. It stops waiting in one step, when it is put in its place.
    pub(crate) fn is_waiting(&self) -> bool {
        self.name.symlink_metadata().is_ok()
    }

    /// Refuses a file that is not the one that was to wait.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_waiting() && sha256_of_file(&self.name)? != self.sha256 {
            return Err(Error::input("a file that waits to be published was changed")
                .in_file(self.name.display().to_string())
                .help("find out who changed it; the ledger knows the release it should be"));
        }
        Ok(())
    }

    /// Puts it in its place, if it still waits. Only there others may read it.
    pub(crate) fn put_in_place(&self) -> Result<()> {
        if self.is_waiting() {
            fs::rename(&self.name, &self.target).map_err(|e| write_error(&e, &self.target))?;
        } else if !sha256_of_file(&self.target).is_ok_and(|found| found == self.sha256) {
            // It was there, and whoever took it away or replaced it did so for reasons of his own.
            return Ok(());
        }
        platform::set_mode(&self.target, self.mode);
        self.sync()
    }

    /// Removes what its place has now, if it still waits.
    pub(crate) fn clear_place(&self) -> Result<()> {
        if !self.is_waiting() {
            return Ok(());
        }
        remove(&self.target).map_err(|e| write_error(&e, &self.target))?;
        self.sync()
    }

    /// It is not wanted any more.
    pub(crate) fn discard(&self) -> Result<()> {
        remove(&self.name).map_err(|e| write_error(&e, &self.name))
    }

    /// Waits until the disk knows the names in its folder.
    pub(crate) fn sync(&self) -> Result<()> {
        sync_folder_of(&self.target).map_err(|e| write_error(&e, &self.target))
    }
}

/// While this lives, nobody else publishes to the folders of these files.
pub(crate) fn lock_folders_of(files: &[Pending]) -> Vec<File> {
    lock_all(files.iter().map(|file| folder_of(&file.target)))
}

/// Removes a file that may not be there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Waits until the disk knows the names in the folder of this file. Not every file system can be asked to.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match platform::sync_folder(folder_of(path)) {
        Err(e) if [io::ErrorKind::InvalidInput, io::ErrorKind::Unsupported].contains(&e.kind()) => Ok(()),
        done => done,
    }
}
