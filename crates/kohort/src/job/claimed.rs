//! What an examination must know of a certificate that claims something of the release.
//!
//! Whoever asks for a demand wants it met, and a demand that cannot be checked is not. A claim is another matter: that nobody
//! can recompute it from the release alone does not make it false, and the certificate says so itself. Such claims are listed
//! as not checked.

use std::collections::BTreeMap;

use super::CheckedJob;
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

impl CheckedJob {
    /// The certificate, where its claims are to be judged by the release alone.
    fn alone(&self, has_original: bool) -> Option<&Claimed> {
        let claimed = self.claimed.as_ref().filter(|_| !has_original)?;
        (self.notion == Notion::K || !claimed.demands_notion).then_some(claimed)
    }

    /// The demands that the table is held against.
    pub(super) fn judged(&self, has_original: bool) -> Demands {
        let Some(claimed) = self.alone(has_original) else { return self.demands.clone() };
        let can_be_seen = |demand: &&Demand| {
            let by_classes = claimed.compares_with_release || !demand.model.entry().compares_with_table;
            self.notion == Notion::K && by_classes
        };
        self.demands.iter().filter(can_be_seen).cloned().fold(Demands::default(), Demands::anyway)
    }

    /// What falls short of them.
    pub(super) fn shortfalls(&self, findings: &Findings, has_original: bool) -> Vec<Said> {
        match self.alone(has_original) {
            Some(_) if self.notion != Notion::K => Vec::new(),
            // That there is no class breaks no claim.
            Some(claimed) if findings.released > 0 || !claimed.demands_anything => {
                let counts =
                    |model: &Model| claimed.compares_with_release || !model.entry().compares_with_table;
                findings.shortfalls_of_classes(&self.demands, counts)
            }
            _ => findings.shortfalls(&self.demands, self.notion),
        }
    }

    /// Whether nothing is asked but what a certificate claims.
    pub(super) fn only_claims(&self) -> bool {
        self.claimed.as_ref().is_some_and(|claimed| !claimed.demands_anything)
    }
}
