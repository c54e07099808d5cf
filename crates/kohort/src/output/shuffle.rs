//! Puts the rows of columns that are not held in memory into another order.
//!
//! The order of a table can identify people, so a release is shuffled, also when it is larger than memory: rows are dealt
//! into buckets by their new place, each bucket small enough to be sorted in memory. Buckets live in unnamed temporary
//! files, which vanish with the process.

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, SeekFrom};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, UInt32Array};
use arrow::compute::{interleave_record_batch, take_record_batch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt32Type};
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;

use crate::error::{Error, Result};

/// About how many bytes of values a bucket holds.
pub(super) const BUCKET_BYTES: u64 = 16 << 20;

/// Rows handed out at once.
const CHUNK: usize = 4096;

/// At most so many files are open at once; larger tables get larger buckets.
const BUCKETS: usize = 256;

/// Deals rows into buckets by their new place.
pub(super) struct Shuffle {
    schema: SchemaRef,
    bucket_rows: usize,
    buckets: Vec<Bucket>,
}

/// A single bucket stays in memory; several go to disk.
enum Bucket {
    Memory(Vec<RecordBatch>),
    Disk(Box<StreamWriter<BufWriter<File>>>),
}

impl Shuffle {
    /// For `rows` rows of these columns, about `bytes` in all.
    pub(super) fn new(columns: &Schema, rows: usize, bytes: u64) -> Result<Self> {
        let count = (bytes.div_ceil(BUCKET_BYTES) as usize).clamp(1, BUCKETS.min(rows.max(1)));
        let mut fields: Vec<_> = columns.fields().iter().cloned().collect();
        fields.push(Arc::new(Field::new("place", DataType::UInt32, false)));
        let schema = Arc::new(Schema::new(fields));
        let bucket = |_| if count == 1 { Ok(Bucket::Memory(Vec::new())) } else { Bucket::on_disk(&schema) };
        let buckets = (0..count).map(bucket).collect::<Result<_>>()?;
        Ok(Self { schema, bucket_rows: rows.div_ceil(count).max(1), buckets })
    }

    /// Takes rows whose new places are given; `None` drops the row.
    pub(super) fn push(&mut self, batch: &RecordBatch, places: &[Option<u32>]) -> Result<()> {
        let mut dealt: Vec<(Vec<u32>, Vec<u32>)> = vec![Default::default(); self.buckets.len()];
        for (row, place) in places.iter().enumerate() {
            if let Some(place) = place {
                let (rows, to) = &mut dealt[*place as usize / self.bucket_rows];
                rows.push(row as u32);
                to.push(*place);
            }
        }
        for (bucket, (rows, to)) in
            self.buckets.iter_mut().zip(dealt).filter(|(_, (rows, _))| !rows.is_empty())
        {
            let taken = take_record_batch(batch, &UInt32Array::from(rows)).map_err(broken)?;
            let mut columns: Vec<ArrayRef> = taken.columns().to_vec();
            columns.push(Arc::new(UInt32Array::from(to)));
            let part = RecordBatch::try_new(self.schema.clone(), columns).map_err(broken)?;
            match bucket {
                Bucket::Memory(parts) => parts.push(part),
                Bucket::Disk(writer) => writer.write(&part).map_err(broken)?,
            }
        }
        Ok(())
    }

    /// Hands out all rows in their new order, a few thousand at a time.
    pub(super) fn finish(self, mut each: impl FnMut(RecordBatch) -> Result<()>) -> Result<()> {
        let last = self.schema.fields().len() - 1;
        let shown: Vec<usize> = (0..last).collect();
        for bucket in self.buckets {
            let parts = bucket.into_parts()?;
            let mut order: Vec<(u32, (usize, usize))> = Vec::new();
            for (p, part) in parts.iter().enumerate() {
                let places = part.column(last).as_primitive::<UInt32Type>();
                order.extend(places.values().iter().enumerate().map(|(row, &place)| (place, (p, row))));
            }
            order.sort_unstable();
            let parts: Vec<&RecordBatch> = parts.iter().collect();
            for some in order.chunks(CHUNK) {
                let rows: Vec<(usize, usize)> = some.iter().map(|&(_, from)| from).collect();
                let sorted = interleave_record_batch(&parts, &rows).map_err(broken)?;
                each(sorted.project(&shown).map_err(broken)?)?;
            }
        }
        Ok(())
    }
}

impl Bucket {
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
        .help("free some space where temporary files are kept (TMPDIR), or use --keep-order if the order tells nothing")
}

#[allow(clippy::needless_pass_by_value)]
fn no_space(e: std::io::Error) -> Error {
    broken(arrow::error::ArrowError::IoError(e.to_string(), e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::StringArray;

    fn shuffled(bytes: u64) -> Vec<String> {
        let schema = Schema::new(vec![Field::new("x", DataType::Utf8, true)]);
        let mut shuffle = Shuffle::new(&schema, 1000, bytes).unwrap();
        for start in (0..1100u32).step_by(100) {
            let values: StringArray = (start..start + 100).map(|i| Some(i.to_string())).collect();
            let batch = RecordBatch::try_new(Arc::new(schema.clone()), vec![Arc::new(values)]).unwrap();
            let places: Vec<_> = (start..start + 100).map(|i| (i < 1000).then(|| 999 - i)).collect();
            shuffle.push(&batch, &places).unwrap();
        }
        let mut out = Vec::new();
        let mut collect = |batch: RecordBatch| {
            out.extend(batch.column(0).as_string::<i32>().iter().map(|t| t.unwrap().to_owned()));
            Ok(())
        };
        shuffle.finish(&mut collect).unwrap();
        out
    }

    #[test]
    fn memory_and_disk_give_the_same_order() {
        let expected: Vec<String> = (0..1000).rev().map(|i| i.to_string()).collect();
        assert_eq!(shuffled(1), expected);
        assert_eq!(shuffled(7 * BUCKET_BYTES), expected);
    }
}
