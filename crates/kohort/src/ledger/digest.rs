//! Whose row it is, without saying who: digests that only the holder of the salt can repeat.

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use super::Ledger;
use crate::error::{Error, Result};

impl Ledger {
    /// A salt for a new ledger, drawn from the system: nobody can prepare digests of likely keys beforehand.
    pub fn new_salt() -> Result<[u8; 32]> {
        let mut salt = [0; 32];
        SysRng.try_fill_bytes(&mut salt).map_err(|e| {
            Error::input(format!("the system gives no random numbers: {e}"))
                .help("check that programs may read /dev/urandom")
        })?;
        Ok(salt)
    }

    /// The keyed digest of what names a person or a row: one text for each of its columns.
    pub fn key(&self, texts: &[&str]) -> [u8; 16] {
        keyed(&self.salt, texts)
    }
}

/// The length of each text goes before it, so that `ab`, `c` is not `a`, `bc`.
fn keyed(salt: &[u8; 32], texts: &[&str]) -> [u8; 16] {
    let mut hash = Sha256::new_with_prefix(salt);
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    let mut key = [0; 16];
    key.copy_from_slice(&hash.finalize()[..16]);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart_and_salts_too() {
        let (salt, other) = (Ledger::new_salt().unwrap(), Ledger::new_salt().unwrap());
        assert_ne!(salt, other);
        assert_eq!(keyed(&salt, &["ab", "c"]), keyed(&salt, &["ab", "c"]));
        assert_ne!(keyed(&salt, &["ab", "c"]), keyed(&salt, &["a", "bc"]));
        assert_ne!(keyed(&salt, &["ab", "c"]), keyed(&other, &["ab", "c"]));
    }
}
