//! From an encoded table to a solution: what is solvable, within which parts, by which algorithm.

use super::{Job, Observer, limits, notes};
use crate::algorithm::{self, Account, Entry, Run, solve_parts};
use crate::data::{Space, Table};
use crate::error::{Error, Result};
use crate::model::{Models, Notion, Parts};
use crate::report::Solutions;
use crate::solution::{Levels, SUPPRESSED, Solution, VERBATIM};

/// What the search found, and why rows were left out.
pub(super) struct Solved {
    pub(super) solution: Solution,
    pub(super) algorithm: String,
    pub(super) account: Account,
    /// Whether boundaries cannot be kept with fewer rows suppressed.
    pub(super) minimal: bool,
    /// Whether groups were saved by suppressing a part of them.
    pub(super) trimmed: bool,
    /// Of which allowed values nobody is left, in words.
    pub(super) vanished: Option<String>,
    /// All minimal choices of levels, where they were asked for.
    pub(super) solutions: Solutions,
}

impl Job {
    /// Groups the rows that are to be released.
    pub(super) fn solve(&self, table: &Table, rows: &[u32], watch: &dyn Observer) -> Result<Solved> {
        let some;
        let part = if rows.len() == table.rows {
            table
        } else {
            some = table.select(rows);
            &some
        };
        let models = &self.models.about(table)?;
        let of_columns = algorithm::recodes_columns(&self.algorithm);
        // Boundaries leave out what they must, unless a limit was given; levels of whole columns leave out nothing.
        let bounded = !of_columns && part.qi.iter().any(|q| q.attribute.boundary.is_some());
        models.check_solvable(part, self.suppress.map_or(bounded, |share| share > 0.0))?;
        let missing = table.rows - table.verbatim_count() - rows.len();
        let limit = limits::Limit::new(self.suppress, table, missing)?;
        let costs = self.measure.compass(part);
        let space = Space::new(part, costs, models.need_sensitive(), self.measure.is_monotone());
        let run = Run::new(self.seed, watch);
        if of_columns {
            let solved = self.solve_levels(table, part, &space, models, &limit, &run)?;
            return Ok(Solved { solution: spread(solved.solution, table, rows), ..solved });
        }
        let mut parts = Parts::new(part, models);
        // The other notions need no classes: what cannot be in one might still be released.
        parts.minimal &= self.notion == Notion::K;
        limits::check(part, models, &parts, &limit)?;
        let effort = limits::effort(&space, &parts);
        let entry = algorithm::choose(&self.algorithm, self.notion, effort)?;
        let by = |entry: &'static Entry, parts: &Parts| {
            let (solution, account) = self.solve_by(entry, &space, models, parts, limit.allowance, &run)?;
            Ok::<_, Error>((algorithm::loss(&space, &solution), entry, solution, account))
        };
        let mut best = by(entry, &parts)?;
        let rivals = algorithm::rivals(&self.algorithm, models, effort, &best.2);
        // Where rows had to go for the table to be diverse enough at all, more of them leave more room.
        let generous = limit.allowance.and_then(|most| parts.generous(part, models, most));
        for other in rivals {
            let found = by(other, &parts)?;
            best = if found.0 < best.0 { found } else { best };
        }
        if let Some(generous) = &generous {
            for other in [entry, best.1] {
                let found = by(other, generous)?;
                best = if found.0 < best.0 { found } else { best };
            }
        }
        let (_, entry, solution, account) = best;
        Ok(Solved {
            solution: spread(solution, table, rows),
            algorithm: entry.name.to_owned(),
            account: Account { missing: missing as u64, ..account },
            minimal: parts.minimal,
            trimmed: parts.trimmed,
            vanished: notes::vanished(part, &parts.out),
            solutions: Solutions::default(),
        })
    }

    fn solve_by(
        &self,
        entry: &Entry,
        space: &Space<'_>,
        models: &Models,
        parts: &Parts,
        allowance: Option<usize>,
        run: &Run<'_>,
    ) -> Result<(Solution, Account)> {
        let solver = (entry.make)(&self.settings)?;
        if solver.may_suppress() && self.suppress.is_none() {
            return Err(Error::job(format!("{} suppresses rows beyond its threshold", entry.name))
                .at("--set threshold")
                .help("say how many rows may go at most, such as --suppress 2%"));
        }
        solve_parts(solver.as_ref(), space, models, parts, allowance, run)
    }
}

/// A solution of some rows as one of all: the others are published as they are, or suppressed.
fn spread(solution: Solution, table: &Table, rows: &[u32]) -> Solution {
    match solution {
        Solution::Clusters(of) if rows.len() != table.rows => {
            let standing = |row| if table.is_verbatim(row) { VERBATIM } else { SUPPRESSED };
            let mut spread: Vec<u32> = (0..table.rows).map(standing).collect();
            for (&row, class) in rows.iter().zip(of) {
                spread[row as usize] = class;
            }
            Solution::Clusters(spread)
        }
        Solution::Levels(levels) if rows.len() != table.rows => {
            // Rows that lack a value go; those published as they are go nowhere.
            let mut gone: Vec<bool> = (0..table.rows).map(|row| !table.is_verbatim(row)).collect();
            for &row in rows {
                gone[row as usize] = false;
            }
            for &at in &levels.suppressed {
                gone[rows[at as usize] as usize] = true;
            }
            let suppressed = (0..table.rows as u32).filter(|&row| gone[row as usize]).collect();
            Solution::Levels(Levels { suppressed, ..levels })
        }
        Solution::PerRecord(tuples) if rows.len() != table.rows => {
            let mut spread = vec![Vec::new(); table.rows];
            for (&row, tuple) in rows.iter().zip(tuples) {
                spread[row as usize] = tuple;
            }
            Solution::PerRecord(spread)
        }
        other => other,
    }
}
