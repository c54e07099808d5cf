//! What a row would bring a class that lacks diversity, worked out once per step for all rows ("build by score",
//! `algorithms.md` §8 a).

use super::{BoundColumn, BoundDemands, Tally, ValueCounts};

/// Up to how many different values the distance of every possible class is worked out.
const FEW: usize = 512;

/// By how much one more row with a code lowers what a class lacks.
pub struct Gains<'a> {
    demands: &'a BoundDemands,
    class: &'a Tally,
    /// Per column and value, where looking it up is cheaper than working it out row by row; none of a column of people.
    tables: Vec<Option<Vec<i64>>>,
}

impl<'a> Gains<'a> {
    /// For this class.
    pub fn new(demands: &'a BoundDemands, class: &'a Tally) -> Self {
        let tables = if demands.survive_adding_rows() {
            Vec::new()
        } else {
            demands
                .columns()
                .iter()
                .zip(class.columns())
                .map(|(column, counts)| table(column, counts))
                .collect()
        };
        Self { demands, class, tables }
    }

    /// What a row with these sensitive codes brings, over all columns; negative where it makes things worse.
    pub fn of(&self, codes: impl IntoIterator<Item = u32>) -> i64 {
        if self.tables.is_empty() {
            return self.demands.gain(self.class, codes);
        }
        let columns = self.demands.columns().iter().zip(self.class.columns()).zip(&self.tables);
        let gain =
            |(((column, counts), table), code): (((&BoundColumn, _), &Option<Vec<i64>>), u32)| match table {
                None => column.gain(counts, code),
                // What the class has of this person already brings nothing.
                Some(_) if column.is_had(counts, code) => 0,
                Some(table) => table.get(column.value(code) as usize).copied().unwrap_or(0),
            };
        columns.zip(codes).map(gain).sum()
    }
}

/// Of pairs, what a stranger with the value brings.
fn table(column: &BoundColumn, counts: &ValueCounts) -> Option<Vec<i64>> {
    if column.is_people() {
        return None;
    }
    let codes = column.codes();
    let mut counts = counts.clone();
    let before = column.lack(&counts).cast_signed();
    if codes > FEW {
        // The values that the class has less of than the table.
        let values = column.values_of(&counts);
        return Some((0..codes as u32).map(|v| i64::from(column.table().has_more(&values, v))).collect());
    }
    let brings = |value: u32| {
        let code = column.of_stranger(value);
        counts.add(code, 1);
        let after = column.lack(&counts).cast_signed();
        counts.remove(code, 1);
        before - after
    };
    Some((0..codes as u32).map(brings).collect())
}
