//! What can be done about a damaged ledger, and what must not be done: going back behind a release that exists.

use std::path::{Path, PathBuf};

use super::decode::{Remains, remains};
use super::file::{no_ledger, place_of, read};
use super::journal::Journal;
use super::lock::Lock;
use super::settle::{Settled, settle};
use super::{Ledger, ReleaseRecord, mirror, seal, whole};
use crate::error::{Error, Result, counted};
use crate::input::sha256_of_file;

/// What was found, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// How many releases the ledger knows.
    pub releases: u32,
    /// Whether the ledger was restored from its mirror.
    pub restored: bool,
    /// Whether the mirror was written anew.
    pub mirrored: bool,
    /// What was done about a run that was interrupted.
    pub settled: Option<Settled>,
    /// Where the last release lies, if it is there unchanged.
    pub release: Option<PathBuf>,
}

/// Looks at a ledger, finishes or undoes what was interrupted, and restores it from its mirror where that is safe. `moved` says
/// where the last release lies now. The error says what could not be saved.
pub fn repair(path: &Path, moved: Option<&Path>) -> Result<Repaired> {
    let place = place_of(path)?;
    let _lock = Lock::of(&place)?;
    let name = place.display().to_string();
    let found = read(&place)?;
    match found.as_deref().map(|bytes| Ledger::from_bytes(bytes, &name)) {
        Some(Ok(_)) => put_in_order(&place, moved, false),
        Some(Err(damage)) => {
            restore(&place, moved, &damage, remains(found.as_deref().unwrap_or_default()))?;
            put_in_order(&place, moved, true)
        }
        None => {
            let gone = no_ledger(&place);
            restore(&place, moved, &gone, Remains::default())?;
            put_in_order(&place, moved, true)
        }
    }
}

/// The ledger is whole; now what belongs to it.
fn put_in_order(place: &Path, moved: Option<&Path>, restored: bool) -> Result<Repaired> {
    let name = place.display().to_string();
    let bytes = read(place)?.unwrap_or_default();
    let ledger = Ledger::from_bytes(&bytes, &name)?;
    mirror::refuse_behind(place, &ledger, &bytes)?;
    let release = ledger.releases.last().and_then(|last| last.find(moved).ok());
    if Journal::read(place).is_err() && release.is_some() {
        // A journal that nobody can read says nothing; but the release is where it belongs, so nothing was left to do.
        Journal::remove(place)?;
    }
    let settled = settle(place)?;
    let mirrored = read(&mirror::place(place))?.is_none_or(|mirror| mirror != bytes);
    if mirrored {
        mirror::write(place, &bytes)?;
    }
    let release = ledger.releases.last().and_then(|last| last.find(moved).ok());
    Ok(Repaired { releases: ledger.releases.len() as u32, restored, mirrored, settled, release })
}

/// Puts the mirror in the place of the ledger, if it knows every release that there can be.
fn restore(place: &Path, moved: Option<&Path>, damage: &Error, left: Remains) -> Result<()> {
    let Some(bytes) = read(&mirror::place(place))? else {
        return Err(lost("it has no mirror", damage, left));
    };
    let name = mirror::place(place).display().to_string();
    let Ok(mirror) = Ledger::from_bytes(&bytes, &name) else {
        return Err(lost("its mirror is damaged, too", damage, left));
    };
    if left.releases.is_some_and(|known| known > mirror.releases.len()) {
        return Err(behind("the damaged ledger knows a later release", &mirror, place));
    }
    if Journal::read(place).map_or(true, |journal| journal.is_some_and(|j| seal::of(&bytes) != Some(j.after)))
    {
        return Err(behind("a later release was being recorded", &mirror, place));
    }
    if let Some(last) = mirror.releases.last() {
        last.find(moved)?;
    }
    whole::replace(place, &bytes)
}

impl ReleaseRecord {
    /// Where the release lies, which must be as it was published: at its place, or where it was moved to.
    pub fn find(&self, moved: Option<&Path>) -> Result<PathBuf> {
        let place = moved.unwrap_or(&self.place);
        let refuse = |what: String| {
            Err(Error::input(format!("{what} release {}, which the ledger recorded last", self.number))
                .in_file(place.display().to_string())
                .help("name the file as it was published, wherever it lies now: the next release is made from it"))
        };
        match sha256_of_file(place) {
            Ok(found) if found == self.sha256 => Ok(place.to_owned()),
            Ok(_) => refuse("this file is not, or not any more,".into()),
            Err(_) => refuse("there is no file that could be".into()),
        }
    }
}

/// The ledger cannot be restored.
fn lost(why: &str, damage: &Error, left: Remains) -> Error {
    let known = left.releases.map_or_else(
        || "nothing in it can be read".to_owned(),
        |n| format!("its head can still be read and knows {}", counted(n as u64, "release")),
    );
    let whole = format!("{} of {} sections are whole", left.whole, left.all);
    let what = format!("the ledger cannot be restored: {why}; {known}, {whole}");
    Error::input(what).at(damage.place().clone()).help(
        "restore it from a backup that was made after the last release; without it no next release of these people is safe, and the last one stays as safe as it is",
    )
}

/// The mirror is of an earlier state.
fn behind(why: &str, mirror: &Ledger, place: &Path) -> Error {
    let known = counted(mirror.releases.len() as u64, "release");
    Error::input(format!("the ledger is not restored from its mirror, which knows {known}: {why}, and a ledger that has forgotten a release would let the next one give people away"))
        .in_file(place.display().to_string())
        .help("restore ledger and mirror from a backup that was made after the last release, if there is one")
}
