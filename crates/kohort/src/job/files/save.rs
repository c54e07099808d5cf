//! A release that was made and verified in memory, as files.

use std::path::Path;

use arrow::array::{Array, RecordBatch, StringArray};

use super::{FileSink, destinations};
use crate::data::plain_number;
use crate::error::{Error, Result};
use crate::input::{Format, JobSpec, MemoryTable, TableSource, texts};
use crate::job::Outcome;
use crate::output::{Documents, OutBatch, OutColumn, TableSink};

/// Writes a verified release with its certificate and its audit record, all or nothing. Where they go is said as in a job that
/// writes files. What was written is read back and held against the release, and the documents get its digest.
pub fn save_release(release: &MemoryTable, outcome: &Outcome, spec: &JobSpec) -> Result<()> {
    let output = spec.output.as_deref().ok_or_else(|| {
        Error::job("no place for the release was given")
            .option("output")
            .help("name a file, such as release.csv")
    })?;
    // Nothing is read from a file.
    destinations::check(spec, Path::new(""), output)?;
    let format = Format::of(output);
    let mut sink = FileSink::new(spec, output, format);
    sink.open()?;
    sink.begin(release.schema())?;
    for batch in release.record_batches() {
        let columns = batch.columns().iter().cloned().map(OutColumn::Array).collect();
        sink.write(&OutBatch { schema: release.schema(), columns })?;
    }
    let written = sink.finish()?;
    check_written(release, written.as_ref())?;
    let certificate = outcome.certificate.clone().of_file(written.digest()?);
    let audit = outcome.audit.clone().of_files(sink.name(), sink.certificate_place(), &certificate)?;
    sink.publish(&Documents { certificate: &certificate, audit: &audit, solutions: &outcome.solutions })
}

/// Every cell must be read as it was released.
fn check_written(release: &MemoryTable, written: &dyn TableSource) -> Result<()> {
    let all: Vec<usize> = (0..release.schema().fields().len()).collect();
    let differs = || Error::internal("what was written is not what was released");
    let mut there = written.batches(&all)?;
    let mut unread: Vec<Strings> = Vec::new();
    for batch in release.batches(&all)? {
        let here = Strings::of(&batch?)?;
        let mut at = 0;
        while at < here.rows {
            if unread.last().is_none_or(|strings| strings.rows == strings.read) {
                let batch = there.next().ok_or_else(differs)??;
                unread = vec![Strings::of(&batch)?];
            }
            let other = unread.last_mut().ok_or_else(differs)?;
            let rows = (here.rows - at).min(other.rows - other.read);
            if !(0..rows).all(|row| here.row(at + row).zip(other.row(other.read + row)).all(is_same)) {
                return Err(differs());
            }
            at += rows;
            other.read += rows;
        }
    }
    let is_rest_empty = unread.iter().all(|strings| strings.read == strings.rows);
    let are_all_read = there.all(|batch| batch.is_ok_and(|batch| batch.num_rows() == 0));
    if is_rest_empty && are_all_read { Ok(()) } else { Err(differs()) }
}

/// Some rows as texts.
struct Strings {
    columns: Vec<StringArray>,
    rows: usize,
    read: usize,
}

impl Strings {
    fn of(batch: &RecordBatch) -> Result<Self> {
        let columns = batch.columns().iter().map(|column| texts(column)).collect::<Result<_>>()?;
        Ok(Self { columns, rows: batch.num_rows(), read: 0 })
    }

    /// Nothing and the empty text are the same in most formats.
    fn row(&self, row: usize) -> impl Iterator<Item = &str> {
        let cell = move |column: &StringArray| column.is_valid(row).then_some(row);
        self.columns.iter().map(move |column| cell(column).map_or("", |row| column.value(row)))
    }
}

/// Formats without types may write a number in another way.
fn is_same((a, b): (&str, &str)) -> bool {
    a == b || plain_number(a).is_some_and(|a| plain_number(b) == Some(a))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Float64Array, Int64Array};

    use super::*;
    use crate::Quiet;
    use crate::job::anonymize;
    use crate::job::files::FileVerifyJob;
    use crate::output::MemorySink;

    fn people() -> MemoryTable {
        let ages: Vec<i64> = (0..40).map(|i| 20 + i * 7 % 31).collect();
        let weights: Vec<Option<f64>> = (0..40).map(|i| (i % 9 != 0).then_some(f64::from(i) / 4.0)).collect();
        let notes: Vec<Option<&str>> =
            (0..40).map(|i| [Some("007"), Some("a \"b\", c"), None, Some("x\ny")][i % 4]).collect();
        let batch = RecordBatch::try_from_iter([
            ("age", Arc::new(Int64Array::from(ages)) as ArrayRef),
            ("weight", Arc::new(Float64Array::from(weights))),
            ("note", Arc::new(StringArray::from(notes))),
        ]);
        let batch = batch.unwrap();
        MemoryTable::new("people", &batch.schema(), vec![batch]).unwrap()
    }

    #[test]
    fn what_was_made_in_memory_is_written_in_every_format_and_verifies() {
        let folder = tempfile::tempdir().unwrap();
        let spec = JobSpec {
            qi: vec!["age".into()],
            keep: vec!["weight".into(), "note".into()],
            k: Some(3),
            ..JobSpec::default()
        };
        let mut sink = MemorySink::new("release");
        let outcome = anonymize(&spec.check().unwrap(), &people(), &mut sink, &Quiet).unwrap();
        let release = sink.into_release().unwrap();
        for ending in ["csv", "tsv", "csv.gz", "jsonl", "parquet", "arrow"] {
            let output = folder.path().join(format!("release.{ending}"));
            let to = JobSpec { output: Some(output.clone()), ..JobSpec::default() };
            save_release(&release, &outcome, &to).unwrap();
            let job = FileVerifyJob::new(&JobSpec::default(), output.clone(), None).unwrap();
            let verdict = job.run(&Quiet).unwrap();
            assert!(verdict.shortfalls.is_empty(), "{ending}: {:?}", verdict.shortfalls);
            assert_eq!(verdict.summary.released, outcome.summary.released, "{ending}");
            assert!(folder.path().join(format!("release.{ending}.audit.json")).is_file(), "{ending}");
        }
    }

    #[test]
    fn other_cells_are_noticed() {
        let (all, batch) = (people(), people().record_batches()[0].clone());
        assert_eq!(check_written(&all, &all), Ok(()));
        let shorter = MemoryTable::new("x", all.schema(), vec![batch.slice(0, 39)]).unwrap();
        assert!(check_written(&all, &shorter).is_err() && check_written(&shorter, &all).is_err());
        let turned = vec![batch.slice(1, 39), batch.slice(0, 1)];
        let turned = MemoryTable::new("x", all.schema(), turned).unwrap();
        assert!(check_written(&all, &turned).is_err());
        assert!(is_same(("1.0", "1")) && !is_same(("01a", "1a")) && !is_same(("", "0")));
    }
}
