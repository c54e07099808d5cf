//! Columns as plain values.
//!
//! Dictionaries and views keep a store of values beside the rows, in the order of the file and with values of rows that are
//! no longer there. A release must not carry that along, so everything is read as plain values.

use std::sync::Arc;

use arrow::array::{Array, RecordBatch, RecordBatchOptions};
use arrow::compute::{CastOptions, can_cast_types, cast_with_options};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;

use super::decimals::check_decimals;
use super::plausible::{DEEPEST, too_deep};
use crate::error::{Error, Place};

/// The same values without dictionaries or views, also inside lists and structs.
pub(super) fn plain_type(of: &DataType) -> DataType {
    let inside = |field: &Arc<Field>| Arc::new(plain_field(field));
    match of {
        DataType::Dictionary(_, values) => plain_type(values),
        DataType::Utf8View => DataType::Utf8,
        DataType::BinaryView => DataType::Binary,
        DataType::List(f) | DataType::ListView(f) => DataType::List(inside(f)),
        DataType::LargeList(f) | DataType::LargeListView(f) => DataType::LargeList(inside(f)),
        DataType::FixedSizeList(f, n) => DataType::FixedSizeList(inside(f), *n),
        DataType::Map(entries, sorted) => DataType::Map(plain_entries(entries), *sorted),
        DataType::RunEndEncoded(_, values) => plain_type(values.data_type()),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inside).collect()),
        other => other.clone(),
    }
}

fn plain_field(field: &Field) -> Field {
    Field::new(field.name(), plain_type(field.data_type()), true)
}

/// The first column whose values cannot be read as plain ones.
pub(super) fn unreadable(schema: &Schema) -> Option<&Field> {
    let fine = |f: &Field| {
        let plain = plain_type(f.data_type());
        !has_union(&plain) && (plain == *f.data_type() || can_cast_types(f.data_type(), &plain))
    };
    schema.fields().iter().map(AsRef::as_ref).find(|f| !fine(f))
}

/// How many lists, maps and structs lie inside each other.
pub(super) fn depth(of: &DataType) -> usize {
    match of {
        DataType::List(f) | DataType::LargeList(f) | DataType::FixedSizeList(f, _) => {
            1 + depth(f.data_type())
        }
        DataType::ListView(f) | DataType::LargeListView(f) | DataType::Map(f, _) => 1 + depth(f.data_type()),
        DataType::Struct(fields) => 1 + fields.iter().map(|f| depth(f.data_type())).max().unwrap_or(0),
        DataType::Dictionary(_, values) => depth(values),
        DataType::RunEndEncoded(_, values) => depth(values.data_type()),
        _ => 0,
    }
}

fn has_union(of: &DataType) -> bool {
    match of {
        DataType::Union(..) => true,
        DataType::List(f) | DataType::LargeList(f) | DataType::FixedSizeList(f, _) | DataType::Map(f, _) => {
            has_union(f.data_type())
        }
        DataType::Struct(fields) => fields.iter().any(|f| has_union(f.data_type())),
        _ => false,
    }
}

/// The pairs of a map: neither they nor their keys may be null.
fn plain_entries(entries: &Field) -> Arc<Field> {
    let DataType::Struct(pair) = entries.data_type() else { return Arc::new(entries.clone()) };
    let part = |(i, f): (usize, &Arc<Field>)| plain_field(f).with_nullable(i > 0);
    let pair = DataType::Struct(pair.iter().enumerate().map(part).collect());
    Arc::new(Field::new(entries.name(), pair, false))
}

/// The schema a table is read with; refuses columns that cannot be read. `name` is that of the table.
pub(super) fn readable_schema(schema: &Schema, name: &str) -> crate::error::Result<SchemaRef> {
    let column = |field: &Field| Place::default().in_file(name).in_column(field.name());
    if let Some(field) = unreadable(schema) {
        return Err(Error::input(format!("kohort cannot read values of type {}", field.data_type()))
            .at(column(field))
            .help("leave the column out of the table, or convert it to text, numbers or dates before"));
    }
    if let Some(field) = schema.fields().iter().find(|f| depth(f.data_type()) > DEEPEST) {
        return Err(too_deep(column(field)));
    }
    Ok(plain_schema(schema))
}

/// The schema a table is read with.
pub(super) fn plain_schema(of: &Schema) -> SchemaRef {
    Arc::new(Schema::new(of.fields().iter().map(|f| plain_field(f)).collect::<Vec<_>>()))
}

/// The batch as plain values; fails rather than losing a value.
pub(super) fn plain_batch(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = plain_schema(&batch.schema());
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let columns = batch.columns().iter().zip(schema.fields());
    let plain = |(array, field): (&Arc<dyn Array>, &Arc<Field>)| {
        if array.data_type() == field.data_type() {
            return Ok(array.clone());
        }
        cast_with_options(array, field.data_type(), &options)
    };
    let plain = columns.map(plain).collect::<Result<Vec<_>, _>>()?;
    plain.iter().try_for_each(|array| check_decimals(array))?;
    // Nobody may have asked for a column, only for rows.
    let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema, plain, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{AsArray, DictionaryArray, StringViewArray};
    use arrow::datatypes::Int8Type;

    #[test]
    fn dictionaries_and_views_become_values() {
        let words: DictionaryArray<Int8Type> = vec!["b", "a", "b"].into_iter().collect();
        let views = StringViewArray::from(vec!["a long text that lies in a buffer", "x", "y"]);
        let batch = RecordBatch::try_from_iter([
            ("words", Arc::new(words) as Arc<dyn Array>),
            ("views", Arc::new(views) as Arc<dyn Array>),
        ]);
        let plain = plain_batch(&batch.unwrap()).unwrap();
        assert_eq!(plain.column(0).as_string::<i32>().value(2), "b");
        assert_eq!(plain.column(1).data_type(), &DataType::Utf8);
    }
}
