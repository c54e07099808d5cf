//! Distinct l-diversity (Machanavajjhala et al. 2006; `algorithms.md` §8).

use super::ValueCounts;
use super::column_model::{ColumnModel, UNIT, Unmet, or_drop, too_few};
use super::p_sensitive::Kinds;
use super::present::no_value;

/// At least so many different values.
#[derive(Debug)]
pub(super) struct DistinctL {
    pub(super) l: u32,
    /// Every value for itself, but for missing ones.
    pub(super) values: Kinds,
}

impl ColumnModel for DistinctL {
    fn holds(&self, class: &ValueCounts) -> bool {
        self.l <= 1 || self.values.count(class) >= self.l as usize
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        u64::from(self.l).saturating_sub(self.values.count(class) as u64) * UNIT
    }

    fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        let new = class.count(code) == 0 && !self.values.is_missing(code);
        if !self.holds(class) && new { UNIT.cast_signed() } else { 0 }
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        let n = self.values.count(whole);
        if n == 0 {
            return no_value(column);
        }
        let help = format!("ask for distinct:{n} or less, {}", or_drop(column));
        Unmet::new(too_few(n), help).reaching(n as f64)
    }
}
