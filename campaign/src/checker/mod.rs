//! A second opinion on a release: reads the original, the release and the job as plain data, and recomputes everything from
//! the definitions. Nothing here uses the library.

pub mod certificate;
pub mod domain;
pub mod exhaustive;
pub mod graph;
pub mod read;
mod release;
pub mod values;

pub use read::{Sheet, read};
pub use release::{Strictness, check};

use std::collections::BTreeSet;

use crate::case::{Case, Column, Kind, Missing, Role};
use domain::{Domain, place};
use values::Class;

/// What is wrong with a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// In a word, so that two of a kind can be told.
    pub kind: String,
    /// In full.
    pub what: String,
}

impl Violation {
    /// A violation.
    pub fn new(kind: &str, what: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), what: what.into() }
    }
}

/// The original as the checker sees it.
pub struct Original<'a> {
    /// The job.
    pub case: &'a Case,
    /// The table.
    pub sheet: &'a Sheet,
    /// Rows that are not published as they are.
    pub open: Vec<usize>,
    /// Rows that are.
    pub verbatim: Vec<usize>,
    /// Open rows that must be suppressed because they lack a value.
    pub lacking: BTreeSet<usize>,
    /// Whose every row is, where a person may have several.
    pub people: Option<Vec<String>>,
    /// The number of every quasi-identifier in the sheet, and its domain.
    pub quasi: Vec<(usize, Domain)>,
}

impl<'a> Original<'a> {
    /// Looks at a table.
    pub fn new(case: &'a Case, sheet: &'a Sheet) -> Self {
        let column = |name: &str| sheet.column(name).unwrap_or(0);
        let flag = case.asked.opt_out.as_ref().map(|(name, value)| (column(name), value));
        let mild = |row: &usize| flag.is_some_and(|(at, value)| sheet.text(at, *row) == value);
        let (verbatim, open): (Vec<usize>, Vec<usize>) = (0..sheet.rows()).partition(mild);
        let lacks = |row: &usize| {
            let mut gone = case.of(Role::Quasi).filter(|c| case.missing_in(c) == Missing::Suppress);
            gone.any(|c| sheet.text(column(&c.name), *row).is_empty())
        };
        let lacking = open.iter().copied().filter(lacks).collect();
        let quasi = case.of(Role::Quasi).map(|c| {
            let at = column(&c.name);
            (at, Domain::new(c, (0..sheet.rows()).map(|row| sheet.text(at, row))))
        });
        let people = case.of(Role::Person).next().map(|c| {
            let at = column(&c.name);
            (0..sheet.rows()).map(|row| sheet.text(at, row).trim().to_owned()).collect()
        });
        Self { case, sheet, open, verbatim, lacking, people, quasi: quasi.collect() }
    }

    /// What demands see of some rows of the original.
    pub fn class(&self, rows: &[usize]) -> Class<'_> {
        let texts = |c: &Column| {
            let at = self.sheet.column(&c.name).unwrap_or(0);
            rows.iter().map(|&row| self.sheet.text(at, row)).collect()
        };
        Class { people: self.people_of(rows), texts: self.case.of(Role::Sensitive).map(texts).collect() }
    }

    /// Whose some rows are; a number each where everybody has one.
    fn people_of(&self, rows: &[usize]) -> Vec<String> {
        let person =
            |&row: &usize| self.people.as_ref().map_or(row.to_string(), |people| people[row].clone());
        rows.iter().map(person).collect()
    }

    /// Whether two texts of a quasi-identifier are one value.
    fn same(domain: &Domain, a: &str, b: &str) -> bool {
        match domain {
            Domain::Line(line) if !a.is_empty() && !b.is_empty() => {
                // A published number may carry a fraction of nothing.
                let number = |text| place(line.kind, text).or_else(|| place(Kind::Decimal, text));
                number(a).is_some() && number(a) == number(b)
            }
            _ => a == b,
        }
    }
}
