//! Greedy k-member (`algorithms.md` §5.1), with diversity first while it is missing (§2.1, §8).

use std::cmp::Reverse;

use kohort::algorithm::{FirstSeed, Quiet, Run};
use kohort::data::Cell;
use rand::RngExt;

use super::Plain;

/// The clusters in the order in which they were begun.
pub(crate) fn k_member(plain: &Plain<'_>, first_seed: FirstSeed, seed: u64) -> Vec<Vec<u32>> {
    let rows = plain.table.rows as u32;
    let mut left: Vec<u32> = (0..rows).collect();
    let mut clusters: Vec<Vec<u32>> = Vec::new();
    let mut at = first(plain, first_seed, seed);
    while left.len() >= plain.k {
        let cluster = grow(plain, &mut left, at);
        if !plain.holds(&cluster) {
            // Nothing left can complete a class: these rows and all others join existing ones.
            left.extend(cluster);
            break;
        }
        clusters.push(cluster);
        if left.is_empty() {
            break;
        }
        at = farthest(plain, &left, at);
    }
    left.sort_unstable();
    if clusters.is_empty() {
        return vec![left];
    }
    disperse(plain, &mut clusters, left);
    clusters
}

pub(super) fn first(plain: &Plain<'_>, first_seed: FirstSeed, seed: u64) -> u32 {
    let rows = plain.table.rows as u32;
    let drawn = Run::new(seed, &Quiet).rng(1).map_or(0, |mut rng| rng.random_range(0..rows));
    match first_seed {
        // Equal rows are interchangeable: the drawn row stands for the lowest of those equal to it.
        FirstSeed::Row => (0..rows).find(|&r| alike(plain, r, drawn)).unwrap(),
        FirstSeed::Farthest => farthest(plain, &(0..rows).collect::<Vec<_>>(), drawn),
    }
}

pub(super) fn alike(plain: &Plain<'_>, a: u32, b: u32) -> bool {
    let sensitive = |r: u32| plain.table.sensitive.iter().map(move |s| s.codes.get(r as usize));
    plain.leaf(a) == plain.leaf(b) && (plain.p <= 1 || sensitive(a).eq(sensitive(b)))
}

fn farthest(plain: &Plain<'_>, left: &[u32], from: u32) -> u32 {
    let tuple = plain.leaf(from);
    *left.iter().min_by_key(|&&row| (Reverse(plain.joined_cost(&tuple, row)), row)).unwrap()
}

fn grow(plain: &Plain<'_>, left: &mut Vec<u32>, seed: u32) -> Vec<u32> {
    let mut cluster = Vec::new();
    let mut tuple = plain.leaf(seed);
    take(plain, left, &mut cluster, &mut tuple, seed);
    while !plain.holds(&cluster) && !left.is_empty() {
        let present = present(plain, &cluster);
        let rank = |row: u32| (Reverse(gain(plain, &present, row)), plain.joined_cost(&tuple, row), row);
        let best = *left.iter().min_by_key(|&&row| rank(row)).unwrap();
        if !plain.diverse(&cluster) && gain(plain, &present, best) == 0 {
            break;
        }
        take(plain, left, &mut cluster, &mut tuple, best);
    }
    cluster
}

fn take(plain: &Plain<'_>, left: &mut Vec<u32>, cluster: &mut Vec<u32>, tuple: &mut Vec<Cell>, row: u32) {
    *tuple = plain.grown(tuple, row);
    cluster.push(row);
    left.retain(|&r| r != row);
}

/// The kinds of values in every sensitive column of a cluster.
pub(super) fn present(plain: &Plain<'_>, cluster: &[u32]) -> Vec<Vec<u32>> {
    (0..plain.columns()).map(|s| plain.values(s, cluster)).collect()
}

/// In how many sensitive columns that still lack values the row brings a new one.
pub(super) fn gain(plain: &Plain<'_>, present: &[Vec<u32>], row: u32) -> usize {
    let new = |s: usize| present[s].len() < plain.p && !present[s].contains(&plain.kind(s, row));
    if plain.p <= 1 { 0 } else { (0..present.len()).filter(|&s| new(s)).count() }
}

/// Row by row: smallest increase of the loss, then smaller cluster, then earlier cluster.
pub(super) fn disperse(plain: &Plain<'_>, clusters: &mut [Vec<u32>], rows: Vec<u32>) {
    let mut tuples: Vec<Vec<Cell>> = clusters.iter().map(|cluster| plain.closure(cluster)).collect();
    for row in rows {
        let increase = |c: usize| {
            let loss = |size: usize, cost: u64| (size as u64 * cost).cast_signed();
            let size = clusters[c].len();
            loss(size + 1, plain.joined_cost(&tuples[c], row)) - loss(size, plain.cost(&tuples[c]))
        };
        let target = (0..clusters.len()).min_by_key(|&c| (increase(c), clusters[c].len(), c)).unwrap();
        tuples[target] = plain.grown(&tuples[target], row);
        clusters[target].push(row);
    }
}
