//! Every file that can be read becomes one of three kinds: CSV in UTF-8, Parquet, or Arrow.
//!
//! Most are one of them as they lie there, and nothing is copied. What is packed, in another encoding, JSON, a workbook or a
//! database is brought into such a form once, in a file without a name, row by row; then the readers of the three kinds do
//! the rest, and may read it as often as they like.

mod cells;
#[cfg(feature = "sqlite")]
mod database;
mod encoding;
mod ending;
mod foreign;
mod json;
mod objects;
mod recognize;
mod unpack;
mod workbook;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub(super) use self::encoding::not_utf8;
use self::ending::Ending;
use self::recognize::{Content, START, Workbook, recognize};
use super::read_options::Kind;
use super::{Format, Packing, ReadOptions, Scratch};
use crate::error::{Error, Result, marked};

/// A file in one of the three kinds.
pub(super) struct Native {
    /// Where its bytes are.
    pub(super) path: PathBuf,
    pub(super) format: Format,
    /// Whether the separator of CSV is certain, or is to be found.
    pub(super) is_certain: bool,
    /// Whether nothing and the empty text are the same in the file.
    pub(super) is_text_only: bool,
    /// Lines without any value that were left out on the way.
    pub(super) blank: u64,
    /// Keeps the bytes.
    scratch: Option<Scratch>,
}

impl Native {
    /// A file whose name, if it has one, says something about what it holds.
    pub(super) fn of(path: PathBuf, name: Option<&Path>, shown: &str, options: &ReadOptions) -> Result<Self> {
        let mut native = Self::plain(path, Format::Csv { separator: b',' });
        let ending = name.map_or(Ending::Unknown, Ending::of);
        let mut start = native.start(shown)?;
        let packing = Packing::of_bytes(&start);
        if packing != Packing::Plain {
            native.put(unpack::unpack(&native.path, packing, shown)?);
            start = native.start(shown)?;
        }
        let content = recognize(&start, &native.path);
        ending.check(content, shown)?;
        let (name, kind) = described(content, ending);
        options.check_for(name, kind, shown)?;
        match content {
            Content::Empty if ending.is_columns().is_none() => return Err(super::csv_trouble::empty(shown)),
            Content::Foreign(foreign) => return foreign.refused(shown),
            // A name that promises one of these is believed; its reader says what is wrong.
            _ if let Some(format) = ending.is_columns() => native.as_it_lies(format),
            Content::Parquet => native.as_it_lies(Format::Parquet),
            Content::Arrow => native.as_it_lies(Format::Arrow),
            Content::Workbook(kind) => native.workbook(kind, options, shown)?,
            Content::Database => native.database(options, shown)?,
            Content::Binary => return Err(binary(shown)),
            Content::Utf16 { name, is_marked: false } if options.encoding.is_none() => {
                return Err(wide(name, shown));
            }
            Content::Empty | Content::Text | Content::Json | Content::Utf16 { .. } => {
                native.text(content, ending, options, shown)?;
            }
        }
        Ok(native)
    }

    /// A file that is known to be of this format, such as one that was just written.
    pub(super) fn known(path: PathBuf, format: Format, shown: &str) -> Result<Self> {
        let mut native = Self::plain(path, format);
        native.is_certain = true;
        native.is_text_only = format.is_text_only();
        if native.is_text_only {
            let packing = Packing::of_bytes(&native.start(shown)?);
            if packing != Packing::Plain {
                native.put(unpack::unpack(&native.path, packing, shown)?);
            }
        }
        if format == Format::JsonLines {
            native.json(true, shown)?;
        }
        Ok(native)
    }

    fn plain(path: PathBuf, format: Format) -> Self {
        Self { path, format, is_certain: false, is_text_only: true, blank: 0, scratch: None }
    }

    /// A format that stores columns, and knows nothing from the empty text.
    fn as_it_lies(&mut self, format: Format) {
        (self.format, self.is_text_only) = (format, false);
    }

    /// From now on its bytes are here.
    fn put(&mut self, scratch: Scratch) {
        scratch.path().clone_into(&mut self.path);
        self.scratch = Some(scratch);
    }

    /// The first bytes.
    fn start(&self, shown: &str) -> Result<Vec<u8>> {
        let mut start = Vec::with_capacity(START);
        let read = File::open(&self.path).and_then(|file| file.take(START as u64).read_to_end(&mut start));
        read.map_err(|e| unreadable(&e, shown))?;
        Ok(start)
    }

    fn text(&mut self, content: Content, ending: Ending, options: &ReadOptions, shown: &str) -> Result<()> {
        let said = options.encoding()?;
        let marked = if let Content::Utf16 { name, .. } = content {
            encoding_rs::Encoding::for_label(name.as_bytes())
        } else {
            None
        };
        if let Some(encoding) = said {
            encoding::check_said(&self.path, encoding, shown)?;
        }
        let mut is_json = content == Content::Json;
        if let Some(encoding) = said.or(marked) {
            self.put(encoding::to_utf8(&self.path, encoding, shown)?);
            is_json = recognize(&self.start(shown)?, &self.path) == Content::Json;
        }
        match ending {
            Ending::Csv(separator) => self.format = Format::Csv { separator },
            Ending::Json => self.json(options.as_text, shown)?,
            _ if is_json => self.json(options.as_text, shown)?,
            _ => self.format = Format::Csv { separator: b',' },
        }
        Ok(())
    }

    fn json(&mut self, as_text: bool, shown: &str) -> Result<()> {
        let mut rows = json::JsonRows::new(self.path.clone(), shown);
        let arrow = cells::to_arrow(&mut rows, as_text, shown)?;
        self.put(arrow);
        self.format = Format::Arrow;
        Ok(())
    }

    fn workbook(&mut self, kind: Workbook, options: &ReadOptions, shown: &str) -> Result<()> {
        let mut sheet = workbook::Sheet::open(&self.path, kind, options.sheet.as_deref(), shown)?;
        let arrow = cells::to_arrow(&mut sheet, options.as_text, shown)?;
        self.blank = sheet.blank;
        self.put(arrow);
        self.format = Format::Arrow;
        Ok(())
    }

    #[cfg(feature = "sqlite")]
    fn database(&mut self, options: &ReadOptions, shown: &str) -> Result<()> {
        let mut rows = database::Database::open(&self.path, options.query.as_deref(), shown)?;
        let arrow = cells::to_arrow(&mut rows, options.as_text, shown)?;
        self.put(arrow);
        self.format = Format::Arrow;
        Ok(())
    }

    #[cfg(not(feature = "sqlite"))]
    #[allow(clippy::unused_self, reason = "the same call as where SQLite is read")]
    fn database(&mut self, _: &ReadOptions, shown: &str) -> Result<()> {
        Err(Error::input("this is a SQLite database, and kohort was built without the part that reads it")
            .in_file(shown)
            .help("build it with the feature 'sqlite', or pipe a query as CSV: sqlite3 -csv -header FILE 'select * from people'"))
    }
}

/// What a file is called where an option does not suit it, and its kind.
fn described(content: Content, ending: Ending) -> (&'static str, Kind) {
    match (content, ending.is_columns()) {
        (Content::Workbook(_), None) => ("a workbook", Kind::Workbook),
        (Content::Database, None) => ("a SQLite database", Kind::Database),
        (Content::Json, None) => ("JSON", Kind::Text),
        (Content::Parquet, _) | (_, Some(Format::Parquet)) => ("a Parquet file", Kind::Columns),
        (Content::Arrow, _) | (_, Some(_)) => ("an Arrow file", Kind::Columns),
        _ if ending == Ending::Json => ("JSON", Kind::Text),
        _ => ("CSV", Kind::Csv),
    }
}

/// Why a file cannot be opened.
pub(super) fn unreadable(e: &io::Error, shown: &str) -> Error {
    let help = match e.kind() {
        io::ErrorKind::NotFound => {
            "check the name; paths in a job file start at its folder, others at the current one"
        }
        io::ErrorKind::PermissionDenied => "ask its owner for the right to read it",
        _ => "check that the file can be opened by other programs",
    };
    Error::input(format!("cannot read the file: {e}")).in_file(shown).help(help)
}

fn binary(shown: &str) -> Error {
    Error::input("this is a binary file, expected text")
        .in_file(shown)
        .help("unpack or export it as CSV first")
}

fn wide(name: &str, shown: &str) -> Error {
    Error::input("the text has two bytes a character, and no mark that says in which order")
        .in_file(shown)
        .help(format!("it looks like {name}: say {}", marked("encoding", name)))
}
