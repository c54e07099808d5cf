//! Shows measurements as they come in, and keeps them.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};

use crate::adult::workspace;
use crate::results::{dated, keep, today};

/// The file is written after every measurement: the last loops take longest, and somebody may stop them.
pub(crate) struct Report {
    place: PathBuf,
    /// What the file is called but for its date.
    name: String,
    date: String,
    found: Vec<Value>,
}

impl Report {
    pub(crate) fn new(place: Option<PathBuf>) -> Result<Self> {
        let date = today()?.to_string();
        let place = place.map_or_else(|| dated(workspace(), "speed"), Ok)?;
        let stem = place.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let name = stem.strip_prefix(&format!("{date}-")).unwrap_or("speed").to_owned();
        println!(
            "| algorithm | table | rows | attributes | k | plain s | shipped s | plain ÷ shipped | 1 ÷ 2 threads | growth of plain, shipped | peak MB |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|");
        Ok(Self { place, name, date, found: Vec::new() })
    }

    pub(crate) fn add(&mut self, found: &Value) -> Result<()> {
        println!("{}", line(found));
        self.found.push(found.clone());
        let all = json!({ "benchmark": self.name, "date": self.date, "machine": machine(), "measurements": self.found });
        keep(&self.place, &all)
    }

    pub(crate) fn finish(&self) {
        println!("\nkept in {}", self.place.display());
    }
}

/// A line of a table.
fn line(found: &Value) -> String {
    let text = |name: &str| found[name].as_str().unwrap_or_default();
    let number = |name: &str, digits: usize| match found[name].as_f64() {
        Some(number) => format!("{number:.digits$}"),
        None => "–".to_owned(),
    };
    let plain = found["plain_skipped"].as_str().map_or_else(|| number("plain_seconds", 3), str::to_owned);
    let peak = found["shipped_peak_bytes"].as_f64().unwrap_or(0.0) / 1e6;
    let cells = [
        format!("{} {}", text("algorithm"), text("variant")).trim_end().to_owned(),
        text("table").to_owned(),
        found["rows"].to_string(),
        found["attributes"].to_string(),
        found["k"].to_string(),
        plain,
        number("shipped_seconds", 4),
        number("plain_over_shipped", 1),
        number("one_over_two_threads", 2),
        format!("{}, {}", number("plain_growth", 2), number("shipped_growth", 2)),
        format!("{peak:.0}"),
    ];
    format!("| {} |", cells.join(" | "))
}

/// What the seconds belong to.
fn machine() -> Value {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        about.lines().find_map(|line| Some(line.strip_prefix("model name")?.split_once(':')?.1.trim()));
    json!({ "cores": cores, "cpu": model })
}
