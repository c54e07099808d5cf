//! Leaving out rows of frequent sensitive values until the rest is diverse enough, where people are counted.
//!
//! A row of a person who has the value in another row as well changes nothing when it goes, so no row can be judged by itself as
//! it is where every row is a person (`regions.rs`). Instead the order is fixed: always a row of the values that most rows have,
//! the last of them. How many must go is found by doubling, and then by halving the step: O(n log² n). It is enough, and
//! need not be the least.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{BoundDemands, Tally};
use crate::data::Codes;

/// What is kept, ascending, and what goes, at least `least` rows; none where nothing worth keeping is left.
pub(super) fn trim_people(
    rows: &[u32],
    columns: &[&Codes],
    models: &BoundDemands,
    least: usize,
) -> Option<(Vec<u32>, Vec<u32>)> {
    let order = in_order(rows, columns, models);
    let most = rows.len().checked_sub(models.k() as usize)?;
    let holds = |gone: usize| {
        let kept: Vec<(u32, u32)> = order[gone..].iter().map(|&row| (row, 1)).collect();
        models.hold(&Tally::gather(columns.len(), &kept, |column, row| columns[column].get(row as usize)))
    };
    let (mut too_few, mut step) = (least.checked_sub(1), 1);
    let mut enough = loop {
        let next = too_few.map_or(0, |few| few + step).min(most);
        if holds(next) {
            break next;
        }
        if next == most {
            return None;
        }
        (too_few, step) = (Some(next), step * 2);
    };
    while let Some(few) = too_few.filter(|few| few + 1 < enough) {
        let middle = usize::midpoint(few, enough);
        if holds(middle) { enough = middle } else { too_few = Some(middle) }
    }
    let (gone, kept) = order.split_at(enough);
    let mut kept = kept.to_vec();
    kept.sort_unstable();
    Some((kept, gone.to_vec()))
}

/// The rows in the order in which they go.
fn in_order(rows: &[u32], columns: &[&Codes], models: &BoundDemands) -> Vec<u32> {
    let mut by_values: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for &row in rows {
        let bound = models.columns().iter().zip(columns).filter(|(bound, _)| !bound.is_people());
        let values = bound.map(|(bound, codes)| bound.value(codes.get(row as usize))).collect();
        by_values.entry(values).or_default().push(row);
    }
    let mut left: Vec<Vec<u32>> = by_values.into_values().collect();
    let mut most: BinaryHeap<(usize, Reverse<usize>)> =
        left.iter().enumerate().map(|(at, rows)| (rows.len(), Reverse(at))).collect();
    let mut order = Vec::with_capacity(rows.len());
    while let Some((_, Reverse(at))) = most.pop() {
        order.extend(left[at].pop());
        if !left[at].is_empty() {
            most.push((left[at].len(), Reverse(at)));
        }
    }
    order
}
