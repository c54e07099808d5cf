//! What a file is, told by its bytes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::foreign::{FOREIGN, Foreign};

/// So many bytes from the start of a file tell what it is.
pub(super) const START: usize = 4096;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Content {
    Empty,
    /// Text that could be CSV.
    Text,
    /// UTF-16, by its mark, or by what its bytes look like.
    Utf16 {
        name: &'static str,
        is_marked: bool,
    },
    Json,
    Parquet,
    Arrow,
    Workbook(Workbook),
    Database,
    /// Something else that is known and not read.
    Foreign(&'static Foreign),
    Binary,
}

/// Which kind of workbook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Workbook {
    Xlsx,
    Xlsb,
    Ods,
    /// The old format of Excel, or any other of the same container.
    Xls,
}

/// What the bytes say. `start` are the first of them.
pub(super) fn recognize(start: &[u8], path: &Path) -> Content {
    if start.is_empty() {
        return Content::Empty;
    }
    if let Some(found) = FOREIGN.iter().find(|foreign| (foreign.is)(start)) {
        return Content::Foreign(found);
    }
    match start {
        s if s.starts_with(b"PAR1") => Content::Parquet,
        s if s.starts_with(b"ARROW1") => Content::Arrow,
        s if s.starts_with(b"SQLite format 3\0") => Content::Database,
        s if s.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") => Content::Workbook(Workbook::Xls),
        s if s.starts_with(b"PK\x03\x04") => zip(start, path),
        s if s.starts_with(b"\xFF\xFE\0\0") => Content::Binary,
        s if s.starts_with(b"\xFF\xFE") => Content::Utf16 { name: "utf-16le", is_marked: true },
        s if s.starts_with(b"\xFE\xFF") => Content::Utf16 { name: "utf-16be", is_marked: true },
        s if s[..s.len().min(512)].contains(&0) => wide(&s[..s.len().min(512)]),
        s if is_json(s) => Content::Json,
        _ => Content::Text,
    }
}

/// A zip archive may be a workbook: its list of names, at the end, tells.
fn zip(start: &[u8], path: &Path) -> Content {
    const LIST: u64 = 1 << 17;
    let tail = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LIST)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let tail = tail().unwrap_or_default();
    let has =
        |name: &str| [start, &tail].iter().any(|part| memchr::memmem::find(part, name.as_bytes()).is_some());
    if has("application/vnd.oasis.opendocument.spreadsheet") {
        Content::Workbook(Workbook::Ods)
    } else if has("xl/workbook.bin") {
        Content::Workbook(Workbook::Xlsb)
    } else if has("xl/workbook.xml") || has("xl/worksheets/") {
        Content::Workbook(Workbook::Xlsx)
    } else {
        Content::Foreign(&super::foreign::ZIP)
    }
}

/// Text of two bytes a character has every other byte zero, as long as it is mostly ASCII.
fn wide(start: &[u8]) -> Content {
    let zeros = |first: usize| start.iter().skip(first).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), start.len() / 2);
    if odd * 10 >= half * 8 && even * 10 <= half {
        Content::Utf16 { name: "utf-16le", is_marked: false }
    } else if even * 10 >= half * 8 && odd * 10 <= half {
        Content::Utf16 { name: "utf-16be", is_marked: false }
    } else {
        Content::Binary
    }
}

/// Whether text begins as an object with a key, or a list of objects. No header of CSV does.
fn is_json(start: &[u8]) -> bool {
    let text = without_mark(start).trim_ascii_start();
    let after = |text: &'_ [u8]| text[1..].trim_ascii_start().first().copied();
    match text.first() {
        Some(b'{') => matches!(after(text), Some(b'"' | b'}')),
        Some(b'[') => matches!(after(text), Some(b'{' | b']')),
        _ => false,
    }
}

/// The bytes behind the mark of UTF-8.
pub(super) fn without_mark(start: &[u8]) -> &[u8] {
    start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(start: &[u8]) -> Content {
        recognize(start, Path::new("/nowhere"))
    }

    #[test]
    fn text_stays_text() {
        for text in [
            "a,b\n1,2\n",
            "{a},b\n",
            "[x],y\n",
            "ORCID,name\n0,x\n",
            "DUCK;DUCK;DUCK;DUCK\n",
            "<5,x\n",
            "PK,b\n",
            "BZh9,a\n",
        ] {
            assert_eq!(of(text.as_bytes()), Content::Text, "{text}");
        }
        assert_eq!(of(b""), Content::Empty);
        assert_eq!(of("\u{feff} {\"a\": 1}".as_bytes()), Content::Json);
        assert_eq!(of(b"[\n {\"a\": 1}]"), Content::Json);
    }

    #[test]
    fn two_bytes_a_character() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        assert_eq!(of(&wide("name,age\nZoë,3\n")), Content::Utf16 { name: "utf-16le", is_marked: false });
        assert_eq!(of(b"\0a\0,\0b\0\n"), Content::Utf16 { name: "utf-16be", is_marked: false });
        assert_eq!(of(b"\xFE\xFF\0a"), Content::Utf16 { name: "utf-16be", is_marked: true });
        assert_eq!(of(b"\0\0\0\x01\x02\0\x03"), Content::Binary);
    }

    #[test]
    fn what_is_known_is_named() {
        let sas = [&[0; 12][..], b"\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08\0"].concat();
        let duck = [&[0; 8][..], b"DUCK\x40\0\0\0"].concat();
        let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
        let known: [(&[u8], &str); 20] = [
            (b"<stata_dta><header><release>118</release>", "Stata"),
            (b"\x73\x02\x01\0\x05\0", "Stata"),
            (b"$FL2@(#) SPSS DATA FILE", "SPSS"),
            (&sas, "SAS"),
            (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!", "SAS"),
            (b"RDX3\nX\n\0\0", " R"),
            (b"X\n\0\0\0\x03\0\x04", " R"),
            (&duck, "DuckDB"),
            (b"ORC\x0A\x0B\0\0", "ORC"),
            (b"Obj\x01\x04\x16avro.schema", "Avro"),
            (b"%PDF-1.7", "PDF"),
            (b"  <!DOCTYPE html><html>", "HTML"),
            (b"<?xml version=\"1.0\"?>", "XML"),
            (b"7z\xBC\xAF\x27\x1C", "7-Zip"),
            (b"BZh91AY&SY", "bzip2"),
            (b"\xFD7zXZ\0", "xz"),
            (b"FEA1\0\0\0\0", "Feather"),
            (b"\xFF\xFF\xFF\xFF\x10\0\0\0", "stream"),
            (&tar, "tar"),
            (b"PK\x03\x04\x14\0\0\0", "zip"),
        ];
        for (bytes, name) in known {
            let Content::Foreign(found) = of(bytes) else { panic!("{name}: {:?}", of(bytes)) };
            assert!(found.what.contains(name), "{name}: {}", found.what);
        }
    }
}
