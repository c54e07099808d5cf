//! Damaged files for every reader of kohort, on the stable toolchain.
//!
//! A target is a reader; its inputs are valid files (`seeds`, and those below `corpus/`) with random damage (`damage`). An
//! input that makes the reader panic, take more than [`watch::MOST_BYTES`] of memory or more than [`watch::MOST_SECONDS`] is a
//! finding. `corpus/` also keeps the inputs that were findings once; `cargo test -p kohort-fuzz` reads all of them.

pub mod damage;
pub mod seeds;
pub mod target;
pub mod watch;

pub use damage::Damage;
pub use target::Target;
