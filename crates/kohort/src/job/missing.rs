//! Rows that lack a quasi-identifier: suppressed or refused, as the job says, before their values can count anywhere.
//!
//! Found in the texts, not in the encoded table: what a suppressed row says elsewhere must not decide whether a column holds
//! numbers, how wide its range is or how a label is written.

use super::CheckedJob;
use crate::data::Missing;
use crate::error::{Error, Result};
use crate::input::Column;

/// Where quasi-identifiers are missing and must not be.
pub(super) struct MissingValues {
    /// Rows that are suppressed for it; empty when none is.
    pub(super) lacking: Vec<bool>,
    /// Columns that may lack nothing and do, with the number of rows.
    refused: Vec<(String, usize)>,
}

impl MissingValues {
    /// Looks for empty values of the quasi-identifiers. Rows that are published as they are may lack what they like.
    pub(super) fn find(job: &CheckedJob, columns: &[Column], verbatim: &[bool]) -> Self {
        let mut found = Self { lacking: Vec::new(), refused: Vec::new() };
        for column in columns {
            let own = job.columns.get(&column.name).and_then(|entry| entry.missing);
            let policy = own.unwrap_or(job.missing);
            if policy == Missing::Value {
                continue;
            }
            let mut empty = column.rows_with("");
            empty.iter_mut().zip(verbatim).for_each(|(empty, &open)| *empty &= !open);
            let count = empty.iter().filter(|&&e| e).count();
            match policy {
                _ if count == 0 => {}
                Missing::Refuse => found.refused.push((column.name.clone(), count)),
                _ => found.suppress(&empty),
            }
        }
        found
    }

    fn suppress(&mut self, rows: &[bool]) {
        self.lacking.resize(rows.len(), false);
        self.lacking.iter_mut().zip(rows).for_each(|(lacking, &row)| *lacking |= row);
    }

    /// An error where a value is missing that must not be.
    pub(super) fn check(&self) -> Result<()> {
        if self.refused.is_empty() {
            return Ok(());
        }
        let told = |(name, count): &(String, usize)| {
            format!("'{name}' ({count} row{})", if *count == 1 { "" } else { "s" })
        };
        let columns: Vec<String> = self.refused.iter().map(told).collect();
        Err(Error::input(format!("values are missing in {}", columns.join(", ")))
            .option_with("missing", "refuse")
            .help("fill them in, or use ‹missing=value› or ‹missing=suppress›"))
    }
}
