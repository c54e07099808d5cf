//! One writer for all formats; the file ending tells which.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::compute::BatchCoalescer;
use arrow::datatypes::SchemaRef;
use arrow::ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::column::OutColumn;
use super::csv::CsvFormat;
use super::fresh::fresh_batch;
use super::json_lines::JsonFormat;
use super::packed::Packed;
use super::sink::OutBatch;
use super::staged::{Staged, write_error};
use crate::error::{Error, Result};
use crate::input::{Format, Packing, batch_rows};

/// Writes a table batch by batch.
pub struct TableWriter {
    target: PathBuf,
    kind: Kind,
}

enum Kind {
    Csv(CsvFormat, Packed),
    Json(JsonFormat, Packed),
    Binary(BatchCoalescer, Binary),
}

/// Formats that are written in batches of columns.
enum Binary {
    Parquet(Box<ArrowWriter<File>>),
    Arrow(Box<FileWriter<BufWriter<File>>>),
}

impl TableWriter {
    /// Starts a table with this schema in a staged file. `target` names it in messages, and says how text is packed.
    pub fn new(staged: &Staged, target: &Path, format: Format, schema: SchemaRef) -> Result<Self> {
        let file = staged.writer()?;
        let pack = |file| Packed::new(file, Packing::of(target)).map_err(|e| write_error(&e, target));
        let kind = match format {
            Format::Csv { separator } => {
                let csv =
                    CsvFormat::new(separator, schema.fields().iter().map(|f| f.name().clone()).collect());
                let mut out = pack(file)?;
                let header = csv.header().map_err(|e| e.in_file(target.display().to_string()))?;
                out.write_all(&header).map_err(|e| write_error(&e, target))?;
                Kind::Csv(csv, out)
            }
            Format::JsonLines => Kind::Json(JsonFormat::new(&schema), pack(file)?),
            Format::Parquet => {
                let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
                let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties));
                let writer = Binary::Parquet(Box::new(writer.map_err(|e| cannot(&e, target))?));
                Kind::Binary(gather(schema), writer)
            }
            Format::Arrow => {
                let writer = FileWriter::try_new_buffered(file, &schema);
                let writer = Binary::Arrow(Box::new(writer.map_err(|e| cannot(&e, target))?));
                Kind::Binary(gather(schema), writer)
            }
        };
        Ok(Self { target: target.to_owned(), kind })
    }

    /// Appends rows.
    pub fn write(&mut self, rows: &OutBatch<'_>) -> Result<()> {
        match &mut self.kind {
            Kind::Csv(csv, out) => csv
                .write(&rows.columns, out)
                .map_err(|e| e.in_file(self.target.display().to_string()))?
                .map_err(|e| write_error(&e, &self.target)),
            Kind::Json(json, out) => {
                json.write(&rows.columns, out)?.map_err(|e| write_error(&e, &self.target))
            }
            Kind::Binary(gathered, out) => {
                gathered.push_batch(rows.to_record_batch()?).map_err(|e| cannot(&e, &self.target))?;
                out.take(gathered, &self.target)
            }
        }
    }

    /// Appends rows as they are.
    pub fn write_batch(&mut self, batch: &RecordBatch) -> Result<()> {
        let columns = batch.columns().iter().cloned().map(OutColumn::Array).collect();
        self.write(&OutBatch { schema: &batch.schema(), columns })
    }

    /// Completes the file.
    pub fn finish(self) -> Result<()> {
        match self.kind {
            Kind::Csv(_, out) | Kind::Json(_, out) => out.finish().map_err(|e| write_error(&e, &self.target)),
            Kind::Binary(mut gathered, mut out) => {
                gathered.finish_buffered_batch().map_err(|e| cannot(&e, &self.target))?;
                out.take(&mut gathered, &self.target)?;
                out.finish(&self.target)
            }
        }
    }
}

/// Batches as rows arrive would tell where suppressed rows stood. What is written has the same number of rows each, which
/// follows from the number of columns.
fn gather(schema: SchemaRef) -> BatchCoalescer {
    let rows = batch_rows(schema.fields().len());
    BatchCoalescer::new(schema, rows)
}

impl Binary {
    /// Writes what is full.
    fn take(&mut self, gathered: &mut BatchCoalescer, target: &Path) -> Result<()> {
        while let Some(batch) = gathered.next_completed_batch() {
            let batch = fresh_batch(&batch).map_err(|e| cannot(&e, target))?;
            match self {
                Self::Parquet(writer) => writer.write(&batch).map_err(|e| cannot(&e, target))?,
                Self::Arrow(writer) => writer.write(&batch).map_err(|e| cannot(&e, target))?,
            }
        }
        Ok(())
    }

    fn finish(self, target: &Path) -> Result<()> {
        match self {
            Self::Parquet(writer) => writer.close().map(|_| ()).map_err(|e| cannot(&e, target)),
            Self::Arrow(mut writer) => writer.finish().map_err(|e| cannot(&e, target)),
        }
    }
}

/// The format libraries wrap the operating system's word; pass on what it says.
fn cannot(e: &(dyn std::error::Error + 'static), target: &Path) -> Error {
    let mut cause: Option<&dyn std::error::Error> = Some(e);
    while let Some(inner) = cause {
        if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            return write_error(io, target);
        }
        cause = inner.source();
    }
    Error::input(format!("cannot write: {e}"))
        .in_file(target.display().to_string())
        .help("nothing was written")
}
