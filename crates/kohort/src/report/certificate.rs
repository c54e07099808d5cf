//! The certificate: what was asked, what was recomputed, and what all this does not cover.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Summary;
use crate::algorithm::Account;
use crate::data::{Intervals, Missing, Suppressed};
use crate::model::{Models, Notion};

/// One JSON document beside every release. It holds no seed and no cell values.
#[derive(Debug, Clone, Serialize)]
pub struct Certificate {
    /// What this is.
    pub document: &'static str,
    /// The version that made it.
    pub kohort: &'static str,
    /// What was asked for.
    pub asked: Asked,
    /// What verification recomputed from the written file.
    pub verified: Verified,
    /// Which rows are not in the release, and why.
    pub suppression: Vec<String>,
    /// Digests of the files concerned.
    pub files: Files,
    /// Columns by what became of them.
    pub columns: BTreeMap<&'static str, Vec<String>>,
    /// How things were counted, in words.
    pub counting: Vec<String>,
    /// What the guarantee says, in words.
    pub guarantee: Vec<String>,
    /// What it does not cover, in words.
    pub not_covered: Vec<String>,
}

/// What was asked for.
#[derive(Debug, Clone, Serialize)]
pub struct Asked {
    /// The models.
    pub models: Models,
    /// What hiding among k means.
    pub notion: Notion,
    /// The algorithm that was asked for.
    pub algorithm: String,
    /// The algorithm that ran.
    pub made_by: String,
    /// How each quasi-identifier was understood.
    pub understood_as: BTreeMap<String, String>,
    /// Levels that were fixed beforehand, by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub levels: BTreeMap<String, u32>,
    /// Its settings, where they were not the defaults.
    pub settings: BTreeMap<String, String>,
    /// How long the search might take.
    pub time_limit: Option<String>,
    /// The measure it minimized.
    pub measure: String,
    /// What to do with missing quasi-identifiers.
    pub missing: Missing,
    /// What becomes of suppressed rows.
    pub suppressed_rows: Suppressed,
    /// How intervals are published.
    pub intervals: Intervals,
    /// Public grids for interval ends.
    pub snap: BTreeMap<String, f64>,
    /// Columns for which missing values were treated in another way.
    pub missing_by_column: BTreeMap<String, Missing>,
    /// Columns published as intervals whose ends are values of the table.
    #[serde(skip)]
    pub true_ends: Vec<String>,
    /// Whether rows kept their order.
    pub keep_order: bool,
    /// How far columns may be generalized, in words.
    pub boundaries: BTreeMap<String, String>,
    /// The share of rows that may be suppressed, where it was said.
    pub suppress: Option<f64>,
    /// The column that says who does not mind, and the value where everybody may know it.
    pub opt_out: Option<String>,
    /// Exponent of the weights of the distortion.
    pub beta: Option<f64>,
    /// Weights of columns in the search.
    pub weights: BTreeMap<String, f64>,
    /// Weights of the steps between levels.
    pub level_weights: BTreeMap<String, BTreeMap<String, f64>>,
}

/// What was suppressed, and what is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Suppression {
    /// Rows by reason.
    pub because: Account,
    /// Whether the boundaries cannot be kept with fewer rows suppressed.
    pub least: bool,
    /// Whether groups were saved by suppressing a part of their rows.
    pub trimmed: bool,
}

/// What verification recomputed.
#[derive(Debug, Clone, Serialize)]
pub struct Verified {
    rows: u64,
    released: u64,
    suppressed: u64,
    opted_out: u64,
    classes: u64,
    notion: &'static str,
    achieved: super::Achieved,
    loss: Option<crate::verify::Loss>,
    lower_bound: super::LowerBound,
}

/// Digests of the files concerned.
#[derive(Debug, Clone, Serialize)]
pub struct Files {
    /// SHA-256 of the input.
    pub input_sha256: String,
    /// SHA-256 of the release.
    pub release_sha256: String,
}

impl Certificate {
    /// Puts the certificate together. `columns` lists names by role.
    pub fn new(
        asked: Asked,
        summary: &Summary,
        suppression: Suppression,
        files: Files,
        columns: BTreeMap<&'static str, Vec<String>>,
    ) -> Self {
        Self {
            document: "kohort certificate",
            kohort: env!("CARGO_PKG_VERSION"),
            counting: counting(&asked),
            guarantee: guarantee(&asked, summary),
            suppression: suppressed(&asked, suppression),
            not_covered: not_covered(&asked, summary, &columns),
            verified: Verified {
                rows: summary.rows,
                released: summary.released,
                suppressed: summary.suppressed,
                opted_out: summary.opted_out,
                classes: summary.classes,
                notion: summary.notion,
                achieved: summary.achieved.clone(),
                loss: summary.loss.clone(),
                lower_bound: summary.lower_bound.clone(),
            },
            asked,
            files,
            columns,
        }
    }
}

fn guarantee(asked: &Asked, summary: &Summary) -> Vec<String> {
    let models = &asked.models;
    let combination = if summary.opted_out > 0 {
        "Every combination of quasi-identifiers that is released in a class"
    } else {
        "Every released combination of quasi-identifiers"
    };
    let mut out = Vec::new();
    if asked.notion == Notion::K {
        out.push(format!(
            "{combination} occurs at least {} times (k = {} was asked).",
            summary.achieved.k,
            models.k()
        ));
    } else {
        out.extend(promises(asked.notion, models, summary));
    }
    out.push(asked.notion.adversary().to_owned());
    if models.need_sensitive() && asked.notion == Notion::K {
        for (column, least) in &summary.achieved.p {
            out.push(format!(
                "Every class has at least {least} different values of '{column}' (p = {} was asked).",
                models.p()
            ));
        }
    }
    if !asked.boundaries.is_empty() {
        out.push("No cell is generalized beyond its boundary (asked.boundaries).".into());
    }
    if summary.opted_out > 0 {
        out.push(format!(
            "{} rows of people who do not mind are published as they stand in the table. They are in no class and count for nobody's k.",
            summary.opted_out
        ));
    }
    out.push(
        "This was recomputed from the written file by code that shares nothing with the algorithm.".into(),
    );
    out
}

/// What a notion other than k-anonymity promises.
fn promises(notion: Notion, models: &Models, summary: &Summary) -> Vec<String> {
    let found = &summary.achieved;
    let k = models.k();
    let lines = [
        (Notion::OneK, found.one_k, "Every row of the original lies in at least", "published tuples"),
        (Notion::K1, found.k1, "Every published tuple covers at least", "rows of the original"),
        (
            Notion::Global,
            found.global_1k,
            "For every row of the original there are at least",
            "tuples that could be its own in an assignment of all rows to all tuples",
        ),
    ];
    let of = |lead: &str| match summary.suppressed {
        0 => lead.to_owned(),
        _ => lead.replace("row of the original", "row of the original that is not suppressed"),
    };
    let said = lines.into_iter().filter(|(part, ..)| notion.implies(*part));
    let mut out: Vec<String> = said
        .map(|(_, n, lead, rest)| format!("{} {} {rest} (k = {k} was asked).", of(lead), n.unwrap_or(0)))
        .collect();
    if models.need_sensitive() {
        out.extend(found.global_p.iter().map(|(column, least)| {
            format!("The people behind them have at least {least} different values of '{column}' (p = {} was asked).", models.p())
        }));
    }
    if let (Notion::Kk | Notion::Global, Some(worst)) = (notion, found.worst_posterior) {
        let of = match found.rows_without_posterior {
            Some(n) if n > 0 => format!(
                "Of {n} rows it could not be worked out how likely a guess is right, because too many hang together; of the other {}",
                summary.released.saturating_sub(n)
            ),
            _ => "Of all rows".to_owned(),
        };
        out.push(format!(
            "{of} the best guess of somebody's tuple is right with a probability of {worst:.3}, if all such assignments are equally likely."
        ));
    }
    out
}

/// Why rows are missing from the release.
fn suppressed(asked: &Asked, found: Suppression) -> Vec<String> {
    let Account { missing, boundaries, outliers, costly, levels } = found.because;
    let mut out = Vec::new();
    let rows = |n: u64| if n == 1 { "1 row".to_owned() } else { format!("{n} rows") };
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
            (true, _) => {
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
    if out.is_empty() {
        out.push("No row was suppressed.".into());
    }
    out
}

fn counting(asked: &Asked) -> Vec<String> {
    let missing = match asked.missing {
        Missing::Value => {
            "A missing quasi-identifier is a value of its own: rows that lack it can share a class. Mixed with present values it is published as '*'."
        }
        Missing::Refuse => "The table was checked to have no missing quasi-identifier.",
        Missing::Suppress => "Rows with a missing quasi-identifier were suppressed.",
    };
    let other = asked.missing_by_column.iter().map(|(column, missing)| match missing {
        Missing::Value => format!("But a missing '{column}' is a value of its own."),
        Missing::Refuse => format!("'{column}' was checked to have no missing value."),
        Missing::Suppress => format!("But rows with a missing '{column}' were suppressed."),
    });
    let mut out = vec![missing.to_owned()];
    out.extend(other);
    out.extend([
        "A missing sensitive value counts as one value.".into(),
        "'*' says nothing about the value; it counts as fully lost. Suppressed cells count as fully lost."
            .into(),
        "Loss figures weigh all quasi-identifiers equally; il is the mean over all cells.".into(),
    ]);
    if asked.opt_out.is_some() {
        out.push(
            "Rows published as they are lose nothing; il counts them among the rows it divides by.".into(),
        );
    }
    out.push(if asked.keep_order {
        "Rows stand in the order of the input: if that order tells something about people, so does the release.".into()
    } else {
        "Rows were shuffled with a key derived from the seed and every byte of the input; whoever does not have the whole input cannot undo it.".into()
    });
    out
}

/// The limits of the guarantee (`algorithms.md` §11), in words a data steward can repeat.
fn not_covered(
    asked: &Asked,
    summary: &Summary,
    columns: &BTreeMap<&'static str, Vec<String>>,
) -> Vec<String> {
    let mut out = vec![
        "This is no statement about probabilities. Being one of k rows limits an outsider's chance to 1/k only if the quasi-identifiers listed here are all the outsider knows, all rows of a class are equally likely, this is the only release about these people, and the algorithm's choices did not depend on sensitive values.".to_owned(),
        "Rows are counted, not people. Somebody with several rows in the table makes a class look larger than it is, and can fill one alone: release one row per person.".into(),
        "An outsider who knows a column that is not listed as quasi-identifier may single people out by it.".into(),
    ];
    if let Some(passed) = columns.get("passed_through").filter(|c| !c.is_empty()) {
        out.push(format!("Released unchanged and protected by nothing: {}.", passed.join(", ")));
    }
    if summary.opted_out > 0 {
        out.push("People whose rows are published as they are can be recognized and their sensitive values read. Whoever recognizes them also knows that the rows of the classes are not theirs.".into());
    }
    let apart = |a: Account| a.boundaries + a.outliers + a.costly + a.levels;
    if summary.suppressed_because.map_or(0, apart) > 0 {
        out.push("Suppressed rows are those of unusual people: whoever looks in vain for somebody unusual may conclude that this row was suppressed. What is left is no random sample: figures computed from it are biased.".into());
    }
    if asked.models.need_sensitive() {
        out.push("Classes with p different sensitive values can still be skewed towards one value, or hold values that mean much the same.".into());
        out.push("Classes were formed with regard to sensitive values; knowing the algorithm can reveal something about them (minimality attack).".into());
    } else {
        out.push("All rows of a class may share a sensitive value, which then is known of each of them (homogeneity): ask for p-sensitivity to prevent it.".into());
    }
    if !asked.true_ends.is_empty() {
        out.push(format!(
            "The ends of published intervals are true values of some person in the class: {}. --snap moves the ends of numbers to a public grid; dates can be given a hierarchy.",
            asked.true_ends.join(", ")
        ));
    }
    out.push("Values are generalized no further than needed; for some tables this allows parts of a value to be inferred again (downcoding).".into());
    out.push("A second release about the same people can be compared with this one; together they may protect nobody.".into());
    out.push("Whether somebody is in the table at all is not hidden.".into());
    out
}
