//! The order of released rows.
//!
//! Order can identify people, so it is shuffled. The same seed and the same table give the same order, but nobody without
//! the table can undo it: the key is a hash over the seed *and* the encoded rows, not the seed alone, which people choose
//! small, nor the digest of the file, which the certificate publishes.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

use crate::data::{Codes, Table};

/// Which row stands at each place: ascending, or shuffled.
pub(super) fn order(table: &Table, mut rows: Vec<u32>, seed: u64, keep: bool) -> Vec<u32> {
    if !keep {
        rows.shuffle(&mut ChaCha20Rng::from_seed(key(table, seed)));
    }
    rows
}

fn key(table: &Table, seed: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"kohort row order 1");
    hash.update(seed.to_le_bytes());
    let columns = table.qi.iter().map(|q| &q.codes).chain(table.sensitive.iter().map(|s| &s.codes));
    for codes in columns {
        match codes {
            Codes::U8(v) => hash.update(v),
            Codes::U16(v) => v.iter().for_each(|c| hash.update(c.to_le_bytes())),
            Codes::U32(v) => v.iter().for_each(|c| hash.update(c.to_le_bytes())),
        }
    }
    hash.finalize().into()
}
