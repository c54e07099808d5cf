//! The artificial data (ART) of Gionis et al. 2008, section VI: six independent attributes.

use super::random::{Dice, Weights};
use super::rows::Sampler;
use super::sheet::{Cell, Sheet};
use super::{ColumnInfo, Kind};
use crate::data::{Hierarchy, ROOT_LABEL};
use crate::error::Result;

/// Every attribute is a quasi-identifier: the paper has no sensitive ones.
pub(super) const COLUMNS: &[ColumnInfo] = &[
    ColumnInfo::qi("A1", Kind::Category),
    ColumnInfo::qi("A2", Kind::Category),
    ColumnInfo::qi("A3", Kind::Category),
    ColumnInfo::qi("A4", Kind::Category),
    ColumnInfo::qi("A5", Kind::Category),
    ColumnInfo::qi("A6", Kind::Category),
];

/// An attribute as the paper writes it.
#[derive(Debug)]
struct Attribute {
    /// How many values in a row have which probability.
    probabilities: &'static [(usize, f64)],
    /// The non-trivial permissible subsets {a_first, …, a_last}. All are runs of neighbours, and any two are nested
    /// or disjoint, so that they form a tree (erratum S0-10).
    subsets: &'static [(usize, usize)],
}

static ATTRIBUTES: [Attribute; 6] = [
    Attribute { probabilities: &[(1, 0.7), (1, 0.3)], subsets: &[] },
    Attribute { probabilities: &[(2, 0.3), (2, 0.2)], subsets: &[(1, 2), (3, 4)] },
    Attribute { probabilities: &[(2, 0.25), (1, 0.4), (1, 0.1)], subsets: &[(1, 2), (3, 4)] },
    Attribute {
        probabilities: &[(6, 0.07), (10, 0.04), (9, 0.02)],
        subsets: &[(1, 6), (7, 12), (13, 18), (19, 25), (1, 12), (13, 25)],
    },
    Attribute { probabilities: &[(10, 0.1)], subsets: &[(1, 2), (3, 4), (6, 7), (8, 9), (1, 5), (6, 10)] },
    Attribute {
        probabilities: &[(2, 0.05), (1, 0.5), (1, 0.3), (1, 0.1)],
        subsets: &[(1, 2), (4, 5), (3, 5)],
    },
];

impl Attribute {
    /// One probability per value.
    fn distribution(&self) -> Vec<f64> {
        self.probabilities.iter().flat_map(|&(times, p)| std::iter::repeat_n(p, times)).collect()
    }

    /// The value `a_i`, then the subsets that contain it from narrow to wide.
    fn path(&self, i: usize) -> Vec<String> {
        let mut above: Vec<_> =
            self.subsets.iter().filter(|(first, last)| (*first..=*last).contains(&i)).collect();
        above.sort_by_key(|(first, last)| last - first);
        let groups = above.into_iter().map(|(first, last)| format!("a{first}-a{last}"));
        std::iter::once(format!("a{i}")).chain(groups).chain([ROOT_LABEL.to_owned()]).collect()
    }
}

/// The permissible subsets of each attribute as a tree.
pub(super) fn hierarchies() -> Result<Vec<Hierarchy>> {
    let tree = |(column, attribute): (&ColumnInfo, &Attribute)| {
        Hierarchy::from_paths(column.name, (1..=attribute.distribution().len()).map(|i| attribute.path(i)))
    };
    COLUMNS.iter().zip(&ATTRIBUTES).map(tree).collect()
}

/// Draws the six attributes independently.
#[derive(Debug)]
pub(super) struct Art {
    labels: Vec<String>,
    weights: [Weights; 6],
}

impl Art {
    pub(super) fn new() -> Self {
        Self {
            labels: (1..=25).map(|i| format!("a{i}")).collect(),
            weights: ATTRIBUTES.each_ref().map(|a| Weights::new(a.distribution())),
        }
    }
}

impl Sampler for Art {
    fn row(&self, _: u64, dice: &mut Dice, sheet: &mut Sheet) {
        sheet.push(self.weights.each_ref().map(|w| Cell::Word(&self.labels[w.pick(dice)])));
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;
    use rustc_hash::FxHashMap;

    use super::*;

    /// Worked example 18. The fifth is log2 10, as it must be for ten equal values.
    #[allow(clippy::approx_constant)]
    const ENTROPIES: [f64; 6] = [0.8813, 1.9710, 1.8610, 4.4848, 3.3219, 1.7855];

    fn entropy(distribution: &[f64]) -> f64 {
        -distribution.iter().map(|p| p * p.log2()).sum::<f64>()
    }

    #[test]
    fn declared_probabilities_have_the_entropies_of_the_worked_example() {
        let entropies = ATTRIBUTES.each_ref().map(|a| entropy(&a.distribution()));
        for (found, expected) in entropies.iter().zip(ENTROPIES) {
            assert!((found - expected).abs() < 0.000_05, "{found} {expected}");
        }
        assert!((entropies.iter().sum::<f64>() / 6.0 - 2.3842).abs() < 0.000_05);
        for a in &ATTRIBUTES {
            assert!((a.distribution().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_hundred_thousand_rows_come_close() {
        let mut counts = vec![FxHashMap::<String, f64>::default(); 6];
        for batch in super::super::find("art").unwrap().rows(100_000, 1) {
            for (count, column) in counts.iter_mut().zip(batch.unwrap().columns()) {
                for value in column.as_string::<i32>().iter().flatten() {
                    *count.entry(value.to_owned()).or_default() += 1.0;
                }
            }
        }
        for (count, expected) in counts.iter().zip(ENTROPIES) {
            let found = entropy(&count.values().map(|c| c / 100_000.0).collect::<Vec<_>>());
            assert!((found - expected).abs() < 0.02, "{found} {expected}");
        }
    }

    #[test]
    fn subsets_are_laminar() {
        for a in &ATTRIBUTES {
            for &(f, l) in a.subsets {
                for &(g, m) in a.subsets {
                    let (disjoint, inside, outside) = (l < g || m < f, g <= f && l <= m, f <= g && m <= l);
                    assert!(disjoint || inside || outside, "{f}-{l} and {g}-{m}");
                }
            }
        }
    }

    #[test]
    fn trees_hold_exactly_the_papers_subsets() {
        let expected: [&[&[u32]]; 6] = [
            &[],
            &[&[1, 2], &[3, 4]],
            &[&[1, 2], &[3, 4]],
            &[
                &[1, 2, 3, 4, 5, 6],
                &[7, 8, 9, 10, 11, 12],
                &[13, 14, 15, 16, 17, 18],
                &[19, 20, 21, 22, 23, 24, 25],
                &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
                &[13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
            ],
            &[&[1, 2], &[3, 4], &[6, 7], &[8, 9], &[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]],
            &[&[1, 2], &[4, 5], &[3, 4, 5]],
        ];
        for (h, expected) in hierarchies().unwrap().iter().zip(expected) {
            let value = |leaf: u32| h.label(leaf)[1..].parse::<u32>().unwrap();
            let mut found: Vec<Vec<u32>> =
                (h.leaf_count()..h.root()).map(|group| h.leaves(group).map(value).collect()).collect();
            for set in &mut found {
                set.sort_unstable();
            }
            found.sort();
            let mut expected: Vec<Vec<u32>> = expected.iter().map(|set| set.to_vec()).collect();
            expected.sort();
            assert_eq!(found, expected, "{}", h.name());
        }
    }
}
