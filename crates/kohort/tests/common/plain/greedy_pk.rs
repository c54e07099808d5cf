//! GreedyPKClustering (`algorithms.md` §2): clusters one after the other, each first diverse, then large enough.

use std::cmp::Reverse;

use kohort::algorithm::FirstSeed;

use super::Plain;
use super::k_member::{disperse, first, gain, present};

/// The clusters in the order in which they were begun.
pub(crate) fn greedy_pk(plain: &Plain<'_>, seed: u64) -> Vec<Vec<u32>> {
    let mut left: Vec<u32> = (0..plain.table.rows as u32).collect();
    let mut clusters: Vec<Vec<u32>> = Vec::new();
    let mut next = Some(first(plain, FirstSeed::Row, seed));
    while let Some(at) = next {
        let cluster = grow(plain, &mut left, at);
        if !plain.holds(&cluster) {
            // Nothing left can complete a cluster: these rows and all others join existing ones.
            left.extend(cluster);
            break;
        }
        clusters.push(cluster);
        next = next_seed(plain, &left, at);
    }
    left.sort_unstable();
    if clusters.is_empty() {
        return vec![left];
    }
    disperse(plain, &mut clusters, left);
    clusters
}

/// The row with most sensitive values other than the seed before it, then the farthest from it.
fn next_seed(plain: &Plain<'_>, left: &[u32], previous: u32) -> Option<u32> {
    let tuple = plain.leaf(previous);
    let rank =
        |row: u32| (Reverse(unlike(plain, previous, row)), Reverse(plain.joined_cost(&tuple, row)), row);
    left.iter().copied().min_by_key(|&row| rank(row))
}

/// In how many sensitive columns two rows differ, where anybody asks.
fn unlike(plain: &Plain<'_>, a: u32, b: u32) -> usize {
    let differ = |&s: &usize| plain.kind(s, a) != plain.kind(s, b);
    if plain.p <= 1 { 0 } else { (0..plain.columns()).filter(differ).count() }
}

fn grow(plain: &Plain<'_>, left: &mut Vec<u32>, seed: u32) -> Vec<u32> {
    let mut cluster = Vec::new();
    take(left, &mut cluster, seed);
    while !plain.diverse(&cluster) {
        let Some(row) = most_gain(plain, &cluster, left) else { return cluster };
        take(left, &mut cluster, row);
    }
    while cluster.len() < plain.k
        && let Some(row) = nearest(plain, &cluster, left)
    {
        take(left, &mut cluster, row);
    }
    cluster
}

fn take(left: &mut Vec<u32>, cluster: &mut Vec<u32>, row: u32) {
    left.retain(|&r| r != row);
    cluster.push(row);
}

/// The row that brings what is missing in most columns, then the cheapest; none where no row brings anything.
pub(super) fn most_gain(plain: &Plain<'_>, cluster: &[u32], rows: &[u32]) -> Option<u32> {
    let (present, tuple) = (present(plain, cluster), plain.closure(cluster));
    let brings = |row: u32| gain(plain, &present, row);
    let rank = |row: u32| (Reverse(brings(row)), plain.joined_cost(&tuple, row), row);
    rows.iter().copied().min_by_key(|&row| rank(row)).filter(|&row| brings(row) > 0)
}

/// The row that is cheapest in the cluster.
pub(super) fn nearest(plain: &Plain<'_>, cluster: &[u32], rows: &[u32]) -> Option<u32> {
    let tuple = plain.closure(cluster);
    rows.iter().copied().min_by_key(|&row| (plain.joined_cost(&tuple, row), row))
}
