//! Values told apart as their file tells them apart.
//!
//! Text is enough to generalize values, but not to decide whether two published cells are the same: in the binary formats
//! nothing and the empty text are two things, and so are the lists `["a, b"]` and `["a", "b"]`, which read alike.

use std::hash::{BuildHasher, Hasher};

use arrow::array::{Array, ArrayRef, StringArray};
use arrow::datatypes::DataType;
use arrow::row::{RowConverter, Rows, SortField};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHasher};

use super::encode::{check_rows, encode, pipelined, texts};
use super::{Column, TableSource};
use crate::data::Codes;
use crate::error::{Error, Place, Result};

/// Reads the chosen columns of a table such that, in the first `exact` of them, different values have different codes even
/// if their texts are the same.
pub fn encode_exact(source: &dyn TableSource, columns: &[usize], exact: usize) -> Result<Vec<Column>> {
    if source.is_text_only() {
        // Has nothing but text.
        return encode(source, columns);
    }
    let fields = columns.iter().map(|&c| source.schema().field(c));
    let keys = fields.clone().enumerate().map(|(i, f)| Key::of(f.data_type(), i < exact));
    let mut readers: Vec<Reader> = keys.map(|key| Reader { key, ..Reader::default() }).collect();
    let mut read = 0u64;
    pipelined(source.batches(columns)?, |batch| {
        read += batch.num_rows() as u64;
        check_rows(source, read)?;
        let named = |i: usize| {
            Place::default().in_file(source.name()).in_column(source.schema().field(columns[i]).name())
        };
        let all = readers.par_iter_mut().zip(batch.columns()).enumerate();
        all.try_for_each(|(i, (reader, array))| reader.push(array).map_err(|e| e.at(named(i))))
    })?;
    let names = fields.map(|f| f.name().clone());
    let column = |(reader, name): (Reader, String)| Column {
        name,
        texts: reader.texts,
        counts: reader.counts,
        codes: reader.codes,
        ..Column::default()
    };
    Ok(readers.into_iter().zip(names).map(column).collect())
}

/// What makes two values of a column the same.
#[derive(Default)]
enum Key {
    /// Their text; missing is the empty text.
    #[default]
    Text,
    /// Their text, or that both are missing.
    TextOrNothing,
    /// All that is in them. The converter is made with the first values.
    Content(DataType, Option<RowConverter>),
}

/// Values in a form that can be compared.
enum Keyed {
    /// With what stands for nothing.
    Texts(StringArray, Option<&'static [u8]>),
    Contents(Rows),
}

impl Key {
    fn of(data: &DataType, exact: bool) -> Self {
        match data {
            _ if !exact => Self::Text,
            DataType::Utf8 => Self::TextOrNothing,
            other => Self::Content(other.clone(), None),
        }
    }

    fn keyed(&mut self, array: &ArrayRef) -> Result<Keyed> {
        match self {
            Self::Text => Ok(Keyed::Texts(texts(array)?, Some(&[]))),
            Self::TextOrNothing => Ok(Keyed::Texts(texts(array)?, None)),
            Self::Content(data, converter) => {
                let cannot = || Error::input(format!("values of type {data} cannot be compared"));
                if converter.is_none() {
                    *converter = RowConverter::new(vec![SortField::new(data.clone())]).ok();
                }
                let rows =
                    converter.as_ref().and_then(|c| c.convert_columns(std::slice::from_ref(array)).ok());
                rows.map(Keyed::Contents)
                    .ok_or_else(|| cannot().help("convert the column to text, numbers or dates before"))
            }
        }
    }
}

impl Keyed {
    /// The bytes that only equal values share; none for a missing text.
    fn at(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Texts(texts, nothing) => {
                if texts.is_valid(row) {
                    Some(texts.value(row).as_bytes())
                } else {
                    *nothing
                }
            }
            Self::Contents(rows) => Some(rows.row(row).data()),
        }
    }
}

/// A column while it is read.
#[derive(Default)]
struct Reader {
    key: Key,
    index: FxHashMap<Box<[u8]>, u32>,
    /// The code of a missing text.
    nothing: Option<u32>,
    texts: Vec<String>,
    counts: Vec<u32>,
    codes: Codes,
}

impl Reader {
    fn push(&mut self, array: &ArrayRef) -> Result<()> {
        let keyed = self.key.keyed(array)?;
        for row in 0..array.len() {
            let key = keyed.at(row);
            let known = key.map_or(self.nothing, |key| self.index.get(key).copied());
            let code = match known {
                Some(code) => code,
                None => self.add(key, &texts(&array.slice(row, 1))?),
            };
            self.counts[code as usize] += 1;
            self.codes.push(code);
        }
        Ok(())
    }

    /// A new code for a value that was not seen before.
    fn add(&mut self, key: Option<&[u8]>, text: &StringArray) -> u32 {
        let code = self.counts.len() as u32;
        self.texts.push(text.iter().next().flatten().unwrap_or_default().to_owned());
        self.counts.push(0);
        match key {
            Some(key) => drop(self.index.insert(key.into(), code)),
            None => self.nothing = Some(code),
        }
        code
    }
}

/// One number per row that rows with other values in the given columns do not share, but by an accident nobody can bring
/// about: `key` is drawn anew for every comparison. Columns are compared as text, where missing is the empty text (so that a
/// table and a copy in another format agree), or by all that is in them where that is asked for.
pub fn fingerprints(
    source: &dyn TableSource,
    columns: &[(usize, bool)],
    key: &(impl BuildHasher + Sync),
) -> Result<Vec<u64>> {
    let wanted: Vec<usize> = columns.iter().map(|&(column, _)| column).collect();
    let types = columns.iter().map(|&(c, exact)| (source.schema().field(c).data_type(), exact));
    let mut keys: Vec<Key> = types.map(|(data, exact)| Key::of(data, exact)).collect();
    let mut prints = Vec::new();
    pipelined(source.batches(&wanted)?, |batch| {
        let keyed = keys.iter_mut().zip(batch.columns()).map(|(key, array)| key.keyed(array));
        let keyed = keyed.collect::<Result<Vec<_>>>().map_err(|e| e.in_file(source.name()))?;
        let print = |row: usize| {
            let mut hasher = key.build_hasher();
            for column in &keyed {
                let bytes = column.at(row);
                hasher.write_usize(bytes.map_or(usize::MAX, <[u8]>::len));
                hasher.write(bytes.unwrap_or_default());
            }
            hasher.finish()
        };
        prints.par_extend((0..batch.num_rows()).into_par_iter().map(print));
        Ok(())
    })?;
    Ok(prints)
}

/// One number per value, the same for the same values in every batch and every run: for statistics, not for secrets. Texts are
/// compared as they are, and missing is the empty text. None where values of this type cannot be compared.
pub fn hashes(array: &ArrayRef) -> Option<Vec<u64>> {
    let mut key = match array.data_type() {
        DataType::Utf8 => Key::Text,
        other => Key::of(other, true),
    };
    let keyed = key.keyed(array).ok()?;
    let hash = |row: usize| {
        let mut hasher = FxHasher::default();
        hasher.write(keyed.at(row).unwrap_or_default());
        hasher.finish()
    };
    Some((0..array.len()).map(hash).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use arrow::array::{Int64Array, ListArray};
    use arrow::datatypes::Int64Type;

    fn codes(array: &ArrayRef, exact: bool) -> Vec<u32> {
        let mut reader = Reader { key: Key::of(array.data_type(), exact), ..Reader::default() };
        reader.push(array).unwrap();
        assert_eq!(reader.texts.len(), reader.counts.len());
        reader.codes.iter().collect()
    }

    #[test]
    fn nothing_is_not_the_empty_text_where_the_file_knows_both() {
        let array: ArrayRef = Arc::new(StringArray::from(vec![None, Some(""), Some("x"), None]));
        assert_eq!(codes(&array, true), [0, 1, 2, 0]);
        assert_eq!(codes(&array, false), [0, 0, 1, 0]);
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![Some(7), None, Some(7), None]));
        assert_eq!(codes(&numbers, true), [0, 1, 0, 1]);
    }

    #[test]
    fn lists_are_the_same_if_their_elements_are() {
        let lists = [Some(vec![Some(1)]), Some(vec![]), None, Some(vec![None]), Some(vec![Some(1)])];
        let array: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(lists));
        assert_eq!(codes(&array, true), [0, 1, 2, 3, 0]);
    }
}
