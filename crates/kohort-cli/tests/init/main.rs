//! `kohort init`: from a table to a job that runs.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../common/mod.rs"]
mod common;
mod labelled;
mod odd_tables;
mod places;
mod shown;
mod tables;
