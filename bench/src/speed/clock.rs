//! Time that passes, and time that is spent.

use std::time::Instant;

/// Seconds of one piece of work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Took {
    /// As the clock on the wall says.
    pub(crate) wall: f64,
    /// That the thread was on a processor: on a busy machine the clock on the wall counts others, too. Means nothing where
    /// the work is that of several threads, and is the time on the wall where the system does not say.
    pub(crate) busy: f64,
}

pub(crate) struct Clock {
    start: Instant,
    busy: Option<u64>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now(), busy: busy() }
    }

    pub(crate) fn so_far(&self) -> Took {
        let wall = self.start.elapsed().as_secs_f64();
        let spent = self.busy.zip(busy()).map(|(before, now)| (now - before) as f64 / 1e9);
        Took { wall, busy: spent.unwrap_or(wall) }
    }
}

/// Nanoseconds that this thread was on a processor so far.
fn busy() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
}
