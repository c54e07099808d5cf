//! What `verify` did not look at. Silence would read as consent.

use super::CheckedJob;
use super::original::Carried;
use crate::data::Intervals;
use crate::demand::{ModelEntry, Notion};
use crate::error::{Said, people};
use crate::verify::{Findings, SourceCheck};

const MIDDLES: &str = "middles do not tell how far a value was generalized";

/// What was asked and what was found.
pub(super) struct Seen<'a> {
    pub(super) findings: &'a Findings,
    pub(super) has_original: bool,
    pub(super) notion: Notion,
    pub(super) job: &'a CheckedJob,
}

impl Seen<'_> {
    /// Why boundaries were not checked, where they were asked for and were not.
    pub(super) fn boundaries(&self) -> Option<&'static str> {
        let bounded = self.job.has_boundaries();
        let unseen = bounded && self.findings.boundary_violations.is_none();
        unseen.then(|| if self.has_middles() { MIDDLES } else { self.untraced() })
    }

    /// Why cells were not traced.
    fn untraced(&self) -> &'static str {
        match (self.has_original, self.job.intervals) {
            (false, _) => "that takes ‹original›",
            (_, Intervals::Midpoint) => MIDDLES,
            _ => "the table is too large to find out whose rows these are; ‹keep-order› helps",
        }
    }

    /// Whether boundaries were asked for that nobody can check, with or without the original.
    pub(super) fn has_hidden_boundaries(&self) -> bool {
        self.boundaries().is_some() && self.has_middles()
    }

    fn has_middles(&self) -> bool {
        self.job.intervals == Intervals::Midpoint
    }

    /// Everything that was asked or is usual and was not looked at. `unmentioned` are columns that nobody said anything
    /// about.
    pub(super) fn not_checked(&self, carried: &Carried, unmentioned: &[String]) -> Vec<Said> {
        let mut out: Vec<String> = Vec::new();
        let traced = self.findings.source.is_some_and(|check| check != SourceCheck::NotChecked);
        if !traced {
            out.push(format!(
                "whether every cell is a generalization of a value of the original: {}",
                self.untraced()
            ));
        }
        if !self.has_original {
            out.push(
                "whether sensitive and untouched columns are the original's: that takes ‹original›".into(),
            );
        }
        out.extend(self.boundaries().map(|why| format!("whether cells stay within the boundaries: {why}")));
        out.extend(self.notions());
        out.extend(self.people());
        for figure in
            self.job.demands.compared_with_table().filter(|_| !self.has_original).map(ModelEntry::figure)
        {
            out.push(format!(
                "{figure} against the original: classes were compared with this whole table; that takes ‹original›"
            ));
        }
        if !self.has_original && self.job.suppress.is_some() {
            out.push("how many rows are suppressed: that takes ‹original›".into());
        }
        if !carried.only_here.is_empty() {
            out.push(format!("columns that the original does not have: {}", carried.only_here.join(", ")));
        }
        if !carried.left_out.is_empty() {
            out.push(format!("columns of the original that are not here: {}", carried.left_out.join(", ")));
        }
        if self.findings.is_empty {
            out.push("whether this is all of it: the table has a header and no rows, so every demand is met because nobody is in it".into());
        }
        if !unmentioned.is_empty() {
            let names = unmentioned.join(", ");
            out.push(format!("what these columns give away, because nobody said what they are: {names}"));
        }
        out.into_iter().map(Said::from).collect()
    }

    fn people(&self) -> Option<String> {
        let found = self.findings.people.filter(|people| !people.is_certain)?;
        Some(format!(
            "whose rows these are: rows that look alike were assigned to the {} in one of the ways in which every cell fits, and another could lead to other numbers of people",
            people(found.released)
        ))
    }

    fn notions(&self) -> Option<String> {
        let what = match self.notion {
            Notion::K => "how many published rows fit a person, and the other way round".to_owned(),
            asked => format!("the notion '{}'", asked.name()),
        };
        match &self.findings.notions {
            None if !self.has_original => Some(format!("{what}: that takes ‹original›")),
            None if self.has_middles() => Some(format!("{what}: middles do not tell what they cover")),
            None => Some(format!("{what}: too many rows and classes")),
            Some(found) if found.at_least => Some(format!(
                "which rows are suppressed, because the release does not tell: of {what}, what is said holds whoever they are"
            )),
            Some(_) => None,
        }
    }
}
