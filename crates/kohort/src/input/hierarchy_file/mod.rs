//! Hierarchy files of other tools, read unchanged.
//!
//! Three formats, told apart by what is in the file rather than by its name: ARX/anjana CSV (`arx`), Amnesia
//! text (`amnesia`) and mosaicrown JSON (`mosaicrown`). Each becomes leaf-to-root paths with line numbers, so
//! one builder finds the contradictions of all three.

use std::path::Path;

use crate::data::{Finding, Hierarchy, HierarchyBuilder};
use crate::error::{Error, Place, Result};

mod amnesia;
mod arx;
mod bind;
mod header;
mod mosaicrown;
mod text;

pub use bind::{Bound, bind};

/// What a file says: paths for the builder, and what only the format's own reader can find wrong.
#[derive(Debug)]
struct Parsed {
    builder: HierarchyBuilder,
    findings: Vec<Finding>,
    /// The first line, where it was taken for a header.
    header: Option<String>,
}

impl Parsed {
    fn new(name: &str) -> Self {
        Self { builder: HierarchyBuilder::new(name), findings: Vec::new(), header: None }
    }

    fn fatal(&mut self, line: usize, what: String) {
        self.findings.push(Finding { line, what, fatal: true });
    }

    fn note(&mut self, line: usize, what: String) {
        self.findings.push(Finding { line, what, fatal: false });
    }

    /// All findings in the order of the file.
    fn all_findings(&self) -> Vec<Finding> {
        let mut all = self.findings.clone();
        all.extend(self.builder.findings());
        all.sort_by_key(|f| f.line);
        all
    }
}

/// Whether a text is a value of the column. Who does not know says of nothing that it is.
type IsValue<'a> = dyn Fn(&str) -> bool + 'a;

/// Reads a hierarchy for the named column, or says everything that is wrong with the file.
pub fn read_hierarchy(path: &Path, name: &str) -> Result<Hierarchy> {
    read_hierarchy_of(path, name, &|_| false)
}

/// The same where the values of the column are known: a first line that is one of them is no header.
pub fn read_hierarchy_of(path: &Path, name: &str, is_value: &IsValue<'_>) -> Result<Hierarchy> {
    let parsed = parse_file(path, name, is_value)?;
    let place = place(path, name);
    if parsed.findings.iter().any(|f| f.fatal) {
        return Err(contradictions(&parsed.all_findings()).at(place));
    }
    parsed.builder.finish().map_err(|e| e.at(place))
}

/// The first line of a hierarchy file, where it is taken for a header and skipped.
pub fn header_of(path: &Path, name: &str, is_value: &IsValue<'_>) -> Result<Option<String>> {
    Ok(parse_file(path, name, is_value)?.header)
}

/// All that is wrong or odd with a hierarchy file, by line; an error only where there is nothing to look at.
pub fn check_hierarchy(path: &Path, name: &str) -> Result<Vec<Finding>> {
    Ok(examine_hierarchy(path, name)?.findings)
}

/// What a hierarchy file holds, usable or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// All that is wrong or odd, by line.
    pub findings: Vec<Finding>,
    /// The tree by first mention where lines contradict each other: for messages, never for a release.
    pub draft: Hierarchy,
}

impl Examined {
    /// Whether [`read_hierarchy`] would accept the file.
    pub fn usable(&self) -> bool {
        !self.findings.iter().any(|f| f.fatal)
    }
}

/// Looks at a file as closely as [`check_hierarchy`], and also tells which values it has.
pub fn examine_hierarchy(path: &Path, name: &str) -> Result<Examined> {
    examine_hierarchy_of(path, name, &|_| false)
}

/// The same where the values of the column are known: a first line that is one of them is no header.
pub fn examine_hierarchy_of(path: &Path, name: &str, is_value: &IsValue<'_>) -> Result<Examined> {
    let parsed = parse_file(path, name, is_value)?;
    let findings = parsed.all_findings();
    match parsed.builder.draft() {
        Some(draft) => Ok(Examined { findings, draft }),
        None if findings.is_empty() => Err(no_values().at(place(path, name))),
        None => Err(contradictions(&findings).at(place(path, name))),
    }
}

fn no_values() -> Error {
    Error::input("the hierarchy has no values, expected one line per value of the column")
}

fn place(path: &Path, name: &str) -> Place {
    Place::default().in_file(path.display().to_string()).in_hierarchy_of(name)
}

fn contradictions(findings: &[Finding]) -> Error {
    let lines: Vec<_> =
        findings.iter().filter(|f| f.fatal).map(|f| format!("    line {}: {}", f.line, f.what)).collect();
    Error::input(format!("the hierarchy file cannot be used:\n{}", lines.join("\n")))
        .help("correct these lines; `hierarchy check` lists them again")
}

fn parse_file(path: &Path, name: &str, is_value: &IsValue<'_>) -> Result<Parsed> {
    let text = text::read(path)?;
    let json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    parse(&text, json, name, is_value).map_err(|e| e.at(place(path, name)))
}

fn parse(text: &str, named_json: bool, name: &str, is_value: &IsValue<'_>) -> Result<Parsed> {
    if named_json || mosaicrown::looks_like(text) {
        mosaicrown::parse(text, name)
    } else if mosaicrown::is_other_json(text) {
        Err(mosaicrown::unknown_json())
    } else if amnesia::looks_like(text) {
        Ok(amnesia::parse(text, name))
    } else {
        arx::parse(text, name, is_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a column of which nobody knows any.
    pub(super) fn nobody(_: &str) -> bool {
        false
    }

    fn file(ending: &str, bytes: &[u8]) -> tempfile::TempPath {
        let file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file.into_temp_path()
    }

    #[test]
    fn the_content_decides_not_the_ending() {
        let amnesia = "distinct\nname zip\ntype string\nheight 2\n\n* has 1 2 \n";
        let json = r#"{"cat": "*", "subcats": [{"cat": "1", "subcats": null}, {"cat": "2", "subcats": []}]}"#;
        for text in [amnesia, json, "1;*\n2;*\n", "\u{feff}1,*\r\n2,*\r\n\r\n", "1\t*\n2\t*", "1\n2\n"] {
            let h = read_hierarchy(&file(".csv", text.as_bytes()), "zip").unwrap();
            assert_eq!(h, Hierarchy::flat("zip", ["1", "2"]).unwrap(), "{text}");
        }
    }

    #[test]
    fn nothing_to_read_is_an_error() {
        for text in ["", "\n\n", "\u{feff}", ";;\n"] {
            let e = read_hierarchy(&file(".csv", text.as_bytes()), "zip").unwrap_err().to_string();
            assert!(e.contains("no values") && e.contains(".csv"), "{text:?}: {e}");
        }
        let e = read_hierarchy(Path::new("/nowhere/zip.csv"), "zip").unwrap_err().to_string();
        assert!(e.contains("cannot open") && e.contains("/nowhere/zip.csv"), "{e}");
    }

    #[test]
    fn all_contradictions_come_with_lines_and_file() {
        let path = file(".csv", b"a;A;*\nb;B;*\na;B;*\na;A;*\n");
        let e = read_hierarchy(&path, "x").unwrap_err().to_string();
        assert!(e.contains("line 3: 'a' has another path on line 1") && e.contains(".csv"), "{e}");
        let examined = examine_hierarchy(&path, "x").unwrap();
        assert!(!examined.usable());
        assert_eq!(examined.draft.path(examined.draft.leaf("a").unwrap()), ["a", "A", "*"]);
        let findings = check_hierarchy(&path, "x").unwrap();
        assert_eq!(findings.iter().map(|f| (f.line, f.fatal)).collect::<Vec<_>>(), [(3, true), (4, false)]);
    }

    #[test]
    fn json_of_another_kind_is_called_by_its_name() {
        let texts = [
            r#"{"Bay": ["10013", "10014"], "Hill": ["14404"]}"#,
            r#"[{"value": "10013", "parent": "Bay"}]"#,
            "{\n  \"10013\": \"Bay\"\n}\n",
            r#"["a", "b"]"#,
        ];
        for (text, ending) in texts.into_iter().flat_map(|text| [(text, ".csv"), (text, ".json")]) {
            let e = read_hierarchy(&file(ending, text.as_bytes()), "zip").unwrap_err().to_string();
            assert!(e.contains("JSON") || e.contains("'cat'"), "{ending} {text}: {e}");
            assert!(e.contains("subcats"), "{ending} {text}: {e}");
        }
        for label in ["[20, 29]", "[20, 29];*\n[30, 39];*\n", "{a}\n{b}\n", "[\n"] {
            assert!(read_hierarchy(&file(".csv", label.as_bytes()), "age").is_ok(), "{label}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in "([a-c0-9;,\t\"\n\r {}:\\[\\]\\\\é-]|\"cat\":|\"subcats\":|name x\n|has ){0,60}", json: bool) {
            if let Ok(parsed) = parse(&text, json, "x", &nobody) {
                let sound = !parsed.builder.findings().iter().any(|f| f.fatal);
                let planted = parsed.builder.draft().is_some();
                proptest::prop_assert_eq!(parsed.builder.finish().is_ok(), sound && planted);
            }
        }
    }
}
