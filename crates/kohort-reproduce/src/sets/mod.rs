//! The tables of the experiments, on disk with their trees, as a job finds them.

mod adult;
mod cmc;
mod made;

pub(crate) use adult::{Adult, adult_tree, education_in_three};
pub(crate) use cmc::Cmc;
pub(crate) use made::{census, made, years};

use std::path::{Path, PathBuf};

use kohort::data::{Codes, Hierarchy, Kind, QuasiIdentifier, Rest, Table};
use kohort::input::{
    Column, ColumnSpec, FileTable, JobSpec, QiSpec, SensitiveSpec, TableSource as _, encode,
    quasi_identifier, sensitive,
};
use kohort::output::{HierarchyFormat, save_hierarchy};
use kohort::{Error, Result};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

/// A table and the trees of its quasi-identifiers.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) rows: usize,
    pub(crate) qi: Vec<String>,
    sensitive: Vec<String>,
    pub(crate) trees: Vec<Hierarchy>,
    folder: TempDir,
}

/// What becomes of the columns of a table.
#[derive(Default)]
pub(crate) struct Design<'a> {
    pub(crate) qi: &'a [&'a str],
    pub(crate) sensitive: &'a [&'a str],
    /// The trees that are at hand; quasi-identifiers without one get none.
    pub(crate) trees: Vec<Hierarchy>,
}

impl Set {
    /// Some rows of some columns.
    pub(crate) fn of(name: &str, columns: &[Column], rows: &[usize], design: Design<'_>) -> Result<Self> {
        let set = Self::empty(name, rows.len(), design)?;
        write_rows(columns, rows, &set.table_file())?;
        Ok(set)
    }

    /// A set without a table, with a place for one.
    fn empty(name: &str, rows: usize, design: Design<'_>) -> Result<Self> {
        let folder = scratch()?;
        let trees = folder.path().join("trees");
        std::fs::create_dir(&trees).map_err(|e| on_disk(&e, &trees))?;
        for tree in &design.trees {
            let place = trees.join(format!("{}.csv", tree.name()));
            save_hierarchy(tree, HierarchyFormat::Arx, &place)?;
        }
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let (qi, sensitive) = (owned(design.qi), owned(design.sensitive));
        Ok(Self { name: name.to_owned(), rows, qi, sensitive, trees: design.trees, folder })
    }

    /// Where the table lies.
    pub(crate) fn table_file(&self) -> PathBuf {
        self.folder.path().join("table.csv")
    }

    /// A job on the whole table as one, without a bound: what a paper's algorithm is given.
    pub(crate) fn job(&self) -> JobSpec {
        JobSpec { block_rows: Some(0), bound: Some("off".into()), ..self.job_of_auto() }
    }

    /// A job as a user asks for it.
    pub(crate) fn job_of_auto(&self) -> JobSpec {
        JobSpec {
            input: Some(self.table_file()),
            qi: self.qi.clone(),
            sensitive: self.sensitive.clone(),
            hierarchies: Some(self.folder.path().join("trees")),
            rest: Some(Rest::Keep),
            ..JobSpec::default()
        }
    }

    /// The table in memory, numbers as intervals where `as_intervals` names them.
    pub(crate) fn table(&self, as_intervals: &[&str]) -> Result<Table> {
        let names: Vec<&str> = self.qi.iter().map(String::as_str).collect();
        let attribute = |column: Column| -> Result<QuasiIdentifier> {
            let tree = self.trees.iter().find(|tree| tree.name() == column.name);
            let is_number = as_intervals.contains(&column.name.as_str());
            let hierarchy = tree.filter(|_| !is_number).cloned();
            let kind = is_number.then_some(Kind::Integer);
            quasi_identifier(column, QiSpec { kind, hierarchy, ..QiSpec::default() }, "table")
        };
        let columns = read_columns(&self.table_file(), &names)?;
        let secret =
            |column| sensitive(column, SensitiveSpec { is_text: true, ..SensitiveSpec::default() }, "table");
        let names: Vec<&str> = self.sensitive.iter().map(String::as_str).collect();
        let secrets = read_columns(&self.table_file(), &names)?;
        Ok(Table {
            rows: self.rows,
            qi: columns.into_iter().map(attribute).collect::<Result<_>>()?,
            sensitive: secrets.into_iter().map(secret).collect::<Result<_>>()?,
            verbatim: Vec::new(),
            lacking: Vec::new(),
            people: None,
        })
    }

    /// Per quasi-identifier, the leaf of every row in its tree.
    pub(crate) fn leaves(&self) -> Result<Vec<Codes>> {
        let names: Vec<&str> = self.trees.iter().map(Hierarchy::name).collect();
        let columns = read_columns(&self.table_file(), &names)?;
        columns.iter().zip(&self.trees).map(|(column, tree)| leaves(column, tree)).collect()
    }
}

/// Makes a job publish a number as the smallest interval, although there is a tree.
pub(crate) fn as_interval(mut job: JobSpec, column: &str) -> JobSpec {
    let kind = Some(Kind::Integer);
    job.columns.insert(column.to_owned(), ColumnSpec { kind, ..ColumnSpec::default() });
    job
}

/// The column's values as leaves of its tree, one per row.
pub(crate) fn leaves(column: &Column, tree: &Hierarchy) -> Result<Codes> {
    let leaf = |text: &String| {
        tree.leaf(text).ok_or_else(|| {
            Error::input(format!("'{text}' is not in the tree of this column"))
                .in_column(&column.name)
                .help("use the table as it is distributed, with the values of the UCI repository")
        })
    };
    let of_text: Vec<u32> = column.texts.iter().map(leaf).collect::<Result<_>>()?;
    Ok((0..column.codes.len()).map(|row| of_text[column.codes.get(row) as usize]).collect())
}

/// A file that is there.
fn known<'f>(file: &'f Path, source: &str) -> Result<&'f Path> {
    if file.is_file() {
        return Ok(file);
    }
    Err(Error::input("there is no such table")
        .in_file(file.display().to_string())
        .help(format!("get it from {source}, or leave it out: what needs it is not run then")))
}

/// Some columns of a table in a file.
pub(crate) fn read_columns(table: &Path, names: &[&str]) -> Result<Vec<Column>> {
    let source = FileTable::open(table)?;
    let wanted: Vec<usize> = names.iter().map(|name| source.column(name)).collect::<Result<_>>()?;
    encode(&source, &wanted)
}

/// Draws rows without replacement and keeps their order: each is taken with the chance that is left for it.
pub(crate) fn draw(all: usize, wanted: usize, seed: u64) -> Result<Vec<usize>> {
    if all < wanted {
        return Err(Error::input(format!("the table has {all} rows, expected at least {wanted}"))
            .help("use the whole table as it is distributed"));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut missing = wanted;
    let mut taken = |row: &usize| {
        let take = rng.random_range(0..all - row) < missing;
        missing -= usize::from(take);
        take
    };
    Ok((0..all).filter(|row| taken(row)).collect())
}

fn write_rows(columns: &[Column], rows: &[usize], place: &Path) -> Result<()> {
    let failed =
        |e: csv::Error| Error::input(format!("cannot write: {e}")).in_file(place.display().to_string());
    let mut writer = csv::Writer::from_path(place).map_err(failed)?;
    writer.write_record(columns.iter().map(|c| &c.name)).map_err(failed)?;
    for &row in rows {
        writer.write_record(columns.iter().map(|c| &c.texts[c.codes.get(row) as usize])).map_err(failed)?;
    }
    writer.flush().map_err(|e| on_disk(&e, place))
}

/// A folder that disappears with the set.
pub(crate) fn scratch() -> Result<TempDir> {
    tempfile::tempdir().map_err(|e| on_disk(&e, &std::env::temp_dir()))
}

fn on_disk(error: &std::io::Error, place: &Path) -> Error {
    Error::input(format!("cannot write: {error}"))
        .in_file(place.display().to_string())
        .help("free some space, or set TMPDIR to a folder that can be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_keep_the_order_and_depend_on_the_seed_alone() {
        let drawn = draw(100, 30, 1).unwrap_or_default();
        assert_eq!(drawn.len(), 30);
        assert!(drawn.is_sorted() && drawn.iter().all(|&row| row < 100));
        assert_eq!(draw(100, 30, 1).unwrap_or_default(), drawn);
        assert_ne!(draw(100, 30, 2).unwrap_or_default(), drawn);
        assert!(draw(10, 30, 1).is_err());
    }
}
