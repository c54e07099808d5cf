//! What is looked at before a later release is handed over: the release as everybody sees it, its atoms one by one, and whether
//! what was published before is what it was.

use std::hash::RandomState;

use super::origin::Written;
use super::refuse_short;
use crate::data::{Role, bound_names};
use crate::error::{Error, Result, Said};
use crate::input::{TableSource, fingerprints};
use crate::job::ask_verifier::{names, read_release};
use crate::job::public::Shown;
use crate::job::whole::frozen_whole;
use crate::job::{CheckedJob, Made, ask_verifier};
use crate::verify::{Atoms, Findings, Released, narrowed, verify_grouped};

/// What was found in a later release.
pub(super) struct Seen {
    pub(super) shown: Shown,
    pub(super) findings: Findings,
    /// The class of every row, and how many there are.
    pub(super) class_of: Vec<Option<u32>>,
}

impl CheckedJob {
    /// Reads what was written, and holds it against what was asked and what was recorded.
    pub(super) fn check_grown(&self, made: &Made<'_>, written: &Written<'_>) -> Result<Seen> {
        let read = self.read_back(made, self.intervals, written.source)?;
        ask_verifier::same_count("rows", written.was.len() as u64, read.released.rows as u64)?;
        let shown = self.shown(made, &read)?;
        let whole = frozen_whole(self, written.source, &read.released)?;
        let k = Some(self.demands.k());
        let findings = verify_grouped(&read.released, &read.grouping, None, k, &self.demands, &whole)?;
        if findings.released > 0 {
            refuse_short(&findings.shortfalls_of_classes(&self.demands, |_| true))?;
        }
        let (of_row, uncounted) = (&written.atom_of, &written.uncounted);
        let atoms = Atoms { of_row, people: written.people.clone(), uncounted };
        refuse_short(&atoms.shortfalls(&read.released, &read.grouping, &self.demands, &whole)?)?;
        refuse_short(&changed(made, written, &read.released)?)?;
        let (class_of, _) = read.grouping.classes();
        Ok(Seen { shown, findings, class_of })
    }
}

/// What was published before and is not what it was.
fn changed(made: &Made<'_>, written: &Written<'_>, now: &Released) -> Result<Vec<Said>> {
    let qi = names(made.source, &made.roles.of, Role::QuasiIdentifier);
    let before = read_release(written.last, &qi, &[], None)?;
    let attributes: Vec<_> = made.table.qi.iter().map(|q| &q.attribute).collect();
    let cells = narrowed(&attributes, &before.qi, &now.qi, &written.was);
    let generalized: Vec<String> =
        qi.iter().flat_map(|name| bound_names(name).into_iter().chain([name.clone()])).collect();
    let others = |name: &&str| generalized.iter().all(|q| q != name);
    let others: Vec<&str> = written.last.names().filter(others).collect();
    let rows = other_values(written, &others)?;
    let mut out = Vec::new();
    if cells > 0 {
        out.push(format!("{cells} cells are neither what was published before nor wider").into());
    }
    if rows > 0 {
        out.push(
            format!("{rows} rows differ from what was published before in columns that are not generalized")
                .into(),
        );
    }
    Ok(out)
}

/// How many rows that were published before show something else now in these columns.
fn other_values(written: &Written<'_>, columns: &[&str]) -> Result<u64> {
    if columns.is_empty() {
        return Ok(0);
    }
    let (mut before, mut now) = (Vec::new(), Vec::new());
    for name in columns {
        let (a, b) = (written.last.column(name)?, written.source.column(name)?);
        let data = |source: &dyn TableSource, at: usize| source.schema().field(at).data_type().clone();
        let exact = !written.last.is_text_only()
            && !written.source.is_text_only()
            && data(written.last, a) == data(written.source, b);
        before.push((a, exact));
        now.push((b, exact));
    }
    let key = RandomState::new();
    let before = fingerprints(written.last, &before, &key)?;
    let now = fingerprints(written.source, &now, &key)?;
    if now.len() != written.was.len() {
        return Err(Error::internal("the release has another number of rows than were written"));
    }
    let differs = |(row, was): (usize, &Option<u32>)| was.is_some_and(|was| before[was as usize] != now[row]);
    Ok(written.was.iter().enumerate().filter(|&pair| differs(pair)).count() as u64)
}
