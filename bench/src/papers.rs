//! The experiments of the papers on UCI Adult and, for two of them, other tables, beside the figures the papers
//! print; for section 5 of Kabir et al. 2011, which prints none, what it claims.
//!
//! Adult is not part of the project; where it is absent, this says so and stops.
//!
//! `cargo run --release -p kohort-bench --bin papers -- gionis-2008|truta-2008|li-2006|miller-2008|insertion [ADULT.csv]`

mod adult;
mod full_domain;
mod gionis_2008;
mod insertion;
mod li_2006;
mod miller_2008;
mod results;
mod truta_2008;

use std::path::{Path, PathBuf};
use std::time::Instant;

use adult::{read_columns, tree, trees, usual_place, workspace};
use anyhow::{Context, Result, bail, ensure};
use kohort::algorithm::Quiet;
use kohort::data::{Codes, Hierarchy};
use kohort::input::{Column, JobSpec};
use kohort::job::files::FileJob;
use kohort::report::Summary;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let experiment = match args.next().as_deref() {
        Some("gionis-2008") => ("gionis-2008", gionis_2008::run as fn(&Path) -> Result<Value>),
        Some("truta-2008") => ("truta-2008", truta_2008::run as fn(&Path) -> Result<Value>),
        Some("li-2006") => ("li-2006", li_2006::run as fn(&Path) -> Result<Value>),
        Some("miller-2008") => ("miller-2008", miller_2008::run as fn(&Path) -> Result<Value>),
        Some("insertion") => ("insertion", insertion::run as fn(&Path) -> Result<Value>),
        _ => {
            bail!(
                "say which paper: gionis-2008, truta-2008, li-2006, miller-2008 or insertion (Kabir et al. 2011), and where the Adult table is if not beside the project"
            )
        }
    };
    let table = args.next().map_or_else(usual_place, PathBuf::from);
    if !table.is_file() {
        println!("nothing measured: there is no Adult table at {}", table.display());
        println!(
            "name it as second argument, or set KOHORT_SHARED to the folder that holds data/adult/adult.csv"
        );
        return Ok(());
    }
    let (paper, run) = experiment;
    save(paper, &run(&table)?)
}

/// The column's values as leaves of its tree, one per row.
fn leaves(column: &Column, tree: &Hierarchy) -> Result<Codes> {
    let leaf = |text: &String| tree.leaf(text).with_context(|| format!("'{text}' is not in {}", tree.name()));
    let of_text: Vec<u32> = column.texts.iter().map(leaf).collect::<Result<_>>()?;
    Ok((0..column.codes.len()).map(|row| of_text[column.codes.get(row) as usize]).collect())
}

/// Draws rows without replacement and keeps their order: each is taken with the chance that is left for it.
fn draw(all: usize, wanted: usize, seed: u64) -> Result<Vec<usize>> {
    ensure!(all >= wanted, "the table has {all} rows, expected at least {wanted}");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut missing = wanted;
    let mut taken = |row: &usize| {
        let take = rng.random_range(0..all - row) < missing;
        missing -= usize::from(take);
        take
    };
    Ok((0..all).filter(|row| taken(row)).collect())
}

/// Writes some rows of the columns as a table.
fn write_rows(columns: &[Column], rows: impl IntoIterator<Item = usize>, place: &Path) -> Result<()> {
    let mut writer = csv::Writer::from_path(place)?;
    writer.write_record(columns.iter().map(|c| &c.name))?;
    for row in rows {
        writer.write_record(columns.iter().map(|c| &c.texts[c.codes.get(row) as usize]))?;
    }
    Ok(writer.flush()?)
}

/// Runs a job to its verified end; what it achieved, and the seconds of all of it.
fn measure(job: JobSpec) -> Result<(Summary, f64)> {
    let start = Instant::now();
    let outcome = FileJob::new(job)?.run(&Quiet)?;
    Ok((outcome.summary, start.elapsed().as_secs_f64()))
}

fn save(paper: &str, result: &Value) -> Result<()> {
    let place = results::dated(workspace(), paper)?;
    results::keep(&place, result)?;
    println!("\nkept in {}", place.display());
    Ok(())
}
