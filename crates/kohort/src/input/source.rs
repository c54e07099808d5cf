//! A table that can be read, wherever it lies: as Arrow batches of chosen columns, as often as needed.

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, FieldRef, SchemaRef};
use rustc_hash::FxHashMap;

use super::plain::plain_type;
use crate::error::{Error, Place, Result, Said, nearest};

/// Batches of the chosen columns, in row order.
pub type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch>> + Send + 'a>;

/// Rows per batch: about a megabyte of text for usual tables, and not much more for very wide ones.
pub fn batch_rows(columns: usize) -> usize {
    const CELLS: usize = 1 << 18;
    (CELLS / columns.max(1)).clamp(64, 8192)
}

/// A table. Every reading gives the same rows in the same order: what can be read only once, such as the rows of a query, is
/// first kept as a [`MemoryTable`](super::MemoryTable) or a file.
pub trait TableSource: Send + Sync {
    /// What to call it in messages.
    fn name(&self) -> &str;

    /// Column names and types. Only plain types: no dictionaries, no views.
    fn schema(&self) -> &SchemaRef;

    /// Reads the chosen columns, in the given order, from the start.
    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>>;

    /// SHA-256 of its content, in hexadecimal digits.
    fn digest(&self) -> Result<String>;

    /// Whether it has bytes of its own, as files have. What lies in memory has other bytes after every copy.
    fn has_bytes(&self) -> bool {
        true
    }

    /// Whether there is nothing but text to it, so that nothing and the empty text are the same.
    fn is_text_only(&self) -> bool {
        false
    }

    /// Whether which columns there are, and their types, was found from all rows: records, sheets and queries declare neither.
    fn is_typed_by_values(&self) -> bool {
        false
    }

    /// About how many bytes a copy of all values takes; 0 where they lie in memory anyway.
    fn bytes(&self) -> u64 {
        0
    }

    /// How many lines without any value were left out, once all rows have been read: they are nobody's.
    fn blank_lines(&self) -> u64 {
        0
    }

    /// Whether what should be names looks like somebody's record. Such a line must not be shown in messages.
    fn starts_with_data(&self) -> bool {
        false
    }

    /// Why a column of this name may not be found, where the table knows better than that its name is wrong.
    fn way_to_column(&self, _name: &str) -> Option<Said> {
        None
    }

    /// Column names.
    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.schema().fields().iter().map(|f| f.name().as_str()))
    }

    /// The number of the named column; the error suggests the nearest name.
    fn column(&self, name: &str) -> Result<usize> {
        self.names().position(|n| n == name).ok_or_else(|| {
            let what = format!("there is no column '{name}'");
            if let Some(way) = self.way_to_column(name) {
                return Error::input(what).in_file(self.name()).help(way);
            }
            if self.starts_with_data() {
                return no_header(self.name(), &what);
            }
            let hint = nearest(name, self.names()).map_or_else(
                || format!("the columns are: {}", self.names().collect::<Vec<_>>().join(", ")),
                |n| format!("did you mean '{n}'?"),
            );
            Error::input(what).in_file(self.name()).help(hint)
        })
    }

    /// Whether the texts of a column are all there is to it.
    fn is_text(&self, column: usize) -> bool {
        self.is_text_only() && self.schema().field(column).data_type() == &DataType::Utf8
    }
}

fn no_header(table: &str, what: &str) -> Error {
    Error::input(format!("{what}, and the first line does not look like a header: it has numbers or dates"))
        .in_file(table)
        .line(1)
        .help("put a line with the names of the columns before the first row")
}

/// Refuses what no table may be, whoever made it: columns without a name, two of one name, and values that are kept
/// beside the rows.
pub fn check_source(source: &dyn TableSource) -> Result<()> {
    check_names(source)?;
    let stored = |f: &&FieldRef| plain_type(f.data_type()) != *f.data_type();
    match source.schema().fields().iter().find(stored) {
        None => Ok(()),
        Some(field) => Err(Error::input(format!(
            "column '{}' has the type {}, expected plain values",
            field.name(),
            field.data_type()
        ))
        .in_file(source.name())
        .help("read it as a MemoryTable, which makes plain values of dictionaries and views")),
    }
}

/// Refuses columns without a name, and two of one name.
pub(super) fn check_names(source: &dyn TableSource) -> Result<()> {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for (i, name) in source.names().enumerate() {
        let place = || Place::default().in_file(source.name()).and("header");
        if name.is_empty() {
            // What programs write that number the rows of their tables.
            let way_out = if i == 0 {
                "if it numbers the rows, write the table without (pandas: index=False, R: row.names = FALSE); otherwise give it a name"
            } else {
                "give every column a name"
            };
            return Err(Error::input(format!("column {} has no name", i + 1)).at(place()).help(way_out));
        }
        if let Some(first) = places.insert(name, i) {
            let (first, second) = (first + 1, i + 1);
            if source.starts_with_data() {
                let what = format!("columns {first} and {second} have the same name");
                return Err(no_header(source.name(), &what));
            }
            return Err(Error::input(format!("columns {first} and {second} are both named '{name}'"))
                .at(place())
                .help("rename one of them; roles are given by name"));
        }
    }
    Ok(())
}
