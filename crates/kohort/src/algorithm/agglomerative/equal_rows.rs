//! Equal rows are one cluster before anything else, and ripe at once where they are those of k people or more.
//!
//! As long as all clusters cost nothing, no distance is below 0, and it is 0 for equal rows, so the main loop would begin with
//! them as well. It would stop at k of them, though, and leave the others to strangers: a table that is k-anonymous already
//! would lose detail. Keeping them together departs from the loop (`algorithms.md` §10.2); sometimes that costs more.

use super::{Cluster, Problem};
use crate::space::Space;

/// Ripe clusters of equal rows, and the clusters to start with, both by lowest row.
pub(super) fn merge_equal_rows(problem: Problem<'_>, group_of: &[u32]) -> (Vec<Vec<u32>>, Vec<Cluster>) {
    let (space, k) = (problem.space, problem.demands.k() as usize);
    let cluster = |members: Vec<usize>| {
        let mut rows: Vec<u32> = members.iter().flat_map(|&g| space.groups().rows(g)).copied().collect();
        rows.sort_unstable();
        Cluster { rows, tuple: space.tuple(members[0]) }
    };
    let mut clusters: Vec<Cluster> = tuples(space).into_iter().map(cluster).collect();
    clusters.sort_by_key(|c| c.rows[0]);
    let (ripe, start): (Vec<_>, Vec<_>) =
        clusters.into_iter().partition(|c| problem.people(group_of, &c.rows) >= k);
    (ripe.into_iter().map(|c| c.rows).collect(), start)
}

/// Groups by tuple: a space that is split by sensitive values has several with the same one.
fn tuples(space: &Space<'_>) -> Vec<Vec<usize>> {
    let groups = 0..space.groups().len();
    if space.sensitive().is_empty() {
        return groups.map(|group| vec![group]).collect();
    }
    let (numbers, count) = space.tuple_numbers();
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (group, number) in groups.zip(numbers) {
        found[number as usize].push(group);
    }
    found
}
