//! What the texts of a release mean, and whether every cell can be traced to a row of the original.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::classes::{Classes, HIDDEN};
use super::loss::PublishedColumn;
use super::matching::{self, Transport};
use super::{Alignment, Published, Reference, Released, SourceCheck, values};
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
                let same = |(o, c)| values::foreign(o, c, &classes.of_row, Some(&in_order)).unwrap_or(0) == 0;
                if table.sensitive.iter().zip(&released.sensitive).all(same)
                    && misfits(table, classes, columns, &in_order) == 0
                {
                    return Ok((SourceCheck::RowByRow, 0));
                }
            }
            Ok(match_rows(released, table, classes, columns))
        }
    }
}

/// Columns with texts that are no generalization of anything: name, cells, and one of the texts.
pub(super) fn unreadable(
    released: &Released,
    classes: &Classes,
    columns: &[PublishedColumn<'_>],
) -> Vec<(String, u64, String)> {
    let mut at = 0;
    let column = |(column, published): (&PublishedColumn<'_>, &Vec<Column>)| {
        let place = at;
        at += published.len();
        let unknown = |(cell, _): &&(Published, u64)| *cell == Published::Unknown;
        let cells = column.cells.iter().filter(unknown).map(|(_, rows)| rows).sum();
        let first = column.cells.iter().position(|(cell, _)| *cell == Published::Unknown)?;
        let text = published[0].texts[classes.found[first].0[place] as usize].clone();
        Some((column.attribute.name.clone(), cells, text))
    };
    columns.iter().zip(&released.qi).filter_map(column).collect()
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

/// Rows that no assignment can tell apart: one class, one set of sensitive values.
struct Slots {
    class: Vec<u32>,
    demand: Vec<u64>,
    /// Slots by sensitive values, as codes of the original; none for a value it does not have.
    by_values: FxHashMap<Vec<Option<u32>>, Vec<u32>>,
}

impl Slots {
    /// Looks at the sensitive columns whose values can be compared; `meanings` translates them.
    fn new(released: &Released, classes: &Classes, meanings: &[Option<Vec<Option<u32>>>]) -> Self {
        let mut number: FxHashMap<(u32, Vec<Option<u32>>), u32> = FxHashMap::default();
        let mut slots = Self { class: Vec::new(), demand: Vec::new(), by_values: FxHashMap::default() };
        for (row, &class) in classes.of_row.iter().enumerate().filter(|(_, c)| **c != HIDDEN) {
            let value = |(column, m): (&Column, &Option<Vec<Option<u32>>>)| {
                m.as_ref().map(|m| m[column.codes.get(row) as usize])
            };
            let values: Vec<_> = released.sensitive.iter().zip(meanings).filter_map(value).collect();
            let slot = *number.entry((class, values.clone())).or_insert_with(|| {
                slots.class.push(class);
                slots.demand.push(0);
                slots.by_values.entry(values).or_default().push(slots.class.len() as u32 - 1);
                slots.class.len() as u32 - 1
            });
            slots.demand[slot as usize] += 1;
        }
        slots
    }
}

/// Shuffled rows: looks for any assignment of original rows to released ones that fits every cell and sensitive value.
fn match_rows(
    released: &Released,
    table: &Table,
    classes: &Classes,
    columns: &[PublishedColumn<'_>],
) -> (SourceCheck, u64) {
    let pairs = table.sensitive.iter().zip(&released.sensitive);
    let meanings: Vec<_> = pairs.map(|(o, c)| values::meaning(o, c)).collect();
    let slots = Slots::new(released, classes, &meanings);
    let compared: Vec<_> =
        table.sensitive.iter().zip(&meanings).filter(|(_, m)| m.is_some()).map(|(s, _)| s).collect();
    let mut codes: Vec<_> = table.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
    codes.extend(compared.iter().map(|s| (&s.codes, s.distinct)));
    let kinds = Groups::by(table.rows, &codes);
    if kinds.len().saturating_mul(classes.found.len()) > matching::PAIRS {
        return (SourceCheck::NotChecked, 0);
    }
    let fits = |kind: usize| {
        let row = kinds.rows(kind)[0] as usize;
        let values: Vec<_> = compared.iter().map(|s| Some(s.codes.get(row))).collect();
        let admits = |&slot: &u32| {
            let class = slots.class[slot as usize] as usize;
            let mut pairs = columns.iter().zip(&table.qi);
            pairs.all(|(c, q)| c.cells[class].0.admits(&q.attribute, q.codes.get(row)))
        };
        slots.by_values.get(&values).into_iter().flatten().copied().filter(admits).collect()
    };
    let transport = Transport {
        supply: (0..kinds.len()).map(|g| kinds.rows(g).len() as u64).collect(),
        fits: (0..kinds.len()).into_par_iter().map(fits).collect(),
        demand: slots.demand,
    };
    (SourceCheck::Matched, transport.unfilled())
}
