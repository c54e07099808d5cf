//! Numbers for people and scripts: the JSON object of the commands, the public certificate beside a release, and the private
//! audit record. What is public and what is private are two types: a certificate cannot be made from anything but public
//! facts.

mod agreement;
mod audit;
mod certificate;
mod explanation;
mod growth;
mod lower_bound;
mod solutions;
mod summary;

pub use agreement::{Agreement, CertificateCheck};
pub use audit::{AUDIT_VERSION, Audit, Files, Refinement, Remarks, Suppression, Work};
pub use certificate::{
    Asked, CERTIFICATE_VERSION, Certificate, OriginalCounts, Public, Recomputed, ReleaseFile, Untold,
    rounded_down, rounded_up,
};
pub use explanation::{
    ColumnCost, EXPLANATION_PRIVATE, Explanation, QuickRuns, RowColumn, RowExplained, RowOf, Standing,
    Strays, StraysOfColumn, Tried, WideColumn, WideGroup,
};
pub use growth::Growth;
pub use lower_bound::LowerBound;
pub use solutions::{SolutionFigures, Solutions};
pub use summary::{Achieved, InBlocks, Summary, UnfinishedSearch};

/// A document as it is written: indented JSON.
pub fn json_text(document: &impl serde::Serialize) -> crate::error::Result<String> {
    let text =
        serde_json::to_string_pretty(document).map_err(|e| crate::error::Error::internal(e.to_string()))?;
    Ok(text + "\n")
}
