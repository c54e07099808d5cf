//! What the classes of a release are compared with where there is no original: the release as a whole.

use super::{CheckedJob, prepare};
use crate::data::Table;
use crate::error::Result;
use crate::input::{Column, TableSource, sensitive};
use crate::verify::Released;

/// The sensitive columns of the release as a table of their own. Rows in no class do not count.
pub(super) fn whole(job: &CheckedJob, source: &dyn TableSource, released: &Released) -> Result<Table> {
    encoded(job, source, released, false)
}

/// The same for a later release of a growing table, whose classes are compared with what the first one was made from. Only who has
/// the ledger knows that.
pub(super) fn frozen_whole(job: &CheckedJob, source: &dyn TableSource, released: &Released) -> Result<Table> {
    encoded(job, source, released, true)
}

fn encoded(job: &CheckedJob, source: &dyn TableSource, released: &Released, frozen: bool) -> Result<Table> {
    let encoded = |column: &Column| {
        let is_text = source.is_text(source.column(&column.name)?);
        let na = job.na(&column.name);
        let column = if frozen { prepare::with_earlier(job, column.clone()) } else { column.clone() };
        let column = column.read_with(&na);
        let spec = prepare::sensitive_spec(job, &column, is_text)?;
        let column = sensitive(column, spec, source.name())?;
        Ok(if frozen { prepare::frozen(job, column) } else { column })
    };
    let marks = [&released.hidden, &released.verbatim];
    let aside = |row: usize| marks.iter().any(|f| f.get(row) == Some(&true));
    let rows = if marks.iter().all(|f| f.is_empty()) { 0 } else { released.rows };
    Ok(Table {
        rows: released.rows,
        qi: Vec::new(),
        sensitive: released.sensitive.iter().map(encoded).collect::<Result<_>>()?,
        verbatim: (0..rows).map(aside).collect(),
        lacking: Vec::new(),
        people: released.people.clone(),
    })
}
