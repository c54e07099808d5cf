//! Where new rows go: into atoms of their own, or, by a rule, into those that are there.

use super::fate::Fate;
use super::grow::Given;
use super::insert::Inserted;
use super::join::Widened;
use super::{Earlier, atoms::Formed};
use crate::algorithm::{INSERTION_RULES, InsertionRule, Observer};
use crate::data::{Role, Table};
use crate::error::{Error, Result};
use crate::job::CheckedJob;
use crate::job::ask_verifier::{names, read_release};
use crate::job::observed::WithDeadline;
use crate::job::solve::Solved;
use crate::ledger::Ledger;
use crate::recode::{Release, recode};
use crate::solution::Solution;
use crate::verify::Released;

/// The new rows in their places.
pub(super) struct Placed {
    /// The new rows, generalized.
    pub(super) release: Release,
    /// The atom of every class of these.
    pub(super) atom_of_class: Vec<u32>,
    /// What becomes of classes of the last release.
    pub(super) widened: Widened,
    pub(super) solved: Solved,
    /// How many rows joined an atom that was there, and how many of them its class covered already.
    pub(super) inserted: (u64, u64),
}

impl Placed {
    /// How many atoms there are that the ledger does not know yet.
    pub(super) fn new_atoms(&self, ledger: &Ledger) -> usize {
        self.atom_of_class.iter().filter(|&&atom| atom as usize >= ledger.atoms.len()).count()
    }
}

impl Given<'_> {
    /// The quasi-identifiers, by name.
    pub(super) fn qi(&self) -> Vec<String> {
        names(&self.chained, &self.roles.of, Role::QuasiIdentifier)
    }

    /// The last release as its classes read.
    pub(super) fn last_read(&self, earlier: &Earlier<'_>) -> Result<Released> {
        read_release(earlier.last, &self.qi(), &[], None)
    }

    /// New rows form atoms, which may join classes of the last release that stay.
    pub(super) fn form(
        &self,
        job: &CheckedJob,
        earlier: &Earlier<'_>,
        (table, fates): (&Table, &[Fate]),
        class_of: &[Option<u32>],
        watch: &WithDeadline<'_>,
    ) -> Result<Placed> {
        let Formed { atom_of, solved } = job.form(table, fates, watch)?;
        let mut release = recode(table, &Solution::Clusters(atom_of));
        let widened = if job.search.measure.is_monotone() {
            Widened::default()
        } else {
            let stays = class_of.iter().zip(&self.withdrawal.stays);
            let staying: Vec<Option<u32>> = stays.map(|(class, &stays)| class.filter(|_| stays)).collect();
            job.join(table, &mut release, &self.last_read(earlier)?, &staying)
        };
        let first_new = earlier.ledger.atoms.len() as u32;
        let atom_of_class = (first_new..).take(release.classes()).collect();
        Ok(Placed { release, atom_of_class, widened, solved, inserted: (0, 0) })
    }
}

/// New rows join classes of the last release one by one.
pub(super) fn inserted(
    job: &CheckedJob,
    (ledger, last): (&Ledger, &Released),
    (table, fates): (&Table, &[Fate]),
    (rule, class_of): (InsertionRule, &[Option<u32>]),
    watch: &dyn Observer,
) -> Result<Placed> {
    let Inserted { release, number_of, widened, covered } =
        job.insert(table, fates, rule, (last, class_of), watch)?;
    let of_class = |&number: &u32| {
        let is_here = |atom: &crate::ledger::Atom| atom.withdrawn_in.is_none() && atom.class == number;
        let found = ledger.atoms.iter().position(is_here).map(|atom| atom as u32);
        found.ok_or_else(|| Error::internal("a class has no atom"))
    };
    let atom_of_class = number_of.iter().map(of_class).collect::<Result<_>>()?;
    let joined = release.class_of.iter().filter(|&&class| crate::solution::is_class(class)).count() as u64;
    let name = INSERTION_RULES.iter().find(|entry| entry.rule == rule).map_or("", |entry| entry.name);
    let solved = Solved { algorithm: name.to_owned(), ..job.nothing(table.rows) };
    Ok(Placed { release, atom_of_class, widened, solved, inserted: (joined, covered) })
}
