//! How values are written, without the values: `2024-05-01` is `9999-99-99`, `Anna` is `Aaaa`.

use rustc_hash::FxHashMap;
use serde::Serialize;

/// A pattern that fewer rows share says too much of them.
const SHARED: u64 = 5;

/// How many patterns are shown, and how long one may be.
const SHOWN: usize = 3;
const LONGEST: usize = 24;

/// Longer runs of letters end here: the length of a name is not said.
const RUN: usize = 4;

/// A pattern, and the share of the values that are written so.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shape {
    /// `9` for a digit, `A` and `a` for letters, everything else as it is.
    pub pattern: String,
    /// Of the rows that have a value.
    pub share: f64,
}

/// The most frequent patterns of values with their rows.
pub(super) fn shapes<'a>(values: impl Iterator<Item = (&'a str, u32)>) -> Vec<Shape> {
    let mut rows: FxHashMap<String, u64> = FxHashMap::default();
    let mut all = 0u64;
    for (text, count) in values {
        *rows.entry(pattern(text)).or_default() += u64::from(count);
        all += u64::from(count);
    }
    let mut rows: Vec<(String, u64)> = rows.into_iter().filter(|(_, n)| *n >= SHARED).collect();
    rows.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows.truncate(SHOWN);
    let shape = |(pattern, n)| Shape { pattern, share: n as f64 / all as f64 };
    rows.into_iter().map(shape).collect()
}

/// The pattern of one value. What is neither letter nor digit stays, because it is what a format consists of; but only signs
/// that people write, so that nothing unreadable gets into a job.
pub(super) fn pattern(text: &str) -> String {
    let mut out = String::new();
    let (mut last, mut run) = ('\0', 0);
    for letter in text.trim().chars() {
        let class = match letter {
            c if c.is_numeric() => '9',
            c if c.is_uppercase() => 'A',
            c if c.is_alphabetic() => 'a',
            c if c.is_ascii_graphic() => c,
            c if c.is_whitespace() => ' ',
            _ => '·',
        };
        run = if class == last { run + 1 } else { 1 };
        last = class;
        if run > RUN && class.is_alphabetic() {
            continue;
        }
        if out.chars().count() >= LONGEST {
            out.push('…');
            return out;
        }
        out.push(class);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_show_the_format_and_no_letter() {
        for (text, expected) in [
            ("31.12.1999", "99.99.9999"),
            ("Anna", "Aaaa"),
            ("Maximiliane-Sophie", "Aaaaa-Aaaaa"),
            ("DE89 3704 0044", "AA99 9999 9999"),
            ("a@b.de", "a@a.aa"),
            ("", ""),
            ("x\u{7}y\n", "a·a"),
        ] {
            assert_eq!(pattern(text), expected, "{text}");
        }
        assert!(pattern(&"1-".repeat(100)).chars().count() <= LONGEST + 1);
    }

    #[test]
    fn a_pattern_of_few_rows_is_not_shown() {
        let shown = shapes([("A1", 3), ("B2", 4), ("Ccc", 4), ("d", 100)].into_iter());
        let patterns: Vec<&str> = shown.iter().map(|s| s.pattern.as_str()).collect();
        assert_eq!(patterns, ["a", "A9"]);
    }
}
