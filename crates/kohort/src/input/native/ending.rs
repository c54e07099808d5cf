//! What the ending of a file name promises, and whether the file keeps it.

use std::path::Path;

use super::recognize::Content;
use crate::error::{Error, Result};
use crate::input::packing::ending;
use crate::input::{Format, Packing};

/// What a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Text, with what stands between fields if nothing else is found.
    Csv(u8),
    Json,
    Parquet,
    Arrow,
    Workbook,
    Database,
    /// Nothing: what is in the file decides.
    Unknown,
}

impl Ending {
    pub(super) fn of(name: &Path) -> Self {
        match ending(&Packing::split(name).0).as_str() {
            "csv" => Self::Csv(b','),
            "tsv" | "tab" => Self::Csv(b'\t'),
            "psv" => Self::Csv(b'|'),
            "json" | "jsonl" | "ndjson" => Self::Json,
            "parquet" | "pq" => Self::Parquet,
            "arrow" | "feather" | "ipc" => Self::Arrow,
            "xlsx" | "xlsm" | "xls" | "xlsb" | "ods" => Self::Workbook,
            "sqlite" | "sqlite3" | "db3" => Self::Database,
            _ => Self::Unknown,
        }
    }

    /// The format that stores columns, if one is promised.
    pub(super) fn is_columns(self) -> Option<Format> {
        match self {
            Self::Parquet => Some(Format::Parquet),
            Self::Arrow => Some(Format::Arrow),
            _ => None,
        }
    }

    /// Refuses a file that is known to be something else than its name says.
    pub(super) fn check(self, content: Content, shown: &str) -> Result<()> {
        let (what, name) = match (self, content) {
            (Self::Unknown, _)
            | (_, Content::Foreign(_) | Content::Empty | Content::Binary)
            | (Self::Parquet, Content::Parquet)
            | (Self::Arrow, Content::Arrow)
            // Their readers say more.
            | (Self::Parquet | Self::Arrow, Content::Text | Content::Utf16 { .. })
            | (Self::Workbook, Content::Workbook(_))
            | (Self::Database, Content::Database)
            | (Self::Csv(_), Content::Text | Content::Utf16 { .. })
            | (Self::Json, Content::Json | Content::Text | Content::Utf16 { .. }) => return Ok(()),
            (_, Content::Parquet | Content::Arrow) => ("a Parquet or Arrow file", ".parquet or .arrow"),
            (_, Content::Workbook(_)) => ("a workbook, such as of Excel,", ".xlsx, .xls, .xlsb or .ods"),
            (_, Content::Database) => ("a SQLite database", ".sqlite"),
            (_, Content::Json) => ("JSON", ".jsonl or .json"),
            (_, Content::Text | Content::Utf16 { .. }) => ("text", ".csv or .tsv"),
        };
        Err(Error::input(format!("this is {what} under another ending"))
            .in_file(shown)
            .help(format!("name it {name}")))
    }
}
