//! Does time grow with the rows, and no faster?
//!
//! Makes census-like tables of growing size and anonymizes each with the default algorithm, which cuts them into blocks, and
//! with Mondrian, each in a process of its own. Prints growth exponents, peak memory, and the time of the search as a
//! multiple of Mondrian's on the same rows.
//!
//! `cargo run --release -p kohort-bench --bin scale -- [FOLDER] [ROWS…]`

mod census;
mod columns;
mod peak;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use kohort::job::files::FileJob;
use serde_json::{Value, json};

use census::{Clock, job, make_table};
use columns::CENSUS;
use peak::peak_bytes;

const SIZES: [u64; 3] = [100_000, 1_000_000, 10_000_000];

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "child") {
        println!("{}", measure(Path::new(&args[1]), Path::new(&args[2]), &args[3])?);
        return Ok(());
    }
    let own = tempfile::tempdir()?;
    let folder = args.first().map_or_else(|| own.path().to_owned(), PathBuf::from);
    let given: Vec<u64> = args.iter().skip(1).map(|a| a.parse()).collect::<Result<_, _>>()?;
    let sizes = if given.is_empty() { SIZES.to_vec() } else { given };
    let mut found: Vec<Value> = Vec::new();
    for rows in sizes {
        let table = folder.join(format!("census{rows}.csv"));
        if !table.exists() {
            make_table(&table, &folder.join("trees"), rows)?;
        }
        let mut of_size = json!({ "rows": rows, "csv_bytes": std::fs::metadata(&table)?.len() });
        for algorithm in ["auto", "mondrian"] {
            of_size[algorithm] = in_a_process(&table, &folder, algorithm)?;
        }
        of_size["solve_over_mondrian"] = (seconds(&of_size, "auto") / seconds(&of_size, "mondrian")).into();
        if let Some(before) = found.last() {
            let times = rows as f64 / before["rows"].as_f64().unwrap_or(1.0);
            for (key, what) in [("growth_of_search", "solve_seconds"), ("growth_of_all", "all_seconds")] {
                let now = of_size["auto"][what].as_f64().unwrap_or(0.0);
                let then = before["auto"][what].as_f64().unwrap_or(0.0);
                of_size[key] = ((now / then).ln() / times.ln()).into();
            }
        }
        eprintln!("{of_size:#}");
        found.push(of_size);
    }
    let threads = std::thread::available_parallelism()?.get();
    let date = chrono::Utc::now().format("%Y-%m-%d").to_string();
    let result = json!({
        "benchmark": "scale", "date": date, "threads": threads, "quasi_identifiers": CENSUS, "k": 10, "sizes": found,
    });
    println!("{result:#}");
    Ok(())
}

fn seconds(of_size: &Value, algorithm: &str) -> f64 {
    of_size[algorithm]["solve_seconds"].as_f64().unwrap_or(f64::NAN)
}

fn in_a_process(table: &Path, folder: &Path, algorithm: &str) -> Result<Value> {
    let own = std::env::current_exe()?;
    let run = Command::new(own).arg("child").args([table, folder]).arg(algorithm).output()?;
    ensure!(run.status.success(), "{algorithm}: {}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).context("the child says nothing")
}

fn measure(table: &Path, folder: &Path, algorithm: &str) -> Result<Value> {
    let clock = Clock::default();
    let start = Instant::now();
    let summary = FileJob::new(job(table, folder, algorithm))?.run(&clock)?.summary;
    let all = start.elapsed().as_secs_f64();
    let stages = clock.stop();
    Ok(json!({
        "algorithm": summary.algorithm, "blocks": summary.blocks, "classes": summary.classes,
        "il": summary.loss.map(|l| l.il), "all_seconds": all, "solve_seconds": stages.get("solve"),
        "stages_seconds": stages, "peak_rss_bytes": peak_bytes(),
    }))
}
