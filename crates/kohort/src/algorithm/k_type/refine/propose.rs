//! A cheaper tuple for a row, all others being as they are.
//!
//! It must cover the row and the kinds that cannot do without it. Two are tried: their closure joined with what the row wishes
//! for; and their closure alone, grown by what costs least until it covers k rows, as in Algorithm 4, but among the kinds
//! that the present tuple or the wish covers.

use super::super::start::OUTSIDE;
use super::cover::Cover;
use super::wishes::Wishes;
use crate::data::Cell;
use crate::space::Space;

/// How often a tuple is made again because somebody would not reach the row any more.
const AGAIN: usize = 4;

/// A cheaper tuple for a row, if one is found.
pub(super) fn cheaper(cover: &Cover<'_>, wishes: Option<&Wishes>, row: u32) -> Option<Vec<Cell>> {
    let held = cover.held(row);
    let wish = wishes.map(|wishes| wishes.of(cover.kind(row)));
    let mut candidates: Vec<u32> =
        held.inside.iter().chain(wish.map_or(&[][..], |wish| wish.1)).copied().collect();
    candidates.sort_unstable();
    candidates.dedup();
    let mut needed: Vec<u32> =
        held.inside.iter().copied().filter(|&kind| !cover.can_spare(row, kind)).collect();
    for _ in 0..AGAIN {
        let by_wish = wish.and_then(|wish| with_wish(cover, wish.0, &needed, held.cost));
        let limit = by_wish.as_ref().map_or(held.cost, |tuple| cover.problem.space.cost(tuple));
        let tuple = expanded(cover, &needed, &candidates, limit).or(by_wish)?;
        let lost = lost(cover, row, &tuple, &candidates);
        if lost.is_empty() {
            return Some(tuple);
        }
        needed.extend(lost);
    }
    None
}

/// The kinds that would not reach the row any more.
fn lost(cover: &Cover<'_>, row: u32, tuple: &[Cell], candidates: &[u32]) -> Vec<u32> {
    let is_inside = |kind: &u32| cover.places.kinds.covers(tuple, *kind as usize);
    let inside: Vec<u32> = candidates.iter().copied().filter(is_inside).collect();
    let left = cover.held(row).inside.iter().copied().filter(|kind| !is_inside(kind));
    left.filter(|&kind| !cover.still_reaches(kind, row, &inside)).collect()
}

/// A wish, with the kinds that must be covered; none where that costs as much as `limit`.
fn with_wish(cover: &Cover<'_>, wish: &[Cell], needed: &[u32], limit: u64) -> Option<Vec<Cell>> {
    let mut tuple = wish.to_vec();
    for &kind in needed {
        cover.places.kinds.absorb(&mut tuple, kind as usize);
    }
    (cover.problem.space.cost(&tuple) < limit).then_some(tuple)
}

/// The closure of some kinds, grown until it covers k rows; none where that costs as much as `limit`.
fn expanded(cover: &Cover<'_>, needed: &[u32], candidates: &[u32], limit: u64) -> Option<Vec<Cell>> {
    let (space, kinds) = (cover.problem.space, cover.places.kinds);
    let mut tuple = cover.places.closure(needed);
    let mut columns = Columns::new(&kinds.ranks, candidates);
    columns.update(space, None, &tuple);
    while space.cost(&tuple) < limit {
        let (covered, best) = columns.look(&kinds.count);
        if covered >= u64::from(cover.problem.demands.k()) {
            return Some(tuple);
        }
        let before = tuple.clone();
        kinds.absorb(&mut tuple, best? as usize);
        columns.update(space, Some(&before), &tuple);
    }
    None
}

/// What a tuple costs joined with each candidate, column by column.
struct Columns<'a> {
    candidates: &'a [u32],
    /// Per column, the ranks of the candidates.
    ranks: Vec<Vec<u32>>,
    /// Per column and candidate, what the cell costs joined with it; with a mark ([`OUTSIDE`]) where it does not cover it.
    entries: Vec<Vec<u64>>,
}

impl<'a> Columns<'a> {
    fn new(ranks: &[Vec<u32>], candidates: &'a [u32]) -> Self {
        let of_candidates =
            |column: &Vec<u32>| candidates.iter().map(|&kind| column[kind as usize]).collect();
        let ranks: Vec<Vec<u32>> = ranks.iter().map(of_candidates).collect();
        Self { candidates, entries: vec![Vec::new(); ranks.len()], ranks }
    }

    /// Looks the columns up anew whose cell has changed.
    fn update(&mut self, space: &Space<'_>, before: Option<&[Cell]>, now: &[Cell]) {
        for dim in (0..now.len()).filter(|&dim| before.is_none_or(|cells| cells[dim] != now[dim])) {
            let (values, cell) = (space.values(dim), now[dim]);
            let entry = |code: u32| {
                let joined = space.join_cell(dim, cell, Cell { lo: code, hi: code });
                u64::from(space.cell_cost(dim, joined)) | if joined == cell { 0 } else { OUTSIDE }
            };
            let ranks = self.ranks[dim].iter().map(|&rank| rank as usize);
            self.entries[dim] = if values.len() <= self.candidates.len() {
                let table: Vec<u64> = values.iter().map(|&code| entry(code)).collect();
                ranks.map(|rank| table[rank]).collect()
            } else {
                ranks.map(|rank| entry(values[rank])).collect()
            };
        }
    }

    /// How many rows the tuple covers, and the candidate outside that costs least; of equal ones the first.
    fn look(&self, count: &[u32]) -> (u64, Option<u32>) {
        let (mut covered, mut best) = (0, (u64::MAX, None));
        for (place, &kind) in self.candidates.iter().enumerate() {
            let sum: u64 = self.entries.iter().map(|column| column[place]).sum();
            let cost = sum & (OUTSIDE - 1);
            if sum == cost {
                covered += u64::from(count[kind as usize]);
            } else if cost < best.0 {
                best = (cost, Some(kind));
            }
        }
        (covered, best.1)
    }
}
