//! What a release no longer tells, by every measure of the field.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Published;
use crate::data::{Attribute, Domain};
use crate::measure::{Gauge, Measure};

/// All figures about lost detail. Suppressed cells count as fully lost.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Loss {
    /// Information loss per cell.
    pub il: f64,
    /// Information loss of the whole table.
    pub il_total: f64,
    /// LM measure.
    pub lm: f64,
    /// Entropy measure, bits per cell.
    pub entropy: f64,
    /// Normalized certainty penalty per cell.
    pub ncp: f64,
    /// Weighted hierarchical distance of the whole table.
    pub distortion: f64,
    /// Distortion over that of the fully generalized table.
    pub distortion_ratio: f64,
    /// Share of cells that were generalized or suppressed.
    pub modification_rate: f64,
    /// Discernibility: sum of squared class sizes, all rows for each suppressed row.
    pub dm: u64,
    /// Rows per class over k.
    pub avg: f64,
    /// Information loss per cell, by column.
    pub per_column: BTreeMap<String, f64>,
}

/// One quasi-identifier of a release: what its texts mean and how many rows carry each.
pub(super) struct PublishedColumn<'a> {
    pub(super) attribute: &'a Attribute,
    pub(super) cells: Vec<(Published, u64)>,
}

impl Loss {
    /// Adds up the columns of a release over so many further rows that are suppressed, or published as they are and lose
    /// nothing. `beta` is the weight of the distortion.
    pub(super) fn of(
        columns: &[PublishedColumn<'_>],
        (suppressed, as_they_are): (u64, u64),
        beta: f64,
    ) -> Self {
        let in_classes: u64 = columns.first().map_or(0, |c| c.cells.iter().map(|(_, n)| n).sum());
        let rows = suppressed + as_they_are + in_classes;
        let cells = (rows * columns.len() as u64).max(1) as f64;
        let sum = |measure| columns.iter().map(|c| c.total(measure, suppressed)).sum::<f64>() + 0.0;
        let losing = || columns.iter().filter(|c| c.has_levels());
        // The sum of no floats is -0.
        let distortion = losing().map(|c| c.total(Measure::Whd { beta }, suppressed)).sum::<f64>() + 0.0;
        let worst = rows as f64 * losing().count() as f64;
        let modified: u64 = columns.iter().map(|c| c.modified() + suppressed).sum();
        let il_total = sum(Measure::Il);
        let per_column = |c: &PublishedColumn<'_>| {
            (c.attribute.name.clone(), c.total(Measure::Il, suppressed) / rows.max(1) as f64)
        };
        Self {
            il: il_total / cells,
            il_total,
            lm: sum(Measure::Lm) / cells,
            entropy: sum(Measure::Entropy) / cells,
            ncp: sum(Measure::Ncp) / cells,
            distortion,
            distortion_ratio: if worst > 0.0 { distortion / worst } else { 0.0 },
            modification_rate: modified as f64 / cells,
            per_column: columns.iter().map(per_column).collect(),
            dm: 0,
            avg: 0.0,
        }
    }

    /// The figures that depend on class sizes: DM and, for a demanded k, AVG.
    pub(super) fn with_classes(
        mut self,
        sizes: impl Iterator<Item = u64> + Clone,
        suppressed: u64,
        k: Option<u32>,
    ) -> Self {
        let rows: u64 = sizes.clone().sum();
        let classes = sizes.clone().count().max(1) as f64;
        self.dm = sizes.clone().map(|s| s * s).sum::<u64>() + suppressed * (rows + suppressed);
        let k = k.map_or_else(|| sizes.min().unwrap_or(1), u64::from).max(1);
        self.avg = rows as f64 / (classes * k as f64);
        self
    }
}

impl PublishedColumn<'_> {
    fn total(&self, measure: Measure, suppressed: u64) -> f64 {
        let gauge = Gauge::new(measure, self.attribute);
        let released: f64 = self.cells.iter().map(|(cell, rows)| cell.loss(&gauge) * *rows as f64).sum();
        released + gauge.full() * suppressed as f64
    }

    fn modified(&self) -> u64 {
        self.cells.iter().filter(|(cell, _)| cell.is_generalized(self.attribute)).map(|(_, rows)| rows).sum()
    }

    /// A column that can lose nothing takes no part in the distortion (`algorithms.md` §1).
    fn has_levels(&self) -> bool {
        match &self.attribute.domain {
            Domain::Tree(h) => h.height() > 0,
            Domain::Interval(n) => n.range() > 0.0 || n.has_missing(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Hierarchy, Kind, Numbers};

    fn ages(texts: &[&str], counts: Vec<u32>) -> Attribute {
        let texts: Vec<String> = texts.iter().map(|&t| t.to_owned()).collect();
        let (numbers, _) = Numbers::order(Kind::Integer, &texts, None).unwrap();
        Attribute::new("age", Domain::Interval(numbers), counts)
    }

    fn places(paths: &[&[&str]], counts: Vec<u32>) -> Attribute {
        let tree = Hierarchy::from_paths("place", paths.iter().map(|path| path.iter().copied())).unwrap();
        Attribute::new("place", Domain::Tree(tree), counts)
    }

    fn shown<'a>(attribute: &'a Attribute, cells: &[(&str, u64)]) -> PublishedColumn<'a> {
        let cells = cells.iter().map(|&(text, rows)| (Published::read(attribute, text), rows)).collect();
        PublishedColumn { attribute, cells }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    /// Two rows in each of two classes, one suppressed row and three published as they are: eight rows, sixteen cells.
    #[test]
    fn figures_by_hand() {
        let age = ages(&["20", "30", "40"], vec![2, 3, 3]);
        let place = places(&[&["a", "x", "*"], &["b", "x", "*"], &["c", "y", "*"]], vec![4, 2, 2]);
        let columns = [shown(&age, &[("[20, 30]", 2), ("40", 2)]), shown(&place, &[("x", 2), ("*", 2)])];
        let loss = Loss::of(&columns, (1, 3), 0.0);
        // Ages: two cells of half the range and one that is gone. Places: two of half the height, two roots, one gone.
        near(loss.il_total, (2.0 * 0.5 + 1.0) + (2.0 * 0.5 + 2.0 + 1.0));
        near(loss.il, 6.0 / 16.0);
        near(loss.per_column["age"], 2.0 / 8.0);
        near(loss.per_column["place"], 4.0 / 8.0);
        near(loss.lm, ((2.0 * 0.5 + 1.0) + (2.0 * 0.5 + 2.0 + 1.0)) / 16.0);
        near(loss.ncp, ((2.0 * 0.5 + 1.0) + (2.0 * 2.0 / 3.0 + 2.0 + 1.0)) / 16.0);
        near(loss.modification_rate, (3.0 + 5.0) / 16.0);
        near(loss.distortion, 6.0);
        near(loss.distortion_ratio, 6.0 / 16.0);
    }

    #[test]
    fn what_can_lose_nothing_takes_no_part_in_the_distortion() {
        let (one, some) = (ages(&["20"], vec![2]), ages(&["20", ""], vec![1, 1]));
        let place = places(&[&["a"]], vec![2]);
        let levels = |attribute: &Attribute| shown(attribute, &[]).has_levels();
        assert!(!levels(&one) && levels(&some) && levels(&place));
        assert!(levels(&ages(&["20", "21"], vec![1, 1])));
        assert!(levels(&places(&[&["a", "*"], &["b", "*"]], vec![1, 1])));
        let loss = Loss::of(&[shown(&one, &[("20", 2)])], (1, 0), 0.0);
        near(loss.distortion, 0.0);
        assert!(loss.distortion.is_sign_positive(), "-0.0 in JSON");
        near(loss.distortion_ratio, 0.0);
    }

    #[test]
    fn classes_decide_dm_and_avg() {
        let of = |suppressed, k| Loss::default().with_classes([3u64, 5].into_iter(), suppressed, k);
        assert_eq!(of(0, None).dm, 34);
        // Each suppressed row costs as many as there are rows.
        assert_eq!(of(2, None).dm, 34 + 2 * 10);
        near(of(2, Some(2)).avg, 8.0 / (2.0 * 2.0));
        near(of(0, None).avg, 8.0 / (2.0 * 3.0));
        near(Loss::default().with_classes(std::iter::empty(), 4, None).avg, 0.0);
    }
}
