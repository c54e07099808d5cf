//! Models that look at shares, of the values that are there: whose value is missing hides nobody else's.

use std::sync::Arc;

use super::ValueCounts;
use super::column_model::{ColumnModel, Unmet, or_drop};

/// A model that does not see missing values.
#[derive(Debug)]
pub(super) struct OfPresent {
    /// The code that stands for them.
    pub(super) missing: u32,
    pub(super) model: Arc<dyn ColumnModel>,
}

impl OfPresent {
    fn ask<T>(&self, class: &ValueCounts, question: impl Fn(&ValueCounts) -> T) -> T {
        if class.count(self.missing) == 0 { question(class) } else { question(&class.without(self.missing)) }
    }
}

impl ColumnModel for OfPresent {
    fn holds(&self, class: &ValueCounts) -> bool {
        self.ask(class, |present| self.model.holds(present))
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        self.ask(class, |present| self.model.shortage(present))
    }

    fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        if code == self.missing { 0 } else { self.ask(class, |present| self.model.gain(present, code)) }
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        let present = whole.without(self.missing);
        match present.distinct() {
            0 => no_value(column),
            _ => self.model.reason(&present, column),
        }
    }
}

/// What any model says of a column in which every value is missing.
pub(super) fn no_value(column: &str) -> Unmet {
    Unmet::new(
        "has no value at all",
        format!(
            "{}, or let ‹missing-sensitive=count› count missing as a value",
            or_drop(column).trim_start_matches("or ")
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::super::alpha_k::AlphaK;
    use super::super::entropy_l::EntropyL;
    use super::*;
    use crate::model::tally::counts;

    fn of_present(model: impl ColumnModel + 'static) -> OfPresent {
        OfPresent { missing: 0, model: Arc::new(model) }
    }

    #[test]
    fn shares_are_those_of_the_values_that_are_there() {
        let alpha = of_present(AlphaK { alpha: 0.5 });
        assert!(alpha.holds(&counts(&[8, 1, 1])) && !alpha.holds(&counts(&[8, 2, 1])));
        assert!(alpha.holds(&counts(&[3])), "no value has any share");
        assert_eq!(alpha.lack(&counts(&[8, 2, 1])), AlphaK { alpha: 0.5 }.lack(&counts(&[0, 2, 1])));
        let entropy = of_present(EntropyL { l: 2.0 });
        assert!(
            entropy.holds(&counts(&[4, 2, 2]))
                && !entropy.holds(&counts(&[4, 4]))
                && !entropy.holds(&counts(&[4]))
        );
    }

    #[test]
    fn a_missing_value_gains_nothing() {
        let alpha = of_present(AlphaK { alpha: 0.5 });
        let class = counts(&[2, 3, 1]);
        assert_eq!(alpha.gain(&class, 0), 0);
        assert!(alpha.gain(&class, 2) > 0 && alpha.gain(&class, 1) < 0);
    }

    #[test]
    fn a_column_without_values_is_called_so() {
        let unmet = of_present(AlphaK { alpha: 0.5 }).reason(&counts(&[5]), "d");
        assert_eq!(unmet.has, "has no value at all");
        assert!(unmet.help.starts_with("drop 'd' from the release, or"));
        assert!(of_present(AlphaK { alpha: 0.5 }).reason(&counts(&[5, 2]), "d").has.contains("single value"));
    }
}
