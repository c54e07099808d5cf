//! The next release of a growing table: what was published before, as it was published, and new atoms.

use super::Earlier;
use super::as_before::{check_as_before, check_last};
use super::chained::Chained;
use super::fate::{Batch, Fate, check_twice};
use super::keys::{Key, key_columns, row_keys, withdrawn};
use super::new_rows::{LastRows, shown_rows, write_together};
use super::next::{growth, record, said};
use super::origin::describe;
use super::place::{Placed, inserted};
use super::withdraw::Withdrawal;
use crate::data::{Role, Table};
use crate::error::{Error, Result, Said};
use crate::input::TableSource;
use crate::job::certify::{Digests, Evidence};
use crate::job::observed::{Observed, ObservedSink, WithDeadline};
use crate::job::people::Identifiers;
use crate::job::prepare::{Prepared, read_table};
use crate::job::public::Shown;
use crate::job::roles::Roles;
use crate::job::solve::Solved;
use crate::job::undeclared::Undeclared;
use crate::job::{CheckedJob, Made, Observer, Outcome, Stage, notes};
use crate::ledger::Ledger;
use crate::output::TableSink;
use crate::report::{Growth, Remarks, Solutions, Summary};
use crate::verify::{Findings, NO_ATOM};

/// What is given besides a batch: everything was looked at that does not take the rows of the batch.
pub(super) struct Given<'a> {
    pub(super) chained: Chained<'a>,
    pub(super) roles: Roles,
    pub(super) withdrawal: Withdrawal,
    key_columns: Vec<String>,
    had_waited: usize,
}

/// The batch and the rows that waited, as they were read.
struct Read {
    table: Table,
    keys: Vec<Key>,
    /// What is said of them anyway.
    warnings: Vec<Said>,
    notes: Vec<Said>,
}

/// Makes the release, and what the ledger says after it. Nothing is handed over yet.
pub(super) fn grow(
    job: &CheckedJob,
    earlier: &Earlier<'_>,
    batch: Option<&dyn TableSource>,
    sink: &mut dyn TableSink,
    watch: &WithDeadline<'_>,
) -> Result<(Outcome, Ledger, Growth)> {
    watch.enter(Stage::Read, 0);
    let (ledger, last) = (&earlier.ledger, earlier.last);
    let batch = batch.map(|source| Observed { source, observer: watch });
    let given = Given::new(job, earlier, batch.as_ref().map(|batch| batch as &dyn TableSource))?;
    // Now: that a place cannot be written to should show before the search, not after it.
    sink.open()?;
    let classes = earlier.rule.map(|_| given.last_read(earlier)).transpose()?;
    let roomy = classes.as_ref().map(|classes| job.with_room_for(classes, &given.qi()));
    let job = roomy.as_ref().unwrap_or(job);
    let mut read = given.read(job, ledger)?;
    let Given { chained, roles, withdrawal, had_waited, .. } = &given;
    let by_people = !roles.columns(Role::Person).is_empty();
    withdrawal.check_known(ledger, &read.keys, earlier.withdrawn.map(TableSource::name))?;
    let whole = Batch { ledger, table: &read.table, keys: &read.keys, by_people };
    let fates = whole.fates(withdrawal, chained.name())?;
    for (verbatim, _) in read.table.verbatim.iter_mut().zip(&fates).filter(|(_, fate)| **fate == Fate::Gone) {
        // Who leaves before anybody has seen them is not to be published as they are, either.
        *verbatim = false;
    }
    let table = &read.table;

    watch.enter(Stage::Solve, table.rows as u64);
    let class_of: Vec<Option<u32>> = ledger
        .atom_of
        .iter()
        .map(|&atom| (atom != NO_ATOM).then(|| ledger.atoms[atom as usize].class))
        .collect();
    let placed = match (earlier.rule, &classes) {
        (Some(rule), Some(last)) => inserted(job, (ledger, last), (table, &fates), (rule, &class_of), watch)?,
        _ => given.form(job, earlier, (table, &fates), &class_of, watch)?,
    };
    let Placed { release, solved, widened, .. } = &placed;

    watch.enter(Stage::Recode, 0);
    let shown: Vec<u32> = shown_rows(release, &fates);
    let made = Made { source: chained, roles, table, release, rows: &shown };
    watch.check()?;

    watch.enter(Stage::Write, 0);
    let new = job.write_new(&made)?;
    let old = LastRows { source: last, class_of: &class_of, withdrawal, widened };
    let origins = write_together(&old, &new, &mut ObservedSink { sink, observer: watch })?;
    let written = sink.finish()?;

    watch.enter(Stage::Verify, 0);
    let observed = Observed { source: written.as_ref(), observer: watch };
    let written =
        describe(ledger, (&made, &placed.atom_of_class), &read.keys, &origins, (last, &observed), by_people);
    let seen = job.check_grown(&made, &written)?;
    watch.check()?;

    let next = record(job, (ledger, placed.new_atoms(ledger)), &made, &fates, &written, &seen, withdrawal)?;
    let growth = Growth {
        joined: widened.atoms,
        widened: widened.classes(),
        inserted: placed.inserted.0,
        covered: placed.inserted.1,
        loss: new.loss,
        atoms: next.atoms.iter().filter(|atom| atom.withdrawn_in.is_none()).count() as u64,
        new_atoms: (next.atoms.len() - ledger.atoms.len()) as u64,
        ..growth(job, ledger, &made, &fates, withdrawal, *had_waited)
    };
    let mut warnings = new.risks.clone();
    warnings.extend(read.warnings);
    let notes = said(&growth).into_iter().chain(read.notes).collect();
    let found = Found {
        solved,
        findings: &seen.findings,
        shown: seen.shown,
        risks: new.risks,
        remarks: Remarks { warnings, notes },
        release: observed.digest()?,
        growth: &growth,
    };
    let outcome = job.told(&made, found, sink)?;
    watch.check_before_publishing()?;
    Ok((outcome, next, growth))
}

impl<'a> Given<'a> {
    /// Refuses what is not as it was.
    fn new(job: &CheckedJob, earlier: &Earlier<'_>, batch: Option<&'a dyn TableSource>) -> Result<Self> {
        let Earlier { ledger, last, withdrawn: list, withhold, .. } = earlier;
        check_last(ledger, *last)?;
        let waiting = ledger.waiting.clone();
        let waiting =
            waiting.ok_or_else(|| Error::internal("the ledger does not say which columns the table has"))?;
        let had_waited = waiting.rows();
        let is_text = batch.map_or_else(|| last.is_text_only(), TableSource::is_text_only);
        let chained = Chained::new(batch, waiting, is_text)?;
        let roles = Roles::resolve(job, &chained)?;
        roles.check_rest(job)?;
        check_as_before(job, ledger, &chained, &roles)?;
        let key_columns = key_columns(&chained, &roles);
        let keys = match list {
            Some(list) => withdrawn(job, *list, &key_columns, ledger)?,
            None => Vec::new(),
        };
        let withdrawal = Withdrawal::new(ledger, keys, *withhold)?;
        Ok(Self { chained, roles, withdrawal, key_columns, had_waited })
    }

    /// Reads and encodes the rows.
    fn read(&self, job: &CheckedJob, ledger: &Ledger) -> Result<Read> {
        let Prepared { table, missing, undeclared, spelled } = read_table(job, &self.chained, &self.roles)?;
        missing.check()?;
        let keys = row_keys(job, &self.chained, &self.key_columns, ledger)?;
        let by_people = !self.roles.columns(Role::Person).is_empty();
        // First: whoever is given while they wait would look like somebody with two rows.
        check_twice((ledger, by_people), job, (&keys, self.had_waited), self.chained.name())?;
        let identifiers = Identifiers::look(job, &self.chained, &self.roles)?;
        identifiers.check()?;
        let (secret, known): (Vec<_>, Vec<_>) = undeclared.iter().partition(|found| found.protects());
        let warnings =
            identifiers.warning().into_iter().chain(secret.into_iter().map(Undeclared::said)).collect();
        let notes = known.into_iter().map(Undeclared::said).chain(spelled).collect();
        Ok(Read { table, keys, warnings, notes })
    }
}

/// What was found, for the documents.
struct Found<'a> {
    solved: &'a Solved,
    findings: &'a Findings,
    shown: Shown,
    risks: Vec<Said>,
    remarks: Remarks,
    /// The digest of the release.
    release: String,
    growth: &'a Growth,
}

impl CheckedJob {
    /// What the run has to tell, with certificate and audit record.
    fn told(&self, made: &Made<'_>, found: Found<'_>, sink: &dyn TableSink) -> Result<Outcome> {
        let Found { solved, findings, shown, risks, mut remarks, release, growth } = found;
        let summary = Summary::new(findings, Some(solved.algorithm.clone()), Some(self.search.seed))
            .with_notion(self.notion)
            .with_demands(&self.demands)
            .with_blocks(solved.blocks)
            .with_steps(solved.refined.as_ref().map(|refined| refined.steps))
            .with_reasons(solved.account);
        remarks.warnings.extend(notes::warnings(self, made.roles, made.source, &summary));
        let evidence = Evidence {
            summary: &summary,
            shown,
            digests: Digests { input: made.source.digest()?, release },
            remarks: remarks.clone(),
            growth: Some(growth.clone()),
        };
        let names = (sink.name(), sink.certificate_place());
        let (certificate, audit) = self.document(made, solved, evidence, names)?;
        Ok(Outcome {
            summary,
            unmentioned: made.roles.unmentioned.clone(),
            columns: made.columns_read(),
            risks,
            remedies: Vec::new(),
            warnings: remarks.warnings,
            notes: remarks.notes,
            certificate,
            audit,
            solutions: Solutions::default(),
        })
    }
}
