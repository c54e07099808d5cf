//! A proposal as a job file that a steward can read and edit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::demands::grouped;
use super::{Proposal, ProposedColumn};
use crate::data::recipes::{HierarchySpec, MaskSide, Recipe};
use crate::data::{Decimal, Role};
use crate::input::ReadOptions;

/// How wide comments are.
const WIDTH: usize = 110;

/// What a job file says besides the proposal.
#[derive(Debug, Clone, Default)]
pub struct Header {
    /// What the file is, in paragraphs.
    pub about: Vec<String>,
    /// Where the table is, as seen from the job file; empty where it is no file.
    pub input: String,
    /// How it is to be read, where that was said.
    pub reading: ReadOptions,
    /// Where the hierarchies of columns are that were made, as seen from the job file.
    pub hierarchies: BTreeMap<String, String>,
}

impl Proposal {
    /// The text of the job file.
    pub fn to_toml(&self, header: &Header) -> String {
        let mut out = String::new();
        for paragraph in &header.about {
            comment(&mut out, "", paragraph);
        }
        if !self.notes.is_empty() {
            out.push_str("#\n# To look at first:\n");
            self.notes.iter().for_each(|note| comment(&mut out, "- ", note));
        }
        if !header.input.is_empty() {
            let _ = writeln!(out, "input = {}", text(&header.input));
        }
        for (key, said) in header.reading.said() {
            let _ = writeln!(out, "{key} = {}", text(said));
        }
        out.push('\n');
        comment(&mut out, "", &format!("{}.", capital(&self.k_because)));
        let _ = writeln!(out, "k = {}", self.k);
        comment(&mut out, "", &format!("Whose rows: {}", self.people_because));
        if self.rows_are_people {
            out.push_str("rows-are-people = true\n");
        }
        out.push_str(CHOICES);
        out.push_str("\n[columns]\n");
        for column in &self.columns {
            out.push('\n');
            comment(&mut out, "", &column.about(self.rows));
            let _ = writeln!(out, "{} = {{ {} }}", key(&column.name), column.entry(header));
        }
        out
    }
}

/// What a steward may want besides; nobody can tell from the table.
const CHOICES: &str = "\
# More to choose from; take the first sign away to ask for it:
# suppress = \"1%\"       # so many rows may be left out where that keeps more detail of all others
# alpha = 0.5            # no sensitive value has more than this share of a class: nobody is suspected too strongly
# t-closeness = 0.3      # sensitive values are spread in every class much as in the whole table: classes tell little
# l-diversity = \"entropy:2\"  # sensitive values of a class are about as uncertain as so many equally likely ones
";

impl ProposedColumn {
    /// Why, and what it looks like.
    fn about(&self, rows: u64) -> String {
        let mut about = format!("{}.", capital(&self.because.join("; ")));
        let facts = &self.facts;
        if facts.present > 0 {
            let _ = write!(about, " {} different in {} rows", grouped(facts.distinct), grouped(rows));
            if facts.missing > 0 {
                let _ = write!(about, ", {} missing", grouped(facts.missing));
            }
            let percent = share(facts.separation);
            let _ = write!(about, "; of two rows drawn at random, {percent} have different values; ");
            let _ = write!(about, "{}{}.", self.understood, self.written_like());
        }
        if !self.determines.is_empty() {
            let _ = write!(about, " It determines {}.", self.determines.join(", "));
        }
        for more in [&self.hierarchy_because, &self.p_because] {
            if !more.is_empty() {
                let _ = write!(about, " {}.", capital(more));
            }
        }
        if self.is_guess {
            about.push_str(" LOOK AT THIS ONE.");
        }
        about
    }

    /// How its values are written, for readers: ` such as 'Aaaa' or 'Aaaa Aaaa'`.
    pub fn written_like(&self) -> String {
        let shapes: Vec<String> =
            self.facts.shapes.iter().map(|shape| format!("'{}'", shape.pattern)).collect();
        if shapes.is_empty() { String::new() } else { format!(" such as {}", shapes.join(" or ")) }
    }

    /// Its keys.
    fn entry(&self, header: &Header) -> String {
        let mut keys = vec![format!("role = \"{}\"", role(self.role))];
        keys.extend(self.kind.map(|kind| format!("type = \"{kind}\"")));
        keys.extend(self.hierarchy.as_ref().map(|spec| format!("hierarchy = {}", hierarchy(spec))));
        let made = header.hierarchies.get(&self.name).filter(|_| self.made.is_some());
        keys.extend(made.map(|file| format!("hierarchy = {{ file = {} }}", text(file))));
        let formats: Vec<String> = self.date_format.iter().map(|format| text(&format.to_string())).collect();
        match formats.as_slice() {
            [] => {}
            [format] => keys.push(format!("date-format = {format}")),
            several => keys.push(format!("date-format = [{}]", several.join(", "))),
        }
        keys.extend(self.decimal.map(|decimal| match decimal {
            Decimal::Comma => "decimal = \"comma\"".to_owned(),
            Decimal::Point => "decimal = \"point\"".to_owned(),
        }));
        keys.extend(self.snap.map(|step| format!("snap = {step}")));
        if !self.na.is_empty() {
            let na: Vec<String> = self.na.iter().map(|na| text(na)).collect();
            keys.push(format!("na = [{}]", na.join(", ")));
        }
        keys.extend(self.p.map(|p| format!("p = {p}")));
        keys.join(", ")
    }
}

/// The text as a sentence begins.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// As job files name it.
pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::Identifier => "identifier",
        Role::Person => "person",
        Role::QuasiIdentifier => "quasi-identifier",
        Role::Sensitive => "sensitive",
        Role::Keep => "keep",
        Role::Drop => "drop",
    }
}

/// The recipe of a hierarchy, as job files name it.
pub(super) fn hierarchy(spec: &HierarchySpec) -> String {
    match spec {
        HierarchySpec::File(file) => format!("{{ file = {} }}", text(&file.to_string_lossy())),
        HierarchySpec::Built(Recipe::Mask { side, levels }) => {
            let side = if *side == MaskSide::Left { "left" } else { "right" };
            format!("{{ mask = \"{side}\", levels = {levels} }}")
        }
        HierarchySpec::Built(Recipe::Ranges { widths, origin }) => {
            let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
            format!("{{ ranges = [{}], origin = {origin} }}", widths.join(", "))
        }
        HierarchySpec::Built(Recipe::Dates(levels)) => {
            let names: Vec<&str> = levels.iter().map(|level| level.name()).collect();
            text(&names.join("/"))
        }
        HierarchySpec::Built(Recipe::Balanced(fanout)) => format!("{{ balanced = {fanout} }}"),
        HierarchySpec::Built(Recipe::Public(tree)) => format!("{{ public = \"{}\" }}", tree.name()),
    }
}

/// A key: bare where TOML lets it be.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { text(name) }
}

/// A text in one line, whatever is in it.
fn text(of: &str) -> String {
    let mut out = String::from("\"");
    for letter in of.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Lines of a comment. Names of columns may hold line breaks: they must not end it.
fn comment(out: &mut String, mark: &str, about: &str) {
    let clean: String = about.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut line = format!("# {mark}");
    let indent = format!("# {}", " ".repeat(mark.len()));
    let mut is_empty = true;
    for word in clean.split(' ') {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line.clone_from(&indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

/// A share for people: never 100% where there is an exception.
fn share(of: f64) -> String {
    let percent = of * 100.0;
    if percent > 99.9 && of < 1.0 { "over 99.9%".into() } else { format!("{percent:.1}%") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_are_read_back() {
        for name in [
            "age",
            "",
            "a b",
            "a\"b",
            "a\\b",
            "x\ny",
            "straße",
            "a.b",
            "#",
            "=",
            "'",
            "\u{7f}\u{85}\t",
            "[x]",
        ] {
            let read: toml::Table = format!("{} = {}", key(name), text(name)).parse().unwrap();
            assert_eq!(read.get(name).and_then(toml::Value::as_str), Some(name), "{name:?}");
        }
    }

    #[test]
    fn comments_stay_comments() {
        let mut out = String::new();
        comment(&mut out, "- ", &format!("a\nb = 1 {}", "word ".repeat(60)));
        assert!(
            out.lines().count() > 2 && out.lines().all(|line| line.starts_with("# ") && line.len() <= WIDTH),
            "{out}"
        );
    }
}
