//! The formats that tables are written in, and read from as they lie there.

use std::path::Path;

use super::packing::{Packing, ending};

/// How a table is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with a separator and a header line.
    Csv {
        /// What stands between fields.
        separator: u8,
    },
    /// One JSON object per row.
    JsonLines,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC file.
    Arrow,
}

impl Format {
    /// The format a file name asks for, packed or not; CSV when the ending says nothing.
    pub fn of(path: &Path) -> Self {
        match ending(&Packing::split(path).0).as_str() {
            "tsv" | "tab" => Self::Csv { separator: b'\t' },
            "psv" => Self::Csv { separator: b'|' },
            "jsonl" | "ndjson" => Self::JsonLines,
            "parquet" | "pq" => Self::Parquet,
            "arrow" | "feather" | "ipc" => Self::Arrow,
            _ => Self::Csv { separator: b',' },
        }
    }

    /// Whether all cells are text there, so that nothing and the empty text are the same.
    pub fn is_text_only(self) -> bool {
        matches!(self, Self::Csv { .. } | Self::JsonLines)
    }
}
