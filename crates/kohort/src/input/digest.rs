//! SHA-256 of a file, as the certificate states it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// What a file's bytes are condensed to.
pub struct FileDigest {
    /// SHA-256 in hexadecimal; published.
    pub sha256: String,
    /// A second digest, not published and not to be had from the first: a key for whoever has the file, and nobody else.
    pub secret: [u8; 32],
}

/// Condenses a file for the certificate and as a key, in one pass.
pub fn digest(path: &Path) -> Result<FileDigest> {
    // A different beginning makes the second independent of the first.
    let mut secret = Sha256::new_with_prefix(b"kohort secret of a file 1");
    let sha256 = read_through(path, |bytes| secret.update(bytes))?;
    Ok(FileDigest { sha256, secret: secret.finalize().into() })
}

/// The SHA-256 of a file in hexadecimal.
pub fn sha256(path: &Path) -> Result<String> {
    read_through(path, |_| ())
}

/// Hashes a file and shows its bytes to `each` on the way.
fn read_through(path: &Path, mut each: impl FnMut(&[u8])) -> Result<String> {
    let fail =
        |e: std::io::Error| Error::input(format!("cannot read the file: {e}")).at(path.display().to_string());
    let mut file = File::open(path).map_err(fail)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 18]);
    loop {
        match file.read(&mut buffer).map_err(fail)? {
            0 => return Ok(hex(&hash.finalize())),
            n => {
                hash.update(&buffer[..n]);
                each(&buffer[..n]);
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_digest() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let digest = super::digest(file.path()).unwrap();
        assert_eq!(digest.sha256, expected);
        assert_ne!(super::hex(&digest.secret), expected);
    }
}
