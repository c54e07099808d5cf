//! OKA, one-pass k-means (Lin & Wei 2008; `algorithms.md` §5.2): rows join the nearest centre, then sizes are levelled.

use std::cmp::Reverse;

use kohort::algorithm::{Quiet, Run};
use kohort::data::{Cell, Domain, Numbers};
use rand::seq::SliceRandom;

use super::repair::repair;
use super::{Plain, leaf};

/// The middle of a cluster in one attribute.
#[derive(Clone, Copy)]
enum Centre {
    /// The lowest common ancestor; none before the first row.
    Ancestor(Option<Cell>),
    /// Sum and number of the values that are not missing.
    Mean { sum: f64, count: u32 },
}

/// Rows in the order in which they joined.
struct Cluster {
    rows: Vec<u32>,
    centre: Vec<Centre>,
}

/// The clusters in the order of their seeds.
pub(crate) fn oka(plain: &Plain<'_>, seed: u64) -> Vec<Vec<u32>> {
    let sorted = plain.sorted_rows();
    let places = places(&sorted);
    let seeds = seeds(plain, &sorted, seed);
    let mut clusters: Vec<Cluster> = seeds.iter().map(|&row| of_rows(plain, vec![row])).collect();
    let all: Vec<usize> = (0..clusters.len()).collect();
    for &row in sorted.iter().filter(|&row| !seeds.contains(row)) {
        add(plain, &mut clusters, &all, row);
    }

    let mut pool: Vec<u32> = Vec::new();
    for cluster in clusters.iter_mut().filter(|cluster| cluster.rows.len() > plain.k) {
        pool.extend(shrink(plain, cluster, &places));
    }
    pool.sort_by_key(|&row| places[row as usize]);
    for row in pool {
        let small: Vec<usize> = all.iter().copied().filter(|&c| clusters[c].rows.len() < plain.k).collect();
        add(plain, &mut clusters, if small.is_empty() { &all } else { &small }, row);
    }
    repair(plain, clusters.into_iter().map(|cluster| cluster.rows).collect())
}

/// The first rows of the clusters: drawn, or by the fixed rule every k-th row of the sorted table.
fn seeds(plain: &Plain<'_>, sorted: &[u32], seed: u64) -> Vec<u32> {
    let count = sorted.len() / plain.k;
    let mut places: Vec<usize> = match Run::new(seed, &Quiet).rng(4) {
        Some(mut rng) => {
            let mut all: Vec<usize> = (0..sorted.len()).collect();
            all.shuffle(&mut rng);
            all[..count].to_vec()
        }
        None => (0..count).map(|i| i * plain.k).collect(),
    };
    places.sort_unstable();
    places.into_iter().map(|place| sorted[place]).collect()
}

/// Where every row stands in the sorted table.
fn places(sorted: &[u32]) -> Vec<usize> {
    let mut places = vec![0; sorted.len()];
    sorted.iter().enumerate().for_each(|(place, &row)| places[row as usize] = place);
    places
}

fn of_rows(plain: &Plain<'_>, rows: Vec<u32>) -> Cluster {
    let empty = |dim: usize| match plain.table.qi[dim].attribute.domain {
        Domain::Tree(_) => Centre::Ancestor(None),
        Domain::Interval(_) => Centre::Mean { sum: 0.0, count: 0 },
    };
    let mut cluster = Cluster { rows: Vec::new(), centre: (0..plain.dims()).map(empty).collect() };
    for row in rows {
        join(plain, &mut cluster, row);
    }
    cluster
}

/// Nearest centre, then smaller cluster, then earlier cluster.
fn add(plain: &Plain<'_>, clusters: &mut [Cluster], open: &[usize], row: u32) {
    let rank = |&&c: &&usize| (distance(plain, &clusters[c].centre, row), clusters[c].rows.len(), c);
    let target = *open.iter().min_by_key(rank).unwrap();
    join(plain, &mut clusters[target], row);
}

fn join(plain: &Plain<'_>, cluster: &mut Cluster, row: u32) {
    cluster.rows.push(row);
    for (dim, centre) in cluster.centre.iter_mut().enumerate() {
        let code = plain.code(dim, row);
        match centre {
            Centre::Ancestor(ancestor) => {
                *ancestor = Some(ancestor.map_or(leaf(code), |a| plain.join(dim, a, leaf(code))));
            }
            Centre::Mean { sum, count } => {
                if let Some(position) = position(numbers(plain, dim), code) {
                    *sum += position;
                    *count += 1;
                }
            }
        }
    }
}

/// Takes out the rows farthest from the centre, among equally far ones the last of the sorted table, until k are left.
/// The centre does not move before all are out.
fn shrink(plain: &Plain<'_>, cluster: &mut Cluster, places: &[usize]) -> Vec<u32> {
    let mut farthest = cluster.rows.clone();
    farthest
        .sort_by_cached_key(|&row| Reverse((distance(plain, &cluster.centre, row), places[row as usize])));
    let out = farthest[..farthest.len() - plain.k].to_vec();
    let stay = cluster.rows.iter().copied().filter(|row| !out.contains(row)).collect();
    *cluster = of_rows(plain, stay);
    out
}

fn distance(plain: &Plain<'_>, centre: &[Centre], row: u32) -> u64 {
    (0..plain.dims())
        .map(|dim| {
            let code = plain.code(dim, row);
            match centre[dim] {
                Centre::Ancestor(ancestor) => {
                    plain.cell_cost(dim, plain.join(dim, ancestor.unwrap(), leaf(code)))
                }
                Centre::Mean { sum, count } => {
                    let mean = (count > 0).then(|| sum / f64::from(count));
                    from_mean(plain, dim, mean, position(numbers(plain, dim), code))
                }
            }
        })
        .sum()
}

/// The share of the range between the two, at the price of the range. A value and no value are as far apart as can be.
fn from_mean(plain: &Plain<'_>, dim: usize, mean: Option<f64>, position: Option<f64>) -> u64 {
    let n = numbers(plain, dim);
    match (mean, position) {
        (None, None) => 0,
        (Some(_), None) | (None, Some(_)) => plain.cell_cost(dim, Cell { lo: 0, hi: n.len() }),
        (Some(_), Some(_)) if n.range() == 0.0 => 0,
        (Some(mean), Some(position)) => {
            let spread = plain.cell_cost(dim, Cell { lo: 0, hi: n.len() - 1 });
            ((position - mean).abs() / n.range() * spread as f64).round() as u64
        }
    }
}

fn numbers<'a>(plain: &Plain<'a>, dim: usize) -> &'a Numbers {
    match &plain.table.qi[dim].attribute.domain {
        Domain::Interval(n) => n,
        Domain::Tree(_) => panic!("a tree has no positions"),
    }
}

/// Where the value lies; missing values lie nowhere.
fn position(n: &Numbers, code: u32) -> Option<f64> {
    (code < n.len()).then(|| n.position(code))
}
