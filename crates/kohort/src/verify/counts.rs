//! What a class holds, counted by the verifier itself.

use std::borrow::Cow;

/// How often each value of a sensitive column occurs in a class, by code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counts(Vec<(u32, u32)>);

impl Counts {
    /// Values with their frequencies, by code.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().copied()
    }

    /// The frequencies, largest first.
    pub(super) fn falling(&self) -> Vec<u32> {
        let mut times: Vec<u32> = self.iter().map(|(_, times)| times).collect();
        times.sort_unstable_by(|a, b| b.cmp(a));
        times
    }

    /// The same without some values.
    pub(super) fn without(&self, codes: &[u32]) -> Cow<'_, Self> {
        if self.iter().any(|(code, _)| codes.contains(&code)) {
            Cow::Owned(Self(self.iter().filter(|(code, _)| !codes.contains(code)).collect()))
        } else {
            Cow::Borrowed(self)
        }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> u64 {
        self.iter().map(|(_, times)| u64::from(times)).sum()
    }

    /// How many different values there are.
    pub(super) fn distinct(&self) -> usize {
        self.0.len()
    }
}

impl FromIterator<u32> for Counts {
    fn from_iter<I: IntoIterator<Item = u32>>(codes: I) -> Self {
        let mut codes: Vec<u32> = codes.into_iter().collect();
        codes.sort_unstable();
        let runs = codes.chunk_by(|a, b| a == b);
        Self(runs.map(|run| (run[0], run.len() as u32)).collect())
    }
}

/// A class of a release.
pub(super) struct Class {
    /// Its texts, as codes, one per published column.
    pub(super) texts: Box<[u32]>,
    /// How many rows it has.
    pub(super) rows: u64,
    /// What its rows hold, one per sensitive column.
    pub(super) values: Vec<Counts>,
}
