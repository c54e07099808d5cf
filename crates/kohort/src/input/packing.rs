//! How the bytes of a text are packed.

use std::path::{Path, PathBuf};

/// What a text is packed with, if with anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip, of one part or several.
    Gzip,
    /// Zstandard.
    Zstd,
}

impl Packing {
    /// What the ending of a file name says.
    pub fn of(name: &Path) -> Self {
        Self::split(name).1
    }

    /// The name without the ending that is about packing, and what that says.
    pub(crate) fn split(name: &Path) -> (PathBuf, Self) {
        let packing = match ending(name).as_str() {
            "gz" | "gzip" => Self::Gzip,
            "zst" | "zstd" => Self::Zstd,
            _ => return (name.to_owned(), Self::Plain),
        };
        (name.with_extension(""), packing)
    }

    /// What the first bytes of a file say.
    pub(super) fn of_bytes(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, 0x08, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Self::Zstd,
            _ => Self::Plain,
        }
    }
}

/// What stands behind the last dot of a name, in small letters.
pub(crate) fn ending(name: &Path) -> String {
    name.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_packing_and_what_is_inside() {
        let split = |name: &str| {
            let (inner, packing) = Packing::split(Path::new(name));
            (inner.display().to_string(), packing)
        };
        assert_eq!(split("a/t.csv.gz"), ("a/t.csv".into(), Packing::Gzip));
        assert_eq!(split("t.jsonl.ZST"), ("t.jsonl".into(), Packing::Zstd));
        assert_eq!(split("t.csv"), ("t.csv".into(), Packing::Plain));
        assert_eq!(split("t.gz"), ("t".into(), Packing::Gzip));
    }
}
