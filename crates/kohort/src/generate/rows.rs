//! Chunks of a table, each from its own random stream.

use std::fmt;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::ColumnInfo;
use super::random::Dice;
use super::sheet::{Sheet, schema};
use crate::error::{Error, Result};

/// Rows per chunk. Part of what a seed means: another length would give other tables.
pub const CHUNK_ROWS: u64 = 65_536;

/// Makes one row after another; all probabilities are worked out before the first.
pub(super) trait Sampler: fmt::Debug + Send + Sync {
    /// Appends the row with this number (from 0) to the sheet.
    fn row(&self, row: u64, dice: &mut Dice, sheet: &mut Sheet);
}

/// A generated table: an iterator over its chunks, or random access to them by [`Rows::chunk`].
#[derive(Debug)]
pub struct Rows {
    sampler: Box<dyn Sampler>,
    schema: SchemaRef,
    total: u64,
    seed: u64,
    next: u64,
}

impl Rows {
    pub(super) fn new(sampler: Box<dyn Sampler>, columns: &[ColumnInfo], rows: u64, seed: u64) -> Self {
        Self { sampler, schema: schema(columns), total: rows, seed, next: 0 }
    }

    /// The columns as Arrow names them.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Number of chunks; the last may be short.
    pub fn chunks(&self) -> u64 {
        self.total.div_ceil(CHUNK_ROWS)
    }

    /// The chunk of this number (from 0), whichever were made before; safe to call from many threads.
    pub fn chunk(&self, chunk: u64) -> Result<RecordBatch> {
        if chunk >= self.chunks() {
            return Err(Error::job(format!("chunk {chunk} was asked for, the table has {}", self.chunks())));
        }
        let first = chunk * CHUNK_ROWS;
        let last = self.total.min(first.saturating_add(CHUNK_ROWS));
        let mut dice = Dice::new(self.seed, chunk);
        let mut sheet = Sheet::new(&self.schema, (last - first) as usize);
        for row in first..last {
            self.sampler.row(row, &mut dice, &mut sheet);
        }
        sheet.finish(&self.schema)
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let chunk = self.next;
        (chunk < self.chunks()).then(|| {
            self.next += 1;
            self.chunk(chunk)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    #[test]
    fn a_chunk_beyond_the_end_is_refused() {
        let rows = find("art").unwrap().rows(CHUNK_ROWS, 1);
        assert_eq!(rows.chunks(), 1);
        assert!(rows.chunk(0).is_ok());
        assert!(rows.chunk(1).unwrap_err().to_string().contains("chunk 1 was asked for, the table has 1"));
    }
}
