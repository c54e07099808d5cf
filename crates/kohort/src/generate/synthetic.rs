//! Dataset_UU, _UN, _NU and _NN of Truta et al. 2008, section 5 (Tables 5 and 6, Figure 2).
//!
//! The paper's sentences on "uniform" give a mean and a deviation; they describe the normal tables (erratum S1-4).
//! Figure 2 is not legible in our copy; its eight values are taken to be halved twice.

use super::random::{Dice, Weights, normal_cdf};
use super::rows::Sampler;
use super::sheet::{Cell, Sheet};
use super::tree::{self, Tree};
use super::{ColumnInfo, Kind};
use crate::data::Hierarchy;
use crate::error::Result;

/// The schema all four tables share.
pub(super) const COLUMNS: &[ColumnInfo] = &[
    ColumnInfo::qi("QI_N", Kind::Integer),
    ColumnInfo::qi("QI_C1", Kind::Category),
    ColumnInfo::qi("QI_C2", Kind::Category),
    ColumnInfo::qi("QI_C3", Kind::Category),
    ColumnInfo::sensitive("S_C1", Kind::Category),
    ColumnInfo::sensitive("S_C2", Kind::Category),
];

static LETTERS: &[Tree] = &[
    Tree::Over("a-d", &[Tree::Of("a-b", &["a", "b"]), Tree::Of("c-d", &["c", "d"])]),
    Tree::Over("e-h", &[Tree::Of("e-f", &["e", "f"]), Tree::Of("g-h", &["g", "h"])]),
];

/// The five category columns share one tree.
pub(super) fn hierarchies() -> Result<Vec<Hierarchy>> {
    COLUMNS[1..].iter().map(|c| tree::hierarchy(c.name, LETTERS)).collect()
}

/// How the values of a column are spread (Table 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// All equally likely.
    Uniform,
    /// A bell over the range, cut at three deviations; what falls outside goes to the ends.
    Normal,
}

impl Shape {
    /// Ages 0..=99: normal with mean 99/2 and deviation 99/6, rounded to the nearest age, clamped.
    fn ages(self) -> Vec<f64> {
        match self {
            Self::Uniform => vec![1.0 / 100.0; 100],
            Self::Normal => clamped_bell(100, 99.0 / 2.0 + 0.5, 99.0 / 6.0),
        }
    }

    /// The letters a..=h: normal with mean 8/2 and deviation 8/6 over the range 0-8, cut by Table 6.
    fn letters(self) -> Vec<f64> {
        match self {
            Self::Uniform => vec![1.0 / 8.0; 8],
            Self::Normal => clamped_bell(8, 8.0 / 2.0, 8.0 / 6.0),
        }
    }
}

/// The probability that `floor` of a normal number is 0, …, n-1, the first and the last taking all beyond them.
fn clamped_bell(n: u32, mean: f64, deviation: f64) -> Vec<f64> {
    let below = |x: u32| match x {
        0 => 0.0,
        x if x == n => 1.0,
        x => normal_cdf((f64::from(x) - mean) / deviation),
    };
    (0..n).map(|x| below(x + 1) - below(x)).collect()
}

/// Draws the six columns independently.
#[derive(Debug)]
pub(super) struct Synthetic {
    letters: Vec<&'static str>,
    age: Weights,
    quasi: Weights,
    sensitive: Weights,
}

impl Synthetic {
    pub(super) fn new(quasi: Shape, sensitive: Shape) -> Self {
        Self {
            letters: tree::leaves(LETTERS),
            age: Weights::new(quasi.ages()),
            quasi: Weights::new(quasi.letters()),
            sensitive: Weights::new(sensitive.letters()),
        }
    }
}

impl Sampler for Synthetic {
    fn row(&self, _: u64, dice: &mut Dice, sheet: &mut Sheet) {
        let age = Cell::count(self.age.pick(dice));
        let mut letter = |weights: &Weights| Cell::Word(self.letters[weights.pick(dice)]);
        let (c1, c2, c3) = (letter(&self.quasi), letter(&self.quasi), letter(&self.quasi));
        sheet.push([age, c1, c2, c3, letter(&self.sensitive), letter(&self.sensitive)]);
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;
    use arrow::datatypes::Int64Type;

    use super::*;

    fn moments(distribution: &[f64]) -> (f64, f64) {
        let mean: f64 = distribution.iter().zip(0..).map(|(p, x)| p * f64::from(x)).sum();
        let square: f64 = distribution.iter().zip(0..).map(|(p, x)| p * (f64::from(x) - mean).powi(2)).sum();
        (mean, square.sqrt())
    }

    #[test]
    fn normal_columns_have_the_papers_mean_and_deviation() {
        let (mean, deviation) = moments(&Shape::Normal.ages());
        assert!(
            (mean - 99.0 / 2.0).abs() < 1e-9 && (deviation - 99.0 / 6.0).abs() < 0.05,
            "{mean} {deviation}"
        );
        let (mean, deviation) = moments(&Shape::Normal.letters());
        // A letter stands for the middle of its unit interval.
        assert!(
            (mean + 0.5 - 4.0).abs() < 1e-9 && (deviation - 8.0 / 6.0).abs() < 0.05,
            "{mean} {deviation}"
        );
    }

    #[test]
    fn the_ends_take_all_beyond_them() {
        let letters = Shape::Normal.letters();
        assert!((letters[0] - normal_cdf(-2.25)).abs() < 1e-12, "a is all below 1: (1 - 4) / (8/6)");
        assert!((letters[7] - (1.0 - normal_cdf(2.25))).abs() < 1e-12, "h is all from 7");
        let ages = Shape::Normal.ages();
        assert!(ages[0] > ages[1] && ages[99] > ages[98], "beyond three deviations both ends pile up");
        assert!((ages.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn figure_2_is_halved_twice() {
        let h = tree::hierarchy("x", LETTERS).unwrap();
        assert_eq!(h.path(h.leaf("f").unwrap()), ["f", "e-f", "e-h", "*"]);
        assert_eq!((h.leaf_count(), h.len(), h.height()), (8, 15, 3));
    }

    #[test]
    fn each_table_has_the_shapes_of_table_5() {
        for (name, quasi, sensitive) in [
            ("uu", Shape::Uniform, Shape::Uniform),
            ("un", Shape::Uniform, Shape::Normal),
            ("nu", Shape::Normal, Shape::Uniform),
            ("nn", Shape::Normal, Shape::Normal),
        ] {
            let batch = super::super::find(name).unwrap().rows(60_000, 1).next().unwrap().unwrap();
            let n = batch.num_rows() as f64;
            let ages = batch.column(0).as_primitive::<Int64Type>();
            let mut counts = vec![0.0; 100];
            ages.values().iter().for_each(|&age| counts[age as usize] += 1.0 / n);
            let ((mean, sd), (m, s)) = (moments(&counts), moments(&quasi.ages()));
            assert!((mean - m).abs() < 0.5 && (sd - s).abs() < 0.3, "{name} {mean} {sd}");
            for (column, shape) in [(1, quasi), (2, quasi), (3, quasi), (4, sensitive), (5, sensitive)] {
                let letters = batch.column(column).as_string::<i32>();
                let share = letters.iter().flatten().filter(|&l| l == "a").count() as f64 / n;
                assert!((share - shape.letters()[0]).abs() < 0.006, "{name} {column} {share}");
            }
        }
    }
}
