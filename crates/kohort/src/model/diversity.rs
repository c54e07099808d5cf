//! How diverse the values of one sensitive column in a class are, by the definitions of l-diversity and (α,k)-anonymity
//! (`algorithms.md` §8). None of these numbers depends on the order of the values, to the last bit.

use super::ValueCounts;

/// What a computed entropy may lack of what was asked: rounding, and no more.
const ROUNDING: f64 = 1e-9;

/// Fixed point of the sum below: sums of whole numbers do not depend on their order.
const FINE: f64 = (1u64 << 40) as f64;

/// The entropy of the values in nats: log n − Σ nₛ log nₛ / n.
pub(super) fn entropy(counts: &ValueCounts) -> f64 {
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

/// Whether an entropy is that of l values.
pub(super) fn is_entropy_diverse(counts: &ValueCounts, l: f64) -> bool {
    entropy(counts) >= l.ln() - ROUNDING
}

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

/// The share of the most frequent value; (α,k)-anonymity asks it to be at most α. 0 for an empty class.
pub fn largest_share(counts: &ValueCounts) -> f64 {
    let most = counts.iter().map(|(_, n)| n).max().unwrap_or(0);
    f64::from(most) / counts.rows().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Tally;

    fn counts(times: &[u32]) -> ValueCounts {
        let mut tally = Tally::new(1);
        for (code, &n) in times.iter().enumerate() {
            tally.add([code as u32], n);
        }
        tally.columns()[0].clone()
    }

    #[test]
    fn equally_frequent_values_count_one_each() {
        for l in [1, 2, 3, 7, 100] {
            for each in [1, 3, 1000] {
                let class = counts(&vec![each; l]);
                assert!((entropy_l(&class) - l as f64).abs() < 1e-9);
                assert!(is_entropy_diverse(&class, l as f64) && !is_entropy_diverse(&class, l as f64 + 1e-6));
            }
        }
    }

    #[test]
    fn recursive_diversity_compares_the_most_frequent_with_the_tail() {
        assert!((recursive_ratio(&counts(&[4, 2, 1, 1]), 2) - 1.0).abs() < 1e-12);
        assert!((recursive_ratio(&counts(&[2, 4, 1, 1]), 3) - 2.0).abs() < 1e-12);
        assert!(recursive_ratio(&counts(&[4, 2]), 3).is_infinite());
        assert!((recursive_ratio(&counts(&[3, 1]), 1) - 0.75).abs() < 1e-12);
    }

    /// `algorithms.md` §8: none of these survives adding rows.
    #[test]
    fn adding_rows_can_break_what_merging_keeps() {
        assert!(
            is_entropy_diverse(&counts(&[1, 2, 1]), 2.5) && !is_entropy_diverse(&counts(&[5, 2, 1]), 2.5)
        );
        assert!(
            recursive_ratio(&counts(&[1, 1, 1]), 3) < 2.0 && recursive_ratio(&counts(&[2, 1, 1]), 3) >= 2.0
        );
        assert!(largest_share(&counts(&[1, 1])) <= 0.5 && largest_share(&counts(&[2, 1])) > 0.5);
    }
}
