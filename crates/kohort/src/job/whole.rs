//! What the classes of a release are compared with where there is no original: the release as a whole.

use super::{CheckedJob, prepare};
use crate::data::Table;
use crate::error::Result;
use crate::input::{Column, TableSource, sensitive};
use crate::verify::Released;

/// The sensitive columns of the release as a table of their own. Rows in no class do not count.
pub(super) fn whole(job: &CheckedJob, source: &dyn TableSource, released: &Released) -> Result<Table> {
    let encoded = |column: &Column| {
        let is_text = source.is_text(source.column(&column.name)?);
        let column = column.clone().read_with(&job.na(&column.name));
        let spec = prepare::sensitive_spec(job, &column, is_text)?;
        sensitive(column, spec, source.name())
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
