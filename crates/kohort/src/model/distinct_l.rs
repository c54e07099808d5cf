//! Distinct l-diversity (Machanavajjhala et al. 2006; `algorithms.md` §8).

use super::ValueCounts;
use super::column_model::{ColumnModel, UNIT, Unmet, or_drop, too_few};

/// At least so many different values.
#[derive(Debug)]
pub(super) struct DistinctL {
    pub(super) l: u32,
}

impl ColumnModel for DistinctL {
    fn holds(&self, class: &ValueCounts) -> bool {
        class.distinct() >= self.l as usize
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        u64::from(self.l).saturating_sub(class.distinct() as u64) * UNIT
    }

    fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        if !self.holds(class) && class.count(code) == 0 { UNIT.cast_signed() } else { 0 }
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        let n = whole.distinct();
        let help = format!("ask for distinct:{n} or less, {}", or_drop(column));
        Unmet::new(too_few(n), help).reaching(n as f64)
    }
}
