//! The classes of a release, each with what the models ask of it.

use rayon::prelude::*;

use super::grouping::Grouping;
use crate::input::Column;
use crate::model::Tally;

/// Classes by published text.
pub(super) struct Classes<'a> {
    /// Per class: its texts (as codes, one per column) and its content.
    pub(super) found: Vec<(Box<[u32]>, Tally)>,
    /// Per row, its class, or one of the numbers of rows in no class.
    pub(super) of_row: &'a [u32],
}

impl<'a> Classes<'a> {
    /// Counts the sensitive values of every class.
    pub(super) fn new(grouping: &'a Grouping, qi: &[&Column], sensitive: &[&Column]) -> Self {
        let count = |class: usize| {
            let members = grouping.members(class);
            let mut tally = Tally::new(sensitive.len());
            for &row in members {
                tally.add(sensitive.iter().map(|s| s.codes.get(row as usize)), 1);
            }
            (qi.iter().map(|column| column.codes.get(members[0] as usize)).collect(), tally)
        };
        let found = (0..grouping.len()).into_par_iter().map(count).collect();
        Self { found, of_row: &grouping.of_row }
    }
}
