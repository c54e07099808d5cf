//! KACA (paper 003; `algorithms.md` §5.4): small classes of equal tuples merge with the nearest class, or its stub.

use std::collections::BTreeMap;

use kohort::algorithm::{Quiet, Run};
use kohort::data::Cell;
use rand::{Rng, RngExt};

use super::Plain;
use super::repair::repair;

/// The rows of every class in ascending order, by the tuple under which they are published so far.
type Classes = BTreeMap<Vec<Cell>, Vec<u32>>;

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
        let rows = classes.remove(&tuple).unwrap();
        let nearest = nearest(plain, &classes, &tuple, rows.len());
        let far = threshold.is_some_and(|limit| nearest.distance > i128::from(limit));
        let others: Vec<u32> = classes.values().flatten().copied().collect();
        if far && suppressed + rows.len() <= budget && plain.holds(&others) {
            suppressed += rows.len();
        } else {
            merge(plain, &mut classes, &tuple, rows, &nearest);
        }
    }
    let mut clusters: Vec<Vec<u32>> = classes.into_values().collect();
    clusters.sort_by_key(|rows| rows[0]);
    repair(plain, clusters)
}

fn equal_rows(plain: &Plain<'_>) -> Classes {
    let mut classes = Classes::new();
    for row in 0..plain.table.rows as u32 {
        classes.entry(plain.leaf(row)).or_default().push(row);
    }
    classes
}

/// The tuple of a class that is too small, if there is one: drawn among all of these in the order of their tuples, or
/// by the fixed rule the smallest, then the first.
fn small_class(plain: &Plain<'_>, classes: &Classes, rng: Option<&mut impl Rng>) -> Option<Vec<Cell>> {
    let small: Vec<&Vec<Cell>> =
        classes.iter().filter(|(_, rows)| rows.len() < plain.k).map(|(tuple, _)| tuple).collect();
    if small.is_empty() {
        return None;
    }
    let chosen = match rng {
        Some(rng) => small[rng.random_range(0..small.len())],
        None => small.into_iter().min_by_key(|&tuple| (classes[tuple].len(), tuple)).unwrap(),
    };
    Some(chosen.clone())
}

/// Smallest distance, then fewer rows that take part, then first in the order of tuples.
fn nearest(plain: &Plain<'_>, others: &Classes, tuple: &[Cell], size: usize) -> Nearest {
    let candidates = others.iter().map(|(other, rows)| {
        // A large class gives only as many rows as are missing; its trunk keeps its tuple and is large enough.
        let stub = if size + rows.len() >= 2 * plain.k { plain.k - size } else { rows.len() };
        let distance = distance(plain, (tuple, size), (other, stub));
        Nearest { distance, stub, tuple: other.clone() }
    });
    candidates.min_by_key(|n| (n.distance, n.stub, n.tuple.clone())).unwrap()
}

/// Definition 10, from the tuples as they are now; negative under a measure that is not monotone.
fn distance(plain: &Plain<'_>, (a, rows_a): (&[Cell], usize), (b, rows_b): (&[Cell], usize)) -> i128 {
    let cost = |tuple: &[Cell]| i128::from(plain.cost(tuple));
    let joined = cost(&plain.joined(a, b));
    rows_a as i128 * (joined - cost(a)) + rows_b as i128 * (joined - cost(b))
}

/// Generalizes the class and the stub of its nearest. A class with that tuple may be there already: the trunk itself,
/// or any other; then their rows are one class.
fn merge(plain: &Plain<'_>, classes: &mut Classes, tuple: &[Cell], rows: Vec<u32>, nearest: &Nearest) {
    let mut trunk = classes.remove(&nearest.tuple).unwrap();
    let stub: Vec<u32> = trunk.drain(..nearest.stub).collect();
    if !trunk.is_empty() {
        classes.insert(nearest.tuple.clone(), trunk);
    }
    let class = classes.entry(plain.joined(tuple, &nearest.tuple)).or_default();
    class.extend(rows);
    class.extend(stub);
    class.sort_unstable();
}
