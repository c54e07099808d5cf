//! A first line that says what the levels are, and is no value: `zip;region;country`, `value;level1;level2`.
//!
//! Read as a value, it would be a leaf that nobody has and, because it ends otherwise than all other lines, one level more above
//! everything. It is only skipped where it cannot be a value: its leaf is called like the column, or all its cells are the words
//! that usually stand in such a line; no other line ends as it does; and the column has no such value.

use super::Parsed;

/// What usually stands in a header, with a number behind it or none.
const WORDS: [&str; 10] =
    ["value", "values", "leaf", "level", "lvl", "l", "root", "group", "hierarchy", "generalization"];

/// Whether a cell is one of the usual words: `level1`, `Level 2`, `L_0`.
fn is_usual(cell: &str) -> bool {
    let word =
        cell.trim().trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches([' ', '_', '-', '.']);
    WORDS.contains(&word.to_ascii_lowercase().as_str())
}

/// Whether a line that no other line ends like would be a header of the named column.
pub(super) fn is_header(
    first: &[String],
    column: &str,
    ends_alone: bool,
    is_value: &dyn Fn(&str) -> bool,
) -> bool {
    let Some(leaf) = first.first() else { return false };
    let is_called_so = leaf.trim().to_lowercase() == column.trim().to_lowercase();
    let all_usual = first.iter().all(|cell| is_usual(cell));
    ends_alone && (is_called_so || all_usual) && !is_value(leaf)
}

impl Parsed {
    /// Takes the header out, where the first line is one; says so, or that it might be one.
    pub(super) fn skip_header(&mut self, column: &str, is_value: &dyn Fn(&str) -> bool) {
        let [(line, first), rest @ ..] = self.builder.paths() else { return };
        let (line, Some(last), Some((_, second))) = (*line, first.last(), rest.first()) else { return };
        let ends_alone = rest.iter().all(|(_, path)| path.last() != Some(last));
        if is_header(first, column, ends_alone, is_value) {
            let shown = first.join(";");
            self.builder.forget_first();
            self.note(line, format!("'{shown}' is taken for a header and skipped"));
            self.header = Some(shown);
            return;
        }
        let others_agree = rest.len() > 1 && rest.iter().all(|(_, path)| path.last() == second.last());
        if ends_alone && others_agree {
            let root = second.last().map_or("", String::as_str);
            let doubt = format!(
                "this line ends in '{last}', and all others in '{root}': if it is a header, remove it"
            );
            self.note(line, doubt);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{arx, tests::nobody};
    use crate::data::Hierarchy;

    fn skipped(text: &str, column: &str, values: &[&str]) -> (Option<String>, Hierarchy) {
        let parsed = arx::parse(text, column, &|leaf| values.contains(&leaf)).unwrap();
        (parsed.header.clone(), parsed.builder.finish().unwrap())
    }

    #[test]
    fn what_cannot_be_a_value_is_skipped() {
        for header in [
            "zip;region;country",
            "ZIP;;any",
            "value;level1;level2",
            "Level 0;Level 1;Level 2",
            "leaf;l1;root",
        ] {
            let (header, tree) = skipped(&format!("{header}\n1;A;*\n2;B;*\n"), "zip", &["1", "2"]);
            assert!(header.is_some(), "{header:?}");
            assert_eq!((tree.leaf_count(), tree.height()), (2, 2));
        }
        let (header, tree) = skipped("zip,region\n1,A\n2,B\n", "zip", &[]);
        assert_eq!((header.as_deref(), tree.leaf_count()), (Some("zip;region"), 2));
    }

    #[test]
    fn what_can_be_a_value_stays() {
        // The column has the value; the line ends like another; nothing calls it a header; it is alone.
        for (text, column, values) in [
            ("value;level1;any\nb;B;*\n", "zip", &["value", "b"][..]),
            ("zip;A;*\nb;B;*\n", "zip", &[]),
            ("a;A;top\nb;B;*\n", "zip", &[]),
            ("zip;region;country\n", "zip", &[]),
            ("1;2;3\n4;5;6\n", "zip", &[]),
        ] {
            let (header, tree) = skipped(text, column, values);
            assert_eq!((header, tree.leaf_count() as usize), (None, text.lines().count()), "{text}");
        }
    }

    #[test]
    fn doubt_is_said() {
        let parsed = arx::parse("code;group;all\na;A;*\nb;B;*\n", "zip", &nobody).unwrap();
        let found = parsed.all_findings();
        assert!(
            found.iter().any(|f| f.line == 1 && !f.fatal && f.what.contains("if it is a header")),
            "{found:?}"
        );
    }
}
