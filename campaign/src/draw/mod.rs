//! Random jobs: mostly tiny tables with all that makes tables difficult.

mod columns;
mod demands;
mod values;

use crate::case::{Case, Column, Format, Notion, Role};
use crate::random::Random;

/// The job of a seed.
pub fn draw(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let random = &mut random;
    let k = match random.below(8) {
        0 => random.from(5, 12),
        1..=2 => random.from(3, 5),
        _ => random.from(2, 3),
    };
    let rows = match random.below(24) {
        0 => random.from(41, 250),
        1..=2 => k,
        3..=4 => random.from(1, 4),
        5..=13 => random.from(2, 12),
        _ => random.from(5, 40),
    };
    let columns = columns::columns(random, rows);
    let mut case =
        Case { columns, asked: demands::plain(k as u32), input: format(random), output: format(random) };
    demands::fill(random, &mut case);
    if case.asked.notion == Notion::K && case.asked.opt_out.is_none() && random.one_in(4) {
        let at = random.below(case.columns.len() + 1);
        case.columns.insert(at, columns::person(random, rows));
    }
    // One column has no separator to be told by.
    let dropped = |c: &&Column| matches!(c.role, Role::Identifier | Role::Person);
    let shown = case.columns.iter().filter(|c| !dropped(c)).count();
    if case.input == Format::Semicolons && shown < 2 {
        case.input = Format::Csv;
    }
    case
}

fn format(random: &mut Random) -> Format {
    match random.below(10) {
        0 => Format::Semicolons,
        1 => Format::Tsv,
        2 => Format::Parquet,
        3 => Format::Arrow,
        _ => Format::Csv,
    }
}
