//! A block as a task that another process can solve: everything it takes, as data.
//!
//! [`Blocks::cut`](super::Blocks::cut) cuts a table, [`BlockTask::new`] makes a task of each block, [`BlockTask::solve`] solves it
//! wherever it is, and [`Blocks::mend`](super::Blocks::mend) puts the answers together. The answer is that of
//! [`Blocks`](super::Blocks) itself, to the byte.

use serde::{Deserialize, Serialize};

use crate::algorithm::{Choice, Observer, Problem, Run, Settings};
use crate::data::{Attribute, Coding, Ground, Hierarchy, Owner, Pairs, QuasiIdentifier, Sensitive, Table};
use crate::demand::Demands;
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::model::{BoundColumn, Distribution};
use crate::solution::Solution;
use crate::space::{Space, ranked};

/// How blocks are solved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HowToSolve {
    /// The algorithm, by name.
    pub algorithm: String,
    /// Its settings.
    pub settings: Settings,
    /// What it minimizes.
    pub measure: Measure,
    /// Source of all randomness.
    pub seed: u64,
}

/// A block to be solved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BlockTask {
    block: Block,
    how: HowToSolve,
    /// How many rows may be suppressed.
    quota: usize,
}

/// Some rows of a table, and what is asked of their classes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::algorithm) struct Block {
    /// The quasi-identifiers with their domains and the frequencies of the whole table.
    attributes: Vec<Attribute>,
    /// One code per attribute and row.
    codes: Vec<Vec<u32>>,
    /// The sensitive columns that a demand looks at.
    sensitive: Vec<Secret>,
    demands: Demands,
}

/// A sensitive column of a block, with what classes are compared with.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Secret {
    name: String,
    codes: Vec<u32>,
    distinct: u32,
    kinds: Vec<u32>,
    ranks: Vec<u32>,
    tree: Option<Hierarchy>,
    leaf_of: Vec<u32>,
    ground: Option<Ground>,
    missing: Option<u32>,
    /// How often each value occurs in the whole table.
    of_whole: Vec<u64>,
    coding: Sent,
}

/// What the codes of a column stand for.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Sent {
    Values,
    People,
    /// The value and the person of each code.
    Pairs {
        value_of: Vec<u32>,
        person_of: Vec<u32>,
        values: u32,
    },
}

impl BlockTask {
    /// The task of solving some rows of a table, ascending, of which `quota` may be suppressed.
    pub fn new(problem: Problem<'_>, rows: &[u32], how: HowToSolve, quota: usize) -> Self {
        Self { block: Block::new(problem, rows), how, quota }
    }

    /// How many rows the block has.
    pub fn rows(&self) -> usize {
        self.block.rows()
    }

    /// Solves the block: one class per row, as [`Solution::Clusters`] has them, or one tuple per row.
    pub fn solve(&self, observer: &dyn Observer) -> Result<Solution> {
        let solver = (Choice::entry(&self.how.algorithm)?.make)(&self.how.settings)?;
        let run = Run::new(self.how.seed, observer);
        self.block.with_problem(self.how.measure, self.quota, |problem| solver.group(problem, &run))
    }
}

impl Block {
    /// Some rows of a table, in this order.
    pub(in crate::algorithm) fn new(problem: Problem<'_>, rows: &[u32]) -> Self {
        let (space, group_of) = (problem.space, problem.space.groups().of_rows());
        let of_rows =
            |of_group: &[u32]| rows.iter().map(|&row| of_group[group_of[row as usize] as usize]).collect();
        let columns = problem.demands.columns().iter().zip(space.sensitive());
        Self {
            attributes: (0..space.dims()).map(|dim| space.attribute(dim).clone()).collect(),
            codes: (0..space.dims()).map(|dim| of_rows(space.codes(dim))).collect(),
            sensitive: columns.map(|(column, codes)| Secret::new(column, of_rows(codes))).collect(),
            demands: problem.demands.demands().clone(),
        }
    }

    /// How many rows there are.
    pub(in crate::algorithm) fn rows(&self) -> usize {
        self.codes.first().map_or(0, Vec::len)
    }

    /// Makes a problem of the block, of whose rows so many may be suppressed, and does something with it.
    pub(in crate::algorithm) fn with_problem<R>(
        &self,
        measure: Measure,
        quota: usize,
        solve: impl FnOnce(Problem<'_>) -> Result<R>,
    ) -> Result<R> {
        let table = self.table()?;
        let of_whole = |column: &Sensitive| {
            let secret = self.sensitive.iter().find(|secret| secret.name == column.name);
            Distribution::of(secret.map_or_else(Vec::new, |secret| secret.of_whole.clone()))
        };
        let demands = self.demands.bind_compared(&table, of_whole)?;
        let space = Space::new(&table, measure.search_costs(&table), &demands);
        solve(Problem { space: &space, demands: &demands, quota })
    }

    /// The block as a table; refuses a task that was damaged on its way.
    fn table(&self) -> Result<Table> {
        let damaged = || Error::input("the task of a block is damaged: codes that its columns do not have");
        let rows = self.rows();
        let fits = |codes: &[u32], below: u32| codes.len() == rows && codes.iter().all(|&code| code < below);
        if self.attributes.len() != self.codes.len() {
            return Err(damaged());
        }
        let mut table = Table { rows, ..Table::default() };
        for (attribute, codes) in self.attributes.iter().zip(&self.codes) {
            let known = attribute.code_count();
            if !fits(codes, known) || attribute.counts.len() != known as usize {
                return Err(damaged());
            }
            table.qi.push(QuasiIdentifier {
                attribute: attribute.clone(),
                codes: codes.iter().copied().collect(),
            });
        }
        for secret in &self.sensitive {
            if !fits(&secret.codes, secret.distinct) || !secret.is_whole() {
                return Err(damaged());
            }
            table.sensitive.push(secret.column());
        }
        Ok(table)
    }
}

/// The pairs of a block, numbered anew in the same order: those of the whole table are as many as its rows.
fn sent(pairs: &Pairs, codes: &[u32]) -> (Vec<u32>, u32, Sent) {
    let (present, codes) = ranked(codes, pairs.len() as u32);
    let person = |code: &u32| match pairs.owner(*code) {
        Owner::Known(person) | Owner::Stranger(person) => person,
    };
    let coding = Sent::Pairs {
        value_of: present.iter().map(|&code| pairs.value(code)).collect(),
        person_of: present.iter().map(person).collect(),
        values: pairs.values(),
    };
    (codes, present.len() as u32, coding)
}

impl Secret {
    fn new(bound: &BoundColumn, codes: Vec<u32>) -> Self {
        let column = bound.column();
        let (codes, distinct, coding) = match &column.coding {
            Coding::Values => (codes, column.distinct, Sent::Values),
            Coding::People => (codes, column.distinct, Sent::People),
            Coding::Pairs(pairs) => sent(pairs, &codes),
        };
        Self {
            name: column.name.clone(),
            codes,
            distinct,
            coding,
            kinds: column.kinds.clone(),
            ranks: column.ranks.clone(),
            tree: column.tree.clone(),
            leaf_of: column.leaf_of.clone(),
            ground: column.ground,
            missing: column.missing,
            of_whole: bound.table().times().to_vec(),
        }
    }

    /// How many codes of values there are.
    fn values(&self) -> u32 {
        match self.coding {
            Sent::Values | Sent::People => self.distinct,
            Sent::Pairs { values, .. } => values,
        }
    }

    fn coding(&self) -> Option<Coding> {
        match &self.coding {
            Sent::Values => Some(Coding::Values),
            Sent::People => Some(Coding::People),
            Sent::Pairs { value_of, person_of, values } => {
                let pairs = Pairs::new(value_of.clone(), person_of.clone(), *values)?;
                (pairs.len() == self.distinct as usize).then(|| Coding::Pairs(pairs.into()))
            }
        }
    }

    /// Whether every list has an entry per code, or none.
    fn is_whole(&self) -> bool {
        let per_code = |list: usize| list == 0 || list == self.values() as usize;
        let leaves = self.tree.as_ref().map_or(0, Hierarchy::leaf_count);
        per_code(self.kinds.len())
            && per_code(self.ranks.len())
            && per_code(self.leaf_of.len())
            && self.of_whole.len() == self.values() as usize
            && self.coding().is_some()
            && self.leaf_of.iter().all(|&leaf| leaf < leaves)
    }

    fn column(&self) -> Sensitive {
        Sensitive {
            name: self.name.clone(),
            codes: self.codes.iter().copied().collect(),
            distinct: self.distinct,
            kinds: self.kinds.clone(),
            ranks: self.ranks.clone(),
            tree: self.tree.clone(),
            leaf_of: self.leaf_of.clone(),
            ground: self.ground,
            missing: self.missing,
            coding: self.coding().unwrap_or_default(),
            ..Sensitive::default()
        }
    }
}
