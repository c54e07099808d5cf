//! The audit record: everything that speaks about the original. It belongs to the steward and the auditor, lies beside the
//! release readable by its owner alone, and is never published.

use std::collections::BTreeMap;

use serde::Serialize;

use super::certificate::{Asked, Certificate};
use super::growth::Growth;
use super::{Summary, json_text, rounded_up};
use crate::algorithm::SuppressionCounts;
use crate::demand::Notion;
use crate::error::{Result, Said, counted};
use crate::input::{JobSpec, sha256_of};

/// The version of the layout; it grows when a key changes its meaning or goes away.
pub const AUDIT_VERSION: u32 = 1;

const PRIVATE: &str = "PRIVATE. This record speaks about the original table: its size, its range, who was left out and why. Keep it where the original is kept; what may be published is the release and its certificate.";

/// One private JSON document per release.
#[derive(Debug, Clone, Serialize)]
pub struct Audit {
    document: &'static str,
    private: &'static str,
    schema_version: u32,
    kohort: &'static str,
    files: Files,
    asked: Asked,
    columns: BTreeMap<&'static str, Vec<String>>,
    work: Work,
    /// How the release was looked for, in words. None of it is needed for what is guaranteed.
    search: Vec<String>,
    /// What verification recomputed from the written file and the original.
    verified: Summary,
    /// Which rows are not in the release, and why.
    suppression: Vec<String>,
    /// What became of the last batch, where the table grows.
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth>,
    /// The job as it was said, in the form of a job file: whoever explains the release later need not say it again.
    job: Box<JobSpec>,
    /// What figures of `verified` mean, where their names do not say it.
    explained: Vec<String>,
    warnings: Vec<Said>,
    notes: Vec<Said>,
}

/// The files of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Files {
    /// Where the input was.
    pub input: String,
    /// SHA-256 of the input.
    pub input_sha256: String,
    /// Where the release is.
    pub release: String,
    /// SHA-256 of the release.
    pub release_sha256: String,
    /// Where the certificate is.
    pub certificate: Option<String>,
    /// SHA-256 of the certificate.
    pub certificate_sha256: Option<String>,
}

/// How the search was steered. Nothing of it changes what is guaranteed.
#[derive(Debug, Clone, Serialize)]
pub struct Work {
    /// The algorithm that was asked for.
    pub algorithm: String,
    /// The algorithm that made the release.
    pub made_by: String,
    /// Whether levels of whole columns were chosen.
    #[serde(skip)]
    pub chose_levels: bool,
    /// Source of randomness.
    pub seed: u64,
    /// Settings of the algorithm, where they were not the defaults.
    pub settings: BTreeMap<String, String>,
    /// The measure it minimized.
    pub measure: String,
    /// Exponent of the weights of the distortion.
    pub beta: Option<f64>,
    /// Weights of columns in the search.
    pub weights: BTreeMap<String, f64>,
    /// Weights of the steps between levels.
    pub level_weights: BTreeMap<String, BTreeMap<String, f64>>,
    /// Levels that were fixed beforehand, by column.
    pub levels: BTreeMap<String, u32>,
    /// How many different rows were to be looked at together, where that was said.
    pub block_rows: Option<usize>,
    /// How long the search might take.
    pub time_limit: Option<String>,
    /// Whether the search and the refinement ended before they had finished, because time was up or somebody asked to stop.
    pub stopped_early: bool,
    /// Whether it was the time limit that ended them.
    pub time_was_up: bool,
    /// How the answer was refined, where it was.
    pub refined: Option<Refinement>,
    /// How much was spent on the lower bound: `on`, `off` or a time.
    pub bound: String,
    /// How each quasi-identifier was understood.
    pub understood_as: BTreeMap<String, String>,
}

/// How an answer was refined.
#[derive(Debug, Clone, Serialize)]
pub struct Refinement {
    /// How many steps were made.
    pub steps: u64,
    /// Whether the same job gives the same release again: not where time decided how many steps there were.
    pub reproducible: bool,
    /// How the loss went down: the measure per cell of the search, before the first step and after every round, with the number of
    /// steps so far.
    pub loss: Vec<(u64, f64)>,
}

/// What was suppressed, and what is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Suppression {
    /// Rows by reason.
    pub because: SuppressionCounts,
    /// Whether the boundaries cannot be kept with fewer rows suppressed.
    pub least: bool,
    /// Whether groups were saved by suppressing a part of their rows.
    pub trimmed: bool,
}

/// What is said about a run beside its figures.
#[derive(Debug, Clone, Default)]
pub struct Remarks {
    /// What the release gives away.
    pub warnings: Vec<Said>,
    /// What else a person should hear.
    pub notes: Vec<Said>,
}

impl Audit {
    /// Puts the record together.
    pub fn new(
        (files, job): (Files, JobSpec),
        asked: Asked,
        columns: BTreeMap<&'static str, Vec<String>>,
        work: Work,
        summary: Summary,
        suppression: Suppression,
        remarks: Remarks,
    ) -> Self {
        Self {
            document: "kohort audit record",
            private: PRIVATE,
            schema_version: AUDIT_VERSION,
            kohort: env!("CARGO_PKG_VERSION"),
            search: search(&work, &summary),
            suppression: suppressed(&asked, suppression),
            explained: explained(&asked, &summary),
            files,
            asked,
            columns,
            work,
            verified: summary,
            warnings: remarks.warnings,
            notes: remarks.notes,
            growth: None,
            job: Box::new(job),
        }
    }

    /// The record of the same release in files: where it lies, and where its certificate does.
    pub(crate) fn of_files(
        mut self,
        release: String,
        place: Option<String>,
        certificate: &Certificate,
    ) -> Result<Self> {
        let sha256 = |_: &String| json_text(certificate).map(|text| sha256_of(&text));
        self.files.release = release;
        self.files.release_sha256.clone_from(&certificate.release().sha256);
        self.files.certificate_sha256 = place.as_ref().map(sha256).transpose()?;
        self.files.certificate = place;
        Ok(self)
    }

    /// The same with what became of a batch.
    #[must_use]
    pub fn with_growth(self, growth: Option<Growth>) -> Self {
        Self { growth, ..self }
    }
}

fn search(work: &Work, summary: &Summary) -> Vec<String> {
    let how = match summary.blocks {
        None => "; the table was not cut into blocks".to_owned(),
        Some(blocks) => format!(
            " in {} blocks of at most {} different rows, each solved by itself{}",
            blocks.count,
            blocks.rows,
            if blocks.mended { " and then mended across the cuts" } else { "" }
        ),
    };
    let mut out = vec![format!("Made by '{}'{how}.", work.made_by)];
    let by = if work.time_was_up { "the time limit" } else { "whoever ran it (Ctrl-C)" };
    if work.stopped_early && work.refined.is_some() {
        out.push(format!(
            "Refinement was stopped before its end by {by}: the best classes by then were taken."
        ));
    } else if work.stopped_early {
        out.push(format!(
            "The search was stopped before its end by {by}: what was left was cut by 'mondrian'."
        ));
    }
    if summary.search.is_none() && work.chose_levels {
        out.push("The search was exhaustive: no other levels that satisfy what was asked cost less by work.measure, suppressed cells in full.".into());
    }
    if summary.search.as_ref().is_some_and(|search| !search.exhaustive) {
        out.push("The search for levels was not exhaustive: the guarantee holds, but other levels might have lost less.".into());
    }
    if !matches!(work.bound.as_str(), "on" | "off") {
        out.push(format!(
            "The lower bound was looked for by the clock ({}): it holds, but another run may find another one.",
            work.bound
        ));
    }
    out
}

fn explained(asked: &Asked, summary: &Summary) -> Vec<String> {
    let mut out = vec![
        "loss compares the release with the original: suppressed cells count as fully lost, all quasi-identifiers weigh the same, il is the mean over all cells, rows published as they are included.".to_owned(),
        "illegal_cells and foreign_values count cells and sensitive values that do not come from the original; null means that it was not checked.".to_owned(),
    ];
    if let Some(bound) = summary.lower_bound.bound {
        let measure = summary.lower_bound.measure;
        let of = if measure == "whd" { "distortion_ratio" } else { measure };
        out.push(format!(
            "lower_bound: no release of this table that meets what was asked loses less than {of} = {bound}, whatever method makes it; gap is the loss of this release over that. Prices of rows prove it; they were checked, and are kept nowhere."
        ));
    }
    let worst = summary.achieved.worst_posterior.filter(|_| asked.notion != Notion::K);
    if let Some(worst) = worst {
        let rest = summary.achieved.rows_without_posterior.unwrap_or(0);
        let whose = match rest {
            0 => "of any person".to_owned(),
            rest => format!(
                "of those people for whom it could be worked out (for {rest} it could not: too many others could have their row)"
            ),
        };
        out.push(format!(
            "worst_posterior: somebody who knows the quasi-identifiers of everybody, and knows who is in the release, guesses which published row is a person's. If all assignments of people to published rows are equally likely, the best guess {whose} is right with a probability of at most {}; k-anonymity would keep it at 1/{}. rows_without_posterior is the number of people for whom it could not be worked out.",
            rounded_up(worst, 3),
            asked.models.k(),
        ));
    }
    if asked.notion == Notion::Kk && summary.achieved.global_1k >= Some(u64::from(asked.models.k())) {
        out.push("This release is also global (1,k)-anonymous: it withstands somebody who knows who is in the table, too.".into());
    }
    out
}

/// Why rows are missing from the release.
fn suppressed(asked: &Asked, found: Suppression) -> Vec<String> {
    let SuppressionCounts { missing, boundaries, skewed, outliers, costly, levels } = found.because;
    let mut out = Vec::new();
    let rows = |n: u64| counted(n, "row");
    if let Some(share) = asked.suppress {
        // 100 · 0.07 is 7.000000000000001.
        let percent = (1e10 * share).round() / 1e8;
        out.push(format!("At most {percent} % of the rows might be suppressed."));
    }
    if missing > 0 {
        out.push(format!("{}: a quasi-identifier is missing.", rows(missing)));
    }
    if boundaries > 0 {
        let least = match (found.least, found.trimmed) {
            (true, true) => {
                "Groups that fail were trimmed: rows of their most frequent sensitive values went until the rest satisfied the models. No release within the boundaries does with fewer."
            }
            (true, false) => {
                "No release within the boundaries does with fewer (constrained k-anonymity, Properties 5 and 6)."
            }
            (false, true) => {
                "Groups that fail were trimmed: rows of their most frequent sensitive values went until the rest satisfied the models. This is enough; it is not shown to be the least."
            }
            (false, false) => "This is enough; it is not shown to be the least.",
        };
        out.push(format!(
            "{}: within the boundaries too few others are like them. {least}",
            rows(boundaries)
        ));
    }
    if skewed > 0 {
        let least = if found.least {
            "No release does with fewer."
        } else {
            "This is enough; it is not shown to be the least."
        };
        out.push(format!(
            "{}: their sensitive values are so frequent that no class could hold all of them. {least}",
            rows(skewed)
        ));
    }
    if outliers > 0 {
        out.push(format!("{}: farther from all others than the algorithm's threshold.", rows(outliers)));
    }
    if costly > 0 {
        out.push(format!(
            "{}: generalizing would have cost the table more detail than was suppressed.",
            rows(costly)
        ));
    }
    if levels > 0 {
        out.push(format!("{}: their class was too small or too uniform at the chosen levels.", rows(levels)));
    }
    if missing + boundaries + skewed + outliers + costly + levels == 0 {
        out.push("No row was suppressed.".into());
    }
    out
}
