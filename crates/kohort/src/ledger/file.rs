//! The file of a ledger: opened by one run at a time, and changed together with the release.

use std::path::{Path, PathBuf};

use super::journal::Journal;
use super::lock::Lock;
use super::settle::{Settled, settle};
use super::{Ledger, ReleaseRecord, mirror, seal, whole};
use crate::error::{Error, Result};
use crate::input::{platform, traces};
use crate::output::{Pending, Staged, lock_folders_of, real_place, same_file, sync_folder_of, write_error};

/// A ledger that no other run can open meanwhile.
pub struct LedgerFile {
    place: PathBuf,
    /// The seal of what was read; none where there was nothing.
    before: Option<String>,
    settled: Option<Settled>,
    _lock: Lock,
}

impl LedgerFile {
    /// Opens the ledger at this place, or the place of a new one. Refuses while another run works with it. A commit that was
    /// interrupted is finished or undone first.
    pub fn open_or_new(path: &Path) -> Result<(Self, Option<Ledger>)> {
        let place = place_of(path)?;
        let lock = Lock::of(&place)?;
        let settled = settle(&place)?;
        let Some(bytes) = read(&place)? else {
            refuse_forgotten(&place)?;
            return Ok((Self { place, before: None, settled, _lock: lock }, None));
        };
        let ledger = Ledger::from_bytes(&bytes, &place.display().to_string())?;
        mirror::refuse_behind(&place, &ledger, &bytes)?;
        Ok((Self { place, before: seal::of(&bytes), settled, _lock: lock }, Some(ledger)))
    }

    /// Opens a ledger that has to be there.
    pub fn open(path: &Path) -> Result<(Self, Ledger)> {
        match Self::open_or_new(path)? {
            (file, Some(ledger)) => Ok((file, ledger)),
            (file, None) => Err(no_ledger(&file.place)),
        }
    }

    /// What was done about an earlier run that was interrupted, if there was one.
    pub fn settled(&self) -> Option<Settled> {
        self.settled
    }

    /// Records a release and hands it over with what belongs to it, all or nothing. Nobody can see the release before the
    /// ledger knows it. The last record of the ledger is that of the release ([`ReleaseRecord::of`]).
    pub fn commit(self, ledger: &Ledger, release: Staged, companions: Vec<Staged>) -> Result<()> {
        let bytes = ledger.to_bytes()?;
        let staged: Vec<Staged> = companions.into_iter().chain([release]).collect();
        let files = staged.iter().map(Pending::of).collect::<Result<Vec<_>>>()?;
        self.check(ledger, &files)?;
        let next = whole::staged(&self.place, &bytes)?;
        let after = seal::of(&bytes).ok_or_else(|| Error::internal("the ledger has no seal"))?;
        let journal = Journal { before: self.before.clone(), after, files };
        let _folders = lock_folders_of(&journal.files);
        traces::publishing(|| {
            self.prepare(&journal, staged, next).map_err(|e| self.undone(&journal, e))?;
            self.finish(&journal, &bytes).map_err(|e| self.unfinished(e))
        })
    }

    /// Records what is known besides releases. The mirror first: whoever restores the ledger from it must not forget what was said.
    pub fn replace(self, ledger: &Ledger) -> Result<()> {
        let bytes = ledger.to_bytes()?;
        self.unchanged()?;
        mirror::write(&self.place, &bytes)?;
        whole::replace(&self.place, &bytes)
    }

    /// Everything up to the moment in which the ledger knows the release. What fails here has changed nothing.
    fn prepare(&self, journal: &Journal, staged: Vec<Staged>, next: Staged) -> Result<()> {
        journal.write(&self.place)?;
        let _held = journal
            .files
            .iter()
            .zip(staged)
            .map(|(pending, staged)| pending.take(staged))
            .collect::<Result<Vec<_>>>()?;
        journal.files.iter().try_for_each(Pending::sync)?;
        self.unchanged()?;
        next.put_in_place()?;
        Ok(())
    }

    /// Everything from that moment on: it can be repeated until it is done.
    fn finish(&self, journal: &Journal, bytes: &[u8]) -> Result<()> {
        // A disk that loses power must not know the release without the ledger.
        sync_folder_of(&self.place).map_err(|e| write_error(&e, &self.place))?;
        journal.finish()?;
        mirror::write(&self.place, bytes)?;
        Journal::remove(&self.place)
    }

    /// Takes back what was prepared; what cannot be taken back now is when the ledger is opened next.
    fn undone(&self, journal: &Journal, e: Error) -> Error {
        if journal.undo().is_ok() {
            let _ = Journal::remove(&self.place);
        }
        e
    }

    fn unfinished(&self, e: Error) -> Error {
        let ledger = self.place.display();
        e.help(format!("the ledger knows the release already, so it cannot be taken back: remove the obstacle, and `ledger show {ledger}` puts the release in its place"))
    }

    /// Refuses a ledger that does not know this release, and files in the places of others.
    fn check(&self, ledger: &Ledger, files: &[Pending]) -> Result<()> {
        let (Some(record), Some(release)) = (ledger.releases.last(), files.last()) else {
            return Err(Error::internal("a ledger was to be written without a release"));
        };
        if record.place != release.target() || record.sha256 != release.sha256() {
            return Err(Error::internal("the ledger records another release than the one to be published"));
        }
        let place = &self.place;
        let own = [place.clone(), mirror::place(place), Journal::place(place), Lock::place(place)];
        match files.iter().find(|file| own.iter().any(|own| same_file(own, file.target()))) {
            None => Ok(()),
            Some(file) => Err(Error::job("a file of the release would replace the ledger")
                .in_file(file.target().display().to_string())
                .help("give it another name")),
        }
    }

    /// Refuses to replace a ledger that is not the one that was read.
    fn unchanged(&self) -> Result<()> {
        let now = read(&self.place)?.and_then(|bytes| seal::of(&bytes));
        if now == self.before {
            return Ok(());
        }
        Err(Error::input("the ledger was replaced while the release was made; nothing was written")
            .in_file(self.place.display().to_string())
            .help("find out who replaced it, and ask again"))
    }
}

/// A ledger that is only looked at.
pub struct Looked {
    /// What it knows.
    pub ledger: Ledger,
    /// What was done about an earlier run that was interrupted.
    pub settled: Option<Settled>,
    /// Whether another run works with it: this is what was known before that run.
    pub is_in_use: bool,
}

/// Reads a ledger, also while another run works with it: it is replaced in one step, so it is always whole.
pub fn look(path: &Path) -> Result<Looked> {
    let place = place_of(path)?;
    let lock = Lock::unless_in_use(&place)?;
    let settled = if lock.is_some() { settle(&place)? } else { None };
    let bytes = read(&place)?.ok_or_else(|| no_ledger(&place))?;
    let ledger = Ledger::from_bytes(&bytes, &place.display().to_string())?;
    if lock.is_some() {
        mirror::refuse_behind(&place, &ledger, &bytes)?;
    }
    Ok(Looked { ledger, settled, is_in_use: lock.is_none() })
}

pub(super) fn no_ledger(place: &Path) -> Error {
    Error::input("there is no ledger")
        .in_file(place.display().to_string())
        .help("check the name; a ledger is made with the first release of a growing table")
}

impl ReleaseRecord {
    /// The record of a finished release that is not in its place yet.
    pub fn of(number: u32, release: &Staged, rows: u64, first_new_atom: u32) -> Result<Self> {
        let pending = Pending::of(release)?;
        let (place, sha256) = (pending.target().to_owned(), pending.sha256().to_owned());
        Ok(Self { number, place, sha256, rows, first_new_atom, batch: None })
    }
}

/// The bytes of a file that may not be there.
pub(super) fn read(place: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(place) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::input(format!("cannot read the ledger: {e}"))
            .in_file(place.display().to_string())
            .help("check that it is a file that you may read")),
    }
}

/// The place of the ledger itself, as a path from the root: where a link leads, so that it has one name for all.
pub(super) fn place_of(path: &Path) -> Result<PathBuf> {
    let shown = path.display().to_string();
    if path == Path::new("-") {
        return Err(Error::job("a ledger is a file, not standard input").help("name a file"));
    }
    let place = real_place(path)?;
    let names = place.metadata().map_or(1, |m| platform::names(&m));
    if names > 1 {
        return Err(Error::input(format!("the ledger has {names} names, expected one"))
            .in_file(shown)
            .help("remove the other hard links: they would go on to name a ledger that has forgotten the next release"));
    }
    let absolute = |e| write_error(&e, path);
    std::path::absolute(place).map_err(absolute)
}

/// Refuses to begin a new ledger where there was one.
fn refuse_forgotten(place: &Path) -> Result<()> {
    let mirror = mirror::place(place);
    if mirror.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Error::input("the ledger is gone, but its mirror is there: this table was released before")
        .in_file(place.display().to_string())
        .help(format!(
            "`ledger repair` restores it; for another table, take another name, or remove {}",
            mirror.display()
        )))
}
