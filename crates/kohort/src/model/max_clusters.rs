//! How many p-sensitive classes a table can have at most, from the frequencies of its sensitive values alone.
//!
//! Truta and Vinay (2006), as completed in `algorithms.md` §3.1 to §3.3: with the frequencies in descending order and
//! `cf_j` the sum of the first `j`, a class with `p` different values holds at least `i` rows outside the `p - i` most
//! frequent values, for every `i`; so `v` classes need `v · i ≤ n - cf_(p-i)`. For one sensitive column the bound is met
//! exactly (§3.2). For several columns the smallest of their bounds holds, but need not be reached (§14.10).

/// The largest number of p-sensitive classes, at most; 0 when not even one is possible. `p = 0` counts as 1.
///
/// ```
/// use kohort::model::max_clusters;
/// assert_eq!(max_clusters(&[10, 6, 4, 3, 2], 3), 7);
/// ```
pub fn max_clusters(frequencies: &[u64], p: u32) -> u64 {
    candidates(frequencies, p).map(|(_, clusters)| clusters).min().unwrap_or(0)
}

/// The largest `i` that attains the minimum of [`max_clusters`]: how many of its `p` values a class must take from
/// outside the `p - i` most frequent ones. Those are frequent enough to give one row to every class (§3.3).
pub fn i_value(frequencies: &[u64], p: u32) -> u32 {
    let most = max_clusters(frequencies, p);
    candidates(frequencies, p).filter(|&(_, clusters)| clusters == most).map(|(i, _)| i).max().unwrap_or(1)
}

/// `floor((n - cf_(p-i)) / i)` for every `i` in `1..=p`. The case `i = p` is needed when p is examined without k.
fn candidates(frequencies: &[u64], p: u32) -> impl Iterator<Item = (u32, u64)> {
    let p = p.max(1);
    let mut descending = frequencies.to_vec();
    descending.sort_unstable_by(|a, b| b.cmp(a));
    (1..=p).map(move |i| {
        let rarer: u64 = descending.iter().skip((p - i) as usize).sum();
        (i, rarer / u64::from(i))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `algorithms.md` §14.9.
    #[test]
    fn worked_example_9() {
        let cases: [(&[u64], u32, u64, u32); 3] =
            [(&[10, 6, 4, 3, 2], 3, 7, 2), (&[17, 2, 1], 2, 3, 1), (&[60, 20, 10, 10], 3, 20, 2)];
        for (frequencies, p, clusters, i) in cases {
            assert_eq!(
                (max_clusters(frequencies, p), i_value(frequencies, p)),
                (clusters, i),
                "{frequencies:?}"
            );
        }
        assert_eq!(max_clusters(&[3, 3, 3, 3], 2), 6);
    }

    #[test]
    fn fewer_values_than_p_allow_no_class() {
        assert_eq!(max_clusters(&[5, 5], 3), 0);
        assert_eq!(max_clusters(&[], 2), 0);
        assert_eq!(max_clusters(&[4, 1], 1), 5);
    }

    /// §3.2: the bound is the largest `v` with `sum of min(f, v) ≥ p v`.
    #[test]
    fn one_column_reaches_the_bound() {
        for code in 0..7_u64.pow(4) {
            let frequencies: Vec<u64> = (0..4).map(|place| code / 7_u64.pow(place) % 7).collect();
            for p in 1..=5 {
                let possible =
                    |v: &u64| frequencies.iter().map(|f| *f.min(v)).sum::<u64>() >= u64::from(p) * v;
                let most = (0..=24).filter(possible).max().unwrap();
                assert_eq!(max_clusters(&frequencies, p), most, "{frequencies:?}, p = {p}");
            }
        }
    }

    /// §3.3: what the i-value promises about the values outside it.
    #[test]
    fn the_most_frequent_values_serve_every_class() {
        for code in 0..9_u64.pow(4) {
            let mut frequencies: Vec<u64> = (0..4).map(|place| code / 9_u64.pow(place) % 9).collect();
            frequencies.sort_unstable_by(|a, b| b.cmp(a));
            for p in 2..=4 {
                let (most, i) = (max_clusters(&frequencies, p), i_value(&frequencies, p));
                if i < p {
                    assert!(frequencies[(p - i) as usize - 1] >= most + 2, "{frequencies:?}, p = {p}");
                }
            }
        }
    }
}
