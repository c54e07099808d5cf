//! The worked examples of the five papers with their exact numbers (`algorithms.md` §14).
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

#[path = "worked_examples/paper_000.rs"]
mod paper_000;
#[path = "worked_examples/paper_001.rs"]
mod paper_001;
#[path = "worked_examples/paper_002.rs"]
mod paper_002;
#[path = "worked_examples/paper_003.rs"]
mod paper_003;
#[path = "worked_examples/paper_004.rs"]
mod paper_004;

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-7, "{found} is not {expected}");
}
