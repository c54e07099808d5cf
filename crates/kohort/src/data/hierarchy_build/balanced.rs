//! A tree for values without meaning to us: sorted, and cut so that siblings hold about equally many rows.

use crate::data::{Hierarchy, ROOT_LABEL, plain_number};
use crate::error::{Error, Result};

use super::below_root;

/// Cuts the sorted values into `fanout` neighbouring groups of about equal row counts, and those again.
///
/// Numbers sort as numbers where all values are numbers. Groups are labelled `[first, last]`; a group of one is
/// the value itself.
///
/// ```
/// use kohort::data::hierarchy_build::balanced;
/// let values: Vec<(String, u64)> = ["1", "2", "3", "10"].map(|v| (v.to_owned(), 1)).into();
/// let h = balanced("size", &values, 2)?;
/// assert_eq!(h.path(h.leaf("10").unwrap()), ["10", "[3, 10]", "*"]);
/// # Ok::<(), kohort::Error>(())
/// ```
pub fn balanced(name: &str, counts: &[(String, u64)], fanout: u32) -> Result<Hierarchy> {
    if fanout < 2 {
        return Err(Error::job(format!("a balanced tree needs at least 2 groups per level, {fanout} given"))
            .at(format!("hierarchy of '{name}'"))
            .help("4 is a good start"));
    }
    let sorted = sorted(counts);
    let mut prefix = vec![0u128];
    prefix.extend(sorted.iter().scan(0, |sum, (_, count)| {
        // A value that was counted zero times still takes a place.
        *sum += u128::from((*count).max(1));
        Some(*sum)
    }));
    let mut tree = Tree { sorted: &sorted, prefix: &prefix, fanout: fanout as usize, paths: Vec::new() };
    tree.grow(0, sorted.len(), &mut vec![ROOT_LABEL.to_owned()]);
    let missing = counts.iter().filter(|(v, _)| v.is_empty()).map(|(v, _)| below_root(v));
    let paths: Vec<_> = tree.paths.into_iter().chain(missing).collect();
    Hierarchy::from_paths(name, paths)
}

fn sorted(counts: &[(String, u64)]) -> Vec<(&str, u64)> {
    let mut values: Vec<_> =
        counts.iter().filter(|(v, _)| !v.is_empty()).map(|(v, n)| (v.as_str(), *n)).collect();
    let numbers: Option<Vec<f64>> = values.iter().map(|(v, _)| plain_number(v)).collect();
    values.sort_unstable();
    if numbers.is_some() {
        let number = |v: &str| plain_number(v).unwrap_or(f64::NAN);
        values.sort_by(|a, b| number(a.0).total_cmp(&number(b.0)));
    }
    values.dedup_by_key(|(v, _)| *v);
    values
}

struct Tree<'a> {
    sorted: &'a [(&'a str, u64)],
    prefix: &'a [u128],
    fanout: usize,
    paths: Vec<Vec<String>>,
}

impl Tree<'_> {
    /// Adds the values `start..end` below the groups in `above` (root first).
    fn grow(&mut self, start: usize, end: usize, above: &mut Vec<String>) {
        let cuts = self.cuts(start, end);
        for pair in cuts.windows(2) {
            let (first, last) = (self.sorted[pair[0]].0, self.sorted[pair[1] - 1].0);
            if pair[1] - pair[0] == 1 {
                self.paths
                    .push(std::iter::once(first.to_owned()).chain(above.iter().rev().cloned()).collect());
            } else {
                above.push(format!("[{first}, {last}]"));
                self.grow(pair[0], pair[1], above);
                above.pop();
            }
        }
    }

    /// Where the groups of `start..end` begin, and the end: each group holds at least one value.
    fn cuts(&self, start: usize, end: usize) -> Vec<usize> {
        let parts = self.fanout.min(end - start);
        let (low, total) = (self.prefix[start], self.prefix[end] - self.prefix[start]);
        let mut cuts = vec![start];
        for part in 1..parts {
            let goal = low + total * part as u128 / parts as u128;
            let after = self.prefix.partition_point(|&sum| sum < goal);
            let nearer = after > 0 && goal - self.prefix[after - 1] < self.prefix[after].abs_diff(goal);
            let cut = if nearer { after - 1 } else { after };
            cuts.push(cut.clamp(cuts[part - 1] + 1, end - (parts - part)));
        }
        cuts.push(end);
        cuts
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{holds, path, strings};
    use super::*;

    fn counted<S: ToString>(values: impl IntoIterator<Item = (S, u64)>) -> Vec<(String, u64)> {
        values.into_iter().map(|(v, n)| (v.to_string(), n)).collect()
    }

    fn check(counts: &[(String, u64)], fanout: u32) -> Hierarchy {
        let h = balanced("x", counts, fanout).unwrap();
        holds(&h, &strings(counts.iter().map(|(v, _)| v)));
        h
    }

    #[test]
    fn equal_counts_give_equal_groups() {
        let h = check(&counted((0..64).map(|i| (i, 3))), 4);
        assert_eq!(h.height(), 3);
        assert_eq!(path(&h, "17"), ["17", "[16, 19]", "[16, 31]", "*"]);
    }

    #[test]
    fn a_frequent_value_gets_a_group_of_its_own() {
        let h = check(&counted([("a", 1), ("b", 90), ("c", 1), ("d", 1), ("e", 1)]), 3);
        assert_eq!(path(&h, "b"), ["b", "*"]);
        assert_eq!(path(&h, "c"), ["c", "[c, e]", "*"]);
    }

    #[test]
    fn the_contract_holds_for_any_counts() {
        for n in [1, 2, 3, 5, 17, 100, 1000] {
            for fanout in [2, 3, 4, 7, 2000] {
                check(&counted((0..n).map(|i| (i, i * 7919 % 13))), fanout);
                check(&counted((0..n.min(60)).map(|i| (i, 1 << i))), fanout);
                check(&counted((0..n).map(|i| (format!("w{i}"), u64::MAX))), fanout);
            }
        }
        let h = check(&counted([("", 5), ("x", 1), ("y", 1)]), 2);
        assert_eq!(path(&h, ""), ["", "*"]);
    }

    #[test]
    fn fifty_thousand_values_are_no_trouble() {
        check(&counted((0..50_000).map(|i| (i, 1))), 4);
    }

    #[test]
    fn one_group_per_level_is_refused() {
        assert!(matches!(balanced("x", &counted([("a", 1)]), 1), Err(Error::Job(_))));
    }
}
