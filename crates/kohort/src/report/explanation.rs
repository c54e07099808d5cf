//! Why a release is as coarse as it is, and what would change that. Private: all of it speaks about the original.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result, Said, Speech};

/// What must stand over everything that explains a release.
pub const EXPLANATION_PRIVATE: &str =
    "PRIVATE. This speaks about the original table, row by row. Keep it where the original is kept.";

/// Where a release lost its detail, and why.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// That this is nobody's business but the steward's.
    pub private: &'static str,
    /// Rows of the original.
    pub rows: u64,
    /// Rows published in a class.
    pub released: u64,
    /// Rows that are not in the release, or show nothing there.
    pub suppressed: u64,
    /// Groups of rows that look the same.
    pub classes: u64,
    /// How many people every one of them must have.
    pub k: u32,
    /// What every quasi-identifier lost, the one that lost most first.
    pub columns: Vec<ColumnCost>,
    /// The groups that cost most in the columns that are looked at.
    pub widest: Vec<WideColumn>,
    /// One row, where it was asked for.
    pub row: Option<RowExplained>,
    /// What changes of the job would give.
    pub quick_runs: Option<QuickRuns>,
    /// What else there is to say.
    pub notes: Vec<Said>,
}

impl Explanation {
    /// The JSON object, as a door speaks.
    pub fn as_json(&self, speech: &dyn Speech) -> Result<Value> {
        let spoken = |all: &[Said]| all.iter().map(|said| said.spoken_by(speech)).collect::<Vec<_>>();
        let mut object = serde_json::to_value(self).map_err(|e| Error::internal(e.to_string()))?;
        if let (Some(runs), Some(quick)) = (&self.quick_runs, object.get_mut("quick_runs")) {
            let lists = [("changes", &runs.changes), ("for_comparison", &runs.for_comparison)];
            for (name, all) in lists {
                for (at, tried) in all.iter().enumerate() {
                    quick[name][at]["what"] = tried.what.spoken_by(speech).into();
                    quick[name][at]["how"] = tried.how.as_ref().map(|how| how.spoken_by(speech)).into();
                }
            }
            quick["not_tried"] = spoken(&runs.not_tried).into();
        }
        if let Some(row) = &self.row {
            object["row"]["because"] = spoken(&row.because).into();
        }
        object["notes"] = spoken(&self.notes).into();
        Ok(object)
    }
}

/// What a quasi-identifier lost. `lm` means the same whatever the column generalizes to: which share of the values that occur in
/// the table a cell leaves possible.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnCost {
    /// Its name.
    pub name: String,
    /// Mean loss of its cells: 0 none, 1 all.
    pub lm: f64,
    /// The same by the measure that reports are in.
    pub il: f64,
    /// Its part of all that was lost, by lm.
    pub share: f64,
    /// The share of its cells that say nothing at all.
    pub says_nothing: f64,
}

/// The groups that cost most in one column.
#[derive(Debug, Clone, Serialize)]
pub struct WideColumn {
    /// The column.
    pub name: String,
    /// How many groups were looked at, the costliest first.
    pub looked_at: u64,
    /// What few rows that lie apart cost in all of these together.
    pub strays: StraysOfColumn,
    /// The costliest.
    pub groups: Vec<WideGroup>,
}

/// What few rows cost that lie apart from the others of their groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct StraysOfColumn {
    /// Groups that would be narrower without them.
    pub groups: u64,
    /// At most so many rows would have to go.
    pub rows: u64,
    /// At least so much of the column's loss would go with them, as a share of it. Whoever goes is not counted.
    pub share: f64,
}

/// A group of rows that look the same.
#[derive(Debug, Clone, Serialize)]
pub struct WideGroup {
    /// How many rows it has.
    pub rows: u64,
    /// What it shows, by column.
    pub shows: BTreeMap<String, String>,
    /// What a cell of the column lost in it, by lm.
    pub lm: f64,
    /// How many rows of the original fit what it shows: it was made of these.
    pub fitting: u64,
    /// Rows without which it would be narrower.
    pub strays: Option<Strays>,
}

/// Few rows that a group is wide for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Strays {
    /// The rows of the original, counted from 1 below the header: at most these. The first of them where they are many.
    pub rows: Vec<u64>,
    /// How many they are.
    pub count: u64,
    /// What the group would show without them, or less.
    pub becomes: String,
    /// What a cell would lose then, by lm, at most.
    pub lm: f64,
}

/// Which table a row was counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOf {
    /// In the release.
    Release,
    /// In the original.
    Original,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It hides in a group.
    InGroup,
    /// It is not in the release, or shows nothing there.
    Suppressed,
    /// It is published as it is.
    AsItIs,
}

/// One row, and what it lost.
#[derive(Debug, Clone, Serialize)]
pub struct RowExplained {
    /// Its number, from 1 below the header.
    pub row: u64,
    /// Of which table.
    pub of: RowOf,
    /// What became of it.
    pub standing: Standing,
    /// How many groups of the release a row of the original could be in: they do not tell which.
    pub could_be_in: Option<u64>,
    /// Which rows of the original a row of the release could be; the first of them where they are many.
    pub could_be: Vec<u64>,
    /// How many they are.
    pub could_be_rows: u64,
    /// How many rows have its group; 0 where it is in none.
    pub group_rows: u64,
    /// How many rows of the original have the same quasi-identifiers, itself included, where it is known which row it is.
    pub alike: Option<u64>,
    /// Column by column.
    pub columns: Vec<RowColumn>,
    /// Why it is as it is, in words.
    pub because: Vec<Said>,
}

/// What became of one value of a row.
#[derive(Debug, Clone, Serialize)]
pub struct RowColumn {
    /// The column.
    pub name: String,
    /// What it shows; nothing where it is suppressed.
    pub shows: Option<String>,
    /// What that lost, by lm.
    pub lm: f64,
    /// How many rows of the original have the same value, where it is known which row it is.
    pub same_value: Option<u64>,
    /// How many rows are like it in all other columns and not in this one, where it is known which row it is.
    pub only_this_differs: Option<u64>,
    /// Rows without which its group would be narrower.
    pub strays: Option<Strays>,
}

/// What changes of a job give, tried one by one.
#[derive(Debug, Clone, Serialize)]
pub struct QuickRuns {
    /// How many rows they looked at.
    pub rows: u64,
    /// Of how many.
    pub of_rows: u64,
    /// The job as it is: what the changes are compared with.
    pub as_asked: Tried,
    /// The changes, the one that gives most first.
    pub changes: Vec<Tried>,
    /// What would be another promise or another table, and only tells what something costs.
    pub for_comparison: Vec<Tried>,
    /// What could not be tried, and why.
    pub not_tried: Vec<Said>,
}

/// A quick run: grouped, not refined, not written.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// What was changed.
    pub what: Said,
    /// The column it is about.
    pub column: Option<String>,
    /// How to say it in a job file, or as an option.
    pub how: Option<Said>,
    /// Mean loss of all cells, by lm; suppressed ones are lost.
    pub lm: f64,
    /// The same by column.
    pub per_column: BTreeMap<String, f64>,
    /// Rows it suppresses, as a share.
    pub suppressed: f64,
    /// How much less is lost than by the job as it is, in the column that was asked for or in all.
    pub gain: f64,
    /// Mean loss of the row that was asked for, or of those it could be.
    pub row_lm: Option<f64>,
}
