//! p-sensitivity (Truta and Vinay 2006; extended: Campan and Truta 2006; `algorithms.md` §8).

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::ValueCounts;
use super::column_model::{ColumnModel, UNIT, Unmet, or_drop, too_few};

/// What p counts of a value: the protected part of the hierarchy it belongs to, or itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Kinds(Arc<Vec<u32>>);

impl Kinds {
    /// Empty where nothing is protected.
    pub(super) fn new(kinds: Vec<u32>) -> Self {
        Self(Arc::new(kinds))
    }

    /// Whether some values count as one.
    pub(super) fn protect(&self) -> bool {
        !self.0.is_empty()
    }

    pub(super) fn of(&self, code: u32) -> u32 {
        // A value nobody has heard of is of a kind of its own.
        let unknown = if self.protect() { u32::MAX - code } else { code };
        self.0.get(code as usize).copied().unwrap_or(unknown)
    }

    pub(super) fn count(&self, class: &ValueCounts) -> usize {
        if !self.protect() {
            return class.distinct();
        }
        class.iter().map(|(code, _)| self.of(code)).collect::<FxHashSet<_>>().len()
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
        self.kinds.count(class) >= self.p as usize
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        u64::from(self.p).saturating_sub(self.kinds.count(class) as u64) * UNIT
    }

    fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        let kind = self.kinds.of(code);
        let new = || class.iter().all(|(other, _)| self.kinds.of(other) != kind);
        if !self.holds(class) && new() { UNIT.cast_signed() } else { 0 }
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        let n = self.kinds.count(whole);
        if n == whole.distinct() {
            let help = format!("ask for p ≤ {n}, {}", or_drop(column));
            return Unmet::new(too_few(n), help).reaching(n as f64);
        }
        let s = if n == 1 { "" } else { "s" };
        let has = format!("has values of only {n} kind{s}, protected ones counted as one");
        Unmet::new(has, format!("ask for p ≤ {n}, or protect fewer values together")).reaching(n as f64)
    }
}
