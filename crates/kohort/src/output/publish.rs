//! A release and what belongs to it appear together.
//!
//! At every instant, even when the process is killed or another one publishes to the same place: where the release is,
//! its companions (certificate, audit record) are there, and they are its own. So an earlier release goes first, the
//! new companions come next, and the new release last; whoever looks in between finds companions without a release.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::hidden::Hidden;
use super::staged::{Staged, folder_of, write_error};
use crate::error::{Error, Result};
use crate::input::{platform, traces};

/// Publishing takes milliseconds. Who holds a folder longer than this is not publishing: `flock FOLDER kohort …`, perhaps.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(10);

/// Puts a finished release and its finished companions in their places, or none of them. What goes to standard output
/// comes after the companions that are files.
pub fn publish_together(release: Staged, companions: Vec<Staged>) -> Result<()> {
    publish_together_if(release, companions, || Ok(()))
}

/// The same, if `allowed` finds nothing against it. It is asked when no other run can publish to these places any more.
pub fn publish_together_if(
    release: Staged,
    companions: Vec<Staged>,
    allowed: impl FnOnce() -> Result<()>,
) -> Result<()> {
    companions.iter().chain([&release]).try_for_each(Staged::sync)?;
    let (streams, files): (Vec<_>, Vec<_>) = companions.into_iter().partition(Staged::is_stream);
    // Before the lock: a reader may take its time.
    streams.into_iter().try_for_each(Staged::stream)?;
    if !release.is_stream() {
        return publish_files(files, Some(release), allowed).map(|_| ());
    }
    let placed = publish_files(files, None, allowed)?;
    release.stream().inspect_err(|_| placed.iter().for_each(Placed::withdraw))
}

/// Puts files in their places, the release last.
fn publish_files(
    companions: Vec<Staged>,
    release: Option<Staged>,
    allowed: impl FnOnce() -> Result<()>,
) -> Result<Vec<Placed>> {
    let _locks = lock_all(release.iter().chain(&companions).map(|staged| folder_of(staged.target())));
    allowed()?;
    traces::publishing(|| {
        let mut steps = Steps::default();
        match steps.take(companions, release) {
            Ok(()) => Ok(steps.done()),
            Err(e) => Err(steps.undone(e)),
        }
    })
}

/// Locks every folder once. Always in the same order, so that no two processes wait for each other.
pub(super) fn lock_all<'a>(folders: impl Iterator<Item = &'a Path>) -> Vec<File> {
    let places = folders.filter_map(|folder| {
        let place = platform::place(&folder.metadata().ok()?);
        Some((place.ok_or(folder.canonicalize().ok()?), folder))
    });
    // By their places on the disk, or by name where there are none.
    let once: BTreeMap<std::result::Result<(u64, u64), PathBuf>, &Path> = places.collect();
    once.into_values().filter_map(lock).collect()
}

/// Only one process at a time publishes to a folder. Where folders cannot be locked there is no such order.
fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    let mut waited = Duration::ZERO;
    loop {
        match folder.try_lock() {
            Ok(()) => return Some(folder),
            Err(fs::TryLockError::WouldBlock) if waited < PATIENCE => std::thread::sleep(PAUSE),
            Err(_) => return None,
        }
        waited += PAUSE;
    }
}

/// What was done so far, in order.
#[derive(Default)]
struct Steps {
    aside: Vec<Aside>,
    placed: Vec<Placed>,
}

impl Steps {
    fn take(&mut self, companions: Vec<Staged>, release: Option<Staged>) -> Result<()> {
        // A file alone is replaced in one step, and so is never missing.
        let alone = companions.is_empty();
        if let Some(release) = release.as_ref().filter(|_| !alone) {
            self.aside.extend(Aside::move_away(release.target())?);
        }
        for companion in companions {
            self.aside.extend(Aside::move_away(companion.target())?);
            self.place(companion)?;
        }
        if let Some(release) = release {
            // A disk that loses power may not know the release without the certificate either.
            self.placed.iter().for_each(Placed::sync_folder);
            self.place(release)?;
        }
        Ok(())
    }

    fn place(&mut self, staged: Staged) -> Result<()> {
        self.placed.push(Placed(staged.put_in_place()?));
        Ok(())
    }

    /// Nothing can fail any more: what was replaced goes away for good.
    fn done(self) -> Vec<Placed> {
        drop(self.aside);
        self.placed.iter().for_each(Placed::sync_folder);
        self.placed
    }

    /// Everything is as it was, the release last.
    fn undone(self, e: Error) -> Error {
        self.placed.iter().rev().for_each(Placed::withdraw);
        let lost: Vec<String> = self.aside.into_iter().rev().filter_map(Aside::move_back).collect();
        if lost.is_empty() {
            return e;
        }
        e.help(format!("nothing was written; the earlier files are now named {}", lost.join(", ")))
    }
}

/// A file in its final place.
struct Placed(Hidden);

impl Placed {
    /// Takes it away, unless another one has its place by now.
    fn withdraw(&self) {
        if self.0.is_there() {
            let _ = fs::remove_file(self.0.path());
        }
    }

    /// Not every file system can be asked to.
    fn sync_folder(&self) {
        let _ = File::open(folder_of(self.0.path())).and_then(|folder| folder.sync_all());
    }
}

/// A file that has to make room for another one. Dropping this removes it.
struct Aside {
    hidden: Hidden,
    target: PathBuf,
    /// Held so that no other run takes it for left behind.
    _lock: Option<File>,
    mode: Option<u32>,
}

impl Aside {
    /// Gives a file that is there a hidden name.
    fn move_away(target: &Path) -> Result<Option<Self>> {
        let Ok(metadata) = target.symlink_metadata() else { return Ok(None) };
        if !metadata.is_file() {
            // Renaming onto it fails, or replaces a link as it does for a file alone.
            return Ok(None);
        }
        let lock = File::open(target).ok();
        if let Some(file) = &lock {
            // If somebody else holds it, it is held.
            let _ = file.try_lock();
        }
        let hidden = Hidden::new_in(folder_of(target)).map_err(|e| write_error(&e, target))?;
        // What is hidden only its owner may read. The mode belongs to all names of a file; where there are others, it stays.
        let mode = platform::mode(&metadata).filter(|_| platform::names(&metadata) == 1);
        set_mode(target, mode.map(|_| 0o600));
        fs::rename(target, hidden.path()).map_err(|e| {
            set_mode(target, mode);
            write_error(&e, target)
        })?;
        Ok(Some(Self { hidden, target: target.to_owned(), _lock: lock, mode }))
    }

    /// Gives it its name again; where that fails, says which one it has.
    fn move_back(mut self) -> Option<String> {
        let hidden = self.hidden.path().to_owned();
        self.hidden.stay();
        if fs::rename(&hidden, &self.target).is_err() {
            return Some(hidden.display().to_string());
        }
        set_mode(&self.target, self.mode);
        None
    }
}

/// Some file systems have no modes, and files of others keep theirs.
fn set_mode(path: &Path, mode: Option<u32>) {
    if let Some(mode) = mode {
        platform::set_mode(path, mode);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn staged(target: &Path, text: &str) -> Staged {
        let staged = Staged::new(target).unwrap();
        staged.writer().unwrap().write_all(text.as_bytes()).unwrap();
        staged
    }

    fn mode(path: &Path) -> u32 {
        platform::mode(&path.metadata().unwrap()).unwrap() & 0o777
    }

    #[test]
    fn all_are_replaced_and_nothing_is_left_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for text in ["old", "new"] {
            publish_together(staged(&at("r"), text), vec![staged(&at("c"), text), staged(&at("s"), text)])
                .unwrap();
        }
        for name in ["r", "c", "s"] {
            assert_eq!(fs::read_to_string(at(name)).unwrap(), "new");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn what_fails_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        publish_together(staged(&at("r"), "old"), vec![staged(&at("c"), "old")]).unwrap();
        platform::set_mode(&at("r"), 0o640);
        let all = [staged(&at("c"), "new"), staged(&at("d"), "new"), staged(&at("blocked"), "new")];
        let release = staged(&at("r"), "new");
        fs::create_dir(at("blocked")).unwrap();
        let e = publish_together(release, all.into()).unwrap_err().to_string();
        assert!(e.contains("blocked") && e.contains("nothing was written"), "{e}");
        assert_eq!(fs::read_to_string(at("r")).unwrap(), "old");
        assert_eq!(fs::read_to_string(at("c")).unwrap(), "old");
        assert_eq!(mode(&at("r")), 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "r, c and the folder");
    }

    #[test]
    fn modes_are_those_of_new_files_or_of_what_is_replaced_or_private() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("usual"), "").unwrap();
        for name in ["open", "shut", "secret"] {
            fs::write(at(name), "old").unwrap();
            platform::set_mode(&at(name), if name == "shut" { 0o400 } else { 0o666 });
        }
        let secret = Staged::private(&at("secret")).unwrap();
        let all = vec![staged(&at("open"), "new"), staged(&at("shut"), "new"), secret];
        assert!(all.iter().all(|s| mode(s.path()) == 0o600));
        publish_together(staged(&at("r"), "new"), all).unwrap();
        assert_eq!(mode(&at("r")), mode(&at("usual")));
        assert_eq!([mode(&at("open")), mode(&at("shut")), mode(&at("secret"))], [0o666, 0o400, 0o600]);
    }

    #[test]
    fn many_at_once_end_with_files_of_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = &|name: &str| folder.path().join(name);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..25 {
                        let text = format!("{thread} {round}");
                        publish_together(staged(&at("r"), &text), vec![staged(&at("c"), &text)]).unwrap();
                    }
                });
            }
            for _ in 0..2000 {
                let read = |name: &str| fs::read_to_string(at(name)).ok();
                let (before, release, after) = (read("c"), read("r"), read("c"));
                assert!(
                    before != after || release.is_none() || release == before,
                    "{release:?} with {before:?}"
                );
            }
        });
        assert_eq!(fs::read(at("r")).unwrap(), fs::read(at("c")).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
