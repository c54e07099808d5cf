//! The Adult table, where it is at hand: `shared/data/adult` beside the workspace, or below `KOHORT_SHARED`.

use std::path::{Path, PathBuf};

use kohort::data::Kind;

use super::draw::{Drawn, Shape, Sheet};
use super::files::read;

/// What most experiments on Adult take for quasi-identifiers.
pub(crate) const QI: [&str; 8] =
    ["age", "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation"];

/// The folder with the table and its trees.
fn place() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("KOHORT_SHARED").map_or_else(beside, PathBuf::from);
    shared.join("data/adult")
}

/// The first rows of the table; none, and a line that says so, where there is no table. Age has no tree.
pub(crate) fn adult(rows: usize, qi: &[&str], sensitive: &[&str]) -> Option<Sheet> {
    let file = place().join("adult.csv");
    if !file.is_file() {
        println!("skipped: there is no {}", file.display());
        return None;
    }
    let people: Vec<_> = read(&file).into_iter().take(rows).collect();
    let texts = |name: &&str| people.iter().map(|row| row[*name].clone()).collect::<Vec<_>>();
    let column = |name: &&str| {
        let shape = if *name == "age" { Shape::Number(Kind::Integer) } else { tree(name) };
        Drawn { name: (*name).to_owned(), shape, texts: texts(name), weight: 1.0, snap: None }
    };
    let qi = qi.iter().map(column).collect();
    Some(Sheet { rows: people.len(), qi, sensitive: sensitive.iter().map(texts).collect() })
}

/// The tree of a column.
pub(crate) fn tree(name: &str) -> Shape {
    let text = std::fs::read_to_string(place().join(format!("hierarchies/{name}.csv"))).unwrap();
    Shape::Tree(text.lines().map(|line| line.split(';').map(str::to_owned).collect()).collect())
}
