//! The classes of a release, each with what its rows hold.

use std::borrow::Cow;

use rayon::prelude::*;

use super::counts::{Class, Counts};
use super::grouping::Grouping;
use super::people::ByPeople;
use crate::input::Column;

/// Classes by published text.
pub(super) struct Classes<'a> {
    /// The classes.
    pub(super) found: Vec<Class>,
    /// Per row, its class, or one of the numbers of rows in no class.
    pub(super) of_row: &'a [u32],
    /// Per sensitive column, the codes of missing values, where those count for nothing.
    pub(super) missing: Vec<Vec<u32>>,
    /// Whose rows they have, where people are counted: the values of a class are then those of different pairs.
    pub(super) people: Option<ByPeople>,
}

impl<'a> Classes<'a> {
    /// Counts the sensitive values of every class.
    pub(super) fn new(
        grouping: &'a Grouping,
        qi: &[&Column],
        sensitive: &[&Column],
        missing: Vec<Vec<u32>>,
    ) -> Self {
        let count = |class: usize| {
            let members = grouping.members(class);
            let held = |s: &&Column| members.iter().map(|&row| s.codes.get(row as usize)).collect();
            Class {
                texts: qi.iter().map(|column| column.codes.get(members[0] as usize)).collect(),
                rows: members.len() as u64,
                values: sensitive.iter().map(held).collect(),
            }
        };
        let found = (0..grouping.len()).into_par_iter().map(count).collect();
        Self { found, of_row: &grouping.of_row, missing, people: None }
    }

    /// What a class holds of a sensitive column, missing values left out where they count for nothing.
    pub(super) fn present<'c>(&self, class: &'c Class, column: usize) -> Cow<'c, Counts> {
        class.values[column].without(&self.missing[column])
    }
}
