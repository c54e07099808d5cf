//! Plain loops can take hours: which are run, and when they are stopped.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::child::Task;

/// How much longer than the limit a loop may take, on the wall, that was expected to keep it.
const PATIENCE: f64 = 3.0;

/// Rows on which a loop is tried out before it is run on a larger table.
pub(crate) const TRIAL_ROWS: usize = 500;

/// What a loop is expected to take, from what it took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    pub(crate) rows: usize,
    pub(crate) seconds: f64,
}

impl Expected {
    pub(crate) fn on(self, rows: usize, power: f64) -> Self {
        Self { rows, seconds: self.seconds * (rows as f64 / self.rows as f64).powf(power) }
    }
}

/// Measures in a process of its own; nothing where it had to be stopped.
pub(crate) fn measured(task: &Task, limit: Option<f64>) -> Result<Option<Value>> {
    let mut child =
        Command::new(std::env::current_exe()?).args(task.flags()).stdout(Stdio::piped()).spawn()?;
    let start = Instant::now();
    // A line of output fits into the pipe, so a child that waits for its reader cannot happen.
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if limit.is_some_and(|seconds| start.elapsed().as_secs_f64() > PATIENCE * seconds) {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(5));
    };
    let mut line = String::new();
    child.stdout.take().context("no output")?.read_to_string(&mut line)?;
    ensure!(status.success(), "{} failed", task.flags().join(" "));
    Ok(Some(serde_json::from_str(&line)?))
}
