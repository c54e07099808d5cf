//! The seal of a ledger: the SHA-256 at its end, by which one state of it is told from another.

use super::layout::SEAL;
use crate::input::hex;

/// The seal of the bytes of a ledger, in hexadecimal digits; none where there are too few.
pub(super) fn of(bytes: &[u8]) -> Option<String> {
    Some(hex(bytes.last_chunk::<SEAL>()?))
}
