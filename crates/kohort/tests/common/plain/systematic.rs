//! Systematic clustering (Kabir et al. 2011; `algorithms.md` §5.5): all clusters grow at once, fed by every k-th row.

use kohort::algorithm::{Quiet, Rule, Run};
use kohort::data::Cell;
use rand::seq::SliceRandom;

use super::Plain;
use super::repair::repair;

struct Cluster {
    rows: Vec<u32>,
    tuple: Vec<Cell>,
    cost: u64,
}

/// The clusters in the order of their first rows in the sorted table.
pub(crate) fn systematic(plain: &Plain<'_>, rule: Rule, seed: u64) -> Vec<Vec<u32>> {
    let sorted = plain.sorted_rows();
    let count = sorted.len() / plain.k;
    let places = places(plain.k, seed);
    let row = |place: usize, block: usize| sorted[place + plain.k * block];
    let mut clusters: Vec<Cluster> = (0..count).map(|block| begun(plain, row(places[0], block))).collect();
    for &place in &places[1..] {
        for block in 0..count {
            let open = (0..count).filter(|&c| clusters[c].rows.len() < plain.k).collect();
            add(plain, rule, &mut clusters, open, row(place, block));
        }
    }
    for &row in &sorted[count * plain.k..] {
        add(plain, rule, &mut clusters, (0..count).collect(), row);
    }
    repair(plain, clusters.into_iter().map(|cluster| cluster.rows).collect())
}

fn begun(plain: &Plain<'_>, row: u32) -> Cluster {
    let tuple = plain.leaf(row);
    Cluster { rows: vec![row], cost: plain.cost(&tuple), tuple }
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
fn add(plain: &Plain<'_>, rule: Rule, clusters: &mut [Cluster], open: Vec<usize>, row: u32) {
    let loss = |size: usize, cost: u64| size as i128 * i128::from(cost);
    let value = |cluster: &Cluster| {
        let size = cluster.rows.len();
        let with = loss(size + 1, plain.joined_cost(&cluster.tuple, row));
        match rule {
            Rule::Loss => with,
            Rule::Increase => with - loss(size, cluster.cost),
        }
    };
    let rank = |&c: &usize| (value(&clusters[c]), clusters[c].rows.len(), c);
    let target = open.into_iter().min_by_key(rank).unwrap();
    let cluster = &mut clusters[target];
    cluster.rows.push(row);
    cluster.tuple = plain.grown(&cluster.tuple, row);
    cluster.cost = plain.cost(&cluster.tuple);
}
