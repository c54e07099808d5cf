//! Equal rows are one cluster before anything else, and ripe at once where they are those of k people or more.
//!
//! As long as all clusters cost nothing, no distance is below 0, and it is 0 for equal rows, so the main loop would begin with
//! them as well. It would stop at k of them, though, and leave the others to strangers: a table that is k-anonymous already
//! would lose detail. Keeping them together departs from the loop (`algorithms.md` §10.2); sometimes that costs more.

use super::{Cluster, Problem};

/// Ripe clusters of equal rows, and the clusters to start with, both by lowest row.
pub(super) fn merge_equal_rows(problem: Problem<'_>, group_of: &[u32]) -> (Vec<Vec<u32>>, Vec<Cluster>) {
    let space = problem.space;
    let tuples = space.tuples();
    let cluster = |members: &[u32]| {
        let rows = members.iter().flat_map(|&group| space.groups().rows(group as usize));
        let mut rows: Vec<u32> = rows.copied().collect();
        rows.sort_unstable();
        Cluster { rows, tuple: space.tuple(members[0] as usize) }
    };
    let mut clusters: Vec<Cluster> = tuples.firsts().map(|group| cluster(tuples.like(&group))).collect();
    clusters.sort_by_key(|c| c.rows[0]);
    let (ripe, start): (Vec<_>, Vec<_>) =
        clusters.into_iter().partition(|c| problem.has_k_people(group_of, &c.rows));
    (ripe.into_iter().map(|c| c.rows).collect(), start)
}
