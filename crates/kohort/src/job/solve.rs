//! From an encoded table to a solution: what is solvable, within which parts, by which algorithm.

use super::{CheckedJob, Observer, limits, notes};
use crate::algorithm::{
    self, Account, Algorithm, Blocks, Entry, LastLap, Rival, Run, Sees, Settings, solve_parts,
};
use crate::data::Table;
use crate::demand::Notion;
use crate::error::{Error, Result, Said};
use crate::model::Parts;
use crate::report::{InBlocks, Search, Solutions};
use crate::solution::{Levels, SUPPRESSED, Solution, VERBATIM};
use crate::space::Space;

/// What the search found, and why rows were left out.
pub(super) struct Solved {
    pub(super) solution: Solution,
    pub(super) algorithm: String,
    pub(super) account: Account,
    /// Into which blocks the table was cut.
    pub(super) blocks: Option<InBlocks>,
    /// Whether time was up before the search had finished.
    pub(super) hurried: bool,
    /// Whether boundaries cannot be kept with fewer rows suppressed.
    pub(super) minimal: bool,
    /// Whether groups were saved by suppressing a part of them.
    pub(super) trimmed: bool,
    /// Of which allowed values nobody is left, in words.
    pub(super) vanished: Option<Said>,
    /// All minimal choices of levels, where they were asked for.
    pub(super) solutions: Solutions,
    /// How far a search for levels came that did not come to its end.
    pub(super) search: Option<Search>,
}

impl Solved {
    /// The solution, which may be longer than the table and need not outlive the recoding.
    pub(super) fn take_solution(&mut self) -> Solution {
        std::mem::replace(&mut self.solution, Solution::Clusters(Vec::new()))
    }
}

impl CheckedJob {
    /// Groups the rows that are to be released.
    pub(super) fn solve(&self, table: &Table, rows: &[u32], watch: &dyn Observer) -> Result<Solved> {
        let some;
        let part = if rows.len() == table.rows {
            table
        } else {
            some = table.select(rows);
            &some
        };
        let models = &self.demands.bind(table)?;
        let of_columns = algorithm::recodes_columns(&self.search.algorithm);
        // Boundaries leave out what they must, unless a limit was given; levels of whole columns leave out nothing.
        let bounded = !of_columns && part.qi.iter().any(|q| q.attribute.boundary.is_some());
        models.check_solvable(part, self.suppress.map_or(bounded, |share| share > 0.0))?;
        let missing = table.rows - table.verbatim_count() - rows.len();
        let limit = limits::Limit::new(self.suppress, table, missing)?;
        let costs = self.search.measure.search_costs(part);
        let space = Space::new(part, costs, models);
        let run = Run::new(self.search.seed, watch);
        if of_columns {
            let solved = self.solve_levels(table, part, &space, models, &limit, &run)?;
            return Ok(Solved { solution: spread(solved.solution, table, rows), ..solved });
        }
        let mut parts = Parts::new(part, models);
        // The other notions need no classes: what cannot be in one might still be released.
        parts.minimal &= self.notion == Notion::K;
        limits::check(part, models, &parts, &limit)?;
        let entry = algorithm::choose(&self.search.algorithm, self.notion)?;
        let by = |entry: &'static Entry, settings: &Settings, parts: &Parts, sees: Sees, run: &Run<'_>| {
            let solver = self.in_blocks((entry.make)(settings)?, entry, sees);
            if solver.may_suppress() && self.suppress.is_none() {
                return Err(Error::job(format!("{} suppresses rows beyond its threshold", entry.name))
                    .option_with("set", "threshold")
                    .help("say how many rows may go at most, such as ‹suppress=2%›"));
            }
            let (solution, account) = solve_parts(&solver, &space, models, parts, limit.allowance, run)?;
            Ok(Found { solution, account, blocks: InBlocks::of(&solver) })
        };
        let sees = if self.search.algorithm == entry.name { Sees::AsByName } else { Sees::AsUsual };
        let mut best =
            Best { entry, parts: &parts, found: by(entry, &self.search.settings, &parts, sees, &run)? };
        // Where rows had to go for the table to be diverse enough at all, more of them leave more room.
        let generous = limit.allowance.and_then(|most| parts.generous(part, models, most));
        let found = &best.found;
        let in_blocks = found.blocks.is_some();
        let rivals =
            algorithm::rivals(&self.search.algorithm, self.notion, models, &found.solution, in_blocks);
        // Settings are those of the first algorithm; the others have their own defaults.
        let settings_of = |rival: &Entry| {
            if rival.name == entry.name { self.search.settings.clone() } else { Settings::default() }
        };
        let mut others: Vec<(Rival, &Parts)> = rivals.into_iter().map(|rival| (rival, &parts)).collect();
        if let Some(generous) = &generous {
            let again = others.iter().map(|(rival, _)| (*rival, generous));
            others = again.chain(others.clone()).collect();
            others.push((Rival { entry, sees: Sees::AsByName }, generous));
        }
        let last_lap = LastLap(watch);
        for (rival, parts) in others {
            if run.time_is_up()? && !rival.is_quick() {
                continue;
            }
            let Rival { entry, sees } = rival;
            let run = if rival.is_quick() { Run::new(self.search.seed, &last_lap) } else { run };
            let found = by(entry, &settings_of(entry), parts, sees, &run)?;
            best.challenge(&space, Best { entry, parts, found });
        }
        let hurried = run.time_is_up()?;
        let Best { entry, parts, found } = best;
        Ok(Solved {
            solution: spread(found.solution, table, rows),
            algorithm: entry.name.to_owned(),
            account: Account { missing: missing as u64, ..found.account },
            blocks: found.blocks,
            hurried,
            minimal: parts.minimal,
            trimmed: parts.trimmed,
            vanished: notes::vanished(part, &parts.out),
            solutions: Solutions::default(),
            search: None,
        })
    }
}

impl CheckedJob {
    /// An algorithm on as much of the table at a time as the job says.
    fn in_blocks(&self, solver: Box<dyn Algorithm>, entry: &Entry, sees: Sees) -> Blocks {
        match (self.search.block_rows, sees) {
            (Some(rows), _) | (None, Sees::Blocks(rows)) => Blocks::of(solver, rows),
            (None, Sees::AsByName) => Blocks::by_default(solver, entry, true, &self.demands),
            (None, Sees::AsUsual) => Blocks::by_default(solver, entry, false, &self.demands),
        }
    }
}

/// What lost least so far: by which algorithm, within which parts.
struct Best<'a> {
    entry: &'static Entry,
    parts: &'a Parts,
    found: Found,
}

impl<'a> Best<'a> {
    /// The one that lost less.
    fn challenge(&mut self, space: &Space<'_>, rival: Best<'a>) {
        let lost = |best: &Best<'_>| algorithm::loss(space, &best.found.solution);
        if lost(&rival) < lost(self) {
            *self = rival;
        }
    }
}

/// What one algorithm found.
struct Found {
    solution: Solution,
    account: Account,
    blocks: Option<InBlocks>,
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
