//! Batches and releases with types: a table of numbers grows as one of texts does.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::DataType;
use kohort::Quiet;
use kohort::data::Intervals;
use kohort::input::{FileTable, JobSpec, TableSource};
use kohort::job::files::{AppendPlaces, FileAppendJob};
use parquet::arrow::ArrowWriter;

use super::attack::{subtracted, traced};
use super::series::{Dice, Row, people, rows_of, spec};

/// Writes rows with ages and postcodes as whole numbers.
fn write(path: &Path, rows: &[Row]) {
    let texts = |name: &str| -> ArrayRef {
        Arc::new(rows.iter().map(|row| Some(row[name].as_str())).collect::<StringArray>())
    };
    let numbers = |name: &str| -> ArrayRef {
        Arc::new(rows.iter().map(|row| row[name].parse::<i64>().ok()).collect::<Int64Array>())
    };
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("who", texts("who"), true),
        ("age", numbers("age"), true),
        ("zip", numbers("zip"), true),
        ("sex", texts("sex"), true),
        ("illness", texts("illness"), true),
        ("consent", texts("consent"), true),
        ("note", texts("note"), true),
    ])
    .unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Appends a batch; gives the release back.
    fn append(&self, asked: &JobSpec, number: usize, batch: &[Row]) -> FileTable {
        let (input, output) = (format!("batch-{number}.parquet"), format!("release-{number}.parquet"));
        write(&self.at(&input), batch);
        let asked = JobSpec { input: Some(self.at(&input)), output: Some(self.at(&output)), ..asked.clone() };
        let places = AppendPlaces { ledger: self.at("table.ledger"), ..AppendPlaces::default() };
        FileAppendJob::new(asked, places).unwrap().run(&Quiet).unwrap();
        FileTable::open_release(&self.at(&output)).unwrap()
    }
}

fn types(release: &FileTable) -> BTreeMap<String, DataType> {
    release.schema().fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
}

fn grown(intervals: Intervals, qi: &[&str]) -> Vec<FileTable> {
    let folder = Folder(tempfile::tempdir().unwrap());
    let mut dice = Dice::new(51);
    let asked = JobSpec { intervals: Some(intervals), ..spec() };
    let mut releases = vec![folder.append(&asked, 0, &people(&mut dice, 0, 40))];
    let mut given = 40;
    for (number, size) in [3, 8, 1, 12, 10].into_iter().enumerate() {
        let batch = people(&mut dice, given, size);
        given += size;
        releases.push(folder.append(&JobSpec::default(), number + 1, &batch));
    }
    let hidden: Vec<Vec<Row>> = releases
        .iter()
        .map(|release| rows_of(release).into_iter().filter(|row| row["consent"] != "public").collect())
        .collect();
    assert!(traced(&hidden, qi).iter().all(|group| group.len() >= 3));
    for (at, before) in hidden.iter().enumerate() {
        for after in &hidden[at + 1..] {
            assert!(subtracted(before, after, qi).iter().all(|some| some.len() >= 3));
        }
    }
    assert!(hidden[5].len() > hidden[0].len() + 10, "nobody was appended");
    let first = types(&releases[0]);
    assert!(releases.iter().all(|release| types(release) == first));
    releases
}

#[test]
fn releases_keep_their_types() {
    let texts = grown(Intervals::Text, &["age", "zip", "sex"]);
    assert_eq!(types(&texts[5])["age"], DataType::Utf8);
    let bounds = grown(Intervals::Bounds, &["age_min", "age_max", "zip_min", "zip_max", "sex"]);
    assert_eq!(types(&bounds[5])["age_min"], DataType::Int64);
}
