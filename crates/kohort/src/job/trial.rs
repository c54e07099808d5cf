//! What a proposed job would cost, by one quick run: of some of the rows, and without looking for anything better.

use arrow::array::{RecordBatch, UInt32Array};
use arrow::compute::take;
use serde::Serialize;

use super::kept::Remedy;
use super::observed::Observed;
use super::{Observer, anonymize};
use crate::error::{Error, Result, Said};
use crate::input::{JobSpec, MemoryTable, TableSource};
use crate::output::MemorySink;
use crate::propose::Proposal;
use crate::verify::Loss;

/// So many rows show what a job costs.
const ROWS: u64 = 10_000;

/// Days and times that lost more than this are tried as intervals.
const COARSE: f64 = 0.5;

/// How long the quick run may take.
const LIMIT: &str = "10s";

/// What a quick run of a proposed job found.
#[derive(Debug, Clone, Serialize)]
pub struct Trial {
    /// How many rows it was run on, at even distances.
    pub rows: u64,
    /// How many the table has.
    pub of: u64,
    /// What would be lost; none where the run found no release.
    pub loss: Option<Loss>,
    /// Rows that no class took.
    pub suppressed: u64,
    /// Classes.
    pub classes: u64,
    /// Why there was no release.
    pub problem: Option<Said>,
}

/// Runs a proposed job. Demands on sensitive columns that leave no release are taken back, and columns that give people away are
/// not released as they are; the proposal says so.
pub fn try_proposal(
    proposal: &mut Proposal,
    source: &dyn TableSource,
    observer: &dyn Observer,
) -> Result<Trial> {
    let table = some_rows(source, proposal.rows, observer)?;
    let (rows, of) = (table.rows() as u64, proposal.rows);
    let asks = proposal.columns.iter().any(|column| column.p.is_some());
    let mut outcome = run(proposal, &table, observer);
    if asks && matches!(outcome, Err(Error::Unsolvable(_))) {
        proposal.without_demands("a quick run found no release with this and the other demands");
        outcome = run(proposal, &table, observer);
    }
    if let Ok(calendar) = &outcome
        && let Some(better) = intervals_of_dates(proposal, calendar, &table, observer)?
    {
        outcome = Ok(better);
    }
    outcome = without_risks(proposal, outcome, &table, observer);
    proposal.look_again();
    let nothing = |problem| Trial { rows, of, loss: None, suppressed: 0, classes: 0, problem };
    match outcome {
        Ok(Found { loss, suppressed, classes, .. }) => {
            Ok(Trial { loss, suppressed, classes, ..nothing(None) })
        }
        Err(e @ (Error::Stopped(_) | Error::Internal(_))) => Err(e),
        Err(e) => Ok(nothing(Some(e.what().clone()))),
    }
}

/// Days and times that lost most of the calendar keep more as intervals, most of the time. Tried, and taken only where it is so.
fn intervals_of_dates(
    proposal: &mut Proposal,
    calendar: &Found,
    table: &MemoryTable,
    observer: &dyn Observer,
) -> Result<Option<Found>> {
    let Some(before) = &calendar.loss else { return Ok(None) };
    let lost = |proposal: &Proposal, loss: &Loss, at: usize| {
        loss.per_column.get(&proposal.columns[at].name).copied().unwrap_or(0.0)
    };
    let coarse: Vec<usize> =
        proposal.on_the_calendar().into_iter().filter(|&at| lost(proposal, before, at) > COARSE).collect();
    if coarse.is_empty() {
        return Ok(None);
    }
    let mut other = proposal.clone();
    for &at in &coarse {
        other.use_intervals(at, "");
    }
    let found = match run(&other, table, observer) {
        Ok(found) => found,
        Err(e @ (Error::Stopped(_) | Error::Internal(_))) => return Err(e),
        Err(_) => return Ok(None),
    };
    let Some(after) = found.loss.as_ref().filter(|after| after.il < before.il) else { return Ok(None) };
    for at in coarse {
        let (then, now) = (lost(proposal, before, at) * 100.0, lost(proposal, after, at) * 100.0);
        proposal.use_intervals(
            at,
            &format!("a quick run lost {now:.0}% of its detail so, and {then:.0}% on the calendar"),
        );
    }
    Ok(Some(found))
}

/// Changes the roles of columns that the run warned of, until it warns of none that a proposal could change.
fn without_risks(
    proposal: &mut Proposal,
    outcome: Result<Found>,
    table: &MemoryTable,
    observer: &dyn Observer,
) -> Result<Found> {
    let mut found = outcome?;
    let is_whole = table.rows() as u64 >= proposal.rows;
    for _ in 0..proposal.columns.len() {
        let changes: Vec<Remedy> = std::mem::take(&mut found.remedies);
        let mut applied = false;
        for Remedy { column, role, why, needs_all_rows } in changes {
            // Among few rows more are alone than in the table.
            if is_whole || !needs_all_rows || proposal.is_nearly_unique(&column) {
                applied |= proposal.release_less(&column, role, &why);
            }
        }
        if !applied {
            break;
        }
        found = run(proposal, table, observer)?;
    }
    Ok(found)
}

/// What a run found.
struct Found {
    loss: Option<Loss>,
    /// Rows that no class took.
    suppressed: u64,
    classes: u64,
    /// What could be done about columns that give people away.
    remedies: Vec<Remedy>,
}

fn run(proposal: &Proposal, table: &MemoryTable, observer: &dyn Observer) -> Result<Found> {
    let spec = JobSpec {
        refine: Some("off".into()),
        bound: Some("off".into()),
        time_limit: Some(LIMIT.into()),
        ..proposal.spec()
    };
    let made = |column: &crate::propose::ProposedColumn| Some((column.name.clone(), column.made.clone()?));
    let made = proposal.columns.iter().filter_map(made);
    let job = made.fold(spec.check()?, |job, (name, tree)| job.with_hierarchy(name, tree));
    let outcome = anonymize(&job, table, &mut MemorySink::new("the quick run"), observer)?;
    let (summary, remedies) = (outcome.summary, outcome.remedies);
    Ok(Found { loss: summary.loss, suppressed: summary.suppressed, classes: summary.classes, remedies })
}

/// Rows at even distances.
fn some_rows(source: &dyn TableSource, rows: u64, observer: &dyn Observer) -> Result<MemoryTable> {
    let step = rows.div_ceil(ROWS).max(1);
    let all: Vec<usize> = (0..source.schema().fields().len()).collect();
    let watched = Observed { source, observer };
    let (mut at, mut batches) = (0u64, Vec::new());
    for batch in watched.batches(&all)? {
        let batch = batch?;
        let first = (step - at % step) % step;
        at += batch.num_rows() as u64;
        let chosen: UInt32Array =
            (first..batch.num_rows() as u64).step_by(step as usize).map(|row| row as u32).collect();
        let broken = |e: arrow::error::ArrowError| Error::internal(e.to_string());
        let columns = batch.columns().iter().map(|column| take(column, &chosen, None));
        let columns = columns.collect::<std::result::Result<Vec<_>, _>>().map_err(broken)?;
        batches.push(RecordBatch::try_new(batch.schema(), columns).map_err(broken)?);
        // Of a table that was looked at in part only that part is tried.
        if at >= rows {
            break;
        }
    }
    MemoryTable::new(source.name(), source.schema(), batches)
}
