//! Two results side by side: what got worse?
//!
//! Ratios are compared, because seconds of two runs are not comparable. Where there is no ratio the seconds have to do, and the
//! table says so.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use comfy_table::Table;
use serde_json::Value;

/// Beyond this a change is not noise.
const TOLERANCE: f64 = 1.2;

/// Less memory than this is noise, too: about what the same process takes more from one run to the next.
const FEW_BYTES: f64 = 4e6;

/// What is measured: algorithm, variant, table, rows, attributes, k.
type Key = (String, String, String, u64, u64, u64);

/// Prints the comparison; fails where something got worse.
pub(crate) fn run(old: &Path, new: &Path) -> Result<ExitCode> {
    let (old, new) = (read(old)?, read(new)?);
    let mut table = Table::new();
    table.set_header(["measured", "plain ÷ shipped", "shipped s", "peak MB", "worse"]);
    let mut worse = 0;
    for (key, now) in &new {
        let Some(before) = old.get(key) else { continue };
        let complaint = complaint(before, now);
        worse += usize::from(!complaint.is_empty());
        let pair = |name: &str, digits: usize, unit: f64| {
            let shown =
                |v: &Value| v[name].as_f64().map_or("–".into(), |x| format!("{:.digits$}", x / unit));
            format!("{} → {}", shown(before), shown(now))
        };
        table.add_row([
            shown(key),
            pair("plain_over_shipped", 1, 1.0),
            pair("shipped_seconds", 4, 1.0),
            pair("shipped_peak_bytes", 1, 1e6),
            complaint,
        ]);
    }
    println!("{table}");
    for key in old.keys().filter(|key| !new.contains_key(key)) {
        println!("not measured any more: {}", shown(key));
    }
    println!("{worse} of {} got worse by more than 20 %", table.row_count());
    Ok(if worse > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn read(file: &Path) -> Result<BTreeMap<Key, Value>> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let all: Value = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
    let found = all["measurements"].as_array().context("there are no measurements")?;
    Ok(found.iter().map(|one| (key(one), one.clone())).collect())
}

fn key(found: &Value) -> Key {
    let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
    let number = |name: &str| found[name].as_u64().unwrap_or(0);
    (text("algorithm"), text("variant"), text("table"), number("rows"), number("attributes"), number("k"))
}

fn shown((algorithm, variant, table, rows, attributes, k): &Key) -> String {
    let name = format!("{algorithm} {variant}");
    format!("{}, {table} {rows} × {attributes}, k = {k}", name.trim_end())
}

/// What got worse, in words; nothing where nothing did.
fn complaint(before: &Value, now: &Value) -> String {
    let factor = |name: &str| Some(now[name].as_f64()? / before[name].as_f64()?);
    let grown = |name: &str| factor(name).is_some_and(|f| f > TOLERANCE);
    let slower = match factor("plain_over_shipped") {
        Some(factor) => (factor < 1.0 / TOLERANCE).then_some("slower"),
        None => grown("shipped_seconds").then_some("slower (by seconds)"),
    };
    let bytes = |v: &Value| v["shipped_peak_bytes"].as_f64().unwrap_or(0.0);
    let larger =
        (grown("shipped_peak_bytes") && bytes(now) - bytes(before) > FEW_BYTES).then_some("more memory");
    slower.into_iter().chain(larger).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ratios_count_before_seconds() {
        let found = |ratio: Option<f64>, seconds: f64, bytes: u64| json!({ "plain_over_shipped": ratio, "shipped_seconds": seconds, "shipped_peak_bytes": bytes });
        let cases = [
            (found(Some(100.0), 1.0, 10_000_000), found(Some(90.0), 5.0, 13_000_000), ""),
            (found(Some(100.0), 1.0, 10), found(Some(80.0), 1.0, 10), "slower"),
            (found(None, 1.0, 10), found(Some(80.0), 1.3, 10), "slower (by seconds)"),
            (found(None, 1.0, 100_000_000), found(None, 1.1, 130_000_000), "more memory"),
        ];
        for (before, now, expected) in cases {
            assert_eq!(complaint(&before, &now), expected);
        }
    }
}
