//! A batch and the rows that wait, as one table.

use std::sync::Arc;

use arrow::array::{Array, RecordBatch, UInt32Array, new_empty_array, new_null_array};
use arrow::compute::{concat, take_record_batch};
use arrow::datatypes::{Schema, SchemaRef};

use crate::error::{Error, Result, Said};
use crate::input::{Batches, MemoryTable, TableSource};

/// The rows of a batch, and after them those that waited. Its columns are those of the first batch, in their order.
pub(super) struct Chained<'a> {
    batch: Option<&'a dyn TableSource>,
    waiting: MemoryTable,
    /// Whether the tables of this series are text.
    is_text: bool,
}

impl<'a> Chained<'a> {
    /// Refuses a batch of other columns than the first one had.
    pub(super) fn new(
        batch: Option<&'a dyn TableSource>,
        waiting: MemoryTable,
        is_text: bool,
    ) -> Result<Self> {
        if let Some(batch) = batch {
            check_columns(batch, waiting.schema())?;
        }
        Ok(Self { batch, waiting, is_text })
    }
}

fn check_columns(batch: &dyn TableSource, first: &SchemaRef) -> Result<()> {
    let wrong = |what: String| {
        Err(Error::input(format!("this batch has other columns than the first one: {what}"))
            .in_file(batch.name())
            .help("make it like the first one, with the same columns of the same types"))
    };
    let names: Vec<&str> = batch.names().collect();
    let lacking: Vec<&str> =
        first.fields().iter().map(|f| f.name().as_str()).filter(|name| !names.contains(name)).collect();
    if !lacking.is_empty() {
        return wrong(format!("it lacks {}", lacking.join(", ")));
    }
    let more: Vec<&str> = names.into_iter().filter(|name| first.index_of(name).is_err()).collect();
    if !more.is_empty() {
        return wrong(format!("it also has {}", more.join(", ")));
    }
    for field in first.fields() {
        let here = batch.schema().field(batch.column(field.name())?);
        if here.data_type() != field.data_type() {
            return wrong(format!(
                "'{}' has the type {}, and had {}",
                field.name(),
                here.data_type(),
                field.data_type()
            ));
        }
    }
    Ok(())
}

impl TableSource for Chained<'_> {
    fn name(&self) -> &str {
        self.batch.map_or("the rows that wait", |batch| batch.name())
    }

    fn schema(&self) -> &SchemaRef {
        self.waiting.schema()
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>> {
        let waiting = self.waiting.batches(columns)?;
        let Some(batch) = self.batch else { return Ok(waiting) };
        let there = columns.iter().map(|&column| batch.column(self.schema().field(column).name()));
        let fields: Vec<_> = columns.iter().map(|&column| self.schema().field(column).clone()).collect();
        let schema = Arc::new(Schema::new(fields));
        let suited = move |read: Result<RecordBatch>| {
            RecordBatch::try_new(schema.clone(), read?.columns().to_vec())
                .map_err(|e| Error::internal(e.to_string()))
        };
        Ok(Box::new(batch.batches(&there.collect::<Result<Vec<_>>>()?)?.chain(waiting).map(suited)))
    }

    fn digest(&self) -> Result<String> {
        self.batch.map_or_else(|| self.waiting.digest(), TableSource::digest)
    }

    fn is_text_only(&self) -> bool {
        self.is_text
    }

    fn is_typed_by_values(&self) -> bool {
        self.batch.is_some_and(TableSource::is_typed_by_values)
    }

    fn bytes(&self) -> u64 {
        self.batch.map_or(0, TableSource::bytes)
    }

    fn blank_lines(&self) -> u64 {
        self.batch.map_or(0, TableSource::blank_lines)
    }

    fn starts_with_data(&self) -> bool {
        self.batch.is_some_and(TableSource::starts_with_data)
    }

    fn way_to_column(&self, name: &str) -> Option<Said> {
        self.batch.and_then(|batch| batch.way_to_column(name))
    }
}

/// Some rows of a table with all its columns; those that are not `read` hold nothing.
pub(super) fn rows_of(source: &dyn TableSource, read: &[usize], wanted: &[bool]) -> Result<MemoryTable> {
    let broken = |e: arrow::error::ArrowError| Error::internal(e.to_string());
    let mut parts = Vec::new();
    let mut at = 0;
    for batch in source.batches(read)? {
        let batch = batch?;
        let marks = &wanted[at..at + batch.num_rows()];
        at += batch.num_rows();
        if marks.contains(&true) {
            parts.push(marked(&batch, marks)?);
        }
    }
    let rows = parts.iter().map(RecordBatch::num_rows).sum();
    let columns = source.schema().fields().iter().enumerate().map(|(column, field)| {
        let Some(place) = read.iter().position(|&r| r == column) else {
            return Ok(new_null_array(field.data_type(), rows));
        };
        let arrays: Vec<&dyn Array> = parts.iter().map(|part| part.column(place).as_ref()).collect();
        if arrays.is_empty() {
            return Ok(new_empty_array(field.data_type()));
        }
        concat(&arrays).map_err(broken)
    });
    let fields: Vec<_> =
        source.schema().fields().iter().map(|field| field.as_ref().clone().with_nullable(true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), columns.collect::<Result<_>>()?).map_err(broken)?;
    MemoryTable::new("the rows that wait", &schema, vec![batch])
}

/// The rows that are marked.
pub(super) fn marked(batch: &RecordBatch, marks: &[bool]) -> Result<RecordBatch> {
    let rows: UInt32Array = (0..).zip(marks).filter(|(_, mark)| **mark).map(|(row, _)| Some(row)).collect();
    take_record_batch(batch, &rows).map_err(|e| Error::internal(e.to_string()))
}
