//! Another tuple for a row that has no tuple to spare.
//!
//! Where a kind lies in no more tuples than it needs, each of them must cover it, whatever that costs. The one that would save
//! most without it is relieved of it, if another can take it in for less.

use super::cover::Cover;
use super::wishes::Wishes;
use super::propose::{Smaller, smaller};
use crate::data::Cell;

/// One tuple grows, another shrinks.
pub(super) struct Exchange {
    pub(super) kind: u32,
    pub(super) grows: (u32, Vec<Cell>),
    pub(super) shrinks: (u32, Smaller),
    pub(super) gain: u64,
}

/// The exchange that saves most for one kind, if any does.
pub(super) fn exchange(cover: &Cover<'_>, near: &Wishes, kind: u32) -> Option<Exchange> {
    if cover.count[kind as usize] > cover.problem.demands.k() {
        return None;
    }
    let (saved, row, smaller) = relieved(cover, near, kind)?;
    let (added, other, tuple) = taken_in(cover, kind, saved)?;
    Some(Exchange { kind, grows: (other, tuple), shrinks: (row, smaller), gain: saved - added })
}

/// The row whose tuple saves most if it need not cover a kind.
fn relieved(cover: &Cover<'_>, near: &Wishes, kind: u32) -> Option<(u64, u32, Smaller)> {
    let mut best: Option<(u64, u32, Smaller)> = None;
    for &number in &cover.around[kind as usize] {
        let held = &cover.boxes[number as usize];
        let mut owners: Vec<u32> = held.owners.iter().copied().filter(|&r| cover.kind(r) != kind && cover.counts(r, kind)).collect();
        owners.sort_unstable();
        owners.dedup_by_key(|row| cover.kind(*row));
        for row in owners {
            let Some(found) = smaller(cover, near, row, Some(kind)) else { continue };
            let saved = held.cost - found.cost;
            if best.as_ref().is_none_or(|b| (saved, std::cmp::Reverse(row)) > (b.0, std::cmp::Reverse(b.1))) {
                best = Some((saved, row, found));
            }
        }
    }
    best
}

/// The tuple that takes a kind in at the least cost below a limit: what it costs, whose it is, and what it becomes.
fn taken_in(cover: &Cover<'_>, kind: u32, limit: u64) -> Option<(u64, u32, Vec<Cell>)> {
    let (space, kinds) = (cover.problem.space, cover.places.kinds);
    let mut best: Option<(u64, u32)> = None;
    for held in cover.boxes.iter().filter(|held| !held.owners.is_empty()) {
        let mut added = 0u64;
        let least = best.map_or(limit, |b| b.0);
        for (dim, &cell) in held.tuple.iter().enumerate() {
            let code = kinds.codes[dim][kind as usize];
            let joined = space.join_cell(dim, cell, Cell { lo: code, hi: code });
            added += u64::from(space.cell_cost(dim, joined).saturating_sub(space.cell_cost(dim, cell)));
            if added >= least {
                break;
            }
        }
        if added >= least || held.inside.binary_search(&kind).is_ok() {
            continue;
        }
        let owner = held.owners.iter().copied().filter(|&row| cover.counts(row, kind)).min();
        if let Some(owner) = owner {
            best = Some((added, owner));
        }
    }
    let (added, owner) = best?;
    let mut tuple = cover.held(owner).tuple.clone();
    kinds.absorb(&mut tuple, kind as usize);
    (space.cost(&tuple) == cover.held(owner).cost + added).then_some((added, owner, tuple))
}

/// Does it, if it still saves.
pub(super) fn apply(cover: &mut Cover<'_>, exchange: Exchange) -> bool {
    let Exchange { kind, grows: (other, grown), shrinks: (row, smaller), .. } = exchange;
    let before = cover.held(other).tuple.clone();
    let space = cover.problem.space;
    let mut now = before.clone();
    cover.places.kinds.absorb(&mut now, kind as usize);
    if now != grown || before == grown || other == row {
        return false;
    }
    let added = space.cost(&grown).cast_signed() - space.cost(&before).cast_signed();
    let saved = cover.held(row).cost.cast_signed() - smaller.cost.cast_signed();
    if saved <= added {
        return false;
    }
    cover.give(other, grown);
    if cover.try_give(row, smaller.tuple, None) {
        return true;
    }
    cover.give(other, before);
    false
}
