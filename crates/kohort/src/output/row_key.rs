//! What decides where a row stands in a release: a digest of its own published cells, and nothing else.
//!
//! Order can identify people. A shuffle needs a key; a key from the input makes all releases of one table stand in the same
//! order, so that they can be pasted side by side, and whoever guesses the input can test the guess. Sorted by a digest of
//! what everybody sees, the order of rows tells nothing that the rows do not tell: whoever has the rows in any order can work
//! it out. Rows with equal keys are equal rows, so ties decide nothing.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::DataType;
use arrow::row::{RowConverter, Rows, SortField};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::column::{Labels, OutColumn, to_strings};
use crate::error::{Error, Result};

/// The first 96 bits of a digest: two different rows among ten million share one with a chance of 10⁻¹⁵.
pub(super) type RowKey = [u32; 3];

/// Rows whose keys one task works out.
const CHUNK: usize = 2048;

/// The cells of a column as bytes.
enum Cells<'a> {
    Coded(&'a [u32], &'a Arc<Labels>),
    Texts(ArrayRef),
    Values(Rows),
}

/// The keys of some rows. Where `as_text`, all cells are written as text, and a missing value looks like an empty one.
pub(super) fn row_keys(columns: &[OutColumn], as_text: bool) -> Result<Vec<RowKey>> {
    let rows = columns.first().map_or(0, OutColumn::len);
    let cells = columns.iter().map(|column| Cells::of(column, as_text)).collect::<Result<Vec<_>>>()?;
    let mut keys = vec![RowKey::default(); rows];
    keys.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, keys)| {
        let mut line = Vec::new();
        for (i, key) in keys.iter_mut().enumerate() {
            line.clear();
            for cells in &cells {
                cells.append(chunk * CHUNK + i, as_text, &mut line);
            }
            *key = condensed(&line);
        }
    });
    Ok(keys)
}

fn condensed(line: &[u8]) -> RowKey {
    let digest = Sha256::digest(line);
    let number = |at: usize| digest[4 * at..4 * at + 4].iter().fold(0, |n, &byte| n << 8 | u32::from(byte));
    [number(0), number(1), number(2)]
}

impl<'a> Cells<'a> {
    fn of(column: &'a OutColumn, as_text: bool) -> Result<Self> {
        match column {
            OutColumn::Coded { codes, labels } => Ok(Self::Coded(codes, labels)),
            OutColumn::Array(array) if as_text || array.data_type() == &DataType::Utf8 => {
                Ok(Self::Texts(to_strings(array)?))
            }
            OutColumn::Array(array) => rows(array).map(Self::Values),
        }
    }

    /// Appends a cell so that no two lists of different cells read the same.
    fn append(&self, row: usize, as_text: bool, line: &mut Vec<u8>) {
        let (bytes, missing) = match self {
            Self::Coded(codes, labels) => {
                let code = codes[row] as usize;
                (labels.texts()[code].as_bytes(), labels.values.is_null(code))
            }
            Self::Texts(array) => {
                let texts = array.as_string::<i32>();
                (texts.value(row).as_bytes(), texts.is_null(row))
            }
            Self::Values(rows) => (rows.row(row).data(), false),
        };
        if missing {
            line.extend(if as_text { 0 } else { u32::MAX }.to_le_bytes());
        } else {
            line.extend((bytes.len() as u32).to_le_bytes());
            line.extend_from_slice(bytes);
        }
    }
}

/// Values of any type as bytes that are equal where the values are.
fn rows(array: &ArrayRef) -> Result<Rows> {
    let fields = vec![SortField::new(array.data_type().clone())];
    let converted = RowConverter::new(fields).and_then(|c| c.convert_columns(std::slice::from_ref(array)));
    converted.map_err(|_| {
        Error::input(format!("rows with values of type {} cannot be put in order", array.data_type()))
            .help("convert the column before, drop it, or use ‹keep-order› if the order tells nothing")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int64Array, ListArray, StringArray};
    use arrow::datatypes::Int64Type;

    fn keys(columns: &[OutColumn]) -> Vec<RowKey> {
        row_keys(columns, false).unwrap()
    }

    fn texts(values: Vec<Option<&str>>) -> OutColumn {
        OutColumn::Array(Arc::new(StringArray::from(values)))
    }

    #[test]
    fn equal_rows_have_equal_keys_and_no_others() {
        let a = texts(vec![Some("ab"), Some("a"), None, Some(""), Some("ab")]);
        let b = texts(vec![Some("c"), Some("bc"), Some("x"), Some("x"), Some("c")]);
        let found = keys(&[a, b]);
        assert_eq!(found[0], found[4]);
        let different: std::collections::BTreeSet<_> = found.iter().collect();
        assert_eq!(different.len(), 4);
    }

    /// Whether a column is held as codes or read again depends on what is not in the release.
    #[test]
    fn codes_and_values_have_the_same_keys() {
        let labels = Arc::new(Labels::of_texts(["flu", "", "gout"].map(str::to_owned)));
        let coded = OutColumn::Coded { codes: vec![2, 0, 1], labels };
        let plain = texts(vec![Some("gout"), Some("flu"), None]);
        assert_eq!(keys(&[coded]), keys(&[plain]));
    }

    #[test]
    fn in_text_a_missing_value_is_an_empty_one() {
        let found = row_keys(&[texts(vec![None, Some("")])], true).unwrap();
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn values_of_other_types_count() {
        let numbers = OutColumn::Array(Arc::new(Int64Array::from(vec![Some(1), None, Some(0), Some(1)])));
        let lists = vec![Some(vec![Some(1)]), Some(vec![Some(1)]), None, Some(vec![Some(1)])];
        let lists = ListArray::from_iter_primitive::<Int64Type, _, _>(lists);
        let found = keys(&[numbers, OutColumn::Array(Arc::new(lists))]);
        assert_eq!(found[0], found[3]);
        assert!(found[0] != found[1] && found[1] != found[2] && found[0] != found[2]);
    }
}
