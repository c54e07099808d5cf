//! The agglomerative algorithms (Gionis et al. 2008, Algorithms 1 and 2; `algorithms.md` §7.1): the two closest clusters merge,
//! and a cluster leaves once it has k rows. Equal rows are one cluster from the start and may lend, or are nothing special (§10.2).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use kohort::algorithm::EqualRows;
use kohort::data::Cell;

use super::Plain;
use super::repair::repair;

/// One of the four distance functions of section V-A.2, by its number; only the fourth has an epsilon, which must be
/// greater than 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ruler {
    pub(crate) function: u8,
    pub(crate) epsilon: f64,
}

/// A distance in fixed-point units; the fourth is a ratio and has none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Distance {
    Exact(i128),
    Real(f64),
}

/// Rows in ascending order, and what publishing them as one class means for each of them.
#[derive(Clone)]
pub(super) struct Cluster {
    pub(super) rows: Vec<u32>,
    pub(super) tuple: Vec<Cell>,
    pub(super) cost: u64,
}

/// What becomes of equal rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Equal {
    /// Algorithms 1 and 2 as they are printed.
    Literal,
    /// One cluster from the start, ripe if they are k or more.
    Whole,
    /// The same, and those of more than k lend what they have beyond k.
    Lending,
}

/// The clusters in the order in which they ripened; where equal rows may lend, with loans or without, whatever costs less.
pub(crate) fn agglomerative(
    plain: &Plain<'_>,
    function: u8,
    epsilon: f64,
    modified: bool,
    equal_rows: EqualRows,
) -> Vec<Vec<u32>> {
    let ruler = Ruler { function, epsilon };
    let clusters = |equal: Equal| {
        let (ripe, left) = ripen(plain, ruler, modified, equal);
        finished(plain, ruler, ripe, left)
    };
    if equal_rows == EqualRows::Literal {
        return clusters(Equal::Literal);
    }
    cheaper(plain, clusters(Equal::Lending), clusters(Equal::Whole))
}

/// The second list of clusters only where it costs less.
pub(super) fn cheaper(plain: &Plain<'_>, a: Vec<Vec<u32>>, b: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    if plain.total(&b) < plain.total(&a) { b } else { a }
}

/// Leftover rows join ripe clusters, and what does not hold is merged.
pub(super) fn finished(
    plain: &Plain<'_>,
    ruler: Ruler,
    mut ripe: Vec<Vec<u32>>,
    left: Vec<u32>,
) -> Vec<Vec<u32>> {
    if ripe.is_empty() {
        // Fewer than k rows in all.
        return vec![left];
    }
    for row in left {
        disperse(plain, ruler, &mut ripe, row);
    }
    repair(plain, ripe)
}

/// The ripe clusters before any leftover row joins one of them, and the leftover rows in ascending order: they are
/// fewer than k.
pub(crate) fn ripen(
    plain: &Plain<'_>,
    ruler: Ruler,
    modified: bool,
    equal: Equal,
) -> (Vec<Vec<u32>>, Vec<u32>) {
    let (mut ripe, mut active) = start(plain, equal);
    let mut lenders = if equal == Equal::Lending { lenders(plain, &ripe) } else { Vec::new() };
    loop {
        let pair = (active.len() > 1).then(|| closest(plain, ruler, &active));
        let loan = closest_loan(plain, ruler, &active, &ripe, &lenders);
        if let Some(loan) = loan.filter(|loan| pair.is_none_or(|pair| loan.is_closer(plain.k, &pair))) {
            let lacking = plain.k - active[loan.borrower].rows.len();
            let rest = of_rows(plain, ripe[loan.lender].rows[lacking..].to_vec());
            if !plain.diverse(&rest.rows) {
                lenders.retain(|&lender| lender != loan.lender);
                continue;
            }
            let rows = [&active.remove(loan.borrower).rows[..], &ripe[loan.lender].rows[..lacking]].concat();
            ripe[loan.lender] = rest;
            ripe.push(of_rows(plain, rows));
            continue;
        }
        let Some((_, _, (lower, higher))) = pair else { break };
        let second = active.remove(higher);
        let mut union = union(plain, &active.remove(lower), &second);
        while modified && union.rows.len() > plain.k {
            let row = spare(plain, &union.rows);
            active.push(of_rows(plain, vec![row]));
            union = of_rows(plain, without(&union.rows, row));
        }
        if union.rows.len() < plain.k { active.push(union) } else { ripe.push(union) }
    }
    let left = active.pop().map_or(Vec::new(), |cluster| cluster.rows);
    (ripe.into_iter().map(|cluster| cluster.rows).collect(), left)
}

/// The ripe clusters and the others before anything is merged.
pub(super) fn start(plain: &Plain<'_>, equal: Equal) -> (Vec<Cluster>, Vec<Cluster>) {
    if equal == Equal::Literal {
        let rows = (0..plain.table.rows as u32).map(|row| of_rows(plain, vec![row]));
        return rows.partition(|_| plain.k <= 1);
    }
    equal_rows_first(plain)
}

/// The places of those who have rows to lend: more than k, diverse by themselves.
pub(super) fn lenders(plain: &Plain<'_>, ripe: &[Cluster]) -> Vec<usize> {
    let lends = |at: &usize| ripe[*at].rows.len() > plain.k && plain.diverse(&ripe[*at].rows);
    (0..ripe.len()).filter(lends).collect()
}

/// Who borrows, by place among the active clusters, and from whom, by place among the ripe ones.
#[derive(Clone, Copy)]
pub(super) struct Loan {
    distance: Distance,
    pub(super) borrower: usize,
    pub(super) lender: usize,
}

impl Loan {
    /// Two clusters that are as close come first.
    pub(super) fn is_closer<T>(&self, k: usize, pair: &(Distance, (usize, u32, u32), T)) -> bool {
        compare(self.distance, pair.0).then(k.cmp(&(pair.1.0))).is_lt()
    }
}

/// The closest: then the borrower of lower row, then the earlier lender. What is borrowed makes k.
pub(super) fn closest_loan(
    plain: &Plain<'_>,
    ruler: Ruler,
    active: &[Cluster],
    ripe: &[Cluster],
    lenders: &[usize],
) -> Option<Loan> {
    let all = (0..active.len()).flat_map(|a| lenders.iter().map(move |&l| (a, l)));
    let possible = all.filter(|&(a, l)| active[a].rows.len() + ripe[l].rows.len() >= 2 * plain.k);
    let loans = possible.map(|(borrower, lender)| {
        let (mine, lacking) = (&active[borrower], plain.k - active[borrower].rows.len());
        let joined = plain.joint_cost(&mine.tuple, &ripe[lender].tuple);
        let sides = [(mine.rows.len(), mine.cost), (lacking, ripe[lender].cost), (plain.k, joined)];
        Loan { distance: by_formula(plain, ruler, sides), borrower, lender }
    });
    let tie = |loan: &Loan| (active[loan.borrower].rows[0], loan.lender);
    loans.min_by(|x, y| compare(x.distance, y.distance).then_with(|| tie(x).cmp(&tie(y))))
}

/// All equal rows are one cluster, ripe if they are k or more. Both by lowest row.
pub(super) fn equal_rows_first(plain: &Plain<'_>) -> (Vec<Cluster>, Vec<Cluster>) {
    let mut equal: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for row in 0..plain.table.rows as u32 {
        let values = plain.table.qi.iter().map(|q| q.codes.get(row as usize)).collect();
        equal.entry(values).or_default().push(row);
    }
    let mut lists: Vec<Vec<u32>> = equal.into_values().collect();
    lists.sort_unstable();
    lists.into_iter().map(|rows| of_rows(plain, rows)).partition(|cluster| cluster.rows.len() >= plain.k)
}

/// Distance, rows together and lowest rows of a pair, and its places.
type RankedPair = (Distance, (usize, u32, u32), (usize, usize));

/// The two clusters to merge: smallest distance, then fewer rows together, then the lowest row of both,
/// then the lowest row of the other one.
fn closest(plain: &Plain<'_>, ruler: Ruler, active: &[Cluster]) -> RankedPair {
    let pairs = (0..active.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let ranked = pairs.map(|(a, b)| {
        let (first, second) = (&active[a], &active[b]);
        let keys = [first.rows[0], second.rows[0]];
        let size = first.rows.len() + second.rows.len();
        let tie = (size, keys[0].min(keys[1]), keys[0].max(keys[1]));
        (between(plain, ruler, first, second), tie, (a, b))
    });
    ranked.min_by(|x, y| compare(x.0, y.0).then(x.1.cmp(&y.1))).unwrap()
}

/// The row to take out of a cluster that is too large: what stays is cheapest, then the lowest row. For all four
/// distances this is the row farthest from the rest in the sense of Algorithm 2.
pub(crate) fn spare(plain: &Plain<'_>, rows: &[u32]) -> u32 {
    *rows.iter().min_by_key(|&&row| (plain.cost(&plain.closure(&without(rows, row))), row)).unwrap()
}

pub(super) fn without(rows: &[u32], row: u32) -> Vec<u32> {
    rows.iter().copied().filter(|&r| r != row).collect()
}

/// Smallest distance, then smaller cluster, then earlier cluster.
fn disperse(plain: &Plain<'_>, ruler: Ruler, ripe: &mut [Vec<u32>], row: u32) {
    let ranked =
        ripe.iter().enumerate().map(|(c, rows)| (distance(plain, ruler, &[row], rows), rows.len(), c));
    let nearest = ranked.min_by(|x, y| compare(x.0, y.0).then((x.1, x.2).cmp(&(y.1, y.2)))).unwrap().2;
    ripe[nearest].push(row);
}

/// The distance between two sets of rows.
pub(crate) fn distance(plain: &Plain<'_>, ruler: Ruler, a: &[u32], b: &[u32]) -> Distance {
    between(plain, ruler, &of_rows(plain, a.to_vec()), &of_rows(plain, b.to_vec()))
}

/// Equations (8) to (11). The paper's cost of a row is the mean over its attributes, ours is the sum: that changes the
/// unit of the first three and would change the weight of epsilon.
fn between(plain: &Plain<'_>, ruler: Ruler, a: &Cluster, b: &Cluster) -> Distance {
    let union = union(plain, a, b);
    let size_and_cost = |cluster: &Cluster| (cluster.rows.len(), cluster.cost);
    by_formula(plain, ruler, [a, b, &union].map(size_and_cost))
}

/// From the number of rows and the cost of a row of both and of their union.
pub(super) fn by_formula(plain: &Plain<'_>, ruler: Ruler, [a, b, union]: [(usize, u64); 3]) -> Distance {
    let loss = |(rows, cost): (usize, u64)| rows as i128 * i128::from(cost);
    let more = i128::from(union.1) - i128::from(a.1) - i128::from(b.1);
    match ruler.function {
        1 => Distance::Exact(loss(union) - loss(a) - loss(b)),
        2 => Distance::Exact(more),
        3 => Distance::Real(more as f64 / (union.0 as f64).ln()),
        4 => {
            let epsilon = ruler.epsilon * plain.dims() as f64 * f64::from(plain.scale);
            Distance::Real(union.1 as f64 / ((a.1 + b.1) as f64 + epsilon))
        }
        other => panic!("there is no distance function {other}"),
    }
}

/// Only distances of one function are ever compared.
pub(super) fn compare(a: Distance, b: Distance) -> Ordering {
    match (a, b) {
        (Distance::Exact(a), Distance::Exact(b)) => a.cmp(&b),
        (Distance::Real(a), Distance::Real(b)) => a.total_cmp(&b),
        _ => panic!("{a:?} and {b:?} are distances of two functions"),
    }
}

pub(super) fn of_rows(plain: &Plain<'_>, rows: Vec<u32>) -> Cluster {
    let tuple = plain.closure(&rows);
    Cluster { cost: plain.cost(&tuple), tuple, rows }
}

pub(super) fn union(plain: &Plain<'_>, a: &Cluster, b: &Cluster) -> Cluster {
    let mut rows = [a.rows.as_slice(), &b.rows].concat();
    rows.sort_unstable();
    rows.dedup();
    let tuple = plain.joined(&a.tuple, &b.tuple);
    Cluster { cost: plain.cost(&tuple), tuple, rows }
}
