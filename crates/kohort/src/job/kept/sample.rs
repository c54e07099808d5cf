//! A sample of the values of a column or set of columns, with the rows that have them.

use rustc_hash::FxHashMap;

/// Spreads the bits of a number over all of it (`splitmix64`).
pub(super) fn spread(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The hash of two values together, of which each is spread. The first bits, by which values are sampled, depend on all.
pub(super) fn both(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Rows by the hash of their value. Of every value either no row is here or all, up to a limit: only hashes that begin with
/// enough zeros are taken, one zero more whenever there are too many (distinct sampling, Gibbons 2001).
#[derive(Debug)]
pub(super) struct ValueSample {
    most: usize,
    /// How many rows are held of each value, where there is a limit: otherwise two values that all rows share would leave no
    /// room for either.
    limit: Option<Limit>,
    zeros: u32,
    rows: Vec<(u64, u32)>,
    /// What else is known of each row, the same number of hashes for all.
    beside: Vec<u64>,
    width: usize,
}

#[derive(Debug)]
struct Limit {
    each: u32,
    held: FxHashMap<u64, u32>,
}

impl Limit {
    /// Counts one more row of a value; false where it has enough.
    fn admits(&mut self, hash: u64) -> bool {
        let held = self.held.entry(hash).or_default();
        let admits = *held < self.each;
        *held += u32::from(admits);
        admits
    }
}

impl ValueSample {
    /// Of about `most` rows at most, each with `width` hashes beside it.
    pub(super) fn new(most: usize, width: usize) -> Self {
        Self { most, limit: None, zeros: 0, rows: Vec::new(), beside: Vec::new(), width }
    }

    /// The same with at most so many rows of each value.
    pub(super) fn of_each(self, each: u32) -> Self {
        Self { limit: Some(Limit { each, held: FxHashMap::default() }), ..self }
    }

    /// Adds a row with the hash of its value.
    pub(super) fn add(&mut self, hash: u64, row: u32, beside: impl Iterator<Item = u64>) {
        if hash.leading_zeros() < self.zeros || self.limit.as_mut().is_some_and(|limit| !limit.admits(hash)) {
            return;
        }
        if self.rows.len() == self.rows.capacity() {
            // No more than can ever be needed: there may be hundreds of samples.
            let more = (self.rows.len().max(64)).min(self.most + 1 - self.rows.len());
            self.rows.reserve_exact(more);
            self.beside.reserve_exact(more * self.width);
        }
        self.rows.push((hash, row));
        self.beside.extend(beside);
        debug_assert_eq!(self.beside.len(), self.rows.len() * self.width);
        while self.rows.len() > self.most {
            self.zeros += 1;
            self.thin();
        }
    }

    fn thin(&mut self) {
        let (zeros, width) = (self.zeros, self.width);
        let mut kept = 0;
        for at in 0..self.rows.len() {
            if self.rows[at].0.leading_zeros() >= zeros {
                self.rows[kept] = self.rows[at];
                self.beside.copy_within(at * width..(at + 1) * width, kept * width);
                kept += 1;
            }
        }
        if let Some(limit) = &mut self.limit {
            limit.held.retain(|hash, _| hash.leading_zeros() >= zeros);
        }
        self.rows.truncate(kept);
        self.beside.truncate(kept * width);
    }

    /// How many rows of the table each row of the sample stands for.
    pub(super) fn weight(&self) -> u64 {
        1 << self.zeros.min(63)
    }

    /// The places of the rows, those with the same value side by side.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        let mut places: Vec<usize> = (0..self.rows.len()).collect();
        places.sort_unstable_by_key(|&at| self.rows[at]);
        places.chunk_by(|&a, &b| self.rows[a].0 == self.rows[b].0).map(<[usize]>::to_vec).collect()
    }

    /// How many rows of the table have a value that no other row has.
    pub(super) fn alone(&self) -> u64 {
        let mut hashes: Vec<u64> = self.rows.iter().map(|row| row.0).collect();
        hashes.sort_unstable();
        let alone = hashes.chunk_by(|a, b| a == b).filter(|rows| rows.len() == 1).count();
        alone as u64 * self.weight()
    }

    /// The row at a place.
    pub(super) fn row(&self, at: usize) -> u32 {
        self.rows[at].1
    }

    /// What else is known of the row at a place.
    pub(super) fn beside(&self, at: usize) -> &[u64] {
        &self.beside[at * self.width..(at + 1) * self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_value_all_rows_are_there_or_none() {
        let mut sample = ValueSample::new(100, 1);
        let value = |row: u32| u64::from(row % 700);
        for row in 0..7000 {
            sample.add(spread(value(row) + 1), row, std::iter::once(value(row)));
        }
        assert!(sample.weight() > 1 && !sample.groups().is_empty());
        for group in sample.groups() {
            assert_eq!(group.len(), 10);
            assert!(group.iter().all(|&at| sample.beside(at) == [value(sample.row(at))]));
        }
    }

    /// A value that very many rows have takes no room from the others.
    #[test]
    fn frequent_values_stay_in_the_sample() {
        let mut sample = ValueSample::new(100, 0).of_each(4);
        for row in 0..10_000 {
            sample.add(spread(u64::from(row % 3) + 1), row, std::iter::empty());
        }
        assert_eq!(sample.weight(), 1);
        assert_eq!(sample.groups().iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 4]);
        assert_eq!(sample.alone(), 0);
    }

    #[test]
    fn who_is_alone_is_counted_exactly_in_small_tables_and_about_right_in_large_ones() {
        let alone = |most: usize| {
            let mut sample = ValueSample::new(most, 0);
            for row in 0..20_000u32 {
                // Every fourth row has a value of its own, the others share in pairs and more.
                let value = if row % 4 == 0 { row } else { row % 1000 + 100_001 };
                sample.add(spread(u64::from(value)), row, std::iter::empty());
            }
            sample.alone()
        };
        assert_eq!(alone(1 << 15), 5000);
        assert!((4000..6000).contains(&alone(1 << 11)), "{}", alone(1 << 11));
    }
}
