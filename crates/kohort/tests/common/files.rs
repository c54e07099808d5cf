//! Sheets on disk, and tables read back as plain maps of texts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kohort::data::Kind;
use kohort::input::{ColumnSpec, JobSpec};
use tempfile::TempDir;

use super::draw::{Drawn, Shape, Sheet};

/// One row by column name.
pub(crate) type Row = BTreeMap<String, String>;

/// A folder of its own that disappears with the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with the sheet as `people.csv` and its trees in `trees`.
    pub(crate) fn of(sheet: &Sheet) -> Self {
        let folder = Self::new();
        write(&folder.path("people.csv"), &rows_of(sheet));
        std::fs::create_dir(folder.path("trees")).unwrap();
        for column in &sheet.qi {
            if let Shape::Tree(paths) = &column.shape {
                let lines: Vec<String> = paths.iter().map(|p| p.join(";") + "\n").collect();
                std::fs::write(folder.path(&format!("trees/{}.csv", column.name)), lines.concat()).unwrap();
            }
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file with the given lines; says where it is.
    pub(crate) fn lines(&self, name: &str, lines: &[&str]) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        path
    }

    /// The job of this folder, without demands.
    pub(crate) fn job(&self, sheet: &Sheet) -> JobSpec {
        let entry = |column: &Drawn| {
            let kind = match &column.shape {
                Shape::Tree(_) => None,
                Shape::Flat => Some(Kind::Category),
                Shape::Number(kind) => Some(*kind),
            };
            ColumnSpec { kind, weight: Some(column.weight), snap: column.snap, ..ColumnSpec::default() }
        };
        JobSpec {
            input: Some(self.path("people.csv")),
            output: Some(self.path("release.csv")),
            hierarchies: Some(self.path("trees")),
            qi: sheet.qi.iter().map(|c| c.name.clone()).collect(),
            sensitive: (0..sheet.sensitive.len()).map(|i| format!("s{i}")).collect(),
            keep: vec!["note".into()],
            columns: sheet.qi.iter().map(|c| (c.name.clone(), entry(c))).collect(),
            // What is not optimized for speed takes its time over bounds; those of small tables are looked for.
            bound: (sheet.rows > 30).then(|| "off".into()),
            ..JobSpec::default()
        }
    }
}

/// The sheet's rows; `note` holds the row number and so tells where a released row comes from.
pub(crate) fn rows_of(sheet: &Sheet) -> Vec<Row> {
    let row = |r: usize| {
        let mut row: Row = sheet.qi.iter().map(|c| (c.name.clone(), c.texts[r].clone())).collect();
        row.extend(sheet.sensitive.iter().enumerate().map(|(i, texts)| (format!("s{i}"), texts[r].clone())));
        row.insert("note".to_owned(), r.to_string());
        row
    };
    (0..sheet.rows).map(row).collect()
}

pub(crate) fn write(path: &Path, rows: &[Row]) {
    let mut writer = csv::Writer::from_path(path).unwrap();
    writer.write_record(rows[0].keys()).unwrap();
    for row in rows {
        writer.write_record(row.values()).unwrap();
    }
    writer.flush().unwrap();
}

pub(crate) fn read(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| header.iter().zip(&record).map(own).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn own((name, text): (&str, &str)) -> (String, String) {
    (name.to_owned(), text.to_owned())
}
