//! Writes CSV. The format libraries format every cell through a generic writer; a release consists mostly of a few
//! labels repeated many times, so labels are quoted once and copied.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use rayon::prelude::*;

use super::column::{Labels, OutColumn, to_strings};
use crate::error::{Error, Result};
use crate::input::separator_of;

/// Rows formatted by one task.
const CHUNK: usize = 2048;

/// Turns rows into CSV text.
pub(super) struct CsvFormat {
    signs: Signs,
    names: Vec<String>,
    quoted: Vec<Option<Quoted>>,
}

/// What makes quotes necessary, besides quotes and ends of lines.
#[derive(Clone, Copy)]
struct Signs {
    separator: u8,
    /// What the name of an only column would name as the separator if it stood in the rows, too.
    named: u8,
}

/// The labels of a column with their quoted forms.
type Quoted = (Arc<Labels>, Vec<Vec<u8>>);

enum Ready<'a> {
    Texts(ArrayRef),
    Coded(&'a [u32], &'a [Vec<u8>]),
}

impl CsvFormat {
    pub(super) fn new(separator: u8, names: Vec<String>) -> Self {
        let only = if let [only] = names.as_slice() { separator_of(only.as_bytes()) } else { None };
        let signs = Signs { separator, named: only.unwrap_or(separator) };
        Self { signs, quoted: names.iter().map(|_| None).collect(), names }
    }

    pub(super) fn header(&self) -> Result<Vec<u8>> {
        let mut line = Vec::new();
        for (i, name) in self.names.iter().enumerate() {
            if i > 0 {
                line.push(self.signs.separator);
            }
            if name.contains('\0') {
                return Err(no_text("the name of a column"));
            }
            name_field(&mut line, name, i == 0, self.signs);
        }
        line.push(b'\n');
        Ok(line)
    }

    pub(super) fn write(
        &mut self,
        columns: &[OutColumn],
        out: &mut dyn Write,
    ) -> Result<std::io::Result<()>> {
        let rows = columns.first().map_or(0, OutColumn::len);
        self.quote_labels(columns);
        let ready: Vec<Ready<'_>> = columns
            .iter()
            .zip(&self.quoted)
            .map(|(column, quoted)| match (column, quoted) {
                (OutColumn::Coded { codes, .. }, Some((_, labels))) => Ok(Ready::Coded(codes, labels)),
                (other, _) => Ok(Ready::Texts(to_strings(&other.to_array()?)?)),
            })
            .collect::<Result<_>>()?;
        let starts: Vec<usize> = (0..rows).step_by(CHUNK).collect();
        let format = |&start: &usize| lines(&ready, start, rows.min(start + CHUNK), self.signs);
        let texts: Vec<Vec<u8>> = starts.par_iter().map(format).collect();
        if texts.iter().any(|text| memchr::memchr(0, text).is_some()) {
            return Err(self.no_text(&ready));
        }
        Ok(texts.iter().try_for_each(|text| out.write_all(text)))
    }

    /// Names the column of which some text is none.
    fn no_text(&self, columns: &[Ready<'_>]) -> Error {
        let has_nul = |column: &Ready<'_>| match column {
            Ready::Coded(codes, labels) => codes.iter().any(|&code| labels[code as usize].contains(&0)),
            Ready::Texts(texts) => texts.as_string::<i32>().iter().flatten().any(|text| text.contains('\0')),
        };
        let column = self.names.iter().zip(columns).find(|(_, column)| has_nul(column));
        let refused = no_text("a value");
        column.map_or(refused.clone(), |(name, _)| refused.in_column(name.clone()))
    }

    fn quote_labels(&mut self, columns: &[OutColumn]) {
        for (column, quoted) in columns.iter().zip(&mut self.quoted) {
            let OutColumn::Coded { labels, .. } = column else { continue };
            if quoted.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, labels)) {
                continue;
            }
            let quote = |text: &String| {
                let mut out = Vec::new();
                field(&mut out, text, self.signs);
                out
            };
            *quoted = Some((labels.clone(), labels.texts().iter().map(quote).collect()));
        }
    }
}

fn lines(columns: &[Ready<'_>], start: usize, end: usize, signs: Signs) -> Vec<u8> {
    let strings: Vec<_> = columns
        .iter()
        .map(|c| if let Ready::Texts(array) = c { Some(array.as_string::<i32>()) } else { None })
        .collect();
    let mut out = Vec::with_capacity((end - start) * columns.len() * 8);
    for row in start..end {
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                out.push(signs.separator);
            }
            match (column, strings[i]) {
                (Ready::Coded(codes, labels), _) => out.extend_from_slice(&labels[codes[row] as usize]),
                // There may be bytes below a null, which nobody is meant to see.
                (Ready::Texts(_), Some(texts)) if texts.is_valid(row) => {
                    field(&mut out, texts.value(row), signs);
                }
                (Ready::Texts(_), _) => {}
            }
        }
        // A lone empty field would be a blank line, which readers skip.
        if columns.len() == 1 && matches!(out.last(), None | Some(b'\n')) {
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
    }
    out
}

/// Appends the name of a column. Whoever reads the file looks for its separator, and for lines before the header, there: names
/// that could be taken for either are quoted.
fn name_field(out: &mut Vec<u8>, name: &str, is_first: bool, signs: Signs) {
    // At the start of a file U+FEFF is a byte order mark.
    let begins_otherwise =
        name.starts_with(['#', '\u{feff}']) || name.to_ascii_lowercase().starts_with("sep=");
    let misleads = name.bytes().any(|byte| b",;\t|".contains(&byte)) || is_first && begins_otherwise;
    if misleads && !name.contains('"') {
        out.extend([b"\"", name.as_bytes(), b"\""].concat());
    } else {
        field(out, name, signs);
    }
}

/// A text file with this character is none: programs take it for something else, or stop there.
fn no_text(what: &str) -> Error {
    Error::input(format!("{what} has the character NUL (U+0000) in it, which CSV cannot hold"))
        .help("take it out of the table, or write the release as .jsonl, .parquet or .arrow")
}

/// Appends one field, quoted only where it must be.
fn field(out: &mut Vec<u8>, text: &str, signs: Signs) {
    let bytes = text.as_bytes();
    let special = memchr::memchr3(signs.separator, b'"', b'\n', bytes).is_some()
        || memchr::memchr2(signs.named, b'\r', bytes).is_some();
    if !special {
        out.extend_from_slice(bytes);
        return;
    }
    out.push(b'"');
    for &byte in bytes {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::StringArray;

    #[test]
    fn what_is_written_reads_back() {
        let texts =
            vec![Some("plain"), Some("a,b"), Some("say \"hi\""), Some("two\nlines"), None, Some(" ; ")];
        let array: ArrayRef = Arc::new(StringArray::from(texts.clone()));
        let labels = Arc::new(Labels::of_texts(["[1, 2]".to_owned(), String::new()]));
        let columns = [OutColumn::Array(array), OutColumn::Coded { codes: vec![0, 1, 0, 1, 0, 1], labels }];
        let mut out = Vec::new();
        CsvFormat::new(b',', vec!["a".into(), "b".into()]).write(&columns, &mut out).unwrap().unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(out.as_slice());
        let read: Vec<_> = reader.records().map(|r| r.unwrap()).collect();
        for (row, text) in texts.iter().enumerate() {
            assert_eq!(&read[row][0], text.unwrap_or_default());
            assert_eq!(&read[row][1], ["[1, 2]", ""][row % 2]);
        }
    }

    #[test]
    fn a_lone_empty_field_is_not_a_blank_line() {
        let column = OutColumn::Array(Arc::new(StringArray::from(vec![None, Some("x")])));
        let mut out = Vec::new();
        CsvFormat::new(b',', vec!["a".into()]).write(&[column], &mut out).unwrap().unwrap();
        assert_eq!(out, b"\"\"\nx\n");
    }

    fn written(name: &str, text: &str) -> Result<String> {
        let column = OutColumn::Array(Arc::new(StringArray::from(vec![text])));
        let mut format = CsvFormat::new(b',', vec![name.to_owned()]);
        let mut out = format.header()?;
        format.write(&[column], &mut out)?.unwrap();
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_name_of_an_only_column_is_no_line_for_spreadsheets() {
        assert_eq!(written("sep=;", "a;b").unwrap(), "\"sep=;\"\n\"a;b\"\n");
        assert_eq!(written("sep=^", "a^b").unwrap(), "\"sep=^\"\n\"a^b\"\n");
        assert_eq!(written("age", "a;b").unwrap(), "age\na;b\n");
        assert_eq!(written("\u{feff}age", "7").unwrap(), "\"\u{feff}age\"\n7\n");
    }

    #[test]
    fn what_csv_cannot_hold_is_refused_and_not_shown() {
        let refused = written("name", "Ada\0Byron").unwrap_err().to_string();
        assert!(
            refused.contains("'name'") && refused.contains("NUL") && !refused.contains("Ada"),
            "{refused}"
        );
        assert!(written("na\0me", "Ada").is_err());
    }
}
