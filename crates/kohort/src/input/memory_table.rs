//! A table of Arrow record batches in memory.

use std::io::Write;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::BatchCoalescer;
use arrow::datatypes::SchemaRef;
use arrow::ipc::writer::StreamWriter;
use sha2::{Digest, Sha256};

use super::digest::hex;
use super::plain::{plain_batch, readable_schema};
use super::source::{Batches, TableSource, batch_rows, check_names};
use crate::error::{Error, Result};

/// Record batches of one schema. Dictionaries and views are read as plain values.
#[derive(Debug, Clone)]
pub struct MemoryTable {
    name: String,
    schema: SchemaRef,
    batches: Arc<Vec<RecordBatch>>,
    is_typed_by_values: bool,
}

impl MemoryTable {
    /// A table of these batches; `name` is what messages call it. Refuses batches of another schema, and columns of types
    /// that cannot be read.
    pub fn new(name: impl Into<String>, schema: &SchemaRef, batches: Vec<RecordBatch>) -> Result<Self> {
        let name = name.into();
        let types = |schema: &SchemaRef| {
            schema.fields().iter().map(|f| (f.name().clone(), f.data_type().clone())).collect::<Vec<_>>()
        };
        if let Some(at) = batches.iter().position(|b| types(&b.schema()) != types(schema)) {
            return Err(Error::input(format!("batch {} has other columns than the table", at + 1))
                .in_file(name)
                .help("give all batches the schema of the table"));
        }
        let schema = readable_schema(schema, &name)?;
        let table = Self { name, schema, batches: Arc::new(batches), is_typed_by_values: false };
        check_names(&table)?;
        Ok(table)
    }

    /// The same, where types were found from all values, as whoever made the table may not know: the certificate says so.
    #[must_use]
    pub fn typed_by_values(self) -> Self {
        Self { is_typed_by_values: true, ..self }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The batches as they were given.
    pub fn record_batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    fn cannot(&self, what: &dyn std::fmt::Display) -> Error {
        Error::input(format!("the batches cannot be read: {what}")).in_file(&self.name)
    }
}

impl TableSource for MemoryTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>> {
        let columns = columns.to_vec();
        let rows = batch_rows(self.schema.fields().len());
        // Few rows at a time, so that what is made of them stays small.
        let parts = self.batches.iter().flat_map(move |batch| {
            (0..batch.num_rows())
                .step_by(rows)
                .map(move |at| batch.slice(at, rows.min(batch.num_rows() - at)))
        });
        Ok(Box::new(parts.map(move |batch| {
            batch
                .project(&columns)
                .and_then(|b| plain_batch(&b))
                .map_err(|_| self.cannot(&"a value cannot be read"))
        })))
    }

    /// Of the Arrow stream of all columns as plain values, in batches whose size follows from the number of columns: how the
    /// rows are cut into batches makes no difference.
    fn has_bytes(&self) -> bool {
        false
    }

    fn is_typed_by_values(&self) -> bool {
        self.is_typed_by_values
    }

    fn digest(&self) -> Result<String> {
        let broken = |e: arrow::error::ArrowError| self.cannot(&e);
        let mut writer = StreamWriter::try_new(Hashing(Sha256::new()), &self.schema).map_err(broken)?;
        let mut gathered = BatchCoalescer::new(self.schema.clone(), batch_rows(self.schema.fields().len()));
        let all: Vec<usize> = (0..self.schema.fields().len()).collect();
        for batch in self.batches(&all)? {
            let batch = batch?.with_schema(self.schema.clone()).map_err(broken)?;
            gathered.push_batch(batch).map_err(broken)?;
            while let Some(full) = gathered.next_completed_batch() {
                writer.write(&full).map_err(broken)?;
            }
        }
        gathered.finish_buffered_batch().map_err(broken)?;
        while let Some(full) = gathered.next_completed_batch() {
            writer.write(&full).map_err(broken)?;
        }
        let Hashing(hash) = writer.into_inner().map_err(broken)?;
        Ok(hex(&hash.finalize()))
    }
}

/// Takes bytes for their digest alone.
struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{ArrayRef, Int64Array, StringArray};
    use arrow::datatypes::{DataType, Field, Schema};

    fn batch(numbers: &[i64]) -> RecordBatch {
        let texts: StringArray = numbers.iter().map(|n| Some(format!("t{n}"))).collect();
        let numbers: Int64Array = numbers.iter().copied().collect();
        let columns: Vec<(&str, ArrayRef)> = vec![("n", Arc::new(numbers)), ("t", Arc::new(texts))];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    #[test]
    fn how_rows_are_cut_into_batches_makes_no_difference() {
        let whole = batch(&[1, 2, 3, 4, 5]);
        let table = |parts| MemoryTable::new("people", &whole.schema(), parts).unwrap();
        let (one, two) =
            (table(vec![whole.clone()]), table(vec![batch(&[1, 2]), batch(&[]), batch(&[3, 4, 5])]));
        assert_eq!(one.digest().unwrap(), two.digest().unwrap());
        assert_ne!(one.digest().unwrap(), table(vec![batch(&[1, 2, 3, 4, 6])]).digest().unwrap());
        assert_eq!((one.rows(), two.rows()), (5, 5));
    }

    #[test]
    fn batches_of_another_schema_are_refused() {
        let other = Arc::new(Schema::new(vec![Field::new("n", DataType::Utf8, true)]));
        assert!(MemoryTable::new("people", &other, vec![batch(&[1])]).is_err());
    }
}
