//! Seconds of a search, and what else the machine did while they were taken.
//!
//! Seconds are those that the one thread of the search was on a processor, so that a busy machine counts little; where the system
//! does not tell them, those of the clock on the wall.

use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;

use kohort::algorithm::{Observer, Signal, Stage};
use kohort::{Error, Result};

/// Runs something on a single thread, as everything is run that is timed.
pub(crate) fn alone<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.map_err(|e| Error::internal(format!("cannot start a thread: {e}")))?.install(work)
}

/// From when on seconds are counted.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch {
    wall: Instant,
    thread: ThreadId,
    busy: Option<u64>,
}

impl Stopwatch {
    pub(crate) fn started() -> Self {
        Self { busy: busy(), thread: std::thread::current().id(), wall: Instant::now() }
    }

    /// Seconds so far; of the clock on the wall where this is another thread.
    pub(crate) fn seconds(&self) -> f64 {
        let wall = self.wall.elapsed().as_secs_f64();
        let own = self.thread == std::thread::current().id();
        match (self.busy, busy()) {
            (Some(before), Some(now)) if own => now.saturating_sub(before) as f64 / 1e9,
            _ => wall,
        }
    }
}

/// Nanoseconds that this thread was on a processor.
fn busy() -> Option<u64> {
    // The system brings the figure up to date when it looks at who runs next.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok()
}

/// Clocks the search of a job for whoever looks on.
pub(crate) struct Clock<'a> {
    observer: &'a dyn Observer,
    searching: Mutex<(Option<Stopwatch>, f64)>,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(observer: &'a dyn Observer) -> Self {
        Self { observer, searching: Mutex::new((None, 0.0)) }
    }

    fn switch(&self, searches: bool) -> f64 {
        let mut state = self.searching.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(since) = state.0.take() {
            state.1 += since.seconds();
        }
        state.0 = searches.then(Stopwatch::started);
        state.1
    }

    pub(crate) fn searched(&self) -> f64 {
        self.switch(false)
    }
}

impl Observer for Clock<'_> {
    fn enter(&self, stage: Stage, _of: u64) {
        self.switch(matches!(stage, Stage::Solve | Stage::Refine));
    }

    fn signal(&self) -> Signal {
        self.observer.signal()
    }
}

/// How much of the machine other programs take, from when this was made.
pub(crate) struct Others(Option<[u64; 3]>);

impl Others {
    pub(crate) fn since_now() -> Self {
        Self(ticks())
    }

    /// Seconds of processor time that this process has taken so far.
    pub(crate) fn own_seconds(&self) -> Option<f64> {
        // Ticks are hundredths of a second wherever Linux runs today.
        let ([.., own], [.., own_then]) = (ticks()?, self.0?);
        Some(own.saturating_sub(own_then) as f64 / 100.0)
    }

    /// Their share of all cores so far, in percent; nothing where the system does not tell.
    pub(crate) fn percent(&self) -> Option<f64> {
        let ([all, busy, own], [all_then, busy_then, own_then]) = (ticks()?, self.0?);
        let all = all.checked_sub(all_then).filter(|all| *all > 0)?;
        let others = (busy - busy_then).saturating_sub(own - own_then);
        Some((1000.0 * others as f64 / all as f64).round() / 10.0)
    }
}

/// Clock ticks of all cores, those in which they were busy, and those of this process.
fn ticks() -> Option<[u64; 3]> {
    let read = |place: &str| std::fs::read_to_string(place).ok();
    ticks_of(&read("/proc/stat")?, &read("/proc/self/stat")?)
}

fn ticks_of(machine: &str, process: &str) -> Option<[u64; 3]> {
    // user nice system idle iowait irq softirq steal, and twice again what guests took
    let cores: Vec<u64> = machine.lines().next()?.split_whitespace().skip(1).flat_map(str::parse).collect();
    let all: u64 = cores.iter().take(8).sum();
    let idle = cores.get(3)? + cores.get(4)?;
    // What follows the name, which may hold anything, begins with the third field; the 14th and 15th are user and system.
    let fields: Vec<&str> = process.rsplit_once(')')?.1.split_whitespace().collect();
    let own = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some([all, all - idle, own])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_of_a_thread_that_sleeps_do_not_count() {
        let watch = Stopwatch::started();
        std::thread::sleep(std::time::Duration::from_millis(60));
        if busy().is_some() {
            assert!(watch.seconds() < 0.03, "{}", watch.seconds());
        }
        let elsewhere = std::thread::scope(|scope| scope.spawn(|| watch.seconds()).join());
        assert!(elsewhere.is_ok_and(|seconds| seconds >= 0.06), "by the wall");
    }

    #[test]
    fn ticks_of_the_machine_and_of_the_process() {
        let machine = "cpu  10 1 4 100 5 0 2 3 50 0\ncpu0 1 2 3\n";
        let process = "7 (a (b) c) R 1 1 1 0 -1 4194304 1 0 0 0 11 6 0 0 20 0 1";
        assert_eq!(ticks_of(machine, process), Some([125, 20, 17]));
        assert_eq!(ticks_of("", process), None);
    }
}
