//! What an examination must know of a certificate that claims something of the release.
//!
//! Whoever asks for a demand wants it met, and a demand that cannot be checked is not. A claim is another matter: that nobody
//! can recompute it from the release alone does not make it false, and the certificate says so itself. Such claims are listed
//! as not checked.

use std::collections::BTreeMap;

use super::CheckedJob;
use super::checked::RowsAre;
use crate::demand::{Demand, Demands, Model, Notion};
use crate::error::Said;
use crate::verify::{Findings, PublishedLabels};

/// What a certificate says beside its demands, and how much of these is demanded by the user as well.
#[derive(Debug, Clone)]
pub(super) struct Claimed {
    /// Whether classes are compared with the whole release where there is no original: it is as good as the original if no
    /// row was left out, and the user may ask for that.
    pub(super) compares_with_release: bool,
    /// Whether the user demands the notion, or a number under it.
    pub(super) demands_notion: bool,
    /// Whether the user demands anything of the classes.
    pub(super) demands_anything: bool,
    /// Labels that stand for others, by column.
    pub(super) labels: BTreeMap<String, PublishedLabels>,
}

impl Claimed {
    /// Whether a claim shows in the release alone.
    fn sees(&self, model: &Model) -> bool {
        self.compares_with_release || !model.entry().compares_with_table
    }
}

impl CheckedJob {
    /// The certificate, where its claims are to be judged by the release alone.
    fn alone(&self, has_original: bool) -> Option<&Claimed> {
        let claimed = self.claimed.as_ref().filter(|_| !has_original)?;
        (self.notion == Notion::K || !claimed.demands_notion).then_some(claimed)
    }

    /// The demands that the table is held against.
    pub(super) fn judged(&self, findings: &Findings, has_original: bool) -> Demands {
        let claimed = self.alone(has_original);
        let can_be_seen = |demand: &&Demand| {
            claimed.is_none_or(|claimed| self.notion == Notion::K && claimed.sees(&demand.model))
                && self.counts(&demand.model, findings)
        };
        self.demands.iter().filter(can_be_seen).cloned().fold(Demands::default(), Demands::anyway)
    }

    /// What falls short of them.
    pub(super) fn shortfalls(&self, findings: &Findings, has_original: bool) -> Vec<Said> {
        match self.alone(has_original) {
            Some(_) if self.notion != Notion::K => Vec::new(),
            // That there is no class breaks no claim.
            Some(claimed) if findings.released > 0 || !claimed.demands_anything => {
                let counts = |model: &Model| claimed.sees(model) && self.counts(model, findings);
                findings.shortfalls_of_classes(&self.demands, counts)
            }
            _ => findings.shortfalls(&self.demands, self.notion, |model| self.counts(model, findings)),
        }
    }

    /// Whether a model can be judged. Where people were to be counted and only rows can be, rows of k people are k rows at least,
    /// and values of different people are different; but shares tell nothing. Neither do they where rows were assigned to
    /// people in one of several ways.
    fn counts(&self, model: &Model, findings: &Findings) -> bool {
        let is_known = self.rows_are != RowsAre::OfUnseenPeople
            && findings.people.is_none_or(|people| people.is_certain);
        is_known || model.entry().survives_adding_rows
    }

    /// Whether nothing is asked but what a certificate claims.
    pub(super) fn only_claims(&self) -> bool {
        self.claimed.as_ref().is_some_and(|claimed| !claimed.demands_anything)
    }
}

/// Demands on shares that the assignment of rows to people does not meet, where it is one of several: another one might.
pub(super) fn open_shares(findings: &Findings) -> Vec<Said> {
    if findings.people.is_none_or(|people| people.is_certain) {
        return Vec::new();
    }
    let short = findings.diversity.short.iter().filter(|short| !short.model.entry().survives_adding_rows);
    short
        .map(|short| {
            format!(
                "{} (in the assignment of rows to people that was found; another may meet it)",
                short.what.marked()
            )
            .into()
        })
        .collect()
}
