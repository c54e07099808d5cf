//! p-sensitivity (Truta and Vinay 2006; extended: Campan and Truta 2006; `algorithms.md` §8).

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::column_model::{ColumnModel, UNIT, Unmet, or_drop, too_few};
use super::present::no_value;
use super::{NO_VALUE, ValueCounts};

/// What p counts of a value: the protected part of the hierarchy it belongs to, or itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Kinds {
    /// By code; empty where nothing is protected.
    of_code: Arc<Vec<u32>>,
    /// The code of missing values, where they are of no kind.
    missing: Option<u32>,
}

impl Kinds {
    /// `of_code` is empty where nothing is protected; `missing` is of no kind.
    pub(super) fn new(of_code: Vec<u32>, missing: Option<u32>) -> Self {
        Self { of_code: Arc::new(of_code), missing }
    }

    /// Every value is of a kind of its own.
    pub(super) fn none_protected(missing: Option<u32>) -> Self {
        Self::new(Vec::new(), missing)
    }

    /// Whether some values count as one.
    pub(super) fn protect(&self) -> bool {
        !self.of_code.is_empty()
    }

    /// The kind of a value; [`NO_VALUE`] where it is missing.
    pub(super) fn of(&self, code: u32) -> u32 {
        if self.is_missing(code) {
            return NO_VALUE;
        }
        // A value nobody has heard of is of a kind of its own.
        let unknown = if self.protect() { u32::MAX - code } else { code };
        self.of_code.get(code as usize).copied().unwrap_or(unknown)
    }

    pub(super) fn is_missing(&self, code: u32) -> bool {
        self.missing == Some(code)
    }

    pub(super) fn count(&self, class: &ValueCounts) -> usize {
        if !self.protect() {
            return class.distinct() - usize::from(self.lack_some(class));
        }
        let kinds = class.iter().map(|(code, _)| self.of(code)).filter(|&kind| kind != NO_VALUE);
        kinds.collect::<FxHashSet<_>>().len()
    }

    /// Whether values of the class are missing, and count for nothing.
    pub(super) fn lack_some(&self, class: &ValueCounts) -> bool {
        self.missing.is_some_and(|missing| class.count(missing) > 0)
    }
}

/// At least so many kinds of values.
#[derive(Debug)]
pub(super) struct PSensitive {
    pub(super) p: u32,
    pub(super) kinds: Kinds,
}

impl ColumnModel for PSensitive {
    fn holds(&self, class: &ValueCounts) -> bool {
        // One value is what everybody has; who has none is no worse off.
        self.p <= 1 || self.kinds.count(class) >= self.p as usize
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        u64::from(self.p).saturating_sub(self.kinds.count(class) as u64) * UNIT
    }

    fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        let kind = self.kinds.of(code);
        let new = || kind != NO_VALUE && class.iter().all(|(other, _)| self.kinds.of(other) != kind);
        if !self.holds(class) && new() { UNIT.cast_signed() } else { 0 }
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        let n = self.kinds.count(whole);
        if n == 0 {
            return no_value(column);
        }
        if !self.kinds.protect() || n == whole.distinct() {
            let help = format!("ask for p ≤ {n}, {}", or_drop(column));
            return Unmet::new(too_few(n), help).reaching(n as f64);
        }
        let s = if n == 1 { "" } else { "s" };
        let has = format!("has values of only {n} kind{s}, protected ones counted as one");
        Unmet::new(has, format!("ask for p ≤ {n}, or protect fewer values together")).reaching(n as f64)
    }
}
