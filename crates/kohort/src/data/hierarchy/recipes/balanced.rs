//! A tree for values without meaning to us: sorted, and cut so that siblings hold about equally many rows.
//!
//! Where it is cut depends on all people of the table, on those who are suppressed later, too, and the labels are published.
//! So a label must not show what is on a record. Three rules see to it:
//! - The outermost groups are open (`<20`, `>=65`): the smallest and the largest value are nowhere in the tree.
//! - A cut is the roundest number, day or shortest word within a window of rows around the place where it would divide
//!   the group best; single values decide nothing. A group that has too few rows for such windows is not cut.
//! - Where that is somebody's value and another value has half of the window, the frequent one is the cut (`[40, 50[`,
//!   `]40, 50[`).
//!
//! What remains is that a cut tells roughly where so many people are on either side of it.

use crate::data::{Hierarchy, ROOT_LABEL};
use crate::error::{Error, Result};

use super::below_root;
use super::round::{Line, Place};

/// A window reaches at least so many rows to either side of where a cut would be best.
const WINDOW: u128 = 3;

/// Windows take a half of all rows: a group gets at least half its share of rows, where no value is very frequent.
const SHARE: u128 = 4;

/// Cuts the sorted values into up to `fanout` neighbouring groups of about equal row counts, and those again, as long as
/// a group has 24 rows.
///
/// Numbers sort as numbers and dates as dates where all values are; everything else sorts by its letters. Groups are
/// labelled `[20, 40[`, `<20`, `>=65`; a group of one value is the value itself.
///
/// ```
/// use kohort::data::recipes::balanced;
/// let values: Vec<(String, u64)> = (1..=99).map(|v| (v.to_string(), 1)).collect();
/// let h = balanced("age", &values, 2)?;
/// assert_eq!(h.path(h.leaf("99").unwrap()), ["99", ">=80", ">=50", "*"]);
/// # Ok::<(), kohort::Error>(())
/// ```
pub fn balanced(name: &str, counts: &[(String, u64)], fanout: u32) -> Result<Hierarchy> {
    if fanout < 2 {
        return Err(Error::job(format!("a balanced tree needs at least 2 groups per level, {fanout} given"))
            .in_hierarchy_of(name)
            .help("4 is a good start"));
    }
    let sorted = sorted(counts);
    let mut prefix = vec![0u128];
    prefix.extend(sorted.iter().scan(0, |sum, value| {
        // A value that was counted zero times still takes a place.
        *sum += u128::from(value.rows.max(1));
        Some(*sum)
    }));
    let mut tree = Tree { sorted: &sorted, prefix: &prefix, fanout: fanout.into(), paths: Vec::new() };
    tree.grow(0, sorted.len(), (None, None), &mut vec![ROOT_LABEL.to_owned()]);
    let missing = counts.iter().filter(|(v, _)| v.is_empty()).map(|(v, _)| below_root(v));
    let paths: Vec<_> = tree.paths.into_iter().chain(missing).collect();
    Hierarchy::from_paths(name, paths)
}

/// Whether most groups of a tree are ranges of words, as a balanced tree of names has them: `[c, k[`. Whoever is in one has nothing
/// in common with the others but the alphabet.
///
/// ```
/// use kohort::data::recipes::{balanced, groups_of_words};
/// let names: Vec<_> = ('a'..='z').map(|c| (c.to_string(), 9)).collect();
/// let ages: Vec<_> = (20..60).map(|age| (age.to_string(), 9)).collect();
/// assert!(groups_of_words(&balanced("town", &names, 2)?) && !groups_of_words(&balanced("age", &ages, 2)?));
/// # Ok::<(), kohort::Error>(())
/// ```
pub fn groups_of_words(tree: &Hierarchy) -> bool {
    let groups = || (tree.leaf_count()..tree.root()).map(|node| tree.label(node));
    let of_words = groups().filter(|label| is_range_of_words(label)).count();
    of_words > 0 && 2 * of_words >= groups().count()
}

/// The spellings of [`label`], with words for ends.
fn is_range_of_words(label: &str) -> bool {
    let inside = label.strip_prefix(['[', ']']).and_then(|rest| rest.strip_suffix(['[', ']']));
    let open = [">=", "<=", "<", ">"].iter().find_map(|sign| label.strip_prefix(sign));
    let is_word = |text: &str| !text.is_empty() && Line::of(&std::iter::once(text)) == Line::Words;
    match (inside, open) {
        (Some(inside), _) => inside.split_once(", ").is_some_and(|(low, high)| is_word(low) && is_word(high)),
        (None, Some(end)) => is_word(end),
        (None, None) => false,
    }
}

/// A value, where it lies and how many rows have it.
struct Value<'a> {
    text: &'a str,
    place: Place,
    rows: u64,
}

fn sorted(counts: &[(String, u64)]) -> Vec<Value<'_>> {
    let present = counts.iter().filter(|(v, _)| !v.is_empty());
    let line = Line::of(&present.clone().map(|(v, _)| v.as_str()));
    let value = |(text, rows): &'_ (String, u64)| line.read(text).map(|place| (place, *rows));
    let mut values: Vec<Value<'_>> = present
        .filter_map(|pair| value(pair).map(|(place, rows)| Value { text: &pair.0, place, rows }))
        .collect();
    values.sort_by(|a, b| a.place.order(&b.place).then_with(|| a.text.cmp(b.text)));
    values.dedup_by_key(|v| v.text);
    values
}

/// Regions the values below a place from those above it.
#[derive(Debug, Clone)]
struct Cut {
    place: Place,
    /// Whether the place itself belongs to what lies above.
    before: bool,
}

/// What lies between two cuts, for readers: the spellings of [`crate::data::RangeLabel`].
fn label(lower: Option<&Cut>, upper: Option<&Cut>) -> String {
    match (lower, upper) {
        (None, None) => ROOT_LABEL.to_owned(),
        (None, Some(high)) => format!("{}{}", if high.before { "<" } else { "<=" }, high.place),
        (Some(low), None) => format!("{}{}", if low.before { ">=" } else { ">" }, low.place),
        (Some(low), Some(high)) => {
            let (open, close) = (if low.before { '[' } else { ']' }, if high.before { '[' } else { ']' });
            format!("{open}{}, {}{close}", low.place, high.place)
        }
    }
}

struct Tree<'a> {
    sorted: &'a [Value<'a>],
    /// Rows before each value, and all rows.
    prefix: &'a [u128],
    fanout: u128,
    paths: Vec<Vec<String>>,
}

impl Tree<'_> {
    /// Adds the values `start..end`, which lie between two cuts, below the groups in `above` (root first).
    fn grow(
        &mut self,
        start: usize,
        end: usize,
        within: (Option<&Cut>, Option<&Cut>),
        above: &mut Vec<String>,
    ) {
        let cuts = self.cuts(start, end);
        if cuts.is_empty() {
            (start..end).for_each(|at| self.leaf(at, above));
            return;
        }
        let firsts = std::iter::once((start, within.0)).chain(cuts.iter().map(|(at, cut)| (*at, Some(cut))));
        let ends = cuts.iter().map(|(at, cut)| (*at, Some(cut))).chain([(end, within.1)]);
        for ((first, lower), (last, upper)) in firsts.zip(ends) {
            if last - first == 1 {
                self.leaf(first, above);
            } else {
                above.push(label(lower, upper));
                self.grow(first, last, (lower, upper), above);
                above.pop();
            }
        }
    }

    fn leaf(&mut self, at: usize, above: &[String]) {
        let value = self.sorted[at].text.to_owned();
        self.paths.push(std::iter::once(value).chain(above.iter().rev().cloned()).collect());
    }

    /// The cuts of `start..end`, each with the first value above it. None where too few rows are left.
    fn cuts(&self, start: usize, end: usize) -> Vec<(usize, Cut)> {
        let (low, total) = (self.prefix[start], self.prefix[end] - self.prefix[start]);
        let parts = self.fanout.min(total / (SHARE * WINDOW));
        let mut cuts: Vec<(usize, Cut)> = Vec::new();
        for part in 1..parts {
            let reach = total / (SHARE * parts);
            let found = self.cut(start, end, low + total * part / parts, reach);
            cuts.extend(found.filter(|(at, _)| cuts.last().is_none_or(|(before, _)| before < at)));
        }
        cuts
    }

    /// A cut near a row. The rows that decide reach equally far to both sides.
    fn cut(&self, start: usize, end: usize, goal: u128, reach: u128) -> Option<(usize, Cut)> {
        let of_row = |row: u128| self.prefix.partition_point(|&rows| rows <= row) - 1;
        let (first, last) = (of_row(goal - reach), of_row(goal + reach - 1));
        let place = |at: usize| &self.sorted[at].place;
        let round = Place::roundest(place(first), place(of_row(goal)), place(last));
        let at = self.sorted.partition_point(|v| v.place.order(&round).is_lt());
        let is_value = at < self.sorted.len() && place(at).order(&round).is_eq();
        if place(first).order(place(last)).is_eq() || is_value {
            // A value that has half of the rows of the window lies across its middle, or next to it.
            let alike = [of_row(goal), of_row(goal - 1)].map(|at| self.alike(at));
            let rows = |(from, to): &(usize, usize)| {
                self.prefix[*to].min(goal + reach) - self.prefix[*from].max(goal - reach)
            };
            if let Some(frequent) = alike.into_iter().find(|alike| rows(alike) >= reach) {
                return self.around(start, end, goal, frequent);
            }
        }
        (start < at && at < end).then_some((at, Cut { place: round, before: true }))
    }

    /// Before or after a frequent value, whichever is nearer to the row.
    fn around(
        &self,
        start: usize,
        end: usize,
        goal: u128,
        (from, to): (usize, usize),
    ) -> Option<(usize, Cut)> {
        let sides = [(from, true), (to, false)].into_iter().filter(|(at, _)| start < *at && *at < end);
        let (at, before) = sides.min_by_key(|(at, _)| self.prefix[*at].abs_diff(goal))?;
        Some((at, Cut { place: self.sorted[from].place.clone(), before }))
    }

    /// The values that lie where this one lies: `7` and `07`.
    fn alike(&self, at: usize) -> (usize, usize) {
        let place = &self.sorted[at].place;
        let from = self.sorted.partition_point(|v| v.place.order(place).is_lt());
        (from, self.sorted.partition_point(|v| v.place.order(place).is_le()))
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
        assert_eq!(path(&h, "17"), ["17", "[15, 20[", "[15, 30[", "*"]);
        assert_eq!(path(&h, "63").last_chunk::<2>().unwrap(), &strings([">=50", "*"])[..]);
    }

    #[test]
    fn a_frequent_value_gets_a_group_of_its_own() {
        let h = check(&counted([("a", 1), ("b", 90), ("c", 1), ("d", 1), ("e", 1)]), 3);
        assert_eq!(path(&h, "b"), ["b", "*"]);
        assert_eq!(path(&h, "c"), ["c", ">b", "*"]);
        let ages = (20..80).map(|age| (age, if age == 40 { 100 } else { 1 }));
        let h = check(&counted(ages), 3);
        assert_eq!((path(&h, "40"), path(&h, "20")), (strings(["40", "*"]), strings(["20", "<40", "*"])));
        assert_eq!(path(&h, "79").last_chunk::<2>().unwrap(), &strings([">40", "*"])[..]);
    }

    /// Numbers of five digits, few of them round.
    fn incomes() -> Vec<(String, u64)> {
        counted((0..200u64).map(|i| (20_001 + i * i * 3 + i * 7, 1 + i % 2)))
    }

    fn groups(h: &Hierarchy) -> Vec<String> {
        strings((h.leaf_count()..h.root()).map(|n| h.label(n)))
    }

    #[test]
    fn the_extremes_are_in_no_label_and_decide_none() {
        let (mut counts, plain) = (incomes(), balanced("x", &incomes(), 2).unwrap());
        let last = counts.len() - 1;
        for value in ["9999999999", "7e12"] {
            counts[last].0 = value.into();
            assert_eq!(groups(&balanced("x", &counts, 2).unwrap()), groups(&plain));
        }
        counts[0].0 = "-8000000".into();
        assert_eq!(groups(&balanced("x", &counts, 2).unwrap()), groups(&plain));
        assert!(groups(&plain).len() > 10);
    }

    #[test]
    fn labels_show_round_numbers_and_hold_their_values() {
        for fanout in [2, 3, 5] {
            let h = check(&incomes(), fanout);
            for leaf in 0..h.leaf_count() {
                let x: f64 = h.label(leaf).parse().unwrap();
                let path = h.path(leaf);
                for group in &path[1..path.len() - 1] {
                    assert!(
                        crate::data::RangeLabel::parse(group).is_some_and(|r| r.contains(x)),
                        "{x} {group}"
                    );
                }
            }
            for number in groups(&h).iter().flat_map(|g| g.split(|c: char| !c.is_ascii_digit())) {
                assert!(number.is_empty() || number.ends_with('0'), "{number}");
            }
        }
    }

    #[test]
    fn dates_are_cut_at_round_days_and_words_at_short_ones() {
        let days = (0..400).filter_map(|i| chrono::NaiveDate::from_num_days_from_ce_opt(700_000 + i * 61));
        let h = check(&counted(days.map(|d| (d, 1))), 2);
        assert_eq!(
            h.path(h.leaf_count() - 1).last_chunk::<3>().unwrap(),
            &[">=1970-01-01", ">=1950-01-01", "*"]
        );
        let words =
            ["Berlin", "Bonn", "Dresden", "Essen", "Hamburg", "Kiel", "Köln", "Mainz", "Ulm", "Zittau"];
        let h = check(&counted(words.map(|w| (w, 5))), 2);
        assert!(
            groups(&h).iter().all(|g| g.chars().filter(|c| c.is_alphabetic()).count() <= 4),
            "{:?}",
            groups(&h)
        );
    }

    #[test]
    fn few_rows_are_not_cut() {
        let h = check(&counted((0..23).map(|i| (i, 1))), 2);
        assert_eq!((h.height(), groups(&h)), (1, vec![]));
        assert_eq!(check(&counted((0..24).map(|i| (i, 1))), 2).height(), 2);
    }

    #[test]
    fn numbers_that_are_one_number_stay_together() {
        let ids = (0..100u64).map(|i| (123_456_789_012_345_600 + i, 1));
        check(&counted(ids), 3);
        check(&counted((0..50).flat_map(|i| [(format!("{i}"), 1), (format!("0{i}"), 2)])), 4);
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
