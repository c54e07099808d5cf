//! What bad input gets: a message that says what, where and the way out, the right exit code, and not one file.

// A failing test should stop where it fails.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod boundaries;
mod demands;
mod hierarchies;
mod interrupted;
mod jobs;
mod levels;
mod models;
mod places;
mod roles;
mod tables;
mod way_out;
