//! δ-disclosure privacy (Brickell and Shmatikov 2008): |ln(q / p)| < δ for the frequencies q in the class and p in the table
//! of every value of the table.
//!
//! *Reading*: strict. A value of the table that is absent from a class has q = 0 and violates every δ; read otherwise, the
//! model would not be kept when classes are merged. The logarithm is the natural one.

use std::sync::Arc;

use super::column_model::{ColumnModel, Unmet, share};
use super::{Distribution, ValueCounts};

/// Every value is about as frequent as in the table.
#[derive(Debug)]
pub(super) struct DeltaDisclosure {
    pub(super) delta: f64,
    pub(super) table: Arc<Distribution>,
}

impl DeltaDisclosure {
    /// The logarithm that lies farthest from 0; infinite where a value of the table is absent.
    fn farthest(&self, class: &ValueCounts) -> f64 {
        if class.distinct() < self.table.distinct() {
            return f64::INFINITY;
        }
        let rows = class.rows();
        class.iter().map(|(code, times)| self.table.ratio(rows, code, times).ln().abs()).fold(0.0, f64::max)
    }
}

impl ColumnModel for DeltaDisclosure {
    fn holds(&self, class: &ValueCounts) -> bool {
        self.farthest(class) < self.delta
    }

    /// The share of the class that is too much of some values, and that which others lack.
    fn shortage(&self, class: &ValueCounts) -> u64 {
        let (most, least) = (self.delta.exp(), (-self.delta).exp());
        let n = class.rows().max(1) as f64;
        let too_much = |(code, times)| self.table.excess(class, code, times, most);
        let too_little = |(code, &times): (u32, &u64)| {
            let wanted = least * times as f64 / self.table.rows().max(1) as f64;
            (wanted - f64::from(class.count(code)) / n).max(0.0)
        };
        let lacking: f64 = (0..).zip(self.table.times()).map(too_little).sum();
        share(class.iter().map(too_much).sum::<f64>() + lacking)
    }

    fn reason(&self, whole: &ValueCounts, _: &str) -> Unmet {
        let far = self.farthest(whole);
        if far.is_infinite() {
            let has = "without the rows that are left out has lost a value of the whole table";
            return Unmet::new(has, "leave fewer rows out");
        }
        let delta = (far * 1000.0).floor() / 1000.0 + 0.001;
        let has = format!("without the rows that are left out only reaches a delta of {delta:.3}");
        // As it is written: sums of thousandths have a tail.
        let written = (delta * 1000.0).round() / 1000.0;
        Unmet::new(has, format!("ask for delta ≥ {delta:.3}, or leave fewer rows out")).reaching(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tally::counts;

    fn model(delta: f64) -> DeltaDisclosure {
        DeltaDisclosure { delta, table: Arc::new(Distribution::of(vec![50, 40, 10])) }
    }

    #[test]
    fn every_value_must_be_about_as_frequent() {
        let class = counts(&[4, 4, 2]);
        // 2 of 10 instead of 1: ln 2.
        assert!(model(0.694).holds(&class) && !model(std::f64::consts::LN_2).holds(&class), "strictly less");
        assert!(!model(100.0).holds(&counts(&[5, 5])), "a value of the table is absent");
        assert!(!model(100.0).holds(&counts(&[5, 4, 1, 1])), "a value that the table does not have");
    }

    #[test]
    fn what_is_rarer_counts_as_well() {
        let class = counts(&[1, 8, 1]);
        assert!(model(1.62).holds(&class) && !model(1.6).holds(&class), "ln 5 is 1.609");
        assert!(model(1.0).shortage(&class) > model(1.5).shortage(&class));
    }
}
