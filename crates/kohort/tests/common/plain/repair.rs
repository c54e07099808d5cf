//! Repair by merging (`algorithms.md` §8, b): classes that do not hold grow until all do.

use super::Plain;

/// The clusters after merging. A union stands in the lower of the two places, and later clusters move up.
///
/// A single cluster that does not hold stays as it is: then no clustering of these rows holds.
pub(crate) fn repair(plain: &Plain<'_>, mut clusters: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    while clusters.len() > 1
        && let Some(violating) = clusters.iter().position(|cluster| !plain.holds(cluster))
    {
        let partner = partner(plain, &clusters, violating);
        let moved = clusters.remove(violating.max(partner));
        clusters[violating.min(partner)].extend(moved);
    }
    clusters
}

/// Smallest remaining deficit, then smallest increase of the loss, then smaller cluster, then earlier cluster.
fn partner(plain: &Plain<'_>, clusters: &[Vec<u32>], violating: usize) -> usize {
    let rank = |&other: &usize| {
        let union = [clusters[violating].as_slice(), &clusters[other]].concat();
        let increase = plain.loss(&union) - plain.loss(&clusters[violating]) - plain.loss(&clusters[other]);
        (deficit(plain, &union), increase, clusters[other].len(), other)
    };
    (0..clusters.len()).filter(|&other| other != violating).min_by_key(rank).unwrap()
}

/// How many rows, and how many different values in every sensitive column, a class lacks.
fn deficit(plain: &Plain<'_>, rows: &[u32]) -> usize {
    let lacking = |s: usize| plain.p.saturating_sub(plain.values(s, rows).len());
    let values = if plain.p > 1 { (0..plain.columns()).map(lacking).sum() } else { 0 };
    plain.k.saturating_sub(rows.len()) + values
}
