//! Writes JSON lines: one object per row, all columns in all of them. What is missing or empty is null. Numbers and truth values
//! are written as such where the column has that type; all else is text.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, SchemaRef};
use rayon::prelude::*;

use super::column::{Labels, OutColumn, to_strings};
use crate::error::Result;

/// Rows formatted by one task.
const CHUNK: usize = 2048;

/// Turns rows into JSON.
pub(super) struct JsonFormat {
    /// What stands before the value of every column, its name included.
    keys: Vec<Vec<u8>>,
    values: Vec<Option<Valued>>,
}

/// The labels of a column as JSON.
type Valued = (Arc<Labels>, Vec<Vec<u8>>);

enum Ready<'a> {
    /// The texts, and whether they are written without quotes.
    Texts(ArrayRef, bool),
    Coded(&'a [u32], &'a [Vec<u8>]),
}

impl JsonFormat {
    pub(super) fn new(schema: &SchemaRef) -> Self {
        let key = |(i, name): (usize, &str)| {
            let mut key = vec![if i == 0 { b'{' } else { b',' }];
            text(&mut key, name);
            key.push(b':');
            key
        };
        let names = schema.fields().iter().map(|field| field.name().as_str());
        Self {
            keys: names.enumerate().map(key).collect(),
            values: schema.fields().iter().map(|_| None).collect(),
        }
    }

    pub(super) fn write(
        &mut self,
        columns: &[OutColumn],
        out: &mut dyn Write,
    ) -> Result<std::io::Result<()>> {
        let rows = columns.first().map_or(0, OutColumn::len);
        self.value_labels(columns)?;
        let ready: Vec<Ready<'_>> = columns
            .iter()
            .zip(&self.values)
            .map(|(column, values)| match (column, values) {
                (OutColumn::Coded { codes, .. }, Some((_, labels))) => Ok(Ready::Coded(codes, labels)),
                (other, _) => {
                    let array = other.to_array()?;
                    Ok(Ready::Texts(to_strings(&array)?, is_bare(array.data_type())))
                }
            })
            .collect::<Result<_>>()?;
        let starts: Vec<usize> = (0..rows).step_by(CHUNK).collect();
        let format = |&start: &usize| lines(&self.keys, &ready, start, rows.min(start + CHUNK));
        let texts: Vec<Vec<u8>> = starts.par_iter().map(format).collect();
        Ok(texts.iter().try_for_each(|text| out.write_all(text)))
    }

    fn value_labels(&mut self, columns: &[OutColumn]) -> Result<()> {
        for (column, values) in columns.iter().zip(&mut self.values) {
            let OutColumn::Coded { labels, .. } = column else { continue };
            if values.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, labels)) {
                continue;
            }
            let (array, bare) = (to_strings(&labels.values)?, is_bare(labels.values.data_type()));
            let json = |label: Option<&str>| {
                let mut out = Vec::new();
                value(&mut out, label, bare);
                out
            };
            *values = Some((labels.clone(), array.as_string::<i32>().iter().map(json).collect()));
        }
        Ok(())
    }
}

fn lines(keys: &[Vec<u8>], columns: &[Ready<'_>], start: usize, end: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity((end - start) * columns.len() * 16);
    for row in start..end {
        for (key, column) in keys.iter().zip(columns) {
            out.extend_from_slice(key);
            match column {
                Ready::Coded(codes, labels) => out.extend_from_slice(&labels[codes[row] as usize]),
                Ready::Texts(array, bare) => {
                    let texts = array.as_string::<i32>();
                    // There may be bytes below a null, which nobody is meant to see.
                    value(&mut out, texts.is_valid(row).then(|| texts.value(row)), *bare);
                }
            }
        }
        out.extend_from_slice(b"}\n");
    }
    out
}

/// Whether the texts of a type are JSON as they are.
fn is_bare(data: &DataType) -> bool {
    data.is_integer()
        || data.is_floating()
        || *data == DataType::Boolean
        || matches!(
            data,
            DataType::Decimal32(..)
                | DataType::Decimal64(..)
                | DataType::Decimal128(..)
                | DataType::Decimal256(..)
        )
}

fn value(out: &mut Vec<u8>, shown: Option<&str>, bare: bool) {
    match shown {
        None | Some("") => out.extend_from_slice(b"null"),
        // Not every number is one in JSON: infinity is none.
        Some(shown) if bare && serde_json::from_str::<&serde_json::value::RawValue>(shown).is_ok() => {
            out.extend_from_slice(shown.as_bytes());
        }
        Some(shown) => text(out, shown),
    }
}

fn text(out: &mut Vec<u8>, shown: &str) {
    // Memory takes all that is written to it.
    let _ = serde_json::to_writer(out, shown);
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{BooleanArray, Float64Array, Int64Array, StringArray};
    use arrow::datatypes::{Field, Schema};

    #[test]
    fn every_row_is_an_object_with_all_columns() {
        let arrays: [ArrayRef; 4] = [
            Arc::new(StringArray::from(vec![Some("a \"b\"\n\u{1}"), Some(""), None])),
            Arc::new(Int64Array::from(vec![Some(7), None, Some(-1)])),
            Arc::new(Float64Array::from(vec![1.5, f64::NAN, 1e300])),
            Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])),
        ];
        let names = ["te\"xt", "n", "x", "yes"];
        let fields: Vec<_> =
            names.iter().zip(&arrays).map(|(n, a)| Field::new(*n, a.data_type().clone(), true)).collect();
        let mut columns: Vec<_> = arrays.into_iter().map(OutColumn::Array).collect();
        let mut fields = fields;
        fields.push(Field::new("age", DataType::Utf8, true));
        let labels = Arc::new(Labels::of_texts(["[1, 2]".to_owned(), String::new()]));
        columns.push(OutColumn::Coded { codes: vec![0, 1, 0], labels });
        let mut out = Vec::new();
        JsonFormat::new(&Arc::new(Schema::new(fields))).write(&columns, &mut out).unwrap().unwrap();
        let lines = [
            r#"{"te\"xt":"a \"b\"\n\u0001","n":7,"x":1.5,"yes":true,"age":"[1, 2]"}"#,
            r#"{"te\"xt":null,"n":null,"x":"NaN","yes":false,"age":null}"#,
            r#"{"te\"xt":null,"n":-1,"x":1e300,"yes":null,"age":"[1, 2]"}"#,
        ];
        assert_eq!(String::from_utf8(out).unwrap(), lines.join("\n") + "\n");
    }
}
