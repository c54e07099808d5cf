//! What a class contains, as far as any model asks: one mergeable object for the inner loop.

/// Size of a class and, per sensitive column, how often each value occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    rows: u64,
    counts: Vec<ValueCounts>,
}

impl Tally {
    /// An empty class over so many sensitive columns.
    pub fn new(sensitive_columns: usize) -> Self {
        Self { rows: 0, counts: vec![ValueCounts::default(); sensitive_columns] }
    }

    /// Adds `times` rows with these sensitive codes (one per column).
    pub fn add(&mut self, sensitive: impl IntoIterator<Item = u32>, times: u32) {
        self.rows += u64::from(times);
        for (counts, code) in self.counts.iter_mut().zip(sensitive) {
            counts.add(code, times);
        }
    }

    /// The class of some rows: how often each combination of sensitive codes occurs, `code(column, item)` for each `item`
    /// with the number of its rows. Takes a sort and not an insertion per row, because codes can be as many as rows.
    pub fn gather<T: Copy>(columns: usize, items: &[(T, u32)], code: impl Fn(usize, T) -> u32) -> Self {
        let of =
            |column: usize| ValueCounts::of(items.iter().map(|&(item, n)| (code(column, item), n)).collect());
        Self { rows: items.iter().map(|(_, n)| u64::from(*n)).sum(), counts: (0..columns).map(of).collect() }
    }

    /// Makes it a class of so many rows, given how often each code of each column occurs.
    pub(super) fn fill(&mut self, rows: u64, counts: Vec<Vec<u32>>) {
        self.rows = rows;
        let present = |times: Vec<u32>| ValueCounts((0..).zip(times).filter(|(_, n)| *n > 0).collect());
        self.counts = counts.into_iter().map(present).collect();
    }

    /// Takes `times` rows with these sensitive codes out again.
    pub fn remove(&mut self, sensitive: impl IntoIterator<Item = u32>, times: u32) {
        self.rows -= u64::from(times);
        for (counts, code) in self.counts.iter_mut().zip(sensitive) {
            counts.remove(code, times);
        }
    }

    /// Adds all rows of another class.
    pub fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.merge(theirs);
        }
    }

    /// Takes all rows of another class out again.
    pub fn subtract(&mut self, other: &Self) {
        self.rows -= other.rows;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            for &(code, times) in &theirs.0 {
                mine.remove(code, times);
            }
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The sensitive columns, in schema order.
    pub fn columns(&self) -> &[ValueCounts] {
        &self.counts
    }
}

/// Up to so many codes are inserted one by one.
const FEW: usize = 32;

/// A code that is no value: it is counted in no column.
pub const NO_VALUE: u32 = u32::MAX;

/// How often each value of one sensitive column occurs in a class; sorted by code, no zero entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueCounts(Vec<(u32, u32)>);

impl ValueCounts {
    /// Number of different values.
    pub fn distinct(&self) -> usize {
        self.0.len()
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.0.iter().map(|e| u64::from(e.1)).sum()
    }

    /// How often the value occurs.
    pub fn count(&self, code: u32) -> u32 {
        self.0.binary_search_by_key(&code, |e| e.0).map_or(0, |i| self.0[i].1)
    }

    /// Values with their frequencies, by code.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().copied()
    }

    /// Codes, each with a number of rows, in any order.
    pub(super) fn of(mut codes: Vec<(u32, u32)>) -> Self {
        if codes.len() <= FEW {
            let mut counts = Self::default();
            for (code, times) in codes {
                counts.add(code, times);
            }
            return counts;
        }
        codes.sort_unstable_by_key(|&(code, _)| code);
        codes.dedup_by(|next, before| {
            let same = next.0 == before.0;
            before.1 += if same { next.1 } else { 0 };
            same
        });
        // It is counted in no column.
        codes.pop_if(|(code, _)| *code == NO_VALUE);
        Self(codes)
    }

    /// Adds all of another.
    fn merge(&mut self, other: &Self) {
        if other.0.len() <= FEW {
            other.0.iter().for_each(|&(code, times)| self.add(code, times));
        } else {
            *self = Self::of(self.0.iter().chain(&other.0).copied().collect());
        }
    }

    /// The same without a value.
    #[must_use]
    pub(super) fn without(&self, code: u32) -> Self {
        Self(self.0.iter().copied().filter(|e| e.0 != code).collect())
    }

    pub(super) fn add(&mut self, code: u32, times: u32) {
        if code == NO_VALUE {
            return;
        }
        match self.0.binary_search_by_key(&code, |e| e.0) {
            Ok(i) => self.0[i].1 += times,
            Err(i) => self.0.insert(i, (code, times)),
        }
    }

    pub(super) fn remove(&mut self, code: u32, times: u32) {
        if let Ok(i) = self.0.binary_search_by_key(&code, |e| e.0) {
            self.0[i].1 -= times;
            if self.0[i].1 == 0 {
                self.0.remove(i);
            }
        }
    }
}

/// A class with so many rows of each code.
#[cfg(test)]
pub(super) fn counts(times: &[u32]) -> ValueCounts {
    ValueCounts((0..).zip(times.iter().copied()).filter(|(_, n)| *n > 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_undoes_adding_and_merging_adds_up() {
        let mut a = Tally::new(2);
        a.add([3, 0], 2);
        a.add([1, 0], 1);
        let before = a.clone();
        a.add([7, 7], 4);
        a.remove([7, 7], 4);
        assert_eq!(a, before);
        let mut b = Tally::new(2);
        b.add([3, 5], 1);
        a.merge(&b);
        assert_eq!((a.rows(), a.columns()[0].count(3), a.columns()[1].distinct()), (4, 3, 2));
    }
}
