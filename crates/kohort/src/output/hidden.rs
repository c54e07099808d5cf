//! Temporary files beside the files they are to become: only their owner may read them, and those of runs that were killed
//! are removed by the next run.
//!
//! A hidden file is locked as long as its process lives, so whoever can lock one knows that nobody needs it any more.
//! Between making and locking it somebody else may do so and remove it; therefore its maker looks whether it is still
//! there, and makes another one otherwise.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::Builder;

use crate::input::{platform, traces};

/// What all their names begin with.
pub(super) const PREFIX: &str = ".kohort-";

/// Who made one so often in vain is in a folder where files come and go by themselves.
const ATTEMPTS: usize = 100;

/// A temporary file with a name. Dropping it removes it.
pub(crate) struct Hidden {
    file: File,
    path: PathBuf,
    stays: bool,
}

impl Hidden {
    /// An empty file in this folder.
    pub(super) fn new_in(folder: &Path) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            let hidden = Self::make(folder, 0o600)?;
            // Some file systems have no locks; files that were left behind stay there.
            let _ = hidden.file.lock();
            if hidden.is_there() {
                return Ok(hidden);
            }
        }
        Err(io::Error::other("temporary files vanish as soon as they are made"))
    }

    fn make(folder: &Path, mode: u32) -> io::Result<Self> {
        let (file, path) = traces::remembered(|| {
            let mut builder = Builder::new();
            builder.prefix(PREFIX);
            platform::with_mode(&mut builder, mode);
            Ok(builder.tempfile_in(folder)?.keep()?)
        })?;
        Ok(Self { file, path, stays: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Whether it still has its name.
    pub(super) fn is_there(&self) -> bool {
        is_at(&self.file, &self.path)
    }

    /// Gives the file its final name, replacing what has it now.
    pub(super) fn become_file(&mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.stay();
        target.clone_into(&mut self.path);
        Ok(())
    }

    /// Lets be what has this name.
    pub(super) fn stay(&mut self) {
        traces::forget(&self.path);
        self.stays = true;
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if !self.stays {
            let _ = fs::remove_file(&self.path);
            traces::forget(&self.path);
        }
    }
}

/// Removes what killed runs left in this folder; looks only once per folder.
pub(super) fn sweep(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    // What may not be looked at or removed belongs to somebody else.
    let Ok(entries) = fs::read_dir(folder) else { return };
    let left = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(PREFIX.as_bytes());
    for path in entries.flatten().filter(|entry| left(&entry.file_name())).map(|entry| entry.path()) {
        let _ = remove_abandoned(&path);
    }
}

fn remove_abandoned(path: &Path) -> io::Result<()> {
    // Opening a pipe would wait for its other end.
    if !path.symlink_metadata()?.is_file() {
        return Ok(());
    }
    let file = File::open(path)?;
    if file.try_lock().is_ok() && is_at(&file, path) {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// Whether this file is the one of this name.
fn is_at(file: &File, path: &Path) -> bool {
    let Ok(there) = path.symlink_metadata() else { return false };
    // Where files have no place of their own, the name decides.
    file.metadata().is_ok_and(|own| platform::place(&own) == platform::place(&there))
}

/// The mode that new files get in this folder by the umask. Linux tells it; elsewhere a new file does.
pub(super) fn usual_mode(folder: &Path) -> io::Result<u32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let umask =
        status.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("Umask:")?.trim(), 8).ok());
    match umask {
        Some(umask) => Ok(0o666 & !umask),
        None => Ok(platform::mode(&Hidden::make(folder, 0o666)?.file.metadata()?).unwrap_or(0o666) & 0o777),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn only_the_owner_may_read() {
        let folder = tempfile::tempdir().unwrap();
        let hidden = Hidden::new_in(folder.path()).unwrap();
        assert_eq!(platform::mode(&hidden.file().metadata().unwrap()), Some(0o600));
    }

    #[test]
    fn what_nobody_holds_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let alive = Hidden::new_in(folder.path()).unwrap();
        fs::write(folder.path().join(".kohort-abandoned"), "secret").unwrap();
        fs::write(folder.path().join("kohort.csv"), "public").unwrap();
        fs::create_dir(folder.path().join(".kohort-folder")).unwrap();
        std::os::unix::fs::symlink("kohort.csv", folder.path().join(".kohort-link")).unwrap();
        sweep(folder.path());
        assert!(!folder.path().join(".kohort-abandoned").exists());
        assert!(alive.path().exists());
        assert_eq!(left(folder.path()), 4);
        drop(alive);
        assert_eq!(left(folder.path()), 3);
    }

    #[test]
    fn files_that_are_made_while_others_sweep_stay() {
        let folder = tempfile::tempdir().unwrap();
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    for entry in fs::read_dir(folder.path()).unwrap().flatten() {
                        let _ = remove_abandoned(&entry.path());
                    }
                }
            });
            for _ in 0..2000 {
                let hidden = Hidden::new_in(folder.path()).unwrap();
                assert!(hidden.is_there());
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    }
}
