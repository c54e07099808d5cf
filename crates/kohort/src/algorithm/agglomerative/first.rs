//! The nearest neighbours before anything is merged: the one search where clusters stand still.
//!
//! They are laid out so that neighbours have much in common: halved again and again, each time along the attribute whose
//! values cost most together. The result is cut into pages. A page knows between which values its clusters lie, attribute by
//! attribute, so what a cluster costs together with the nearest of these values is a lower bound for the whole page. Pages
//! are visited from the cluster's own one outwards; most need not be opened, because the bound is more than the distance
//! found already. Exact: a page is left out only where none of its clusters can be as close.
//!
//! What is asked for is the nearest of *higher* key, but the nearest of all is found much sooner, having somebody close by.
//! Where it has a lower key it is a lower bound, and usually the two are merged before anybody asks for more.

use rayon::prelude::*;

use super::Cluster;
use super::metric::{FARTHEST, Metric};
use super::neighbours::Rank;
use crate::algorithm::Run;
use crate::algorithm::free_rows::Tables;
use crate::algorithm::scan::add_up;
use crate::data::Cell;
use crate::error::Result;
use crate::space::Space;

/// Clusters on a page.
const PAGE: usize = 16;

/// Pages whose clusters are looked up one after the other, which saves most of their tables.
const TASK: usize = 8;

/// Between which values, as ranks, the clusters of a page lie.
#[derive(Clone, Copy)]
struct Span {
    dim: usize,
    from: u32,
    to: u32,
}

/// Clusters of equal rows in the order in which they are laid out.
struct Pages<'a> {
    space: &'a Space<'a>,
    metric: &'a Metric,
    /// By attribute and page, as ranks. The last page is filled up with its last cluster.
    codes: Vec<Vec<[u32; PAGE]>>,
    sizes: Vec<u32>,
    costs: Vec<u64>,
    keys: Vec<u32>,
    bounds: Vec<Bounds>,
}

/// Between what the clusters of a page lie.
struct Bounds {
    spans: Vec<Span>,
    /// With the fewest and with the most rows, both as costly as any: nobody is closer than one of them would be.
    closest: [(u32, u64); 2],
}

/// How close a neighbour is: distance, size of the union, whether its key is lower, its key. So of those that are equally
/// close the first one of higher key comes first, if there is any.
type Found = (i64, u32, bool, u32);

/// Nobody was found.
const NOBODY: Found = (FARTHEST, u32::MAX, true, u32::MAX);

/// What is known of the nearest neighbour of higher key.
#[derive(Clone, Copy)]
pub(super) enum First {
    /// There is no other cluster.
    Nobody,
    /// All are at least as far away as this.
    Bound(Rank),
    /// This is it.
    Exact(Rank),
}

/// For every cluster the nearest among those of higher key, or a bound; nobody is found any more once time is up.
pub(super) fn first_neighbours(
    space: &Space<'_>,
    metric: &Metric,
    start: &[Cluster],
    run: &Run<'_>,
) -> Result<Vec<First>> {
    let order = laid_out(space, start);
    let pages = Pages::new(space, metric, start, &order);
    let places: Vec<usize> = (0..order.len()).collect();
    let of_some = |places: &[usize]| {
        if run.time_is_up()? {
            return Ok(vec![First::Nobody; places.len()]);
        }
        Ok(pages.all(start, &order, places))
    };
    let found: Vec<Vec<First>> = places.par_chunks(PAGE * TASK).map(of_some).collect::<Result<_>>()?;
    let mut of_cluster = vec![First::Nobody; start.len()];
    for (&at, first) in order.iter().zip(found.into_iter().flatten()) {
        of_cluster[at as usize] = first;
    }
    Ok(of_cluster)
}

/// The clusters by size and cost, and among equals by where they lie.
fn laid_out(space: &Space<'_>, start: &[Cluster]) -> Vec<u32> {
    let kind = |at: u32| {
        let cluster = &start[at as usize];
        (cluster.rows.len(), space.cost(&cluster.tuple))
    };
    let mut keyed: Vec<_> = (0..start.len() as u32).map(|at| (kind(at), at)).collect();
    keyed.sort_unstable();
    let mut order: Vec<u32> = keyed.iter().map(|(_, at)| *at).collect();
    let mut done = 0;
    for equals in keyed.chunk_by(|a, b| a.0 == b.0) {
        halve(space, start, &mut order[done..done + equals.len()]);
        done += equals.len();
    }
    order
}

/// Halves clusters along the attribute whose values cost most together, and each half again.
fn halve(space: &Space<'_>, start: &[Cluster], some: &mut [u32]) {
    if some.len() <= PAGE {
        return;
    }
    let value = |at: u32, dim: usize| start[at as usize].tuple[dim].lo;
    let spread = |dim: usize| {
        let leaf = |code: Option<u32>| space.attribute(dim).leaf(code.unwrap_or(0));
        let least = some.iter().map(|&at| value(at, dim)).min();
        let most = some.iter().map(|&at| value(at, dim)).max();
        space.cell_cost(dim, space.join_cell(dim, leaf(least), leaf(most)))
    };
    let widest = (0..space.dims()).max_by_key(|&dim| (spread(dim), std::cmp::Reverse(dim))).unwrap_or(0);
    // Whole pages on the left.
    let middle = (some.len() / 2).next_multiple_of(PAGE).min(some.len() - 1);
    some.select_nth_unstable_by_key(middle, |&at| (value(at, widest), at));
    let (left, right) = some.split_at_mut(middle);
    halve(space, start, left);
    halve(space, start, right);
}

impl<'a> Pages<'a> {
    fn new(space: &'a Space<'a>, metric: &'a Metric, start: &[Cluster], order: &[u32]) -> Self {
        let cluster = |at: &u32| &start[*at as usize];
        let rank = |dim: usize, at: &u32| space.rank(dim, cluster(at).tuple[dim].lo);
        let page =
            |dim: usize, some: &[u32]| std::array::from_fn(|i| rank(dim, &some[i.min(some.len() - 1)]));
        let column = |dim: usize| order.chunks(PAGE).map(|some| page(dim, some)).collect();
        let mut pages = Self {
            space,
            metric,
            codes: (0..space.dims()).map(column).collect(),
            sizes: order.iter().map(|at| cluster(at).rows.len() as u32).collect(),
            costs: order.iter().map(|at| space.cost(&cluster(at).tuple)).collect(),
            keys: order.iter().map(|at| cluster(at).rows[0]).collect(),
            bounds: Vec::new(),
        };
        pages.bounds = (0..order.len().div_ceil(PAGE)).map(|page| pages.of_page(page)).collect();
        pages
    }

    fn places(&self, page: usize) -> std::ops::Range<usize> {
        page * PAGE..self.keys.len().min((page + 1) * PAGE)
    }

    fn of_page(&self, page: usize) -> Bounds {
        let span = |dim: usize| {
            let (from, to) = ends(&self.codes[dim][page]);
            // Where a larger cell can be cheaper, values between two others tell nothing about these.
            (from == to || self.space.is_monotone()).then_some(Span { dim, from, to })
        };
        let (fewest, most) = ends(&self.sizes[self.places(page)]);
        let (_, costliest) = ends(&self.costs[self.places(page)]);
        Bounds {
            spans: (0..self.codes.len()).filter_map(span).collect(),
            closest: [(fewest, costliest), (most, costliest)],
        }
    }

    /// The nearest neighbours of some clusters that lie close together.
    fn all(&self, start: &[Cluster], order: &[u32], places: &[usize]) -> Vec<First> {
        let tuple = |place: usize| start[order[place] as usize].tuple.as_slice();
        let mut before: &[Cell] = tuple(places[0]);
        let mut tables = Tables::new(self.space, before);
        let mut found = Vec::with_capacity(places.len());
        for &place in places {
            tables.update(self.space, before, tuple(place));
            before = tuple(place);
            found.push(self.nearest(&tables, place));
        }
        found
    }

    fn nearest(&self, tables: &Tables, place: usize) -> First {
        let mut best = NOBODY;
        for page in outwards(place / PAGE, self.bounds.len()) {
            let mine = self.kind(place);
            let [few, many] = self.bounds[page].closest;
            let limit = self.metric.most(mine, few, best.0).max(self.metric.most(mine, many, best.0));
            if self.least(tables, place, page) as f64 <= limit {
                self.open(tables, place, page, limit, &mut best);
            }
        }
        match best {
            NOBODY => First::Nobody,
            // No key is lower than 0: a rank that sorts before those of all who are as close.
            (distance, size, true, _) => First::Bound((distance, size, 0)),
            (distance, size, false, key) => First::Exact((distance, size, key)),
        }
    }

    fn kind(&self, place: usize) -> (u32, u64) {
        (self.sizes[place], self.costs[place])
    }

    /// What a union with anybody on the page costs at least.
    fn least(&self, tables: &Tables, place: usize, page: usize) -> u64 {
        let nearest = |span: &Span| {
            let rank = self.codes[span.dim][place / PAGE][place % PAGE].clamp(span.from, span.to);
            u64::from(tables.columns()[span.dim][rank as usize])
        };
        self.bounds[page].spans.iter().map(nearest).sum()
    }

    /// Looks at all on the page whose union costs no more than the limit.
    fn open(&self, tables: &Tables, place: usize, page: usize, limit: f64, best: &mut Found) {
        let (mine, places) = (self.kind(place), self.places(page));
        let mut sums = [0u64; PAGE];
        for (codes, table) in self.codes.iter().zip(tables.columns()) {
            add_up(&mut sums, &codes[page], table);
        }
        for (other, joined) in places.zip(sums) {
            if joined as f64 <= limit && other != place {
                let theirs = self.kind(other);
                let (distance, key) = (self.metric.of(mine, theirs, joined), self.keys[other]);
                *best = (*best).min((distance, mine.0 + theirs.0, key < self.keys[place], key));
            }
        }
    }
}

/// The least and the greatest.
fn ends<T: Ord + Copy + Default>(some: &[T]) -> (T, T) {
    let least = some.iter().min().copied().unwrap_or_default();
    (least, some.iter().max().copied().unwrap_or_default())
}

/// All pages, from one outwards.
fn outwards(from: usize, pages: usize) -> impl Iterator<Item = usize> {
    let below = (0..from).rev().map(Some).chain(std::iter::repeat(None));
    let above = (from + 1..pages).map(Some).chain(std::iter::repeat(None));
    let pairs = below.zip(above).take(pages).flat_map(|(a, b)| [a, b]).flatten();
    std::iter::once(from).chain(pairs)
}
