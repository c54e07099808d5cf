//! What only a program with a terminal knows: time, progress bars, Ctrl-C, memory.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use kohort::algorithm::Signal;
use kohort::error::Said;
use kohort::job::{Observer, Stage};
use kohort::{Error, Result};

use crate::interrupt;
use crate::speech::CommandLine;

/// Watches a run: clocks its stages, shows a bar on a terminal, stops it at Ctrl-C.
pub(crate) struct Spectator {
    bar: Option<ProgressBar>,
    clock: Mutex<Clock>,
    /// Whether there is a result that is only to be made better.
    has_result: AtomicBool,
    /// What a person was told before the work began; none where nobody wants to hear it.
    told: Option<Mutex<Vec<Said>>>,
}

#[derive(Default)]
struct Clock {
    running: Option<(Stage, Instant)>,
    spent: HashMap<Stage, Duration>,
}

impl Spectator {
    /// A spectator; quiet ones show no bar.
    pub(crate) fn new(quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(ProgressBar::no_length);
        let told = (!quiet).then(Mutex::default);
        Self { bar, clock: Mutex::default(), has_result: AtomicBool::new(false), told }
    }

    /// Seconds spent in a stage.
    pub(crate) fn seconds(&self, stage: Stage) -> f64 {
        let clock = self.clock.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        clock.spent.get(&stage).map_or(0.0, Duration::as_secs_f64)
    }

    /// Whether this was said before the work began.
    pub(crate) fn has_told(&self, note: &Said) -> bool {
        let told =
            self.told.as_ref().map(|told| told.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        told.is_some_and(|told| told.contains(note))
    }

    /// The run is over: the last stage ends, the bar goes away.
    pub(crate) fn finish(&self) {
        self.switch(None);
        interrupt::will_look(false);
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn switch(&self, next: Option<Stage>) {
        let mut clock = self.clock.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((stage, since)) = clock.running.take() {
            *clock.spent.entry(stage).or_default() += since.elapsed();
        }
        clock.running = next.map(|stage| (stage, Instant::now()));
    }
}

impl Observer for Spectator {
    fn enter(&self, stage: Stage, of: u64) {
        self.switch(Some(stage));
        // Reading may wait for standard input, which nothing but the end of the program can interrupt.
        interrupt::will_look(stage != Stage::Read);
        // Who asks during refinement takes what there is by then, and it is written; later, nothing is.
        if stage == Stage::Refine || !interrupt::asked() {
            self.has_result.store(stage == Stage::Refine, Ordering::Relaxed);
        }
        let Some(bar) = &self.bar else { return };
        let (verb, template) = match stage {
            Stage::Read => ("reading", "{spinner} {msg} {human_pos} rows"),
            Stage::Solve => {
                ("grouping", "{spinner} {msg} [{bar:30}] {human_pos}/{human_len} rows, {eta} left")
            }
            Stage::Refine => {
                ("refining; Ctrl-C takes the best so far", "{spinner} {msg} [{bar:30}] {eta} left")
            }
            Stage::Recode => ("generalizing", "{spinner} {msg}"),
            Stage::Write => ("writing", "{spinner} {msg}"),
            Stage::Verify => ("verifying", "{spinner} {msg}"),
            Stage::Bound if of > 0 => {
                ("finding out what no release could keep", "{spinner} {msg} [{bar:30}] {eta} left")
            }
            Stage::Bound => ("finding out what no release could keep", "{spinner} {msg}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(0);
        bar.set_length(of);
        bar.set_message(verb);
        bar.enable_steady_tick(Duration::from_millis(100));
    }

    fn progress(&self, done: u64, of: u64) {
        if let Some(bar) = &self.bar {
            // A stage may count in other units than it was announced in: what is left of them decides what time is left.
            if of > 0 && bar.length() != Some(of) {
                bar.set_length(of);
                bar.reset_eta();
            }
            bar.set_position(done);
        }
    }

    fn hear(&self, note: &Said) {
        let Some(told) = &self.told else { return };
        told.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(note.clone());
        let line = format!("note: {}\n", note.spoken_by(&CommandLine));
        match &self.bar {
            Some(bar) => bar.suspend(|| tell(&line)),
            None => tell(&line),
        }
    }

    fn signal(&self) -> Signal {
        match (interrupt::asked(), self.has_result.load(Ordering::Relaxed)) {
            (false, _) => Signal::Go,
            // There is a result, which is only to be made better: who asks once takes it as it is.
            (true, true) => Signal::TimeUp,
            (true, false) => Signal::Cancelled,
        }
    }
}

/// Tells a person something on standard error; when nobody listens any more, that is no reason to fail.
pub(crate) fn tell(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Prints to standard output; a reader that has seen enough (`| head`) is no error.
pub(crate) fn say(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::input(format!("cannot print: {e}")).at("standard output").help(
                "free some space or print to another place; files named on the command line are complete",
            ))
        }
        _ => Ok(()),
    }
}

/// The largest amount of memory this process ever held, in MiB.
pub(crate) fn peak_rss_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|p| p.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib / 1024)
}
