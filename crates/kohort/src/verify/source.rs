//! What the texts of a release mean, and whether every cell can be traced to a row of the original.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::classes::{Classes, HIDDEN};
use super::loss::PublishedColumn;
use super::matching::{self, Transport};
use super::{Alignment, Published, Reference, Released, SourceCheck};
use crate::data::{Attribute, Groups, Table};
use crate::error::{Error, Result};
use crate::input::Column;

/// What the texts of one quasi-identifier mean: by text code, or by pair of codes for bounds.
enum Meaning {
    One(Vec<Published>),
    Two(FxHashMap<(u32, u32), Published>),
}

impl Meaning {
    fn new(columns: &[Column], attribute: &Attribute) -> Self {
        match columns {
            [lo, hi] => {
                let mut pairs = FxHashMap::default();
                for pair in lo.codes.iter().zip(hi.codes.iter()) {
                    pairs.entry(pair).or_insert_with(|| {
                        Published::read_bounds(
                            attribute,
                            &lo.texts[pair.0 as usize],
                            &hi.texts[pair.1 as usize],
                        )
                    });
                }
                Self::Two(pairs)
            }
            [one, ..] => Self::One(one.texts.iter().map(|t| Published::read(attribute, t)).collect()),
            [] => Self::One(Vec::new()),
        }
    }

    fn of(&self, key: &[u32]) -> Published {
        match self {
            Self::One(cells) => cells[key[0] as usize],
            Self::Two(pairs) => pairs.get(&(key[0], key[1])).copied().unwrap_or(Published::Unknown),
        }
    }
}

/// What every class publishes, by quasi-identifier.
pub(super) fn read<'a>(
    released: &Released,
    reference: &Reference<'a>,
    classes: &Classes,
) -> Vec<PublishedColumn<'a>> {
    let mut at = 0;
    let column = |(columns, q): (&Vec<Column>, &'a crate::data::QuasiIdentifier)| {
        let (meaning, place) = (Meaning::new(columns, &q.attribute), at..at + columns.len());
        at = place.end;
        let cell = |(key, tally): &(Box<[u32]>, crate::model::Tally)| {
            (meaning.of(&key[place.clone()]), tally.rows())
        };
        PublishedColumn { attribute: &q.attribute, cells: classes.found.iter().map(cell).collect() }
    };
    released.qi.iter().zip(&reference.table.qi).map(column).collect()
}

/// Traces every cell to the original; says how, and how many cells have no source.
pub(super) fn check(
    released: &Released,
    reference: &Reference<'_>,
    classes: &Classes,
    columns: &[PublishedColumn<'_>],
) -> Result<(SourceCheck, u64)> {
    if !reference.readable {
        return Ok((SourceCheck::NotChecked, 0));
    }
    let table = reference.table;
    match reference.alignment {
        Alignment::Known(order) => {
            if order.len() != released.rows {
                return Err(Error::internal(format!(
                    "{} rows written, {} read back",
                    order.len(),
                    released.rows
                )));
            }
            Ok((SourceCheck::RowByRow, misfits(table, classes, columns, order)))
        }
        Alignment::Unknown => {
            if released.rows == table.rows {
                let in_order: Vec<u32> = (0..table.rows as u32).collect();
                if misfits(table, classes, columns, &in_order) == 0 {
                    return Ok((SourceCheck::RowByRow, 0));
                }
            }
            Ok(match_rows(table, classes, columns))
        }
    }
}

/// Cells that do not cover the value of the row they come from.
fn misfits(table: &Table, classes: &Classes, columns: &[PublishedColumn<'_>], order: &[u32]) -> u64 {
    let per_column = |(column, q): (&PublishedColumn<'_>, &crate::data::QuasiIdentifier)| {
        let fits = |(&class, &row): (&u32, &u32)| {
            class == HIDDEN || column.cells[class as usize].0.admits(&q.attribute, q.codes.get(row as usize))
        };
        classes.of_row.iter().zip(order).filter(|&pair| !fits(pair)).count() as u64
    };
    columns.par_iter().zip(&table.qi).map(per_column).sum()
}

/// Shuffled rows: looks for any assignment of original rows to classes.
fn match_rows(table: &Table, classes: &Classes, columns: &[PublishedColumn<'_>]) -> (SourceCheck, u64) {
    let codes: Vec<_> = table.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
    let (kinds, tuples) = (Groups::by(table.rows, &codes), classes.found.len());
    if kinds.len().saturating_mul(tuples) > matching::PAIRS {
        return (SourceCheck::NotChecked, 0);
    }
    let fits = |kind: usize| {
        let row = kinds.rows(kind)[0] as usize;
        let admits = |&class: &u32| {
            let mut pairs = columns.iter().zip(&table.qi);
            pairs.all(|(c, q)| c.cells[class as usize].0.admits(&q.attribute, q.codes.get(row)))
        };
        (0..tuples as u32).filter(admits).collect()
    };
    let transport = Transport {
        supply: (0..kinds.len()).map(|g| kinds.rows(g).len() as u64).collect(),
        demand: classes.found.iter().map(|(_, t)| t.rows()).collect(),
        fits: (0..kinds.len()).into_par_iter().map(fits).collect(),
    };
    (SourceCheck::Matched, transport.unfilled())
}
