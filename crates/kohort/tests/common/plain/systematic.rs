//! Systematic clustering (paper 002; `algorithms.md` §5.5): all clusters grow at once, fed by every k-th row.

use kohort::algorithm::{Quiet, Rule, Run};
use rand::seq::SliceRandom;

use super::Plain;
use super::repair::repair;

/// The clusters in the order of their first rows in the sorted table.
pub(crate) fn systematic(plain: &Plain<'_>, rule: Rule, seed: u64) -> Vec<Vec<u32>> {
    let sorted = plain.sorted_rows();
    let count = sorted.len() / plain.k;
    let places = places(plain.k, seed);
    let row = |place: usize, block: usize| sorted[place + plain.k * block];
    let mut clusters: Vec<Vec<u32>> = (0..count).map(|block| vec![row(places[0], block)]).collect();
    for &place in &places[1..] {
        for block in 0..count {
            let open = (0..count).filter(|&c| clusters[c].len() < plain.k).collect();
            add(plain, rule, &mut clusters, open, row(place, block));
        }
    }
    for &row in &sorted[count * plain.k..] {
        add(plain, rule, &mut clusters, (0..count).collect(), row);
    }
    repair(plain, clusters)
}

/// The order in which the places of every block of k rows are visited.
pub(crate) fn places(k: usize, seed: u64) -> Vec<usize> {
    let mut places: Vec<usize> = (0..k).collect();
    if let Some(mut rng) = Run::new(seed, &Quiet).rng(3) {
        places.shuffle(&mut rng);
    }
    places
}

/// Smallest value by the rule, then smaller cluster, then earlier cluster.
fn add(plain: &Plain<'_>, rule: Rule, clusters: &mut [Vec<u32>], open: Vec<usize>, row: u32) {
    let value = |cluster: &[u32]| {
        let with = plain.loss(&[cluster, &[row]].concat());
        match rule {
            Rule::Loss => with,
            Rule::Increase => with - plain.loss(cluster),
        }
    };
    let target = open.into_iter().min_by_key(|&c| (value(&clusters[c]), clusters[c].len(), c)).unwrap();
    clusters[target].push(row);
}
