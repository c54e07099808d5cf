//! Recursive (c,l)-diversity (Machanavajjhala et al. 2006; `algorithms.md` §8).

use super::ValueCounts;
use super::alpha_k::largest_share;
use super::column_model::{ColumnModel, LEAVE_OUT, UNIT, Unmet, or_drop, share, single_value, too_few};

/// Recursive (c,l)-diversity asks c to exceed this: how often the most frequent value occurs, over how often all from
/// the l-th most frequent on do. Infinite where there are fewer than l values.
pub fn recursive_ratio(counts: &ValueCounts, l: u32) -> f64 {
    let mut falling: Vec<u32> = counts.iter().map(|(_, n)| n).collect();
    falling.sort_unstable_by(|a, b| b.cmp(a));
    let tail: u64 = falling.iter().skip(l.max(1) as usize - 1).map(|&n| u64::from(n)).sum();
    match falling.first() {
        Some(&most) if tail > 0 => f64::from(most) / tail as f64,
        _ => f64::INFINITY,
    }
}

/// The most frequent value occurs less than c times as often as all from the l-th most frequent on.
#[derive(Debug)]
pub(super) struct RecursiveL {
    pub(super) c: f64,
    pub(super) l: u32,
}

impl ColumnModel for RecursiveL {
    fn holds(&self, class: &ValueCounts) -> bool {
        recursive_ratio(class, self.l) < self.c
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        let missing = u64::from(self.l).saturating_sub(class.distinct() as u64);
        let ratio = recursive_ratio(class, self.l);
        // The share of the class by which the most frequent value is too frequent.
        share(if ratio.is_finite() { largest_share(class) * (1.0 - self.c / ratio) } else { 1.0 })
            + missing * UNIT
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        let (n, l) = (whole.distinct(), self.l);
        if n < 2 {
            return single_value(column);
        }
        let ratio = recursive_ratio(whole, l);
        if ratio.is_infinite() {
            let help = format!("ask for a smaller l than {l}, {}", or_drop(column));
            return Unmet::new(too_few(n), help);
        }
        let c = (ratio * 100.0).floor() / 100.0 + 0.01;
        let has = format!("as a whole is only recursive ({c:.2},{l})-diverse");
        let written = (c * 100.0).round() / 100.0;
        Unmet::new(has, format!("ask for recursive:{c:.2},{l} or a larger c, {LEAVE_OUT}")).reaching(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tally::counts;

    #[test]
    fn the_most_frequent_is_compared_with_the_tail() {
        assert!((recursive_ratio(&counts(&[4, 2, 1, 1]), 2) - 1.0).abs() < 1e-12);
        assert!((recursive_ratio(&counts(&[2, 4, 1, 1]), 3) - 2.0).abs() < 1e-12);
        assert!(recursive_ratio(&counts(&[4, 2]), 3).is_infinite());
        assert!((recursive_ratio(&counts(&[3, 1]), 1) - 0.75).abs() < 1e-12);
    }

    /// `algorithms.md` §8: it does not survive adding rows.
    #[test]
    fn adding_rows_can_break_what_merging_keeps() {
        let model = RecursiveL { c: 2.0, l: 3 };
        assert!(model.holds(&counts(&[1, 1, 1])) && !model.holds(&counts(&[2, 1, 1])));
    }
}
