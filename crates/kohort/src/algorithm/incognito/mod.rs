//! Incognito (LeFevre et al. 2005): full-domain generalization, with any models (paper 001, §4.3, does so for p).
//!
//! Every value of a column goes up by the same number of steps. All vectors of levels whose classes satisfy the models are
//! found, and among them the *minimal* ones: no less general vector would do. One of them is taken.
//!
//! *Reading* (`algorithms.md` §4). The three properties of Incognito are used, the order of its search is not: it goes through
//! all subsets of columns by size, this one through the prefixes of one order of the columns, from the most general levels
//! down (`search.rs`). A subset of the columns is the same as all columns with the others at the root, so both look for
//! the same set, and both leave out only what a failing or satisfying node decides: the answer is Incognito's. With rows that
//! may be suppressed a vector does if no more than those lie in classes that fall short; these are suppressed, and at least
//! one row is not. Boundaries (paper 004) take levels away: a level at which some value goes beyond its boundary is not in
//! the lattice. Cells are priced as they are published, not as the tighter closure of their class. Which one is taken is
//! said in `choose.rs`.
//!
//! *Complexity* O(N · c) for N vectors of levels and c classes, mostly far less. *Guarantee*: the optimum among all full-domain
//! generalizations, unless time runs out; then the best that was found. Deterministic.

mod choose;
mod frame;
mod judge;
mod lattice;
mod search;
mod view;

use std::collections::BTreeMap;

use super::{Algorithm, Entry, Problem, Run, Settings};
use crate::data::Cell;
use crate::error::{Error, Result};
use crate::model::Notion;
use crate::solution::{Levels, Solution};
use choose::{Rank, choose};
use lattice::Lattice;
use view::View;

pub(super) const ENTRY: Entry = Entry {
    name: "incognito",
    about: "one level per column, the best of all combinations; coarse, but every column stays comparable",
    source: "LeFevre et al. 2005; paper 001",
    complexity: "O(l c), l combinations of levels, c classes",
    is_linear: true,
    gives: &[Notion::K],
    settings: &[],
    make: |settings| Ok(Box::new(Incognito::new(settings)?)),
};

/// Levels that were said beforehand, by column.
pub type Fixed = BTreeMap<String, u32>;

/// Full-domain generalization.
#[derive(Debug, Clone, Default)]
pub struct Incognito {
    /// Levels that are not to be searched for.
    pub fixed: Fixed,
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
    /// Checks the settings; there are none.
    pub fn new(settings: &Settings) -> Result<Self> {
        settings.check(ENTRY.name, ENTRY.settings)?;
        Ok(Self::default())
    }

    fn lattice<'a>(&self, problem: Problem<'a>) -> Result<Lattice<'a>> {
        Lattice::new(problem.space, problem.models, problem.quota, &self.fixed)
    }

    /// How many rows lie in classes that fall short at the most general levels that may be taken.
    pub fn short_at_the_top(&self, problem: Problem<'_>) -> Result<u64> {
        let lattice = self.lattice(problem)?;
        Ok(View::new(&lattice, lattice.top()).suppressed())
    }

    /// What some vectors of levels make of the table, the best first.
    pub fn describe(&self, problem: Problem<'_>, nodes: &[Vec<u32>]) -> Result<Vec<Described>> {
        let lattice = self.lattice(problem)?;
        let mut described: Vec<(Rank, Described)> =
            nodes.iter().map(|levels| describe(&lattice, levels)).collect();
        described.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(described.into_iter().map(|(_, d)| d).collect())
    }
}

fn describe(lattice: &Lattice<'_>, levels: &[u32]) -> (Rank, Described) {
    let view = View::new(lattice, levels.to_vec());
    let rank = Rank::new(lattice, &view, lattice.cost(lattice.node(levels)));
    let described = Described {
        levels: levels.to_vec(),
        cells: view.cells(lattice),
        squares: view.squares(),
        classes: view.classes(),
        suppressed: view.suppressed(),
    };
    (rank, described)
}

impl Algorithm for Incognito {
    fn solve(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let lattice = self.lattice(problem)?;
        let mut found = search::search(&lattice, run)?;
        let minimal = found.minimal(&lattice);
        let Some(view) = choose(&lattice, &found, &minimal, run)? else {
            return Err(if found.complete { none(&lattice) } else { too_late() });
        };
        let groups = problem.space.groups();
        let mut suppressed: Vec<u32> =
            view.suppressed_groups().flat_map(|g| groups.rows(g)).copied().collect();
        suppressed.sort_unstable();
        let mut minimal: Vec<Vec<u32>> = minimal.into_iter().map(|node| lattice.levels(node)).collect();
        minimal.sort_unstable();
        Ok(Solution::Levels(Levels { chosen: view.levels, suppressed, minimal, complete: found.complete }))
    }

    fn recodes_columns(&self) -> bool {
        true
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
}

/// Models that do not survive adding rows may fail at the top, where the search begins.
fn too_late() -> Error {
    Error::unsolvable("the time limit was over before there was a result; nothing was written")
        .at("--time-limit")
        .help("allow more time, or fix some levels with --levels")
}
