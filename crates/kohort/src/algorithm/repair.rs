//! What an algorithm built for k alone lacks of the other demands is repaired by merging (`algorithms.md` §8 b).
//!
//! While a cluster does not satisfy the demands, the first such one joins the cluster that leaves the smallest deficit and,
//! among those, loses least more. Merging all into one satisfies the demands, because the table does; so this ends.
//!
//! *Complexity* O(m · v · r) for m merges among v clusters. NearPairs: smaller partner, then earlier partner.

use super::cluster_scan::ClusterScan;
use super::{Problem, Run, signed};
use crate::data::Cell;
use crate::error::Result;
use crate::model::Tally;

/// A cluster while it may still be merged.
struct Cluster {
    rows: Vec<u32>,
    tuple: Vec<Cell>,
    tally: Tally,
}

/// Merges clusters until all satisfy the demands; they keep their order, and a union stands where the earlier one stood.
pub(super) fn repair(problem: Problem<'_>, run: &Run<'_>, lists: Vec<Vec<u32>>) -> Result<Vec<Vec<u32>>> {
    let group_of = problem.space.groups().of_rows();
    if lists.iter().all(|rows| problem.rows_hold(&group_of, rows)) {
        return Ok(lists);
    }
    let whole = |rows: Vec<u32>| {
        let tuple = super::closure(problem.space, &group_of, &rows);
        let tally = super::tally_rows(problem, &group_of, &rows);
        Some(Cluster { rows, tuple, tally })
    };
    let mut clusters: Vec<Option<Cluster>> = lists.into_iter().map(whole).collect();
    let fails = |c: &Option<Cluster>| c.as_ref().is_some_and(|c| !problem.demands.hold(&c.tally));
    let mut scan = ClusterScan::new(problem.space);
    for (key, cluster) in clusters.iter().enumerate() {
        let Some(c) = cluster else { continue };
        scan.put(key as u32, c.rows.len(), &c.tuple);
    }
    let mut at = 0;
    while at < clusters.len() {
        if !fails(&clusters[at]) {
            at += 1;
            continue;
        }
        let hurried = run.time_is_up()?;
        at = merge(problem, &mut scan, &mut clusters, at, hurried);
    }
    Ok(clusters.into_iter().flatten().map(|c| c.rows).collect())
}

/// Merges the cluster at a place with its best partner; returns where the union stands, or the end when there is nobody.
/// In a hurry the first other cluster will do.
fn merge(
    problem: Problem<'_>,
    scan: &mut ClusterScan<'_>,
    clusters: &mut [Option<Cluster>],
    at: usize,
    hurried: bool,
) -> usize {
    let Some(failing) = clusters[at].take() else { return at + 1 };
    scan.remove(at as u32);
    let (size, cost) = (signed(failing.rows.len()), problem.space.cost(&failing.tuple).cast_signed());
    let partner = if hurried {
        clusters.iter().position(Option::is_some)
    } else {
        let best = scan.best(&failing.tuple, |s, _| {
            let mut union = failing.tally.clone();
            union.merge(&clusters[s.key as usize].as_ref()?.tally);
            let others = i64::from(s.size);
            let increase =
                (size + others) * s.joined.cast_signed() - size * cost - others * s.cost.cast_signed();
            Some((problem.demands.deficit(&union), increase, s.size, s.key))
        });
        best.map(|((.., key), _)| key as usize)
    };
    let Some(partner) = partner else {
        clusters[at] = Some(failing);
        return clusters.len();
    };
    scan.remove(partner as u32);
    let Some(mut union) = clusters[partner].take() else { return at };
    for (dim, cell) in union.tuple.iter_mut().enumerate() {
        *cell = problem.space.join_cell(dim, *cell, failing.tuple[dim]);
    }
    union.rows.extend(failing.rows);
    union.tally.merge(&failing.tally);
    let place = at.min(partner);
    scan.put(place as u32, union.rows.len(), &union.tuple);
    clusters[place] = Some(union);
    place
}
