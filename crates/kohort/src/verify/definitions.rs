//! What the models ask of a class, as their authors define it: the verifier's own reading, written for the eye and not for
//! the inner loop. The search has another one ([`crate::model`]); the two share no code, and the tests compare them.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::counts::Counts;
use crate::data::{Ground, Hierarchy, Sensitive, Table};
use crate::error::{Error, Result};

/// What an entropy that was computed may lack of the one that was asked: rounding, and no more.
const ROUNDING: f64 = 2e-9;

/// Entropy l-diversity (Machanavajjhala et al. 2006): the l whose logarithm is the entropy of the values, that is, how many
/// equally frequent values would be as uncertain.
pub(super) fn entropy_l(class: &Counts) -> f64 {
    let rows = class.rows() as f64;
    // Always added up in the same order, so that the order of the values does not show in the last digit.
    let shares = class.falling().into_iter().map(|times| f64::from(times) / rows);
    let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
    // Three equally frequent values are 3, not 2.9999999999999996.
    (entropy.exp() * 1e9).round() / 1e9
}

/// Whether an l found by the verifier is the one that was asked, or more.
pub fn entropy_reaches(found: f64, asked: f64) -> bool {
    found.ln() >= asked.ln() - ROUNDING
}

/// Recursive (c,l)-diversity: how often the most frequent value occurs, over how often all from the l-th most frequent on
/// do. c must exceed it. Infinite where there are fewer than l values.
pub(super) fn recursive_ratio(class: &Counts, l: u32) -> f64 {
    let falling = class.falling();
    let rare: u64 = falling.iter().skip(l.max(1) as usize - 1).map(|&times| u64::from(times)).sum();
    if rare == 0 { f64::INFINITY } else { f64::from(falling[0]) / rare as f64 }
}

/// (α,k)-anonymity (Wong et al. 2006): the share of the most frequent value.
pub(super) fn largest_share(class: &Counts) -> f64 {
    class.falling().first().map_or(0.0, |&most| f64::from(most) / class.rows() as f64)
}

/// The values of a sensitive column in the table that classes are compared with.
pub(super) struct Whole<'a> {
    column: &'a Sensitive,
    /// How often each code occurs.
    times: Vec<u64>,
    rows: u64,
    ground: Ground,
}

impl<'a> Whole<'a> {
    /// Counts the rows that are not published as they are. `asked` is how far values are apart, unless the column says
    /// otherwise; none where nobody asks.
    pub(super) fn new(table: &Table, column: &'a Sensitive, asked: Option<Ground>) -> Result<Self> {
        let mut times = vec![0; column.distinct as usize];
        let counted = column.codes.iter().enumerate().filter(|(row, _)| !table.is_verbatim(*row));
        if !column.frozen.is_empty() {
            times.clone_from(&column.frozen);
        } else if let Some(people) = &table.people {
            // What somebody has in several rows counts once.
            let mut pairs: Vec<(u32, u32)> =
                counted.map(|(row, code)| (people.codes.get(row), code)).collect();
            pairs.par_sort_unstable();
            pairs.dedup();
            for (_, code) in pairs {
                times[code as usize] += 1;
            }
        } else {
            counted.for_each(|(_, code)| times[code as usize] += 1);
        }
        let ground = asked.map_or(Ground::Equal, |asked| column.ground.unwrap_or(asked));
        let wrong = |what: String, help: &str| Err(Error::job(what).option("t-closeness").help(help));
        match ground {
            Ground::Ordered if column.ranks.is_empty() => wrong(
                format!("the values of '{}' have no order", column.name),
                "ordered distances need numbers, dates, or a hierarchy whose leaves stand in order; use equal or hierarchical",
            ),
            Ground::Hierarchical if column.tree.is_none() => wrong(
                format!("'{}' has no hierarchy", column.name),
                "hierarchical distances need one: give it in the job file or the folder of ‹hierarchies›, or use equal",
            ),
            _ => Ok(Self { rows: times.iter().sum(), column, times, ground }),
        }
    }

    /// Whether some values count as one for p.
    pub(super) fn protects(&self) -> bool {
        !self.column.kinds.is_empty()
    }

    /// p-sensitivity (Truta and Vinay 2006; Campan and Truta 2006): how many values a class has, those that are protected
    /// together counted as one. A value that nobody knows counts as itself.
    pub(super) fn kinds(&self, class: &Counts) -> usize {
        if !self.protects() {
            return class.distinct();
        }
        class.iter().map(|(code, _)| self.kind(code)).collect::<BTreeSet<_>>().len()
    }

    /// What a value counts as for p.
    pub(super) fn kind(&self, code: u32) -> std::result::Result<u32, u32> {
        let protected = self.column.kinds.get(code as usize).filter(|_| self.protects());
        protected.map_or(Err(code), |kind| Ok(*kind))
    }

    /// t-closeness (Li, Li and Venkatasubramanian 2007): the earth mover's distance between class and table, from 0 to 1.
    ///
    /// Everything is counted in whole numbers: a class of n rows has `times · N - of_table · n` too much of a value, over
    /// n · N, so a class that meets t exactly does meet it.
    pub(super) fn distance(&self, class: &Counts) -> f64 {
        let (n, all) = (i128::from(class.rows()), i128::from(self.rows));
        if n == 0 || all == 0 {
            return 0.0;
        }
        let of_table = |code: u32| i128::from(self.times.get(code as usize).copied().unwrap_or(0));
        let surplus: BTreeMap<u32, i128> =
            class.iter().map(|(code, times)| (code, i128::from(times) * all - of_table(code) * n)).collect();
        let (moved, scale) = match (self.ground, &self.column.tree) {
            (Ground::Ordered, _) => self.along_ranks(surplus, n),
            (Ground::Hierarchical, Some(tree)) => self.up_the_tree(tree, surplus, n),
            // Every surplus goes to some other value, and all of them are equally far.
            _ => (surplus.into_values().filter(|x| *x > 0).sum(), 1),
        };
        (moved as f64 / (scale * n * all) as f64).min(1.0)
    }

    /// Basic β-likeness (Cao and Karras 2012): by how much the most favoured value is more frequent in the class than in the
    /// table, relative to its frequency in the table. Infinite for a value that the table does not have.
    pub(super) fn largest_gain(&self, class: &Counts) -> f64 {
        let mut largest: f64 = 0.0;
        for (code, times) in class.iter() {
            let (in_class, expected) = self.against(class, code, times);
            let gain =
                if expected == 0 { f64::INFINITY } else { (in_class - expected) as f64 / expected as f64 };
            largest = largest.max(gain);
        }
        largest
    }

    /// δ-disclosure privacy (Brickell and Shmatikov 2008), strict: the logarithm of the frequency in the class over that in
    /// the table which is farthest from 0, over all values of the table. Infinite where the class lacks one.
    pub(super) fn farthest_logarithm(&self, class: &Counts) -> f64 {
        let present: BTreeSet<u32> = class.iter().map(|(code, _)| code).collect();
        let lacks = |(code, &times): (u32, &u64)| times > 0 && !present.contains(&code);
        if (0..).zip(&self.times).any(lacks) {
            return f64::INFINITY;
        }
        let mut farthest: f64 = 0.0;
        for (code, times) in class.iter() {
            let (in_class, expected) = self.against(class, code, times);
            let ratio = if expected == 0 { f64::INFINITY } else { in_class as f64 / expected as f64 };
            farthest = farthest.max(ratio.ln().abs());
        }
        farthest
    }

    /// How often a value occurs in a class and how often it would at its frequency in the table, both times the table's rows.
    fn against(&self, class: &Counts, code: u32, times: u32) -> (i128, i128) {
        let of_table = self.times.get(code as usize).copied().unwrap_or(0);
        (i128::from(times) * i128::from(self.rows), i128::from(of_table) * i128::from(class.rows()))
    }

    /// What each value has too much or too little of, the table's included; and what is of no value of the table.
    fn everywhere(&self, mut surplus: BTreeMap<u32, i128>, n: i128) -> (BTreeMap<u32, i128>, i128) {
        for (code, &times) in (0..).zip(&self.times).filter(|(_, times)| **times > 0) {
            surplus.entry(code).or_insert(-i128::from(times) * n);
        }
        let known = |code: u32| self.times.get(code as usize).is_some_and(|&times| times > 0);
        let stray = surplus.iter().filter(|(code, _)| !known(**code)).map(|(_, x)| x).sum();
        surplus.retain(|&code, _| known(code));
        (surplus, stray)
    }

    /// Values side by side by rank: what is too much on the left of a gap crosses it. Strangers come from the far end.
    fn along_ranks(&self, surplus: BTreeMap<u32, i128>, n: i128) -> (i128, i128) {
        let (surplus, stray) = self.everywhere(surplus, n);
        let mut by_rank: BTreeMap<u32, i128> = BTreeMap::new();
        for (code, x) in surplus {
            *by_rank.entry(self.column.ranks[code as usize]).or_default() += x;
        }
        let gaps = (by_rank.len() as i128 - 1).max(1);
        let mut crossing = 0;
        let mut moved = stray * gaps;
        for x in by_rank.into_values() {
            crossing += x;
            moved += i128::abs(crossing);
        }
        (moved, gaps)
    }

    /// What is too much below a node goes to where it is too little, as high up as it must.
    fn up_the_tree(&self, tree: &Hierarchy, surplus: BTreeMap<u32, i128>, n: i128) -> (i128, i128) {
        let height = i128::from(tree.height().max(1));
        let (surplus, stray) = self.everywhere(surplus, n);
        // Lowest nodes first: what is below a node has been settled when its turn comes.
        let mut open: BTreeMap<(u32, u32), (i128, i128)> = BTreeMap::new();
        let add = |open: &mut BTreeMap<(u32, u32), (i128, i128)>, node: u32, x: i128| {
            let at = open.entry((tree.height_of(node), node)).or_default();
            if x > 0 { at.0 += x } else { at.1 -= x }
        };
        for (code, x) in surplus {
            add(&mut open, self.column.leaf_of[code as usize], x);
        }
        let mut moved = stray * height;
        while let Some(((level, node), (much, little))) = open.pop_first() {
            moved += i128::from(level) * much.min(little);
            if let Some(parent) = tree.parent(node) {
                add(&mut open, parent, much - little);
            }
        }
        (moved, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Codes;

    fn class(times: &[u32]) -> Counts {
        (0..).zip(times).flat_map(|(code, &n)| std::iter::repeat_n(code, n as usize)).collect()
    }

    #[test]
    fn classes_of_the_papers() {
        assert!((entropy_l(&class(&[2, 2, 2])) - 3.0).abs() < 1e-12);
        assert!((recursive_ratio(&class(&[4, 2, 1, 1]), 2) - 1.0).abs() < 1e-12);
        assert!(recursive_ratio(&class(&[4, 2]), 3).is_infinite());
        assert!((largest_share(&class(&[1, 3])) - 0.75).abs() < 1e-12);
        assert!(entropy_reaches(entropy_l(&class(&[5, 5])), 2.0) && !entropy_reaches(1.99, 2.0));
    }

    /// Salaries 3k to 11k, nine people; Li et al. 2007 give 0.375 for {3k, 4k, 5k} and 0.167 for {6k, 8k, 11k}.
    #[test]
    fn salaries_of_li_et_al() {
        let codes: Codes = (0..9).collect();
        let column = Sensitive { distinct: 9, ranks: (0..9).collect(), codes, ..Sensitive::default() };
        let table = Table { rows: 9, ..Table::default() };
        let whole = Whole::new(&table, &column, Some(Ground::Ordered)).unwrap();
        let of = |codes: [u32; 3]| whole.distance(&codes.into_iter().collect());
        assert!((of([0, 1, 2]) - 0.375).abs() < 1e-12);
        assert!((of([3, 5, 8]) - 1.0 / 6.0).abs() < 1e-12);
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    /// Four illnesses of two organs, once, once, once and five times in the table.
    fn organs() -> Sensitive {
        let paths = [
            ["flu", "lung", "*"],
            ["cold", "lung", "*"],
            ["ulcer", "stomach", "*"],
            ["reflux", "stomach", "*"],
        ];
        let tree = Hierarchy::from_paths("illness", paths).unwrap();
        let leaf_of = paths.map(|path| tree.leaf(path[0]).unwrap()).to_vec();
        let codes: Codes = [0, 1, 2, 3, 3, 3, 3, 3].into_iter().collect();
        Sensitive { distinct: 4, codes, leaf_of, tree: Some(tree), ..Sensitive::default() }
    }

    #[test]
    fn what_is_too_much_moves_up_the_tree_as_high_as_it_must() {
        let (column, table) = (organs(), Table { rows: 8, ..Table::default() });
        let whole = Whole::new(&table, &column, Some(Ground::Hierarchical)).unwrap();
        near(whole.distance(&class(&[1, 1, 1, 5])), 0.0);
        // One of eight, half of the way up: from cold to flu; and all the way: from stomach to lung.
        near(whole.distance(&class(&[2, 0, 1, 5])), 0.5 / 8.0);
        near(whole.distance(&class(&[2, 1, 1, 4])), 1.0 / 8.0);
        near(whole.distance(&class(&[0, 0, 4, 4])), (1.0 * 0.5 + 2.0) / 8.0);
        // What the table does not have comes from the far end.
        near(whole.distance(&class(&[1, 1, 1, 4, 1])), 1.0 / 8.0);
        near(whole.distance(&class(&[0, 0, 0, 0, 1])), 1.0);
    }

    #[test]
    fn values_that_nobody_of_the_table_has_come_from_the_far_end() {
        // Code 1 is the value of somebody whose row is published as it is.
        let codes: Codes = [0, 1, 2, 3].into_iter().collect();
        let column = Sensitive { distinct: 4, ranks: vec![0, 1, 2, 3], codes, ..Sensitive::default() };
        let table = Table { rows: 4, verbatim: vec![false, true, false, false], ..Table::default() };
        let whole = |ground| Whole::new(&table, &column, Some(ground)).unwrap();
        let ordered = whole(Ground::Ordered);
        near(ordered.distance(&class(&[1, 0, 1, 1])), 0.0);
        // A third of the class goes to each: one gap of two, both gaps.
        near(ordered.distance(&class(&[3, 0, 0, 0])), (0.5 + 1.0) / 3.0);
        // Strangers travel all the way, and what the table has instead counts as well: never less than it is.
        near(ordered.distance(&class(&[1, 1, 1, 0])), 1.0 / 3.0 + 0.5 / 3.0);
        near(ordered.distance(&class(&[0, 3, 0, 0])), 1.0);
        near(whole(Ground::Equal).distance(&class(&[0, 3])), 1.0);
        near(whole(Ground::Equal).distance(&class(&[3])), 2.0 / 3.0);
        assert!(whole(Ground::Equal).farthest_logarithm(&class(&[1, 0, 1, 1])).abs() < 1e-12);
        assert!(whole(Ground::Equal).farthest_logarithm(&class(&[1, 0, 1])).is_infinite());
        assert!(whole(Ground::Equal).largest_gain(&class(&[0, 1])).is_infinite());
    }

    #[test]
    fn nothing_is_as_far_as_nothing() {
        let column = Sensitive { distinct: 1, codes: [0].into_iter().collect(), ..Sensitive::default() };
        let table = |verbatim| Table { rows: 1, verbatim, ..Table::default() };
        let (full, empty) = (table(vec![]), table(vec![true]));
        near(Whole::new(&full, &column, None).unwrap().distance(&class(&[])), 0.0);
        near(Whole::new(&empty, &column, None).unwrap().distance(&class(&[1])), 0.0);
    }
}
