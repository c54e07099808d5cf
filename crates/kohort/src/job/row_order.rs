//! The order in which `auto` sees rows: by what they hold, so that the same rows in another order give the same groups.

use rayon::prelude::*;

use crate::data::{Codes, Table};
use crate::model::BoundDemands;

/// Some rows of a table by their codes, those of sensitive columns last, of which a demand looks at. Rows that are equal in all of
/// them stay in their order: no search can tell them apart.
pub(super) fn by_content(table: &Table, demands: &BoundDemands, rows: &[u32]) -> Vec<u32> {
    let secrets: Vec<(&Codes, Vec<u32>)> = demands
        .columns()
        .iter()
        .map(|column| &table.sensitive[column.at])
        .map(|column| (&column.codes, ranks(&column.texts)))
        .collect();
    let known = |row: u32| table.qi.iter().map(move |q| q.codes.get(row as usize));
    let secret = |row: u32| {
        secrets.iter().map(move |(codes, ranks)| {
            let code = codes.get(row as usize);
            ranks.get(code as usize).copied().unwrap_or(code)
        })
    };
    let mut rows = rows.to_vec();
    rows.par_sort_by(|&a, &b| known(a).cmp(known(b)).then_with(|| secret(a).cmp(secret(b))));
    rows
}

/// The place of every text among all of them: codes are numbered as they appear.
fn ranks(texts: &[String]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.sort_by_key(|&code| &texts[code as usize]);
    let mut ranks = vec![0; texts.len()];
    (0..).zip(order).for_each(|(rank, code)| ranks[code as usize] = rank);
    ranks
}
