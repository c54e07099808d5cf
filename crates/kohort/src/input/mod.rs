//! From files to what the library works with.

use std::path::Path;

use crate::error::{Error, Result};

pub mod hierarchy_file;

pub use hierarchy_file::{Bound, Examined, bind, check_hierarchy, examine_hierarchy, read_hierarchy};

/// TEMPORARY: the distinct values of a column with their row counts, in order of first mention; missing is "".
///
/// The table reader replaces this simple version.
pub fn column_counts(path: &Path, column: &str) -> Result<Vec<(String, u64)>> {
    let place = path.display().to_string();
    let broken = |e: csv::Error| Error::input(format!("cannot read the table: {e}")).at(place.clone());
    let mut reader = csv::Reader::from_path(path).map_err(broken)?;
    let headers = reader.headers().map_err(broken)?.clone();
    let at = headers.iter().position(|h| h == column).ok_or_else(|| {
        let e = Error::input(format!("no column '{column}'")).at(place.clone());
        match crate::error::nearest(column, headers.iter()) {
            Some(near) => e.help(format!("did you mean '{near}'?")),
            None => e.help("name a column of the first line"),
        }
    })?;
    let mut index = rustc_hash::FxHashMap::default();
    let mut counts: Vec<(String, u64)> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let value = record.get(at).unwrap_or("");
        let i = *index.entry(value.to_owned()).or_insert_with(|| {
            counts.push((value.to_owned(), 0));
            counts.len() - 1
        });
        counts[i].1 += 1;
    }
    Ok(counts)
}
