//! Algorithm 6 of Gionis et al. 2008 on tables that are too large for trying matchings: the matches of a row are those of its
//! tuples from which a walk leads back to it (`algorithms.md` §7.3).
//!
//! The same tuples as [`super::k_type::global`], which has them from the definition.

use kohort::data::Cell;

use super::Plain;
use super::k_type::{another_match, contains};

/// Tuples grow until every row has matches enough. Tuple j must cover row j.
pub(crate) fn global_walk(plain: &Plain<'_>, mut tuples: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    let mut covered: Vec<Vec<u32>> = tuples.iter().map(|tuple| inside(plain, tuple)).collect();
    for row in 0..plain.table.rows as u32 {
        loop {
            let matched = matches(plain, &tuples, &covered, row);
            if plain.holds(&matched) {
                break;
            }
            let Some(next) = another_match(plain, &mut tuples, row, &matched) else { break };
            for grown in [row, next] {
                covered[grown as usize] = inside(plain, &tuples[grown as usize]);
            }
        }
    }
    tuples
}

/// The rows that lie in the tuple.
fn inside(plain: &Plain<'_>, tuple: &[Cell]) -> Vec<u32> {
    (0..plain.table.rows as u32).filter(|&row| contains(plain, tuple, row)).collect()
}

/// The tuples over the row whose own rows lead back to it. A row leads to all whose tuples lie over it, so what leads to
/// the row is found by walking backwards: from a tuple to the rows inside.
fn matches(plain: &Plain<'_>, tuples: &[Vec<Cell>], covered: &[Vec<u32>], row: u32) -> Vec<u32> {
    let over: Vec<u32> =
        (0..tuples.len() as u32).filter(|&j| contains(plain, &tuples[j as usize], row)).collect();
    let mut leads = vec![false; tuples.len()];
    leads[row as usize] = true;
    let mut open = vec![row];
    while let Some(at) = open.pop() {
        for &before in &covered[at as usize] {
            if !leads[before as usize] {
                leads[before as usize] = true;
                open.push(before);
            }
        }
    }
    over.into_iter().filter(|&j| leads[j as usize]).collect()
}
