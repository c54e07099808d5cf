//! What the papers say, from the definitions: worked examples, every algorithm as a plain loop, every model.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../common/mod.rs"]
mod common;

mod errata;
mod gionis_2008;
mod kabir_2011;
mod li_2006;
mod miller_2008;
mod models;
mod plain_loops;
mod plain_loops_of_gionis;
mod plain_loops_of_truta;
mod truta_2008;
mod weaker_notions;

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-7, "{found} is not {expected}");
}
