//! What an examination must know of a certificate that claims something of the release.
//!
//! Whoever asks for a demand wants it met, and a demand that cannot be checked is not. A claim is another matter: that nobody
//! can recompute it from the release alone does not make it false, and the certificate says so itself. Such claims are listed
//! as not checked.

use std::collections::BTreeMap;

use super::CheckedJob;
use crate::demand::{Demand, Demands, Notion};
use crate::error::Said;
use crate::verify::{Findings, PublishedLabels};

/// What a certificate says beside its demands.
#[derive(Debug, Clone)]
pub(super) struct Claimed {
    /// Whether no row of the original was left out: then the whole release is as good as the original for comparing the
    /// sensitive values of classes.
    pub(super) is_complete: bool,
    /// Labels that stand for others, by column.
    pub(super) labels: BTreeMap<String, PublishedLabels>,
}

impl CheckedJob {
    /// The demands that the table is held against.
    pub(super) fn judged(&self, has_original: bool) -> Demands {
        let Some(claimed) = self.claimed.as_ref().filter(|_| !has_original) else {
            return self.demands.clone();
        };
        let can_be_seen = |demand: &&Demand| {
            self.notion == Notion::K && (claimed.is_complete || !demand.model.entry().compares_with_table)
        };
        self.demands.iter().filter(can_be_seen).cloned().fold(Demands::default(), Demands::anyway)
    }

    /// What falls short of them.
    pub(super) fn shortfalls(&self, findings: &Findings, has_original: bool) -> Vec<Said> {
        match self.claimed.as_ref().filter(|_| !has_original) {
            None => findings.shortfalls(&self.demands, self.notion),
            Some(claimed) if self.notion == Notion::K => {
                findings.shortfalls_of_classes(&self.demands, claimed.is_complete)
            }
            Some(_) => Vec::new(),
        }
    }
}
