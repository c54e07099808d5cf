//! The certificate: what was asked of a release, what anybody can recompute from it, and what all this does not cover.
//!
//! It travels with the release, so it is made from the release, the demands and public facts about columns, and from nothing
//! else: two tables with the same release and the same demands have the same certificate, to the byte. Nothing here may be
//! given a figure, a label or a count that depends on anything that is not published. What speaks about the original is in
//! the audit record, another type.

mod caveats;
mod guarantee;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::data::{
    DateFormat, Decimal, Ground, Intervals, Kind, Missing, MissingSensitive, Step, Suppressed,
};
use crate::demand::{Demands, Model, Notion};
use crate::verify::{Findings, PublishedLabels, ReleasedLoss};

/// The version of the layout; it grows when a key changes its meaning or goes away.
pub const CERTIFICATE_VERSION: u32 = 1;

/// One JSON document beside every release.
#[derive(Debug, Clone, Serialize)]
pub struct Certificate {
    document: &'static str,
    schema_version: u32,
    kohort: &'static str,
    release: ReleaseFile,
    /// Which release of a growing table it is, from 1; none for a table that is released once.
    #[serde(skip_serializing_if = "Option::is_none")]
    release_of_series: Option<u32>,
    asked: Asked,
    columns: BTreeMap<&'static str, Vec<String>>,
    /// Labels that stand for others, by column.
    published_labels: BTreeMap<String, PublishedLabels>,
    /// None where the release alone does not tell its classes.
    recomputed: Option<Recomputed>,
    checked_before_publication: Vec<String>,
    /// Only where the steward wants it.
    #[serde(skip_serializing_if = "Option::is_none")]
    original: Option<OriginalCounts>,
    counting: Vec<String>,
    guarantee: Vec<String>,
    not_covered: Vec<String>,
}

impl Certificate {
    /// The release it belongs to.
    pub fn release(&self) -> &ReleaseFile {
        &self.release
    }

    /// The certificate of the same release in a file with this digest.
    pub(crate) fn of_file(mut self, sha256: String) -> Self {
        self.release.sha256 = sha256;
        self
    }

    /// What was asked.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// What anybody can recompute from the release; none where the release alone does not tell its classes.
    pub fn recomputed(&self) -> Option<&Recomputed> {
        self.recomputed.as_ref()
    }

    /// What is guaranteed, in words.
    pub fn guarantee(&self) -> &[String] {
        &self.guarantee
    }

    /// What is not, in words.
    pub fn not_covered(&self) -> &[String] {
        &self.not_covered
    }
}

/// The release the certificate belongs to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReleaseFile {
    /// SHA-256 of the bytes of the file; of a release in memory, what [`crate::input::TableSource::digest`] says of it.
    pub sha256: String,
    /// Its rows.
    pub rows: u64,
}

/// Counts of the original, published at the steward's wish.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct OriginalCounts {
    /// Rows of the original.
    pub rows: u64,
    /// Rows that are not in the release, or only as stars.
    pub suppressed: u64,
}

/// What was asked of the release. Read again, it has no [`Asked::models`]: these are read from what stands in their place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Asked {
    /// The models.
    #[serde(skip)]
    pub models: Demands,
    /// The same as they are called under the notion: who reads "k-anonymity" must not find another thing.
    #[serde(rename = "models")]
    pub demands: serde_json::Value,
    /// Nodes below which all sensitive values count as one, by column.
    pub protected: BTreeMap<String, Vec<String>>,
    /// How far apart the values of sensitive columns are, where t-closeness was asked for.
    pub closeness: BTreeMap<String, Ground>,
    /// What hiding among k means.
    pub notion: Notion,
    /// The columns by which people are told apart, where every demand counts people; none where it counts rows.
    #[serde(default)]
    pub people: Vec<String>,
    /// What to do with missing quasi-identifiers.
    pub missing: Missing,
    /// Columns for which missing values were treated in another way.
    pub missing_by_column: BTreeMap<String, Missing>,
    /// What a missing sensitive value counts.
    pub missing_sensitive: MissingSensitive,
    /// Texts that mean a missing value, besides blank ones.
    pub na: Vec<String>,
    /// The same for single columns, besides those of all.
    pub na_by_column: BTreeMap<String, Vec<String>>,
    /// What becomes of suppressed rows.
    pub suppressed_rows: Suppressed,
    /// How intervals are published.
    pub intervals: Intervals,
    /// Public grids for interval ends.
    pub snap: BTreeMap<String, Step>,
    /// Whether rows kept their order.
    pub keep_order: bool,
    /// How far columns may be generalized, in words.
    pub boundaries: BTreeMap<String, String>,
    /// The share of rows that may be suppressed, where it was said.
    pub suppress: Option<f64>,
    /// The column that says who does not mind, and the value where everybody may know it.
    pub opt_out: Option<String>,
    /// Columns whose hierarchy was cut where the values of the table lie.
    pub cut_by_values: Vec<String>,
    /// Quasi-identifiers whose type nobody declared: it was taken from their values.
    pub untyped: Vec<String>,
    /// Whether the original declares neither columns nor types, so that both were found from all rows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub typed_by_values: bool,
    /// The declared types of sensitive columns. They decide which spellings are one value, and in which order values stand.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sensitive_types: BTreeMap<String, Kind>,
    /// How dates of sensitive columns are written, where that was declared: whoever checks an order must read them alike.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sensitive_date_formats: BTreeMap<String, Vec<DateFormat>>,
    /// What stands before the decimals of sensitive columns, likewise.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sensitive_decimals: BTreeMap<String, Decimal>,
    /// Sensitive columns whose hierarchy the demands look at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitive_hierarchies: Vec<String>,
}

impl Asked {
    /// Whether the job allows to leave rows out at all.
    pub fn may_suppress(&self) -> bool {
        let lacking = std::iter::once(&self.missing).chain(self.missing_by_column.values());
        let demanded = !self.boundaries.is_empty() || lacking.into_iter().any(|m| *m == Missing::Suppress);
        self.suppress.map_or(demanded, |share| share > 0.0)
    }
}

/// What anybody can recompute from the release.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recomputed {
    /// Rows in classes.
    pub released: u64,
    /// Rows that show nothing.
    pub starred: u64,
    /// Rows published as they are.
    pub opted_out: u64,
    /// Groups of rows that look the same.
    pub classes: u64,
    /// Smallest class.
    pub k: u64,
    /// Largest class.
    pub largest_class: u64,
    /// Least different values (or protected kinds) in a class, by sensitive column.
    pub p: BTreeMap<String, u64>,
    /// Least different values in a class.
    pub l_distinct: BTreeMap<String, u64>,
    /// Least entropy l-diversity.
    #[serde(deserialize_with = "figures")]
    pub l_entropy: BTreeMap<String, f64>,
    /// Largest share of a value in a class.
    #[serde(deserialize_with = "figures")]
    pub alpha: BTreeMap<String, f64>,
    /// Recursive diversity, where it was asked for: c must exceed this.
    #[serde(default, deserialize_with = "figures", skip_serializing_if = "BTreeMap::is_empty")]
    pub recursive: BTreeMap<String, f64>,
    /// Largest distance of a class from all released rows, where t-closeness was asked for.
    #[serde(default, deserialize_with = "figures", skip_serializing_if = "BTreeMap::is_empty")]
    pub t_against_release: BTreeMap<String, f64>,
    /// Largest gain in frequency over all released rows, where beta-likeness was asked for.
    #[serde(default, deserialize_with = "figures", skip_serializing_if = "BTreeMap::is_empty")]
    pub beta_against_release: BTreeMap<String, f64>,
    /// Largest logarithm of the change in frequency, where delta-disclosure privacy was asked for.
    #[serde(default, deserialize_with = "figures", skip_serializing_if = "BTreeMap::is_empty")]
    pub delta_against_release: BTreeMap<String, f64>,
    /// How coarse the cells are, compared with the finest that is published; none for middles of intervals.
    pub loss_against_release: Option<ReleasedLoss>,
    /// Quasi-identifiers without hierarchy that are published as intervals, or as middles of intervals.
    #[serde(skip)]
    pub intervals: Vec<String>,
}

/// Figures by column. JSON has no infinity: it is written as null.
fn figures<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
    let read: BTreeMap<String, Option<f64>> = BTreeMap::deserialize(from)?;
    Ok(read.into_iter().map(|(column, figure)| (column, figure.unwrap_or(f64::INFINITY))).collect())
}

impl Recomputed {
    /// What was found in the release alone.
    pub fn new(
        found: &Findings,
        loss: Option<ReleasedLoss>,
        intervals: Vec<String>,
        demands: &Demands,
    ) -> Self {
        let diversity = found.diversity.clone();
        let asked = |figures: BTreeMap<String, f64>, of: fn(&Model) -> bool| {
            figures.into_iter().filter(|(column, _)| demands.of(column).any(of)).collect()
        };
        Self {
            released: found.released,
            starred: found.suppressed,
            opted_out: found.opted_out,
            classes: found.classes,
            k: found.k,
            largest_class: found.largest_class,
            p: diversity.p,
            l_distinct: diversity.distinct,
            l_entropy: diversity.entropy,
            alpha: diversity.alpha,
            recursive: diversity.recursive,
            t_against_release: asked(diversity.t, |m| matches!(m, Model::TCloseness { .. })),
            beta_against_release: asked(diversity.beta, |m| matches!(m, Model::BetaLikeness { .. })),
            delta_against_release: asked(diversity.delta, |m| matches!(m, Model::DeltaDisclosure { .. })),
            loss_against_release: loss,
            intervals,
        }
    }
}

/// Why a release does not tell its classes.
#[derive(Debug, Clone, Copy)]
pub enum Untold {
    /// Rows that show nothing could be suppressed ones or members of a class.
    BlankRows,
    /// A hierarchy of sensitive values that is made from values cannot be made from the released ones.
    Hierarchy,
}

/// What a certificate is made from: nothing else can get into it.
pub struct Public {
    /// The file.
    pub release: ReleaseFile,
    /// What was asked.
    pub asked: Asked,
    /// Column names by role.
    pub columns: BTreeMap<&'static str, Vec<String>>,
    /// Labels that stand for others, by column.
    pub labels: BTreeMap<String, PublishedLabels>,
    /// What the release shows, or why it does not tell its classes.
    pub recomputed: Result<Recomputed, Untold>,
    /// Counts that the steward wants to publish.
    pub original: Option<OriginalCounts>,
    /// Which release of a growing table it is.
    pub series: Option<u32>,
}

impl Public {
    /// Whether rows of the original may be missing: suppressed or, in a growing table, waiting for a later release.
    fn may_lack_rows(&self) -> bool {
        self.asked.may_suppress() || self.series.is_some()
    }
}

impl From<Public> for Certificate {
    fn from(public: Public) -> Self {
        Self {
            document: "kohort certificate",
            schema_version: CERTIFICATE_VERSION,
            kohort: env!("CARGO_PKG_VERSION"),
            counting: caveats::counting(&public),
            guarantee: guarantee::guarantee(&public),
            checked_before_publication: guarantee::checked_before(&public),
            not_covered: caveats::not_covered(&public),
            release: public.release,
            release_of_series: public.series,
            asked: public.asked,
            columns: public.columns,
            published_labels: public.labels,
            recomputed: public.recomputed.ok(),
            original: public.original,
        }
    }
}

/// A figure rounded up, so that what is shown is still a bound from above.
pub fn rounded_up(x: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    // 0.2 · 1000 is a hair above 200: what prints as the figure itself is not rounded any further.
    let near = (x * scale).round() / scale;
    if near >= x { near } else { (x * scale).ceil() / scale }
}

/// A figure rounded down, so that what is shown is still a bound from below.
pub fn rounded_down(x: f64, digits: i32) -> f64 {
    -rounded_up(-x, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded_to_the_safe_side() {
        assert!((rounded_up(0.2, 3) - 0.2).abs() < f64::EPSILON);
        assert!((rounded_up(1.0 / 3.0, 3) - 0.334).abs() < 1e-12);
        assert!((rounded_down(2.0 / 3.0, 3) - 0.666).abs() < 1e-12);
        assert!((rounded_up(0.666_61, 3) - 0.667).abs() < 1e-12);
    }
}
