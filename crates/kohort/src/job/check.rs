//! Reads a table back and asks the verifier about it.

use crate::data::{Intervals, Role, Table};
use crate::error::{Error, Result};
use crate::input::{Column, Source, encode};
use crate::verify::Released;

/// Reads a release: where its quasi-identifiers, sensitive and other columns are found by name.
pub(super) fn read_release(
    source: &Source,
    qi: &[String],
    sensitive: &[String],
    rest: &[String],
    starred: Option<bool>,
) -> Result<Released> {
    let mut widths = Vec::new();
    let mut wanted = Vec::new();
    for name in qi {
        let columns = published_as(source, name)?;
        widths.push(columns.len());
        wanted.extend(columns);
    }
    for name in sensitive.iter().chain(rest) {
        wanted.push(source.column(name)?);
    }
    let mut columns = encode(source, &wanted, &|_| ())?.into_iter();
    let qi = widths.iter().map(|&w| columns.by_ref().take(w).collect()).collect();
    let secret: Vec<Column> = columns.by_ref().take(sensitive.len()).collect();
    let released = Released { rows: 0, qi, sensitive: secret, rest: columns.collect(), starred };
    let rows = released.qi.iter().flatten().next().map_or(0, |c| c.codes.len());
    Ok(Released { rows, ..released })
}

/// A quasi-identifier is published under its name, or as `<name>_min` and `<name>_max`.
fn published_as(source: &Source, name: &str) -> Result<Vec<usize>> {
    let at = |n: String| source.names().position(|c| c == n);
    match (source.column(name), at(format!("{name}_min")), at(format!("{name}_max"))) {
        (Ok(column), ..) => Ok(vec![column]),
        (Err(_), Some(lo), Some(hi)) => Ok(vec![lo, hi]),
        (Err(e), ..) => Err(e),
    }
}

/// The names of a table's columns by role.
pub(super) fn names(source: &Source, roles: &[Role], role: Role) -> Vec<String> {
    source.names().zip(roles).filter(|(_, r)| **r == role).map(|(n, _)| n.to_owned()).collect()
}

/// Whether published intervals can be read back as intervals.
pub(super) fn readable(intervals: Intervals, table: &Table) -> bool {
    let any = table.qi.iter().any(|q| matches!(q.attribute.domain, crate::data::Domain::Interval(_)));
    !(any && intervals == Intervals::Midpoint)
}

/// A verified release must show exactly the rows that were meant to be released.
pub(super) fn same_count(what: &str, expected: u64, found: u64) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::internal(format!("verification failed: {expected} {what} expected, {found} found in the written file")))
}
