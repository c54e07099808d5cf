//! Watches a reader: panics, memory, time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::Target;

/// More memory than this is a finding, whatever the file says; inputs are a few kilobytes.
pub const MOST_BYTES: u64 = 512 << 20;

/// More seconds of work than this are a finding.
pub const MOST_SECONDS: f64 = 5.0;

/// How a reader took a file.
pub enum Outcome {
    /// It said something.
    Said(String),
    /// It should not have done this.
    Finding(String),
}

/// Lets a target read a file.
pub fn watched(target: Target, file: &Path) -> Outcome {
    forget_peak();
    let (memory, time) = (peak_bytes(), cpu_seconds());
    let said = catch_unwind(AssertUnwindSafe(|| target.read(file)));
    let (memory, time) = (peak_bytes().saturating_sub(memory), cpu_seconds() - time);
    match said {
        Err(panic) => Outcome::Finding(format!("panic: {}", words(panic.as_ref()))),
        Ok(_) if memory > MOST_BYTES => Outcome::Finding(format!("{} MiB of memory", memory >> 20)),
        Ok(_) if time > MOST_SECONDS => Outcome::Finding(format!("{time:.1} seconds")),
        Ok(said) if said.contains("this is a bug in kohort") => Outcome::Finding(said),
        Ok(said) => Outcome::Said(said),
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words").to_owned()
}

/// Where the system allows it, the peak starts again from what is used now.
fn forget_peak() {
    // Without it the peak of an earlier input counts, which can only hide a smaller one.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Peak resident bytes; 0 where the system does not say.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
    peak.unwrap_or(0u64) * 1024
}

/// Seconds this process has worked; a busy machine makes nobody slower by this clock.
pub fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit_once(')').map_or(Vec::new(), |(_, rest)| rest.split_whitespace().collect());
    let ticks = |n: usize| fields.get(n).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    // User and system time, in hundredths.
    (ticks(11) + ticks(12)) / 100.0
}
