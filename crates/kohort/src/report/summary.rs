//! The JSON object that `anonymize` and `verify` print. Its keys are a contract.

use std::collections::BTreeMap;

use serde::Serialize;

use super::agreement::CertificateCheck;
use super::lower_bound::LowerBound;
use crate::algorithm::{BlockCounts, SuppressionCounts};
use crate::demand::{Demands, Notion};
use crate::error::Said;
use crate::verify::{Findings, Loss, PeopleFound, SourceCheck};

/// What a run did and what its release achieves.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// Rows of the input.
    pub rows: u64,
    /// Rows published in a class.
    pub released: u64,
    /// Rows suppressed.
    pub suppressed: u64,
    /// Rows published verbatim at their owner's wish.
    pub opted_out: u64,
    /// Number of classes.
    pub classes: u64,
    /// Whose rows these are, where people are counted instead of rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<PeopleFound>,
    /// The algorithm that ran; none for a table that was only checked.
    pub algorithm: Option<String>,
    /// Into which blocks the table was cut; none where it was looked at as a whole, or only checked.
    pub blocks: Option<InBlocks>,
    /// The seed of the run. Private: it is not in the certificate.
    pub seed: Option<u64>,
    /// Which notion of anonymity was enforced.
    pub notion: &'static str,
    /// What verification found.
    pub achieved: Achieved,
    /// Lost detail; none without an original.
    pub loss: Option<Loss>,
    /// What no method can go below, where it is known.
    pub lower_bound: LowerBound,
    /// Why rows were suppressed; none for a table that was only checked.
    pub suppressed_because: Option<SuppressionCounts>,
    /// How far the search for levels came, where it did not come to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<UnfinishedSearch>,
    /// How many steps refined the groups, where they were refined; the audit record has more.
    #[serde(skip)]
    pub refined: Option<u64>,
    /// What was asked of every class; not printed, since the certificate has it.
    #[serde(skip)]
    pub asked: Demands,
    /// What was asked, or is usual, and was not looked at in a table that was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_checked: Option<Vec<Said>>,
    /// Whether a table that was checked meets what was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// How a table that was checked agrees with its certificate, where it was held against one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateCheck>,
}

/// Blocks that were solved one by one.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct InBlocks {
    /// How many.
    pub count: u64,
    /// How many different rows the largest one had.
    pub rows: u64,
    /// Whether classes were mended across the cuts.
    pub mended: bool,
}

impl InBlocks {
    /// What was done; none where nothing was cut.
    pub fn of(done: BlockCounts) -> Option<Self> {
        let BlockCounts { cut, blocks: count, largest: rows, mended } = done;
        (cut > 0).then_some(Self { count, rows, mended: mended == cut })
    }
}

/// What verification found.
#[derive(Debug, Clone, Serialize)]
pub struct Achieved {
    /// Rows of the smallest class or, where people are counted, the fewest people of a class.
    pub k: u64,
    /// Least different values in a class, by sensitive column.
    pub p: BTreeMap<String, u64>,
    /// The same without regard to protected parts of a hierarchy.
    pub l_distinct: BTreeMap<String, u64>,
    /// Entropy l-diversity, by sensitive column.
    pub l_entropy: BTreeMap<String, f64>,
    /// Largest share of a value in a class, by sensitive column.
    pub alpha: BTreeMap<String, f64>,
    /// Recursive diversity, where it was asked for: c must exceed this.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub recursive: BTreeMap<String, f64>,
    /// Columns of which some values count as one for p.
    #[serde(skip)]
    pub protected: Vec<String>,
    /// t-closeness, by sensitive column: by the distance that was asked for, or by that of equal values.
    pub t: BTreeMap<String, f64>,
    /// Basic beta-likeness, by sensitive column: how much more frequent than in the table a value is, relative to that.
    pub beta: BTreeMap<String, f64>,
    /// Delta-disclosure privacy, by sensitive column; null where a class lacks a value of the table.
    pub delta: BTreeMap<String, f64>,
    /// (k,1)-anonymity, where it was computed.
    pub k1: Option<u64>,
    /// (1,k)-anonymity, where it was computed.
    pub one_k: Option<u64>,
    /// Global (1,k)-anonymity, where it was computed.
    pub global_1k: Option<u64>,
    /// Least different values behind the tuples that could be a row's, by sensitive column.
    pub global_p: BTreeMap<String, u64>,
    /// The largest probability that a row owns a tuple, all assignments being equally likely, as far as it was worked out.
    pub worst_posterior: Option<f64>,
    /// Rows for which it was not.
    pub rows_without_posterior: Option<u64>,
    /// Cells above their allowed generalization, where that was checked.
    pub boundary_violations: Option<u64>,
    /// Largest class.
    pub largest_class: u64,
    /// Cells that are no generalization of any row they could come from, where that was checked.
    pub illegal_cells: Option<u64>,
    /// Sensitive values that are not the original's, where that was compared.
    pub foreign_values: Option<u64>,
    /// Rows whose untouched columns are not the original's, where that was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_rows: Option<u64>,
    /// How cells were traced to the original.
    pub source_check: Option<SourceCheck>,
}

/// A search for levels that did not come to its end: better ones may exist. Losses are those of the search, weights
/// included, per cell of the table. For the person who ran it, not for the certificate: what no levels go below tells more
/// about the table than the release does.
#[derive(Debug, Clone, Serialize)]
pub struct UnfinishedSearch {
    /// Whether all levels were looked at or shown to be worse.
    pub exhaustive: bool,
    /// What was minimized.
    pub measure: &'static str,
    /// What the levels taken lose.
    pub found: f64,
    /// What the best levels lose at least, where that is known.
    pub at_least: Option<f64>,
}

impl Summary {
    /// What was found in a table, and who made it.
    pub fn new(findings: &Findings, algorithm: Option<String>, seed: Option<u64>) -> Self {
        let notions = findings.notions.as_ref();
        Self {
            rows: findings.rows,
            released: findings.released,
            suppressed: findings.suppressed,
            opted_out: findings.opted_out,
            classes: findings.classes,
            people: findings.people,
            algorithm,
            blocks: None,
            seed,
            notion: "k",
            achieved: Achieved {
                k: findings.k,
                p: findings.diversity.p.clone(),
                l_distinct: findings.diversity.distinct.clone(),
                l_entropy: findings.diversity.entropy.clone(),
                alpha: findings.diversity.alpha.clone(),
                recursive: findings.diversity.recursive.clone(),
                protected: findings.diversity.protected.clone(),
                t: findings.diversity.t.clone(),
                beta: findings.diversity.beta.clone(),
                delta: findings.diversity.delta.clone(),
                k1: notions.map(|n| n.k1),
                one_k: notions.map(|n| n.one_k),
                global_1k: notions.and_then(|n| n.global_1k),
                global_p: notions.map(|n| n.global_p.clone()).unwrap_or_default(),
                worst_posterior: notions.and_then(|n| n.worst_posterior),
                rows_without_posterior: notions.map(|n| n.rows_without_posterior),
                boundary_violations: findings.boundary_violations,
                largest_class: findings.largest_class,
                illegal_cells: findings.illegal_cells,
                foreign_values: findings.foreign_values,
                changed_rows: findings.changed_rows,
                source_check: findings.source,
            },
            loss: findings.loss.clone(),
            lower_bound: LowerBound::default(),
            suppressed_because: None,
            search: None,
            refined: None,
            asked: Demands::default(),
            not_checked: None,
            met: None,
            certificate: None,
        }
    }

    /// The same for another notion of anonymity.
    #[must_use]
    pub fn with_notion(self, notion: Notion) -> Self {
        Self { notion: notion.name(), ..self }
    }

    /// The same with what was asked of every class.
    #[must_use]
    pub fn with_demands(self, demands: &Demands) -> Self {
        Self { asked: demands.clone(), ..self }
    }

    /// The same with the blocks into which the table was cut.
    #[must_use]
    pub fn with_blocks(self, blocks: Option<InBlocks>) -> Self {
        Self { blocks, ..self }
    }

    /// The same with how far the search came.
    #[must_use]
    pub fn with_search(self, search: Option<UnfinishedSearch>) -> Self {
        Self { search, ..self }
    }

    /// The same with how many steps refined the groups.
    #[must_use]
    pub fn with_steps(self, refined: Option<u64>) -> Self {
        Self { refined, ..self }
    }

    /// The same with why rows were suppressed.
    #[must_use]
    pub fn with_reasons(self, account: SuppressionCounts) -> Self {
        Self { suppressed_because: Some(account), ..self }
    }
}
