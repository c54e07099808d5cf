//! The nearest neighbours before anything is merged: the one search where clusters stand still.
//!
//! They are laid out in the order of their sizes and codes and cut into pages. Most attributes are the same all over a
//! page, and what these cost together with a cluster is a lower bound for the whole page. Pages are visited from the
//! cluster's own one outwards; most need not be opened, because the bound is more than the distance found already. Exact:
//! a page is left out only where none of its clusters can be as close.

use rayon::prelude::*;

use super::Cluster;
use super::metric::Metric;
use super::neighbours::Rank;
use crate::algorithm::pool::Tables;
use crate::data::Space;

/// Clusters on a page.
const PAGE: usize = 32;

/// Clusters of equal rows in the order in which they are laid out.
struct Pages<'a> {
    metric: &'a Metric,
    /// By attribute, as ranks.
    codes: Vec<Vec<u32>>,
    sizes: Vec<u32>,
    costs: Vec<u64>,
    keys: Vec<u32>,
    /// Per page: the attributes in which all its clusters agree, and whether they do in size and cost as well. Only then
    /// a bound on what they cost is one on how far away they are.
    agree: Vec<(Vec<(usize, u32)>, bool)>,
}

/// For every cluster the nearest among those of higher key.
pub(super) fn first_neighbours(space: &Space<'_>, metric: &Metric, start: &[Cluster]) -> Vec<Option<Rank>> {
    let (pages, order) = Pages::new(space, metric, start);
    let found: Vec<Option<Rank>> =
        (0..order.len()).into_par_iter().map(|place| pages.nearest(space, start, &order, place)).collect();
    let mut of_cluster = vec![None; start.len()];
    for (&at, rank) in order.iter().zip(found) {
        of_cluster[at as usize] = rank;
    }
    of_cluster
}

impl<'a> Pages<'a> {
    fn new(space: &Space<'_>, metric: &'a Metric, start: &[Cluster]) -> (Self, Vec<u32>) {
        // Attributes with few values first: then pages agree in most of them.
        let mut dims: Vec<usize> = (0..space.dims()).collect();
        dims.sort_by_key(|&dim| space.attribute(dim).present());
        let mut order: Vec<u32> = (0..start.len() as u32).collect();
        let cluster = |at: &u32| &start[*at as usize];
        order.sort_by_cached_key(|at| {
            let c = cluster(at);
            (c.rows.len(), space.cost(&c.tuple), dims.iter().map(|&d| c.tuple[d].lo).collect::<Vec<_>>())
        });
        let rank = |dim: usize, at: &u32| space.rank(dim, cluster(at).tuple[dim].lo);
        let column = |dim: usize| order.iter().map(|at| rank(dim, at)).collect();
        let codes: Vec<Vec<u32>> = (0..space.dims()).map(column).collect();
        let sizes: Vec<u32> = order.iter().map(|at| cluster(at).rows.len() as u32).collect();
        let costs: Vec<u64> = order.iter().map(|at| space.cost(&cluster(at).tuple)).collect();
        let keys = order.iter().map(|at| cluster(at).rows[0]).collect();
        let agree = (0..order.len().div_ceil(PAGE)).map(|page| {
            let places = page * PAGE..order.len().min((page + 1) * PAGE);
            let same = |column: &[u32]| column[places.clone()].iter().all(|&c| c == column[places.start]);
            let dims = (0..space.dims()).filter(|&dim| same(&codes[dim]));
            let cost = costs[places.start];
            let alike = same(&sizes) && costs[places.clone()].iter().all(|&c| c == cost);
            (dims.map(|dim| (dim, codes[dim][places.start])).collect(), alike)
        });
        let agree = agree.collect();
        (Self { metric, codes, sizes, costs, keys, agree }, order)
    }

    fn nearest(&self, space: &Space<'_>, start: &[Cluster], order: &[u32], place: usize) -> Option<Rank> {
        let tables = Tables::new(space, &start[order[place] as usize].tuple);
        let mine = (self.sizes[place], self.costs[place]);
        let mut best = (i64::MAX, u32::MAX, u32::MAX);
        for page in outwards(place / PAGE, self.agree.len()) {
            if self.can_have(&tables, mine, page, best.0) {
                self.open(&tables, mine, place, page, &mut best);
            }
        }
        (best.2 != u32::MAX).then_some(best)
    }

    /// Whether anybody on the page can be as close. No is certain.
    fn can_have(&self, tables: &Tables, mine: (u32, u64), page: usize, distance: i64) -> bool {
        let (dims, alike) = &self.agree[page];
        if !alike {
            return true;
        }
        let cost = |(dim, code): &(usize, u32)| u64::from(tables.columns()[*dim][*code as usize]);
        let joined = dims.iter().map(cost).sum();
        let first = page * PAGE;
        self.metric.can_be(mine, (self.sizes[first], self.costs[first]), joined, distance)
    }

    fn open(&self, tables: &Tables, mine: (u32, u64), place: usize, page: usize, best: &mut Rank) {
        let places = page * PAGE..self.keys.len().min((page + 1) * PAGE);
        let mut sums = [0u64; PAGE];
        for (codes, table) in self.codes.iter().zip(tables.columns()) {
            for (sum, &code) in sums.iter_mut().zip(&codes[places.clone()]) {
                *sum += u64::from(table[code as usize]);
            }
        }
        for (other, joined) in places.zip(sums) {
            let theirs = (self.sizes[other], self.costs[other]);
            if self.keys[other] > self.keys[place] && self.metric.can_be(mine, theirs, joined, best.0) {
                let distance = self.metric.of(mine, theirs, joined);
                *best = (*best).min((distance, mine.0 + theirs.0, self.keys[other]));
            }
        }
    }
}

/// All pages, from one outwards.
fn outwards(from: usize, pages: usize) -> impl Iterator<Item = usize> {
    let below = (0..from).rev().map(Some).chain(std::iter::repeat(None));
    let above = (from + 1..pages).map(Some).chain(std::iter::repeat(None));
    let pairs = below.zip(above).take(pages).flat_map(|(a, b)| [a, b]).flatten();
    std::iter::once(from).chain(pairs)
}
