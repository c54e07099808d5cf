//! A shuffled release: which rows of the original could stand behind its classes?

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::classes::{AS_IT_IS, Classes};
use super::loss::PublishedColumn;
use super::matching::{self, Assignment, Transport};
use super::source::Traced;
use super::{Released, SourceCheck, boundaries, values};
use crate::data::{Groups, Table};
use crate::input::Column;

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
        for (row, &class) in classes.of_row.iter().enumerate().filter(|(_, c)| **c < AS_IT_IS) {
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

/// Looks for any assignment of original rows to released ones that fits every cell and sensitive value. Rows that are
/// published as they are take no part.
///
/// Boundaries: an assignment without violations is looked for first. Where there is none, the violations of the one
/// that was found are counted; unless one allowed value lies below another, every assignment has the same number.
pub(super) fn match_rows(
    released: &Released,
    table: &Table,
    classes: &Classes,
    columns: &[PublishedColumn<'_>],
) -> Traced {
    let pairs = table.sensitive.iter().zip(&released.sensitive);
    let meanings: Vec<_> = pairs.map(|(o, c)| values::meaning(o, c)).collect();
    let slots = Slots::new(released, classes, &meanings);
    let compared: Vec<_> =
        table.sensitive.iter().zip(&meanings).filter(|(_, m)| m.is_some()).map(|(s, _)| s).collect();
    let mut codes: Vec<_> = table.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
    codes.extend(compared.iter().map(|s| (&s.codes, s.distinct)));
    let kinds = Groups::by(table.rows, &codes);
    if kinds.len().saturating_mul(classes.found.len()) > matching::PAIRS {
        return Traced { check: SourceCheck::NotChecked, illegal: 0, violations: None, owners: None };
    }
    let class_of = |slot: u32| slots.class[slot as usize] as usize;
    let row_of = |kind: usize| kinds.rows(kind)[0] as usize;
    let fits = |kind: usize| {
        let row = row_of(kind);
        let values: Vec<_> = compared.iter().map(|s| Some(s.codes.get(row))).collect();
        let admits = |&slot: &u32| {
            let mut pairs = columns.iter().zip(&table.qi);
            pairs.all(|(c, q)| c.cells[class_of(slot)].0.admits(&q.attribute, q.codes.get(row)))
        };
        slots.by_values.get(&values).into_iter().flatten().copied().filter(admits).collect()
    };
    let beyond = |kind: usize, slot: u32| boundaries::beyond(table, columns, class_of(slot), row_of(kind));
    let supply =
        |kind: usize| kinds.rows(kind).iter().filter(|&&row| !table.is_verbatim(row as usize)).count() as u64;
    let all = Transport {
        supply: (0..kinds.len()).map(supply).collect(),
        fits: (0..kinds.len()).into_par_iter().map(fits).collect(),
        demand: slots.demand.clone(),
    };
    let traced = |found: Assignment| {
        let owner =
            |&(kind, slot, rows): &(usize, u32, u64)| (row_of(kind) as u32, class_of(slot) as u32, rows);
        Traced {
            check: SourceCheck::Matched,
            illegal: found.unfilled,
            violations: Some(found.flows.iter().map(|&(kind, slot, rows)| rows * beyond(kind, slot)).sum()),
            owners: (found.unfilled == 0).then(|| found.flows.iter().map(owner).collect()),
        }
    };
    if boundaries::exist(table) {
        let allowed = |(kind, fits): (usize, &Vec<u32>)| {
            fits.iter().copied().filter(|&slot| beyond(kind, slot) == 0).collect()
        };
        let within = Transport {
            fits: all.fits.par_iter().enumerate().map(allowed).collect(),
            supply: all.supply.clone(),
            demand: all.demand.clone(),
        };
        let found = within.solve();
        if found.unfilled == 0 {
            return traced(found);
        }
    }
    traced(all.solve())
}
