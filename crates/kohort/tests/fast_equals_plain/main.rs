//! Every fast algorithm returns what its plain loop does, for the same seed.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../common/mod.rs"]
mod common;

mod adult;
mod clustering;
mod gionis_2008;
mod incognito;
mod insertion;
mod truta_2008;
