//! Tables that are made up: those of the papers, and a census-like one where Adult is not at hand.

use std::fs::File;

use kohort::Result;
use kohort::arrow::csv::Writer;
use kohort::data::Hierarchy;
use kohort::data::recipes::{RangeOf, ranges};
use kohort::generate::find;

use super::{Design, Set, on_disk};

/// A table of `kohort generate` with its trees.
pub(crate) fn made(generator: &str, rows: usize, seed: u64, design: Design<'_>) -> Result<Set> {
    let source = find(generator)?;
    let mut trees = source.hierarchies()?;
    trees.retain(|tree| design.qi.contains(&tree.name()));
    trees.extend(design.trees);
    let set = Set::empty(generator, rows, Design { trees, ..design })?;
    let place = set.table_file();
    let mut writer = Writer::new(File::create(&place).map_err(|e| on_disk(&e, &place))?);
    for batch in source.rows(rows as u64, seed) {
        let failed = |e| kohort::Error::internal(format!("the made-up table cannot be written: {e}"));
        writer.write(&batch?).map_err(failed)?;
    }
    Ok(set)
}

/// A census-like table with age, sex and education, like the three columns of Adult.
pub(crate) fn census(rows: usize, seed: u64) -> Result<Set> {
    made("census", rows, seed, Design { qi: &["age", "sex", "education"], ..Design::default() })
}

/// Ranges of 5, 10, 20 and 40 years, for algorithms that need a tree for everything.
pub(crate) fn years(column: &str) -> Result<Hierarchy> {
    let years: Vec<String> = (0..100).map(|year| year.to_string()).collect();
    ranges(column, &years, &[5.0, 10.0, 20.0, 40.0], 0.0, RangeOf::Whole)
}
