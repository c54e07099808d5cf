//! Names of tables that promise what cannot be written.

use std::path::Path;

use crate::error::{Error, Result};
use crate::input::{Format, Packing, ending};

/// Endings that promise a format nobody would find inside.
const FOREIGN: [&str; 43] = [
    "7z", "accdb", "avro", "bz2", "db", "db3", "dbf", "doc", "docx", "dta", "duckdb", "h5", "hdf5", "htm",
    "html", "json", "lz4", "mdb", "numbers", "ods", "orc", "pdf", "por", "rar", "rda", "rdata", "rds", "rtf",
    "sas7bdat", "sav", "sqlite", "sqlite3", "tar", "tgz", "xls", "xlsb", "xlsm", "xlsx", "xml", "xpt", "xz",
    "zip", "zsav",
];

const WAY_OUT: &str =
    "end the name in .csv, .tsv, .jsonl, .parquet or .arrow; .gz or .zst behind the first three packs them";

/// Refuses a table under the name of something else.
pub fn refuse_foreign_ending(output: &Path) -> Result<()> {
    let (inner, packing) = Packing::split(output);
    let is_columns = matches!(Format::of(output), Format::Parquet | Format::Arrow);
    let last = ending(&inner);
    let what = if FOREIGN.contains(&last.as_str()) {
        format!("kohort does not write .{last} files")
    } else if packing != Packing::Plain && is_columns {
        format!("a .{last} file is packed inside, and is not packed once more")
    } else {
        return Ok(());
    };
    Err(Error::job(what).in_file(output.display().to_string()).help(WAY_OUT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_may_be_named_and_nothing_else() {
        let refused = |name: &str| refuse_foreign_ending(Path::new(name)).is_err();
        for name in [
            "-",
            "r",
            "r.csv",
            "r.tsv",
            "r.psv",
            "r.txt",
            "r.jsonl",
            "r.ndjson",
            "r.parquet",
            "r.feather",
            "r.csv.gz",
            "r.tsv.zst",
            "r.jsonl.gz",
            "r.gz",
            "v1.2",
        ] {
            assert!(!refused(name), "{name}");
        }
        for name in [
            "r.xlsx",
            "r.XLS",
            "r.json",
            "r.sav",
            "r.zip",
            "r.db",
            "r.json.gz",
            "r.parquet.gz",
            "r.arrow.zst",
            "r.csv.bz2",
            "r.tgz",
        ] {
            assert!(refused(name), "{name}");
        }
    }
}
