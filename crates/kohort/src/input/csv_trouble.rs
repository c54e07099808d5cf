//! What is wrong with a CSV file, told with the line a text editor shows.
//!
//! The fast reader counts records; a person needs lines. So when it fails, the file is read once more, slowly.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use super::native::not_utf8;
use crate::error::{Error, Place};

/// A CSV file and how it is read.
#[derive(Clone)]
pub(super) struct CsvFile {
    pub(super) path: PathBuf,
    /// What to call it.
    pub(super) shown: String,
    /// Bytes before the header: a byte order mark, comments.
    pub(super) skip: u64,
    pub(super) separator: u8,
    /// What begins a line that is left out.
    pub(super) comment: Option<u8>,
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
            Trouble::NoText => not_utf8(&file.path, &file.shown, line),
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

/// The line of the header.
pub(super) fn first_line(file: &CsvFile) -> u64 {
    file.line(0)
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
            .comment(self.comment)
            .has_headers(false)
            .flexible(true)
            .from_reader(LineFeeds(BufReader::new(file.chain(behind))));
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
        let Ok(file) = File::open(&self.path) else { return 0 };
        let mut bytes = BufReader::new(file).bytes().map_while(Result::ok).peekable();
        let at = (self.skip + at) as usize;
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let mut last = b'\n';
        // A line feed belongs to the carriage return before it.
        let mut ended = |byte: u8| {
            let is_second = byte == b'\n' && last == b'\r';
            last = byte;
            u64::from(is_end(&byte) && !is_second)
        };
        let mut lines = 1 + bytes.by_ref().take(at).map(&mut ended).sum::<u64>();
        // Lines that are not records.
        while let Some(next) = bytes.next_if(|b| is_end(b) || self.comment == Some(*b)) {
            let is_comment = self.comment == Some(next);
            let end = if is_comment { bytes.by_ref().find(is_end) } else { Some(next) };
            lines += end.map_or(0, &mut ended);
        }
        lines
    }

    fn open(&self) -> Option<File> {
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(self.skip)).ok()?;
        Some(file)
    }
}

/// Carriage returns as line feeds: the slow reader ends comments at no other sign. Every byte stays where it is.
struct LineFeeds<R>(R);

impl<R: Read> Read for LineFeeds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(buffer)?;
        buffer[..count].iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        Ok(count)
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
