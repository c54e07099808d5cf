//! Rows in, Arrow columns out.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Builder, Int64Builder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::{ColumnInfo, Kind};
use crate::error::{Error, Result};

/// One value on its way into a column; borrowed, so that no cell costs an allocation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    /// A category or text.
    Word(&'a str),
    /// Two words with a space between them.
    Words(&'a str, &'a str),
    /// A whole number.
    Number(i64),
    /// Days since 1970-01-01.
    Day(i32),
    /// No value.
    Missing,
}

impl Cell<'_> {
    /// A number that was an index: an age, hours.
    pub(super) fn count(n: usize) -> Self {
        Self::Number((n as u64).cast_signed())
    }
}

/// The schema of a table with these columns.
pub(super) fn schema(columns: &[ColumnInfo]) -> SchemaRef {
    let field = |c: &ColumnInfo| {
        let data_type = match c.kind {
            Kind::Category | Kind::Text => DataType::Utf8,
            Kind::Integer => DataType::Int64,
            Kind::Date => DataType::Date32,
        };
        Field::new(c.name, data_type, true)
    };
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// The columns of a chunk while they grow.
#[derive(Debug)]
pub(super) struct Sheet {
    columns: Vec<Column>,
    misfits: usize,
}

#[derive(Debug)]
enum Column {
    Words(StringBuilder),
    Numbers(Int64Builder),
    Days(Date32Builder),
}

impl Sheet {
    pub(super) fn new(schema: &Schema, rows: usize) -> Self {
        let column = |f: &Arc<Field>| match f.data_type() {
            DataType::Int64 => Column::Numbers(Int64Builder::with_capacity(rows)),
            DataType::Date32 => Column::Days(Date32Builder::with_capacity(rows)),
            _ => Column::Words(StringBuilder::with_capacity(rows, rows * 8)),
        };
        Self { columns: schema.fields().iter().map(column).collect(), misfits: 0 }
    }

    /// Appends one row, one cell per column. A cell that does not fit its column is a bug that `finish` reports.
    pub(super) fn push<const N: usize>(&mut self, cells: [Cell<'_>; N]) {
        self.misfits += self.columns.len().abs_diff(N);
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            self.misfits += usize::from(!column.push(cell));
        }
    }

    /// The chunk.
    pub(super) fn finish(self, schema: &SchemaRef) -> Result<RecordBatch> {
        if self.misfits > 0 {
            return Err(Error::internal(format!(
                "{} generated cells do not fit their columns",
                self.misfits
            )));
        }
        let arrays = self.columns.into_iter().map(Column::finish).collect();
        RecordBatch::try_new(schema.clone(), arrays)
            .map_err(|e| Error::internal(format!("generated columns make no table: {e}")))
    }
}

impl Column {
    fn push(&mut self, cell: Cell<'_>) -> bool {
        match (self, cell) {
            (Self::Words(c), Cell::Word(word)) => c.append_value(word),
            (Self::Words(c), Cell::Words(first, second)) => {
                let written = write!(c, "{first} {second}").is_ok();
                c.append_value("");
                return written;
            }
            (Self::Words(c), Cell::Missing) => c.append_null(),
            (Self::Numbers(c), Cell::Number(number)) => c.append_value(number),
            (Self::Days(c), Cell::Day(day)) => c.append_value(day),
            _ => return false,
        }
        true
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Words(mut c) => Arc::new(c.finish()),
            Self::Numbers(mut c) => Arc::new(c.finish()),
            Self::Days(mut c) => Arc::new(c.finish()),
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;

    use super::*;

    const COLUMNS: &[ColumnInfo] =
        &[ColumnInfo::id("name", Kind::Text), ColumnInfo::qi("age", Kind::Integer)];

    #[test]
    fn cells_become_columns() {
        let schema = schema(COLUMNS);
        let mut sheet = Sheet::new(&schema, 2);
        sheet.push([Cell::Words("Ada", "Holm"), Cell::Number(4)]);
        sheet.push([Cell::Missing, Cell::Number(5)]);
        let batch = sheet.finish(&schema).unwrap();
        let names: Vec<_> = batch.column(0).as_string::<i32>().iter().collect();
        assert_eq!(names, [Some("Ada Holm"), None]);
    }

    #[test]
    fn a_cell_in_the_wrong_column_is_our_bug() {
        let schema = schema(COLUMNS);
        let mut sheet = Sheet::new(&schema, 1);
        sheet.push([Cell::Number(4), Cell::Number(4)]);
        assert!(matches!(sheet.finish(&schema), Err(Error::Internal(_))));
    }
}
