//! A cheaper tuple for a row, other tuples being as they are.
//!
//! It must cover the row and the kinds that cannot do without it. Their closure grows by what costs least, as in Algorithm 4,
//! until it covers k rows; looked at are the kinds that its present tuple covers and those near the row.

use super::cover::Cover;
use super::wishes::Wishes;
use crate::data::Cell;
use crate::space::Space;

/// How often a tuple is made again because a kind would not reach its row any more.
const AGAIN: usize = 4;

/// A tuple that a row could have, and what it costs.
pub(super) struct Smaller {
    pub(super) tuple: Vec<Cell>,
    pub(super) cost: u64,
}

/// A cheaper tuple for a row, if one is found. `spare`: a kind that it need not cover.
pub(super) fn smaller(cover: &Cover<'_>, near: &Wishes, row: u32, spare: Option<u32>) -> Option<Smaller> {
    let held = cover.held(row);
    if held.cost == 0 {
        return None;
    }
    let may_go = |kind: u32| cover.can_spare(row, kind, u32::from(spare == Some(kind)));
    let mut needed: Vec<u32> = held.inside.iter().copied().filter(|&kind| !may_go(kind)).collect();
    let candidates = candidates(cover, near, row);
    for _ in 0..AGAIN {
        let wished = with_wish(cover, near.of(cover.kind(row)), &needed, &candidates, held.cost);
        let limit = wished.as_ref().map_or(held.cost, |w| cover.problem.space.cost(&w.tuple));
        let found = expand(cover, &needed, &candidates, limit).or(wished)?;
        let (tuple, inside) = (found.tuple, found.inside);
        let lost: Vec<u32> = held
            .inside
            .iter()
            .copied()
            .filter(|kind| inside.binary_search(kind).is_err() && !cover.still_reaches(*kind, row, &inside))
            .collect();
        if lost.is_empty() {
            return Some(Smaller { cost: cover.problem.space.cost(&tuple), tuple });
        }
        needed.extend(lost);
    }
    None
}

/// What a row's tuple covers, and the kinds near it that could lie in a cheaper one; ascending.
fn candidates(cover: &Cover<'_>, near: &Wishes, row: u32) -> Vec<u32> {
    let held = cover.held(row);
    let wished = near.of(cover.kind(row)).1;
    let mut all: Vec<u32> = held.inside.iter().chain(wished).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

struct Expanded {
    tuple: Vec<Cell>,
    /// The candidates it covers.
    inside: Vec<u32>,
}

/// The wish of a row, with the kinds that it must cover; none where that costs as much as `limit`.
fn with_wish(cover: &Cover<'_>, wish: (&[Cell], &[u32]), needed: &[u32], candidates: &[u32], limit: u64) -> Option<Expanded> {
    let kinds = cover.places.kinds;
    let mut tuple = wish.0.to_vec();
    needed.iter().for_each(|&kind| kinds.absorb(&mut tuple, kind as usize));
    if cover.problem.space.cost(&tuple) >= limit {
        return None;
    }
    let inside = candidates.iter().copied().filter(|&kind| kinds.covers(&tuple, kind as usize)).collect();
    Some(Expanded { tuple, inside })
}

/// The closure of some kinds, grown until it covers k rows; none where that costs as much as `limit`.
fn expand(cover: &Cover<'_>, needed: &[u32], candidates: &[u32], limit: u64) -> Option<Expanded> {
    let (space, kinds) = (cover.problem.space, cover.places.kinds);
    let mut tuple = kinds.tuple(*needed.first()? as usize);
    needed[1..].iter().for_each(|&kind| kinds.absorb(&mut tuple, kind as usize));
    let mut columns = Columns::new(cover, candidates);
    columns.update(space, None, &tuple);
    loop {
        if space.cost(&tuple) >= limit {
            return None;
        }
        let (covered, best) = columns.look(kinds.count.as_slice());
        if covered >= u64::from(cover.problem.demands.k()) {
            let inside = columns.inside();
            return Some(Expanded { tuple, inside });
        }
        let before = tuple.clone();
        kinds.absorb(&mut tuple, best? as usize);
        columns.update(space, Some(&before), &tuple);
    }
}

/// Per column and candidate: what the tuple's cell costs joined with it, and whether that makes it larger.
struct Columns<'a> {
    candidates: &'a [u32],
    /// Per column, the ranks of the candidates.
    ranks: Vec<Vec<u32>>,
    entries: Vec<Vec<u32>>,
}

/// The mark of a cell that does not cover the candidate. Costs stay below it.
const OUTSIDE: u32 = 1 << 31;

/// Where a sum over columns counts the marks; costs stay below.
const COUNT: u32 = 48;

impl<'a> Columns<'a> {
    fn new(cover: &Cover<'_>, candidates: &'a [u32]) -> Self {
        let column = |column: &Vec<u32>| candidates.iter().map(|&kind| column[kind as usize]).collect();
        let ranks: Vec<Vec<u32>> = cover.places.kinds.ranks.iter().map(column).collect();
        Self { candidates, entries: vec![Vec::new(); ranks.len()], ranks }
    }

    fn update(&mut self, space: &Space<'_>, before: Option<&[Cell]>, now: &[Cell]) {
        for dim in (0..now.len()).filter(|&dim| before.is_none_or(|b| b[dim] != now[dim])) {
            let (values, entries) = (space.values(dim), &mut self.entries[dim]);
            entries.clear();
            let mark = |code: u32, cost: u32| {
                cost | if space.attribute(dim).contains(now[dim], code) { 0 } else { OUTSIDE }
            };
            if values.len() <= self.candidates.len() {
                let mut table = Vec::new();
                space.join_costs(dim, now[dim], &mut table);
                values.iter().zip(&mut table).for_each(|(&code, cost)| *cost = mark(code, *cost));
                entries.extend(self.ranks[dim].iter().map(|&rank| table[rank as usize]));
            } else {
                entries.extend(self.ranks[dim].iter().map(|&rank| {
                    let code = values[rank as usize];
                    let joined = space.join_cell(dim, now[dim], Cell { lo: code, hi: code });
                    mark(code, space.cell_cost(dim, joined))
                }));
            }
        }
    }

    fn sum(&self, place: usize) -> u64 {
        let entry = |column: &Vec<u32>| u64::from(column[place] & !OUTSIDE) | u64::from(column[place] >> 31) << COUNT;
        self.entries.iter().map(entry).sum()
    }

    /// How many rows the tuple covers, and the candidate outside that costs least.
    fn look(&self, count: &[u32]) -> (u64, Option<u32>) {
        let (mut covered, mut best) = (0, (u64::MAX, None));
        for (place, &kind) in self.candidates.iter().enumerate() {
            let sum = self.sum(place);
            if sum >> COUNT == 0 {
                covered += u64::from(count[kind as usize]);
            } else if sum & ((1 << COUNT) - 1) < best.0 {
                best = (sum & ((1 << COUNT) - 1), Some(kind));
            }
        }
        (covered, best.1)
    }

    fn inside(&self) -> Vec<u32> {
        let covered = |place: &usize| self.sum(*place) >> COUNT == 0;
        (0..self.candidates.len()).filter(covered).map(|place| self.candidates[place]).collect()
    }
}
