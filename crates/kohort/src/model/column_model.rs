//! What a model can be asked about the values of one sensitive column in a class.

use super::ValueCounts;

/// A whole value or row that is lacking, in fixed point.
pub(super) const UNIT: u64 = 1 << 20;

/// A model bound to a sensitive column. What may be relied on for all classes (whether it survives adding rows, and so on)
/// stands in its [`crate::demand::ModelEntry`].
pub(super) trait ColumnModel: std::fmt::Debug + Send + Sync {
    /// Whether a class with these values satisfies it.
    fn holds(&self, class: &ValueCounts) -> bool;

    /// How far a class is from that: a value that is missing counts [`UNIT`], what is measured in shares or distances a part
    /// of it, and never nothing. Asked only of classes that do not satisfy it.
    fn shortage(&self, class: &ValueCounts) -> u64;

    /// Why not even the whole column as one class satisfies it, and what to ask for instead.
    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet;

    /// By how much one more row with this value lowers the shortage; negative where it makes things worse.
    fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        let mut with = class.clone();
        with.add(code, 1);
        self.lack(class).cast_signed() - self.lack(&with).cast_signed()
    }

    /// The shortage; 0 where there is none.
    fn lack(&self, class: &ValueCounts) -> u64 {
        if self.holds(class) { 0 } else { self.shortage(class) }
    }
}

/// Why a model cannot be met by any class of a column.
pub(super) struct Unmet {
    /// What the column has instead ("has …").
    pub(super) has: String,
    /// What to ask for.
    pub(super) help: String,
    /// The number to ask for, where there is one that the whole column meets.
    pub(super) reachable: Option<f64>,
}

impl Unmet {
    /// What a column has, and what would help against it.
    pub(super) fn new(has: impl Into<String>, help: impl Into<String>) -> Self {
        Self { has: has.into(), help: help.into(), reachable: None }
    }

    /// The same where asking for this number would help.
    pub(super) fn reaching(self, number: f64) -> Self {
        Self { reachable: Some(number), ..self }
    }
}

/// A shortage that is measured in shares of a class.
pub(super) fn share(x: f64) -> u64 {
    1 + (x.max(0.0) * UNIT as f64) as u64
}

/// What a model that needs diversity says of a column with one value.
pub(super) fn single_value(column: &str) -> Unmet {
    Unmet::new(
        "has a single value",
        format!(
            "drop '{column}' from the release: everybody has this value, and whoever is in the table has it, too"
        ),
    )
}

/// What a model that counts values says of a column with too few.
pub(super) fn too_few(n: usize) -> String {
    if n == 1 { "has a single value".into() } else { format!("has only {n} different values") }
}

/// What helps where frequent values are too frequent.
pub(super) const LEAVE_OUT: &str = "or allow rows of its frequent values to be left out with ‹suppress› (incognito leaves out whole classes only)";

/// What helps against any demand on a column. Whoever no longer calls it sensitive would publish it without protection.
pub(super) fn or_drop(column: &str) -> String {
    format!("or drop '{column}' from the release")
}
