//! Classes that are published alike are one class, and must satisfy the demands as one.
//!
//! Where every row is a person that goes without saying: demands survive merging. Where people have several rows, shares need
//! not: of two classes with two people each, one of whom is in both, the union has three. So classes that read alike are
//! united, what falls short is merged with others ([`repair`]), and that is done again until nothing changes.

use std::collections::BTreeMap;

use super::repair::repair;
use super::{Problem, Run, closure};
use crate::data::Cell;
use crate::error::Result;
use crate::solution::SUPPRESSED;

/// The same classes, united and merged until each satisfies the demands: always, if every part as a whole does. Classes are
/// merged within `parts` only.
pub(super) fn settle(
    problem: Problem<'_>,
    run: &Run<'_>,
    class_of: Vec<u32>,
    parts: &[Vec<u32>],
) -> Result<Vec<u32>> {
    if problem.demands.survive_merging() {
        return Ok(class_of);
    }
    let group_of = problem.space.groups().of_rows();
    let mut lists: Vec<(usize, Vec<u32>)> = by_part(&class_of, parts);
    loop {
        lists = united(problem, &group_of, lists);
        let before = lists.len();
        let mut repaired = Vec::new();
        for part in 0..parts.len() {
            let own = lists.iter().filter(|(of, _)| *of == part).map(|(_, rows)| rows.clone()).collect();
            repaired.extend(repair(problem, run, own)?.into_iter().map(|rows| (part, rows)));
        }
        lists = repaired;
        if lists.len() == before {
            break;
        }
    }
    let mut settled = vec![SUPPRESSED; class_of.len()];
    for ((_, rows), class) in lists.iter().zip(0..) {
        for &row in rows {
            settled[row as usize] = class;
        }
    }
    Ok(settled)
}

/// Whether every class satisfies the demands.
pub(super) fn all_hold(problem: Problem<'_>, class_of: &[u32]) -> bool {
    let group_of = problem.space.groups().of_rows();
    let all: Vec<u32> = (0..class_of.len() as u32).collect();
    by_part(class_of, &[all]).iter().all(|(_, rows)| problem.rows_hold(&group_of, rows))
}

/// The rows of every class, with the part that it lies in.
fn by_part(class_of: &[u32], parts: &[Vec<u32>]) -> Vec<(usize, Vec<u32>)> {
    let mut rows: BTreeMap<u32, (usize, Vec<u32>)> = BTreeMap::new();
    for (part, members) in parts.iter().enumerate() {
        for &row in members.iter().filter(|&&row| class_of[row as usize] != SUPPRESSED) {
            rows.entry(class_of[row as usize]).or_insert((part, Vec::new())).1.push(row);
        }
    }
    rows.into_values().collect()
}

/// Unites classes that are published alike; each stays where its first one was.
pub(super) fn united(
    problem: Problem<'_>,
    group_of: &[u32],
    lists: impl IntoIterator<Item = (usize, Vec<u32>)>,
) -> Vec<(usize, Vec<u32>)> {
    let text = |(dim, &cell): (usize, &Cell)| problem.space.attribute(dim).text(cell);
    let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let mut found: Vec<(usize, Vec<u32>)> = Vec::new();
    for (part, rows) in lists {
        let tuple = closure(problem.space, group_of, &rows);
        let place = *places.entry(tuple.iter().enumerate().map(text).collect()).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, others)) => others.extend(rows),
            None => found.push((part, rows)),
        }
    }
    found
}
