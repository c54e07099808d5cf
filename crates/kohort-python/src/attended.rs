//! Work that Python waits for: without its lock, so that other threads of it run on; with an eye on Ctrl-C; telling how far it is.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kohort::algorithm::Signal;
use kohort::error::Said;
use kohort::job::{Observer, Stage};
use kohort::{Error, Result};
use pyo3::prelude::*;

use crate::error::raised;

/// How often Python is asked for signals, and told how far the work is.
const TICK: Duration = Duration::from_millis(50);

const STAGES: [(Stage, &str); 7] = [
    (Stage::Read, "read"),
    (Stage::Solve, "solve"),
    (Stage::Refine, "refine"),
    (Stage::Recode, "recode"),
    (Stage::Write, "write"),
    (Stage::Verify, "verify"),
    (Stage::Bound, "bound"),
];

/// What work tells, and what it is told.
#[derive(Default)]
struct Watch {
    stage: AtomicU8,
    done: AtomicU64,
    of: AtomicU64,
    /// Whether there is a result that is only to be made better.
    has_result: AtomicBool,
    asked: AtomicBool,
    insists: AtomicBool,
    clock: Mutex<Clock>,
}

#[derive(Default)]
struct Clock {
    running: Option<(Stage, Instant)>,
    spent: BTreeMap<&'static str, f64>,
}

fn name(stage: Stage) -> &'static str {
    STAGES.iter().find(|(known, _)| *known == stage).map_or("", |(_, name)| name)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    fn switch(&self, next: Option<Stage>) {
        let mut clock = locked(&self.clock);
        if let Some((stage, since)) = clock.running.take() {
            *clock.spent.entry(name(stage)).or_default() += since.elapsed().as_secs_f64();
        }
        clock.running = next.map(|stage| (stage, Instant::now()));
    }
}

impl Observer for Watch {
    fn enter(&self, stage: Stage, of: u64) {
        self.switch(Some(stage));
        let number = STAGES.iter().position(|(known, _)| *known == stage).unwrap_or(0);
        self.done.store(0, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
        self.stage.store(number as u8, Ordering::Relaxed);
        // Who asks during refinement takes what there is by then, and it is verified; later, there is nothing to be had.
        if stage == Stage::Refine || !self.asked.load(Ordering::Relaxed) {
            self.has_result.store(stage == Stage::Refine, Ordering::Relaxed);
        }
    }

    fn progress(&self, done: u64, of: u64) {
        self.done.store(done, Ordering::Relaxed);
        if of > 0 {
            self.of.store(of, Ordering::Relaxed);
        }
    }

    fn hear(&self, _note: &Said) {}

    fn signal(&self) -> Signal {
        if !self.asked.load(Ordering::Relaxed) {
            Signal::Go
        } else if self.has_result.load(Ordering::Relaxed) && !self.insists.load(Ordering::Relaxed) {
            Signal::TimeUp
        } else {
            Signal::Cancelled
        }
    }
}

/// What work leaves besides its result.
pub(crate) struct Attended<T> {
    pub(crate) result: T,
    /// Seconds spent in each stage.
    pub(crate) seconds: BTreeMap<&'static str, f64>,
    /// Where somebody asked to stop, and this is what there was by then.
    interrupt: Option<PyErr>,
}

impl<T> Attended<T> {
    /// Whether somebody asked to stop. For work whose result at any time is a whole one.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.interrupt.is_some()
    }

    /// The result, unless somebody asked to stop. What came too late to be heeded is an interrupt all the same.
    pub(crate) fn unless_interrupted(self) -> PyResult<T> {
        self.interrupt.map_or(Ok(self.result), Err)
    }
}

/// Does the work on other threads, while this one listens to Python. `progress` is called with stage, done and of how many.
///
/// The threads are made for this call: those that a library keeps for all calls do not survive a fork of the process, and whoever
/// forks after an import would wait for them forever.
pub(crate) fn attended<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Observer) -> Result<T> + Send,
) -> PyResult<Attended<T>> {
    let watch = Watch::default();
    let ended = (Mutex::new(false), Condvar::new());
    let mut raised_here: Option<PyErr> = None;
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _ended = Ended(&ended);
            let threads = rayon::ThreadPoolBuilder::new().thread_name(|n| format!("kohort-{n}")).build();
            let threads =
                threads.map_err(|e| Error::internal(format!("no threads could be started: {e}")))?;
            threads.install(|| work(&watch))
        });
        while !py.detach(|| wait(&ended)) {
            let told = py.check_signals().and_then(|()| match progress {
                Some(progress) => tell(progress, &watch),
                None => Ok(()),
            });
            if let Err(e) = told {
                let again = watch.asked.swap(true, Ordering::Relaxed);
                watch.insists.fetch_or(again, Ordering::Relaxed);
                raised_here.get_or_insert(e);
            }
        }
        worker.join()
    });
    watch.switch(None);
    if let (Some(progress), None) = (progress, &raised_here) {
        progress.call1(("done", 1, 1))?;
    }
    let seconds = std::mem::take(&mut locked(&watch.clock).spent);
    let is_interrupt = |e: &PyErr| e.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py);
    match (result, raised_here) {
        (Ok(Ok(_)), Some(e)) if !is_interrupt(&e) => Err(e),
        (Ok(Ok(result)), interrupt) => Ok(Attended { result, seconds, interrupt }),
        (Ok(Err(Error::Stopped(_))), Some(e)) => Err(e),
        (Ok(Err(error)), _) => Err(raised(py, &error)),
        (Err(_), _) => Err(raised(py, &Error::internal("the work ended in a panic"))),
    }
}

/// Says that the work ended, however it did.
struct Ended<'a>(&'a (Mutex<bool>, Condvar));

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        *locked(&self.0.0) = true;
        self.0.1.notify_all();
    }
}

/// Waits a little; whether the work has ended.
fn wait((ended, rung): &(Mutex<bool>, Condvar)) -> bool {
    let (ended, _) =
        rung.wait_timeout_while(locked(ended), TICK, |ended| !*ended).unwrap_or_else(PoisonError::into_inner);
    *ended
}

fn tell(progress: &Bound<'_, PyAny>, watch: &Watch) -> PyResult<()> {
    let stage = STAGES[usize::from(watch.stage.load(Ordering::Relaxed))].1;
    let (done, of) = (watch.done.load(Ordering::Relaxed), watch.of.load(Ordering::Relaxed));
    progress.call1((stage, done, of)).map(drop)
}
