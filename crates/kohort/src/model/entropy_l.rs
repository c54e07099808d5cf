//! Entropy l-diversity (Machanavajjhala et al. 2006; `algorithms.md` §8). The entropy does not depend on the order of the
//! values, to the last bit.

use super::ValueCounts;
use super::column_model::{ColumnModel, LEAVE_OUT, Unmet, share, single_value};

/// What a computed entropy may lack of what was asked: rounding, and no more.
const ROUNDING: f64 = 1e-9;

/// Fixed point of the sum below: sums of whole numbers do not depend on their order.
const FINE: f64 = (1u64 << 40) as f64;

/// The entropy of the values in nats: log n − Σ nₛ log nₛ / n.
fn entropy(counts: &ValueCounts) -> f64 {
    let rows = counts.rows() as f64;
    let weigh = |n: u32| (f64::from(n) * f64::from(n).ln() * FINE).round() as i128;
    let sum: i128 = counts.iter().map(|(_, n)| weigh(n)).sum();
    if rows == 0.0 { 0.0 } else { (rows.ln() - sum as f64 / FINE / rows).max(0.0) }
}

/// The largest l for which the class is entropy l-diverse: as many equally frequent values would be as uncertain.
pub fn entropy_l(counts: &ValueCounts) -> f64 {
    // Three equally frequent values are 3, not 2.9999999999999996.
    (entropy(counts).exp() * 1e9).round() / 1e9
}

/// At least as uncertain as l equally frequent values.
#[derive(Debug)]
pub(super) struct EntropyL {
    pub(super) l: f64,
}

impl ColumnModel for EntropyL {
    fn holds(&self, class: &ValueCounts) -> bool {
        entropy(class) >= self.l.ln() - ROUNDING
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        share(1.0 - entropy(class) / self.l.ln())
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        if whole.distinct() < 2 {
            return single_value(column);
        }
        let l = (entropy_l(whole) * 100.0).floor() / 100.0;
        let has = format!("as a whole is only entropy {l}-diverse");
        Unmet::new(has, format!("ask for entropy:{l} or less, {LEAVE_OUT}")).reaching(l)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tally::counts;

    #[test]
    fn equally_frequent_values_count_one_each() {
        for l in [1, 2, 3, 7, 100] {
            for each in [1, 3, 1000] {
                let class = counts(&vec![each; l]);
                assert!((entropy_l(&class) - l as f64).abs() < 1e-9);
                let holds = |l: f64| EntropyL { l }.holds(&class);
                assert!(holds(l as f64) && !holds(l as f64 + 1e-6));
            }
        }
    }

    /// `algorithms.md` §8: it does not survive adding rows.
    #[test]
    fn adding_rows_can_break_what_merging_keeps() {
        let model = EntropyL { l: 2.5 };
        assert!(model.holds(&counts(&[1, 2, 1])) && !model.holds(&counts(&[5, 2, 1])));
    }
}
