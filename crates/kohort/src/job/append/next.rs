//! What a later release leaves in the ledger, and what there is to say about its batch.

use std::path::PathBuf;

use rustc_hash::{FxHashMap, FxHashSet};

use super::chained::rows_of;
use super::check::Seen;
use super::fate::Fate;
use super::keys::Key;
use super::origin::Written;
use super::record::{columns_that_wait, count, keep_values, new_atom};
use super::rows;
use super::withdraw::Withdrawal;
use crate::data::Role;
use crate::error::{Error, Result, Said, people};
use crate::job::{CheckedJob, Made};
use crate::ledger::{Gone, Ledger, ReleaseRecord};
use crate::report::Growth;
use crate::solution::is_class;
use crate::verify::NO_ATOM;

/// What became of the batch.
pub(super) fn growth(
    job: &CheckedJob,
    ledger: &Ledger,
    made: &Made<'_>,
    fates: &[Fate],
    withdrawal: &Withdrawal,
    had_waited: usize,
) -> Growth {
    let is_in = |row: usize| is_class(made.release.class_of[row]);
    let count = |of: &dyn Fn(usize, Fate) -> bool| {
        fates.iter().enumerate().filter(|(row, fate)| of(*row, **fate)).count() as u64
    };
    Growth {
        release: job.release_number(),
        batch: (fates.len() - had_waited) as u64,
        had_waited: had_waited as u64,
        appended: count(&|row, _| is_in(row)),
        opened: count(&|_, fate| fate == Fate::Open),
        returning: count(&|row, fate| fate == Fate::Returning && is_in(row)),
        waiting: count(&|row, fate| waits(is_in(row), fate)),
        waiting_lacking: count(&|row, fate| fate == Fate::Lacking && waits(is_in(row), fate)),
        withdrawn: withdrawal.rows + count(&|_, fate| fate == Fate::Gone),
        withheld: withdrawal.withheld,
        already_gone: withdrawal.already_gone(ledger),
        ..Growth::default()
    }
}

/// Whether a row is part of the next batch.
fn waits(is_in: bool, fate: Fate) -> bool {
    !is_in && matches!(fate, Fate::New | Fate::Returning | Fate::Lacking)
}

/// The ledger after this release, with so many new atoms.
pub(super) fn record(
    job: &CheckedJob,
    (ledger, new_atoms): (&Ledger, usize),
    made: &Made<'_>,
    fates: &[Fate],
    written: &Written<'_>,
    seen: &Seen,
    withdrawal: &Withdrawal,
) -> Result<Ledger> {
    let number = job.release_number();
    let mut next = Ledger { published: true, ..ledger.clone() };
    for (atom, _) in next.atoms.iter_mut().zip(&withdrawal.atoms).filter(|(_, gone)| **gone) {
        atom.withdrawn_in = Some(number);
    }
    if !withdrawal.is_empty() {
        next.gone = gone(ledger, withdrawal);
    }
    let first_new_atom = next.atoms.len() as u32;
    next.atoms.extend((0..new_atoms).map(|_| new_atom(number, 0)));
    for (&atom, class) in written.atom_of.iter().zip(&seen.class_of).filter(|(atom, _)| **atom != NO_ATOM) {
        let class = class.ok_or_else(|| Error::internal("a row of an atom is in no class"))?;
        next.atoms[atom as usize].class = class;
    }
    next.releases.push(ReleaseRecord {
        number,
        place: PathBuf::new(),
        sha256: String::new(),
        rows: written.was.len() as u64,
        first_new_atom,
        batch: None,
    });
    next.atom_of.clone_from(&written.atom_of);
    next.keys.clone_from(&written.keys);
    let waits: Vec<bool> = fates
        .iter()
        .enumerate()
        .map(|(row, &fate)| waits(is_class(made.release.class_of[row]), fate))
        .collect();
    next.waiting = Some(rows_of(made.source, &columns_that_wait(made.roles), &waits)?);
    keep_values(&mut next.frozen, job, made);
    count(&mut next, !made.roles.columns(Role::Person).is_empty());
    Ok(next)
}

/// Everybody whose rows were taken out of a release, by now: each key once, with the first release that hid it.
fn gone(ledger: &Ledger, withdrawal: &Withdrawal) -> Vec<Gone> {
    let born = |atom: u32| ledger.atoms.get(atom as usize).map_or(0, |atom| atom.first_release);
    let mut first: FxHashMap<Key, u32> =
        ledger.gone.iter().map(|gone| (gone.key, gone.first_release)).collect();
    let leave: FxHashSet<&Key> =
        ledger.keys.iter().zip(&withdrawal.stays).filter(|(_, stays)| !**stays).map(|(key, _)| key).collect();
    for (key, &atom) in ledger.keys.iter().zip(&ledger.atom_of).filter(|(key, _)| leave.contains(key)) {
        let seen = first.entry(*key).or_insert(u32::MAX);
        *seen = (*seen).min(born(atom));
    }
    let mut gone: Vec<Gone> =
        first.into_iter().map(|(key, first_release)| Gone { key, first_release }).collect();
    gone.sort_unstable();
    gone
}

/// What a person should hear about the batch.
pub(super) fn said(growth: &Growth) -> Vec<Said> {
    let mut out: Vec<Said> = Vec::new();
    if growth.waiting > 0 {
        out.push(waiting(growth));
    }
    if growth.inserted > 0 {
        out.push(
            format!(
                "{} joined groups one by one, {} of them without any change of the group; {} wider now",
                rows(growth.inserted),
                growth.covered,
                if growth.widened == 1 {
                    "1 group is".into()
                } else {
                    format!("{} groups are", growth.widened)
                }
            )
            .into(),
        );
    }
    if growth.withdrawn > 0 {
        out.push(format!("{} withdrawn", were(growth.withdrawn)).into());
    }
    if growth.withheld > 0 {
        out.push(
            format!(
                "{} of people who did not withdraw went with them, for good: an atom is never split",
                rows(growth.withheld)
            )
            .into(),
        );
    }
    if growth.already_gone > 0 {
        out.push(
            format!("{} of the list of withdrawals had left before", people(growth.already_gone)).into(),
        );
    }
    let nothing = [growth.appended, growth.opened, growth.inserted, growth.withdrawn, growth.withheld];
    if nothing.iter().all(|&rows| rows == 0) {
        out.push("nothing changed: this release shows what the last one shows".into());
    }
    out
}

/// That rows wait, and why.
pub(super) fn waiting(growth: &Growth) -> Said {
    let they = if growth.waiting == 1 {
        "waits in the ledger for the next batch and is"
    } else {
        "wait in the ledger for the next batch and are"
    };
    let (lacking, alone) = (growth.waiting_lacking, growth.waiting - growth.waiting_lacking);
    let lacking = (lacking > 0).then(|| format!("{} a quasi-identifier", verb(lacking, "lacks", "lack")));
    let alone = (alone > 0).then(|| {
        format!(
            "{} too few like them to form a group of their own that meets the demands",
            verb(alone, "has", "have")
        )
    });
    let why: Vec<String> = lacking.into_iter().chain(alone).collect();
    format!("{} {they} in no release: {}", rows(growth.waiting), why.join(", ")).into()
}

/// A number of rows and what they do.
fn verb(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

fn were(count: u64) -> String {
    format!("{} {}", rows(count), if count == 1 { "was" } else { "were" })
}
