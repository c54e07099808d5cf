//! One run at a time works with a ledger.
//!
//! The ledger itself is replaced by renaming, and before the first release it is not there. So the lock is a file beside it,
//! which is removed in the end. Who opens it just before it is removed locks a file that has no name any more, and begins
//! again.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::beside;
use crate::error::{Error, Result};
use crate::input::platform;
use crate::output::write_error;

/// Who finds the file gone so often meets others who come and go: one of them is at work.
const ATTEMPTS: usize = 100;

/// As long as this lives, no other run opens the ledger.
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Where the lock of a ledger lies.
    pub(super) fn place(ledger: &Path) -> PathBuf {
        beside(ledger, ".lock")
    }

    /// Locks the ledger at this place, or says that another run works with it.
    pub(super) fn of(ledger: &Path) -> Result<Self> {
        Self::unless_in_use(ledger)?.ok_or_else(|| in_use(ledger))
    }

    /// Locks the ledger at this place; none where another run works with it.
    pub(super) fn unless_in_use(ledger: &Path) -> Result<Option<Self>> {
        let path = Self::place(ledger);
        for _ in 0..ATTEMPTS {
            let file = open(&path).map_err(|e| write_error(&e, &path))?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => return Ok(Some(Self { path, _file: file })),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(e)) => return Err(no_locks(&e, ledger)),
            }
        }
        Ok(None)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked: whoever gets it then sees that it has lost its name.
        let _ = fs::remove_file(&self.path);
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    platform::private(options.write(true).create(true).truncate(false)).open(path)
}

fn is_at(file: &File, path: &Path) -> bool {
    let place = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|m| platform::place(&m));
    place(file.metadata()) == place(path.symlink_metadata())
}

fn in_use(ledger: &Path) -> Error {
    Error::input("another run works with this ledger")
        .in_file(ledger.display().to_string())
        .help("wait until it is done, and ask again: two releases at once could not know of each other")
}

fn no_locks(e: &io::Error, ledger: &Path) -> Error {
    Error::input(format!("the ledger cannot be locked: {e}"))
        .in_file(ledger.display().to_string())
        .help("keep the ledger on a disk of this machine: two runs at once could not know of each other")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("l.ledger");
        let first = Lock::of(&ledger).unwrap();
        let said = Lock::of(&ledger).err().unwrap().to_string();
        assert!(said.contains("another run") && said.contains("l.ledger"), "{said}");
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "it leaves nothing");
        // A run that was killed leaves the file, and nobody holds it.
        fs::write(folder.path().join("l.ledger.lock"), "").unwrap();
        drop(Lock::of(&ledger).unwrap());
    }

    #[test]
    fn many_threads_are_never_inside_together() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = &folder.path().join("l.ledger");
        let inside = &std::sync::atomic::AtomicU32::new(0);
        let entered = &std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let Ok(_lock) = Lock::of(ledger) else { continue };
                        assert_eq!(inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                        entered.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(entered.load(std::sync::atomic::Ordering::SeqCst) > 0);
    }
}
