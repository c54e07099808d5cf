//! (α,k)-anonymity (Wong et al. 2006; `algorithms.md` §8), of all values of a column.

use super::ValueCounts;
use super::column_model::{ColumnModel, LEAVE_OUT, Unmet, share, single_value};

/// The share of the most frequent value; (α,k)-anonymity asks it to be at most α. 0 for an empty class.
pub fn largest_share(counts: &ValueCounts) -> f64 {
    let most = counts.iter().map(|(_, n)| n).max().unwrap_or(0);
    f64::from(most) / counts.rows().max(1) as f64
}

/// No value has a larger share.
#[derive(Debug)]
pub(super) struct AlphaK {
    pub(super) alpha: f64,
}

impl ColumnModel for AlphaK {
    fn holds(&self, class: &ValueCounts) -> bool {
        largest_share(class) <= self.alpha
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        share(largest_share(class) - self.alpha)
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        if whole.distinct() < 2 {
            return single_value(column);
        }
        let share = (largest_share(whole) * 1000.0).ceil() / 1000.0;
        let has = format!("has a value with a share of {share}");
        Unmet::new(has, format!("ask for alpha ≥ {share}, {LEAVE_OUT}")).reaching(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tally::counts;

    /// `algorithms.md` §8: it does not survive adding rows.
    #[test]
    fn adding_rows_can_break_what_merging_keeps() {
        let model = AlphaK { alpha: 0.5 };
        assert!(model.holds(&counts(&[1, 1])) && !model.holds(&counts(&[2, 1])));
    }
}
