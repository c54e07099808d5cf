//! Tables and clusters written down by hand.

use kohort::data::{Kind, Table};

use super::draw::{Drawn, Shape, Sheet};
use super::plain::numbered;

/// A column of weight 1.
pub(crate) fn drawn<'a>(shape: Shape, texts: impl IntoIterator<Item = &'a str>) -> Drawn {
    let texts = texts.into_iter().map(str::to_owned).collect();
    Drawn { name: String::new(), shape, texts, weight: 1.0, snap: None }
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

/// People who are more or less alike: three kinds of lives, and ages that go with them.
pub(crate) fn people(rows: u32) -> Sheet {
    let mut state = 3_u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 10) % below
    };
    let lives: Vec<u32> = (0..rows).map(|_| next(3)).collect();
    let mut column = |name: &str, shape, of: &dyn Fn(u32, u32) -> String| Drawn {
        name: name.to_owned(),
        shape,
        texts: lives.iter().map(|&life| of(life, next(1000))).collect(),
        weight: 1.0,
        snap: None,
    };
    let jobs =
        (0..60).map(|v| vec![format!("j{v}"), format!("f{}", v / 5), format!("s{}", v / 20), "*".into()]);
    let places = (0..40).map(|v| vec![format!("p{v}"), format!("c{}", v / 8), "*".into()]);
    let qi = vec![
        column("age", Shape::Number(Kind::Integer), &|life, x| (15 + 22 * life + x % 30).to_string()),
        column("job", Shape::Tree(jobs.collect()), &|life, x| format!("j{}", (20 * life + x % 26) % 60)),
        column("place", Shape::Tree(places.collect()), &|_, x| format!("p{}", x * x / 25_000)),
        column("sex", Shape::Flat, &|_, x| format!("s{}", x % 2)),
    ];
    Sheet { rows: rows as usize, qi, sensitive: Vec::new() }
}
