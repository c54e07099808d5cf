//! The tables of the experiment on disk, with their trees.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kohort::data::recipes::{RangeOf, ranges};
use kohort::data::{Hierarchy, ROOT_LABEL};
use kohort::input::JobSpec;
use kohort::output::{HierarchyFormat, save_hierarchy};
use tempfile::TempDir;

const SEED: u64 = 1;
const ADULT_ROWS: usize = 5000;
const ADULT: [&str; 9] = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
];
/// The one attribute that has no tree in `data/adult`.
const RELATIONSHIPS: [[&str; 3]; 6] = [
    ["Husband", "Spouse", ROOT_LABEL],
    ["Wife", "Spouse", ROOT_LABEL],
    ["Own-child", "Relative", ROOT_LABEL],
    ["Other-relative", "Relative", ROOT_LABEL],
    ["Not-in-family", "Without spouse", ROOT_LABEL],
    ["Unmarried", "Without spouse", ROOT_LABEL],
];
/// All columns but the class.
const CMC: [&str; 9] = [
    "WifeAge",
    "WifeEducation",
    "HusbandEducation",
    "NumberChildren",
    "WifeReligion",
    "WifeWorking",
    "HusbandOccupation",
    "SOLindex",
    "MediaExposure",
];

/// A table and the trees of its quasi-identifiers.
pub(super) struct Set {
    pub(super) name: String,
    pub(super) qi: Vec<String>,
    pub(super) trees: Vec<Hierarchy>,
    pub(super) table: PathBuf,
    folder: TempDir,
}

impl Set {
    /// The artificial data of the paper.
    pub(super) fn art(rows: u64) -> Result<Self> {
        let art = kohort::generate::find("art")?;
        let set = Self::new(format!("ART {rows}"), None, art.hierarchies()?)?;
        let mut writer = arrow::csv::Writer::new(File::create(&set.table)?);
        for batch in art.rows(rows, SEED) {
            writer.write(&batch?)?;
        }
        Ok(set)
    }

    /// A sample of Adult.
    pub(super) fn adult(table: &Path) -> Result<Self> {
        let tree = |&name: &&str| match name {
            "relationship" => Ok(Hierarchy::from_paths(name, RELATIONSHIPS)?),
            _ => crate::tree(name),
        };
        let trees = ADULT.iter().map(tree).collect::<Result<_>>()?;
        let set = Self::new(format!("ADT {ADULT_ROWS}"), None, trees)?;
        let columns = crate::read_columns(table, &ADULT)?;
        let rows = crate::draw(columns[0].codes.len(), ADULT_ROWS, SEED)?;
        crate::write_rows(&columns, rows, &set.table)?;
        Ok(set)
    }

    /// The whole table of Contraceptive Method Choice. Four grades become two halves, ages ranges of 5, 10 and 20 years,
    /// numbers of children ranges of 2, 4 and 8.
    pub(super) fn cmc(table: &Path) -> Result<Self> {
        let columns = crate::read_columns(table, &CMC)?;
        let tree = |column: &kohort::input::Column| {
            let (name, values) = (column.name.as_str(), &column.texts);
            Ok(match (name, values.len()) {
                ("WifeAge", _) => ranges(name, values, &[5.0, 10.0, 20.0], 15.0, RangeOf::Whole)?,
                ("NumberChildren", _) => ranges(name, values, &[2.0, 4.0, 8.0], 0.0, RangeOf::Whole)?,
                (_, 4) => ranges(name, values, &[2.0], 1.0, RangeOf::Whole)?,
                _ => Hierarchy::flat(name, values.iter().cloned())?,
            })
        };
        let trees = columns.iter().map(tree).collect::<Result<_>>()?;
        Self::new(format!("CMC {}", columns[0].codes.len()), Some(table.to_owned()), trees)
    }

    /// Saves the trees. Without a table the set has a place for one.
    fn new(name: String, table: Option<PathBuf>, trees: Vec<Hierarchy>) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let place = folder.path().join("trees");
        std::fs::create_dir(&place)?;
        for tree in &trees {
            save_hierarchy(tree, HierarchyFormat::Arx, &place.join(format!("{}.csv", tree.name())))?;
        }
        let qi = trees.iter().map(|tree| tree.name().to_owned()).collect();
        let table = table.unwrap_or_else(|| folder.path().join("table.csv"));
        Ok(Self { name, qi, trees, table, folder })
    }

    /// What all jobs on the table have in common.
    pub(super) fn job(&self) -> JobSpec {
        JobSpec {
            input: Some(self.table.clone()),
            output: Some(self.folder.path().join("release.csv")),
            qi: self.qi.clone(),
            hierarchies: Some(self.folder.path().join("trees")),
            rest: Some(kohort::data::Rest::Keep),
            ..JobSpec::default()
        }
    }

    /// Per quasi-identifier, the leaf of every row.
    pub(super) fn leaves(&self) -> Result<Vec<Vec<u32>>> {
        let names: Vec<&str> = self.qi.iter().map(String::as_str).collect();
        let columns = crate::read_columns(&self.table, &names)?;
        let leaves = |(column, tree)| Ok(crate::leaves(column, tree)?.iter().collect());
        columns.iter().zip(&self.trees).map(leaves).collect::<Result<_>>().context("a value is in no tree")
    }
}
