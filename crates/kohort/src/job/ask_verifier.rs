//! Reads a table back and asks the verifier about it.

use super::checked::OptOut;
use super::read_back::ReadBack;
use super::{CheckedJob, Made};
use crate::data::{Domain, Intervals, ROOT_LABEL, Role, Table, bound_names};
use crate::error::{Error, Place, Result, Said};
use crate::input::{Column, TableSource, encode_exact, keep_empty};
use crate::output::TableSink;
use crate::solution::{SUPPRESSED, VERBATIM};
use crate::verify::{Alignment, Findings, Reference, Released, verify_grouped};

/// Reads a release: where its quasi-identifiers and sensitive columns are found by name.
pub(super) fn read_release(
    source: &dyn TableSource,
    qi: &[String],
    sensitive: &[String],
    opt_out: Option<&OptOut>,
) -> Result<Released> {
    let mut widths = Vec::new();
    let mut wanted = Vec::new();
    for name in qi {
        let columns = published_as(source, name)?;
        widths.push(columns.len());
        wanted.extend(columns);
    }
    for name in sensitive {
        wanted.push(source.column(name)?);
    }
    let flag = opt_out.map(|opt_out| told(source, &opt_out.column)).transpose()?;
    let flag_at = flag.map(|c| wanted.iter().position(|&w| w == c).unwrap_or(wanted.len()));
    wanted.extend(flag.filter(|_| flag_at == Some(wanted.len())));
    // Rows are in one class if they show the same; what they hide, and who does not mind, is a matter of text.
    let columns = encode_exact(source, &wanted, widths.iter().sum())?;
    let verbatim = match (flag_at, opt_out) {
        (Some(at), Some(opt_out)) => columns[at].rows_with(&opt_out.value),
        _ => Vec::new(),
    };
    let mut columns = columns.into_iter();
    let qi: Vec<Vec<Column>> = widths.iter().map(|&w| columns.by_ref().take(w).collect()).collect();
    let rows = qi.iter().flatten().next().map_or(0, |c| c.codes.len());
    let sensitive = columns.take(sensitive.len()).collect();
    Ok(Released { rows, qi, sensitive, hidden: Vec::new(), verbatim, people: None })
}

/// The column of a release that says which rows are published as they are.
fn told(source: &dyn TableSource, name: &str) -> Result<usize> {
    source.column(name).map_err(|e| {
        e.at(Place::default().in_file(source.name()).option("opt-out"))
            .help("without this column nobody can tell which rows are published as they are: keep it in the release, or check without ‹opt-out›")
    })
}

/// Which rows show nothing at all: every quasi-identifier is `*` (or empty, where numbers are published), every other
/// column is empty. Such rows are suppressed rows. Columns that are neither are read again only if that can matter.
pub(super) fn blank_rows(
    source: &dyn TableSource,
    released: &Released,
    numbers: bool,
    starred: bool,
) -> Result<Vec<bool>> {
    let rest: Vec<usize> = {
        let seen = |name: &str| {
            let mut known = released.qi.iter().flatten().chain(&released.sensitive);
            known.any(|c| c.name == name)
        };
        source.names().enumerate().filter(|(_, n)| !seen(n)).map(|(c, _)| c).collect()
    };
    if rest.is_empty() && released.sensitive.is_empty() && !starred {
        // Nothing could tell a suppressed row from one of a class of `*`.
        return Ok(Vec::new());
    }
    let mut blank = vec![true; released.rows];
    for columns in &released.qi {
        let empty = numbers || columns.len() == 2;
        for column in columns {
            keep(&mut blank, column, |t| t == ROOT_LABEL || (empty && t.is_empty()));
        }
    }
    released.sensitive.iter().for_each(|c| keep(&mut blank, c, str::is_empty));
    if !blank.contains(&true) {
        return Ok(Vec::new());
    }
    if !rest.is_empty() {
        keep_empty(source, &rest, &mut blank)?;
    }
    Ok(blank)
}

/// Whether some rows that show nothing stand beside others with the same quasi-identifiers that do show something: they could
/// be suppressed rows, or members of that class who lack a sensitive value.
pub(super) fn is_ambiguous(released: &Released) -> bool {
    if !released.hidden.contains(&true) {
        return false;
    }
    let mut general = vec![true; released.rows];
    for column in released.qi.iter().flatten() {
        keep(&mut general, column, |t| t == ROOT_LABEL || t.is_empty());
    }
    let hidden = |row: usize| released.hidden.get(row) == Some(&true);
    let mut both = [false, false];
    for row in (0..released.rows).filter(|&row| general[row]) {
        both[usize::from(hidden(row))] = true;
    }
    both == [true, true]
}

/// Rows stay blank only where the column's text says nothing.
fn keep(blank: &mut [bool], column: &Column, says_nothing: impl Fn(&str) -> bool) {
    let nothing: Vec<bool> = column.texts.iter().map(|t| says_nothing(t)).collect();
    blank.iter_mut().zip(column.codes.iter()).for_each(|(b, code)| *b &= nothing[code as usize]);
}

/// A quasi-identifier is published under its name, or as `<name>_min` and `<name>_max`.
fn published_as(source: &dyn TableSource, name: &str) -> Result<Vec<usize>> {
    let bounds = bound_names(name).map(|bound| source.names().position(|c| c == bound));
    match (source.column(name), bounds) {
        (Ok(column), _) => Ok(vec![column]),
        (Err(_), [Some(lo), Some(hi)]) => Ok(vec![lo, hi]),
        (Err(e), _) => Err(e),
    }
}

/// The names of a table's columns by role.
pub(super) fn names(source: &dyn TableSource, roles: &[Role], role: Role) -> Vec<String> {
    source.names().zip(roles).filter(|(_, r)| **r == role).map(|(n, _)| n.to_owned()).collect()
}

/// Whether published intervals can be read back as intervals: their middles cannot.
pub(super) fn readable(intervals: Intervals, table: &Table) -> bool {
    let any = table.qi.iter().any(|q| matches!(q.attribute.domain, Domain::Interval(_)));
    !(any && intervals == Intervals::Midpoint)
}

impl CheckedJob {
    /// Compares what was read back with the original. Where the published form hides what the cells are, the same classes
    /// are also written as text to a `twin`, to be compared cell by cell.
    pub(super) fn verify(
        &self,
        made: &Made<'_>,
        written: ReadBack<'_>,
        order: &[u32],
        twin: Option<Box<dyn TableSink>>,
    ) -> Result<Findings> {
        let published = self.compared(made, self.intervals, written, order)?;
        let Some(mut twin) = twin else { return Ok(published) };
        twin.open()?;
        let order = self.write(made, Intervals::Text, None, twin.as_mut())?;
        let source = twin.finish()?;
        let written = self.read_back(made, Intervals::Text, source.as_ref())?;
        let text = self.compared(made, Intervals::Text, written, &order)?;
        Ok(Findings {
            loss: text.loss,
            source: text.source,
            illegal_cells: text.illegal_cells,
            boundary_violations: text.boundary_violations,
            ..published
        })
    }

    pub(super) fn compared(
        &self,
        made: &Made<'_>,
        intervals: Intervals,
        written: ReadBack<'_>,
        order: &[u32],
    ) -> Result<Findings> {
        let suppressed = places(made, order, SUPPRESSED);
        check_blank(&suppressed, &written.released.hidden)?;
        let ReadBack { released, grouping, .. } = written.told(suppressed, places(made, order, VERBATIM));
        let reference = Reference {
            table: made.table,
            alignment: Alignment::Known(order),
            beta: self.beta.unwrap_or(0.0),
            readable: readable(intervals, made.table),
            notion: self.notion,
            k: None,
            secrets: None,
            untouched: None,
        };
        let (k, demands) = (Some(self.demands.k()), &self.demands);
        let findings = verify_grouped(&released, &grouping, Some(&reference), k, demands, made.table)?;
        if findings.released == 0 && findings.opted_out > 0 && self.series.is_some() {
            // A batch may bring nobody but people who do not mind.
            return Ok(findings);
        }
        if self.series.as_ref().is_some_and(|series| series.inserts) {
            // Single rows that join classes meet nothing by themselves; the whole release is looked at with its atoms.
            return Ok(findings);
        }
        findings.meet(demands, self.notion).map_err(|shortfalls| {
            let short: Vec<&str> = shortfalls.iter().map(Said::marked).collect();
            Error::internal(format!("the release failed its verification: {}", short.join("; ")))
        })?;
        Ok(findings)
    }
}

/// Suppressed rows that stay must show nothing.
fn check_blank(suppressed: &[bool], blank: &[bool]) -> Result<()> {
    let shows = |(row, suppressed): (usize, &bool)| *suppressed && blank.get(row) != Some(&true);
    match suppressed.iter().enumerate().filter(|&pair| shows(pair)).count() {
        0 => Ok(()),
        n => Err(Error::internal(format!("{n} suppressed rows of the release show something"))),
    }
}

/// Where rows of no class stand in the release: suppressed ones, or those published as they are. Empty when none does.
fn places(made: &Made<'_>, order: &[u32], standing: u32) -> Vec<bool> {
    let class_of = &made.release.class_of;
    if !class_of.contains(&standing) {
        return Vec::new();
    }
    let marks: Vec<bool> = order.iter().map(|&row| class_of[row as usize] == standing).collect();
    // Suppressed rows that are dropped stand nowhere.
    if marks.contains(&true) { marks } else { Vec::new() }
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
