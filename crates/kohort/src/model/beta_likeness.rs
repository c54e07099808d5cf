//! Basic β-likeness (Cao and Karras 2012): the relative gain (q − p) / p in the frequency of a value, from p in the table to q
//! in the class, is at most β. What is rarer in the class than in the table is no concern of it.
//!
//! It is kept when classes are merged, because the frequencies of the union lie between those of its parts.

use std::sync::Arc;

use super::column_model::{ColumnModel, Unmet, share};
use super::{Distribution, ValueCounts};

/// No value gains more than β times its frequency in the table.
#[derive(Debug)]
pub(super) struct BetaLikeness {
    pub(super) beta: f64,
    pub(super) table: Arc<Distribution>,
}

impl BetaLikeness {
    /// The largest relative gain of any value; below 0 for an empty class.
    fn largest_gain(&self, class: &ValueCounts) -> f64 {
        let rows = class.rows();
        let n = u128::from(self.table.rows());
        let gain = |(code, times): (u32, u32)| {
            let expected = u128::from(self.table.count(code)) * u128::from(rows);
            let found = u128::from(times) * n;
            match expected {
                0 => f64::INFINITY,
                _ => found.saturating_sub(expected) as f64 / expected as f64,
            }
        };
        class.iter().map(gain).fold(-1.0, f64::max)
    }
}

impl ColumnModel for BetaLikeness {
    fn holds(&self, class: &ValueCounts) -> bool {
        self.largest_gain(class) <= self.beta
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        let excess = |(code, times)| self.table.excess(class, code, times, 1.0 + self.beta);
        share(class.iter().map(excess).sum())
    }

    fn reason(&self, whole: &ValueCounts, _: &str) -> Unmet {
        let beta = (self.largest_gain(whole) * 1000.0).ceil() / 1000.0;
        let has = format!(
            "without the rows that are left out has a value that is more frequent than in the whole table by {beta} times its frequency there"
        );
        Unmet::new(has, format!("ask for beta ≥ {beta}, or leave fewer rows out")).reaching(beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tally::counts;

    fn model(beta: f64) -> BetaLikeness {
        BetaLikeness { beta, table: Arc::new(Distribution::of(vec![60, 30, 10])) }
    }

    #[test]
    fn gains_are_relative_to_the_frequency_in_the_table() {
        // 2 of 10 instead of 10 of 100: twice as frequent, a gain of 1.
        let class = counts(&[5, 3, 2]);
        assert!(model(1.0).holds(&class) && !model(0.999).holds(&class));
        // What is missing does not gain.
        assert!(model(1.0).holds(&counts(&[6, 4])));
        assert!(!model(1e9).holds(&counts(&[1, 1, 1, 1])), "a value that the table does not have");
    }

    /// `algorithms.md` §8: it does not survive adding rows.
    #[test]
    fn adding_rows_can_break_what_merging_keeps() {
        assert!(model(1.0).holds(&counts(&[5, 3, 2])) && !model(1.0).holds(&counts(&[5, 3, 3])));
        assert!(model(1.0).shortage(&counts(&[5, 3, 3])) < model(1.0).shortage(&counts(&[5, 3, 6])));
    }
}
