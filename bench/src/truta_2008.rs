//! Truta et al. 2008, section 5 (Figures 3 to 7): AVG, IL and time of three algorithms for p-sensitive k-anonymity.
//!
//! 10,000 rows of Adult with six quasi-identifiers and three confidential attributes, and the four synthetic tables with
//! 10,000 rows each; k = 20. Local recoding makes the smallest intervals of the numbers; Incognito needs ranges for them,
//! of 5, 10, 20 and 40 years, as it needs a tree for everything.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use kohort::Error;
use kohort::data::Hierarchy;
use kohort::data::recipes::{RangeOf, ranges};
use kohort::input::{ColumnSpec, JobSpec};
use kohort::output::{HierarchyFormat, save_hierarchy};
use serde_json::{Value, json};
use tempfile::TempDir;

const ROWS: usize = 10_000;
const SEED: u64 = 1;
const K: u32 = 20;
const PS: [u32; 5] = [2, 4, 6, 8, 10];
const ALGORITHMS: [&str; 4] = ["greedy-pk", "enhanced-pk", "agglomerative", "incognito"];
const QI: [&str; 6] = ["age", "workclass", "marital-status", "race", "sex", "native-country"];
const CONFIDENTIAL: [&str; 3] = ["education-num", "education", "occupation"];
const SYNTHETIC: [&str; 4] = ["uu", "un", "nu", "nn"];

/// A table on disk with trees for all its quasi-identifiers.
struct Set {
    name: String,
    number: &'static str,
    qi: Vec<String>,
    sensitive: Vec<String>,
    folder: TempDir,
}

pub(crate) fn run(adult: &Path) -> Result<Value> {
    let mut sets = vec![Set::adult(adult)?];
    for name in SYNTHETIC {
        sets.push(Set::synthetic(name)?);
    }
    let found = sets.iter().map(Set::measure).collect::<Result<Vec<_>>>()?;
    Ok(json!({ "benchmark": "truta-2008", "rows": ROWS, "k": K, "p": PS, "sets": found }))
}

impl Set {
    fn adult(table: &Path) -> Result<Self> {
        let names: Vec<&str> = QI.iter().chain(&CONFIDENTIAL).copied().collect();
        let columns = crate::read_columns(table, &names)?;
        let trees: Vec<_> = QI[1..].iter().map(|name| crate::tree(name)).collect::<Result<_>>()?;
        let set = Self::new("Adult", "age", &QI, &CONFIDENTIAL, &trees)?;
        let rows = crate::draw(columns[0].codes.len(), ROWS, SEED)?;
        crate::write_rows(&columns, rows, &set.folder.path().join("table.csv"))?;
        Ok(set)
    }

    fn synthetic(name: &str) -> Result<Self> {
        let made = kohort::generate::find(name)?;
        let (qi, sensitive) = (["QI_N", "QI_C1", "QI_C2", "QI_C3"], ["S_C1", "S_C2"]);
        let title = format!("Dataset_{}", name.to_uppercase());
        let set = Self::new(&title, "QI_N", &qi, &sensitive, &made.hierarchies()?)?;
        let mut writer = arrow::csv::Writer::new(File::create(set.folder.path().join("table.csv"))?);
        for batch in made.rows(ROWS as u64, SEED) {
            writer.write(&batch?)?;
        }
        Ok(set)
    }

    fn new(
        name: &str,
        number: &'static str,
        qi: &[&str],
        sensitive: &[&str],
        trees: &[Hierarchy],
    ) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let years: Vec<String> = (0..100).map(|year| year.to_string()).collect();
        let ranges = ranges(number, &years, &[5.0, 10.0, 20.0, 40.0], 0.0, RangeOf::Whole)?;
        std::fs::create_dir(folder.path().join("trees"))?;
        for tree in trees.iter().chain([&ranges]) {
            let place = folder.path().join(format!("trees/{}.csv", tree.name()));
            save_hierarchy(tree, HierarchyFormat::Arx, &place)?;
        }
        let owned = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
        Ok(Self { name: name.to_owned(), number, qi: owned(qi), sensitive: owned(sensitive), folder })
    }

    fn measure(&self) -> Result<Value> {
        println!("\n{}, {ROWS} rows, k = {K}: AVG / il / seconds\n", self.name);
        println!("| p | {} |\n|---|---|---|---|---|", ALGORITHMS.join(" | "));
        let mut lines = Vec::new();
        for p in PS {
            let mut cells = Vec::new();
            for algorithm in ALGORITHMS {
                let found = self.figures(algorithm, p)?;
                cells.push(
                    found.map_or("impossible".into(), |(avg, il, s)| format!("{avg:.3} / {il:.4} / {s:.2}")),
                );
                let found =
                    found.map(|(avg, il, seconds)| json!({ "avg": avg, "il": il, "seconds": seconds }));
                lines.push(json!({ "p": p, "algorithm": algorithm, "found": found }));
            }
            println!("| {p} | {} |", cells.join(" | "));
        }
        Ok(json!({ "set": self.name, "lines": lines }))
    }

    /// AVG, il and seconds; nothing where no table can have so many values.
    fn figures(&self, algorithm: &str, p: u32) -> Result<Option<(f64, f64, f64)>> {
        let mut columns = std::collections::BTreeMap::new();
        if algorithm != "incognito" {
            let kind = Some(kohort::data::Kind::Integer);
            columns.insert(self.number.to_owned(), ColumnSpec { kind, ..ColumnSpec::default() });
        }
        let job = JobSpec {
            input: Some(self.folder.path().join("table.csv")),
            output: Some(self.folder.path().join("release.csv")),
            hierarchies: Some(self.folder.path().join("trees")),
            qi: self.qi.clone(),
            sensitive: self.sensitive.clone(),
            k: Some(K),
            p: Some(p),
            algorithm: Some(algorithm.into()),
            columns,
            rest: Some(kohort::data::Rest::Keep),
            ..JobSpec::default()
        };
        match crate::measure(job) {
            Ok((summary, seconds)) => {
                let loss = summary.loss.context("no loss was measured")?;
                Ok(Some((loss.avg, loss.il, seconds)))
            }
            Err(e) if matches!(e.downcast_ref(), Some(Error::Unsolvable(_))) => Ok(None),
            Err(e) => Err(e),
        }
    }
}
