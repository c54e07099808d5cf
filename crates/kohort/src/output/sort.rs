//! Puts rows whose columns are not all held in memory into the order of their keys.
//!
//! Also when they are larger than memory: rows are dealt into buckets by the first bits of their keys, each bucket small
//! enough to be sorted in memory. Buckets live in unnamed temporary files, which vanish with the process.

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, SeekFrom};
use std::sync::Arc;

use arrow::array::{RecordBatch, UInt32Array};
use arrow::compute::{interleave_record_batch, take_record_batch};
use arrow::datatypes::{Schema, SchemaRef};
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;

use super::row_key::RowKey;
use crate::error::{Error, Result};
use crate::input::batch_rows;

/// About how many bytes of values a bucket holds.
const BUCKET_BYTES: u64 = 8 << 20;

/// Rows handed out at once, and fewer of very wide tables.
const CHUNK: usize = 4096;

/// At most so many files are open at once; larger tables get larger buckets.
const BUCKETS: usize = 256;

/// Deals rows into buckets by their keys.
pub(super) struct Sorter {
    schema: SchemaRef,
    buckets: Vec<Bucket>,
}

/// Rows whose keys begin alike.
struct Bucket {
    /// Key and number of every row, as they came.
    rows: Vec<(RowKey, u32)>,
    /// Their values, in the same order.
    values: Values,
}

/// A single bucket stays in memory; several go to disk.
enum Values {
    Memory(Vec<RecordBatch>),
    Disk(Box<StreamWriter<BufWriter<File>>>),
}

impl Sorter {
    /// For `rows` rows of these columns, about `bytes` in all.
    pub(super) fn new(columns: Schema, rows: usize, bytes: u64) -> Result<Self> {
        let count = (bytes.div_ceil(BUCKET_BYTES) as usize).clamp(1, BUCKETS.min(rows.max(1)));
        let values = || if count == 1 { Ok(Values::Memory(Vec::new())) } else { Values::on_disk(&columns) };
        let bucket = |_| Ok(Bucket { rows: Vec::new(), values: values()? });
        let buckets = (0..count).map(bucket).collect::<Result<_>>()?;
        Ok(Self { schema: Arc::new(columns), buckets })
    }

    /// Takes the values of some rows, which have these keys and numbers.
    pub(super) fn push(&mut self, batch: &RecordBatch, keys: &[RowKey], numbers: &[u32]) -> Result<()> {
        if let [Bucket { rows, values: Values::Memory(parts) }] = &mut self.buckets[..] {
            // A single bucket takes the values as they are, without a copy.
            rows.extend(keys.iter().copied().zip(numbers.iter().copied()));
            parts.push(batch.clone().with_schema(self.schema.clone()).map_err(broken)?);
            return Ok(());
        }
        let mut dealt: Vec<Vec<u32>> = vec![Vec::new(); self.buckets.len()];
        for (row, key) in keys.iter().enumerate() {
            dealt[((u64::from(key[0]) * self.buckets.len() as u64) >> 32) as usize].push(row as u32);
        }
        for (bucket, rows) in self.buckets.iter_mut().zip(dealt).filter(|(_, rows)| !rows.is_empty()) {
            bucket.rows.extend(rows.iter().map(|&row| (keys[row as usize], numbers[row as usize])));
            let part = take_record_batch(batch, &UInt32Array::from(rows)).map_err(broken)?;
            let part = part.with_schema(self.schema.clone()).map_err(broken)?;
            match &mut bucket.values {
                Values::Memory(parts) => parts.push(part),
                Values::Disk(writer) => writer.write(&part).map_err(broken)?,
            }
        }
        Ok(())
    }

    /// Hands out all rows by key, a few thousand at a time: their numbers and values.
    pub(super) fn finish(self, mut each: impl FnMut(&[u32], &RecordBatch) -> Result<()>) -> Result<()> {
        let most = CHUNK.min(batch_rows(self.schema.fields().len()));
        for Bucket { rows, values } in self.buckets {
            let parts = values.into_parts()?;
            let places =
                parts.iter().enumerate().flat_map(|(p, part)| (0..part.num_rows()).map(move |r| (p, r)));
            let mut order: Vec<_> = rows.into_iter().zip(places).collect();
            order.sort_unstable();
            let parts: Vec<&RecordBatch> = parts.iter().collect();
            for some in order.chunks(most) {
                let numbers: Vec<u32> = some.iter().map(|&((_, number), _)| number).collect();
                let places: Vec<(usize, usize)> = some.iter().map(|&(_, place)| place).collect();
                each(&numbers, &interleave_record_batch(&parts, &places).map_err(broken)?)?;
            }
        }
        Ok(())
    }
}

impl Values {
    fn on_disk(schema: &Schema) -> Result<Self> {
        let file = tempfile::tempfile().map_err(no_space)?;
        Ok(Self::Disk(Box::new(StreamWriter::try_new_buffered(file, schema).map_err(broken)?)))
    }

    fn into_parts(self) -> Result<Vec<RecordBatch>> {
        match self {
            Self::Memory(parts) => Ok(parts),
            Self::Disk(writer) => {
                let mut file = writer
                    .into_inner()
                    .map_err(broken)?
                    .into_inner()
                    .map_err(|e| no_space(e.into_error()))?;
                file.seek(SeekFrom::Start(0)).map_err(no_space)?;
                let reader = StreamReader::try_new(BufReader::new(file), None).map_err(broken)?;
                reader.collect::<std::result::Result<_, _>>().map_err(broken)
            }
        }
    }
}

#[allow(clippy::needless_pass_by_value)] // used as a function by `map_err`
fn broken(e: arrow::error::ArrowError) -> Error {
    Error::input(format!("cannot reorder rows: {e}"))
        .at("temporary files")
        .help("free some space where temporary files are kept (TMPDIR), or use ‹keep-order› if the order tells nothing")
}

#[allow(clippy::needless_pass_by_value)]
fn no_space(e: std::io::Error) -> Error {
    broken(arrow::error::ArrowError::IoError(e.to_string(), e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{AsArray, StringArray};
    use arrow::datatypes::{DataType, Field};

    fn sorted(bytes: u64) -> Vec<String> {
        let schema = Schema::new(vec![Field::new("x", DataType::Utf8, true)]);
        let mut sorter = Sorter::new(schema.clone(), 1000, bytes).unwrap();
        for start in (0..1000u32).step_by(100) {
            let numbers: Vec<u32> = (start..start + 100).collect();
            let values: StringArray = numbers.iter().map(|i| Some(i.to_string())).collect();
            let batch = RecordBatch::try_new(Arc::new(schema.clone()), vec![Arc::new(values)]).unwrap();
            let keys: Vec<RowKey> = numbers.iter().map(|&i| [u32::MAX / 1000 * (999 - i), 0, 0]).collect();
            sorter.push(&batch, &keys, &numbers).unwrap();
        }
        let mut out = Vec::new();
        let mut collect = |numbers: &[u32], batch: &RecordBatch| {
            let texts: Vec<_> =
                batch.column(0).as_string::<i32>().iter().map(|t| t.unwrap().to_owned()).collect();
            assert!(texts.iter().zip(numbers).all(|(text, number)| *text == number.to_string()));
            out.extend(texts);
            Ok(())
        };
        sorter.finish(&mut collect).unwrap();
        out
    }

    #[test]
    fn memory_and_disk_give_the_same_order() {
        let expected: Vec<String> = (0..1000).rev().map(|i| i.to_string()).collect();
        assert_eq!(sorted(1), expected);
        assert_eq!(sorted(7 * BUCKET_BYTES), expected);
    }
}
