//! What the texts of a release mean, and whether every cell can be traced to a row of the original.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::classes::Classes;
use super::counts::Class;
use super::grouping::AS_IT_IS;
use super::loss::PublishedColumn;
use super::notions::Owners;
use super::shuffled::Pairing;
use super::values::Compared;
use super::{Alignment, Published, Reference, Released, SourceCheck, boundaries};
use crate::data::{Attribute, Table};
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
    classes: &Classes<'_>,
) -> Vec<PublishedColumn<'a>> {
    let mut at = 0;
    let column = |(columns, q): (&Vec<Column>, &'a crate::data::QuasiIdentifier)| {
        let (meaning, place) = (Meaning::new(columns, &q.attribute), at..at + columns.len());
        at = place.end;
        let cell = |class: &Class| (meaning.of(&class.texts[place.clone()]), class.rows);
        PublishedColumn { attribute: &q.attribute, cells: classes.found.iter().map(cell).collect() }
    };
    released.qi.iter().zip(&reference.table.qi).map(column).collect()
}

/// What tracing released rows to the original found.
pub(super) struct Traced {
    /// How it was done.
    pub(super) check: SourceCheck,
    /// Cells or rows without a source.
    pub(super) illegal: u64,
    /// Cells beyond their boundary; `None` where that cannot be told.
    pub(super) violations: Option<u64>,
    /// Who owns what: an assignment that fits; `None` where none was found, or nobody wants to know.
    pub(super) owners: Option<Owners>,
}

impl Traced {
    /// Nothing was found out.
    fn nothing() -> Self {
        Self { check: SourceCheck::NotChecked, illegal: 0, violations: None, owners: None }
    }
}

/// Traces every cell of a class to the original, and says who owns what where that is wanted.
pub(super) fn check(
    released: &Released,
    reference: &Reference<'_>,
    classes: &Classes<'_>,
    columns: &[PublishedColumn<'_>],
    wants_owners: bool,
) -> Result<Traced> {
    let table = reference.table;
    if !reference.readable {
        let owners = wants_owners.then(|| in_place(released, reference, classes)).flatten();
        return Ok(Traced { owners, ..Traced::nothing() });
    }
    let in_line = |order: &[u32]| Traced {
        check: SourceCheck::RowByRow,
        illegal: misfits(table, classes, columns, order),
        violations: Some(boundaries::by_row(table, classes, columns, order)),
        owners: wants_owners.then(|| owners(classes, order)),
    };
    let Alignment::Known(order) = reference.alignment else {
        return Ok(found_out(released, reference, classes, columns, in_line));
    };
    if order.len() != released.rows {
        return Err(Error::internal(format!("{} rows written, {} read back", order.len(), released.rows)));
    }
    Ok(in_line(order))
}

/// The same where nobody says which row comes from where.
fn found_out(
    released: &Released,
    reference: &Reference<'_>,
    classes: &Classes<'_>,
    columns: &[PublishedColumn<'_>],
    in_line: impl Fn(&[u32]) -> Traced,
) -> Traced {
    let table = reference.table;
    let mut compared = Compared::sensitive(released, reference);
    let untouched = reference.untouched.map(Compared::prints);
    // Where columns that should be untouched are not the original's, that is said by itself, and says nothing of the cells.
    compared.extend(untouched.filter(|c| c.foreign(classes.of_row, None) == 0));
    let pairing = || Pairing::new(reference, classes, columns, &compared);
    let in_order: Vec<u32> = (0..table.rows as u32).collect();
    let in_order = (released.rows == table.rows
        && compared.iter().all(|c| c.foreign(classes.of_row, Some(&in_order)) == 0)
        && same_standing(released, reference)
        && misfits(table, classes, columns, &in_order) == 0)
        .then(|| in_line(&in_order));
    match in_order {
        None => pairing().map_or_else(Traced::nothing, |p| p.solve()),
        Some(mut traced) if traced.violations == Some(0) => {
            if let Some(owners) = &mut traced.owners {
                // The rows may fit where they stand by accident, or because somebody saw to it.
                let all_shown = !released.hidden.contains(&true);
                owners.settled = all_shown || pairing().is_some_and(|p| p.settles_in_order());
            }
            traced
        }
        Some(traced) => {
            // The same; then others may fit without a violation.
            let matched = pairing().map_or_else(Traced::nothing, |p| p.solve());
            let better = matched.violations == Some(0) && matched.illegal == 0;
            if better { matched } else { traced }
        }
    }
}

/// Who owns what where cells tell nothing, if rows seem to stand where they stood: there are as many, with the same values.
fn in_place(released: &Released, reference: &Reference<'_>, classes: &Classes<'_>) -> Option<Owners> {
    let order: Vec<u32> = (0..reference.table.rows as u32).collect();
    let mut compared = Compared::sensitive(released, reference);
    compared.extend(reference.untouched.map(Compared::prints));
    let same = released.rows == reference.table.rows
        && same_standing(released, reference)
        && compared.iter().all(|c| c.foreign(classes.of_row, Some(&order)) == 0);
    same.then(|| Owners { certain: false, ..owners(classes, &order) })
}

/// Rows and the classes they are in.
fn owners(classes: &Classes<'_>, order: &[u32]) -> Owners {
    let in_class = classes.of_row.iter().zip(order).filter(|(class, _)| **class < AS_IT_IS);
    let members: Vec<(u32, u32)> = in_class.map(|(&class, &row)| (row, class)).collect();
    let pairs = members.iter().map(|&(row, class)| (row, class, 1)).collect();
    Owners { pairs, settled: true, members, certain: true }
}

/// Whether the rows that are published as they are stand where they stand in the original, and so do those that are known
/// to be suppressed.
fn same_standing(released: &Released, reference: &Reference<'_>) -> bool {
    let table = reference.table;
    let marked = |marks: &[bool], row: usize| marks.get(row) == Some(&true);
    (0..table.rows).all(|row| {
        table.is_verbatim(row) == marked(&released.verbatim, row)
            && (!table.is_lacking(row) || marked(&released.hidden, row))
    })
}

/// Columns with texts that are no generalization of anything: name, cells, and one of the texts.
pub(super) fn unreadable(
    released: &Released,
    classes: &Classes<'_>,
    columns: &[PublishedColumn<'_>],
) -> Vec<(String, u64, String)> {
    let mut at = 0;
    let column = |(column, published): (&PublishedColumn<'_>, &Vec<Column>)| {
        let place = at;
        at += published.len();
        let unknown = |(cell, _): &&(Published, u64)| *cell == Published::Unknown;
        let cells = column.cells.iter().filter(unknown).map(|(_, rows)| rows).sum();
        let first = column.cells.iter().position(|(cell, _)| *cell == Published::Unknown)?;
        let text = published[0].texts[classes.found[first].texts[place] as usize].clone();
        Some((column.attribute.name.clone(), cells, text))
    };
    columns.iter().zip(&released.qi).filter_map(column).collect()
}

/// Cells that do not cover the value of the row they come from.
fn misfits(table: &Table, classes: &Classes<'_>, columns: &[PublishedColumn<'_>], order: &[u32]) -> u64 {
    let per_column = |(column, q): (&PublishedColumn<'_>, &crate::data::QuasiIdentifier)| {
        let fits = |(&class, &row): (&u32, &u32)| {
            class >= AS_IT_IS
                || column.cells[class as usize].0.admits(&q.attribute, q.codes.get(row as usize))
        };
        classes.of_row.iter().zip(order).filter(|&pair| !fits(pair)).count() as u64
    };
    columns.par_iter().zip(&table.qi).map(per_column).sum()
}
