//! What the models of `algorithms.md` §8 say about one class, from the definitions alone.
//!
//! The earth mover's distances stand here twice: by the formulas of §8, and as what they mean, the cheapest way to move
//! one distribution onto the other.

use std::collections::BTreeMap;

use kohort::data::Hierarchy;

/// How often every value occurs.
fn counts(values: &[u32]) -> BTreeMap<u32, u64> {
    let mut counts = BTreeMap::new();
    for &value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts
}

fn count(values: &[u32], value: u32) -> u64 {
    values.iter().filter(|&&v| v == value).count() as u64
}

fn share(values: &[u32], value: u32) -> f64 {
    count(values, value) as f64 / values.len() as f64
}

pub(crate) fn distinct(values: &[u32]) -> usize {
    counts(values).len()
}

/// The `l` of entropy l-diversity: as many equally frequent values would have the same entropy.
pub(crate) fn entropy_l(values: &[u32]) -> f64 {
    let shares = counts(values).into_keys().map(|value| share(values, value));
    shares.map(|p| -p * p.ln()).sum::<f64>().exp()
}

/// Recursive (c,l)-diversity: `r_1 < c (r_l + … + r_m)` with the frequencies in descending order, and `m ≥ l`.
pub(crate) fn recursive_holds(values: &[u32], c: f64, l: usize) -> bool {
    let mut descending: Vec<u64> = counts(values).into_values().collect();
    descending.sort_unstable_by(|a, b| b.cmp(a));
    if descending.len() < l {
        return false;
    }
    (descending[0] as f64) < c * descending[l - 1..].iter().sum::<u64>() as f64
}

/// The `alpha` of (alpha,k)-anonymity that the class meets, where every value is listed.
pub(crate) fn largest_share(values: &[u32]) -> f64 {
    counts(values).into_keys().map(|value| share(values, value)).fold(0.0, f64::max)
}

/// Basic beta-likeness: the largest relative gain in frequency over the table.
pub(crate) fn largest_gain(class: &[u32], all: &[u32]) -> f64 {
    let gain = |value: u32| (share(class, value) - share(all, value)) / share(all, value);
    counts(class).into_keys().map(gain).fold(0.0, f64::max)
}

/// Delta-disclosure privacy: the logarithm of the change in frequency that is farthest from 0; a value of the table that the
/// class lacks makes it infinite.
pub(crate) fn farthest_logarithm(class: &[u32], all: &[u32]) -> f64 {
    let far = |value: u32| (share(class, value) / share(all, value)).ln().abs();
    counts(all).into_keys().map(far).fold(0.0, f64::max)
}

/// Every value is as far from every other.
pub(crate) fn emd_equal(class: &[u32], all: &[u32]) -> f64 {
    counts(all).into_keys().map(|value| (share(class, value) - share(all, value)).abs()).sum::<f64>() / 2.0
}

/// Values are as far from each other as their places in `order`, which has every value of the table once.
pub(crate) fn emd_ordered(class: &[u32], all: &[u32], order: &[u32]) -> f64 {
    if order.len() < 2 {
        return 0.0;
    }
    let up_to = |i: usize| order[..=i].iter().map(|&v| share(class, v) - share(all, v)).sum::<f64>();
    (0..order.len()).map(|i| up_to(i).abs()).sum::<f64>() / (order.len() - 1) as f64
}

/// Values are as far from each other as the node above both of their leaves is high; `leaf_of` has a leaf for every code.
pub(crate) fn emd_hierarchical(class: &[u32], all: &[u32], tree: &Hierarchy, leaf_of: &[u32]) -> f64 {
    let extra = |node: u32| {
        let below = |&code: &u32| tree.leaves(node).contains(&leaf_of[code as usize]);
        (0..leaf_of.len() as u32).filter(below).map(|v| share(class, v) - share(all, v)).sum::<f64>()
    };
    let cost = |node: u32| {
        let children = (0..tree.root()).filter(|&n| tree.parent(n) == Some(node));
        let extras: Vec<f64> = children.map(extra).collect();
        let positive: f64 = extras.iter().filter(|&&e| e > 0.0).sum();
        let negative: f64 = extras.iter().filter(|&&e| e < 0.0).map(|e| -e).sum();
        f64::from(tree.height_of(node)) / f64::from(tree.height()) * positive.min(negative)
    };
    // A tree of one node has no inner node, and nowhere to move anything.
    (tree.leaf_count()..tree.len() as u32).map(cost).sum()
}

/// The meaning of [`emd_equal`].
pub(crate) fn moved_equal(class: &[u32], all: &[u32]) -> f64 {
    moved(class, all, 1, |a, b| u64::from(a != b))
}

/// The meaning of [`emd_ordered`].
pub(crate) fn moved_ordered(class: &[u32], all: &[u32], order: &[u32]) -> f64 {
    let place = |value: u32| order.iter().position(|&v| v == value).unwrap() as u64;
    moved(class, all, order.len() as u64 - 1, |a, b| place(a).abs_diff(place(b)))
}

/// The meaning of [`emd_hierarchical`].
pub(crate) fn moved_hierarchical(class: &[u32], all: &[u32], tree: &Hierarchy, leaf_of: &[u32]) -> f64 {
    let leaf = |value: u32| leaf_of[value as usize];
    moved(class, all, u64::from(tree.height()), |a, b| {
        // The lowest of all nodes that have both leaves below them.
        let both = |&n: &u32| tree.leaves(n).contains(&leaf(a)) && tree.leaves(n).contains(&leaf(b));
        (0..tree.len() as u32).filter(both).map(|n| u64::from(tree.height_of(n))).min().unwrap()
    })
}

/// The least cost of moving the shares of the class onto those of the table; `farthest` is a distance of 1.
///
/// Masses are whole numbers: every row of the class weighs as much as the table has rows, and the other way round.
fn moved(class: &[u32], all: &[u32], farthest: u64, distance: impl Fn(u32, u32) -> u64) -> f64 {
    let values: Vec<u32> = counts(all).into_keys().collect();
    assert!(class.iter().all(|v| values.contains(v)), "a class is a part of its table");
    let (of_class, of_all) = (class.len() as u64, all.len() as u64);
    let supply: Vec<u64> = values.iter().map(|&v| count(class, v) * of_all).collect();
    let demand: Vec<u64> = values.iter().map(|&v| count(all, v) * of_class).collect();
    let cost = transport(&supply, &demand, |i, j| distance(values[i], values[j]));
    cost as f64 / (of_class * of_all) as f64 / farthest.max(1) as f64
}

/// The transport problem, solved by sending all that fits along the cheapest path again and again.
pub(crate) fn transport(supply: &[u64], demand: &[u64], cost: impl Fn(usize, usize) -> u64) -> u64 {
    let (from, to) = (supply.len(), demand.len());
    let (source, sink, nodes) = (from + to, from + to + 1, from + to + 2);
    // What still fits through every arc, and its price; sending something back has the opposite price.
    let mut room = vec![vec![0u64; nodes]; nodes];
    let mut price = vec![vec![0i64; nodes]; nodes];
    for i in 0..from {
        room[source][i] = supply[i];
        for j in 0..to {
            room[i][from + j] = u64::MAX / 2;
            price[i][from + j] = cost(i, j).cast_signed();
            price[from + j][i] = -price[i][from + j];
        }
    }
    for j in 0..to {
        room[from + j][sink] = demand[j];
    }
    let (mut total, mut sent) = (0i64, 0);
    while let Some(path) = cheapest_path(&room, &price, source, sink) {
        let arcs = || path.iter().copied().zip(path[1..].iter().copied());
        let amount = arcs().map(|(a, b)| room[a][b]).min().unwrap();
        for (a, b) in arcs() {
            room[a][b] -= amount;
            room[b][a] += amount;
            total += price[a][b] * amount.cast_signed();
        }
        sent += amount;
    }
    assert_eq!((sent, sent), (supply.iter().sum(), demand.iter().sum()), "everything arrives");
    total.cast_unsigned()
}

/// Bellman and Ford: no price is settled before as many rounds as there are nodes.
fn cheapest_path(room: &[Vec<u64>], price: &[Vec<i64>], source: usize, sink: usize) -> Option<Vec<usize>> {
    let nodes = room.len();
    let mut best: Vec<Option<(i64, usize)>> = vec![None; nodes];
    best[source] = Some((0, source));
    for _ in 0..nodes {
        for a in 0..nodes {
            let Some((so_far, _)) = best[a] else { continue };
            for b in (0..nodes).filter(|&b| room[a][b] > 0) {
                let found = so_far + price[a][b];
                if best[b].is_none_or(|(known, _)| found < known) {
                    best[b] = Some((found, a));
                }
            }
        }
    }
    best[sink]?;
    let mut path = vec![sink];
    while path[path.len() - 1] != source {
        path.push(best[path[path.len() - 1]]?.1);
    }
    path.reverse();
    Some(path)
}
