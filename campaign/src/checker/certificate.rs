//! What can be said about a certificate without the library.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Violation;
use crate::case::Case;

/// A certificate must name the release it belongs to by its digest.
pub fn check_certificate(certificate: &Value, release: &Path, _job: &Case) -> Result<Option<Violation>> {
    let digest = Sha256::digest(std::fs::read(release)?).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let said = ["/files/release_sha256", "/release/sha256"].iter().find_map(|at| certificate.pointer(at));
    Ok((said.and_then(Value::as_str) != Some(&digest))
        .then(|| Violation::new("certificate", format!("says {said:?}, the release has {digest}"))))
}
