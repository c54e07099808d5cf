//! Files that appear whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};

/// Writes to a temporary neighbour and moves it into place, so nobody ever sees half a file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |e: std::io::Error| {
        Error::input(format!("cannot write the file: {e}"))
            .at(path.display().to_string())
            .help("choose a directory that exists and may be written to")
    };
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = temporary(directory).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}

/// Temporary files are private by default; what is written here gets the usual permissions of new files.
fn temporary(directory: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".kohort-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
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
