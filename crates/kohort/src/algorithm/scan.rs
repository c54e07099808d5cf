//! Scans over many slots: side by side where that pays.

use std::ops::Range;

use rayon::prelude::*;

/// Slots handled by one task.
const CHUNK: usize = 1024;

/// Up to how many slots a scan takes less time than handing a part of it over.
const ALONE: usize = 4096;

/// Looks at all slots, some at a time, and puts the answers together in order; none where there is no slot. `both` must not
/// care how the slots were divided.
pub(super) fn scan<T: Send>(
    slots: usize,
    of: impl Fn(Range<usize>) -> T + Sync,
    both: impl Fn(T, T) -> T + Sync + Send,
) -> Option<T> {
    let of_chunk = |chunk: usize| of(chunk * CHUNK..slots.min((chunk + 1) * CHUNK));
    let chunks = 0..slots.div_ceil(CHUNK);
    if slots <= ALONE {
        return chunks.map(of_chunk).reduce(both);
    }
    chunks.into_par_iter().map(of_chunk).reduce_with(both)
}
