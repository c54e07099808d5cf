//! Every format in and out, and every way to write a release.

// A failing test should stop where it fails.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod choices;
mod codecs;
mod csv_dialects;
mod dates;
mod numbers;
mod order;
mod postgres;
mod refused;
mod round_trips;
mod rows;
mod threads;
mod twins;
mod types;
mod zips;
