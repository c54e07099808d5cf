//! OKA, the one-pass k-means algorithm (Lin and Wei 2008, as described in Kabir et al. 2011, §2.2).
//!
//! ⌊n/k⌋ rows are taken as seeds. Every other row joins the nearest cluster, whose centre moves (stage 1). Clusters of more
//! than k rows then give up those farthest from their centre, which join the nearest cluster that lacks rows, or the
//! nearest of all (stage 2).
//!
//! *Reading* (`algorithms.md` §5.2): rows are processed in sorted order; with seed 0 every k-th sorted row is a seed,
//! otherwise seeds are drawn. A centre has the lowest common ancestor for hierarchies and the mean for numbers; rows
//! without a number do not move the mean. The distance of a number to a mean is their difference over the range,
//! in units of what the whole range costs; between "no value" and a value it is that of `*`. In stage 2 distances are to
//! the centre at the end of stage 1, then the centre is that of the k rows that stay. Models beyond k are
//! repaired by merging.
//!
//! *Complexity* O(n²/k). *Guarantee*: every cluster has at least k rows: all places below k are filled before any other,
//! and the rows given up are at least as many. NearPairs: smaller cluster, then earlier cluster; of equally far rows the later
//! in sorted order goes.

use std::cmp::Reverse;

use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;

use super::cluster_scan::{Cells, cost};
use super::finish_with_mondrian::finish_with_mondrian;
use super::repair::repair;
use super::scan::scan;
use super::{Algorithm, AlgorithmEntry, Problem, Run};
use crate::data::{Cell, Domain, Numbers};
use crate::demand::Notion;
use crate::error::Result;
use crate::solution::Solution;
use crate::space::Space;

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "oka",
    about: "one pass of k-means around sorted seeds, then the farthest rows move",
    source: "Lin and Wei 2008",
    complexity: "O(n²/k)",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[],
    make: |settings| {
        settings.check(ENTRY.name, &[])?;
        Ok(Box::new(Oka))
    },
};

/// One-pass k-means.
pub struct Oka;

impl Oka {
    /// The places of the seeds in the sorted table, ascending.
    fn seeds(rows: usize, k: usize, run: &Run<'_>) -> Vec<usize> {
        let clusters = rows / k;
        let Some(mut rng) = run.rng(4) else { return (0..clusters).map(|i| i * k).collect() };
        let mut seeds: Vec<usize> = (0..rows).collect();
        seeds.shuffle(&mut rng);
        seeds.truncate(clusters);
        seeds.sort_unstable();
        seeds
    }
}

impl Algorithm for Oka {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let k = problem.demands.k() as usize;
        let sorted = super::sorted_rows(problem.space);
        let total = sorted.len();
        let late = || finish_with_mondrian(problem, run, Vec::new(), &(0..total as u32).collect::<Vec<_>>());
        let seeds = Self::seeds(total, k, run);
        let mut clusters = Clusters::new(problem.space, sorted, seeds.len());
        seeds.iter().enumerate().for_each(|(c, &place)| clusters.add(c, place));
        let mut is_seed = vec![false; total];
        for &place in &seeds {
            is_seed[place] = true;
        }
        for place in (0..total).filter(|&place| !is_seed[place]) {
            if run.time_is_up()? {
                return late();
            }
            let nearest = clusters.nearest(place, usize::MAX);
            clusters.add(nearest, place);
            run.watch.progress(place as u64, total as u64);
        }
        let mut lacking: usize = clusters.places.iter().map(|c| k.saturating_sub(c.len())).sum();
        for place in clusters.give_up(k) {
            if run.time_is_up()? {
                return late();
            }
            let nearest = clusters.nearest(place, if lacking > 0 { k } else { usize::MAX });
            lacking = lacking.saturating_sub(1);
            clusters.add(nearest, place);
        }
        let lists = repair(problem, run, clusters.into_lists())?;
        Ok(Solution::from_clusters(total, &lists))
    }
}

/// The centres of all clusters in one attribute.
enum Centres {
    /// The number of each centre's cell.
    Tree { cells: Cells, ids: Vec<u32>, at: Vec<Option<Cell>> },
    /// Sum and count of the values that are there.
    Line { sum: Vec<f64>, count: Vec<u32>, spread: f64, top: u64 },
}

/// Clusters of places in the sorted table.
struct Clusters<'a> {
    space: &'a Space<'a>,
    sorted: Vec<u32>,
    group_of: Vec<u32>,
    places: Vec<Vec<usize>>,
    centres: Vec<Centres>,
}

impl<'a> Clusters<'a> {
    fn new(space: &'a Space<'a>, sorted: Vec<u32>, count: usize) -> Self {
        let centres = (0..space.dims()).map(|dim| match &space.attribute(dim).domain {
            Domain::Tree(_) => {
                Centres::Tree { cells: Cells::new(), ids: vec![0; count], at: vec![None; count] }
            }
            Domain::Interval(n) => {
                let whole = Cell { lo: 0, hi: n.len().saturating_sub(1) };
                let spread = if n.is_empty() { 0 } else { space.cell_cost(dim, whole) };
                let top = u64::from(space.cell_cost(dim, space.attribute(dim).top()));
                Centres::Line { sum: vec![0.0; count], count: vec![0; count], spread: f64::from(spread), top }
            }
        });
        Self {
            space,
            group_of: space.groups().of_rows(),
            sorted,
            places: vec![Vec::new(); count],
            centres: centres.collect(),
        }
    }

    fn code(&self, dim: usize, place: usize) -> u32 {
        self.space.codes(dim)[self.group_of[self.sorted[place] as usize] as usize]
    }

    fn add(&mut self, cluster: usize, place: usize) {
        self.places[cluster].push(place);
        for dim in 0..self.space.dims() {
            let code = self.code(dim, place);
            self.centres[dim].move_towards(self.space, dim, cluster, code);
        }
    }

    /// The nearest cluster of fewer than `most` rows.
    fn nearest(&mut self, place: usize, most: usize) -> usize {
        let codes: Vec<u32> = (0..self.space.dims()).map(|dim| self.code(dim, place)).collect();
        let space = self.space;
        for (dim, centres) in self.centres.iter_mut().enumerate() {
            centres.prepare(space, dim, codes[dim]);
        }
        let of_chunk = |clusters: std::ops::Range<usize>| {
            let distances = self.distances(&codes, clusters.clone());
            let open = clusters.zip(distances).filter(|(c, _)| self.places[*c].len() < most);
            open.map(|(c, distance)| (distance, self.places[c].len(), c)).min()
        };
        let best = scan(self.places.len(), of_chunk, |a, b| a.into_iter().chain(b).min()).flatten();
        best.map_or(0, |(.., cluster)| cluster)
    }

    fn distances(&self, codes: &[u32], clusters: std::ops::Range<usize>) -> Vec<u64> {
        let mut sums = vec![0; clusters.len()];
        for (dim, centres) in self.centres.iter().enumerate() {
            centres.add_distances(self.space, dim, codes[dim], clusters.clone(), &mut sums);
        }
        sums
    }

    /// Takes the farthest rows out of clusters above k; returns them in sorted order.
    fn give_up(&mut self, k: usize) -> Vec<usize> {
        let mut pool = Vec::new();
        for cluster in 0..self.places.len() {
            if self.places[cluster].len() > k {
                let gone = self.farthest(cluster, k);
                let leaves: FxHashSet<usize> = gone.iter().copied().collect();
                self.places[cluster].retain(|place| !leaves.contains(place));
                pool.extend(gone);
                self.recentre(cluster);
            }
        }
        pool.sort_unstable();
        pool
    }

    fn farthest(&mut self, cluster: usize, k: usize) -> Vec<usize> {
        let mut far: Vec<(u64, usize)> = Vec::new();
        for place in self.places[cluster].clone() {
            let codes: Vec<u32> = (0..self.space.dims()).map(|dim| self.code(dim, place)).collect();
            let space = self.space;
            for (dim, centres) in self.centres.iter_mut().enumerate() {
                centres.prepare(space, dim, codes[dim]);
            }
            far.push((self.distances(&codes, cluster..cluster + 1)[0], place));
        }
        far.sort_unstable_by_key(|&pair| Reverse(pair));
        far.truncate(far.len() - k);
        far.into_iter().map(|(_, place)| place).collect()
    }

    fn recentre(&mut self, cluster: usize) {
        self.centres.iter_mut().for_each(|c| c.clear(cluster));
        for place in std::mem::take(&mut self.places[cluster]) {
            self.add(cluster, place);
        }
    }

    fn into_lists(self) -> Vec<Vec<u32>> {
        let rows = |places: Vec<usize>| places.into_iter().map(|place| self.sorted[place]).collect();
        self.places.into_iter().map(rows).collect()
    }
}

impl Centres {
    fn clear(&mut self, cluster: usize) {
        match self {
            Self::Tree { at, .. } => at[cluster] = None,
            Self::Line { sum, count, .. } => (sum[cluster], count[cluster]) = (0.0, 0),
        }
    }

    fn move_towards(&mut self, space: &Space<'_>, dim: usize, cluster: usize, code: u32) {
        match self {
            Self::Tree { cells, ids, at } => {
                let leaf = Cell { lo: code, hi: code };
                let cell = at[cluster].map_or(leaf, |c| space.join_cell(dim, c, leaf));
                at[cluster] = Some(cell);
                ids[cluster] = cells.number(cell);
            }
            Self::Line { sum, count, .. } => {
                if let Some(position) = position(space, dim, code) {
                    sum[cluster] += position;
                    count[cluster] += 1;
                }
            }
        }
    }

    /// Makes ready for distances from a value.
    fn prepare(&mut self, space: &Space<'_>, dim: usize, code: u32) {
        if let Self::Tree { cells, .. } = self {
            cells.prepare(space, dim, Cell { lo: code, hi: code });
        }
    }

    fn add_distances(
        &self,
        space: &Space<'_>,
        dim: usize,
        code: u32,
        clusters: std::ops::Range<usize>,
        sums: &mut [u64],
    ) {
        match self {
            Self::Tree { cells, ids, .. } => {
                let table = cells.marked(Cell { lo: code, hi: code });
                for (total, &id) in sums.iter_mut().zip(&ids[clusters]) {
                    *total += cost(table[id as usize]);
                }
            }
            Self::Line { sum, count, spread, top } => {
                let (at, range) =
                    (position(space, dim, code), numbers(space, dim).map_or(0.0, Numbers::range));
                let means = sum[clusters.clone()].iter().zip(&count[clusters]);
                for (total, (&sum, &count)) in sums.iter_mut().zip(means) {
                    *total += match at {
                        None if count == 0 => 0,
                        Some(at) if count > 0 && range > 0.0 => {
                            ((at - sum / f64::from(count)).abs() / range * spread).round() as u64
                        }
                        Some(_) if count > 0 => 0,
                        _ => *top,
                    };
                }
            }
        }
    }
}

fn numbers<'a>(space: &'a Space<'_>, dim: usize) -> Option<&'a Numbers> {
    match &space.attribute(dim).domain {
        Domain::Interval(n) => Some(n),
        Domain::Tree(_) => None,
    }
}

/// Where a value lies; none for a missing one.
fn position(space: &Space<'_>, dim: usize, code: u32) -> Option<f64> {
    numbers(space, dim).filter(|n| code < n.len()).map(|n| n.position(code))
}
