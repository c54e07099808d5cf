//! What several test files share. Each of them uses a part of it.
#![allow(dead_code, reason = "every test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

pub(crate) mod adult;
pub(crate) mod asked;
pub(crate) mod by_hand;
pub(crate) mod draw;
pub(crate) mod files;
pub(crate) mod plain;
pub(crate) mod secrets;
pub(crate) mod witness;

use proptest::test_runner::{Config, RngSeed};

/// Property tests that draw the same cases on every machine and leave no files behind.
pub(crate) fn fixed(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x6b6f_686f_7274),
        ..Config::default()
    }
}
