//! Rows of single values, as JSON, workbooks and databases give them, become an Arrow file without a name, which is read as
//! any other.
//!
//! A column gets a type only if that changes none of its texts: 7 is a whole number, and 007 or 7.00 among them is not.

use std::borrow::Cow;
use std::io::BufWriter;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::FileWriter;

use crate::error::{Error, Result};
use crate::input::{Scratch, batch_rows, no_scratch};

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell<'a> {
    Nothing,
    Text(Cow<'a, str>),
    /// With the digits it has in the file.
    Number(Cow<'a, str>),
    Truth(bool),
}

/// Takes rows. A row may be shorter than the table: what it lacks is missing.
pub(super) type See<'a> = dyn FnMut(&[Cell<'_>]) -> Result<()> + 'a;

/// A table that can be gone through as often as needed.
pub(super) trait Rows {
    /// All rows from the start; every time the same.
    fn each(&mut self, see: &mut See<'_>) -> Result<()>;

    /// The names of the columns, once all rows were seen.
    fn names(&self) -> Vec<String>;
}

/// As many texts are kept before they are written.
const BYTES: usize = 64 << 20;

/// The rows as an Arrow file, `as_text` or with types.
pub(super) fn to_arrow(rows: &mut dyn Rows, as_text: bool, shown: &str) -> Result<Scratch> {
    let mut shapes: Vec<Shape> = Vec::new();
    let first = if as_text { Shape::Text } else { Shape::Unknown };
    rows.each(&mut |row| {
        if row.len() > shapes.len() {
            shapes.resize(row.len(), first);
        }
        shapes.iter_mut().zip(row).for_each(|(shape, cell)| *shape = shape.with(cell));
        Ok(())
    })?;
    let names = rows.names();
    shapes.resize(names.len(), first);
    let fields: Vec<Field> =
        names.iter().zip(&shapes).map(|(name, shape)| Field::new(name, shape.data_type(), true)).collect();
    let schema: SchemaRef = Arc::new(Schema::new(fields));
    let scratch = Scratch::new()?;
    let file = BufWriter::with_capacity(1 << 20, scratch.writer().map_err(|e| no_scratch(&e))?);
    let mut writer = FileWriter::try_new(file, &schema).map_err(|e| broken(&e))?;
    let mut gathered = Gathered::new(schema, &shapes);
    rows.each(&mut |row| {
        gathered.push(row).ok_or_else(|| changed(shown))?;
        if gathered.is_full() { gathered.write(&mut writer) } else { Ok(()) }
    })?;
    gathered.write(&mut writer)?;
    writer.finish().map_err(|e| broken(&e))?;
    drop(writer);
    Ok(scratch)
}

fn changed(shown: &str) -> Error {
    Error::input("the table changed while it was read")
        .in_file(shown)
        .help("run again on a table nobody writes to")
}

fn broken(e: &ArrowError) -> Error {
    match e {
        ArrowError::IoError(_, e) => no_scratch(e),
        other => Error::internal(other.to_string()),
    }
}

/// What all values of a column are that were seen so far.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Unknown,
    Whole,
    Decimal,
    Truth,
    Text,
}

impl Shape {
    fn with(self, cell: &Cell<'_>) -> Self {
        let seen = match cell {
            // Nothing and the empty text are the same here; which of them somebody has must not show in anybody's row.
            Cell::Nothing => return self,
            Cell::Text(text) if text.is_empty() => return self,
            _ if self == Self::Text => Self::Text,
            Cell::Truth(_) => Self::Truth,
            Cell::Number(digits) if whole(digits).is_some() => Self::Whole,
            Cell::Number(digits) if decimal(digits).is_some() => Self::Decimal,
            Cell::Text(_) | Cell::Number(_) => Self::Text,
        };
        if self == Self::Unknown || self == seen { seen } else { Self::Text }
    }

    fn data_type(self) -> DataType {
        match self {
            Self::Whole => DataType::Int64,
            Self::Decimal => DataType::Float64,
            Self::Truth => DataType::Boolean,
            Self::Unknown | Self::Text => DataType::Utf8,
        }
    }
}

/// The number, if its text is how it is always written.
fn whole(digits: &str) -> Option<i64> {
    digits.parse::<i64>().ok().filter(|number| number.to_string() == digits)
}

fn decimal(digits: &str) -> Option<f64> {
    let number = digits.parse::<f64>().ok().filter(|number| number.is_finite())?;
    (ryu::Buffer::new().format(number) == digits).then_some(number)
}

/// The digits of a number that a file holds as such.
pub(super) fn digits(number: f64) -> String {
    ryu::Buffer::new().format(number).to_owned()
}

enum Column {
    Whole(Int64Builder),
    Decimal(Float64Builder),
    Truth(BooleanBuilder),
    Text(StringBuilder),
}

impl Column {
    /// None where a value is not of the type that was found for the column.
    fn push(&mut self, cell: &Cell<'_>) -> Option<()> {
        let cell = if matches!(cell, Cell::Text(text) if text.is_empty()) { &Cell::Nothing } else { cell };
        match (self, cell) {
            (Self::Whole(to), Cell::Nothing) => to.append_null(),
            (Self::Whole(to), Cell::Number(digits)) => to.append_value(whole(digits)?),
            (Self::Decimal(to), Cell::Nothing) => to.append_null(),
            (Self::Decimal(to), Cell::Number(digits)) => to.append_value(decimal(digits)?),
            (Self::Truth(to), Cell::Nothing) => to.append_null(),
            (Self::Truth(to), Cell::Truth(value)) => to.append_value(*value),
            (Self::Text(to), Cell::Nothing) => to.append_null(),
            (Self::Text(to), Cell::Text(text) | Cell::Number(text)) => to.append_value(text),
            (Self::Text(to), Cell::Truth(value)) => to.append_value(if *value { "true" } else { "false" }),
            _ => return None,
        }
        Some(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Whole(to) => Arc::new(to.finish()),
            Self::Decimal(to) => Arc::new(to.finish()),
            Self::Truth(to) => Arc::new(to.finish()),
            Self::Text(to) => Arc::new(to.finish()),
        }
    }
}

/// Rows on their way to the file.
struct Gathered {
    schema: SchemaRef,
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
    most: usize,
}

impl Gathered {
    fn new(schema: SchemaRef, shapes: &[Shape]) -> Self {
        let column = |shape: &Shape| match shape {
            Shape::Whole => Column::Whole(Int64Builder::new()),
            Shape::Decimal => Column::Decimal(Float64Builder::new()),
            Shape::Truth => Column::Truth(BooleanBuilder::new()),
            Shape::Unknown | Shape::Text => Column::Text(StringBuilder::new()),
        };
        let most = batch_rows(shapes.len());
        Self { schema, columns: shapes.iter().map(column).collect(), rows: 0, bytes: 0, most }
    }

    fn push(&mut self, row: &[Cell<'_>]) -> Option<()> {
        if row.len() > self.columns.len() {
            return None;
        }
        let lacking = std::iter::repeat(&Cell::Nothing);
        for (column, cell) in self.columns.iter_mut().zip(row.iter().chain(lacking)) {
            column.push(cell)?;
            if let Cell::Text(text) | Cell::Number(text) = cell {
                self.bytes += text.len();
            }
        }
        self.rows += 1;
        Some(())
    }

    fn is_full(&self) -> bool {
        self.rows >= self.most || self.bytes >= BYTES
    }

    fn write<W: std::io::Write>(&mut self, to: &mut FileWriter<W>) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        (self.rows, self.bytes) = (0, 0);
        let arrays = self.columns.iter_mut().map(Column::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(|e| broken(&e))?;
        to.write(&batch).map_err(|e| broken(&e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(cells: &[Cell<'_>]) -> Shape {
        cells.iter().fold(Shape::Unknown, Shape::with)
    }

    fn number(digits: &str) -> Cell<'_> {
        Cell::Number(digits.into())
    }

    #[test]
    fn a_type_changes_no_text() {
        assert_eq!(shape(&[number("7"), Cell::Nothing, number("-12")]), Shape::Whole);
        assert_eq!(shape(&[number("7.5"), number("1e100")]), Shape::Decimal);
        assert_eq!(shape(&[Cell::Truth(true), Cell::Nothing]), Shape::Truth);
        assert_eq!(shape(&[Cell::Nothing, Cell::Text("".into())]), Shape::Unknown);
        assert_eq!(shape(&[number("7"), Cell::Text("".into())]), Shape::Whole);
        for kept in ["007", "-0", "12.50", "1E5", "9223372036854775808", "0.30000000000000004441", "1e999"] {
            assert_eq!(shape(&[number(kept)]), Shape::Text, "{kept}");
        }
        assert_eq!(shape(&[number("7"), number("7.5")]), Shape::Text);
        assert_eq!(shape(&[number("7"), Cell::Truth(true)]), Shape::Text);
        assert_eq!(shape(&[Cell::Text("7".into()), number("7")]), Shape::Text);
    }
}
