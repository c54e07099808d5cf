//! Tables and clusters written down by hand.

use kohort::data::{Kind, Table};

use super::draw::{Drawn, Shape, Sheet};
use super::plain::numbered;

/// A column of weight 1.
pub(crate) fn drawn<'a>(shape: Shape, texts: impl IntoIterator<Item = &'a str>) -> Drawn {
    let texts = texts.into_iter().map(str::to_owned).collect();
    Drawn { name: String::new(), shape, texts, weight: 1.0 }
}

/// A table of these columns; every letter of `secrets` is the sensitive value of one row. Where there are several
/// sensitive columns, a space is between them.
pub(crate) fn sheet(columns: Vec<Drawn>, secrets: &str) -> Sheet {
    let named = |(i, c)| Drawn { name: format!("q{i}"), ..c };
    let qi: Vec<Drawn> = columns.into_iter().enumerate().map(named).collect();
    let letters = |column: &str| column.chars().map(String::from).collect();
    Sheet { rows: qi[0].texts.len(), qi, sensitive: secrets.split_whitespace().map(letters).collect() }
}

pub(crate) fn whole_numbers(texts: &[&str], secrets: &str) -> Table {
    sheet(vec![drawn(Shape::Number(Kind::Integer), texts.iter().copied())], secrets).table()
}

/// Leaf-to-root paths, one per line.
pub(crate) fn paths(lines: &[&str]) -> Shape {
    Shape::Tree(lines.iter().map(|line| line.split(';').map(str::to_owned).collect()).collect())
}

/// Which rows are together, and under which number.
#[track_caller]
pub(crate) fn same(table: &Table, found: &[Vec<u32>], expected: &[&[u32]]) {
    let expected: Vec<Vec<u32>> = expected.iter().map(|rows| rows.to_vec()).collect();
    assert_eq!(numbered(table.rows, found), numbered(table.rows, &expected));
}

pub(crate) fn each_row_once(table: &Table, clusters: &[Vec<u32>]) {
    let mut rows = clusters.concat();
    rows.sort_unstable();
    assert!(rows.into_iter().eq(0..table.rows as u32), "{clusters:?}");
}
