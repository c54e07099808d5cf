//! The order of released rows.
//!
//! Order can identify people, so it is shuffled. The same seed and the same file give the same order, but the seed is no
//! secret (people choose small ones, and the default is 0), nor are the quasi-identifiers: an outsider may know them all.
//! So the key condenses every byte of the file, columns that are dropped and those nobody outside knows included. Whoever
//! could guess all of it could as well check the guess against the digest in the certificate.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

/// Which row stands at each place: ascending, or shuffled with a key from the file's secret digest and the seed.
pub(super) fn order(mut rows: Vec<u32>, secret: &[u8; 32], seed: u64, keep: bool) -> Vec<u32> {
    if !keep {
        let mut key = Sha256::new_with_prefix(b"kohort row order 2");
        key.update(secret);
        key.update(seed.to_le_bytes());
        rows.shuffle(&mut ChaCha20Rng::from_seed(key.finalize().into()));
    }
    rows
}
