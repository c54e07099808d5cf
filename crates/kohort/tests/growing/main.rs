//! Growing tables: what an outsider can do who keeps every release, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod attack;
mod inserted;
mod joined;
mod joint;
mod parquet;
mod people;
mod refusals;
mod sequences;
mod series;
