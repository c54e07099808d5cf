//! Reads a table back and asks the verifier about it.

use std::path::Path;

use super::{Job, Made};
use crate::data::{Domain, Intervals, Role, Suppressed, Table};
use crate::error::{Error, Result};
use crate::input::{Column, Source, encode};
use crate::output::Staged;
use crate::verify::{Alignment, Findings, Reference, Released, verify};

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

/// Whether published intervals can be read back as intervals: their middles cannot.
pub(super) fn readable(intervals: Intervals, table: &Table) -> bool {
    let any = table.qi.iter().any(|q| matches!(q.attribute.domain, Domain::Interval(_)));
    !(any && intervals == Intervals::Midpoint)
}

impl Job {
    /// Reads the written file back and compares it with the original. Where the published form hides what the cells are,
    /// the same classes are also written as text, to be compared cell by cell.
    pub(super) fn verify(&self, made: &Made<'_>, staged: &Staged) -> Result<Findings> {
        let published = self.examine(made, self.intervals(), staged)?;
        if readable(self.intervals(), made.table) {
            return Ok(published);
        }
        let twin = Staged::new(Path::new("-"))?;
        self.write(made, Intervals::Text, &twin)?;
        let text = self.examine(made, Intervals::Text, &twin)?;
        Ok(Findings { loss: text.loss, source: text.source, illegal_cells: text.illegal_cells, ..published })
    }

    fn examine(&self, made: &Made<'_>, intervals: Intervals, staged: &Staged) -> Result<Findings> {
        let shown = self.output.display().to_string();
        let written = Source::open_as(staged.path(), self.format(made.source), &shown)?;
        let named = |role| names(made.source, &made.roles.of, role);
        let starred = self.file.suppressed == Some(Suppressed::Star);
        let rest = if starred { named(Role::Other) } else { Vec::new() };
        let (qi, sensitive) = (named(Role::QuasiIdentifier), named(Role::Sensitive));
        let released = read_release(&written, &qi, &sensitive, &rest, Some(starred))?;
        let reference = Reference {
            table: made.table,
            alignment: Alignment::Known(made.order),
            beta: self.file.beta.unwrap_or(0.0),
            readable: readable(intervals, made.table),
        };
        let findings = verify(&released, Some(&reference), Some(self.models.k()))?;
        findings.meet(&self.models).map_err(|shortfalls| {
            Error::internal(format!("the release failed its verification: {}", shortfalls.join("; ")))
        })?;
        Ok(findings)
    }
}

/// A verified release must show exactly the rows that were meant to be released.
pub(super) fn same_count(what: &str, expected: u64, found: u64) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::internal(format!(
        "verification failed: {expected} {what} expected, {found} found in the written file"
    )))
}
