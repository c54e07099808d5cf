//! A table in a file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::blank_lines::{BlankLines, LeftOut, WithoutBlankLines};
use super::checked_ipc::IpcFile;
use super::checked_parquet::ParquetFile;
use super::csv_head;
use super::csv_trouble::{self, CsvFile};
use super::csv_watch::Watched;
use super::digest::sha256;
use super::guarded::{Guarded, guarded};
use super::native::{self, Native};
use super::plain::{plain_batch, readable_schema};
use super::platform::is_pipe;
use super::plausible::damaged;
use super::scratch::{Scratch, no_scratch};
use super::source::{Batches, TableSource, batch_rows, check_names};
use super::{Format, ReadOptions};
use crate::data::{Kind, Point};
use crate::error::{Error, Place, Result, Said};

/// An input table. Standard input and pipes are copied to a temporary file first, because tables are read twice.
pub struct FileTable {
    shown: String,
    /// The file as it lies there.
    original: PathBuf,
    /// What is read: the same, or what was made of it.
    native: Native,
    schema: SchemaRef,
    skip: u64,
    carried_bytes: u64,
    /// Which lines are left out. Of a release, those without any value are rows.
    left_out: LeftOut,
    /// Whether words seem to be separated by spaces.
    by_spaces: bool,
    notes: Vec<Said>,
    _spool: Option<Scratch>,
}

impl FileTable {
    /// Opens a table of people and reads its header. `-` is standard input. Lines of a CSV file that hold nothing but
    /// separators are nobody's.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// The same, with what somebody says about how to read it.
    pub fn open_with(path: &Path, options: &ReadOptions) -> Result<Self> {
        let mut table = Self::read(path, options)?;
        table.left_out.blank = Some(BlankLines::default());
        Ok(table)
    }

    /// Opens a release: there, rows that show nothing are suppressed ones.
    pub fn open_release(path: &Path) -> Result<Self> {
        Self::open_release_with(path, &ReadOptions::default())
    }

    /// The same, with what somebody says about how to read it. What is published is compared as text.
    pub fn open_release_with(path: &Path, options: &ReadOptions) -> Result<Self> {
        Self::read(path, &ReadOptions { as_text: true, ..options.clone() })
    }

    fn read(path: &Path, options: &ReadOptions) -> Result<Self> {
        let (shown, spool, name) = if path == Path::new("-") {
            ("standard input".to_owned(), Some(spool(io::stdin().lock(), "standard input")?), None)
        } else if path.metadata().is_ok_and(|m| is_pipe(&m)) {
            // A named pipe, or what a shell makes of `<(command)`, can be read only once, too.
            let shown = path.display().to_string();
            let cannot = |e| Error::input(format!("cannot read the pipe: {e}")).in_file(&shown);
            let spool = spool(File::open(path).map_err(cannot)?, &shown)?;
            (shown, Some(spool), Some(path))
        } else if path.is_dir() {
            return Err(Error::input("this is a folder, expected a table")
                .in_file(path.display().to_string())
                .help("name a file in it"));
        } else {
            (path.display().to_string(), None, Some(path))
        };
        let original = spool.as_ref().map_or(path, Scratch::path).to_owned();
        let native = Native::of(original.clone(), name, &shown, options)?;
        let left_out = LeftOut { blank: None, comment: options.comment()? };
        Self::with(shown, original, native, left_out, spool)
    }

    /// Opens a file that has no telling name yet, in a known format.
    pub fn open_as(path: &Path, format: Format, shown: &str) -> Result<Self> {
        let native = Native::known(path.to_owned(), format, shown)?;
        Self::with(shown.to_owned(), path.to_owned(), native, LeftOut::default(), None)
    }

    fn with(
        shown: String,
        original: PathBuf,
        native: Native,
        left_out: LeftOut,
        spool: Option<Scratch>,
    ) -> Result<Self> {
        let format = native.format;
        let mut source = Self {
            shown,
            original,
            native,
            schema: Arc::new(Schema::empty()),
            skip: 0,
            carried_bytes: 0,
            left_out,
            by_spaces: false,
            notes: Vec::new(),
            _spool: spool,
        };
        match format {
            Format::Csv { separator } => source.read_csv_header(separator)?,
            Format::Parquet => {
                let file = source.parquet()?;
                source.schema = readable_schema(file.schema(), &source.shown)?;
                source.carried_bytes = file.unpacked();
            }
            // Objects are an Arrow file by now.
            Format::Arrow | Format::JsonLines => {
                let schema = source.ipc(None)?.schema().clone();
                source.schema = readable_schema(&schema, &source.shown)?;
                source.carried_bytes = source.file()?.metadata().map_or(0, |m| m.len());
            }
        }
        check_names(&source)?;
        Ok(source)
    }

    /// How it is read.
    pub fn format(&self) -> Format {
        self.native.format
    }

    /// What a person should hear about how it is read.
    pub fn notes(&self) -> &[Said] {
        &self.notes
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
        let file: Box<dyn Read + Send> = if self.left_out.is_nothing() {
            Box::new(file)
        } else {
            Box::new(WithoutBlankLines::new(file, separator, self.left_out.clone()))
        };
        let (watched, odd_quotes) = Watched::new(file);
        let reader = arrow::csv::ReaderBuilder::new(self.schema.clone())
            .with_header(true)
            .with_delimiter(separator)
            .with_batch_size(batch_rows(self.schema.fields().len()))
            .with_projection(columns.to_vec())
            .build_buffered(BufReader::with_capacity(1 << 18, watched))
            .map_err(|e| self.broken(&e))?;
        let file = self.csv_file(separator);
        let at_end = file.clone();
        let batches = reader.map(move |batch| batch.map_err(|e| csv_trouble::explain(&file, &e.to_string())));
        // Looked at when all else was read: only then is it known whether a quote is open.
        let open_quote = std::iter::once_with(move || {
            let odd = odd_quotes.load(std::sync::atomic::Ordering::Relaxed);
            odd.then(|| csv_trouble::open_quote(&at_end)).flatten().map(Err)
        });
        Ok(Box::new(batches.chain(open_quote.flatten())))
    }

    fn csv_file(&self, separator: u8) -> CsvFile {
        CsvFile {
            path: self.native.path.clone(),
            shown: self.shown.clone(),
            skip: self.skip,
            separator,
            comment: self.left_out.comment,
            wide: self.schema.fields().len(),
        }
    }

    fn read_csv_header(&mut self, usual: u8) -> Result<()> {
        let mut file = self.file()?;
        let mut separator = usual;
        if !self.native.is_certain {
            let head = self.look_at_head(usual)?;
            self.notes.extend(head.note(&self.shown));
            (self.skip, separator, self.by_spaces) = (head.skip, head.separator, head.by_spaces);
        }
        file.seek(SeekFrom::Start(self.skip)).map_err(|e| self.unreadable(&e))?;
        let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(BufReader::new(file));
        let line = || csv_trouble::first_line(&self.csv_file(separator));
        let header =
            reader.headers().map_err(|_| native::not_utf8(&self.native.path, &self.shown, line()))?;
        if header.is_empty() {
            return Err(csv_trouble::empty(&self.shown));
        }
        if header.iter().any(|name| name.contains('\n')) {
            // Columns may have names of two lines; but a quote that never closes makes the whole table a name.
            csv_trouble::open_quote(&self.csv_file(separator)).map_or(Ok(()), Err)?;
        }
        let fields: Vec<_> = header.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        self.schema = Arc::new(Schema::new(fields));
        self.native.format = Format::Csv { separator };
        self.carried_bytes = self.file()?.metadata().map_or(0, |m| m.len());
        Ok(())
    }

    /// Looks at the start of the file: at more of it as long as there are only comments.
    fn look_at_head(&self, usual: u8) -> Result<csv_head::Head> {
        let (mut file, mut start, mut most) = (self.file()?, Vec::new(), csv_head::LOOK);
        loop {
            let more = (most - start.len()) as u64;
            (&mut file).take(more).read_to_end(&mut start).map_err(|e| self.unreadable(&e))?;
            let head = csv_head::look(&start, usual, self.left_out.comment);
            if !head.is_cut || start.len() < most || most >= csv_head::MOST {
                return Ok(head);
            }
            most *= 4;
        }
    }

    fn file(&self) -> Result<File> {
        File::open(&self.native.path).map_err(|e| self.unreadable(&e))
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
        native::unreadable(e, &self.shown)
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
        match self.native.format {
            Format::Csv { separator } => self.csv_batches(separator, columns),
            Format::Parquet => {
                let (file, rows) = (self.parquet()?, batch_rows(self.schema.fields().len()));
                let reader = guarded(|| file.batches(columns, rows).ok()).flatten();
                let reader = reader.ok_or_else(|| self.damaged())?;
                let trouble = self.damaged();
                Ok(self.reorder(columns, reader.map(move |batch| batch.map_err(|_| trouble.clone()))))
            }
            Format::Arrow | Format::JsonLines => {
                let mut sorted = columns.to_vec();
                sorted.sort_unstable();
                Ok(self.reorder(columns, self.ipc(Some(sorted))?))
            }
        }
    }

    fn digest(&self) -> Result<String> {
        sha256(&self.original)
    }

    fn is_text_only(&self) -> bool {
        self.native.is_text_only
    }

    fn is_typed_by_values(&self) -> bool {
        // What was brought into the form of Arrow on the way.
        self.native.is_text_only && self.native.format == Format::Arrow
    }

    fn bytes(&self) -> u64 {
        self.carried_bytes
    }

    fn blank_lines(&self) -> u64 {
        let told = self.left_out.blank.as_ref();
        self.native.blank + told.map_or(0, |told| told.load(std::sync::atomic::Ordering::Relaxed))
    }

    fn starts_with_data(&self) -> bool {
        let is_value = |name: &str| Kind::LINES.iter().any(|&kind| Point::parse(kind, name).is_some());
        self.is_text_only() && self.names().any(is_value)
    }

    fn way_to_column(&self, name: &str) -> Option<Said> {
        if self.by_spaces {
            return Some("the fields seem to be separated by spaces: write the table with commas, semicolons or tabs between them, for example with: tr -s ' ' ',' < old.txt > new.csv".into());
        }
        let marked = self.names().next().is_some_and(|first| first.starts_with('#') && first != name);
        marked.then(|| {
            "the first line that could be the header begins with #; if it is a comment, say ‹comment=#›"
                .into()
        })
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
