//! The table as the search for prices sees it: different tuples with their numbers of rows, and the cells they can become.

use super::axis::Axis;
use crate::data::{Codes, Groups};
use crate::space::Space;

/// What every class must have: so many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crowd {
    /// How many rows a box needs to be published at all.
    pub rows: u64,
    /// Of how many of its rows the mean price counts: as many as a class has at least, or 1 where every row is published by
    /// itself and its box need only cover others.
    pub shared_by: u64,
}

impl Crowd {
    /// Classes of at least k rows.
    pub fn of_classes(k: u32) -> Self {
        let k = u64::from(k.max(1));
        Self { rows: k, shared_by: k }
    }

    /// Tuples that cover at least k rows each, as in (k,1)- and (k,k)-anonymity.
    pub fn of_tuples(k: u32) -> Self {
        Self { rows: u64::from(k.max(1)), shared_by: 1 }
    }
}

/// What may be left out of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// What a suppressed row costs.
    pub full: i64,
    /// How many rows may go; any number where none is said.
    pub rows: Option<u64>,
}

impl Allowance {
    /// What the dearest rows pay more than if they were suppressed, as many as may be.
    pub(super) fn back(&self, price: &[i64], counts: &[u32]) -> i128 {
        let more = |tuple: &u32| i128::from((price[*tuple as usize] - self.full).max(0));
        let mut left = self.rows.unwrap_or(u64::MAX);
        let paid_back = |tuple: &u32| {
            let rows = u64::from(counts[*tuple as usize]).min(left);
            left -= rows;
            more(tuple) * i128::from(rows)
        };
        self.dearest(price).iter().map(paid_back).sum()
    }

    /// What no row need pay more than: those beyond may all go.
    pub(super) fn cap(&self, price: &[i64], counts: &[u32]) -> i64 {
        let mut left = self.rows.unwrap_or(u64::MAX);
        let dearest = self.dearest(price);
        let stays = dearest.iter().find(|&&tuple| {
            let rows = u64::from(counts[tuple as usize]);
            left = left.saturating_sub(rows);
            left == 0
        });
        stays.map_or(self.full, |&tuple| price[tuple as usize].max(self.full))
    }

    /// Tuples that pay more than a suppressed row, the dearest first.
    fn dearest(&self, price: &[i64]) -> Vec<u32> {
        let mut tuples: Vec<u32> =
            (0..price.len() as u32).filter(|&tuple| price[tuple as usize] > self.full).collect();
        tuples.sort_by_key(|&tuple| std::cmp::Reverse(price[tuple as usize]));
        tuples
    }
}

/// Tuples, in no particular order, and the axes in the order in which boxes are enumerated.
pub(super) struct Terrain<'a> {
    pub(super) crowd: Crowd,
    pub(super) axes: Vec<Axis<'a>>,
    /// Per axis and tuple: the rank of its value.
    pub(super) ranks: Vec<Vec<u32>>,
    /// Per tuple: how many rows have it.
    pub(super) counts: Vec<u32>,
    /// Tuples that may share a box.
    pub(super) regions: Vec<Vec<u32>>,
    /// Per group of the space: its tuple.
    pub(super) tuple_of: Vec<u32>,
}

impl<'a> Terrain<'a> {
    /// Some dimensions of a space; all others cost nothing. Boundaries keep tuples apart where classes are asked for; a tuple
    /// that is published by itself may cover rows beyond them.
    pub(super) fn new(space: &'a Space<'a>, dims: &[usize], crowd: Crowd) -> Self {
        let is_bounded = crowd.shared_by > 1;
        let mut axes: Vec<(usize, Axis<'a>)> =
            dims.iter().map(|&dim| (dim, Axis::new(space, dim, is_bounded))).collect();
        // Few cells first; intervals last, where they are swept.
        axes.sort_by(|(a, x), (b, y)| {
            (x.is_line(), space.values(*a).len(), *a).cmp(&(y.is_line(), space.values(*b).len(), *b))
        });
        let groups = space.groups();
        let columns: Vec<(Codes, u32)> = axes
            .iter()
            .map(|&(dim, _)| (space.ranks(dim).iter().copied().collect(), space.values(dim).len() as u32))
            .collect();
        let by: Vec<_> = columns.iter().map(|(codes, count)| (codes, *count)).collect();
        let tuples = Groups::by(groups.len(), &by);
        let rows = |group: &u32| groups.rows(*group as usize).len() as u32;
        let counts: Vec<u32> = (0..tuples.len()).map(|t| tuples.rows(t).iter().map(rows).sum()).collect();
        let first = |tuple: usize| tuples.rows(tuple)[0] as usize;
        let rank = |codes: &Codes| (0..tuples.len()).map(|t| codes.get(first(t))).collect();
        let ranks: Vec<Vec<u32>> = columns.iter().map(|(codes, _)| rank(codes)).collect();
        let regions = if is_bounded {
            regions(space, &axes, &ranks, tuples.len())
        } else {
            vec![(0..tuples.len() as u32).collect()]
        };
        let axes = axes.into_iter().map(|(_, axis)| axis).collect();
        Self { crowd, axes, ranks, counts, regions, tuple_of: tuples.of_rows() }
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }
}

/// Tuples by what their columns may become at most.
fn regions(
    space: &Space<'_>,
    axes: &[(usize, Axis<'_>)],
    ranks: &[Vec<u32>],
    tuples: usize,
) -> Vec<Vec<u32>> {
    let columns: Vec<(Codes, u32)> = axes
        .iter()
        .zip(ranks)
        .filter_map(|((dim, _), ranks)| {
            let (ceilings, values) = (space.attribute(*dim).ceilings()?, space.values(*dim));
            let count = ceilings.iter().max().map_or(1, |c| c + 1);
            Some((ranks.iter().map(|&rank| ceilings[values[rank as usize] as usize]).collect(), count))
        })
        .collect();
    let by: Vec<_> = columns.iter().map(|(codes, count)| (codes, *count)).collect();
    let groups = Groups::by(tuples, &by);
    (0..groups.len()).map(|g| groups.rows(g).to_vec()).collect()
}
