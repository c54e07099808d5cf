//! All ways to group the rows of a tiny table, for demands of which nothing else tells whether they can be met.
//!
//! Where people have several rows, classes can satisfy what the whole table does not ([`super::settle`]), so that the whole
//! does not tell whether there is a release. For a handful of rows trying everything does.
//!
//! *Complexity* the Bell number of the rows: 4,140 partitions of eight.

use super::settle::united;
use super::{Problem, closure};
use crate::solution::Solution;

/// Up to so many rows everything is tried.
const ROWS: usize = 8;

/// The cheapest partition whose classes satisfy the demands as they are published; none where there is none, or the table is
/// not tiny.
pub fn cheapest_partition(problem: Problem<'_>) -> Option<Solution> {
    let rows = problem.space.rows();
    if rows > ROWS {
        return None;
    }
    let mut best: Option<(u64, Vec<Vec<u32>>)> = None;
    let mut classes = Vec::new();
    each_partition(rows as u32, &mut classes, &mut |partition| {
        let Some(cost) = cost(problem, partition) else { return };
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, partition.to_vec()));
        }
    });
    best.map(|(_, partition)| Solution::from_clusters(rows, &partition))
}

/// Puts the last of `rows` into each class and into one of its own, and all before it likewise.
fn each_partition(rows: u32, classes: &mut Vec<Vec<u32>>, each: &mut impl FnMut(&[Vec<u32>])) {
    let Some(row) = rows.checked_sub(1) else { return each(classes) };
    for at in 0..classes.len() {
        classes[at].push(row);
        each_partition(row, classes, each);
        classes[at].pop();
    }
    classes.push(vec![row]);
    each_partition(row, classes, each);
    classes.pop();
}

/// What a partition costs; none where a class, or several that are published alike, do not satisfy the demands.
fn cost(problem: Problem<'_>, partition: &[Vec<u32>]) -> Option<u64> {
    let group_of = problem.space.groups().of_rows();
    let published = united(problem, &group_of, partition.iter().map(|rows| (0, rows.clone())));
    let of_class =
        |rows: &Vec<u32>| rows.len() as u64 * problem.space.cost(&closure(problem.space, &group_of, rows));
    let all_hold = published.iter().all(|(_, rows)| problem.rows_hold(&group_of, rows));
    all_hold.then(|| partition.iter().map(of_class).sum())
}
