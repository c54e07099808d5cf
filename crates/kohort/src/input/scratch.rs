//! A file that has no name: a place for data that must not stay on disk, however the process ends.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::traces;
use crate::error::{Error, Result};

/// A temporary file. On Linux it has no name in any folder, so that it vanishes with the process even when that is killed;
/// elsewhere it has one that only its owner can read.
pub struct Scratch {
    file: File,
    path: PathBuf,
    _name: Option<Name>,
}

/// The name of a file that needs one; it is removed in the end.
struct Name(PathBuf);

impl Drop for Name {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        traces::forget(&self.0);
    }
}

impl Scratch {
    /// An empty file in the folder for temporary files.
    pub fn new() -> Result<Self> {
        Self::without_name().or_else(|_| Self::with_name()).map_err(|e| no_scratch(&e))
    }

    /// Others open the file through the list of what this process has open.
    #[cfg(target_os = "linux")]
    fn without_name() -> io::Result<Self> {
        use std::os::fd::AsRawFd;
        let file = tempfile::tempfile()?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        // Not everywhere is /proc mounted.
        File::open(&path)?;
        Ok(Self { file, path, _name: None })
    }

    #[cfg(not(target_os = "linux"))]
    fn without_name() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// An empty file for a library that opens files by name only.
    #[cfg(feature = "sqlite")]
    pub(crate) fn with_a_name() -> Result<Self> {
        Self::with_name().map_err(|e| no_scratch(&e))
    }

    fn with_name() -> io::Result<Self> {
        let (file, path) = traces::remembered(|| Ok(NamedTempFile::new()?.keep()?))?;
        Ok(Self { file, path: path.clone(), _name: Some(Name(path)) })
    }

    /// Where this process finds the bytes, as long as this lives.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, opened for writing from the start.
    pub fn writer(&self) -> io::Result<File> {
        File::options().write(true).open(&self.path)
    }

    /// The file as it was made; its position is shared by all who use this.
    pub fn file(&self) -> &File {
        &self.file
    }
}

/// What to say when temporary files cannot be made or written.
pub fn no_scratch(e: &io::Error) -> Error {
    let said = e.to_string();
    let what = said.split_once(" at path ").map_or(said.as_str(), |(what, _)| what);
    Error::input(format!("cannot write temporary files: {what}"))
        .in_file(std::env::temp_dir().display().to_string())
        .help("set the environment variable TMPDIR to a folder with free space that you may write to, such as TMPDIR=/var/tmp; nothing was written")
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    fn holds(scratch: &Scratch) {
        scratch.writer().unwrap().write_all(b"abc").unwrap();
        let mut text = String::new();
        File::open(scratch.path()).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn without_a_name_nothing_is_in_any_folder() {
        let scratch = Scratch::new().unwrap();
        holds(&scratch);
        let link = std::fs::read_link(scratch.path()).unwrap();
        assert!(!link.exists(), "{}", link.display());
    }

    #[test]
    fn a_name_is_removed() {
        let scratch = Scratch::with_name().unwrap();
        holds(&scratch);
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
    }
}
