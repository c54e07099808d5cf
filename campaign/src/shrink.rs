//! Makes a finding as small as it can be, by leaving out rows, columns and demands while it persists.

use crate::case::{Asked, Case, Column, Format, Intervals, Role};

/// The smallest case found; `persists` is asked at most so often.
pub fn shrink(case: &Case, mut tries: usize, persists: &mut dyn FnMut(&Case) -> bool) -> Case {
    let mut best = case.clone();
    loop {
        let mut smaller = false;
        let mut at = 0;
        // Candidates are made anew from what is best so far.
        while let Some(candidate) = candidate(&best, at) {
            if tries == 0 {
                return best;
            }
            if candidate != best {
                tries -= 1;
                if persists(&candidate) {
                    best = candidate;
                    smaller = true;
                    continue;
                }
            }
            at += 1;
        }
        if !smaller {
            return best;
        }
    }
}

/// The case with one thing less: halves of the rows, single columns, demands, single rows.
fn candidate(case: &Case, at: usize) -> Option<Case> {
    let rows = case.rows();
    let mut at = at;
    for part in [2, 4, 8] {
        if at < part {
            let few = rows < 2 * part;
            return Some(if few {
                case.clone()
            } else {
                without_rows(case, at * rows / part, (at + 1) * rows / part)
            });
        }
        at -= part;
    }
    if at < case.columns.len() {
        return Some(without_column(case, at));
    }
    at -= case.columns.len();
    if let Some(simpler) = SIMPLER.get(at) {
        let mut case = case.clone();
        simpler(&mut case);
        return Some(case);
    }
    at -= SIMPLER.len();
    if at < case.columns.len() * PLAINER.len() {
        let mut case = case.clone();
        let column = &mut case.columns[at / PLAINER.len()];
        PLAINER[at % PLAINER.len()](column);
        return Some(case);
    }
    at -= case.columns.len() * PLAINER.len();
    (at < rows && rows > 1).then(|| without_rows(case, at, at + 1))
}

fn without_rows(case: &Case, from: usize, to: usize) -> Case {
    let mut case = case.clone();
    for column in &mut case.columns {
        column.cells.drain(from..to);
    }
    case
}

fn without_column(case: &Case, at: usize) -> Case {
    let mut case = case.clone();
    let column = case.columns.remove(at);
    case.asked.levels.retain(|(name, _)| *name != column.name);
    if case.asked.opt_out.as_ref().is_some_and(|(name, _)| *name == column.name) {
        case.asked.opt_out = None;
    }
    // A table needs something to generalize.
    if case.of(Role::Quasi).next().is_none() {
        case.columns.insert(at, column);
    }
    case
}

fn of_asked(case: &mut Case, change: impl FnOnce(&mut Asked)) {
    change(&mut case.asked);
}

const SIMPLER: &[fn(&mut Case)] = &[
    |c| c.input = Format::Csv,
    |c| c.output = Format::Csv,
    |c| of_asked(c, |a| a.demands.clear()),
    |c| of_asked(c, |a| a.demands = a.demands.iter().copied().skip(1).collect()),
    |c| of_asked(c, |a| _ = a.demands.pop()),
    |c| of_asked(c, |a| a.settings.clear()),
    |c| of_asked(c, |a| a.measure = None),
    |c| of_asked(c, |a| a.beta = None),
    |c| of_asked(c, |a| a.seed = 0),
    |c| of_asked(c, |a| a.block_rows = None),
    |c| of_asked(c, |a| a.hurried = false),
    |c| of_asked(c, |a| a.star = None),
    |c| of_asked(c, |a| a.intervals = Intervals::Text),
    |c| of_asked(c, |a| a.missing = None),
    |c| of_asked(c, |a| a.count_missing = false),
    |c| of_asked(c, |a| a.suppress = None),
    |c| of_asked(c, |a| a.opt_out = None),
    |c| of_asked(c, |a| a.levels.clear()),
    |c| of_asked(c, |a| a.keep_order = false),
    |c| of_asked(c, |a| a.k = (a.k - 1).max(2)),
    |c| {
        c.asked.p = None;
        c.columns.iter_mut().for_each(|column| column.protected.clear());
    },
];

const PLAINER: &[fn(&mut Column)] = &[
    |c| c.weight = None,
    |c| c.level_weights.clear(),
    |c| c.snap = None,
    |c| c.missing = None,
    |c| c.max_generalization.clear(),
    |c| c.max_width = None,
    |c| c.cuts.clear(),
    |c| c.closeness = None,
    |c| c.demands.clear(),
    |c| c.demands = c.demands.iter().copied().skip(1).collect(),
    |c| _ = c.demands.pop(),
    |c| c.named = false,
];
