//! The notions of Gionis et al. 2008 that publish a tuple of its own for every row (Algorithms 3 to 6; `algorithms.md` §7.2 to
//! §7.4, §10.6), and what an adversary sees in such tables.

use kohort::data::{Cell, Domain};

use super::{Plain, leaf};

fn rows(plain: &Plain<'_>) -> std::ops::Range<u32> {
    0..plain.table.rows as u32
}

/// Whether the row is consistent with the tuple: covering it would not change the tuple.
pub(crate) fn contains(plain: &Plain<'_>, tuple: &[Cell], row: u32) -> bool {
    (0..plain.dims()).all(|dim| plain.join(dim, tuple[dim], leaf(plain.code(dim, row))) == tuple[dim])
}

/// The first so many by rank, in any order.
fn lowest<T: Ord>(mut ranked: Vec<T>, count: usize) -> Vec<T> {
    if count < ranked.len() {
        ranked.select_nth_unstable(count);
        ranked.truncate(count);
    }
    ranked
}

/// What covering the row adds to the cost of the tuple; can be negative under a measure that is not monotone.
fn increase(plain: &Plain<'_>, tuple: &[Cell], row: u32) -> i128 {
    i128::from(plain.joined_cost(tuple, row)) - i128::from(plain.cost(tuple))
}

/// Algorithm 3: every row with its k - 1 nearest; among equally near ones first those equal to it, then lower rows.
pub(crate) fn k1_nearest(plain: &Plain<'_>) -> Vec<Vec<Cell>> {
    let tuple = |row: u32| {
        let own = plain.leaf(row);
        let rank = |j: u32| (plain.joined_cost(&own, j), !contains(plain, &own, j), j);
        let others = lowest(rows(plain).filter(|&j| j != row).map(rank).collect(), plain.k - 1);
        others.into_iter().fold(own, |tuple, (_, _, j)| plain.grown(&tuple, j))
    };
    rows(plain).map(tuple).collect()
}

/// Algorithm 4: every row takes in the row that makes its tuple cheapest until it has k; among equally cheap ones first
/// those already covered, then lower rows.
pub(crate) fn k1_expansion(plain: &Plain<'_>) -> Vec<Vec<Cell>> {
    rows(plain).map(|row| expanded(plain, row)).collect()
}

fn expanded(plain: &Plain<'_>, row: u32) -> Vec<Cell> {
    let mut taken = vec![row];
    let mut tuple = plain.leaf(row);
    while taken.len() < plain.k {
        let rank = |&j: &u32| (plain.joined_cost(&tuple, j), !contains(plain, &tuple, j), j);
        let Some(next) = rows(plain).filter(|j| !taken.contains(j)).min_by_key(rank) else { break };
        taken.push(next);
        tuple = plain.grown(&tuple, next);
    }
    tuple
}

/// Algorithm 5: rows that too few tuples cover grow as many as are missing, the cheapest ones, then the first.
pub(crate) fn one_k(plain: &Plain<'_>, mut tuples: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    let mut costs: Vec<u64> = tuples.iter().map(|tuple| plain.cost(tuple)).collect();
    for row in rows(plain) {
        let others: Vec<usize> = (0..tuples.len()).filter(|&j| !contains(plain, &tuples[j], row)).collect();
        let missing = plain.k.saturating_sub(tuples.len() - others.len());
        if missing == 0 {
            continue;
        }
        let more = |j: usize| i128::from(plain.joined_cost(&tuples[j], row)) - i128::from(costs[j]);
        for (_, j) in lowest(others.into_iter().map(|j| (more(j), j)).collect(), missing) {
            tuples[j] = plain.grown(&tuples[j], row);
            costs[j] = plain.cost(&tuples[j]);
        }
    }
    tuples
}

/// Algorithm 6: tuples grow until every row has matches enough, k of them and diverse ones.
///
/// Tuple j must cover row j. Where all tuples match a row and still do not suffice, none can: they stay as they are.
pub(crate) fn global(plain: &Plain<'_>, mut tuples: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    for row in rows(plain) {
        loop {
            let matched = matches_of(&consistency(plain, &tuples), row);
            if plain.holds(&matched) || another_match(plain, &mut tuples, row, &matched).is_none() {
                break;
            }
        }
    }
    tuples
}

/// Makes one more tuple a match of the row, if there is one, and says which: a neighbour by growing the row's own tuple, or where all
/// neighbours are matches already, another by growing both.
///
/// First those with a sensitive value that is still needed, but not before there are k matches; then the cheapest, then
/// the first.
pub(super) fn another_match(
    plain: &Plain<'_>,
    tuples: &mut [Vec<Cell>],
    row: u32,
    matched: &[u32],
) -> Option<u32> {
    let own = row as usize;
    let (neighbours, strangers): (Vec<u32>, Vec<u32>) =
        rows(plain).partition(|&j| contains(plain, &tuples[j as usize], row));
    let useless = |j: u32| matched.len() >= plain.k && !is_new(plain, matched, j);
    let grow_own = |&j: &u32| (useless(j), increase(plain, &tuples[own], j), j);
    let grow_both = |&j: &u32| {
        let both = increase(plain, &tuples[own], j) + increase(plain, &tuples[j as usize], row);
        (useless(j), both, j)
    };
    let neighbour = neighbours.into_iter().filter(|j| !matched.contains(j)).min_by_key(grow_own);
    let next = neighbour.or_else(|| strangers.into_iter().min_by_key(grow_both))?;
    tuples[own] = plain.grown(&tuples[own], next);
    // Nothing changes where it is a neighbour.
    tuples[next as usize] = plain.grown(&tuples[next as usize], row);
    Some(next)
}

/// Whether the row has a value that a sensitive column with too few different values lacks.
fn is_new(plain: &Plain<'_>, matched: &[u32], row: u32) -> bool {
    (0..plain.columns()).any(|s| {
        let values = plain.values(s, matched);
        values.len() < plain.p && !values.contains(&plain.kind(s, row))
    })
}

/// For every row the least cost of a permitted tuple that covers it and k rows in all, by trying all tuples.
pub(crate) fn k1_optimal(plain: &Plain<'_>) -> Vec<u64> {
    let cheapest = |row: u32| {
        let large =
            |tuple: &&Vec<Cell>| rows(plain).filter(|&j| contains(plain, tuple, j)).count() >= plain.k;
        tuples_above(plain, row).iter().filter(large).map(|tuple| plain.cost(tuple)).min().unwrap()
    };
    rows(plain).map(cheapest).collect()
}

/// All permitted tuples that cover the row.
pub(crate) fn tuples_above(plain: &Plain<'_>, row: u32) -> Vec<Vec<Cell>> {
    let mut tuples = vec![Vec::new()];
    for dim in 0..plain.dims() {
        let cells = cells_above(plain, dim, plain.code(dim, row));
        let with = |tuple: &Vec<Cell>| {
            cells.iter().map(|&cell| [tuple.as_slice(), &[cell]].concat()).collect::<Vec<_>>()
        };
        tuples = tuples.iter().flat_map(with).collect();
    }
    tuples
}

/// All permitted cells of one attribute that cover the value.
fn cells_above(plain: &Plain<'_>, dim: usize, code: u32) -> Vec<Cell> {
    match &plain.table.qi[dim].attribute.domain {
        Domain::Tree(h) => std::iter::successors(Some(code), |&node| h.parent(node)).map(leaf).collect(),
        Domain::Interval(n) => {
            let mut cells: Vec<Cell> = if code == n.len() {
                vec![leaf(code)]
            } else {
                (0..=code).flat_map(|lo| (code..n.len()).map(move |hi| Cell { lo, hi })).collect()
            };
            if n.has_missing() {
                cells.push(Cell { lo: 0, hi: n.len() });
            }
            cells
        }
    }
}

/// How many tuples every row is consistent with, and how many rows every tuple.
pub(crate) fn degrees(plain: &Plain<'_>, tuples: &[Vec<Cell>]) -> (Vec<usize>, Vec<usize>) {
    let of_row = |row: u32| tuples.iter().filter(|tuple| contains(plain, tuple, row)).count();
    let of_tuple = |tuple: &Vec<Cell>| rows(plain).filter(|&row| contains(plain, tuple, row)).count();
    (rows(plain).map(of_row).collect(), tuples.iter().map(of_tuple).collect())
}

/// For every row its matches (Definition 4.6): the tuples that can be its own while every other row has one of its own.
pub(crate) fn matches(plain: &Plain<'_>, tuples: &[Vec<Cell>]) -> Vec<Vec<usize>> {
    let graph = consistency(plain, tuples);
    let found = |row| matches_of(&graph, row).into_iter().map(|j| j as usize).collect();
    rows(plain).map(found).collect()
}

fn matches_of(graph: &[Vec<bool>], row: u32) -> Vec<u32> {
    let is_match =
        |&j: &u32| graph[row as usize][j as usize] && others_match(graph, row as usize, j as usize);
    (0..graph.len() as u32).filter(is_match).collect()
}

/// Whether row i is consistent with tuple j.
fn consistency(plain: &Plain<'_>, tuples: &[Vec<Cell>]) -> Vec<Vec<bool>> {
    rows(plain).map(|row| tuples.iter().map(|tuple| contains(plain, tuple, row)).collect()).collect()
}

/// Whether all other rows and all other tuples have a perfect matching.
fn others_match(graph: &[Vec<bool>], row: usize, tuple: usize) -> bool {
    let mut taken_by: Vec<Option<usize>> = vec![None; graph.len()];
    (0..graph.len()).filter(|&other| other != row).all(|other| {
        let mut tried = vec![false; graph.len()];
        tried[tuple] = true;
        settle(graph, other, &mut taken_by, &mut tried)
    })
}

/// Finds a tuple for the row, moving others to another one where it must.
fn settle(graph: &[Vec<bool>], row: usize, taken_by: &mut [Option<usize>], tried: &mut [bool]) -> bool {
    for tuple in (0..graph.len()).filter(|&tuple| graph[row][tuple]) {
        if tried[tuple] {
            continue;
        }
        tried[tuple] = true;
        if taken_by[tuple].is_none_or(|other| settle(graph, other, taken_by, tried)) {
            taken_by[tuple] = Some(row);
            return true;
        }
    }
    false
}

/// The probability of every tuple to be a row's own when all perfect matchings are equally likely. For up to 7 rows.
pub(crate) fn posterior(plain: &Plain<'_>, tuples: &[Vec<Cell>]) -> Vec<Vec<f64>> {
    let graph = consistency(plain, tuples);
    let mut counts = vec![vec![0u32; tuples.len()]; tuples.len()];
    let mut matchings = 0u32;
    permutations(tuples.len(), &mut Vec::new(), &mut |order| {
        if order.iter().enumerate().all(|(row, &tuple)| graph[row][tuple]) {
            matchings += 1;
            order.iter().enumerate().for_each(|(row, &tuple)| counts[row][tuple] += 1);
        }
    });
    let share = |&count: &u32| f64::from(count) / f64::from(matchings);
    counts.iter().map(|row| row.iter().map(share).collect()).collect()
}

fn permutations(length: usize, begun: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
    if begun.len() == length {
        return visit(begun);
    }
    for next in 0..length {
        if !begun.contains(&next) {
            begun.push(next);
            permutations(length, begun, visit);
            begun.pop();
        }
    }
}
