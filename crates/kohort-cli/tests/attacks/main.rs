//! Attacks: what somebody who holds only what is public (a release, its certificate, this source, earlier releases) could
//! learn about a person, tried on the program itself. Nearly every attack here succeeded once; the few others guard what must
//! stay as it is beside them, and say so.
//!
//! `KOHORT=/path/to/kohort cargo test -p kohort-cli --test attacks` tries them on another build.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../common/mod.rs"]
mod common;

mod buffers;
mod certificate;
mod false_words;
mod fooled;
mod hidden_rows;
mod labels;
mod leftovers;
mod notions;
mod order;
mod process;
mod rough_edges;
