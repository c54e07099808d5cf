//! Tables on disk as columns of texts, read by other people's libraries.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Schema};

/// A table as texts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// The names of its columns.
    pub names: Vec<String>,
    /// Column by column; none is a null, or an empty field where fields are texts.
    pub columns: Vec<Vec<Option<String>>>,
    /// Whether an empty text and no value are the same.
    pub is_text: bool,
}

impl Sheet {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// The same without lines of separators alone, which are nobody's.
    #[must_use]
    pub fn of_people(mut self) -> Self {
        if self.is_text && self.columns.len() > 1 {
            let says = |row: &usize| {
                self.columns.iter().any(|c| c[*row].as_ref().is_some_and(|t| !t.trim().is_empty()))
            };
            let rows: Vec<usize> = (0..self.rows()).filter(says).collect();
            for column in &mut self.columns {
                *column = rows.iter().map(|&row| column[row].clone()).collect();
            }
        }
        self
    }

    /// The number of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// A cell as text; missing is empty.
    pub fn text(&self, column: usize, row: usize) -> &str {
        self.columns[column][row].as_deref().unwrap_or("")
    }
}

/// Reads a table by the ending of its name.
pub fn read(path: &Path) -> Result<Sheet> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("parquet") => parquet(path),
        Some("arrow") => ipc(path),
        Some("tsv") => text(path, b'\t'),
        _ => {
            let header = std::fs::read_to_string(path)?;
            let header = header.lines().next().unwrap_or_default();
            // Names have neither; a table of a single column has none.
            text(path, if header.contains(';') { b';' } else { b',' })
        }
    }
    .with_context(|| format!("cannot read {}", path.display()))
}

fn text(path: &Path, separator: u8) -> Result<Sheet> {
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_path(path)?;
    let names: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for record in reader.records() {
        let record = record?;
        for (column, cell) in columns.iter_mut().zip(record.iter()) {
            column.push(Some(cell.to_owned()).filter(|c| !c.is_empty()));
        }
    }
    Ok(Sheet { names, columns, is_text: true })
}

fn parquet(path: &Path) -> Result<Sheet> {
    let builder = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?;
    let schema = builder.schema().clone();
    let batches = builder.build()?.collect::<std::result::Result<Vec<_>, _>>()?;
    from_batches(&schema, &batches)
}

fn ipc(path: &Path) -> Result<Sheet> {
    let reader = arrow::ipc::reader::FileReader::try_new(File::open(path)?, None)?;
    let schema = reader.schema();
    let batches = reader.collect::<std::result::Result<Vec<_>, _>>()?;
    from_batches(&schema, &batches)
}

fn from_batches(schema: &Schema, batches: &[RecordBatch]) -> Result<Sheet> {
    let mut columns = vec![Vec::new(); schema.fields().len()];
    for batch in batches {
        for (column, array) in columns.iter_mut().zip(batch.columns()) {
            let texts = cast(array, &DataType::Utf8)?;
            let texts = texts.as_string::<i32>();
            let cells = (0..texts.len()).map(|i| texts.is_valid(i).then(|| texts.value(i).to_owned()));
            column.extend(cells);
        }
    }
    let names = schema.fields().iter().map(|f| f.name().clone()).collect();
    Ok(Sheet { names, columns, is_text: false })
}
