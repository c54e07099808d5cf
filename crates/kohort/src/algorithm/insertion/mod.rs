//! New rows join existing classes one by one (Kabir et al. 2011, section 5).
//!
//! *Reading* (`algorithms.md` §9.3, S2-14): a new row joins the class whose loss is least once it is included ("the cluster that
//! causes the least information loss", which the paper recommends), the class whose loss grows least (the rule of Byun et al.
//! 2007, for comparison), or the class of the least posterior (5.7), for which sizes and losses of the classes are kept. A class
//! grows to cover what joins it, and is compared as it then is: without that, the posterior would send every new row to
//! the same class. Rows of people who opted out stay as they are and are in no class, which costs nothing (S2-12).
//! Models that a class loses by growing are repaired by merging, as the other algorithms for k alone do.
//!
//! **Only for tables that nobody has seen.** Whoever has the table before and after subtracts one from the other and is
//! left with the new row; and a class that had to grow shows on which side it did. The paper's claim that classes stay "without any
//! modification" holds only for rows that their class covered before; [`Inserted::covered`] counts them.
//!
//! *Complexity* O(m · c) for m new rows and c classes; O(m · log c) for the posterior, which does not look at the row. A time limit
//! cannot shorten it: every row must end somewhere. *Guarantee*: no class loses a row, so k is kept; the table as one class
//! satisfies the demands, so the repair ends.
//!
//! Ties: smaller class, then earlier class.

mod growing;
mod kept_counts;

use serde::Serialize;

use self::growing::Growing;
pub use self::kept_counts::KeptCounts;
use super::repair::repair;
use super::{Problem, Run, closure};
use crate::data::Cell;
use crate::error::{Error, Result, nearest};
use crate::solution::{SUPPRESSED, VERBATIM, is_class};
use crate::space::Space;

/// Which class a new row joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InsertionRule {
    /// The one whose loss, the new row included, is least.
    LeastLoss,
    /// The one whose loss grows least.
    LeastIncrease,
    /// The one of the least posterior (5.7).
    Posterior,
}

/// A rule with all that other code may say about it.
#[derive(Serialize)]
pub struct InsertionRuleEntry {
    /// The rule.
    #[serde(skip)]
    pub rule: InsertionRule,
    /// Its name.
    pub name: &'static str,
    /// One line for a person who must choose.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How long it takes for m new rows and c classes.
    pub complexity: &'static str,
}

/// Every rule, in the order in which they are listed.
pub static INSERTION_RULES: &[InsertionRuleEntry] = &[
    InsertionRuleEntry {
        rule: InsertionRule::LeastLoss,
        name: "least-loss",
        about: "the class whose loss is least with the new row; the paper's recommendation, which favours small classes",
        source: "Kabir et al. 2011, section 5",
        complexity: "O(m · c), m new rows, c classes",
    },
    InsertionRuleEntry {
        rule: InsertionRule::LeastIncrease,
        name: "least-increase",
        about: "the class whose loss grows least; loses least of the three",
        source: "Kabir et al. 2011, section 5, rule of Byun et al. 2007",
        complexity: "O(m · c), m new rows, c classes",
    },
    InsertionRuleEntry {
        rule: InsertionRule::Posterior,
        name: "posterior",
        about: "the class of the least posterior (5.7), whatever the new row is; loses most, for comparison",
        source: "Kabir et al. 2011, section 5",
        complexity: "O(m · log c), m new rows, c classes",
    },
];

impl InsertionRule {
    /// The rule of a name.
    pub fn named(name: &str) -> Result<Self> {
        let names = || INSERTION_RULES.iter().map(|entry| entry.name);
        INSERTION_RULES.iter().find(|entry| entry.name == name).map(|entry| entry.rule).ok_or_else(|| {
            let listed = || format!("the rules are: {}", names().collect::<Vec<_>>().join(", "));
            let help = nearest(name, names()).map_or_else(listed, |near| format!("did you mean '{near}'?"));
            Error::job(format!("there is no rule '{name}' by which rows join classes")).help(help)
        })
    }

    /// Why none of the rules is followed where the earlier table was published.
    pub fn refused_once_published() -> Error {
        Error::job(
            "rows cannot be added to classes one by one: an earlier release was published, and whoever has both releases subtracts one from the other and is left with the new person alone",
        )
        .option("rule")
        .help("omit ‹rule›: new rows then form groups that satisfy the demands by themselves, and the others wait")
    }
}

/// Classes after new rows have joined them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inserted {
    /// One number per row, or [`SUPPRESSED`] or [`VERBATIM`] as before. Numbers are those of before, unless classes had
    /// to be merged.
    pub class_of: Vec<u32>,
    /// How many of the new rows their class covered before they came.
    pub covered: u64,
}

/// Lets the rows `new` join the classes of the others, in this order. `class_of` has a number for every row of the space; those
/// of new rows do not matter, except that [`VERBATIM`] ones stay as they are.
pub fn insert(
    problem: Problem<'_>,
    class_of: &[u32],
    new: &[u32],
    rule: InsertionRule,
    run: &Run<'_>,
) -> Result<Inserted> {
    let group_of = problem.space.groups().of_rows();
    let mut rows = listed(class_of, new);
    let tuples = rows.iter().map(|rows| closure(problem.space, &group_of, rows));
    let classes = rows.iter().map(|rows| rows.len() as u64).zip(tuples).collect();
    let mut growing = Growing::new(problem.space, classes, rule)?;
    for (done, &row) in new.iter().enumerate() {
        run.time_is_up()?;
        if class_of[row as usize] != VERBATIM {
            let class = growing.take(group_of[row as usize] as usize);
            rows[class as usize].push(row);
        }
        run.watch.progress(done as u64 + 1, new.len() as u64);
    }
    let covered = growing.covered;
    let (kept, lists): (Vec<u32>, Vec<Vec<u32>>) =
        (0..).zip(rows).filter(|(_, rows)| !rows.is_empty()).unzip();
    let lists = repair(problem, run, lists)?;
    let merged = lists.len() < kept.len();
    let named = (0..).zip(lists).map(|(at, rows)| (if merged { at } else { kept[at as usize] }, rows));
    Ok(Inserted { class_of: numbers(class_of, named), covered })
}

/// Classes of which only sizes and tuples are known, after all rows of a space have joined them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// The class of every row.
    pub class_of: Vec<u32>,
    /// What every class covers now.
    pub tuples: Vec<Vec<Cell>>,
    /// How many of the rows their class covered before they came.
    pub covered: u64,
}

/// Lets all rows of a space join classes of so many rows and such tuples, in their order: what the rules need to know of rows that
/// are there already. Nothing is repaired, so it is for demands that no row more can break.
pub fn join_classes(
    space: &Space<'_>,
    classes: Vec<(u64, Vec<Cell>)>,
    rule: InsertionRule,
    run: &Run<'_>,
) -> Result<Joined> {
    let mut growing = Growing::new(space, classes, rule)?;
    let group_of = space.groups().of_rows();
    let mut class_of = Vec::with_capacity(group_of.len());
    for &group in &group_of {
        run.time_is_up()?;
        class_of.push(growing.take(group as usize));
        run.watch.progress(class_of.len() as u64, group_of.len() as u64);
    }
    let Growing { tuples, covered, .. } = growing;
    Ok(Joined { class_of, tuples, covered })
}

/// The rows of every class, without the new ones. A number that no row has is an empty class, which nobody joins.
fn listed(class_of: &[u32], new: &[u32]) -> Vec<Vec<u32>> {
    let mut is_new = vec![false; class_of.len()];
    for &row in new {
        is_new[row as usize] = true;
    }
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for (row, &class) in class_of.iter().enumerate().filter(|&(row, &c)| is_class(c) && !is_new[row]) {
        if rows.len() <= class as usize {
            rows.resize(class as usize + 1, Vec::new());
        }
        rows[class as usize].push(row as u32);
    }
    rows
}

/// The classes as one number per row; rows in none keep what they had.
fn numbers(class_of: &[u32], classes: impl Iterator<Item = (u32, Vec<u32>)>) -> Vec<u32> {
    let mut numbers: Vec<u32> =
        class_of.iter().map(|&class| if is_class(class) { SUPPRESSED } else { class }).collect();
    for (number, rows) in classes {
        for row in rows {
            numbers[row as usize] = number;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_by_name() {
        for entry in INSERTION_RULES {
            assert_eq!(InsertionRule::named(entry.name).map_err(|e| e.to_string()), Ok(entry.rule));
        }
        let unknown = |name| InsertionRule::named(name).map(|_| ()).map_err(|e| e.to_string());
        assert!(unknown("least-los").is_err_and(|e| e.contains("did you mean 'least-loss'?")));
        assert!(unknown("x").is_err_and(|e| e.contains("least-loss, least-increase, posterior")));
    }

    #[test]
    fn numbers_without_rows_are_no_classes() {
        assert_eq!(listed(&[2, 0, VERBATIM, 2, SUPPRESSED, 0], &[5]), [vec![1], vec![], vec![0, 3]]);
        let classes = [(2, vec![0, 2])].into_iter();
        assert_eq!(numbers(&[1, VERBATIM, 1, SUPPRESSED], classes), [2, VERBATIM, 2, SUPPRESSED]);
    }
}
