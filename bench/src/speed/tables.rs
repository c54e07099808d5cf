//! The tables that are measured on.

use std::fs::File;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Result, ensure};
use kohort::data::{Hierarchy, Kind, Table};
use kohort::input::{Column, QiSpec, SensitiveSpec, quasi_identifier, sensitive};

use crate::adult::{read_columns, tree};
use crate::columns::{CENSUS, CENSUS_SECRET};

/// Age has no tree: it becomes the smallest interval.
const ADULT: [&str; 8] =
    ["age", "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation"];
/// The training part without missing values, which is what papers measure on.
const ADULT_ROWS: usize = 30_162;
const ADULT_SECRET: &str = "relationship";

/// What the census-like table has besides.
const MORE: [&str; 3] = ["postcode", "hours_per_week", "income"];
/// The census-like table has no sixteen columns: these are added once more, of other people (another seed).
const AGAIN: [&str; 5] = ["marital_status", "education", "work_class", "occupation", "hours_per_week"];
const CENSUS_ROWS: usize = 30_000;

/// How many rows: a number, or `all`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size(usize);

impl FromStr for Size {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        if text == "all" { Ok(Self(usize::MAX)) } else { text.parse().map(Self) }
    }
}

impl Size {
    /// How many rows that are of a table.
    pub(crate) fn of(self, table: &str) -> usize {
        let all = if table == "adult" { ADULT_ROWS } else { CENSUS_ROWS };
        if self.0 == usize::MAX { all } else { self.0 }
    }
}

/// The first rows of Adult with its eight usual quasi-identifiers, and a sensitive column for the algorithms that need one.
pub(crate) fn adult(file: &Path, rows: usize) -> Result<Table> {
    let names: Vec<&str> = ADULT.iter().copied().chain([ADULT_SECRET]).collect();
    let mut columns = read_columns(file, &names)?;
    let secret = columns.pop().unwrap_or_default();
    let with_tree = |column: Column| {
        let tree = if column.name == "age" { None } else { Some(tree(&column.name)?) };
        Ok((column, tree))
    };
    let table = encoded(columns.into_iter().map(with_tree).collect::<Result<_>>()?, secret)?;
    ensure!(table.rows >= rows, "{} has {} rows, {rows} were asked for", file.display(), table.rows);
    Ok(table.select(&(0..rows as u32).collect::<Vec<_>>()))
}

/// A census-like table with so many quasi-identifiers.
pub(crate) fn census(rows: usize, attributes: usize) -> Result<Table> {
    let most = CENSUS.len() + MORE.len() + AGAIN.len();
    ensure!(attributes <= most, "there are {most} attributes, {attributes} were asked for");
    let names: Vec<&str> = CENSUS.into_iter().chain(MORE).chain([CENSUS_SECRET]).collect();
    let mut columns = made(rows, 1, &names)?;
    let secret = columns.pop().unwrap_or_default();
    let mut qi: Vec<(Column, Option<Hierarchy>)> = with_trees(columns)?;
    for (mut column, tree) in with_trees(made(rows, 2, &AGAIN)?)? {
        column.name.push_str("_2");
        qi.push((column, tree));
    }
    qi.truncate(attributes);
    encoded(qi, secret)
}

/// Columns of a made-up table, through a file as every other table.
fn made(rows: usize, seed: u64, names: &[&str]) -> Result<Vec<Column>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("census.csv");
    let mut writer = arrow::csv::Writer::new(File::create(&file)?);
    for batch in kohort::generate::find("census")?.rows(rows as u64, seed) {
        writer.write(&batch?)?;
    }
    drop(writer);
    read_columns(&file, names)
}

fn with_trees(columns: Vec<Column>) -> Result<Vec<(Column, Option<Hierarchy>)>> {
    let trees = kohort::generate::find("census")?.hierarchies()?;
    let tree = |column: &Column| trees.iter().find(|tree| tree.name() == column.name).cloned();
    Ok(columns
        .into_iter()
        .map(|column| (tree(&column), column))
        .map(|(tree, column)| (column, tree))
        .collect())
}

fn encoded(columns: Vec<(Column, Option<Hierarchy>)>, secret: Column) -> Result<Table> {
    let rows = secret.codes.len();
    let attribute = |(column, hierarchy): (Column, Option<Hierarchy>)| {
        let kind = hierarchy.is_none().then_some(Kind::Integer);
        quasi_identifier(column, QiSpec { kind, hierarchy, ..QiSpec::default() }, "table")
    };
    let qi = columns.into_iter().map(attribute).collect::<Result<_, _>>()?;
    let spec = SensitiveSpec { is_text: true, ..SensitiveSpec::default() };
    Ok(Table {
        rows,
        qi,
        sensitive: vec![sensitive(secret, spec, "table")?],
        verbatim: Vec::new(),
        lacking: Vec::new(),
        people: None,
    })
}
