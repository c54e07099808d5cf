//! Scans over many slots: side by side where that pays.

use std::ops::Range;

use rayon::prelude::*;

/// Slots handled by one task.
const CHUNK: usize = 512;

/// Up to how many slots a scan takes less time than handing a part of it over.
const ALONE: usize = 2048;

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

/// Numbers that are looked up side by side.
const LANES: usize = 8;

/// Adds to each sum the table's entry of its number.
#[inline]
pub(super) fn add_up<T: Copy + Into<u64>>(sums: &mut [u64], numbers: &[u32], table: &[T]) {
    let (sums, last_sums) = sums.as_chunks_mut::<LANES>();
    let (numbers, last_numbers) = numbers.as_chunks::<LANES>();
    for (sums, numbers) in sums.iter_mut().zip(numbers) {
        for lane in 0..LANES {
            sums[lane] += table[numbers[lane] as usize].into();
        }
    }
    last_sums.iter_mut().zip(last_numbers).for_each(|(sum, &number)| *sum += table[number as usize].into());
}
