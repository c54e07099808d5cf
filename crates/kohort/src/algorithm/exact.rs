//! The cheapest classes of a tiny table, by trying everything.
//!
//! Every set of rows has a cost as one class, if it satisfies the demands. The cheapest classes of a set are those of its
//! lowest row and some others, and the cheapest classes of what is left: so the sets are gone through from the smallest on.
//! Which rows are suppressed, where some may be, is tried as well.
//!
//! *Complexity* O(3ⁿ) for n rows. *Guarantee*: no other classes lose less.

use super::{Problem, closure};
use crate::solution::SUPPRESSED;

/// Up to so many rows everything is tried: half a million pairs of sets.
const ROWS: usize = 12;

/// Which rows may be suppressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MayGo {
    /// So many at most, where that costs less.
    AtMost(usize),
    /// As few as there must be for any classes to be left.
    AsMust,
}

/// The cheapest classes there are.
pub(super) struct Cheapest {
    /// The class of every row.
    pub(super) class_of: Vec<u32>,
    /// How many rows must be suppressed whatever the classes.
    pub(super) must_go: usize,
}

/// The cheapest classes of a table within its boundaries. None where the table is not tiny, or no classes satisfy the demands.
pub(super) fn cheapest_classes(problem: Problem<'_>, may_go: MayGo) -> Option<Cheapest> {
    let rows = problem.space.rows();
    if rows == 0 || rows > ROWS {
        return None;
    }
    let sets = Sets::new(problem, (0..rows as u32).collect());
    let all = (1usize << rows) - 1;
    let full = problem.space.full_cost();
    // With nobody left there is no release.
    let choices = (1..=all).filter_map(|kept| {
        let gone = (all ^ kept).count_ones() as usize;
        Some((sets.best[kept]?.0 + gone as u64 * full, gone, kept))
    });
    let choices: Vec<(u64, usize, usize)> = choices.collect();
    let must_go = choices.iter().map(|(_, gone, _)| *gone).min()?;
    let most = match may_go {
        MayGo::AtMost(rows) => rows,
        MayGo::AsMust => must_go,
    };
    let (_, _, kept) = choices.into_iter().filter(|(_, gone, _)| *gone <= most).min()?;
    Some(Cheapest { class_of: sets.class_of(rows, kept), must_go })
}

/// Which values of each column may meet, as far as boundaries tell; none for columns without any.
fn ceilings(problem: Problem<'_>) -> Vec<Option<Vec<u32>>> {
    (0..problem.space.dims()).map(|dim| problem.space.attribute(dim).ceilings()).collect()
}

/// All sets of rows, by their bits.
struct Sets {
    rows: Vec<u32>,
    /// The cheapest classes of each: what they cost, and the one with its lowest row.
    best: Vec<Option<(u64, usize)>>,
}

impl Sets {
    fn new(problem: Problem<'_>, mut rows: Vec<u32>) -> Self {
        let space = problem.space;
        // By what they hold, so that of equally cheap classes the choice does not depend on the order of rows.
        let group_of = space.groups().of_rows();
        let code = |row: u32, dim: usize| space.codes(dim)[group_of[row as usize] as usize];
        let codes = |row: u32| (0..space.dims()).map(move |dim| code(row, dim));
        rows.sort_by(|&a, &b| codes(a).cmp(codes(b)).then(a.cmp(&b)));
        let of_set = |set: usize| -> Vec<u32> {
            (0..rows.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| rows[bit]).collect()
        };
        let ceilings = ceilings(problem);
        let may_meet = |members: &[u32]| {
            ceilings.iter().enumerate().all(|(dim, ceilings)| {
                let ceiling = |row: u32| ceilings.as_ref().map(|ceilings| ceilings[code(row, dim) as usize]);
                members.iter().all(|&row| ceiling(row) == ceiling(members[0]))
            })
        };
        let alone = |set: usize| {
            let members = of_set(set);
            if !may_meet(&members) || !problem.rows_hold(&group_of, &members) {
                return None;
            }
            let tuple = closure(space, &group_of, &members);
            let fits = (0..).zip(&tuple).all(|(dim, &cell)| space.attribute(dim).within_width(cell));
            fits.then(|| members.len() as u64 * space.cost(&tuple))
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
