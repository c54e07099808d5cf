//! The certificate: what was asked, what was recomputed, and what all this does not cover.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Summary;
use crate::algorithm::{Account, recodes_columns};
use crate::data::{Ground, Intervals, Missing, Suppressed};
use crate::model::{Model, Models, Notion};

/// One JSON document beside every release. It holds no seed and no cell values.
#[derive(Debug, Clone, Serialize)]
pub struct Certificate {
    /// What this is.
    pub document: &'static str,
    /// The version that made it.
    pub kohort: &'static str,
    /// What was asked for.
    pub asked: Asked,
    /// How the release was looked for, in words. None of it is needed for what is guaranteed.
    pub search: Vec<String>,
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
    #[serde(skip)]
    pub models: Models,
    /// The same as they are called under the notion: who reads "k-anonymity" must not find another thing.
    #[serde(rename = "models")]
    pub demands: serde_json::Value,
    /// Nodes below which all sensitive values count as one, by column.
    pub protected: BTreeMap<String, Vec<String>>,
    /// How far apart the values of sensitive columns are, where t-closeness was asked for.
    pub closeness: BTreeMap<String, Ground>,
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
    /// Whether time was up before the search had finished.
    #[serde(skip)]
    pub hurried: bool,
    /// How many different rows were to be looked at together, where that was said.
    pub block_rows: Option<usize>,
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
            search: search(&asked, summary),
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

fn search(asked: &Asked, summary: &Summary) -> Vec<String> {
    let how = match summary.blocks {
        None => "; the table was not cut into blocks".to_owned(),
        Some(blocks) => format!(
            " in {} blocks of at most {} different rows, each solved by itself{}",
            blocks.count,
            blocks.rows,
            if blocks.mended { " and then mended across the cuts" } else { "" }
        ),
    };
    let mut out = vec![format!("Made by '{}'{how}.", asked.made_by)];
    if asked.hurried {
        out.push("Time was up before the search had finished: what was left was cut by 'mondrian'.".into());
    }
    if summary.search.is_none() && recodes_columns(&asked.made_by) {
        out.push("The search was exhaustive: no other levels that satisfy what was asked cost less by asked.measure, suppressed cells in full.".into());
    }
    // By how much at most is for the person who ran the search.
    if summary.search.as_ref().is_some_and(|search| !search.exhaustive) {
        out.push("The search for levels was not exhaustive: the guarantee holds, but other levels might have lost less.".into());
    }
    out
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
    if asked.notion == Notion::Kk && summary.achieved.global_1k >= Some(u64::from(models.k())) {
        out.push("This release withstands that outsider, too: it is also global (1,k)-anonymous.".into());
    }
    if asked.notion == Notion::K {
        out.extend(diversity(asked, summary));
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

/// What the models beyond k promise of every sensitive column.
fn diversity(asked: &Asked, summary: &Summary) -> Vec<String> {
    let found = &summary.achieved;
    let mut out = Vec::new();
    for model in asked.models.iter().filter(|m| m.needs_sensitive()) {
        for (column, least) in &found.p {
            let said = match model {
                Model::KAnonymity { .. } => continue,
                Model::PSensitive { .. } if asked.protected.contains_key(column) => {
                    format!(
                        "has values of '{column}' of at least {least} kinds; protected values (asked.protected) count as one"
                    )
                }
                Model::PSensitive { .. } => format!("has at least {least} different values of '{column}'"),
                Model::DistinctL { .. } => {
                    format!("has at least {} different values of '{column}'", found.l_distinct[column])
                }
                Model::EntropyL { .. } => format!(
                    "has values of '{column}' that are as uncertain as {:.3} equally frequent ones",
                    found.l_entropy[column]
                ),
                Model::RecursiveL { c, l } => format!(
                    "has a most frequent value of '{column}' that occurs less than {c} times as often as all values from number {l} on"
                ),
                Model::AlphaK { .. } => {
                    format!("gives no value of '{column}' a larger share than {:.3}", found.alpha[column])
                }
                Model::TCloseness { .. } => {
                    let rows = if summary.opted_out > 0 {
                        "all rows of the original that are not published as they are"
                    } else {
                        "the whole original table"
                    };
                    let ground = asked.closeness.get(column).copied().unwrap_or_default().name();
                    let t = found.t.get(column).copied().unwrap_or(1.0);
                    format!(
                        "has values of '{column}' distributed as in {rows}, up to an earth mover's distance ({ground}) of {t:.4}"
                    )
                }
            };
            let asked = match model {
                Model::TCloseness { t, .. } => format!("t = {t}"),
                other => other.to_string(),
            };
            out.push(format!("Every class {said} ({asked} was asked)."));
        }
    }
    out
}

/// What a notion other than k-anonymity promises.
fn promises(notion: Notion, models: &Models, summary: &Summary) -> Vec<String> {
    let found = &summary.achieved;
    let k = models.k();
    let lines = [
        (Notion::OneK, found.one_k, "Every row of the original fits at least", "published rows"),
        (Notion::K1, found.k1, "Every published row fits at least", "rows of the original"),
        (
            Notion::Global,
            found.global_1k,
            "For every row of the original there are at least",
            "published rows that could be its own in an assignment of all rows to all published rows",
        ),
    ];
    let but = match (summary.suppressed, summary.opted_out) {
        (0, 0) => "",
        (_, 0) => " that is not suppressed",
        (0, _) => " that is not published as it is",
        _ => " that is neither suppressed nor published as it is",
    };
    let of = |lead: &str| lead.replace("row of the original", &format!("row of the original{but}"));
    let said = lines.into_iter().filter(|(part, ..)| notion.implies(*part));
    let mut out: Vec<String> = said
        .map(|(_, n, lead, rest)| format!("{} {} {rest} (k = {k} was asked).", of(lead), n.unwrap_or(0)))
        .collect();
    if models.need_sensitive() {
        out.extend(found.global_p.iter().map(|(column, least)| {
            format!("The people behind them have at least {least} different values of '{column}' (p = {} was asked).", models.p())
        }));
    }
    out
}

/// How likely a guess is right where rows that could be somebody's are not equally likely.
fn posterior(asked: &Asked, summary: &Summary) -> Option<String> {
    let worst = summary.achieved.worst_posterior.filter(|_| asked.notion != Notion::K)?;
    let of = match summary.achieved.rows_without_posterior {
        Some(n) if n > 0 => format!(
            "Of {} rows the best guess of which published row is somebody's",
            summary.released.saturating_sub(n)
        ),
        _ => "The best guess of which published row is somebody's".to_owned(),
    };
    let rest = match summary.achieved.rows_without_posterior {
        Some(n) if n > 0 => {
            format!(" Of the other {n} rows this was not worked out: too many hang together.")
        }
        _ => String::new(),
    };
    Some(format!(
        "{of} is right with a probability of up to {worst:.3}, if all assignments of rows to published rows are equally likely; k-anonymity would keep it at 1/{}.{rest}",
        asked.models.k()
    ))
}

/// Why rows are missing from the release.
fn suppressed(asked: &Asked, found: Suppression) -> Vec<String> {
    let Account { missing, boundaries, skewed, outliers, costly, levels } = found.because;
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
    out.extend(posterior(asked, summary));
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
    if summary.suppressed_because.map_or(0, |a| a.skewed) > 0 {
        out.push("Rows of frequent sensitive values were left out: whoever looks in vain for somebody may conclude that she has such a value. What is left is no random sample: figures computed from it are biased.".into());
    }
    if asked.models.need_sensitive() {
        if asked.models.survive_adding_rows() {
            out.push("Classes with p different sensitive values can still be skewed towards one value, or hold values that mean much the same.".into());
        }
        if columns.get("sensitive").is_some_and(|c| c.len() > 1) {
            out.push("Every sensitive column was looked at by itself: whoever knows one of them can learn more about the others.".into());
        }
        if asked.models.iter().any(|m| matches!(m, Model::TCloseness { .. })) && summary.suppressed > 0 {
            out.push("Classes are close to the original table, suppressed rows included; the released rows alone are distributed a little differently.".into());
        }
        out.push("Classes were formed with regard to sensitive values; knowing the algorithm can reveal something about them (minimality attack).".into());
    }
    let uniform = summary.achieved.p.values().any(|&p| p < 2);
    let homogeneous = match asked.notion {
        Notion::K => uniform,
        Notion::Global => !asked.models.need_sensitive(),
        _ => true,
    };
    if homogeneous {
        out.push(match asked.notion {
            Notion::K | Notion::Global => "All rows of a class may share a sensitive value, which then is known of each of them (homogeneity): ask for p-sensitivity to prevent it.".into(),
            _ => "All published rows that could be somebody's may share a sensitive value, which then is known; the notions k and global-1k can prevent it with p.".into(),
        });
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
