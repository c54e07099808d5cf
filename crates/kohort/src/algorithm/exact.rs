//! The cheapest classes of a tiny table, by trying everything.
//!
//! Every set of rows has a cost as one class, if it satisfies the demands. The cheapest classes of a set are those of its
//! lowest row and some others, and the cheapest classes of what is left: so the sets are gone through from the smallest on.
//! Which rows are suppressed, where some may be, is tried as well.
//!
//! *Complexity* O(3ⁿ) for n rows. *Guarantee*: no other classes lose less.

use super::{Problem, closure};
use crate::model::Regions;
use crate::solution::SUPPRESSED;

/// Up to so many rows everything is tried: half a million pairs of sets.
const ROWS: usize = 12;

/// The cheapest classes of a table within some parts, of which `quota` rows may be suppressed besides those that are in no part.
/// None where the table is not tiny, or no classes satisfy the demands.
pub(super) fn cheapest_classes(problem: Problem<'_>, regions: &Regions, quota: usize) -> Option<Vec<u32>> {
    let rows: Vec<u32> = regions.parts.iter().flatten().copied().collect();
    if rows.is_empty() || rows.len() > ROWS || !problem.demands.survive_merging() {
        return None;
    }
    let sets = Sets::new(problem, regions, rows);
    let all = (1usize << sets.rows.len()) - 1;
    let full = problem.space.full_cost();
    let lost = |kept: usize| ((all ^ kept).count_ones() as usize, kept);
    let choices = (0..=all).map(lost).filter(|(gone, _)| *gone <= quota);
    let cost = |(gone, kept): (usize, usize)| Some((sets.best[kept]?.0 + gone as u64 * full, gone, kept));
    let (_, _, kept) = choices.filter_map(cost).min()?;
    Some(sets.class_of(problem.space.rows(), kept))
}

/// All sets of rows, by their bits.
struct Sets {
    rows: Vec<u32>,
    /// The cheapest classes of each: what they cost, and the one with its lowest row.
    best: Vec<Option<(u64, usize)>>,
}

impl Sets {
    fn new(problem: Problem<'_>, regions: &Regions, mut rows: Vec<u32>) -> Self {
        // By what they hold, so that of equally cheap classes the choice does not depend on the order of rows.
        let group_of = problem.space.groups().of_rows();
        let codes = |row: u32| {
            let group = group_of[row as usize] as usize;
            (0..problem.space.dims()).map(move |dim| problem.space.codes(dim)[group])
        };
        let part = |row: u32| regions.parts.iter().position(|part| part.binary_search(&row).is_ok());
        rows.sort_by(|&a, &b| part(a).cmp(&part(b)).then_with(|| codes(a).cmp(codes(b))).then(a.cmp(&b)));
        let of_set = |set: usize| -> Vec<u32> {
            (0..rows.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| rows[bit]).collect()
        };
        let alone = |set: usize| {
            let members = of_set(set);
            let together = members.iter().all(|&row| part(row) == part(members[0]));
            (together && problem.rows_hold(&group_of, &members)).then(|| {
                members.len() as u64 * problem.space.cost(&closure(problem.space, &group_of, &members))
            })
        };
        let alone: Vec<Option<u64>> =
            (0..1 << rows.len()).map(|set| if set == 0 { None } else { alone(set) }).collect();
        let mut best: Vec<Option<(u64, usize)>> = vec![Some((0, 0))];
        for set in 1..alone.len() {
            best.push(cheapest(set, &alone, &best));
        }
        Self { rows, best }
    }

    fn class_of(&self, rows: usize, mut set: usize) -> Vec<u32> {
        let mut class_of = vec![SUPPRESSED; rows];
        let mut number = 0;
        while let Some((_, class)) = self.best[set].filter(|_| set != 0) {
            for (bit, &row) in self.rows.iter().enumerate().filter(|(bit, _)| class >> bit & 1 == 1) {
                debug_assert!(set >> bit & 1 == 1);
                class_of[row as usize] = number;
            }
            set &= !class;
            number += 1;
        }
        class_of
    }
}

/// The cheapest classes of a set, given those of all smaller ones.
fn cheapest(set: usize, alone: &[Option<u64>], best: &[Option<(u64, usize)>]) -> Option<(u64, usize)> {
    let lowest = set & set.wrapping_neg();
    let others = set ^ lowest;
    let mut found: Option<(u64, usize)> = None;
    let mut with = others;
    loop {
        let class = with | lowest;
        if let (Some(cost), Some((rest, _))) = (alone[class], best[set ^ class])
            && found.is_none_or(|(least, _)| cost + rest < least)
        {
            found = Some((cost + rest, class));
        }
        if with == 0 {
            return found;
        }
        with = (with - 1) & others;
    }
}
