//! The agglomerative algorithms as anybody would write them who needs the result (`algorithms.md` §10.3): every cluster
//! remembers its nearest, so that a merge costs one look at all clusters instead of one at all pairs.
//!
//! The same merges as [`super::agglomerative`], and the fair opponent of the shipped form: rows, one by one, by scans.

use std::cmp::Ordering;

use super::Plain;
use super::agglomerative::{
    Cluster, Distance, Equal, Loan, Ruler, by_formula, cheaper, closest_loan, compare, finished, lenders,
    of_rows, spare, start, union, without,
};
use kohort::algorithm::EqualRows;

/// How good a pair is: distance, then rows together, lowest row of both, lowest row of the other.
type Rank = (Distance, usize, u32, u32);

/// A cluster and the best pair it is part of; none while it is alone.
struct Node {
    cluster: Cluster,
    best: Option<Rank>,
    /// Whether the other of the pair is gone: then no pair of this cluster is better, but there may be none as good.
    stale: bool,
}

/// The clusters in the order in which they ripened.
pub(crate) fn agglomerative_cached(
    plain: &Plain<'_>,
    function: u8,
    epsilon: f64,
    modified: bool,
    equal_rows: EqualRows,
) -> Vec<Vec<u32>> {
    let ruler = Ruler { function, epsilon };
    if equal_rows == EqualRows::Literal {
        return clusters(plain, ruler, modified, Equal::Literal);
    }
    let lent = clusters(plain, ruler, modified, Equal::Lending);
    cheaper(plain, lent, clusters(plain, ruler, modified, Equal::Whole))
}

fn clusters(plain: &Plain<'_>, ruler: Ruler, modified: bool, equal: Equal) -> Vec<Vec<u32>> {
    let (mut ripe, start) = start(plain, equal);
    let mut lenders = if equal == Equal::Lending { lenders(plain, &ripe) } else { Vec::new() };
    let mut active: Vec<Node> = Vec::new();
    for cluster in start {
        insert(plain, ruler, &mut active, cluster);
    }
    loop {
        let pair = (active.len() > 1).then(|| closest(plain, ruler, &mut active));
        if let Some(loan) = loan(plain, ruler, pair, &active, &ripe, &lenders) {
            let borrower = active[loan.borrower].cluster.rows.clone();
            let lacking = plain.k - borrower.len();
            let rest = ripe[loan.lender].rows[lacking..].to_vec();
            if !plain.diverse(&rest) {
                lenders.retain(|&lender| lender != loan.lender);
                continue;
            }
            take(&mut active, borrower[0]);
            let rows = [&borrower[..], &ripe[loan.lender].rows[..lacking]].concat();
            ripe[loan.lender] = of_rows(plain, rest);
            ripe.push(of_rows(plain, rows));
            continue;
        }
        let Some((.., a, b)) = pair else { break };
        let (first, second) = (take(&mut active, a), take(&mut active, b));
        let mut union = union(plain, &first, &second);
        while modified && union.rows.len() > plain.k {
            let row = spare(plain, &union.rows);
            insert(plain, ruler, &mut active, of_rows(plain, vec![row]));
            union = of_rows(plain, without(&union.rows, row));
        }
        if union.rows.len() < plain.k {
            insert(plain, ruler, &mut active, union);
        } else {
            ripe.push(union);
        }
    }
    let left = active.pop().map_or(Vec::new(), |node| node.cluster.rows);
    finished(plain, ruler, ripe.into_iter().map(|cluster| cluster.rows).collect(), left)
}

/// The closest loan, if it is closer than the pair.
fn loan(
    plain: &Plain<'_>,
    ruler: Ruler,
    pair: Option<Rank>,
    active: &[Node],
    ripe: &[Cluster],
    lenders: &[usize],
) -> Option<Loan> {
    if lenders.is_empty() {
        return None;
    }
    let clusters: Vec<Cluster> = active.iter().map(|node| node.cluster.clone()).collect();
    let loan = closest_loan(plain, ruler, &clusters, ripe, lenders);
    loan.filter(|loan| pair.is_none_or(|(d, size, a, b)| loan.is_closer(plain.k, &(d, (size, a, b), ()))))
}

fn rank(plain: &Plain<'_>, ruler: Ruler, a: &Cluster, b: &Cluster) -> Rank {
    let size = a.rows.len() + b.rows.len();
    let joined = plain.joint_cost(&a.tuple, &b.tuple);
    let distance = by_formula(plain, ruler, [(a.rows.len(), a.cost), (b.rows.len(), b.cost), (size, joined)]);
    (distance, size, a.rows[0].min(b.rows[0]), a.rows[0].max(b.rows[0]))
}

fn order(a: &Rank, b: &Rank) -> Ordering {
    compare(a.0, b.0).then_with(|| (a.1, a.2, a.3).cmp(&(b.1, b.2, b.3)))
}

/// Takes the rank where it is better than the one that is remembered. What is remembered of a pair that is gone is as
/// good as any other pair can be.
fn offer(node: &mut Node, rank: Rank) {
    if node.best.is_none_or(|best| order(&rank, &best) == Ordering::Less) {
        node.best = Some(rank);
        node.stale = false;
    }
}

/// Adds a cluster: one look at all others.
fn insert(plain: &Plain<'_>, ruler: Ruler, active: &mut Vec<Node>, cluster: Cluster) {
    let mut node = Node { cluster, best: None, stale: false };
    for other in active.iter_mut() {
        let rank = rank(plain, ruler, &node.cluster, &other.cluster);
        offer(&mut node, rank);
        offer(other, rank);
    }
    active.push(node);
}

/// The two clusters to merge. Only who seems to be in the best pair, and is not, must look again.
fn closest(plain: &Plain<'_>, ruler: Ruler, active: &mut [Node]) -> Rank {
    loop {
        let ranked = (0..active.len()).filter_map(|at| Some((active[at].best?, at)));
        let (best, at) = ranked.min_by(|a, b| order(&a.0, &b.0)).unwrap();
        if !active[at].stale {
            return best;
        }
        let others = (0..active.len()).filter(|&other| other != at);
        let ranks = others.map(|other| rank(plain, ruler, &active[at].cluster, &active[other].cluster));
        active[at].best = ranks.min_by(order);
        active[at].stale = false;
    }
}

/// Removes the cluster with this lowest row; whoever remembers a pair with it must know.
fn take(active: &mut Vec<Node>, lowest: u32) -> Cluster {
    let at = active.iter().position(|node| node.cluster.rows[0] == lowest).unwrap();
    let gone = active.swap_remove(at).cluster;
    for node in active.iter_mut() {
        node.stale |= node.best.is_some_and(|best| best.2 == lowest || best.3 == lowest);
    }
    gone
}
