//! What is wrong with a CSV file, told with the line a text editor shows.
//!
//! The fast reader counts records; a person needs lines. So when it fails, the file is read once more, slowly.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use crate::error::{Error, Place};

/// A CSV file and how it is read.
#[derive(Clone)]
pub(super) struct CsvFile {
    pub(super) path: PathBuf,
    /// What to call it.
    pub(super) shown: String,
    /// Bytes before the header: a byte order mark.
    pub(super) skip: u64,
    pub(super) separator: u8,
    /// Fields in the header.
    pub(super) wide: usize,
}

/// Turns the fast reader's complaint into one with line numbers.
pub(super) fn explain(file: &CsvFile, complaint: &str) -> Error {
    slow_look(file)
        .or_else(|| open_quote(file))
        .unwrap_or_else(|| Error::input(format!("cannot read the table: {complaint}")).in_file(&file.shown))
}

/// The first line that is not like the header, or no text.
fn slow_look(file: &CsvFile) -> Option<Error> {
    let wide = file.wide;
    file.first(b"", |record| {
        if record.len() != wide && !record.iter().all(<[u8]>::is_empty) {
            return Some(Trouble::Ragged(record.len()));
        }
        record.iter().any(|field| std::str::from_utf8(field).is_err()).then_some(Trouble::NoText)
    })
    .map(|(trouble, at)| {
        let line = file.line(at);
        match trouble {
            // A record that swallowed the rest of the file is not short of a separator.
            Trouble::Ragged(_) if swallowing(file) == Some(at) => never_closed(&file.shown, line),
            Trouble::Ragged(found) => Error::input(format!(
                "the line has {}, the header has {wide}",
                fields(found)
            ))
            .in_file(&file.shown)
            .line(line)
            .help("check this line for a missing or extra separator, or for a quote that is never closed"),
            Trouble::NoText => not_utf8(&file.shown, line),
        }
    })
}

enum Trouble {
    Ragged(usize),
    NoText,
}

/// The quote that is still open at the end of the file, if there is one.
pub(super) fn open_quote(file: &CsvFile) -> Option<Error> {
    swallowing(file).map(|at| never_closed(&file.shown, file.line(at)))
}

/// Where the record starts that an open quote makes swallow the rest: such a record also swallows what is put behind the
/// file.
fn swallowing(file: &CsvFile) -> Option<u64> {
    const BEHIND: &[u8] = b"\nend of file\n";
    file.first(BEHIND, |record| record.iter().next_back().is_some_and(|f| f.ends_with(BEHIND)).then_some(()))
        .map(|((), at)| at)
}

impl CsvFile {
    /// The first record with something to tell, and the byte it starts at.
    fn first<T>(
        &self,
        behind: &'static [u8],
        tell: impl Fn(&csv::ByteRecord) -> Option<T>,
    ) -> Option<(T, u64)> {
        let file = self.open()?;
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(self.separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(BufReader::new(file.chain(behind)));
        let mut record = csv::ByteRecord::new();
        while reader.read_byte_record(&mut record).ok()? {
            if let Some(told) = tell(&record) {
                return Some((told, record.position().map_or(0, csv::Position::byte)));
            }
        }
        None
    }

    /// The line, as a text editor counts, of the record that starts at this byte. The reader's own count leaves out blank
    /// lines, and has the record start at the line end before it.
    fn line(&self, at: u64) -> u64 {
        let Some(file) = self.open() else { return 0 };
        let mut bytes = BufReader::new(file).bytes().map_while(Result::ok);
        let before = bytes.by_ref().take(at as usize).filter(|&b| b == b'\n').count();
        let blank = bytes.take_while(|b| matches!(b, b'\r' | b'\n')).filter(|&b| b == b'\n').count();
        (1 + before + blank) as u64
    }

    fn open(&self) -> Option<File> {
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(self.skip)).ok()?;
        Some(file)
    }
}

fn never_closed(shown: &str, line: u64) -> Error {
    Error::input("a quote is opened and never closed, so that everything after it would be one field")
        .at(Place::default().in_file(shown).and(format!("in the row that starts at line {line}")))
        .help("close the quote, or write it twice if it belongs to the text")
}

/// There is not even a header.
pub(super) fn empty(shown: &str) -> Error {
    Error::input("the file is empty, expected a header line with column names")
        .in_file(shown)
        .help("check that the export which made it has finished")
}

fn fields(n: usize) -> String {
    if n == 1 { "1 field".into() } else { format!("{n} fields") }
}

/// The bytes of a line are not UTF-8.
pub(super) fn not_utf8(shown: &str, line: u64) -> Error {
    Error::input("the text is not UTF-8, the only encoding kohort reads")
        .in_file(shown)
        .line(line)
        .help("convert it first, for example: iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv")
}

/// Refuses UTF-16 and compressed files by their first bytes, and empty files.
pub(super) fn check_encoding(start: &[u8], shown: &str) -> Result<(), Error> {
    if start.is_empty() {
        return Err(empty(shown));
    }
    if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        return Err(Error::input("the text is UTF-16, expected UTF-8")
            .in_file(shown)
            .help("convert it first: iconv -f UTF-16 -t UTF-8 old.csv > new.csv"));
    }
    if start.starts_with(b"PAR1") || start.starts_with(b"ARROW1") {
        return Err(Error::input("this is a Parquet or Arrow file under another ending")
            .in_file(shown)
            .help("name it .parquet or .arrow"));
    }
    if start[..start.len().min(512)].contains(&0) || start.starts_with(b"\x1F\x8B") {
        return Err(Error::input("this is a binary file, expected text")
            .in_file(shown)
            .help("unpack or export it as CSV first"));
    }
    Ok(())
}
