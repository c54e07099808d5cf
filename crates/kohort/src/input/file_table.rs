//! A table in a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::blank_lines::{BlankLines, WithoutBlankLines};
use super::checked_ipc::IpcFile;
use super::checked_parquet::ParquetFile;
use super::csv_trouble::{self, CsvFile};
use super::csv_watch::Watched;
use super::digest::sha256;
use super::guarded::{Guarded, guarded};
use super::plain::{plain_batch, readable_schema};
use super::platform::is_pipe;
use super::plausible::damaged;
use super::scratch::{Scratch, no_scratch};
use super::source::{Batches, TableSource, batch_rows, check_names};
use crate::data::{Kind, Point};
use crate::error::{Error, Place, Result};

/// How a table is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with a separator and a header line.
    Csv {
        /// What stands between fields.
        separator: u8,
    },
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC file.
    Arrow,
}

impl Format {
    /// The format a file name asks for; CSV when the ending says nothing.
    pub fn of(path: &Path) -> Self {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "tsv" | "tab" => Self::Csv { separator: b'\t' },
            "parquet" | "pq" => Self::Parquet,
            "arrow" | "feather" | "ipc" => Self::Arrow,
            _ => Self::Csv { separator: b',' },
        }
    }
}

/// An input table. Standard input and pipes are copied to a temporary file first, because tables are read twice.
pub struct FileTable {
    shown: String,
    path: PathBuf,
    format: Format,
    schema: SchemaRef,
    skip: u64,
    carried_bytes: u64,
    /// How many lines without any value were left out; none where such lines are rows.
    blank_lines: Option<BlankLines>,
    _spool: Option<Scratch>,
}

impl FileTable {
    /// Opens a table of people and reads its header. `-` is standard input. Lines of a CSV file that hold nothing but
    /// separators are nobody's.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { blank_lines: Some(BlankLines::default()), ..Self::open_release(path)? })
    }

    /// Opens a release: there, rows that show nothing are suppressed ones.
    pub fn open_release(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let spool = spool(io::stdin().lock(), "standard input")?;
            let (copy, format) = (spool.path().to_owned(), sniff(spool.path()));
            return Self::with_format("standard input".into(), copy, format, Some(spool));
        }
        if path.metadata().is_ok_and(|m| is_pipe(&m)) {
            return Self::open_pipe(path);
        }
        if path.is_dir() {
            return Err(Error::input("this is a folder, expected a table")
                .in_file(path.display().to_string())
                .help("name a file in it"));
        }
        Self::with_format(path.display().to_string(), path.to_owned(), Format::of(path), None)
    }

    /// A named pipe, or what a shell makes of `<(command)`, can be read only once, too.
    fn open_pipe(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let cannot = |e| Error::input(format!("cannot read the pipe: {e}")).in_file(&shown);
        let spool = spool(File::open(path).map_err(cannot)?, &shown)?;
        let format = if path.extension().is_some() { Format::of(path) } else { sniff(spool.path()) };
        Self::with_format(shown, spool.path().to_owned(), format, Some(spool))
    }

    /// Opens a file that has no telling name yet, in a known format.
    pub fn open_as(path: &Path, format: Format, shown: &str) -> Result<Self> {
        Self::with_format(shown.to_owned(), path.to_owned(), format, None)
    }

    fn with_format(shown: String, path: PathBuf, format: Format, spool: Option<Scratch>) -> Result<Self> {
        let mut source = Self {
            shown,
            path,
            format,
            schema: Arc::new(Schema::empty()),
            skip: 0,
            carried_bytes: 0,
            blank_lines: None,
            _spool: spool,
        };
        match format {
            Format::Csv { separator } => source.read_csv_header(separator)?,
            Format::Parquet => {
                let file = source.parquet()?;
                source.schema = readable_schema(file.schema(), &source.shown)?;
                source.carried_bytes = file.unpacked();
            }
            Format::Arrow => {
                let schema = source.ipc(None)?.schema().clone();
                source.schema = readable_schema(&schema, &source.shown)?;
                source.carried_bytes = source.file()?.metadata().map_or(0, |m| m.len());
            }
        }
        check_names(&source)?;
        Ok(source)
    }

    /// How it is stored.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Column readers return columns in file order; hand them out in the order asked for.
    fn reorder<I>(&self, columns: &[usize], batches: I) -> Batches<'static>
    where
        I: Iterator<Item = Result<RecordBatch>> + Send + 'static,
    {
        let mut sorted = columns.to_vec();
        sorted.sort_unstable();
        let order: Vec<usize> = columns.iter().map(|c| sorted.partition_point(|s| s < c)).collect();
        let trouble = self.damaged();
        let panicked = trouble.clone();
        let plain = move |batch: Result<RecordBatch>| {
            batch?.project(&order).and_then(|b| plain_batch(&b)).map_err(|_| trouble.clone())
        };
        Box::new(Guarded::new(batches.map(plain), move || Err(panicked.clone())))
    }

    fn csv_batches(&self, separator: u8, columns: &[usize]) -> Result<Batches<'static>> {
        let mut file = self.file()?;
        file.seek(SeekFrom::Start(self.skip)).map_err(|e| self.unreadable(&e))?;
        let file: Box<dyn Read + Send> = match &self.blank_lines {
            None => Box::new(file),
            Some(told) => Box::new(WithoutBlankLines::new(file, separator, told.clone())),
        };
        let (watched, odd_quotes) = Watched::new(file);
        let reader = arrow::csv::ReaderBuilder::new(self.schema.clone())
            .with_header(true)
            .with_delimiter(separator)
            .with_batch_size(batch_rows(self.schema.fields().len()))
            .with_projection(columns.to_vec())
            .build_buffered(BufReader::with_capacity(1 << 18, watched))
            .map_err(|e| self.broken(&e))?;
        let wide = self.schema.fields().len();
        let file =
            CsvFile { path: self.path.clone(), shown: self.shown.clone(), skip: self.skip, separator, wide };
        let at_end = file.clone();
        let batches = reader.map(move |batch| batch.map_err(|e| csv_trouble::explain(&file, &e.to_string())));
        // Looked at when all else was read: only then is it known whether a quote is open.
        let open_quote = std::iter::once_with(move || {
            let odd = odd_quotes.load(std::sync::atomic::Ordering::Relaxed);
            odd.then(|| csv_trouble::open_quote(&at_end)).flatten().map(Err)
        });
        Ok(Box::new(batches.chain(open_quote.flatten())))
    }

    fn read_csv_header(&mut self, default: u8) -> Result<()> {
        let mut file = BufReader::new(self.file()?);
        let start = file.fill_buf().map_err(|e| self.unreadable(&e))?;
        csv_trouble::check_encoding(start, &self.shown)?;
        self.skip = if start.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        file.seek(SeekFrom::Start(self.skip)).map_err(|e| self.unreadable(&e))?;
        let mut line = Vec::new();
        file.read_until(b'\n', &mut line).map_err(|e| self.unreadable(&e))?;
        // Spreadsheets of half the world write `;` under the name of CSV.
        let semicolons = default == b',' && !line.contains(&b',') && line.contains(&b';');
        let separator = if semicolons { b';' } else { default };
        file.seek(SeekFrom::Start(self.skip)).map_err(|e| self.unreadable(&e))?;
        let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(file);
        let header = reader.headers().map_err(|_| csv_trouble::not_utf8(&self.shown, 1))?;
        if header.is_empty() {
            return Err(csv_trouble::empty(&self.shown));
        }
        if header.iter().any(|name| name.contains('\n')) {
            // Columns may have names of two lines; but a quote that never closes makes the whole table a name.
            let file = CsvFile {
                path: self.path.clone(),
                shown: self.shown.clone(),
                skip: self.skip,
                separator,
                wide: 0,
            };
            csv_trouble::open_quote(&file).map_or(Ok(()), Err)?;
        }
        let fields: Vec<_> = header.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        self.schema = Arc::new(Schema::new(fields));
        self.format = Format::Csv { separator };
        self.carried_bytes = self.file()?.metadata().map_or(0, |m| m.len());
        Ok(())
    }

    fn file(&self) -> Result<File> {
        File::open(&self.path).map_err(|e| self.unreadable(&e))
    }

    fn parquet(&self) -> Result<ParquetFile> {
        let file = self.file()?;
        guarded(|| ParquetFile::open(file, &self.shown)).unwrap_or_else(|| Err(self.no_columns()))
    }

    fn ipc(&self, columns: Option<Vec<usize>>) -> Result<IpcFile> {
        let (file, rows) = (self.file()?, batch_rows(self.schema.fields().len()));
        guarded(|| IpcFile::open(file, &self.shown, columns, rows)).unwrap_or_else(|| Err(self.no_columns()))
    }

    fn no_columns(&self) -> Error {
        damaged("what it says about its columns cannot be read", self.place().and("footer"))
    }

    /// The library's words may quote a value; they are not passed on.
    fn damaged(&self) -> Error {
        damaged("a value cannot be read", self.place())
    }

    fn place(&self) -> Place {
        Place::default().in_file(&self.shown)
    }

    fn broken(&self, e: &dyn std::fmt::Display) -> Error {
        Error::input(format!("cannot read the table: {e}"))
            .in_file(&self.shown)
            .help("the file ending tells the format: .csv, .tsv, .parquet, .arrow")
    }

    fn unreadable(&self, e: &io::Error) -> Error {
        let help = match e.kind() {
            io::ErrorKind::NotFound => {
                "check the name; paths in a job file start at its folder, others at the current one"
            }
            io::ErrorKind::PermissionDenied => "ask its owner for the right to read it",
            _ => "check that the file can be opened by other programs",
        };
        Error::input(format!("cannot read the file: {e}")).in_file(&self.shown).help(help)
    }
}

impl TableSource for FileTable {
    fn name(&self) -> &str {
        &self.shown
    }

    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>> {
        match self.format {
            Format::Csv { separator } => self.csv_batches(separator, columns),
            Format::Parquet => {
                let (file, rows) = (self.parquet()?, batch_rows(self.schema.fields().len()));
                let reader = guarded(|| file.batches(columns, rows).ok()).flatten();
                let reader = reader.ok_or_else(|| self.damaged())?;
                let trouble = self.damaged();
                Ok(self.reorder(columns, reader.map(move |batch| batch.map_err(|_| trouble.clone()))))
            }
            Format::Arrow => {
                let mut sorted = columns.to_vec();
                sorted.sort_unstable();
                Ok(self.reorder(columns, self.ipc(Some(sorted))?))
            }
        }
    }

    fn digest(&self) -> Result<String> {
        sha256(&self.path)
    }

    fn is_text_only(&self) -> bool {
        matches!(self.format, Format::Csv { .. })
    }

    fn bytes(&self) -> u64 {
        self.carried_bytes
    }

    fn blank_lines(&self) -> u64 {
        self.blank_lines.as_ref().map_or(0, |told| told.load(std::sync::atomic::Ordering::Relaxed))
    }

    fn starts_with_data(&self) -> bool {
        let is_value = |name: &str| Kind::LINES.iter().any(|&kind| Point::parse(kind, name).is_some());
        self.is_text_only() && self.names().any(is_value)
    }
}

/// Copies standard input or a pipe, which can be read only once, to a file without a name.
fn spool(mut from: impl Read, shown: &str) -> Result<Scratch> {
    let spool = Scratch::new()?;
    let mut to = spool.file();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(spool),
            Ok(n) => to.write_all(&buffer[..n]).map_err(|e| no_scratch(&e))?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => {
                return Err(Error::input(format!("cannot read the table: {e}"))
                    .in_file(shown)
                    .help("check the program that writes it"));
            }
        }
    }
}

/// Standard input has no ending; the binary formats begin with a mark of their own.
fn sniff(path: &Path) -> Format {
    let mut start = [0u8; 6];
    let read = File::open(path).and_then(|mut f| f.read(&mut start)).unwrap_or(0);
    match &start[..read] {
        s if s.starts_with(b"PAR1") => Format::Parquet,
        s if s.starts_with(b"ARROW1") => Format::Arrow,
        _ => Format::Csv { separator: b',' },
    }
}
