//! KACA (Li et al. 2006; `algorithms.md` §5.4): small classes of equal tuples merge with the nearest class, or its stub.

use std::collections::BTreeMap;

use kohort::algorithm::{Quiet, Run};
use kohort::data::Cell;
use rand::{Rng, RngExt};

use super::Plain;
use super::repair::repair;

/// The classes by the tuple under which they are published so far.
type Classes = BTreeMap<Vec<Cell>, Class>;

struct Class {
    /// In ascending order.
    rows: Vec<u32>,
    /// Of the tuple.
    cost: u64,
}

/// The class that a small one would merge with.
struct Nearest {
    distance: i128,
    /// How many of its rows take part.
    stub: usize,
    tuple: Vec<Cell>,
}

/// The clusters by their lowest row; rows in none of them are suppressed.
///
/// With a threshold, a class farther than that from all others is suppressed, as long as no more than `budget` rows
/// are and the rows that stay could still be one class.
pub(crate) fn kaca(plain: &Plain<'_>, seed: u64, threshold: Option<u64>, budget: usize) -> Vec<Vec<u32>> {
    let mut rng = Run::new(seed, &Quiet).rng(2);
    let mut classes = equal_rows(plain);
    let mut suppressed = 0;
    while let Some(tuple) = small_class(plain, &classes, rng.as_mut()) {
        let small = classes.remove(&tuple).unwrap();
        let nearest = nearest(plain, &classes, &tuple, &small);
        let far = threshold.is_some_and(|limit| nearest.distance > i128::from(limit));
        let others = || classes.values().flat_map(|class| &class.rows).copied().collect::<Vec<u32>>();
        if far && suppressed + small.rows.len() <= budget && plain.holds(&others()) {
            suppressed += small.rows.len();
        } else {
            merge(plain, &mut classes, &tuple, small.rows, &nearest);
        }
    }
    let mut clusters: Vec<Vec<u32>> = classes.into_values().map(|class| class.rows).collect();
    clusters.sort_by_key(|rows| rows[0]);
    repair(plain, clusters)
}

fn equal_rows(plain: &Plain<'_>) -> Classes {
    let mut classes = Classes::new();
    for row in 0..plain.table.rows as u32 {
        let tuple = plain.leaf(row);
        let cost = plain.cost(&tuple);
        classes.entry(tuple).or_insert_with(|| Class { rows: Vec::new(), cost }).rows.push(row);
    }
    classes
}

/// The tuple of a class that is too small, if there is one: drawn among all of these in the order of their tuples, or
/// by the fixed rule the smallest, then the first.
fn small_class(plain: &Plain<'_>, classes: &Classes, rng: Option<&mut impl Rng>) -> Option<Vec<Cell>> {
    let small: Vec<(usize, &Vec<Cell>)> = classes
        .iter()
        .filter(|(_, class)| class.rows.len() < plain.k)
        .map(|(tuple, class)| (class.rows.len(), tuple))
        .collect();
    let chosen = match rng {
        Some(rng) if !small.is_empty() => small.get(rng.random_range(0..small.len())),
        _ => small.iter().min(),
    };
    chosen.map(|(_, tuple)| (*tuple).clone())
}

/// Smallest distance, then fewer rows that take part, then first in the order of tuples.
fn nearest(plain: &Plain<'_>, others: &Classes, tuple: &[Cell], small: &Class) -> Nearest {
    let size = small.rows.len();
    let candidates = others.iter().map(|(other, class)| {
        let rows = class.rows.len();
        // A large class gives only as many rows as are missing; its trunk keeps its tuple and is large enough.
        let stub = if size + rows >= 2 * plain.k { plain.k - size } else { rows };
        let joined = plain.joint_cost(tuple, other);
        (distance(joined, (small.cost, size), (class.cost, stub)), stub, other)
    });
    let (distance, stub, other) = candidates.min().unwrap();
    Nearest { distance, stub, tuple: other.clone() }
}

/// Definition 10, from the costs of the tuples as they are now; negative under a measure that is not monotone.
fn distance(joined: u64, (a, rows_a): (u64, usize), (b, rows_b): (u64, usize)) -> i128 {
    let more = |before: u64| i128::from(joined) - i128::from(before);
    rows_a as i128 * more(a) + rows_b as i128 * more(b)
}

/// Generalizes the class and the stub of its nearest. A class with that tuple may be there already: the trunk itself,
/// or any other; then their rows are one class.
fn merge(plain: &Plain<'_>, classes: &mut Classes, tuple: &[Cell], rows: Vec<u32>, nearest: &Nearest) {
    let mut trunk = classes.remove(&nearest.tuple).unwrap();
    let stub: Vec<u32> = trunk.rows.drain(..nearest.stub).collect();
    if !trunk.rows.is_empty() {
        classes.insert(nearest.tuple.clone(), trunk);
    }
    let joined = plain.joined(tuple, &nearest.tuple);
    let cost = plain.cost(&joined);
    let class = classes.entry(joined).or_insert_with(|| Class { rows: Vec::new(), cost });
    class.rows.extend(rows);
    class.rows.extend(stub);
    class.rows.sort_unstable();
}
