//! The file of a ledger: what is on the disk when a commit is stopped anywhere, and what is done about it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod child;
mod damage;
mod desk;
mod opened;
mod stopped;
