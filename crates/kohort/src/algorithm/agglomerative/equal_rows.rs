//! What becomes of equal rows before anything else.
//!
//! As long as all clusters cost nothing, no distance is below 0, and it is 0 for equal rows, so the main loop would begin with
//! them as well. It would stop at k of them, though, and leave the others to strangers: a table that is k-anonymous already
//! would lose detail. So groups of k or more are ripe as they are, and [`lenders`](super::lenders) give away what k of them do
//! not need, or nobody does; the paper's loop, row by row, is there for those who want it (`algorithms.md` §10.2).

use super::{Cluster, Problem};

/// How equal rows are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EqualRows {
    /// They are together from the start. Groups of more than k rows lend what they have beyond k, if that loses less.
    Lend,
    /// As all others: a cluster leaves once it has k rows, and those that are left over go on.
    Literal,
}

/// All rows one by one, ripe where one is enough, and the clusters to start with.
pub(super) fn single_rows(problem: Problem<'_>, group_of: &[u32]) -> (Vec<Vec<u32>>, Vec<Cluster>) {
    let cluster =
        |(row, &group): (u32, &u32)| Cluster { rows: vec![row], tuple: problem.space.tuple(group as usize) };
    ripe_and_others(problem, group_of, (0..).zip(group_of).map(cluster).collect())
}

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
    ripe_and_others(problem, group_of, clusters)
}

fn ripe_and_others(
    problem: Problem<'_>,
    group_of: &[u32],
    clusters: Vec<Cluster>,
) -> (Vec<Vec<u32>>, Vec<Cluster>) {
    let (ripe, others): (Vec<_>, Vec<_>) =
        clusters.into_iter().partition(|c| problem.has_k_people(group_of, &c.rows));
    (ripe.into_iter().map(|c| c.rows).collect(), others)
}
