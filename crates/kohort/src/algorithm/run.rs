//! What surrounds a run: its seed, who watches it and who may stop it. Algorithms have no clock of their own.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::error::{Error, Result, Said};

/// What the watcher wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Go on.
    Go,
    /// Finish quickly with what there is.
    TimeUp,
    /// Give up; nothing will be written.
    Cancelled,
}

/// The stations of a job, for clocks and progress bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Reading and encoding the input.
    Read,
    /// Grouping rows.
    Solve,
    /// Looking for an answer that loses less than the one that is there.
    Refine,
    /// Generalizing.
    Recode,
    /// Writing where nobody reads it yet.
    Write,
    /// Reading back and recomputing.
    Verify,
    /// Finding out what no release loses less than.
    Bound,
}

/// Looks on from outside: a progress bar, a time limit, Ctrl-C.
pub trait Observer: Send + Sync {
    /// A station was entered; `of` is how much work it has, where that is known.
    fn enter(&self, _stage: Stage, _of: u64) {}

    /// So many of so many units of work are done.
    fn progress(&self, _done: u64, _of: u64) {}

    /// Something a person should know before the work begins, such as what the format of the release cannot hold.
    fn hear(&self, _note: &Said) {}

    /// Which share of the time that was given for refining is spent, from 0 up to 1 and beyond. Asked only where time is
    /// what was given, and often; must be cheap.
    fn time_spent(&self) -> f64 {
        1.0
    }

    /// Asked often; must be cheap.
    fn signal(&self) -> Signal {
        Signal::Go
    }
}

/// Nobody looks on.
pub struct Quiet;

impl Observer for Quiet {}

/// The circumstances of one run.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Source of all randomness. 0 stands for the fixed rules of `algorithms.md` §1: no draw at all.
    pub seed: u64,
    /// Who looks on.
    pub watch: &'a dyn Observer,
}

impl<'a> Run<'a> {
    /// A run with the given seed under the eyes of `watch`.
    pub fn new(seed: u64, watch: &'a dyn Observer) -> Self {
        Self { seed, watch }
    }

    /// A generator for the named purpose; `None` when the seed asks for fixed rules.
    pub fn rng(&self, purpose: u64) -> Option<ChaCha20Rng> {
        (self.seed != 0).then(|| {
            let mut rng = ChaCha20Rng::seed_from_u64(self.seed);
            rng.set_stream(purpose);
            rng
        })
    }

    /// Whether to finish quickly; an error when the run was cancelled.
    pub fn time_is_up(&self) -> Result<bool> {
        match self.watch.signal() {
            Signal::Go => Ok(false),
            Signal::TimeUp => Ok(true),
            Signal::Cancelled => {
                Err(Error::stopped("stopped before there was a result; nothing was written"))
            }
        }
    }
}
