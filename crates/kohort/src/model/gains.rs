//! What a row would bring a class that lacks diversity, worked out once per step for all rows ("build by score",
//! `algorithms.md` §8 a).

use super::{BoundColumn, BoundDemands, Tally, ValueCounts};

/// Up to how many different values the distance of every possible class is worked out.
const FEW: usize = 512;

/// By how much one more row with a code lowers what a class lacks.
pub struct Gains<'a> {
    demands: &'a BoundDemands,
    class: &'a Tally,
    /// Per column and code, where looking it up is cheaper than working it out row by row.
    tables: Vec<Vec<i64>>,
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
        self.tables
            .iter()
            .zip(codes)
            .map(|(table, code)| table.get(code as usize).copied().unwrap_or(0))
            .sum()
    }
}

fn table(column: &BoundColumn, counts: &ValueCounts) -> Vec<i64> {
    let codes = column.codes();
    let mut counts = counts.clone();
    let before = column.lack(&counts).cast_signed();
    if codes > FEW {
        // The values that the class has less of than the table.
        return (0..codes as u32).map(|code| i64::from(column.table().has_more(&counts, code))).collect();
    }
    (0..codes as u32)
        .map(|code| {
            counts.add(code, 1);
            let after = column.lack(&counts).cast_signed();
            counts.remove(code, 1);
            before - after
        })
        .collect()
}
