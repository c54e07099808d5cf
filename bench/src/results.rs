//! Results are kept as dated JSON.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use chrono::NaiveDate;
use serde_json::Value;

pub(crate) fn today() -> Result<NaiveDate> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    Ok(chrono::DateTime::from_timestamp(seconds.cast_signed(), 0).context("no date")?.date_naive())
}

/// Where a result of today is kept.
pub(crate) fn dated(workspace: &Path, name: &str) -> Result<PathBuf> {
    Ok(workspace.join(format!("bench/results/{}-{name}.json", today()?)))
}

pub(crate) fn keep(place: &Path, result: &Value) -> Result<()> {
    std::fs::write(place, format!("{result:#}\n"))
        .with_context(|| format!("{} cannot be written", place.display()))
}
