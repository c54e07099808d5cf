//! Who looks on during the walk: every reading and every writing hears when it is to stop.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use arrow::datatypes::SchemaRef;

use crate::algorithm::{Observer, Signal, Stage};
use crate::error::{Error, Result, Said};
use crate::input::{Batches, TableSource};
use crate::output::{Documents, OutBatch, TableSink};

/// Why work ended before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The time that was given for it is over.
    TimeUp,
    /// Whoever looks on asked for what there is by then.
    Stopped,
}

impl Ended {
    /// As the beginning of a message.
    pub(super) fn said(self) -> &'static str {
        match self {
            Self::TimeUp => "time was up",
            Self::Stopped => "stopped (Ctrl-C)",
        }
    }
}

/// An observer who also says when time is up.
pub(super) struct WithDeadline<'a> {
    observer: &'a dyn Observer,
    until: Option<Instant>,
    limit: Option<Duration>,
    /// How long the answer is to be refined, where that was said, and since when it is.
    refining: Option<Duration>,
    refines_since: OnceLock<Instant>,
}

impl<'a> WithDeadline<'a> {
    /// From now on so long; without end where no limit was given.
    pub(super) fn new(
        observer: &'a dyn Observer,
        limit: Option<Duration>,
        refining: Option<Duration>,
    ) -> Self {
        // A limit beyond what a clock can tell is none.
        let until = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { observer, until, limit, refining, refines_since: OnceLock::new() }
    }

    /// Which share of the time limit is spent, where there is one.
    pub(super) fn spent(&self) -> Option<f64> {
        let (until, limit) = (self.until?, self.limit.filter(|limit| !limit.is_zero())?);
        let left = until.saturating_duration_since(Instant::now());
        Some(1.0 - left.as_secs_f64() / limit.as_secs_f64())
    }

    /// Why the work is to end now; none where it may go on.
    pub(super) fn ended(&self) -> Option<Ended> {
        match (self.signal(), self.observer.signal()) {
            (Signal::TimeUp, Signal::TimeUp) => Some(Ended::Stopped),
            (Signal::TimeUp, _) => Some(Ended::TimeUp),
            (Signal::Go | Signal::Cancelled, _) => None,
        }
    }

    /// An error where the run was cancelled.
    pub(super) fn check(&self) -> Result<()> {
        check(self)
    }

    /// The same, at the last moment when nothing is in its place yet.
    pub(super) fn check_before_publishing(&self) -> Result<()> {
        match self.signal() {
            Signal::Cancelled => {
                Err(Error::stopped("stopped before the release was put in its place; nothing was written"))
            }
            Signal::Go | Signal::TimeUp => Ok(()),
        }
    }
}

/// An error where the run was cancelled.
fn check(watch: &dyn Observer) -> Result<()> {
    match watch.signal() {
        Signal::Cancelled => Err(Error::stopped("stopped before there was a result; nothing was written")),
        Signal::Go | Signal::TimeUp => Ok(()),
    }
}

impl Observer for WithDeadline<'_> {
    fn enter(&self, stage: Stage, of: u64) {
        if stage == Stage::Refine {
            self.refines_since.get_or_init(Instant::now);
        }
        self.observer.enter(stage, of);
    }

    fn time_spent(&self) -> f64 {
        match (self.refining, self.refines_since.get()) {
            (Some(given), Some(since)) if !given.is_zero() => {
                since.elapsed().as_secs_f64() / given.as_secs_f64()
            }
            (Some(_), None) => 0.0,
            _ => 1.0,
        }
    }

    fn progress(&self, done: u64, of: u64) {
        self.observer.progress(done, of);
    }

    fn hear(&self, note: &Said) {
        self.observer.hear(note);
    }

    fn signal(&self) -> Signal {
        match self.observer.signal() {
            Signal::Go if self.until.is_some_and(|until| Instant::now() >= until) => Signal::TimeUp,
            signal => signal,
        }
    }
}

/// A table whose every batch tells the observer how far reading is, and asks whether to go on.
pub(super) struct Observed<'a> {
    pub(super) source: &'a dyn TableSource,
    pub(super) observer: &'a dyn Observer,
}

impl TableSource for Observed<'_> {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn schema(&self) -> &SchemaRef {
        self.source.schema()
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>> {
        let mut read = 0;
        let seen = move |batch| {
            let batch: arrow::array::RecordBatch = batch?;
            check(self.observer)?;
            read += batch.num_rows() as u64;
            self.observer.progress(read, 0);
            Ok(batch)
        };
        Ok(Box::new(self.source.batches(columns)?.map(seen)))
    }

    fn digest(&self) -> Result<String> {
        self.source.digest()
    }

    fn is_text_only(&self) -> bool {
        self.source.is_text_only()
    }

    fn is_typed_by_values(&self) -> bool {
        self.source.is_typed_by_values()
    }

    fn has_bytes(&self) -> bool {
        self.source.has_bytes()
    }

    fn bytes(&self) -> u64 {
        self.source.bytes()
    }

    fn blank_lines(&self) -> u64 {
        self.source.blank_lines()
    }

    fn starts_with_data(&self) -> bool {
        self.source.starts_with_data()
    }

    fn way_to_column(&self, name: &str) -> Option<Said> {
        self.source.way_to_column(name)
    }
}

/// A sink that asks before every batch whether to go on.
pub(super) struct ObservedSink<'a> {
    pub(super) sink: &'a mut dyn TableSink,
    pub(super) observer: &'a dyn Observer,
}

impl TableSink for ObservedSink<'_> {
    fn name(&self) -> String {
        self.sink.name()
    }

    fn is_text_only(&self) -> bool {
        self.sink.is_text_only()
    }

    fn open(&mut self) -> Result<()> {
        self.sink.open()
    }

    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        self.sink.begin(schema)
    }

    fn write(&mut self, rows: &OutBatch<'_>) -> Result<()> {
        check(self.observer)?;
        self.sink.write(rows)
    }

    fn finish(&mut self) -> Result<Box<dyn TableSource>> {
        self.sink.finish()
    }

    fn twin(&self) -> Box<dyn TableSink> {
        self.sink.twin()
    }

    fn certificate_place(&self) -> Option<String> {
        self.sink.certificate_place()
    }

    fn publish(&mut self, documents: &Documents<'_>) -> Result<()> {
        self.sink.publish(documents)
    }
}

/// Runs with so many threads; with those there are where nothing was said.
pub(super) fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    // On a thread of the pool either way: whoever hands work to it from outside waits for every piece.
    let Some(threads) = threads else { return rayon::scope(|_| work()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| {
        Error::input(format!("cannot start threads: {e}")).option("threads").help("ask for fewer")
    })?
    .install(work)
}
