//! What holds for every table: releases keep their promises, the verifier sees what a second witness sees, costs behave,
//! no heuristic beats the optimum, threads change nothing, sabotage is noticed.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

#[path = "properties/blocks.rs"]
mod blocks;
#[path = "properties/boundaries.rs"]
mod boundaries;
#[path = "properties/costs.rs"]
mod costs;
#[path = "properties/hurry.rs"]
mod hurry;
#[path = "properties/models.rs"]
mod models;
#[path = "properties/notions.rs"]
mod notions;
#[path = "properties/optimum.rs"]
mod optimum;
#[path = "properties/sabotage.rs"]
mod sabotage;
#[path = "properties/threads.rs"]
mod threads;
#[path = "properties/walk.rs"]
mod walk;
