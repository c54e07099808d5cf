//! A table that grows: its next release is the whole table so far, such that nobody learns more from comparing releases than
//! from one of them.
//!
//! The classes of the first release are *atoms*, each of which meets every demand by itself. Later rows form atoms of their own or
//! wait. Every class of every release is a union of atoms, and no atom is ever split, so whatever classes are united, intersected
//! or taken from each other, what is left is a union of atoms (`algorithms.md` §9). Rows that were published before come from the
//! last release, as published.

mod as_before;
mod asked;
mod atoms;
mod chained;
mod check;
mod fate;
mod grow;
mod insert;
mod join;
mod keys;
mod new_rows;
mod next;
mod origin;
mod place;
mod record;
mod withdraw;

pub(super) use asked::listed_form;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::checked::Series;
use super::observed::{Observed, WithDeadline, with_threads};
use super::{CheckedJob, Observer, Outcome};
use crate::algorithm::InsertionRule;
use crate::error::{Error, Result, Said};
use crate::input::{JobSpec, TableSource};
use crate::ledger::Ledger;
use crate::output::TableSink;
use crate::report::Growth;

/// A release of a growing table that is verified and not handed over yet: ledger and release must appear together.
#[derive(Debug, Clone)]
pub struct Appended {
    /// What the run has to tell, with the documents of the release.
    pub outcome: Outcome,
    /// What the next release must know.
    pub ledger: Ledger,
    /// What became of the batch.
    pub growth: Growth,
}

/// What a later release starts from.
pub struct Earlier<'a> {
    /// What was recorded with the last release.
    pub ledger: Ledger,
    /// The last release itself.
    pub last: &'a dyn TableSource,
    /// Whose rows are to be taken out: a table with the columns that tell people apart.
    pub withdrawn: Option<&'a dyn TableSource>,
    /// Whether rows of others may go with them, where they are in one atom.
    pub withhold: bool,
    /// How new rows join classes one by one, instead of making atoms of their own: only where nobody has seen an earlier release.
    pub rule: Option<InsertionRule>,
}

impl Earlier<'_> {
    /// The digest of a batch. Refuses one that an earlier release was made with: its rows would be there twice.
    fn not_given_before(&self, batch: &dyn TableSource) -> Result<String> {
        let digest = batch.digest()?;
        match self.ledger.releases.iter().find(|release| release.batch.as_ref() == Some(&digest)) {
            None => Ok(digest),
            Some(release) => Err(Error::input(format!(
                "this batch was given before: release {} was made with it, and its rows are in that release or wait",
                release.number
            ))
            .in_file(batch.name())
            .help("give only new rows; to try again those that wait, give no batch")),
        }
    }
}

/// The first release of a table that is going to grow. It is the one that [`anonymize`](super::anonymize) makes.
pub fn begin(
    spec: &JobSpec,
    source: &dyn TableSource,
    sink: &mut dyn TableSink,
    observer: &dyn Observer,
) -> Result<Appended> {
    let kept = asked::kept_form(spec);
    let mut job = spec.check()?;
    asked::check_growable(&job, &kept)?;
    job.series = Some(Series { number: 1, earlier: BTreeMap::new(), inserts: false });
    let watch = WithDeadline::new(observer, job.time_limit, job.search.refining.time());
    let source = Observed { source, observer: &watch };
    with_threads(job.threads, || {
        let mut recorded = None;
        let mut outcome = job.walk(&source, sink, &watch, &mut |made, order, written| {
            recorded = Some(record::first(&job, &kept, made, order, written)?);
            Ok(())
        })?;
        let (mut ledger, short) =
            recorded.ok_or_else(|| Error::internal("a release was made that nobody recorded"))?;
        refuse_short(&short)?;
        let waiting = ledger.waiting_rows() as u64;
        let summary = &outcome.summary;
        let growth = Growth {
            release: 1,
            batch: summary.rows,
            appended: summary.released,
            opened: summary.opted_out,
            waiting,
            waiting_lacking: summary.suppressed_because.map_or(0, |because| because.missing).min(waiting),
            atoms: ledger.atoms.len() as u64,
            new_atoms: ledger.atoms.len() as u64,
            loss: summary.loss.clone(),
            ..Growth::default()
        };
        sign(&mut ledger, &outcome, sink, Some(source.digest()?));
        outcome.audit = outcome.audit.with_growth(Some(growth.clone()));
        if ledger.keys.is_empty() {
            outcome.warnings.push("nothing tells rows apart: nobody can be withdrawn, and rows that are given twice are there twice; name an ‹identifier› or ‹person› column with the first release".into());
        }
        if waiting > 0 {
            outcome.notes.push(next::waiting(&growth));
        }
        Ok(Appended { outcome, ledger, growth })
    })
}

/// The next release: the whole table so far. Without a batch, rows are only taken out or tried again that wait.
///
/// The ledger says afterwards that a release was published. Who knows that nobody will see this one, nor has seen an earlier one,
/// leaves [`Ledger::published`] as it was.
pub fn append(
    given: &JobSpec,
    earlier: &Earlier<'_>,
    batch: Option<&dyn TableSource>,
    sink: &mut dyn TableSink,
    observer: &dyn Observer,
) -> Result<Appended> {
    let spec = asked::continued(&earlier.ledger.job, given)?;
    let spec = JobSpec { threads: given.threads, time_limit: given.time_limit.clone(), ..spec };
    let mut job = spec.check()?;
    asked::check_choice(job.search.choice)?;
    insert::check_rule(&job, earlier)?;
    asked::check_places(&job, given)?;
    let number = earlier.ledger.next_number();
    job.series =
        Some(Series { number, earlier: earlier.ledger.frozen.clone(), inserts: earlier.rule.is_some() });
    let watch = WithDeadline::new(observer, job.time_limit, job.search.refining.time());
    let digest = batch.map(|batch| earlier.not_given_before(batch)).transpose()?;
    with_threads(job.threads, || {
        let (outcome, mut ledger, growth) = grow::grow(&job, earlier, batch, sink, &watch)?;
        sign(&mut ledger, &outcome, sink, digest.filter(|_| growth.batch > 0));
        Ok(Appended { outcome, ledger, growth })
    })
}

/// Writes into the ledger which release it belongs to, and which batch that was made with.
fn sign(ledger: &mut Ledger, outcome: &Outcome, sink: &dyn TableSink, batch: Option<String>) {
    if let Some(release) = ledger.releases.last_mut() {
        release.place = absolute(Path::new(&sink.name()));
        release.sha256.clone_from(&outcome.certificate.release().sha256);
        release.batch = batch;
    }
}

/// A place that can be found from anywhere.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// An error of ours where what was written is not what was meant.
fn refuse_short(short: &[Said]) -> Result<()> {
    if short.is_empty() {
        return Ok(());
    }
    let all: Vec<&str> = short.iter().map(Said::marked).collect();
    Err(Error::internal(format!("the release failed its verification: {}", all.join("; "))))
}

/// A number of rows in words.
fn rows(n: u64) -> String {
    crate::error::counted(n, "row")
}

impl CheckedJob {
    /// Which release of a growing table the job makes.
    fn release_number(&self) -> u32 {
        self.series.as_ref().map_or(1, |series| series.number)
    }
}
