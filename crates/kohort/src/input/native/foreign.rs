//! Files that are known and not read: what they are, and the one way out.

use super::recognize::without_mark;
use crate::error::{Error, Result};

/// A kind of file that is not read.
pub(super) struct Foreign {
    /// What it is, as an end of "this is".
    pub(super) what: &'static str,
    /// What makes a table of it that is read.
    way_out: &'static str,
    /// Whether a file that starts like this is one.
    pub(super) is: fn(&[u8]) -> bool,
}

impl std::fmt::Debug for Foreign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.what)
    }
}

impl PartialEq for Foreign {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl Foreign {
    /// Refuses the file.
    pub(super) fn refused<T>(&self, shown: &str) -> Result<T> {
        Err(Error::input(format!("this is {}, which kohort does not read", self.what))
            .in_file(shown)
            .help(self.way_out_of(shown)))
    }
}

impl Foreign {
    /// The way out with the name of the file, where a shell and a program take it as it is.
    fn way_out_of(&self, shown: &str) -> String {
        let is_plain = |c: char| c.is_alphanumeric() || "._-/".contains(c);
        let stands_for_it = |word: &&str| word.starts_with("old.") && word.len() > "old.".len();
        let mut words = self.way_out.split(['\'', '"', ' ', ';', ',', '(', ')']);
        match words.find(stands_for_it) {
            Some(old) if !shown.is_empty() && !shown.starts_with('-') && shown.chars().all(is_plain) => {
                self.way_out.replace(old, shown)
            }
            _ => self.way_out.to_owned(),
        }
    }
}

/// Known by the list of names inside, which says that it is no workbook.
pub(super) static ZIP: Foreign = Foreign {
    what: "a zip archive",
    way_out: "unpack it (unzip archive.zip) and give the table that was inside",
    is: |_| false,
};

fn has_zeros(start: &[u8]) -> bool {
    start[..start.len().min(512)].contains(&0)
}

fn begins(start: &[u8], with: &str) -> bool {
    let text = without_mark(start).trim_ascii_start();
    text.get(..with.len()).is_some_and(|part| part.eq_ignore_ascii_case(with.as_bytes()))
}

/// All of them. Short marks that a text could begin with count only in a file that is not text.
pub(super) static FOREIGN: &[Foreign] = &[
    Foreign {
        what: "a Stata file",
        way_out: "make a Parquet file of it (pip install pandas pyarrow): python3 -c \"import pandas; pandas.read_stata('old.dta').to_parquet('new.parquet')\"",
        is: |s| s.starts_with(b"<stata_dta>") || matches!(s, [0x66..=0x73, 1 | 2, 1, 0, ..]),
    },
    Foreign {
        what: "an SPSS file",
        way_out: "make a Parquet file of it (pip install pyreadstat pyarrow): python3 -c \"import pyreadstat; pyreadstat.read_sav('old.sav')[0].to_parquet('new.parquet')\"",
        is: |s| s.starts_with(b"$FL2") || s.starts_with(b"$FL3"),
    },
    Foreign {
        what: "a SAS file",
        way_out: "make a Parquet file of it (pip install pandas pyarrow): python3 -c \"import pandas; pandas.read_sas('old.sas7bdat', encoding='infer').to_parquet('new.parquet')\"",
        is: |s| {
            s.get(12..20) == Some(b"\xC2\xEA\x81\x60\xB3\x14\x11\xCF")
                || s.starts_with(b"HEADER RECORD*******LIB")
        },
    },
    Foreign {
        what: "a file of R",
        way_out: "make a CSV file of it: Rscript -e 'write.csv(readRDS(\"old.rds\"), \"new.csv\", row.names = FALSE, na = \"\")'; of an .RData file, load(\"old.RData\") first",
        is: |s| {
            [&b"RDX2\n"[..], b"RDX3\n", b"RDA2\n", b"RDA3\n", b"X\n\0\0\0\x02", b"X\n\0\0\0\x03"]
                .iter()
                .any(|mark| s.starts_with(mark))
        },
    },
    Foreign {
        what: "a DuckDB database",
        way_out: "pipe a query of it as CSV: duckdb -csv old.duckdb \"select * from people\", and read standard input (-)",
        is: |s| s.get(8..12) == Some(b"DUCK") && has_zeros(s),
    },
    Foreign {
        what: "an ORC file",
        way_out: "make a Parquet file of it: python3 -c \"import pandas; pandas.read_orc('old.orc').to_parquet('new.parquet')\"",
        is: |s| s.starts_with(b"ORC") && has_zeros(s),
    },
    Foreign {
        what: "an Avro file",
        way_out: "make a Parquet file of it: duckdb -c \"install avro; copy (from read_avro('old.avro')) to 'new.parquet'\"",
        is: |s| s.starts_with(b"Obj\x01"),
    },
    Foreign {
        what: "a PDF document",
        way_out: "ask whoever made it for the table itself, as CSV or Excel",
        is: |s| s.starts_with(b"%PDF-"),
    },
    Foreign {
        what: "an HTML page",
        way_out: "open it in a spreadsheet and save it as .xlsx or .csv; a page in place of a download is often a page that asks to log in",
        is: |s| ["<!doctype html", "<html", "<table", "<head>"].iter().any(|mark| begins(s, mark)),
    },
    Foreign {
        what: "an XML document",
        way_out: "open it in a spreadsheet and save it as .xlsx or .csv",
        is: |s| begins(s, "<?xml"),
    },
    Foreign {
        what: "a Feather file of version 1",
        way_out: "write it again as version 2: python3 -c \"import pandas; pandas.read_feather('old.feather').to_parquet('new.parquet')\"",
        is: |s| s.starts_with(b"FEA1") && has_zeros(s),
    },
    Foreign {
        what: "an Arrow stream",
        way_out: "write it as an Arrow file (Feather) or as Parquet: python3 -c \"import pyarrow as a, pyarrow.feather as f; f.write_feather(a.ipc.open_stream('old.arrows').read_all(), 'new.arrow')\"",
        is: |s| s.starts_with(b"\xFF\xFF\xFF\xFF"),
    },
    Foreign {
        what: "an HDF5 file",
        way_out: "make a Parquet file of it: python3 -c \"import pandas; pandas.read_hdf('old.h5').to_parquet('new.parquet')\"",
        is: |s| s.starts_with(b"\x89HDF\r\n\x1A\n"),
    },
    Foreign {
        what: "a database of Microsoft Access",
        way_out: "export the table from Access as .xlsx or .csv",
        is: |s| s.get(4..12) == Some(b"Standard") && has_zeros(s),
    },
    Foreign {
        what: "a 7-Zip archive",
        way_out: "unpack it and give the table that was inside",
        is: |s| s.starts_with(b"7z\xBC\xAF\x27\x1C"),
    },
    Foreign {
        what: "a RAR archive",
        way_out: "unpack it and give the table that was inside",
        is: |s| s.starts_with(b"Rar!\x1A\x07"),
    },
    Foreign {
        what: "packed with bzip2",
        way_out: "unpack it first: bunzip2 old.csv.bz2; gzip and Zstandard are read as they are",
        is: |s| s.starts_with(b"BZh") && s.get(4..10) == Some(b"1AY&SY"),
    },
    Foreign {
        what: "packed with xz",
        way_out: "unpack it first: unxz old.csv.xz; gzip and Zstandard are read as they are",
        is: |s| s.starts_with(b"\xFD7zXZ\0"),
    },
    Foreign {
        what: "packed with LZ4",
        way_out: "unpack it first: unlz4 old.csv.lz4; gzip and Zstandard are read as they are",
        is: |s| s.starts_with(b"\x04\x22\x4D\x18"),
    },
    Foreign {
        what: "packed twice",
        way_out: "unpack it once: gunzip old.csv.gz",
        is: |s| s.starts_with(b"\x1F\x8B\x08") || s.starts_with(b"\x28\xB5\x2F\xFD"),
    },
    Foreign {
        what: "a tar archive",
        way_out: "unpack it (tar xf archive.tar) and give the table that was inside",
        is: |s| s.get(257..262) == Some(b"ustar"),
    },
    Foreign {
        what: "a text document with layout (RTF)",
        way_out: "open it in a word processor and save the table as .csv",
        is: |s| s.starts_with(b"{\\rtf"),
    },
    Foreign {
        what: "a pointer of Git LFS, not the file it stands for",
        way_out: "fetch the file: git lfs pull",
        is: |s| s.starts_with(b"version https://git-lfs.github.com/spec"),
    },
];
