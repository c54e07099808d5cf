//! How coarse a release is by itself: what anybody can work out who has the release and nothing else.
//!
//! Loss against the original would tell about the original: how wide a column was before its outliers were left out. So
//! cells are compared with what is published: an interval, or a label that is a range of numbers, with all that the column
//! spans, any other label with the number of finest labels it covers.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Released;
use crate::data::{Kind, Point, ROOT_LABEL, RangeLabel};
use crate::input::Column;

/// The mean over cells of rows in classes, 0 for the finest that is published and 1 for `*`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReleasedLoss {
    /// Over all quasi-identifiers.
    pub mean: f64,
    /// By quasi-identifier.
    pub per_column: BTreeMap<String, f64>,
}

/// Published labels of a column with a hierarchy.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PublishedLabels {
    /// How many labels have no published label below them.
    pub finest: u64,
    /// Labels that cover others, each with how many of the finest it covers.
    pub covers: BTreeMap<String, u64>,
    /// Whether the hierarchy is one of numbers and ranges of them: then widths are compared, as those of intervals.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ranges: bool,
}

/// The loss of a release, given the names of its quasi-identifiers and the labels of those that have a hierarchy.
pub fn released_loss(
    released: &Released,
    names: &[String],
    labels: &BTreeMap<String, PublishedLabels>,
) -> ReleasedLoss {
    let aside = |row: usize| [&released.hidden, &released.verbatim].iter().any(|f| f.get(row) == Some(&true));
    let rows = || (0..released.rows).filter(|&row| !aside(row));
    let in_classes = rows().count().max(1) as f64;
    let per_column = |(columns, name): (&Vec<Column>, &String)| {
        let costs = match (columns.as_slice(), labels.get(name)) {
            ([one], Some(labels)) if labels.ranges => by_text(rows(), one, range),
            ([one], Some(labels)) => by_label(one, labels),
            ([one], None) => by_text(rows(), one, ends),
            ([lo, hi], _) => {
                let (from, to) = (places(lo), places(hi));
                by_width(rows(), move |row| {
                    between(from[lo.codes.get(row) as usize], to[hi.codes.get(row) as usize], Said::Nothing)
                })
            }
            _ => Box::new(|_: usize| 0.0),
        };
        // Row by row: the last digits of a sum depend on the order, and readers have no other than that of the rows.
        let sum: f64 = rows().map(costs).sum();
        (name.clone(), sum / in_classes)
    };
    let per_column: BTreeMap<String, f64> = released.qi.par_iter().zip(names).map(per_column).collect();
    let mean = per_column.values().sum::<f64>() / per_column.len().max(1) as f64;
    ReleasedLoss { mean, per_column }
}

fn by_label<'a>(column: &'a Column, labels: &PublishedLabels) -> Box<dyn Fn(usize) -> f64 + 'a> {
    let most = labels.finest.saturating_sub(1).max(1) as f64;
    let cost = |text: &String| match labels.covers.get(text) {
        _ if text == ROOT_LABEL => 1.0,
        Some(n) => n.saturating_sub(1) as f64 / most,
        None => 0.0,
    };
    let costs: Vec<f64> = column.texts.iter().map(cost).collect();
    Box::new(move |row| costs[column.codes.get(row) as usize])
}

/// What a cell of a column without hierarchy says.
#[derive(Clone, Copy)]
enum Said {
    Nothing,
    Between(f64, f64),
    Word,
}

fn by_text<'a>(
    rows: impl Iterator<Item = usize>,
    column: &'a Column,
    read: fn(&str) -> Said,
) -> Box<dyn Fn(usize) -> f64 + 'a> {
    let said: Vec<Said> = column.texts.iter().map(|text| read(text)).collect();
    by_width(rows, move |row| said[column.codes.get(row) as usize])
}

fn by_width<'a>(
    rows: impl Iterator<Item = usize>,
    said: impl Fn(usize) -> Said + 'a,
) -> Box<dyn Fn(usize) -> f64 + 'a> {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for row in rows {
        if let Said::Between(lo, hi) = said(row) {
            let ends = [lo, hi].into_iter().filter(|end| end.is_finite());
            (least, most) = ends.fold((least, most), |(least, most), end| (least.min(end), most.max(end)));
        }
    }
    Box::new(move |row| match said(row) {
        Said::Nothing => 1.0,
        // Where a label has no bound it reaches as far as the column does.
        Said::Between(lo, hi) if most > least => (hi.min(most) - lo.max(least)) / (most - least),
        Said::Between(..) | Said::Word => 0.0,
    })
}

/// A value, or an interval in brackets.
fn ends(text: &str) -> Said {
    if text == ROOT_LABEL {
        return Said::Nothing;
    }
    let (lo, hi) = inside(text).unwrap_or((text, text));
    between(place(lo), place(hi), Said::Word)
}

/// A number, or a label that is a range of them.
fn range(text: &str) -> Said {
    match RangeLabel::parse(text) {
        Some(label) => Said::Between(label.low, label.high),
        None => ends(text),
    }
}

fn inside(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.strip_suffix(']')?.split_once(", ")
}

/// Whether a text is an interval of numbers or dates.
pub fn is_interval(text: &str) -> bool {
    inside(text).is_some_and(|(lo, hi)| is_place(lo) && is_place(hi))
}

/// Whether a text is a number or a date.
pub fn is_place(text: &str) -> bool {
    place(text).is_some()
}

fn between(lo: Option<f64>, hi: Option<f64>, otherwise: Said) -> Said {
    match (lo, hi) {
        (Some(lo), Some(hi)) => Said::Between(lo, hi),
        _ => otherwise,
    }
}

/// Where the values of a column of bounds lie; such columns are empty where nothing is known.
fn places(column: &Column) -> Vec<Option<f64>> {
    column.texts.iter().map(|text| place(text)).collect()
}

fn place(text: &str) -> Option<f64> {
    Kind::LINES.into_iter().find_map(|kind| Point::parse(kind, text)).map(Point::position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str]) -> Column {
        let codes = (0..texts.len() as u32).collect();
        Column { texts: texts.iter().map(|&t| t.to_owned()).collect(), codes, ..Column::default() }
    }

    fn loss(columns: Vec<Vec<Column>>, labels: &BTreeMap<String, PublishedLabels>) -> f64 {
        let rows = columns[0][0].codes.len();
        let names: Vec<String> = (0..columns.len()).map(|i| format!("c{i}")).collect();
        let released = Released {
            rows,
            qi: columns,
            sensitive: Vec::new(),
            hidden: Vec::new(),
            verbatim: Vec::new(),
            people: None,
        };
        released_loss(&released, &names, labels).mean
    }

    #[test]
    fn widths_are_shares_of_what_is_published() {
        let none = BTreeMap::new();
        let found = loss(vec![vec![column(&["[10, 20]", "30", "*", "x"])]], &none);
        assert!((found - (0.5 + 0.0 + 1.0 + 0.0) / 4.0).abs() < 1e-12, "{found}");
        let found = loss(vec![vec![column(&["2001-01-01", ""]), column(&["2001-01-11", ""])]], &none);
        assert!((found - 1.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn labels_count_what_they_cover() {
        let covers = BTreeMap::from([("Europe".to_owned(), 2)]);
        let labels =
            BTreeMap::from([("c0".to_owned(), PublishedLabels { finest: 3, covers, ranges: false })]);
        let found = loss(vec![vec![column(&["Spain", "Europe", "*", "Peru"])]], &labels);
        assert!((found - (0.5 + 1.0) / 4.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn ranges_are_wide() {
        let labels = PublishedLabels { finest: 3, ranges: true, ..PublishedLabels::default() };
        let labels = BTreeMap::from([("c0".to_owned(), labels)]);
        let found = loss(vec![vec![column(&["20-29", "[20, 40[", "37", "35+", "", "*"])]], &labels);
        assert!((found - (9.0 + 20.0 + 0.0 + 5.0 + 0.0 + 20.0) / 20.0 / 6.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn rows_outside_classes_do_not_count() {
        let qi = vec![vec![column(&["[10, 20]", "30", "*", "90"])]];
        let (hidden, verbatim) = (vec![false, false, true, false], vec![false, false, false, true]);
        let released = Released { rows: 4, qi, sensitive: Vec::new(), hidden, verbatim, people: None };
        let found = released_loss(&released, &["age".to_owned()], &BTreeMap::new());
        // Half of 10 to 30, and nothing.
        assert!((found.mean - 0.25).abs() < 1e-12 && (found.per_column["age"] - 0.25).abs() < 1e-12);
    }

    #[test]
    fn a_column_of_one_value_loses_nothing() {
        assert!(loss(vec![vec![column(&["7"])], vec![column(&["[3, 3]"])]], &BTreeMap::new()).abs() < 1e-12);
    }

    #[test]
    fn intervals_and_places_are_told_from_words() {
        assert!(is_interval("[1, 2]") && is_interval("[2001-01-01, 2001-02-01]") && is_interval("[0.5, 1]"));
        assert!(!is_interval("[1, x]") && !is_interval("[x, 1]") && !is_interval("1") && !is_interval("x"));
        assert!(
            is_place("1") && is_place("-0.5") && is_place("2001-01-01") && !is_place("x") && !is_place("*")
        );
    }

    #[test]
    fn the_mean_is_over_columns() {
        let found = loss(vec![vec![column(&["[0, 10]", "*"])], vec![column(&["1", "3"])]], &BTreeMap::new());
        assert!((found - 0.5).abs() < 1e-12, "{found}");
    }
}
