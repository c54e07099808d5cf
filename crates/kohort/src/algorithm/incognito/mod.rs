//! Incognito (LeFevre et al. 2005): full-domain generalization, with any demands (Truta et al. 2008, §4.3, does so for p).
//!
//! Every value of a column goes up by the same number of steps. Of all vectors of levels whose classes satisfy the demands the
//! one that costs least is taken (`choose.rs` says it exactly). Who asks gets the *minimal* ones, too: no less general
//! vector would do.
//!
//! *Reading* (`algorithms.md` §4). The three properties of Incognito are used, the order of its search is not: it goes through
//! all subsets of columns by size, this one through the prefixes of one order of the columns, from the most general levels
//! down where all minimal vectors are asked for (`search.rs`), from the most promising levels on where only the best one is
//! (`branch_and_bound.rs`). A subset of the columns is the same as all columns with the others at the root, so all look for the same
//! set, and leave out only what a failing or satisfying node or a better one decides: the answer is Incognito's. With rows that
//! may be suppressed a vector does if no more than those lie in classes that fall short; these are suppressed, and at least
//! one row is not. Boundaries (Miller et al. 2008) take levels away: a level at which some value goes beyond its boundary is not in
//! the lattice. Cells are priced as they are published, not as the tighter closure of their class.
//!
//! *Complexity* O(N · c) for N vectors of levels and c classes, mostly far less. *Memory* does not depend on N, unless all
//! minimal vectors are asked for: then one byte per vector. *Guarantee*: the optimum among all full-domain generalizations,
//! unless time runs out, or more than 10⁸ vectors are too many for the budget; then the best that was found, with what the
//! optimum costs at least. Deterministic.

mod branch_and_bound;
mod choose;
mod class_test;
mod classes;
mod frame;
mod lattice;
mod lookahead;
mod plan;
mod search;
mod steps;
mod view;

use std::collections::BTreeMap;

use super::{Algorithm, AlgorithmEntry, Problem, Run, Settings};
use crate::data::Cell;
use crate::demand::Notion;
use crate::error::{Error, Result};
use crate::solution::{Levels, Solution};
use choose::{Rank, choose};
use lattice::Lattice;
use view::View;

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: Incognito::NAME,
    about: "one level per column, the best of all combinations; coarse, but every column stays comparable",
    source: "LeFevre et al. 2005; Truta et al. 2008",
    complexity: "O(l c), l combinations of levels, c classes",
    is_linear: true,
    recodes_columns: true,
    gives: &[Notion::K],
    settings: &[],
    make: |settings| Ok(Box::new(Incognito::new(settings)?)),
};

/// The largest lattice that is searched to the end, whatever that takes, and of which all minimal nodes can be listed.
const LARGEST: u64 = 100_000_000;

/// How many entries of frequency sets are looked at in a larger one: about half a minute.
const BUDGET: u64 = 1 << 30;

/// Levels that were said beforehand, by column.
pub type Fixed = BTreeMap<String, u32>;

/// Full-domain generalization.
#[derive(Debug, Clone, Default)]
pub struct Incognito {
    /// Levels that are not to be searched for.
    pub fixed: Fixed,
    /// Whether all minimal choices are wanted, not only the best one.
    pub every: bool,
    /// How many entries of frequency sets may be looked at for the best one. Without limit up to 10⁸ combinations of
    /// levels, unless it is said.
    pub budget: Option<u64>,
}

/// What a vector of levels makes of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// One level per quasi-identifier.
    pub levels: Vec<u32>,
    /// Per quasi-identifier: published cells with their rows; a cell may be listed more than once.
    pub cells: Vec<Vec<(Cell, u64)>>,
    /// Sizes of the published classes, squared and added up.
    pub squares: u128,
    /// Number of published classes.
    pub classes: u64,
    /// Rows in classes that fall short.
    pub suppressed: u64,
}

impl Incognito {
    /// Its name in the list.
    pub const NAME: &str = "incognito";

    /// Checks the settings; there are none.
    pub fn new(settings: &Settings) -> Result<Self> {
        settings.check(ENTRY.name, ENTRY.settings)?;
        Ok(Self::default())
    }

    fn lattice<'a>(&self, problem: Problem<'a>) -> Lattice<'a> {
        Lattice::new(problem.space, problem.demands, problem.quota, &self.fixed)
    }

    /// How many rows lie in classes that fall short at the most general levels that may be taken.
    pub fn short_at_the_top(&self, problem: Problem<'_>) -> u64 {
        let lattice = self.lattice(problem);
        View::new(&lattice, lattice.top()).suppressed()
    }

    /// What some vectors of levels make of the table, the best first.
    pub fn describe(&self, problem: Problem<'_>, nodes: &[Vec<u32>]) -> Vec<Described> {
        let lattice = self.lattice(problem);
        let mut described: Vec<(Rank, Described)> =
            nodes.iter().map(|levels| describe(&lattice, levels)).collect();
        described.sort_by(|a, b| a.0.cmp(&b.0));
        described.into_iter().map(|(_, d)| d).collect()
    }

    /// The best node, and nothing about the others.
    fn best(&self, lattice: &Lattice<'_>, run: &Run<'_>) -> Result<Answer> {
        let budget = self.budget.or((lattice.nodes > LARGEST).then_some(BUDGET));
        let found = branch_and_bound::branch_and_bound(lattice, budget, run)?;
        let chosen = found.best.map(|rank| (rank.cost, View::new(lattice, rank.levels)));
        Ok(Answer { chosen, minimal: Vec::new(), complete: found.complete, at_least: Some(found.at_least) })
    }
}

fn describe(lattice: &Lattice<'_>, levels: &[u32]) -> (Rank, Described) {
    let view = View::new(lattice, levels.to_vec());
    let rank = Rank::of(lattice, &view);
    let described = Described {
        levels: levels.to_vec(),
        cells: view.cells(lattice),
        squares: view.squares(),
        classes: view.classes(),
        suppressed: view.suppressed(),
    };
    (rank, described)
}

/// What a search found.
struct Answer {
    /// The node that is taken, and its cost.
    chosen: Option<(u64, View)>,
    minimal: Vec<Vec<u32>>,
    complete: bool,
    at_least: Option<u64>,
}

/// All nodes, and the best of them.
fn all(lattice: &Lattice<'_>, run: &Run<'_>) -> Result<Answer> {
    if lattice.nodes > LARGEST {
        return Err(too_many(lattice));
    }
    let mut found = search::search(lattice, run)?;
    let minimal = found.minimal(lattice);
    let chosen = choose(lattice, &found, &minimal, run)?;
    let complete = found.complete && chosen.as_ref().is_none_or(|(.., sure)| *sure);
    let chosen = chosen.map(|(rank, view, _)| (rank.cost, view));
    let mut minimal: Vec<Vec<u32>> = minimal.into_iter().map(|node| lattice.levels(node)).collect();
    minimal.sort_unstable();
    Ok(Answer { chosen, minimal, complete, at_least: None })
}

impl Algorithm for Incognito {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let lattice = self.lattice(problem);
        let answer = if self.every { all(&lattice, run)? } else { self.best(&lattice, run)? };
        let Some((cost, view)) = answer.chosen else {
            return Err(match answer.complete {
                true => none(&lattice),
                false if run.time_is_up()? => too_late(),
                false => too_far(),
            });
        };
        let groups = problem.space.groups();
        let mut suppressed: Vec<u32> =
            view.suppressed_groups().flat_map(|g| groups.rows(g)).copied().collect();
        suppressed.sort_unstable();
        Ok(Solution::Levels(Levels {
            chosen: view.levels,
            suppressed,
            minimal: answer.minimal,
            complete: answer.complete,
            cost,
            at_least: answer.at_least,
        }))
    }
}

fn none(lattice: &Lattice<'_>) -> Error {
    let (short, rows) = (View::new(lattice, lattice.top()).suppressed(), lattice.space.rows());
    let may = match lattice.quota {
        0 => "none may be suppressed".to_owned(),
        n => format!("at most {n} may be suppressed"),
    };
    Error::unsolvable(format!(
        "no levels satisfy the demands: at the most general ones allowed {short} of {rows} rows lie in classes that fall short, and {may}"
    ))
    .number("rows", rows as f64)
    .number("suppressed", short as f64)
    .number("allowed", lattice.quota as f64)
}

/// Models that do not survive adding rows may fail at the top, where the search begins.
fn too_late() -> Error {
    Error::unsolvable("the time limit was over before there was a result; nothing was written")
        .option("time-limit")
        .help("allow more time, or fix some levels with ‹levels›")
}

/// As [`too_late`], when the budget is used up.
fn too_far() -> Error {
    Error::unsolvable(
        "none of the levels looked at satisfies the demands, and there are too many to look at all",
    )
    .option_with("algorithm", "incognito")
    .help("fix some levels with ‹levels›")
}

fn too_many(lattice: &Lattice<'_>) -> Error {
    let levels: Vec<String> = lattice.ladders.iter().map(|l| l.levels().to_string()).collect();
    let nodes = match lattice.nodes {
        u64::MAX => "too many".to_owned(),
        nodes => nodes.to_string(),
    };
    Error::job(format!(
        "to list all minimal solutions, {nodes} combinations of levels ({}) would have to be searched, expected at most {LARGEST}",
        levels.join(" × ")
    ))
    .option("solutions")
    .help("fix some levels with ‹levels›, flatten hierarchies, or omit ‹solutions›: good levels are found without the list")
}
