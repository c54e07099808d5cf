//! Models of tables in which a person can have several rows: what is counted is people, not rows.
//!
//! The codes of a class are pairs then, a value of a person each ([`Pairs`]), so a person who has a value in several rows has it
//! once. Entropy, recursive diversity, closeness, likeness and disclosure look at the values of different pairs
//! ([`OfPairs`]); α divides the people with a value by the people of the class ([`ShareOfPeople`]); numbers of values count
//! those that can be assigned to different people ([`Assignable`](super::assignable::Assignable)).

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::ValueCounts;
use super::column_model::{ColumnModel, LEAVE_OUT, Unmet, share, single_value};
use super::present::no_value;
use crate::data::Pairs;

/// A model of values that sees every pair once.
#[derive(Debug)]
pub(super) struct OfPairs {
    pub(super) pairs: Arc<Pairs>,
    pub(super) model: Arc<dyn ColumnModel>,
}

impl OfPairs {
    fn values(&self, class: &ValueCounts) -> ValueCounts {
        ValueCounts::of(class.iter().map(|(code, _)| (self.pairs.value(code), 1)).collect())
    }
}

impl ColumnModel for OfPairs {
    fn holds(&self, class: &ValueCounts) -> bool {
        self.model.holds(&self.values(class))
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        self.model.shortage(&self.values(class))
    }

    fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        if class.count(code) > 0 { 0 } else { self.model.gain(&self.values(class), self.pairs.value(code)) }
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        self.model.reason(&self.values(whole), column)
    }
}

/// No value is that of a larger share of the people who have one.
#[derive(Debug)]
pub(super) struct ShareOfPeople {
    pub(super) alpha: f64,
    pub(super) pairs: Arc<Pairs>,
    /// The code of missing values, where those count for nothing.
    pub(super) missing: Option<u32>,
}

impl ShareOfPeople {
    /// The largest share; 0 where nobody has a value.
    fn largest(&self, class: &ValueCounts) -> f64 {
        let present =
            || class.iter().map(|(code, _)| code).filter(|&c| Some(self.pairs.value(c)) != self.missing);
        let people = present().map(|code| self.pairs.owner(code)).collect::<FxHashSet<_>>().len();
        let values = ValueCounts::of(present().map(|code| (self.pairs.value(code), 1)).collect());
        let most = values.iter().map(|(_, n)| n).max().unwrap_or(0);
        f64::from(most) / people.max(1) as f64
    }
}

impl ColumnModel for ShareOfPeople {
    fn holds(&self, class: &ValueCounts) -> bool {
        self.largest(class) <= self.alpha
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        share(self.largest(class) - self.alpha)
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        let values: FxHashSet<u32> = whole.iter().map(|(code, _)| self.pairs.value(code)).collect();
        match values.iter().filter(|&&value| Some(value) != self.missing).count() {
            0 => no_value(column),
            1 => single_value(column),
            _ => {
                let share = (self.largest(whole) * 1000.0).ceil() / 1000.0;
                let has = format!("has a value that a share of {share} of the people have");
                Unmet::new(has, format!("ask for alpha ≥ {share}, {LEAVE_OUT}")).reaching(share)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entropy_l::EntropyL;
    use super::*;
    use crate::model::tally::counts;

    /// Value 0 of persons 0, 1 and 2, value 1 of persons 0 and 3, value 2 of person 3.
    fn pairs() -> Arc<Pairs> {
        Arc::new(Pairs::new(vec![0, 0, 0, 1, 1, 2], vec![0, 1, 2, 0, 3, 3], 3).unwrap())
    }

    #[test]
    fn how_often_a_person_has_a_value_does_not_matter() {
        let entropy = OfPairs { pairs: pairs(), model: Arc::new(EntropyL { l: 2.0 }) };
        // Persons 0 and 3 have one value each, whoever has more rows.
        assert!(entropy.holds(&counts(&[9, 0, 0, 0, 1])) && entropy.holds(&counts(&[1, 0, 0, 0, 7])));
        assert!(!entropy.holds(&counts(&[1, 1, 0, 0, 1])));
        assert_eq!(entropy.gain(&counts(&[1, 0, 0, 0, 0]), 0), 0);
        assert!(entropy.gain(&counts(&[1, 1, 0, 0, 0]), 4) > 0);
    }

    #[test]
    fn a_share_is_one_of_people() {
        let alpha = |alpha, missing| ShareOfPeople { alpha, pairs: pairs(), missing };
        // Value 0 is that of persons 0 and 1, of three.
        let class = counts(&[5, 1, 0, 0, 1, 0]);
        assert!(alpha(0.667, None).holds(&class) && !alpha(0.666, None).holds(&class));
        // Person 0 has both values: each is that of two of three people.
        assert!(alpha(0.667, None).holds(&counts(&[1, 1, 0, 1, 1, 0])));
        // Whose value is missing is nobody of those.
        assert!(alpha(0.5, Some(0)).largest(&counts(&[1, 1, 1, 0, 0, 0])) <= 0.0);
        assert!(!alpha(0.9, Some(1)).holds(&counts(&[1, 1, 0, 0, 1, 0])));
    }
}
