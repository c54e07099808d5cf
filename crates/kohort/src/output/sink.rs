//! Where a release goes: a file, memory, or whatever a caller brings.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::BatchCoalescer;
use arrow::datatypes::SchemaRef;

use super::column::OutColumn;
use super::fresh::fresh_batch;
use crate::error::{Error, Result};
use crate::input::{MemoryTable, TableSource, batch_rows};
use crate::report::{Audit, Certificate, Solutions};

/// Some rows of a release.
pub struct OutBatch<'a> {
    /// Their columns and types.
    pub schema: &'a SchemaRef,
    /// One per field of the schema.
    pub columns: Vec<OutColumn>,
}

impl OutBatch<'_> {
    /// The rows as plain Arrow arrays.
    pub fn to_record_batch(&self) -> Result<RecordBatch> {
        let arrays = self.columns.iter().map(OutColumn::to_array).collect::<Result<Vec<_>>>()?;
        RecordBatch::try_new(self.schema.clone(), arrays).map_err(|e| Error::internal(e.to_string()))
    }
}

/// What belongs to a finished and verified release.
pub struct Documents<'a> {
    /// For everybody.
    pub certificate: &'a Certificate,
    /// For the steward alone.
    pub audit: &'a Audit,
    /// All minimal choices of levels, where they were asked for.
    pub solutions: &'a Solutions,
}

/// Takes a release. What was written can be read again, and is verified by that; it reaches nobody before
/// [`TableSink::publish`].
pub trait TableSink: Send {
    /// What to call it in messages.
    fn name(&self) -> String;

    /// Whether all cells become text.
    fn is_text_only(&self) -> bool {
        false
    }

    /// Called before the search: what cannot be written later should be refused now.
    fn open(&mut self) -> Result<()> {
        Ok(())
    }

    /// Begins the table.
    fn begin(&mut self, schema: &SchemaRef) -> Result<()>;

    /// Takes some rows.
    fn write(&mut self, rows: &OutBatch<'_>) -> Result<()>;

    /// Completes the table, and opens what was written for reading.
    fn finish(&mut self) -> Result<Box<dyn TableSource>>;

    /// Another one of the same kind for a form of the release that nobody is going to see.
    fn twin(&self) -> Box<dyn TableSink> {
        Box::new(MemorySink::new(self.name()))
    }

    /// Where the certificate will be, for the audit record; none where it has no place of its own.
    fn certificate_place(&self) -> Option<String> {
        None
    }

    /// The release was verified: hands it over with what belongs to it, all or nothing.
    fn publish(&mut self, _documents: &Documents<'_>) -> Result<()> {
        Ok(())
    }
}

/// Record batches in memory. Before the release is verified there are none to be had.
pub struct MemorySink {
    name: String,
    open: Option<BatchCoalescer>,
    schema: Option<SchemaRef>,
    batches: Vec<RecordBatch>,
    written: Option<MemoryTable>,
    published: Option<MemoryTable>,
}

impl MemorySink {
    /// An empty one; `name` is what messages call the release.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            open: None,
            schema: None,
            batches: Vec::new(),
            written: None,
            published: None,
        }
    }

    /// The verified release; none where the job failed.
    pub fn into_release(self) -> Option<MemoryTable> {
        self.published
    }

    /// Takes what is full. Every buffer is new: the library's arrays carry bytes that nobody sees, and some of them must not
    /// leave.
    fn take(&mut self) -> Result<()> {
        while let Some(batch) = self.open.as_mut().and_then(BatchCoalescer::next_completed_batch) {
            self.batches.push(fresh_batch(&batch).map_err(|e| Error::internal(e.to_string()))?);
        }
        Ok(())
    }

    fn not_begun() -> Error {
        Error::internal("rows were written to a table that was not begun")
    }
}

impl TableSink for MemorySink {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        // Batches as rows arrive would tell where suppressed rows stood.
        self.open = Some(BatchCoalescer::new(schema.clone(), batch_rows(schema.fields().len())));
        self.schema = Some(Arc::clone(schema));
        (self.batches, self.written, self.published) = (Vec::new(), None, None);
        Ok(())
    }

    fn write(&mut self, rows: &OutBatch<'_>) -> Result<()> {
        let batch = rows.to_record_batch()?;
        let open = self.open.as_mut().ok_or_else(Self::not_begun)?;
        open.push_batch(batch).map_err(|e| Error::internal(e.to_string()))?;
        self.take()
    }

    fn finish(&mut self) -> Result<Box<dyn TableSource>> {
        let open = self.open.as_mut().ok_or_else(Self::not_begun)?;
        open.finish_buffered_batch().map_err(|e| Error::internal(e.to_string()))?;
        self.take()?;
        self.open = None;
        let schema = self.schema.take().ok_or_else(Self::not_begun)?;
        let table = MemoryTable::new(self.name.clone(), &schema, std::mem::take(&mut self.batches))?;
        self.written = Some(table.clone());
        Ok(Box::new(table))
    }

    fn publish(&mut self, _: &Documents<'_>) -> Result<()> {
        self.published = self.written.take();
        Ok(())
    }
}
