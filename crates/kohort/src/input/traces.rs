//! Named files that must not outlive the process. Whoever ends it early, at a signal for example, removes them first:
//! destructors do not run then.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

static NAMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static PUBLISHING: Mutex<()> = Mutex::new(());
static PUBLISHED: AtomicBool = AtomicBool::new(false);

fn named() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    NAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a file and remembers it; nobody can end the process between the two.
pub(crate) fn remembered(make: impl FnOnce() -> io::Result<(File, PathBuf)>) -> io::Result<(File, PathBuf)> {
    let mut all = named();
    let (file, path) = make()?;
    all.insert(path.clone());
    Ok((file, path))
}

/// The file is gone, or has become something that may stay.
pub(crate) fn forget(path: &Path) {
    named().remove(path);
}

/// Puts files in their places. Nobody can end the process in the middle, except by force.
pub(crate) fn publishing<T>(work: impl FnOnce() -> T) -> T {
    let _whole = PUBLISHING.lock().unwrap_or_else(PoisonError::into_inner);
    PUBLISHED.store(true, Ordering::Relaxed);
    work()
}

/// Removes every temporary file with a name, for a process that is about to end without its destructors. Waits for files
/// that are being put in their places. From now on no other thread can begin either. Returns whether anything was
/// published before.
pub fn leave_no_trace() -> bool {
    let publishing = PUBLISHING.lock().unwrap_or_else(PoisonError::into_inner);
    let all = named();
    for path in all.iter() {
        // What cannot be removed now is removed by the next run.
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget((publishing, all));
    PUBLISHED.load(Ordering::Relaxed)
}
