//! The JSON taxonomies of mosaicrown's Mondrian: `{"cat": label, "subcats": null | [] | {…} | [{…}, …]}`.
//!
//! JSON values do not remember their lines. Labels do appear in the order in which the parser keeps keys, so a
//! scan for the `"cat"` keys and a walk over the values meet each label at the same count.

use serde_json::{Map, Value};

use crate::error::{Error, Result};

use super::Parsed;

/// Whether this is JSON with a label in it.
pub(super) fn looks_like(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"cat\"")
}

/// Whether this is JSON, and no taxonomy: `{"Bay": ["10013"]}`. A single label such as `[20, 29]` could be read as a list of numbers.
pub(super) fn is_other_json(text: &str) -> bool {
    if !text.trim_start().starts_with(['{', '[']) {
        return false;
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(_)) => true,
        Ok(Value::Array(items)) => items.iter().any(|item| !item.is_number()),
        _ => false,
    }
}

/// What to say of it.
pub(super) fn unknown_json() -> Error {
    Error::input("this is JSON, but not the taxonomy that hierarchies are written as")
        .help("expected {\"cat\": …, \"subcats\": […]}, or a line per value such as 10013;Harbour Bay;*")
}

/// Reads a taxonomy.
pub(super) fn parse(text: &str, name: &str) -> Result<Parsed> {
    let mut parsed = Parsed::new(name);
    if text.trim().is_empty() {
        return Ok(parsed);
    }
    let value: Value = serde_json::from_str(text).map_err(|e| {
        Error::input(format!("the hierarchy file is not valid JSON: {e}"))
            .help("expected {\"cat\": …, \"subcats\": […]}")
    })?;
    if !text.contains("\"cat\"") {
        return Err(unknown_json());
    }
    let lines = label_lines(text);
    let mut walk = Walk { lines: lines.iter().copied(), last: 1, nodes: Vec::new(), parsed: &mut parsed };
    walk.value(&value, None);
    let Walk { nodes, .. } = walk;
    for (at, node) in nodes.iter().enumerate().filter(|(_, n)| n.leaf) {
        let up = |&i: &usize| nodes[i].parent;
        let path = std::iter::successors(Some(at), up).map(|i| nodes[i].label.clone()).collect();
        parsed.builder.path(node.line, path);
    }
    Ok(parsed)
}

struct Item {
    label: String,
    line: usize,
    parent: Option<usize>,
    leaf: bool,
}

struct Walk<'a, L> {
    lines: L,
    last: usize,
    nodes: Vec<Item>,
    parsed: &'a mut Parsed,
}

impl<L: Iterator<Item = usize>> Walk<'_, L> {
    /// Visits a category, or a list of them.
    fn value(&mut self, value: &Value, parent: Option<usize>) {
        match value {
            Value::Null => {}
            Value::Array(items) => items.iter().for_each(|item| self.value(item, parent)),
            Value::Object(object) => self.category(object, parent),
            other => self
                .parsed
                .fatal(self.last, format!("expected a category with 'cat' and 'subcats', found {other}")),
        }
    }

    fn category(&mut self, object: &Map<String, Value>, parent: Option<usize>) {
        let at = self.nodes.len();
        let leaf = object.get("subcats").is_none_or(is_empty);
        self.nodes.push(Item { label: String::new(), line: self.last, parent, leaf });
        let mut labelled = false;
        for (key, value) in object {
            match key.as_str() {
                "cat" => labelled = self.label(at, value),
                "subcats" => self.value(value, Some(at)),
                other => self
                    .parsed
                    .fatal(self.last, format!("unknown key '{other}', expected 'cat' and 'subcats'")),
            }
        }
        if !labelled {
            self.parsed.fatal(self.last, "a category has no 'cat': every category needs a label".into());
        }
    }

    fn label(&mut self, at: usize, value: &Value) -> bool {
        self.last = self.lines.next().unwrap_or(self.last);
        let label = match value {
            Value::String(s) => s.clone(),
            Value::Number(n) => n.to_string(),
            _ => return false,
        };
        self.nodes[at].label = label;
        self.nodes[at].line = self.last;
        true
    }
}

fn is_empty(subcats: &Value) -> bool {
    match subcats {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// The line of every `"cat"` key, in order.
fn label_lines(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut lines, mut line, mut at) = (Vec::new(), 1, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => line += 1,
            b'"' => {
                let end = string_end(bytes, at);
                let key = text.get(at + 1..end).is_some_and(|s| s == "cat");
                if key && text[end + 1..].trim_start().starts_with(':') {
                    lines.push(line);
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    lines
}

/// Where the string that opens at `start` closes.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = r#"{ "cat": "parent",
  "subcats": [
    { "subcats": { "cat": "grandchild s1", "subcats": null },
      "cat": "son" },
    { "cat": "daughter", "subcats": [
      { "cat": "d \"1\"", "subcats": [] },
      { "cat": 2 } ] } ] }"#;

    #[test]
    fn every_form_of_subcats_is_read() {
        let h = parse(FAMILY, "x").unwrap().builder.finish().unwrap();
        assert_eq!(h.label(h.root()), "parent");
        assert_eq!(h.path(h.leaf("grandchild s1").unwrap()), ["grandchild s1", "son", "parent"]);
        assert_eq!(h.path(h.leaf("d \"1\"").unwrap()), ["d \"1\"", "daughter", "parent"]);
        assert_eq!(h.path(h.leaf("2").unwrap()), ["2", "daughter", "parent"]);
        assert_eq!(label_lines(FAMILY), [1, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn duplicates_are_found_on_their_lines() {
        let text = "{\"cat\": \"*\", \"subcats\": [\n{\"cat\": \"A\", \"subcats\": [{\"cat\": \"a\"}]},\n{\"cat\": \"B\", \"subcats\": [\n{\"cat\": \"a\"}]}]}";
        let findings = parse(text, "x").unwrap().all_findings();
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].line, 4);
        assert!(findings[0].what.contains("another path on line 2"), "{findings:?}");
    }

    #[test]
    fn what_is_no_taxonomy_is_refused() {
        let e = parse("{\"cat\": \"a\",\n", "x").unwrap_err().to_string();
        assert!(e.contains("line 2"), "{e}");
        for text in ["{\"cat\": \"a\", \"kids\": []}", "[1, {\"cat\": \"a\"}]", "{\"cat\": null}"] {
            assert!(parse(text, "x").unwrap().findings.iter().any(|f| f.fatal), "{text}");
        }
        for text in ["{\"subcats\": []}", "[1]"] {
            assert!(parse(text, "x").unwrap_err().to_string().contains("subcats"), "{text}");
        }
    }
}
