//! The algorithms: one file each, one trait, one list that help, job files and every other door read.
//!
//! An algorithm sees a [`Space`], the [`Models`] and a [`Run`]. It does not know which measure it minimizes, what the
//! columns are called or where the rows came from, and it is never believed: `verify` recomputes everything.

mod k_member;
mod mondrian;
mod pool;
mod run;
mod settings;

pub use k_member::{FirstSeed, KMember};
pub use mondrian::{Cut, Mondrian};
pub use run::{Quiet, Run, Signal, Watch};
pub use settings::{SettingEntry, Settings};

use crate::data::Space;
use crate::error::{Error, Result, nearest};
use crate::model::Models;
use crate::solution::Solution;

/// What is to be solved.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The rows and what generalizing them costs.
    pub space: &'a Space<'a>,
    /// What every class must satisfy. The whole table as one class satisfies it.
    pub models: &'a Models,
}

/// A way to solve it.
pub trait Algorithm: Sync {
    /// Groups the rows. Same problem, same seed: same answer at any thread count.
    fn solve(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution>;
}

/// An algorithm with all that other code may say about it.
pub struct Entry {
    /// The name in flags, job files and JSON.
    pub name: &'static str,
    /// One line for a person who must choose.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How long it takes on n rows.
    pub complexity: &'static str,
    /// What can be set.
    pub settings: &'static [SettingEntry],
    /// Checks the settings and builds it.
    pub make: fn(&Settings) -> Result<Box<dyn Algorithm>>,
}

/// Every algorithm, in the order in which they are listed.
pub static ALGORITHMS: &[Entry] = &[k_member::ENTRY, mondrian::ENTRY];

/// Up to how many different rows `auto` takes the quadratic algorithm, which loses less.
const AUTO_QUADRATIC: usize = 60_000;

/// The entry of this name; `auto` chooses by the number of different rows.
pub fn choose(name: &str, distinct_rows: usize) -> Result<&'static Entry> {
    let name = match name {
        "auto" if distinct_rows <= AUTO_QUADRATIC => "k-member",
        "auto" => "mondrian",
        given => given,
    };
    ALGORITHMS.iter().find(|e| e.name == name).ok_or_else(|| unknown(name))
}

/// Refuses a name that is neither `auto` nor in the list.
pub fn check_name(name: &str) -> Result<()> {
    choose(name, 0).map(|_| ())
}

fn unknown(name: &str) -> Error {
    let names: Vec<_> = std::iter::once("auto").chain(ALGORITHMS.iter().map(|e| e.name)).collect();
    let hint = nearest(name, names.iter().copied())
        .map_or_else(|| format!("one of {}", names.join(", ")), |n| format!("did you mean '{n}'?"));
    Error::job(format!("there is no algorithm '{name}'")).at("--algorithm").help(hint)
}
