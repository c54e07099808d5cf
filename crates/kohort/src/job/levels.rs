//! Full-domain jobs: levels that were fixed beforehand, and what to say when no levels do.

use super::CheckedJob;
use super::limits::{Limit, percent, share_of};
use super::solve::Solved;
use crate::algorithm::{Algorithm, Fixed, Incognito, Problem, Run, SuppressionCounts};
use crate::data::Table;
use crate::error::{Error, Place, Result, counted, marked, nearest};
use crate::model::{BoundDemands, Regions};
use crate::report::{Solutions, UnfinishedSearch};
use crate::solution::Solution;
use crate::space::Space;

/// Refuses levels of columns that have none, and levels that do not exist.
fn check(table: &Table, fixed: &Fixed) -> Result<()> {
    for (name, &level) in fixed {
        let place = || Place::default().option_with("levels", format!("{name}={level}"));
        let Some(q) = table.qi.iter().find(|q| q.attribute.name == *name) else {
            let names: Vec<&str> = table.qi.iter().map(|q| q.attribute.name.as_str()).collect();
            let hint = nearest(name, names.iter().copied())
                .map_or_else(|| format!("one of {}", names.join(", ")), |n| format!("did you mean '{n}'?"));
            return Err(Error::job(format!("'{name}' is not a quasi-identifier")).at(place()).help(hint));
        };
        let height = q.attribute.height();
        if level > height {
            return Err(Error::job(format!("column '{name}' has no level {level}, expected 0 to {height}"))
                .at(place())
                .help(format!(
                    "0 is the value itself, each step goes up in the hierarchy, {height} says least"
                )));
        }
        let allowed = q.attribute.highest_allowed(q.codes.iter());
        if level > allowed {
            return Err(Error::job(format!(
                "level {level} of column '{name}' goes beyond its boundary, expected 0 to {allowed}"
            ))
            .at(place())
            .help("take a lower level, or widen the boundary"));
        }
    }
    Ok(())
}

impl CheckedJob {
    /// Chooses levels for a table; `part` are the rows of `all` that may be released.
    pub(super) fn solve_levels(
        &self,
        all: &Table,
        part: &Table,
        space: &Space<'_>,
        models: &BoundDemands,
        limit: &Limit,
        run: &Run<'_>,
    ) -> Result<Solved> {
        let fixed = &self.search.levels;
        check(part, fixed)?;
        let mut solver = Incognito::new(&self.search.settings)?;
        solver.fixed.clone_from(fixed);
        solver.every = self.search.every_solution;
        let problem = Problem { space, demands: models, quota: limit.allowance.unwrap_or(0) };
        let parts = Regions::whole(part.rows);
        let solution = solver.group(problem, run).map_err(|e| match e {
            Error::Unsolvable(_) => self.explained(e, part, &solver, problem, limit),
            other => other,
        })?;
        let missing = limit.missing as u64;
        let suppressed = match &solution {
            Solution::Levels(levels) => levels.suppressed.len() as u64,
            Solution::Clusters(_) | Solution::PerRecord(_) => 0,
        };
        let solutions = match (&solution, self.search.every_solution) {
            (Solution::Levels(levels), true) => self.list(all, &solver, problem, levels, missing),
            _ => Solutions::default(),
        };
        Ok(Solved {
            search: self.search(all, space, &solution, missing),
            solution,
            algorithm: self.search.choice.name().to_owned(),
            account: SuppressionCounts { missing, levels: suppressed, ..SuppressionCounts::default() },
            blocks: None,
            refined: None,
            prices: None,
            hurried: None,
            minimal: parts.minimal,
            trimmed: false,
            vanished: None,
            solutions,
        })
    }

    /// How far the search came, if not to its end. Rows that lack a value are lost in full.
    fn search(
        &self,
        all: &Table,
        space: &Space<'_>,
        solution: &Solution,
        missing: u64,
    ) -> Option<UnfinishedSearch> {
        let Solution::Levels(levels) = solution else { return None };
        let cells = (all.rows * space.dims()).max(1) as f64 * f64::from(space.scale());
        let per_cell = |cost: u64| (cost + missing * space.full_cost()) as f64 / cells;
        (!levels.complete).then(|| UnfinishedSearch {
            exhaustive: false,
            measure: self.search.measure.name(),
            found: per_cell(levels.cost),
            at_least: levels.at_least.map(per_cell),
        })
    }

    /// The same error with what it concerns and what would help.
    fn explained(
        &self,
        e: Error,
        table: &Table,
        solver: &Incognito,
        problem: Problem<'_>,
        limit: &Limit,
    ) -> Error {
        let ways = self.ways_out(table, solver, problem, limit);
        let e = e.at(self.concerned(table)).help(ways);
        match solver.short_at_the_top(problem) as usize {
            short if short < table.rows => {
                e.number("suppress_at_least", share_of(short + limit.missing, limit.all))
            }
            _ => e,
        }
    }

    fn concerned(&self, table: &Table) -> Place {
        let options = [("suppress", self.suppress.is_some()), ("levels", !self.search.levels.is_empty())];
        let given = options.into_iter().filter(|(_, given)| *given).map(|(name, _)| name);
        let place = given.fold(Place::default().option("k"), Place::option);
        let bounded = table.qi.iter().any(|q| q.attribute.boundary.is_some());
        if bounded { place.and("boundaries") } else { place }
    }

    /// What would help, each as small a step as possible: one level raised, one boundary less, more suppression.
    fn ways_out(&self, table: &Table, solver: &Incognito, problem: Problem<'_>, limit: &Limit) -> String {
        let most = problem.quota.min(table.rows.saturating_sub(1)) as u64;
        let mut ways = Vec::new();
        if let Some((name, level)) = raise(table, solver, problem, most) {
            let raised = marked("levels", format!("{name}={level}"));
            ways.push(format!("{raised} would do with the other levels as they are"));
        } else if !solver.fixed.is_empty() && Incognito::default().short_at_the_top(problem) <= most {
            ways.push("no single level is enough: without ‹levels› there is a solution".into());
        }
        ways.extend(self.without_boundary(table, solver, problem.demands, most));
        let short = solver.short_at_the_top(problem);
        if short < table.rows as u64 {
            ways.push(format!(
                "‹suppress={}› lets {} go",
                percent(short as usize + limit.missing, limit.all),
                counted(short, "row")
            ));
        }
        let free = self.search.levels.is_empty() && !self.search.every_solution;
        if free && limit.allows(&Regions::new(table, problem.demands)) {
            ways.push("‹algorithm=auto›, which generalizes groups of rows one by one, would do".into());
        }
        if ways.is_empty() {
            return "lower k, or change several of these at once".into();
        }
        ways.join("; ")
    }

    fn without_boundary(
        &self,
        table: &Table,
        solver: &Incognito,
        models: &BoundDemands,
        most: u64,
    ) -> Option<String> {
        let bounded = (0..table.qi.len()).filter(|&dim| table.qi[dim].attribute.boundary.is_some());
        let helps = |dim: &usize| {
            let mut table = table.clone();
            table.qi[*dim].attribute.boundary = None;
            let costs = self.search.measure.search_costs(&table);
            let space = Space::new(&table, costs, models);
            let problem = Problem { space: &space, demands: models, quota: most as usize };
            solver.short_at_the_top(problem) <= most
        };
        let mut helping = bounded.filter(helps);
        helping.next().map(|dim| {
            let name = &table.qi[dim].attribute.name;
            format!("without the boundary on '{name}' there is a solution")
        })
    }
}

/// The fixed level that must be raised by the smallest share of its column's height, and to which.
fn raise<'a>(
    table: &'a Table,
    solver: &Incognito,
    problem: Problem<'_>,
    most: u64,
) -> Option<(&'a str, u32)> {
    let mut found: Option<(f64, &str, u32)> = None;
    for q in table.qi.iter().filter(|q| solver.fixed.contains_key(&q.attribute.name)) {
        let (name, was) = (&q.attribute.name, solver.fixed[&q.attribute.name]);
        let highest = q.attribute.highest_allowed(q.codes.iter());
        let does = |level: &u32| {
            let mut fixed = solver.fixed.clone();
            fixed.insert(name.clone(), *level);
            Incognito { fixed, ..Incognito::default() }.short_at_the_top(problem) <= most
        };
        if let Some(level) = (was + 1..=highest).find(does) {
            let share = f64::from(level - was) / f64::from(q.attribute.height().max(1));
            if found.is_none_or(|(least, ..)| share < least) {
                found = Some((share, name, level));
            }
        }
    }
    found.map(|(_, name, level)| (name, level))
}
