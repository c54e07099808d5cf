//! From an encoded table to a solution: what is solvable, within which parts, by which algorithm.

use std::cell::RefCell;

use super::bound::Prices;
use super::observed::{Ended, WithDeadline};
use super::row_order::by_content;
use super::{CheckedJob, Observer, limits, notes};
use crate::algorithm::{
    Effort, Portfolio, Problem, Refined, Run, Signal, SuppressionCounts, Taken, cheapest_partition,
};
use crate::data::Table;
use crate::demand::Notion;
use crate::error::{Error, Result, Said};
use crate::model::Regions;
use crate::report::{InBlocks, Refinement, Solutions, UnfinishedSearch};
use crate::solution::{Levels, SUPPRESSED, Solution, VERBATIM};
use crate::space::Space;
use crate::verify::PriceLayer;

/// What the search found, and why rows were left out.
pub(super) struct Solved {
    pub(super) solution: Solution,
    pub(super) algorithm: String,
    pub(super) account: SuppressionCounts,
    /// Into which blocks the table was cut.
    pub(super) blocks: Option<InBlocks>,
    /// What refining came to.
    pub(super) refined: Option<Refinement>,
    /// Prices of the rows that are to be in classes, where refining looked for them.
    pub(super) prices: Option<Vec<PriceLayer>>,
    /// Why the search ended before it had finished, where it did.
    pub(super) hurried: Option<Ended>,
    /// Whether boundaries cannot be kept with fewer rows suppressed.
    pub(super) minimal: bool,
    /// Whether groups were saved by suppressing a part of them.
    pub(super) trimmed: bool,
    /// Of which allowed values nobody is left, in words.
    pub(super) vanished: Option<Said>,
    /// All minimal choices of levels, where they were asked for.
    pub(super) solutions: Solutions,
    /// How far a search for levels came that did not come to its end.
    pub(super) search: Option<UnfinishedSearch>,
}

impl Solved {
    /// The solution, which may be longer than the table and need not outlive the recoding.
    pub(super) fn take_solution(&mut self) -> Solution {
        std::mem::replace(&mut self.solution, Solution::Clusters(Vec::new()))
    }
}

impl CheckedJob {
    /// Groups the rows that are to be released.
    pub(super) fn solve(&self, table: &Table, rows: &[u32], watch: &WithDeadline<'_>) -> Result<Solved> {
        let sorted;
        let rows = if self.search.choice.sees_content_alone() {
            sorted = by_content(table, &self.demands, rows, self.search.seed);
            &sorted
        } else {
            rows
        };
        let asked = |name: &str| self.demands.of(name).next().is_some();
        let by_person = table.by_person(asked);
        let table = by_person.as_ref().unwrap_or(table);
        let models = &self.demands.bind(table)?;
        let of_columns = self.search.choice.recodes_columns();
        let some;
        let part = if is_all(rows, table) {
            table
        } else {
            some = table.select(rows);
            &some
        };
        // Boundaries leave out what they must, unless a limit was given; levels of whole columns leave out nothing.
        let bounded = !of_columns && part.qi.iter().any(|q| q.attribute.boundary.is_some());
        let may_leave_out = self.suppress.map_or(bounded, |share| share > 0.0);
        models.check_solvable(part, may_leave_out)?;
        let missing = table.rows - table.verbatim_count() - rows.len();
        let limit = limits::Limit::new(self.suppress, table, missing)?;
        let costs = self.search.measure.search_costs(part);
        let space = Space::new(part, costs, models);
        let run = Run::new(self.search.seed, watch);
        if of_columns {
            let solved = self.solve_levels(table, part, &space, models, &limit, &run)?;
            return Ok(Solved { solution: spread(solved.solution, table, rows), ..solved });
        }
        let prices = RefCell::new(None);
        let guide = || {
            let found = self.steering_prices(table, part, &RefineTime(watch, self.search.effort())).ok()?;
            // Prices are valid even if their share of the time ended the search; if the whole job was stopped, none are kept.
            let known =
                Some(found.layers).filter(|layers| !layers.is_empty() && watch.signal() == Signal::Go);
            prices.replace(known);
            found.guide
        };
        let portfolio = Portfolio {
            choice: self.search.choice,
            settings: &self.search.settings,
            notion: self.notion,
            block_rows: self.search.block_rows,
            allowance: limit.allowance,
            effort: self.search.effort(),
            guide: &guide,
            space: &space,
            demands: models,
        };
        let (taken, kept_to) = match portfolio.exactly(bounded) {
            Some(found) => found,
            None => self.search_regions((part, &limit, may_leave_out), &portfolio, &run)?,
        };
        let hurried = if run.time_is_up()? { watch.ended() } else { None };
        Ok(Solved {
            solution: spread(taken.answer.solution, table, rows),
            algorithm: taken.by.to_owned(),
            refined: taken.refined.map(|refined| self.refinement(&refined, &space, hurried.is_some())),
            account: SuppressionCounts { missing: missing as u64, ..taken.account },
            blocks: InBlocks::of(taken.answer.blocks),
            prices: prices.take().map(|layers| Prices::by_row(layers, rows)),
            hurried,
            minimal: kept_to.minimal,
            trimmed: kept_to.trimmed,
            vanished: notes::vanished(part, &kept_to.out),
            solutions: Solutions::default(),
            search: None,
        })
    }
    /// The best answer within the boundaries, and the cut along them that it keeps to.
    fn search_regions(
        &self,
        (part, limit, may_leave_out): (&Table, &limits::Limit, bool),
        portfolio: &Portfolio<'_>,
        run: &Run<'_>,
    ) -> Result<(Taken, Regions)> {
        let models = portfolio.demands;
        let mut regions = Regions::new(part, models);
        // The other notions need no classes: what cannot be in one might still be released.
        regions.minimal &= self.notion == Notion::K;
        let mut refusal = limits::check(part, models, &regions, limit);
        if refusal.is_ok() && !may_leave_out && !regions.out.is_empty() {
            // Nobody said that rows may go.
            refusal = models.check_whole(part);
        }
        if models.survive_merging() || regions.bounded {
            refusal?;
            refusal = Ok(());
        } else if refusal.is_err() {
            // Classes may satisfy what the whole table does not: that is found out by trying.
            regions = Regions { minimal: false, ..Regions::whole(part.rows) };
        }
        // Where rows had to go for the table to be diverse enough at all, more of them leave more room.
        let generous = limit.allowance.and_then(|most| regions.generous(part, models, most));
        let mut region_sets: Vec<Regions> = std::iter::once(regions).chain(generous).collect();
        let mut taken = portfolio.search(&region_sets, run)?;
        if !portfolio.holds(&taken) {
            let problem = Problem { space: portfolio.space, demands: models, quota: 0 };
            if let Some(solution) = cheapest_partition(problem).filter(|_| !region_sets[0].bounded) {
                taken.answer.solution = solution;
            } else {
                refusal?;
                models.check_whole(part)?;
                return Err(Error::internal("classes were found that do not meet the demands"));
            }
        }
        let kept_to = region_sets.swap_remove(taken.region_set);
        Ok((taken, kept_to))
    }
}

/// An observer who wants the prices that steer a refinement by the time that a share of its own time is spent.
struct RefineTime<'a>(&'a dyn Observer, Effort);

/// The share of the time for refining that prices may take.
const FOR_PRICES: f64 = 0.15;

impl Observer for RefineTime<'_> {
    fn signal(&self) -> Signal {
        match self.0.signal() {
            Signal::Go if self.1 == Effort::Time && self.0.time_spent() > FOR_PRICES => Signal::TimeUp,
            signal => signal,
        }
    }
}

impl CheckedJob {
    /// How an answer was refined, with losses per cell.
    fn refinement(&self, refined: &Refined, space: &Space<'_>, hurried: bool) -> Refinement {
        let cells = (space.rows() * space.dims()) as f64 * f64::from(space.scale());
        let loss = |&(steps, cost): &(u64, u64)| (steps, cost as f64 / cells);
        Refinement {
            steps: refined.steps,
            reproducible: !hurried && self.search.effort() != Effort::Time,
            loss: refined.trace.iter().map(loss).collect(),
        }
    }
}

/// Whether these are the rows of the table in their order.
fn is_all(rows: &[u32], table: &Table) -> bool {
    rows.len() == table.rows && (0..).zip(rows).all(|(at, &row): (u32, _)| at == row)
}

/// A solution of some rows as one of all: the others are published as they are, or suppressed.
fn spread(solution: Solution, table: &Table, rows: &[u32]) -> Solution {
    match solution {
        Solution::Clusters(of) if !is_all(rows, table) => {
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
        Solution::PerRecord(tuples) if !is_all(rows, table) => {
            let mut spread = vec![Vec::new(); table.rows];
            for (&row, tuple) in rows.iter().zip(tuples) {
                spread[row as usize] = tuple;
            }
            Solution::PerRecord(spread)
        }
        other => other,
    }
}
