//! What a file may claim about itself, given how long it is.
//!
//! Readers make room for what headers promise. A damaged header must not make them ask for more memory than the machine
//! has, so promises are held against the bytes that would have to keep them.

use crate::error::{Error, Place};

/// A file says something that cannot be.
pub(super) fn damaged(what: impl Into<String>, place: Place) -> Error {
    Error::input(format!("the file is damaged: {}", what.into()))
        .at(place)
        .help("make the file again, or check it with the tool that wrote it")
}

/// How deep lists, maps and structs may lie inside each other. Arrow's own description of a table, which Parquet files carry
/// along, is not read beyond: a release could be written, but nobody could open it.
pub(super) const DEEPEST: usize = 60;

/// A column that is nested too deep.
pub(super) fn too_deep(place: Place) -> Error {
    Error::input(format!("lists, maps or structs lie more than {DEEPEST} deep inside each other"))
        .at(place)
        .help("flatten the column, turn it into text, or leave it out of the file")
}

/// Whether a file of so many bytes may have so many rows. Columns of one value take next to no space, but not none.
pub(super) fn rows(rows: i64, bytes: u64) -> bool {
    u64::try_from(rows).is_ok_and(|rows| rows <= (1 << 24) + bytes.saturating_mul(4096))
}

/// Whether so many bytes may become so many by unpacking.
pub(super) fn unpacked(packed: u64, unpacked: u64, most: u64) -> bool {
    unpacked <= packed.saturating_mul(most).saturating_add(64)
}

/// Unpacking to so much is no harm; what becomes more must not have been packed better than LZ4 could.
pub(super) const FREE: u64 = 256 << 20;

/// Whether so many bytes may become so many by unpacking, where a bomb could be meant: in a page of a Parquet file, which
/// other programs write with a megabyte or two.
pub(super) fn is_no_bomb(packed: u64, unpacked: u64) -> bool {
    unpacked <= FREE || unpacked <= packed.saturating_mul(LZ4)
}

/// How many bytes one byte of LZ4 may become.
pub(super) const LZ4: u64 = 256;
/// Of Snappy: copies of 64 bytes take three.
pub(super) const SNAPPY: u64 = 22;
/// Of gzip.
pub(super) const GZIP: u64 = 1032;
/// Of Zstandard: repetitions of 128 KiB take four bytes.
pub(super) const ZSTD: u64 = 1 << 16;
/// Of Brotli: repetitions of 16 MiB take eight or more.
pub(super) const BROTLI: u64 = 1 << 21;
