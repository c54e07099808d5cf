//! Does reading and writing keep up with the format libraries?
//!
//! Makes a census-like table of 9 columns, copies it with the bare arrow CSV reader and writer, anonymizes it with Mondrian,
//! and compares the time outside the solver with the copy. Everything in one run, because machines are noisy.
//!
//! `cargo run --release -p kohort-bench --bin walk -- [ROWS] [FOLDER]`

mod census;
mod columns;
mod peak;

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema};
use kohort::job::files::FileJob;
use serde_json::json;

use census::{Clock, job, make_table};
use columns::{CENSUS, CENSUS_SECRET};
use peak::peak_bytes;

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
    let outcome = FileJob::new(job(&table, &folder, "mondrian"))?.run(&clock)?;
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

/// What anybody would write with the format library alone.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let fields: Vec<_> =
        CENSUS.iter().chain([&CENSUS_SECRET]).map(|n| Field::new(*n, DataType::Utf8, true)).collect();
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
