//! Whether the values of a release are those of the original.

use std::borrow::Cow;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::grouping::HIDDEN;
use super::{Reference, Released};
use crate::data::{Codes, Sensitive};
use crate::input::Column;

/// What columns show that are not held in memory: one number per row of either table, the same for the same values
/// ([`crate::input::fingerprints`]).
#[derive(Debug, Default)]
pub struct Prints {
    /// By row of the original.
    pub original: Vec<u64>,
    /// By row of the release.
    pub released: Vec<u64>,
}

/// The original's code of every released text, none for a text the original does not have; `None` when the original's
/// values are not at hand.
pub(super) fn meaning(original: &Sensitive, released: &Column) -> Option<Vec<Option<u32>>> {
    if !original.has_texts() {
        return None;
    }
    let spelled = original.spellings.iter().map(|(text, code)| (text.as_str(), *code));
    let code_of: FxHashMap<&str, u32> =
        original.texts.iter().map(String::as_str).zip(0..).chain(spelled).collect();
    Some(released.texts.iter().map(|t| code_of.get(t.as_str()).copied()).collect())
}

/// Some values of both tables, in the codes of the original.
pub(super) struct Compared<'a> {
    pub(super) original: Cow<'a, Codes>,
    pub(super) distinct: u32,
    released: Shown<'a>,
}

/// What the rows of a release show, in the codes of the original; none for what the original does not have.
enum Shown<'a> {
    ByText(&'a Column, Vec<Option<u32>>),
    ByRow(Vec<Option<u32>>),
}

impl<'a> Compared<'a> {
    /// A sensitive column; `None` when the original's values are not at hand.
    pub(super) fn texts(original: &'a Sensitive, released: &'a Column) -> Option<Self> {
        Some(Self {
            original: Cow::Borrowed(&original.codes),
            distinct: original.distinct,
            released: Shown::ByText(released, meaning(original, released)?),
        })
    }

    /// Columns of which only fingerprints are at hand.
    pub(super) fn prints(prints: &Prints) -> Self {
        let mut number: FxHashMap<u64, u32> = FxHashMap::default();
        let code = |print: &u64| {
            let next = number.len() as u32;
            *number.entry(*print).or_insert(next)
        };
        let original: Codes = prints.original.iter().map(code).collect();
        let released = prints.released.iter().map(|print| number.get(print).copied()).collect();
        Self {
            original: Cow::Owned(original),
            distinct: number.len() as u32,
            released: Shown::ByRow(released),
        }
    }

    /// All sensitive values that can be compared.
    pub(super) fn sensitive(released: &'a Released, reference: &Reference<'a>) -> Vec<Self> {
        let pairs = reference.table.sensitive.iter().zip(&released.sensitive);
        let mut all: Vec<Self> = pairs.filter_map(|(o, c)| Self::texts(o, c)).collect();
        all.extend(reference.secrets.map(Self::prints));
        all
    }

    /// What a row of the release shows.
    pub(super) fn shown(&self, row: usize) -> Option<u32> {
        match &self.released {
            Shown::ByText(column, meaning) => meaning[column.codes.get(row) as usize],
            Shown::ByRow(codes) => codes[row],
        }
    }

    /// Released rows whose value is not the original's. With a known order rows are compared one by one, otherwise as
    /// multisets: how many values are released more often than they occur.
    pub(super) fn foreign(&self, class_of: &[u32], order: Option<&[u32]>) -> u64 {
        let is_shown = |&row: &usize| class_of[row] != HIDDEN;
        if let Some(order) = order {
            let differs = |&row: &usize| self.shown(row) != Some(self.original.get(order[row] as usize));
            let rows = (0..class_of.len()).into_par_iter();
            return rows.filter(is_shown).filter(differs).count() as u64;
        }
        let mut left = vec![0u64; self.distinct as usize];
        for code in self.original.iter() {
            left[code as usize] += 1;
        }
        let mut foreign = 0;
        for value in (0..class_of.len()).filter(is_shown).map(|row| self.shown(row)) {
            match value.and_then(|v| left.get_mut(v as usize)).filter(|n| **n > 0) {
                Some(n) => *n -= 1,
                None => foreign += 1,
            }
        }
        foreign
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[&str]) -> Column {
        let mut column = Column::default();
        for value in values {
            let code = column.texts.iter().position(|t| t == value).unwrap_or_else(|| {
                column.texts.push((*value).to_owned());
                column.texts.len() - 1
            });
            column.codes.push(code as u32);
        }
        column
    }

    #[test]
    fn changed_and_invented_values_are_counted() {
        let Column { name, texts, codes, .. } = column(&["flu", "flu", "gout"]);
        let original = Sensitive { name, distinct: 2, texts, codes, is_text: true, ..Sensitive::default() };
        let count = |values: &[&str], order| {
            let released = column(values);
            let by_text = Compared::texts(&original, &released).unwrap().foreign(&[0; 3], order);
            let print = |text: &String| text.len() as u64;
            let prints = |c: &Column| c.codes.iter().map(|code| print(&c.texts[code as usize])).collect();
            let prints =
                Prints { original: prints(&column(&["flu", "flu", "gout"])), released: prints(&released) };
            assert_eq!(Compared::prints(&prints).foreign(&[0; 3], order), by_text);
            by_text
        };
        assert_eq!(count(&["gout", "flu", "flu"], None), 0);
        assert_eq!(count(&["gout", "flu", "flu"], Some(&[2, 0, 1])), 0);
        assert_eq!(count(&["gout", "flu", "flu"], Some(&[0, 1, 2])), 2);
        assert_eq!(count(&["gout", "gout", "plague"], None), 2);
    }
}
