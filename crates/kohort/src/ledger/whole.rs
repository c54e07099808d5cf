//! Private files that are replaced whole, and are on the disk with their names before anything else happens.

use std::io::Write;
use std::path::Path;

use crate::error::Result;
use crate::output::{Staged, sync_folder_of, write_error};

/// A private file with these bytes, on the disk under a hidden name.
pub(super) fn staged(place: &Path, bytes: &[u8]) -> Result<Staged> {
    let staged = Staged::private(place)?;
    staged.writer()?.write_all(bytes).map_err(|e| write_error(&e, place))?;
    staged.sync()?;
    Ok(staged)
}

/// Replaces a private file by these bytes.
pub(super) fn replace(place: &Path, bytes: &[u8]) -> Result<()> {
    staged(place, bytes)?.put_in_place()?;
    sync_folder_of(place).map_err(|e| write_error(&e, place))
}
