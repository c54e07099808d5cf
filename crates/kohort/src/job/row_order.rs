//! The order in which `auto` sees rows: by what they hold, so that the same rows in another order give the same release.
//!
//! Rows that no search can tell apart may still differ in what is released, and be in different classes. Dealt in the order of the
//! file, that order would get into the release; dealt in the order of their values, classes would be needlessly uniform. So they are
//! put in an order that depends on their values alone, and shuffled from there. The shuffle is keyed with the whole table and the seed:
//! whoever can guess both can make the release again and compare, as the certificate says. Columns that are neither quasi-identifiers nor sensitive are not in memory: among rows
//! that are equal in all others, the shuffle alone decides.

use std::hash::Hasher;

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use rustc_hash::FxHasher;

use crate::data::{Codes, Table};
use crate::demand::Demands;

/// The columns of a table in the order in which rows are sorted by them.
struct Columns<'a> {
    /// Those that a search looks at.
    searched: Vec<&'a Codes>,
    others: Vec<&'a Codes>,
}

impl<'a> Columns<'a> {
    fn of(table: &'a Table, demands: &Demands) -> Self {
        let (asked, others): (Vec<_>, Vec<_>) =
            table.sensitive.iter().partition(|column| demands.of(&column.name).next().is_some());
        Self {
            searched: table.qi.iter().map(|q| &q.codes).chain(asked.iter().map(|s| &s.codes)).collect(),
            others: others.iter().map(|s| &s.codes).collect(),
        }
    }
}

fn values<'a>(columns: &'a [&Codes], row: u32) -> impl Iterator<Item = u32> + 'a {
    columns.iter().map(move |codes| codes.get(row as usize))
}

/// Some rows of a table by the codes of the columns that a search looks at; those that are equal in them, in an order that is drawn
/// from the values of the table.
pub(super) fn by_content(table: &Table, demands: &Demands, rows: &[u32], seed: u64) -> Vec<u32> {
    let Columns { searched, others } = &Columns::of(table, demands);
    let mut rows = rows.to_vec();
    rows.par_sort_by(|&a, &b| {
        let by = |columns| values(columns, a).cmp(values(columns, b));
        by(searched).then_with(|| by(others))
    });
    let mut hasher = FxHasher::default();
    hasher.write_u64(seed);
    for &row in &rows {
        values(searched, row).chain(values(others, row)).for_each(|code| hasher.write_u32(code));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(hasher.finish());
    for alike in rows.chunk_by_mut(|&a, &b| values(searched, a).eq(values(searched, b))) {
        alike.shuffle(&mut rng);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sensitive;

    /// A table of twelve rows that are alike in all that is searched.
    fn table(secrets: &[u32]) -> Table {
        let column =
            Sensitive { codes: secrets.iter().copied().collect(), distinct: 4, ..Sensitive::default() };
        Table { rows: secrets.len(), sensitive: vec![column], ..Table::default() }
    }

    fn dealt(secrets: &[u32], seed: u64) -> Vec<u32> {
        let table = table(secrets);
        let rows: Vec<u32> = (0..secrets.len() as u32).collect();
        let order = by_content(&table, &Demands::new(2, None).unwrap(), &rows, seed);
        order.iter().map(|&row| secrets[row as usize]).collect()
    }

    #[test]
    fn values_alone_decide_and_are_not_sorted() {
        let forwards = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3];
        let mut backwards = forwards;
        backwards.reverse();
        let once = dealt(&forwards, 1);
        assert_eq!(once, dealt(&backwards, 1));
        assert_ne!(once, forwards);
        assert_ne!(once, dealt(&forwards, 2));
    }
}
