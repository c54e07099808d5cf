//! Hierarchies as files of ARX, Amnesia and mosaicrown: what `input::hierarchy_file` reads back unchanged.

use std::fmt::Write;
use std::path::Path;

use crate::data::{Hierarchy, Node};
use crate::error::{Error, Result};

use super::write_whole;

mod amnesia;

/// A file format for hierarchies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HierarchyFormat {
    /// CSV with `;`, one line per value from the value to the root.
    Arx,
    /// `parent has child child` text.
    Amnesia,
    /// Nested `{"cat", "subcats"}` JSON.
    Mosaicrown,
}

impl HierarchyFormat {
    /// The format a file of this name usually has.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" | "tsv" => Some(Self::Arx),
            "txt" => Some(Self::Amnesia),
            "json" => Some(Self::Mosaicrown),
            _ => None,
        }
    }
}

/// Writes the hierarchy to a file, whole or not at all.
pub fn save_hierarchy(hierarchy: &Hierarchy, format: HierarchyFormat, path: &Path) -> Result<()> {
    let text = write_hierarchy(hierarchy, format).map_err(|e| e.in_file(path.display().to_string()))?;
    write_whole(path, text.as_bytes())
}

/// The text of the hierarchy in a format, or why the format cannot hold it.
pub fn write_hierarchy(hierarchy: &Hierarchy, format: HierarchyFormat) -> Result<String> {
    match format {
        HierarchyFormat::Arx => arx(hierarchy),
        HierarchyFormat::Amnesia => amnesia::text(hierarchy),
        HierarchyFormat::Mosaicrown => Ok(mosaicrown(hierarchy)),
    }
}

fn arx(h: &Hierarchy) -> Result<String> {
    let broken = |e: &dyn std::fmt::Display| Error::internal(format!("a hierarchy did not become CSV: {e}"));
    if (0..h.len() as Node).any(|node| h.label(node).contains(['\n', '\0'])) {
        return Err(Error::input("a label has a line break or the character NUL in it, and would not be read back: labels of CSV are single lines")
            .in_hierarchy_of(h.name())
            .help("correct the column, or write the hierarchy as .json"));
    }
    let mut writer = csv::WriterBuilder::new().delimiter(b';').flexible(true).from_writer(Vec::new());
    for leaf in 0..h.leaf_count() {
        writer.write_record(h.path(leaf)).map_err(|e| broken(&e))?;
    }
    let bytes = writer.into_inner().map_err(|e| broken(&e))?;
    String::from_utf8(bytes).map_err(|e| broken(&e))
}

/// Written by hand rather than as one nested value: trees may be deeper than a recursive writer likes.
fn mosaicrown(h: &Hierarchy) -> String {
    let children = h.children_lists();
    let mut text = String::new();
    let mut stack = vec![Step::Open(h.root(), "")];
    while let Some(step) = stack.pop() {
        match step {
            Step::Open(node, before) => {
                let indent = "  ".repeat(h.depth(node) as usize);
                let label = serde_json::Value::from(h.label(node));
                let below = &children[node as usize];
                let rest = if below.is_empty() { "null}" } else { "[\n" };
                // Writing to a string cannot fail.
                let _ = write!(text, "{before}{indent}{{\"cat\": {label}, \"subcats\": {rest}");
                if !below.is_empty() {
                    stack.push(Step::Close(node));
                }
                let commas = |i: usize| if i == 0 { "" } else { ",\n" };
                stack.extend(below.iter().enumerate().rev().map(|(i, &c)| Step::Open(c, commas(i))));
            }
            Step::Close(node) => {
                let _ = write!(text, "\n{}]}}", "  ".repeat(h.depth(node) as usize));
            }
        }
    }
    text.push('\n');
    text
}

/// What is still to be written: a node after a separator, or the end of one.
enum Step {
    Open(Node, &'static str),
    Close(Node),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::recipes::{MaskSide, RangeOf, balanced, mask, ranges};
    use crate::input::read_hierarchy;

    const ALL: [HierarchyFormat; 3] =
        [HierarchyFormat::Arx, HierarchyFormat::Amnesia, HierarchyFormat::Mosaicrown];

    fn round(h: &Hierarchy, format: HierarchyFormat) -> Result<Hierarchy> {
        let directory = tempfile::tempdir().unwrap();
        // The ending must not matter.
        let path = directory.path().join("h.dat");
        save_hierarchy(h, format, &path)?;
        read_hierarchy(&path, h.name())
    }

    fn strings<S: ToString>(values: impl IntoIterator<Item = S>) -> Vec<String> {
        values.into_iter().map(|v| v.to_string()).collect()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let zips = strings((0..300).map(|i| 41000 + i * 7));
        let trees = [
            mask("zip", &zips, MaskSide::Right, 5, '*').unwrap(),
            Hierarchy::flat("sex", ["f", "m"]).unwrap(),
            Hierarchy::from_paths("place", [vec!["a", "A", "AA", "*"], vec!["b", "*"], vec!["c", "C", "*"]])
                .unwrap(),
            Hierarchy::from_paths("age", [["0,25", "0,50", "0,100"], ["25,50", "0,50", "0,100"]]).unwrap(),
        ];
        for h in &trees {
            for format in ALL {
                assert_eq!(&round(h, format).unwrap(), h, "{format:?}");
            }
        }
    }

    #[test]
    fn labels_with_separators_quotes_and_gaps_survive() {
        let paths = [
            ["a;b", "say \"x\"", "[0, 9]", "*"],
            [" c,d", "new\u{20ac} york", "[0, 9]", "*"],
            ["", "(", "[10, 19]", "*"],
        ];
        let h = Hierarchy::from_paths("odd", paths).unwrap();
        assert_eq!(round(&h, HierarchyFormat::Arx).unwrap(), h);
        assert_eq!(round(&h, HierarchyFormat::Mosaicrown).unwrap(), h);
        let e = round(&h, HierarchyFormat::Amnesia).unwrap_err().to_string();
        assert!(e.contains("labels do not fit an Amnesia file") && e.contains("CSV or JSON"), "{e}");
    }

    #[test]
    fn labels_of_several_lines_are_refused_or_survive() {
        for label in ["two\nlines", "a\0b"] {
            for path in [[label, "A", "*"], ["a", label, "*"]] {
                let h = Hierarchy::from_paths("place", [path]).unwrap();
                let refused = round(&h, HierarchyFormat::Arx).unwrap_err().to_string();
                assert!(refused.contains("line break") && !refused.contains(label), "{refused}");
                assert!(round(&h, HierarchyFormat::Amnesia).is_err());
                assert_eq!(round(&h, HierarchyFormat::Mosaicrown).unwrap(), h);
            }
        }
    }

    #[test]
    fn amnesia_gets_ranges_without_spaces_and_no_padding() {
        let h = ranges("age", &strings([3, 7, 12]), &[5.0, 10.0], 0.0, RangeOf::Whole).unwrap();
        let back = round(&h, HierarchyFormat::Amnesia).unwrap();
        assert_eq!(back.path(0), ["3", "[0,4]", "[0,9]", "*"]);
        let padded = Hierarchy::from_paths("x", [["a", "A", "*"], ["b", "b", "*"]]).unwrap();
        let back = round(&padded, HierarchyFormat::Amnesia).unwrap();
        assert_eq!(back.path(back.leaf("b").unwrap()), ["b", "*"]);
    }

    #[test]
    fn fifty_thousand_leaves_survive() {
        let counts: Vec<_> = (0..50_000).map(|i| (format!("{i}"), 1)).collect();
        let h = balanced("n", &counts, 4).unwrap();
        assert_eq!(round(&h, HierarchyFormat::Arx).unwrap(), h);
        assert_eq!(round(&h, HierarchyFormat::Mosaicrown).unwrap(), h);
    }
}
