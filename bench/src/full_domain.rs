//! The best full-domain generalization without suppression, by looking at the whole lattice of levels.
//!
//! Leaving an attribute out is the same as lifting it to its root, so one lattice over all attributes answers for every
//! prefix of them too. k-anonymity is monotone: what fails anywhere above fails here, so a vector of levels is counted only
//! when every step up from it was found k-anonymous.

use std::iter::zip;

use kohort::data::{Codes, Groups, Hierarchy, Node};
use rustc_hash::FxHashMap;

/// Distortion is counted in shares of a whole attribute, and no tree here has a height that does not divide this.
const WHOLE: u32 = 12;

/// All vectors of levels over a table, and what each makes of its distinct rows.
pub(crate) struct Lattice {
    heights: Vec<u32>,
    /// By attribute and level, the share of every distinct row's key. Keys are sums of such shares.
    shares: Vec<Vec<Vec<u64>>>,
    multiplicity: Vec<u32>,
}

/// A vector of levels.
pub(crate) struct Best {
    /// One level per attribute, 0 for the values themselves.
    pub(crate) levels: Vec<u32>,
    /// Distortion over that of the table with every attribute at its root.
    pub(crate) ratio: f64,
}

impl Lattice {
    /// The trees must be balanced, with heights that divide 12.
    pub(crate) fn new(rows: usize, attributes: &[(Hierarchy, Codes)]) -> Self {
        let columns: Vec<_> = attributes.iter().map(|(tree, codes)| (codes, tree.leaf_count())).collect();
        let groups = Groups::by(rows, &columns);
        let first = |group: usize| groups.rows(group)[0] as usize;
        let mut stride = 1u64;
        let mut shares = Vec::new();
        for (tree, codes) in attributes {
            let leaf: Vec<Node> = (0..groups.len()).map(|g| codes.get(first(g))).collect();
            let at = |level| leaf.iter().map(|&l| u64::from(lifted(tree, l, level)) * stride).collect();
            shares.push((0..=tree.height()).map(at).collect());
            stride *= tree.len() as u64;
        }
        Self {
            heights: attributes.iter().map(|(tree, _)| tree.height()).collect(),
            shares,
            multiplicity: (0..groups.len()).map(|g| groups.rows(g).len() as u32).collect(),
        }
    }

    /// For every vector of levels, whether it is k-anonymous.
    pub(crate) fn anonymous(&self, k: u32) -> Vec<bool> {
        let mut holds = vec![false; self.len()];
        // Steps up have higher numbers, so they are known first.
        for index in (0..self.len()).rev() {
            let levels = self.levels(index);
            holds[index] = self.steps_up(index, &levels).all(|up| holds[up]) && self.smallest(&levels) >= k;
        }
        holds
    }

    /// The least distorting of the k-anonymous vectors, on the first `attributes` alone.
    pub(crate) fn best(&self, anonymous: &[bool], attributes: usize) -> Option<Best> {
        let candidates = (0..self.len()).filter(|&i| anonymous[i]).map(|i| self.levels(i));
        let on_prefix = candidates.filter(|levels| levels[attributes..] == self.heights[attributes..]);
        let mut levels =
            on_prefix.min_by_key(|levels| (self.distortion(&levels[..attributes]), levels.clone()))?;
        levels.truncate(attributes);
        let ratio = f64::from(self.distortion(&levels)) / f64::from(WHOLE) / attributes as f64;
        Some(Best { levels, ratio })
    }

    fn len(&self) -> usize {
        self.heights.iter().map(|&h| h as usize + 1).product()
    }

    fn levels(&self, mut index: usize) -> Vec<u32> {
        let digit = |&height: &u32| {
            let radix = height as usize + 1;
            let level = index % radix;
            index /= radix;
            level as u32
        };
        self.heights.iter().map(digit).collect()
    }

    fn steps_up(&self, index: usize, levels: &[u32]) -> impl Iterator<Item = usize> {
        let mut weight = 1;
        zip(levels, &self.heights).filter_map(move |(&level, &height)| {
            let up = (level < height).then_some(index + weight);
            weight *= height as usize + 1;
            up
        })
    }

    fn distortion(&self, levels: &[u32]) -> u32 {
        zip(levels, &self.heights).map(|(level, height)| level * WHOLE / height).sum()
    }

    /// The size of the smallest class.
    fn smallest(&self, levels: &[u32]) -> u32 {
        let mut keys = vec![0u64; self.multiplicity.len()];
        for (shares, &level) in zip(&self.shares, levels) {
            zip(&mut keys, &shares[level as usize]).for_each(|(key, share)| *key += share);
        }
        let mut sizes: FxHashMap<u64, u32> = FxHashMap::default();
        for (key, rows) in zip(keys, &self.multiplicity) {
            *sizes.entry(key).or_default() += rows;
        }
        sizes.into_values().min().unwrap_or(0)
    }
}

fn lifted(tree: &Hierarchy, leaf: Node, steps: u32) -> Node {
    (0..steps).fold(leaf, |node, _| tree.parent(node).unwrap_or(node))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 1a of Li et al. 2006.
    fn lattice() -> Lattice {
        let postcode = |p: &str| ["", "*", "**", "***"].map(|m| format!("{}{m}", &p[..4 - m.len()]));
        let postcodes = ["4350", "4351", "4352", "4353"].map(|p| [&postcode(p)[..], &["*".into()]].concat());
        let columns = [
            (
                Hierarchy::flat("gender", ["male", "female"]).unwrap(),
                ["male", "male", "male", "female", "female", "female"],
            ),
            (
                Hierarchy::flat("age", ["young", "middle", "old"]).unwrap(),
                ["middle", "middle", "young", "young", "old", "old"],
            ),
            (
                Hierarchy::from_paths("postcode", postcodes).unwrap(),
                ["4350", "4350", "4351", "4352", "4353", "4353"],
            ),
        ];
        let coded = columns.map(|(tree, texts)| {
            let codes = texts.iter().map(|text| tree.leaf(text).unwrap()).collect();
            (tree, codes)
        });
        Lattice::new(6, &coded)
    }

    #[test]
    fn nothing_beats_table_1c_of_li_2006() {
        let lattice = lattice();
        let anonymous = lattice.anonymous(2);
        let table_1c = (0..lattice.len()).find(|&i| lattice.levels(i) == [1, 0, 1]).unwrap();
        assert!(anonymous[table_1c]);
        // Giving up age instead of gender costs the same; the smaller vector is named.
        let best = lattice.best(&anonymous, 3).unwrap();
        assert_eq!(best.levels, [0, 1, 1]);
        assert!((best.ratio - 7.5 / 18.0).abs() < 1e-12);
        assert!(lattice.best(&lattice.anonymous(7), 3).is_none());
    }

    #[test]
    fn a_prefix_is_a_table_of_its_own() {
        let lattice = lattice();
        let best = lattice.best(&lattice.anonymous(3), 1).unwrap();
        assert_eq!((best.levels, best.ratio), (vec![0], 0.0));
        assert_eq!(lattice.best(&lattice.anonymous(4), 1).unwrap().levels, [1]);
    }

    #[test]
    fn leaving_vectors_uncounted_changes_nothing() {
        let lattice = lattice();
        for k in 1..=7 {
            let counted: Vec<_> =
                (0..lattice.len()).map(|i| lattice.smallest(&lattice.levels(i)) >= k).collect();
            assert_eq!(lattice.anonymous(k), counted);
        }
    }
}
