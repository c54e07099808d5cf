//! Files that appear whole or not at all.

use std::io::Write;
use std::path::Path;

use super::staged::{Staged, write_error};
use crate::error::Result;

/// Writes a small file so that nobody ever sees half of it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let staged = Staged::new(path)?;
    staged.writer()?.write_all(bytes).map_err(|e| write_error(&e, path))?;
    staged.publish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.csv");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_directory_is_named() {
        let e = write_whole(Path::new("/nowhere/at/all.csv"), b"").unwrap_err().to_string();
        assert!(e.contains("/nowhere/at/all.csv") && e.contains("way out"), "{e}");
    }
}
