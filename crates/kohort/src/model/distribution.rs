//! How often each value of a sensitive column occurs in the whole table: what some models compare classes with.

use super::ValueCounts;
use crate::data::{Coding, Sensitive, Table};

/// The values of the table's rows, those that are published as they are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// By code.
    times: Vec<u64>,
    rows: u64,
    distinct: usize,
}

impl Distribution {
    /// Of a sensitive column of the table.
    pub fn new(table: &Table, column: &Sensitive) -> Self {
        if !column.frozen.is_empty() {
            return Self::of(column.frozen.clone());
        }
        if let Coding::Pairs(pairs) = &column.coding {
            // What a person has in several rows is there once.
            let mut times = vec![0; pairs.values() as usize];
            let mut is_there = vec![false; pairs.len()];
            for (_, code) in column.codes.iter().enumerate().filter(|(row, _)| !table.is_verbatim(*row)) {
                is_there[code as usize] = true;
            }
            let there = (0..).zip(is_there).filter(|(_, there)| *there);
            there.for_each(|(code, _)| times[pairs.value(code) as usize] += 1);
            return Self::of(times);
        }
        let mut times = vec![0; column.distinct as usize];
        for (row, code) in column.codes.iter().enumerate() {
            times[code as usize] += u64::from(!table.is_verbatim(row));
        }
        Self::of(times)
    }

    /// With so many rows of each code.
    pub fn of(times: Vec<u64>) -> Self {
        let distinct = times.iter().filter(|&&n| n > 0).count();
        Self { rows: times.iter().sum(), times, distinct }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// How many different values they have.
    pub(super) fn distinct(&self) -> usize {
        self.distinct
    }

    /// How often each code occurs.
    pub fn times(&self) -> &[u64] {
        &self.times
    }

    /// How often a code occurs.
    pub(super) fn count(&self, code: u32) -> u64 {
        self.times.get(code as usize).copied().unwrap_or(0)
    }

    /// Whether a class has less of a code than the table.
    pub(super) fn has_more(&self, class: &ValueCounts, code: u32) -> bool {
        u128::from(class.count(code)) * u128::from(self.rows)
            < u128::from(self.count(code)) * u128::from(class.rows())
    }

    /// How frequent a code is in a class, over how frequent it is in the table: whole numbers until the one division.
    /// Infinite for a code the table does not have.
    pub(super) fn ratio(&self, class_rows: u64, code: u32, times: u32) -> f64 {
        let in_table = u128::from(self.count(code)) * u128::from(class_rows);
        if in_table == 0 {
            return f64::INFINITY;
        }
        (u128::from(times) * u128::from(self.rows)) as f64 / in_table as f64
    }

    /// The share of a class that a code has beyond `most` times its share of the table.
    pub(super) fn excess(&self, class: &ValueCounts, code: u32, times: u32, most: f64) -> f64 {
        let of_table = self.count(code) as f64 / self.rows.max(1) as f64;
        (f64::from(times) / class.rows().max(1) as f64 - most * of_table).max(0.0)
    }
}
