//! What holds for every table: releases keep their promises, the verifier sees what a second witness sees, costs behave,
//! no heuristic beats the optimum, threads and processes change nothing, sabotage is noticed.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../common/mod.rs"]
mod common;

mod auto;
mod block_tasks;
mod blocks;
mod bound;
mod boundaries;
mod costs;
mod dialects;
mod equal_rows;
mod hurry;
mod models;
mod notions;
mod optimum;
mod padded;
mod people;
mod refine;
mod refined_tuples;
mod sabotage;
mod spellings;
mod threads;
mod walk;
