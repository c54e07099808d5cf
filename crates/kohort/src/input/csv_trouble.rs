//! What is wrong with a CSV file, told with the line a text editor shows.
//!
//! The fast reader counts records; a person needs lines. So when it fails, the file is read once more, slowly.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::Path;

use crate::error::Error;

/// Turns the fast reader's complaint into one with line numbers.
pub(super) fn explain(path: &Path, shown: &str, skip: u64, separator: u8, wide: usize, complaint: &str) -> Error {
    slow_look(path, shown, skip, separator, wide)
        .unwrap_or_else(|| Error::input(format!("cannot read the table: {complaint}")).at(shown))
}

fn slow_look(path: &Path, shown: &str, skip: u64, separator: u8, wide: usize) -> Option<Error> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(skip)).ok()?;
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(BufReader::new(file));
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).ok()? {
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() != wide {
            return Some(
                Error::input(format!("the line has {}, the header has {wide}", fields(record.len())))
                    .at(format!("{shown}, line {line}"))
                    .help("check this line for a missing or extra separator, or for a quote that is never closed"),
            );
        }
        if record.iter().any(|field| std::str::from_utf8(field).is_err()) {
            return Some(not_utf8(shown, line));
        }
    }
    None
}

fn fields(n: usize) -> String {
    if n == 1 { "1 field".into() } else { format!("{n} fields") }
}

/// The bytes of a line are not UTF-8.
pub(super) fn not_utf8(shown: &str, line: u64) -> Error {
    Error::input("the text is not UTF-8, the only encoding kohort reads")
        .at(format!("{shown}, line {line}"))
        .help("convert it first, for example: iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv")
}

/// Refuses UTF-16 and compressed files by their first bytes, and empty files.
pub(super) fn check_encoding(start: &[u8], shown: &str) -> Result<(), Error> {
    if start.is_empty() {
        return Err(Error::input("the file is empty, expected a header line with column names").at(shown));
    }
    if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        return Err(Error::input("the text is UTF-16, expected UTF-8")
            .at(shown)
            .help("convert it first: iconv -f UTF-16 -t UTF-8 old.csv > new.csv"));
    }
    if start.starts_with(b"PAR1") || start.starts_with(b"ARROW1") {
        return Err(Error::input("this is a Parquet or Arrow file under another ending")
            .at(shown)
            .help("name it .parquet or .arrow"));
    }
    if start[..start.len().min(512)].contains(&0) || start.starts_with(b"\x1F\x8B") {
        return Err(Error::input("this is a binary file, expected text").at(shown).help("unpack or export it as CSV first"));
    }
    Ok(())
}
