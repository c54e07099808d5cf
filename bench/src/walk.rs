//! Does reading and writing keep up with the format libraries?
//!
//! Makes a census-like table of 9 columns, copies it with the bare arrow CSV reader and writer, anonymizes it with Mondrian,
//! and compares the time outside the solver with the copy. Everything in one run, because machines are noisy.
//!
//! `cargo run --release -p kohort-bench --bin walk -- [ROWS] [FOLDER]`

mod peak;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::Result;
use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema};
use kohort::algorithm::Watch;
use kohort::input::{Format, JobFile};
use kohort::job::{Job, Observer, Stage};
use kohort::output::{HierarchyFormat, OutColumn, Staged, TableWriter, save_hierarchy};
use peak::peak_bytes;
use serde_json::json;

const QI: [&str; 8] = [
    "age",
    "sex",
    "ethnic_group",
    "marital_status",
    "education",
    "birth_country",
    "work_class",
    "occupation",
];
const SENSITIVE: &str = "health_condition";

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let rows: u64 = args.next().map_or(Ok(3_000_000), |a| a.parse())?;
    let own = tempfile::tempdir()?;
    let folder = args.next().map_or_else(|| own.path().to_owned(), PathBuf::from);
    let table = folder.join("census9.csv");
    make_table(&table, &folder.join("trees"), rows)?;
    let bytes = std::fs::metadata(&table)?.len();

    let start = Instant::now();
    copy(&table, &folder.join("copy.csv"))?;
    let bare = start.elapsed().as_secs_f64();

    let clock = Clock::default();
    let outcome = Job::new(job(&table, &folder))?.run(&clock)?;
    let stages = clock.stop();
    let peak = peak_bytes();
    let solver = stages.get("solve").copied().unwrap_or(0.0);
    let outside: f64 = stages.values().sum::<f64>() - solver;
    let result = json!({
        "benchmark": "walk", "rows": rows, "columns": 9, "csv_bytes": bytes, "threads": std::thread::available_parallelism()?.get(),
        "bare_read_and_write_seconds": bare, "stages_seconds": stages, "outside_solver_seconds": outside,
        "outside_solver_over_bare": outside / bare,
        "peak_rss_bytes": peak, "peak_rss_over_csv": peak as f64 / bytes as f64,
        "il": outcome.summary.loss.map(|l| l.il), "classes": outcome.summary.classes,
    });
    println!("{result:#}");
    Ok(())
}

fn make_table(table: &Path, trees: &Path, rows: u64) -> Result<()> {
    let census = kohort::generate::find("census")?;
    std::fs::create_dir_all(trees)?;
    for tree in census.hierarchies()? {
        save_hierarchy(&tree, HierarchyFormat::Arx, &trees.join(format!("{}.csv", tree.name())))?;
    }
    let made = census.rows(rows, 1);
    let wanted: Vec<usize> =
        QI.iter().chain([&SENSITIVE]).map(|name| made.schema().index_of(name)).collect::<Result<_, _>>()?;
    let schema = Arc::new(made.schema().project(&wanted)?);
    let staged = Staged::new(table)?;
    let mut writer = TableWriter::new(&staged, table, Format::of(table), schema)?;
    for batch in made {
        let columns: Vec<_> =
            batch?.project(&wanted)?.columns().iter().cloned().map(OutColumn::Array).collect();
        writer.write(&columns)?;
    }
    writer.finish()?;
    Ok(staged.publish()?)
}

/// What anybody would write with the format library alone.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let fields: Vec<_> =
        QI.iter().chain([&SENSITIVE]).map(|n| Field::new(*n, DataType::Utf8, true)).collect();
    let reader = arrow::csv::ReaderBuilder::new(Arc::new(Schema::new(fields)))
        .with_header(true)
        .with_batch_size(8192)
        .build_buffered(BufReader::with_capacity(1 << 18, File::open(from)?))?;
    let mut writer = arrow::csv::Writer::new(BufWriter::with_capacity(1 << 20, File::create(to)?));
    for batch in reader {
        let batch: RecordBatch = batch?;
        writer.write(&batch)?;
    }
    Ok(())
}

fn job(table: &Path, folder: &Path) -> JobFile {
    JobFile {
        input: Some(table.to_owned()),
        output: Some(folder.join("release.csv")),
        qi: QI.iter().map(|&n| n.to_owned()).collect(),
        sensitive: vec![SENSITIVE.to_owned()],
        hierarchies: Some(folder.join("trees")),
        k: Some(10),
        algorithm: Some("mondrian".into()),
        ..JobFile::default()
    }
}

/// The stage that is running, and seconds spent by stage.
#[derive(Default)]
struct Clock(Mutex<(Running, BTreeMap<String, f64>)>);

type Running = Option<(Stage, Instant)>;

impl Clock {
    fn switch(&self, next: Option<Stage>) {
        let mut clock = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((stage, since)) = clock.0.take() {
            *clock.1.entry(format!("{stage:?}").to_lowercase()).or_default() += since.elapsed().as_secs_f64();
        }
        clock.0 = next.map(|stage| (stage, Instant::now()));
    }

    fn stop(&self) -> BTreeMap<String, f64> {
        self.switch(None);
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).1.clone()
    }
}

impl Watch for Clock {}

impl Observer for Clock {
    fn enter(&self, stage: Stage, _of: u64) {
        self.switch(Some(stage));
    }
}
