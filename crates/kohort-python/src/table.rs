//! Tables on their way in and out, through the Arrow C stream interface.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{Array, RecordBatch, RecordBatchReader, StringArray};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, SchemaRef};
use kohort::Error;
use kohort::input::{FileTable, MemoryTable, ReadOptions, TableSource, texts};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::PyRecordBatchReader;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};

use crate::error::{OrRaise, raised};

/// A table in memory, as Arrow. Every library that speaks the Arrow PyCapsule interface can take it.
#[pyclass(frozen, module = "kohort")]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    pub(crate) fn of(table: &MemoryTable) -> Self {
        Self::new(table.schema().clone(), table.record_batches().to_vec())
    }
}

impl Table {
    /// One row.
    fn row(&self, mut at: usize) -> Option<RecordBatch> {
        for batch in &self.batches {
            if at < batch.num_rows() {
                return Some(batch.slice(at, 1));
            }
            at -= batch.num_rows();
        }
        None
    }
}

#[pymethods]
impl Table {
    /// Anything with an Arrow stream.
    #[staticmethod]
    #[pyo3(name = "of")]
    fn read(data: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let py = data.py();
        let given = Given::new(data, name, &ReadOptions::default())?;
        let source = given.source();
        let all: Vec<usize> = (0..source.schema().fields().len()).collect();
        let read = || source.batches(&all)?.collect::<kohort::Result<Vec<_>>>();
        let batches = py.detach(read).or_raise(py)?;
        Ok(Self::new(source.schema().clone(), batches))
    }

    /// Some rows of these columns as texts: the first, or as many from all over the table.
    #[pyo3(signature = (columns, rows, spread=false))]
    #[allow(clippy::needless_pass_by_value)] // what Python hands over
    fn texts(
        &self,
        py: Python<'_>,
        columns: Vec<String>,
        rows: usize,
        spread: bool,
    ) -> PyResult<Vec<Vec<String>>> {
        let all = self.num_rows();
        let step = if spread { (all / rows.max(1)).max(1) } else { 1 };
        let few: Vec<RecordBatch> = (0..rows).filter_map(|n| self.row(n * step)).collect();
        let few =
            concat_batches(&self.schema, &few).map_err(|e| raised(py, &Error::internal(e.to_string())))?;
        let shown = columns.iter().filter_map(|name| few.column_by_name(name));
        let shown = shown.map(|column| texts(column)).collect::<kohort::Result<Vec<_>>>().or_raise(py)?;
        let cell =
            |column: &StringArray, row| if column.is_valid(row) { column.value(row) } else { "" }.to_owned();
        Ok((0..few.num_rows()).map(|row| shown.iter().map(|column| cell(column, row)).collect()).collect())
    }

    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let field = arrow::datatypes::Field::new_struct("", self.schema.fields().clone(), false);
        let field = Arc::new(field.with_metadata(self.schema.metadata().clone()));
        let arrays: Vec<_> = self
            .batches
            .iter()
            .map(|batch| Ok(Arc::new(arrow::array::StructArray::from(batch.clone())) as _))
            .collect();
        let reader = Box::new(ArrayIterator::new(arrays, field));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }

    /// As a frame of pandas.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frame(slf, "to_pandas")
    }

    /// As a frame of polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frame(slf, "to_polars")
    }

    /// As a table of pyarrow.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frame(slf, "to_arrow")
    }

    fn __repr__(&self) -> String {
        format!("<kohort.Table: {} rows, columns {}>", self.num_rows(), self.column_names().join(", "))
    }
}

fn frame<'py>(table: &Bound<'py, Table>, how: &str) -> PyResult<Bound<'py, PyAny>> {
    table.py().import("kohort._frames")?.getattr(how)?.call1((table,))
}

/// A table to read: a frame, or a file.
pub(crate) enum Given {
    Memory(MemoryTable),
    File(Box<FileTable>),
}

impl Given {
    /// A file where `data` is text, anything with an Arrow stream otherwise.
    pub(crate) fn new(data: &Bound<'_, PyAny>, name: &str, reading: &ReadOptions) -> PyResult<Self> {
        let py = data.py();
        if let Ok(path) = data.extract::<PathBuf>() {
            return FileTable::open_with(&path, reading)
                .or_raise(py)
                .map(|table| Self::File(Box::new(table)));
        }
        let table = data.cast::<Table>();
        let (schema, batches) = match table {
            Ok(table) => (table.get().schema.clone(), table.get().batches.clone()),
            Err(_) => collect(data, name)?,
        };
        MemoryTable::new(name, &schema, batches).or_raise(py).map(Self::Memory)
    }

    /// The same, where types were found from all values. Files know that of themselves.
    pub(crate) fn typed_by_values(self, found: bool) -> Self {
        match self {
            Self::Memory(table) if found => Self::Memory(table.typed_by_values()),
            other => other,
        }
    }

    /// The same with one type for all texts, and one for all whole numbers: which one a library takes must not decide whether a
    /// batch of a growing table fits the first one.
    pub(crate) fn leveled(self) -> kohort::Result<Self> {
        let Self::Memory(table) = self else { return Ok(self) };
        let level = |batch: &RecordBatch| {
            let schema = batch.schema();
            let columns = schema.fields().iter().zip(batch.columns()).map(|(field, column)| {
                let column = cast(column, &leveled(field.data_type())).unwrap_or_else(|_| column.clone());
                (field.name().clone(), column)
            });
            RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
                .map_err(|e| Error::internal(e.to_string()))
        };
        let batches = table.record_batches().iter().map(level).collect::<kohort::Result<Vec<_>>>()?;
        let typed = table.is_typed_by_values();
        let Some(schema) = batches.first().map(RecordBatch::schema) else { return Ok(Self::Memory(table)) };
        Ok(Self::Memory(MemoryTable::new(table.name(), &schema, batches)?).typed_by_values(typed))
    }

    pub(crate) fn source(&self) -> &dyn TableSource {
        match self {
            Self::Memory(table) => table,
            Self::File(table) => table.as_ref(),
        }
    }
}

/// Reads a stream to its end. Other threads of Python run on: who makes the rows may need them.
fn collect(data: &Bound<'_, PyAny>, name: &str) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let py = data.py();
    let opened = data.extract::<PyRecordBatchReader>().and_then(PyRecordBatchReader::into_reader);
    // What other libraries say of it may show cells.
    let mut reader = opened.map_err(|e| raised(py, &no_stream(&e, py, name)))?;
    let schema = reader.schema();
    let mut batches = Vec::new();
    loop {
        py.check_signals()?;
        match py.detach(|| reader.next()) {
            None => return Ok((schema, batches)),
            Some(Ok(batch)) => batches.extend(slices(&batch)),
            // Its words are those of others, and may show cells.
            Some(Err(_)) => {
                let error = Error::input(format!("the rows ended in an error, after {}", rows(&batches)))
                    .in_file(name)
                    .help("read them all yourself to see what is wrong, such as reader.read_all(); nothing was made of the rows before");
                return Err(raised(py, &error));
            }
        }
    }
}

/// So many rows are brought into the form that the library reads at once.
const SLICE: usize = 1 << 16;

/// A batch in pieces, without a copy. Frames come as one batch, and a column that is read in another form is copied batch by batch.
fn slices(batch: &RecordBatch) -> Vec<RecordBatch> {
    let rows = batch.num_rows();
    (0..rows).step_by(SLICE).map(|at| batch.slice(at, SLICE.min(rows - at))).collect()
}

fn leveled(of: &DataType) -> DataType {
    match of {
        DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8,
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32 => DataType::Int64,
        DataType::Float32 => DataType::Float64,
        DataType::Dictionary(_, values) => leveled(values),
        other => other.clone(),
    }
}

fn no_stream(e: &PyErr, py: Python<'_>, name: &str) -> Error {
    let kind = e.get_type(py).name().map_or_else(|_| "an error".to_owned(), |kind| kind.to_string());
    Error::input(format!("the table cannot be handed over as Arrow ({kind})"))
        .in_file(name)
        .help("see whether its library can: pyarrow.table(data) says what is wrong")
}

fn rows(batches: &[RecordBatch]) -> String {
    let n: usize = batches.iter().map(RecordBatch::num_rows).sum();
    format!("{n} {}", if n == 1 { "row" } else { "rows" })
}
