//! Ctrl-C, and what else asks a program to end: SIGTERM, SIGHUP.
//!
//! A run that looks for itself whether it shall stop is left to do so. All others, which may be waiting for standard input,
//! end at once; the files they were about to write are removed first.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kohort::input::leave_no_trace;
use kohort::output::is_streaming;
use nix::sys::signal::{SigSet, Signal};

use crate::terminal::tell;

static ASKED: AtomicBool = AtomicBool::new(false);
static LOOKS: AtomicBool = AtomicBool::new(false);

/// Some senders repeat a signal at once; who asks again after this time wants no more waiting.
const AGAIN: Duration = Duration::from_secs(1);

/// Listens from now on. Called before there are other threads, which inherit what is blocked.
pub(crate) fn listen() {
    // A file that may not grow any further (`ulimit -f`) is an error like a full disk, not the end of the program.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    let first: Mutex<Option<Instant>> = Mutex::new(None);
    let handler = move || {
        ASKED.store(true, Ordering::Relaxed);
        let mut first = first.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let insists = first.get_or_insert_with(Instant::now).elapsed() >= AGAIN;
        if !LOOKS.load(Ordering::Relaxed) || insists || is_streaming() {
            leave();
        }
    };
    // Fails only where no signals can be caught; then they end the program as they always do.
    let _ = ctrlc::set_handler(handler);
}

/// Whether somebody asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Says whether the run looks at [`asked`] from now on.
pub(crate) fn will_look(looks: bool) {
    LOOKS.store(looks, Ordering::Relaxed);
}

fn leave() -> ! {
    let end = if leave_no_trace() { "what was written is complete" } else { "nothing was written" };
    // Behind a progress bar.
    let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
    tell(&format!("{line}error: stopped before there was a result; {end}\n"));
    std::process::exit(130)
}
