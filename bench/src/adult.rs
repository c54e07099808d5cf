//! Where UCI Adult lies, which is not part of the project, and its trees, which are.

use std::path::{Path, PathBuf};

use anyhow::Result;
use kohort::data::Hierarchy;
use kohort::input::{Column, FileTable, TableSource, encode, read_hierarchy};

pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

pub(crate) fn usual_place() -> PathBuf {
    let shared = std::env::var_os("KOHORT_SHARED");
    shared.map_or_else(|| workspace().join("../shared"), PathBuf::from).join("data/adult/adult.csv")
}

pub(crate) fn trees() -> PathBuf {
    workspace().join("data/adult")
}

pub(crate) fn tree(column: &str) -> Result<Hierarchy> {
    Ok(read_hierarchy(&trees().join(format!("{column}.csv")), column)?)
}

pub(crate) fn read_columns(table: &Path, names: &[&str]) -> Result<Vec<Column>> {
    let source = FileTable::open(table)?;
    let wanted: Vec<usize> = names.iter().map(|name| source.column(name)).collect::<Result<_, _>>()?;
    Ok(encode(&source, &wanted)?)
}
