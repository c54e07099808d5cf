//! Releases as their owners and strangers see them, from files and in memory.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../common/mod.rs"]
mod common;

mod adult;
mod certificate_principle;
mod figures;
mod leaks;
mod library;
mod messages;
