//! How the file is laid out: a mark, a version, sections, and the SHA-256 of all of it.
//!
//! ```text
//! mark      8 bytes    KHLEDGER
//! version   4 bytes
//! section   4 bytes its name, 8 bytes its length, its bytes; all sections in this order:
//!   HEAD    what is small, as JSON (`Head`)
//!   SALT    32 bytes
//!   ATOM    20 bytes an atom
//!   ROWS    4 bytes a row: its atom
//!   KEYS    16 bytes a row, or nothing
//!   GONE    16 bytes a key whose rows were taken out of a release, 4 bytes the release that first hid it
//!   WAIT    the rows that wait, as an Arrow file, or nothing
//! seal      32 bytes   the SHA-256 of everything before
//! ```
//!
//! Numbers have their lowest byte first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ReleaseRecord;
use crate::input::JobSpec;

/// The first bytes of every ledger.
pub(super) const MARK: &[u8; 8] = b"KHLEDGER";
/// What this program writes, and the only version that it reads.
pub(super) const VERSION: u32 = 1;
/// The length of the SHA-256 at the end.
pub(super) const SEAL: usize = 32;

/// The sections in their order.
pub(super) const SECTIONS: [[u8; 4]; 7] =
    [*b"HEAD", *b"SALT", *b"ATOM", *b"ROWS", *b"KEYS", *b"GONE", *b"WAIT"];

/// An atom is five numbers of four bytes.
pub(super) const ATOM: usize = 20;

/// A key that is gone, and a number of four bytes.
pub(super) const GONE: usize = 20;

/// What is small, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub(super) job: JobSpec,
    /// The order of columns in a job file, which the job itself does not write.
    pub(super) column_order: Vec<String>,
    pub(super) trees: BTreeMap<String, String>,
    pub(super) columns: Vec<(String, String)>,
    pub(super) published: bool,
    pub(super) releases: Vec<ReleaseRecord>,
    pub(super) frozen: BTreeMap<String, Vec<(String, u64)>>,
}
