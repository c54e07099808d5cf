//! Writes a release of which most rows were published before: they are read from where they stand, changed where they must, and
//! put in order together with the new ones.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, SchemaRef};

use super::column::{OutColumn, to_strings};
use super::row_key::row_keys;
use super::sink::{OutBatch, TableSink};
use super::sort::Sorter;
use crate::error::{Error, Result};
use crate::input::{TableSource, pipelined};

/// What becomes of some rows: which of them stay, by their number in the table, and what they show.
pub type Change<'a> = dyn FnMut(u32, RecordBatch) -> Result<(Vec<u32>, RecordBatch)> + Send + 'a;

/// A table whose rows go into a release as they stand there.
pub struct Carried<'a> {
    /// The rows.
    pub source: &'a dyn TableSource,
    /// What becomes of them.
    pub change: Box<Change<'a>>,
}

/// Writes the rows of several tables as one, in an order that depends on nothing but what they show. Returns where each row comes
/// from: rows are numbered through all tables, one after the other, `rows` of them in the first.
pub fn write_carried(
    schema: &SchemaRef,
    parts: Vec<Carried<'_>>,
    rows: &[usize],
    sink: &mut dyn TableSink,
) -> Result<Vec<u32>> {
    sink.begin(schema)?;
    let as_text = sink.is_text_only();
    // Where a release was text, nothing and the empty text are the same.
    let was_text = parts.first().is_some_and(|part| part.source.is_text_only());
    let bytes = parts.iter().map(|part| part.source.bytes()).sum();
    let mut sorter = Sorter::new(schema.as_ref().clone(), rows.iter().sum(), bytes)?;
    let mut first = 0;
    for (Carried { source, mut change }, rows) in parts.into_iter().zip(rows) {
        let columns: Vec<usize> = (0..schema.fields().len()).collect();
        let mut at = 0u32;
        pipelined(source.batches(&columns)?, |batch| {
            let count = batch.num_rows() as u32;
            let (kept, batch) = change(at, batch)?;
            at += count;
            let batch = suited(schema, &batch, was_text)?;
            let keys = row_keys(&out_columns(&batch), as_text)?;
            let numbers: Vec<u32> = kept.iter().map(|row| first + row).collect();
            sorter.push(&batch, &keys, &numbers)
        })?;
        if at as usize != *rows {
            return Err(Error::input(format!("the table has {at} rows, expected {rows}"))
                .in_file(source.name())
                .help("run again on a table nobody writes to"));
        }
        first += *rows as u32;
    }
    let mut order = Vec::with_capacity(rows.iter().sum());
    sorter.finish(|numbers, batch| {
        order.extend_from_slice(numbers);
        sink.write(&OutBatch { schema, columns: out_columns(batch) })
    })?;
    Ok(order)
}

fn out_columns(batch: &RecordBatch) -> Vec<OutColumn> {
    batch.columns().iter().cloned().map(OutColumn::Array).collect()
}

/// The rows with the types of the release.
fn suited(schema: &SchemaRef, batch: &RecordBatch, is_text: bool) -> Result<RecordBatch> {
    let broken = |e: arrow::error::ArrowError| Error::internal(e.to_string());
    let suit = |(field, array): (&Arc<arrow::datatypes::Field>, &ArrayRef)| match field.data_type() {
        DataType::Utf8 if is_text => to_strings(array).map(|texts| without_empty(&texts)),
        DataType::Utf8 => to_strings(array),
        data => cast(array, data).map_err(broken),
    };
    let columns = schema.fields().iter().zip(batch.columns()).map(suit).collect::<Result<Vec<_>>>()?;
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(broken)
}

fn without_empty(texts: &ArrayRef) -> ArrayRef {
    let strings = texts.as_string::<i32>();
    if (0..strings.len()).all(|row| strings.is_null(row) || !strings.value(row).is_empty()) {
        return texts.clone();
    }
    Arc::new(strings.iter().map(|text| text.filter(|t| !t.is_empty())).collect::<StringArray>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::MemoryTable;
    use crate::output::MemorySink;
    use arrow::compute::take_record_batch;

    fn table(names: &[&str]) -> MemoryTable {
        let texts: ArrayRef = Arc::new(StringArray::from(names.to_vec()));
        let batch = RecordBatch::try_from_iter([("name", texts)]).unwrap();
        MemoryTable::new("names", &batch.schema(), vec![batch]).unwrap()
    }

    fn everything(source: &dyn TableSource) -> Carried<'_> {
        let all = |at: u32, batch: RecordBatch| Ok(((at..at + batch.num_rows() as u32).collect(), batch));
        Carried { source, change: Box::new(all) }
    }

    fn shown(parts: Vec<Carried<'_>>, rows: &[usize]) -> (Vec<String>, Vec<u32>) {
        let schema = table(&["a"]).schema().clone();
        let mut sink = MemorySink::new("release");
        let order = write_carried(&schema, parts, rows, &mut sink).unwrap();
        let written = sink.finish().unwrap();
        let batches = written.batches(&[0]).unwrap().map(Result::unwrap);
        let texts = |b: RecordBatch| {
            b.column(0).as_string::<i32>().iter().map(|t| t.unwrap().to_owned()).collect::<Vec<_>>()
        };
        (batches.flat_map(texts).collect(), order)
    }

    #[test]
    fn order_does_not_tell_which_rows_are_new() {
        let (old, new) = (table(&["a", "b", "c"]), table(&["d", "e"]));
        let (forwards, order) = shown(vec![everything(&old), everything(&new)], &[3, 2]);
        let (backwards, _) = shown(vec![everything(&new), everything(&old)], &[2, 3]);
        assert_eq!(forwards, backwards);
        let names = ["a", "b", "c", "d", "e"];
        assert!(order.iter().zip(&forwards).all(|(&row, name)| names[row as usize] == name));
    }

    #[test]
    fn rows_that_go_are_not_written_and_tables_that_changed_are_refused() {
        let (old, new) = (table(&["a", "b", "c"]), table(&["d"]));
        let without_b = |_: u32, batch: RecordBatch| {
            let rows = arrow::array::UInt32Array::from(vec![0, 2]);
            Ok((vec![0, 2], take_record_batch(&batch, &rows).unwrap()))
        };
        let part = Carried { source: &old, change: Box::new(without_b) };
        let (mut names, mut order) = shown(vec![part, everything(&new)], &[3, 1]);
        names.sort();
        order.sort_unstable();
        assert_eq!((names, order), (vec!["a".to_owned(), "c".into(), "d".into()], vec![0, 2, 3]));
        let schema = old.schema().clone();
        let mut sink = MemorySink::new("release");
        assert!(write_carried(&schema, vec![everything(&old)], &[4], &mut sink).is_err());
    }
}
