//! How little any release can lose: a price for every row, so that no k-anonymization of the table loses less than their sum.
//!
//! Prices are *valid* if in every permitted box with at least k rows the k largest of them do not exceed k times the
//! cost of the box. A class of s ≥ k rows in a box B then pays at most s · c(B), since its mean price is at most that of its k
//! dearest rows; so all classes of a release together cost at least what all rows pay. It is the dual of set partitioning
//! over classes (`algorithms.md` §10.7), and whoever has the prices can check them without knowing how they were found: the
//! verifier does, by code of its own (`verify/prices.rs`). Here they are searched for.
//!
//! - Suppression: a suppressed row costs `full`. With s rows that may go, the s dearest rows pay no more than that.
//! - Boundaries keep rows apart that may not meet; opted-out rows and those that lack a value are in no box.
//! - (k,1) and (k,k): a row is published by itself in a box that covers k rows, so every price is at most the cost of any
//!   box with k rows (`Crowd::of_tuples`).
//! - Many columns: a table that is k-anonymous is so in any part of its columns, so prices of disjoint sets of columns, valid
//!   in theirs, add up ([`Layer`]). Where boxes of all columns are too many to look at, there are several.
//!
//! Budgets are counted, so that results do not depend on the machine or the number of threads.

mod ascent;
mod axis;
mod guide;
mod hunt;
mod pass;
mod pool;
mod sets;
mod terrain;
mod walk;

pub use guide::Guide;
pub use terrain::{Allowance, Crowd};

use crate::space::Space;
use hunt::Hunt;
use terrain::Terrain;
use walk::Limits;

/// Below any fault.
const UNKNOWN: i64 = i64::MIN / 4;

/// How much is spent on the search, counted in entries of lists that are looked at.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// On the first pass over all boxes. Where that is not enough, columns are priced apart.
    pub first: u64,
    /// In all.
    pub work: u64,
    /// Asked now and then; the search ends when it says no.
    pub go_on: &'a (dyn Fn() -> bool + Sync),
    /// Told now and then how much was done.
    pub tell: &'a dyn Fn(u64),
}

/// Prices that are valid in some of the columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// The columns, by their place in the space.
    pub dims: Vec<usize>,
    /// Per row of the space, in units of its costs.
    pub prices: Vec<i64>,
}

/// What a search for prices found.
pub struct Found {
    /// The prices; none where the search was stopped before there were any.
    pub layers: Vec<Layer>,
    /// Where good classes are to be found, if all columns were priced together.
    pub guide: Option<Guide>,
}

/// Looks for prices whose sum is as large as possible.
pub fn search(space: &Space<'_>, crowd: Crowd, allowance: Option<Allowance>, effort: Effort<'_>) -> Found {
    let dims = (0..space.dims()).collect();
    let mut hunts = start(space, dims, crowd, allowance, effort);
    let mut work: u64 = hunts.iter().map(|hunt| hunt.work).sum();
    (effort.tell)(work);
    while let Some(hunt) = hunts
        .iter_mut()
        .filter(|hunt| !hunt.is_done() && work.saturating_add(hunt.next_work) <= effort.work)
        .min_by_key(|hunt| hunt.work)
    {
        let before = hunt.work;
        hunt.round(Limits { work: effort.work, go_on: effort.go_on });
        work += hunt.work - before;
        (effort.tell)(work);
    }
    let guide = match &hunts[..] {
        [whole] => Some(Guide::new(space, whole)),
        _ => None,
    };
    Found { layers: hunts.iter().map(|hunt| layer(space, hunt)).collect(), guide }
}

/// First prices of all columns together or, where their boxes are too many, of either half, whichever earn more.
fn start<'a>(
    space: &'a Space<'a>,
    dims: Vec<usize>,
    crowd: Crowd,
    allowance: Option<Allowance>,
    effort: Effort<'_>,
) -> Vec<Hunt<'a>> {
    let limits = Limits { work: effort.first, go_on: effort.go_on };
    let terrain = Terrain::new(space, &dims, crowd);
    let whole = Hunt::start(dims.clone(), terrain, allowance, limits);
    if dims.len() == 1 || whole.as_ref().is_none_or(|hunt| !hunt.is_cut) {
        return whole.into_iter().collect();
    }
    let half = Effort { first: effort.first / 2, ..effort };
    let (first, second) = halves(space, dims);
    let mut apart = start(space, first, crowd, None, half);
    apart.extend(start(space, second, crowd, None, half));
    let earned: f64 = apart.iter().map(|hunt| hunt.value).sum();
    match whole {
        Some(whole) if whole.value > earned => vec![whole],
        _ => apart,
    }
}

/// Columns in two halves with about as many values.
fn halves(space: &Space<'_>, mut dims: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    dims.sort_by_key(|&dim| (space.values(dim).len(), dim));
    let of = |parity: usize| dims.iter().copied().skip(parity).step_by(2).collect();
    (of(0), of(1))
}

fn layer(space: &Space<'_>, hunt: &Hunt<'_>) -> Layer {
    let mut prices = vec![0; space.rows()];
    for (group, &tuple) in hunt.terrain.tuple_of.iter().enumerate() {
        for &row in space.groups().rows(group) {
            prices[row as usize] = hunt.prices()[tuple as usize];
        }
    }
    Layer { dims: hunt.dims.clone(), prices }
}
