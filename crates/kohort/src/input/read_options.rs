//! What somebody says about how a table is to be read, where the file does not tell it by itself.

use encoding_rs::Encoding;

use crate::error::{Error, Result};

/// How to read a table in a file. Nothing of it is needed for most files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The encoding of text that is neither UTF-8 nor marked as UTF-16, by a name that browsers know.
    pub encoding: Option<String>,
    /// The character that begins a line of CSV that is nobody's record.
    pub comment: Option<String>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// What is asked of a database.
    pub query: Option<String>,
    /// Whether all values are read as text, also where the file knows numbers from texts: rows that come later may have other ones.
    pub as_text: bool,
}

impl ReadOptions {
    /// The encoding that was named.
    pub(super) fn encoding(&self) -> Result<Option<&'static Encoding>> {
        let Some(name) = &self.encoding else { return Ok(None) };
        let known = Encoding::for_label_no_replacement(name.as_bytes());
        known.map(Some).ok_or_else(|| {
            Error::job(format!("'{name}' is not an encoding that is known here"))
                .option("encoding")
                .help("name one as browsers do, such as windows-1252, iso-8859-2, macintosh, ibm866, shift_jis, gb18030 or utf-16le; text in another one becomes UTF-8 by: iconv -f NAME -t UTF-8 old.csv > new.csv")
        })
    }

    /// What was said, by the keys of job files.
    pub(crate) fn said(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("encoding", &self.encoding),
            ("comment", &self.comment),
            ("sheet", &self.sheet),
            ("query", &self.query),
        ];
        all.into_iter().filter_map(|(key, said)| Some((key, said.as_deref()?)))
    }

    /// The byte that begins a comment.
    pub(super) fn comment(&self) -> Result<Option<u8>> {
        let Some(given) = &self.comment else { return Ok(None) };
        match given.as_bytes() {
            [mark] if mark.is_ascii_punctuation() && !b"\",;|".contains(mark) => Ok(Some(*mark)),
            _ => Err(Error::job(format!("'{given}' cannot begin a comment")).option("comment").help(
                "give one character that is neither letter, digit, quote nor separator, such as ‹comment=#›",
            )),
        }
    }

    /// Refuses what says nothing about a table of this kind: it may have been meant for another one.
    pub(super) fn check_for(&self, kind: &str, is: Kind, shown: &str) -> Result<()> {
        let idle = [
            ("encoding", self.encoding.is_some() && is > Kind::Text, "text, such as CSV"),
            ("comment", self.comment.is_some() && is > Kind::Csv, "CSV"),
            ("sheet", self.sheet.is_some() && is != Kind::Workbook, "Excel and OpenDocument files"),
            ("query", self.query.is_some() && is != Kind::Database, "SQLite databases"),
        ];
        match idle.into_iter().find(|(_, is_idle, _)| *is_idle) {
            None => Ok(()),
            Some((option, _, of)) => Err(Error::job(format!("this is {kind}, and ‹{option}› is about {of}"))
                .in_file(shown)
                .help(format!("omit ‹{option}›"))),
        }
    }

    /// The same for a list beside the table: what is about other kinds of files was not meant for it.
    pub(crate) fn beside(&self) -> Self {
        Self { sheet: None, query: None, ..self.clone() }
    }
}

/// Kinds of files, as far as options differ for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Csv,
    Text,
    Workbook,
    Database,
    Columns,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_encodings_are_those_of_browsers() {
        let named = |name: &str| {
            let options = ReadOptions { encoding: Some(name.into()), ..ReadOptions::default() };
            options.encoding().map(|e| e.map(Encoding::name)).ok().flatten()
        };
        assert_eq!(named("latin1"), Some("windows-1252"));
        assert_eq!(named("CP1250"), Some("windows-1250"));
        assert_eq!(named("utf-16"), Some("UTF-16LE"));
        assert_eq!((named("ebcdic"), named("")), (None, None));
    }

    #[test]
    fn comments_begin_with_a_mark() {
        let mark = |text: &str| {
            let options = ReadOptions { comment: Some(text.into()), ..ReadOptions::default() };
            options.comment().ok().flatten()
        };
        assert_eq!((mark("#"), mark("%")), (Some(b'#'), Some(b'%')));
        for wrong in ["", "//", "a", "1", ",", "\"", "é", " "] {
            assert_eq!(mark(wrong), None, "{wrong}");
        }
    }
}
