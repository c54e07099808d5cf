//! What every command says, word for word.

// A failing test should stop where it fails.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod anonymize;
mod append;
mod blocks;
mod bound;
mod boundaries;
mod claims;
mod completions;
mod discretion;
mod explain;
mod generate;
mod help;
mod hierarchy;
mod kept;
mod ledger;
mod levels;
mod list;
mod models;
mod notions;
mod opt_out;
mod people;
mod quiet;
mod reproduce;
mod risk;
mod schema;
mod speech;
mod streams;
mod suppress;
mod verify;
