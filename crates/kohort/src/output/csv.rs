//! Writes CSV. The format libraries format every cell through a generic writer; a release consists mostly of a few
//! labels repeated many times, so labels are quoted once and copied.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use rayon::prelude::*;

use super::column::{Labels, OutColumn, to_strings};
use crate::error::Result;

/// Rows formatted by one task.
const CHUNK: usize = 2048;

/// Turns rows into CSV text.
pub(super) struct CsvFormat {
    separator: u8,
    quoted: Vec<Option<Quoted>>,
}

/// The labels of a column with their quoted forms.
type Quoted = (Arc<Labels>, Vec<Vec<u8>>);

enum Ready<'a> {
    Texts(ArrayRef),
    Coded(&'a [u32], &'a [Vec<u8>]),
}

impl CsvFormat {
    pub(super) fn new(separator: u8, columns: usize) -> Self {
        Self { separator, quoted: (0..columns).map(|_| None).collect() }
    }

    pub(super) fn header<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<u8> {
        let mut line = Vec::new();
        for (i, name) in names.enumerate() {
            if i > 0 {
                line.push(self.separator);
            }
            name_field(&mut line, name, i == 0, self.separator);
        }
        line.push(b'\n');
        line
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
        let format = |&start: &usize| lines(&ready, start, rows.min(start + CHUNK), self.separator);
        let texts: Vec<Vec<u8>> = starts.par_iter().map(format).collect();
        Ok(texts.iter().try_for_each(|text| out.write_all(text)))
    }

    fn quote_labels(&mut self, columns: &[OutColumn]) {
        for (column, quoted) in columns.iter().zip(&mut self.quoted) {
            let OutColumn::Coded { labels, .. } = column else { continue };
            if quoted.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, labels)) {
                continue;
            }
            let quote = |text: &String| {
                let mut out = Vec::new();
                field(&mut out, text, self.separator);
                out
            };
            *quoted = Some((labels.clone(), labels.texts().iter().map(quote).collect()));
        }
    }
}

fn lines(columns: &[Ready<'_>], start: usize, end: usize, separator: u8) -> Vec<u8> {
    let strings: Vec<_> = columns
        .iter()
        .map(|c| if let Ready::Texts(array) = c { Some(array.as_string::<i32>()) } else { None })
        .collect();
    let mut out = Vec::with_capacity((end - start) * columns.len() * 8);
    for row in start..end {
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                out.push(separator);
            }
            match (column, strings[i]) {
                (Ready::Coded(codes, labels), _) => out.extend_from_slice(&labels[codes[row] as usize]),
                // There may be bytes below a null, which nobody is meant to see.
                (Ready::Texts(_), Some(texts)) if texts.is_valid(row) => {
                    field(&mut out, texts.value(row), separator);
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
fn name_field(out: &mut Vec<u8>, name: &str, is_first: bool, separator: u8) {
    let misleads = name.bytes().any(|byte| b",;\t|".contains(&byte))
        || (is_first && (name.starts_with('#') || name.to_ascii_lowercase().starts_with("sep=")));
    if misleads && !name.contains('"') {
        out.extend([b"\"", name.as_bytes(), b"\""].concat());
    } else {
        field(out, name, separator);
    }
}

/// Appends one field, quoted only where it must be.
fn field(out: &mut Vec<u8>, text: &str, separator: u8) {
    let bytes = text.as_bytes();
    let special =
        memchr::memchr3(separator, b'"', b'\n', bytes).is_some() || memchr::memchr(b'\r', bytes).is_some();
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
        CsvFormat::new(b',', 2).write(&columns, &mut out).unwrap().unwrap();
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
        CsvFormat::new(b',', 1).write(&[column], &mut out).unwrap().unwrap();
        assert_eq!(out, b"\"\"\nx\n");
    }
}
