//! A certificate as whoever receives a release sees it: claims, to be recomputed.
//!
//! It is read into the types it was written from, so that there is one definition of its layout; keys that a later version may
//! add are ignored. Nothing in it is believed: `job.rs` makes demands of its claims, `check.rs` holds its digest, columns and
//! figures against the release.

mod check;
mod job;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

pub(super) use self::job::ClaimedJob;
use super::others_certificate;
use crate::demand::Demands;
use crate::error::{Error, Result};
use crate::report::{Asked, CERTIFICATE_VERSION, OriginalCounts, Recomputed, ReleaseFile};
use crate::verify::PublishedLabels;

/// Certificates take kilobytes.
const MOST_BYTES: u64 = 1 << 26;

/// What a certificate says of a release.
#[derive(Debug, Deserialize)]
pub(super) struct Claims {
    /// Where it lies.
    #[serde(skip)]
    place: PathBuf,
    release: ReleaseFile,
    asked: Asked,
    columns: Columns,
    #[serde(default)]
    published_labels: BTreeMap<String, PublishedLabels>,
    #[serde(default)]
    recomputed: Option<Recomputed>,
    #[serde(default)]
    original: Option<OriginalCounts>,
    #[serde(default)]
    release_of_series: Option<u32>,
}

/// Column names by what became of them.
#[derive(Debug, Deserialize)]
struct Columns {
    identifiers_dropped: Vec<String>,
    #[serde(default)]
    person_dropped: Vec<String>,
    quasi_identifiers: Vec<String>,
    sensitive: Vec<String>,
    dropped: Vec<String>,
    passed_through: Vec<String>,
}

impl Claims {
    /// The certificate beside a release, where there is one. There is nothing beside standard input.
    pub(super) fn beside(release: &Path) -> Option<PathBuf> {
        let place = others_certificate::beside(release);
        (release != Path::new("-") && place.is_file()).then_some(place)
    }

    /// Reads a certificate.
    pub(super) fn read(place: &Path) -> Result<Self> {
        let shown = place.display().to_string();
        let text = text(place).map_err(|e| e.in_file(&shown))?;
        Self::parse(&text, place)
    }

    /// The text of a certificate, and where it comes from.
    pub(super) fn parse(text: &[u8], place: &Path) -> Result<Self> {
        let shown = place.display().to_string();
        let object: Value =
            serde_json::from_slice(text).map_err(|_| no_certificate("it is not JSON").in_file(&shown))?;
        check_kind(&object).map_err(|e| e.in_file(&shown))?;
        let strange = |e: serde_json::Error| {
            Error::input(format!("the certificate cannot be understood: {e}"))
                .in_file(&shown)
                .help("it must be as it was written; ask whoever made the release for it")
        };
        let mut claims: Self = serde_json::from_value(object).map_err(strange)?;
        claims.asked.models = models(&claims.asked).map_err(strange)?;
        Ok(Self { place: place.to_owned(), ..claims })
    }

    /// Which release of a growing table it belongs to, where it does.
    pub(super) fn release_of_series(&self) -> Option<u32> {
        self.release_of_series
    }

    /// What to call it in messages.
    fn shown(&self) -> String {
        self.place.display().to_string()
    }
}

fn text(place: &Path) -> Result<Vec<u8>> {
    let cannot = |e: std::io::Error| {
        Error::input(format!("cannot read the certificate: {e}"))
            .help("name the file that was written beside the release")
    };
    let mut text = Vec::new();
    // Not more than that, whatever a device or a pipe would give.
    let file = File::open(place).map_err(cannot)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(cannot)?;
    if text.len() as u64 > MOST_BYTES { Err(no_certificate("it is too large")) } else { Ok(text) }
}

fn no_certificate(why: &str) -> Error {
    Error::input(format!("this is no certificate: {why}"))
        .help("name the file that was written beside the release, which ends in .certificate.json")
}

/// Refuses other documents, and certificates whose keys may mean something else.
fn check_kind(object: &Value) -> Result<()> {
    match object["document"].as_str() {
        Some("kohort certificate") => {}
        Some(other) if other.starts_with("kohort audit") => {
            return Err(no_certificate("it is an audit record, which is private"));
        }
        _ => return Err(no_certificate("it does not say that it is one")),
    }
    if object["schema_version"].as_u64() == Some(u64::from(CERTIFICATE_VERSION)) {
        return Ok(());
    }
    Err(Error::input(format!(
        "the certificate has version {} of its layout, expected {CERTIFICATE_VERSION}",
        object["schema_version"]
    ))
    .help("use a version of kohort that knows this layout; the key 'kohort' says which one wrote it"))
}

/// The demands. Under another notion k has another name, so that nobody takes it for k-anonymity.
fn models(asked: &Asked) -> serde_json::Result<Demands> {
    let mut named = asked.demands.clone();
    for demand in named.as_array_mut().into_iter().flatten() {
        if demand["model"] == asked.notion.title() {
            demand["model"] = "k-anonymity".into();
        }
    }
    serde_json::from_value(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demand::{Demand, Model, NOTIONS};

    #[test]
    fn k_is_found_under_the_name_of_every_notion() {
        for entry in NOTIONS {
            let asked = serde_json::json!({
                "models": [{ "model": entry.title, "k": 4 }, { "model": "p-sensitive", "p": 2, "column": "a" }],
                "protected": {}, "closeness": {}, "notion": entry.notion, "missing": "value",
                "missing_by_column": {}, "missing_sensitive": "ignore", "na": [], "na_by_column": {},
                "suppressed_rows": "drop", "intervals": "text", "snap": {}, "keep_order": false,
                "boundaries": {}, "suppress": null, "opt_out": null, "cut_by_values": [], "untyped": [],
                "of_a_later_version": 1,
            });
            let p = Demand { model: Model::PSensitive { p: 2 }, column: Some("a".into()) };
            let expected = Demands::new(4, None).unwrap().anyway(p);
            assert_eq!(models(&serde_json::from_value(asked).unwrap()).unwrap(), expected);
        }
    }

    #[test]
    fn other_documents_are_refused() {
        let refused = |text: &str| check_kind(&serde_json::from_str(text).unwrap()).unwrap_err().to_string();
        assert!(refused("[1]").contains("does not say"));
        assert!(refused(r#"{"document": "kohort audit record"}"#).contains("private"));
        let later = refused(r#"{"document": "kohort certificate", "schema_version": 2}"#);
        assert!(later.contains("version 2 of its layout, expected 1"), "{later}");
    }
}
