//! JSON: objects one after the other, or in one list. Each is a row of single values.

use std::borrow::Cow;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::cells::{Cell, Rows, See};
use super::encoding::not_utf8;
use super::objects::{MOST_BYTES, Objects, Trouble};
use crate::error::{Error, Place, Result};

/// No table has as many columns.
const MOST_COLUMNS: usize = 1 << 16;

/// The objects of a file.
pub(super) struct JsonRows {
    path: PathBuf,
    shown: String,
    names: Vec<String>,
    numbers: FxHashMap<String, usize>,
}

impl JsonRows {
    pub(super) fn new(path: PathBuf, shown: &str) -> Self {
        Self { path, shown: shown.into(), names: Vec::new(), numbers: FxHashMap::default() }
    }

    fn wrong(&self, what: impl Into<String>, line: u64) -> Error {
        let place = Place::default().in_file(&self.shown).line(line);
        Error::input(what.into()).at(place)
    }

    /// The cells of an object, in the order in which columns appeared.
    fn row<'a>(&mut self, object: &'a [u8], line: u64) -> Result<Vec<Cell<'a>>> {
        let mut reader = serde_json::Deserializer::from_slice(object);
        let pairs = reader.deserialize_map(Pairs).and_then(|pairs| reader.end().map(|()| pairs));
        // The library's words may quote a value; they are not passed on.
        let pairs = pairs.map_err(|e| {
            if std::str::from_utf8(object).is_err() {
                return not_utf8(&self.path, &self.shown, line);
            }
            let at = line + (e.line() as u64).saturating_sub(1);
            self.wrong("the object is not valid JSON", at).help("correct the line, or write the file again")
        })?;
        let mut row = vec![None; self.names.len()];
        for (key, value) in pairs {
            let number = match self.numbers.get(key.as_ref()) {
                Some(&number) => number,
                None => self.add(&key, line)?,
            };
            row.resize(row.len().max(number + 1), None);
            if row[number].is_some() {
                return Err(self
                    .wrong("the object has a key twice", line)
                    .in_column(key)
                    .help("leave one of them out: nobody can tell which value is meant"));
            }
            let cell = cell(value.get()).map_err(|what| {
                let help = if value.get().starts_with('[') {
                    format!("leave it out, or make one text of it; if the rows of the table are in this list, jq takes them out: jq -c '.[\"{key}\"][]' old.json > new.jsonl")
                } else {
                    "give every value a key of its own, for example with jq: jq -c '{id, city: .address.city}' old.jsonl > new.jsonl".to_owned()
                };
                self.wrong(what, line).in_column(key).help(help)
            })?;
            row[number] = Some(cell);
        }
        Ok(row.into_iter().map(|cell| cell.unwrap_or(Cell::Nothing)).collect())
    }

    fn add(&mut self, key: &str, line: u64) -> Result<usize> {
        if self.names.len() == MOST_COLUMNS {
            return Err(self
                .wrong(format!("the objects have more than {MOST_COLUMNS} different keys"), line)
                .help("the names of columns are keys, and no values; write the table in another way"));
        }
        self.names.push(key.to_owned());
        self.numbers.insert(key.to_owned(), self.names.len() - 1);
        Ok(self.names.len() - 1)
    }
}

impl Rows for JsonRows {
    fn each(&mut self, see: &mut See<'_>) -> Result<()> {
        let cannot =
            |e: std::io::Error| Error::input(format!("cannot read the file: {e}")).in_file(&self.shown);
        let file = BufReader::with_capacity(1 << 18, File::open(&self.path).map_err(cannot)?);
        let mut objects = Objects::new(file);
        let mut any = false;
        loop {
            match objects.next() {
                Ok(true) => {
                    any = true;
                    let row = self.row(&objects.text, objects.line)?;
                    see(&row)?;
                }
                Ok(false) if any => return Ok(()),
                Ok(false) => {
                    return Err(self
                        .wrong("there is no object, expected one per row", 1)
                        .help("check that the export which made it has finished"));
                }
                Err(trouble) => return Err(trouble.told(self, objects.at)),
            }
        }
    }

    fn names(&self) -> Vec<String> {
        self.names.clone()
    }
}

/// A single value by its text.
fn cell(raw: &str) -> std::result::Result<Cell<'_>, &'static str> {
    Ok(match raw.as_bytes().first() {
        Some(b'n') => Cell::Nothing,
        Some(b't') => Cell::Truth(true),
        Some(b'f') => Cell::Truth(false),
        Some(b'"') => Cell::Text(
            serde_json::from_str::<Text<'_>>(raw).map_err(|_| "the text has a character that is none")?.0,
        ),
        Some(b'{') => return Err("the value is an object, expected a single value"),
        Some(b'[') => return Err("the value is a list, expected a single value"),
        _ => Cell::Number(raw.into()),
    })
}

/// A text, without a copy where nothing in it is escaped.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads an object as pairs, in order, whatever their keys.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some((Text(key), value)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
            pairs.push((key, value));
        }
        Ok(pairs)
    }
}

impl Trouble {
    fn told(&self, rows: &JsonRows, line: u64) -> Error {
        match self {
            Self::Io(e) => Error::input(format!("cannot read the file: {e}")).in_file(&rows.shown),
            Self::NoObject => rows.wrong("what stands here is not a JSON object, expected one per row", line).help(
                "write one object per line, or a list of objects; of a list inside an object, jq makes that: jq -c '.data[]' old.json > new.jsonl",
            ),
            Self::Early => rows
                .wrong("the file ends inside an object or list", line)
                .help("a part of it is missing; check that the export which made it has finished"),
            Self::Large => rows
                .wrong(format!("the object has more than {} MB", MOST_BYTES >> 20), line)
                .help("a row is an object of single values; of a list inside an object, jq makes rows: jq -c '.data[]' old.json > new.jsonl"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> std::result::Result<Vec<String>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut rows = JsonRows::new(file.path().to_owned(), "t.jsonl");
        let mut out = Vec::new();
        rows.each(&mut |row| {
            out.push(format!("{row:?}"));
            Ok(())
        })
        .map_err(|e| e.to_string())?;
        out.insert(0, rows.names().join(" "));
        Ok(out)
    }

    #[test]
    fn objects_in_lines_in_a_list_and_over_several_lines_are_alike() {
        let lines = read(b"{\"a\":1,\"b\":\"x\\\"}\"}\n\n{\"c\":null,\"a\":2.50}\n").unwrap();
        assert_eq!(lines[0], "a b c");
        assert_eq!(lines[1], "[Number(\"1\"), Text(\"x\\\"}\")]");
        assert_eq!(lines[2], "[Number(\"2.50\"), Nothing, Nothing]");
        let list = b"\xEF\xBB\xBF[\n{\"a\":1,\n\"b\":\"x\\\"}\"} , {\"c\":null,\"a\":2.50}\n] \n";
        assert_eq!(read(list).unwrap(), lines);
    }

    #[test]
    fn what_is_no_row_is_refused_with_its_line() {
        let refused = |text: &str| read(text.as_bytes()).unwrap_err();
        assert!(refused("{\"a\":1}\n{\"a\":{\"secret\":1}}").contains("line 2, column 'a'"));
        assert!(refused("{\"a\":1}\n{\"a\":[1]}").contains("is a list"));
        assert!(refused("{\"a\":1}\n\n{\"a\":1,\"a\":2}").contains("line 3, column 'a'"));
        assert!(refused("{\"a\":1}\n{\"a\":secret}").contains("not valid JSON"));
        assert!(!refused("{\"a\":1}\n{\"a\":secret}").contains("secret"));
        assert!(refused("{\"a\":\"\\ud800\"}").contains("none"));
        for early in ["[", "[{\"a\":1}", "[{\"a\":1},", "{\"a\":1}\n{\"a\"", "[{\"a\":1"] {
            assert!(refused(early).contains("ends inside"), "{early}");
        }
        for other in
            ["a,b\n", "[1]", "{\"a\":1},{\"a\":2}", "[{\"a\":1}]x", "[{\"a\":1} {\"a\":2}]", "\"a\"", "[,]"]
        {
            assert!(refused(other).contains("not a JSON object"), "{other}");
        }
        assert!(refused(" \n").contains("no object") && refused("[]").contains("no object"));
    }
}
