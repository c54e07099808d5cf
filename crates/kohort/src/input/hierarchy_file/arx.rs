//! The CSV files of ARX and anjana: one line per value, from the value up to the root.
//!
//! Nobody writes down which separator such a file uses, so it is found by trying: the right one cuts every line,
//! tears no `[20, 30[` apart, leaves the same root at the end of every line and gives lines of equal length, in
//! this order of importance. Lines may still differ in length; that is an unbalanced tree.

use crate::error::{Error, Result};

use super::{IsValue, Parsed};

/// In order of preference where the text leaves a choice.
const SEPARATORS: [u8; 3] = [b';', b'\t', b','];
/// Lines looked at to find the separator.
const SAMPLE: usize = 2000;

/// Reads leaf-to-root lines.
pub(super) fn parse(text: &str, name: &str, is_value: &IsValue<'_>) -> Result<Parsed> {
    let separator = separator(text)?;
    let lines = lines(text, separator, usize::MAX)?;
    let spaced =
        separator == b',' && lines.iter().any(|l| l.cells.len() > 1) && lines.iter().all(Line::spaced);
    let mut parsed = Parsed::new(name);
    for Line { number, cells } in lines {
        if cells.iter().any(|c| c.contains('\n')) {
            parsed.fatal(
                number,
                "a quote opens here and closes on another line: labels are single lines".into(),
            );
        }
        let path = path(cells, spaced);
        if !path.is_empty() {
            parsed.builder.path(number, path);
        }
    }
    parsed.skip_header(name, is_value);
    Ok(parsed)
}

/// Drops what only pads a short line; an empty first cell stays, it is the missing value.
fn path(cells: Vec<String>, spaced: bool) -> Vec<String> {
    if cells.iter().all(String::is_empty) {
        return Vec::new();
    }
    let trim = |c: String| if spaced { c.trim().to_owned() } else { c };
    let keep = |(i, c): &(usize, String)| *i == 0 || !c.is_empty();
    cells.into_iter().map(trim).enumerate().filter(keep).map(|(_, c)| c).collect()
}

struct Line {
    number: usize,
    cells: Vec<String>,
}

impl Line {
    /// Whether a space follows every separator, as people write lists.
    fn spaced(&self) -> bool {
        self.cells.iter().skip(1).all(|c| c.starts_with(' '))
    }

    /// Whether the separator cut through an interval or a list.
    fn torn(&self) -> bool {
        let odd = |c: &String| c.matches(['[', ']', '(', ')']).count() % 2 == 1;
        self.cells.iter().any(odd) || self.cells.iter().skip(1).any(|c| c.starts_with(' '))
    }
}

fn lines(text: &str, separator: u8, most: usize) -> Result<Vec<Line>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let (mut lines, mut seen, mut number) = (Vec::new(), 0, 1);
    for record in reader.records().take(most) {
        let record = record.map_err(|e| Error::input(format!("not readable as CSV: {e}")))?;
        let start = record.position().map_or(seen, |p| p.byte() as usize);
        // The reader skips blank lines silently: look for the first byte that is not one.
        let skipped = text[start..].bytes().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        number += text[seen..start + skipped].matches('\n').count();
        seen = start + skipped;
        lines.push(Line { number, cells: record.iter().map(str::to_owned).collect() });
    }
    Ok(lines)
}

/// The separator that fits best; `;` when none cuts at least half of the lines, which then are plain values.
fn separator(text: &str) -> Result<u8> {
    let mut best = (SEPARATORS[0], [0.5, 0.0, 0.0, 0.0]);
    for candidate in SEPARATORS {
        let fit = fit(&lines(text, candidate, SAMPLE)?);
        if fit > best.1 {
            best = (candidate, fit);
        }
    }
    Ok(best.0)
}

/// Shares of lines that are cut, are not torn, end in the most common root, have the most common length.
fn fit(lines: &[Line]) -> [f64; 4] {
    let share = |n: usize| n as f64 / lines.len().max(1) as f64;
    let cut = lines.iter().filter(|l| l.cells.len() > 1).count();
    let whole = lines.iter().filter(|l| !l.torn()).count();
    let root = most_common(lines.iter().map(|l| l.cells.iter().rev().find(|c| !c.is_empty())));
    let length = most_common(lines.iter().map(|l| l.cells.len()));
    [share(cut), share(whole), share(root), share(length)]
}

fn most_common<T: Ord>(items: impl Iterator<Item = T>) -> usize {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.chunk_by(|a, b| a == b).map(<[T]>::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::tests::nobody;
    use super::*;

    fn paths(text: &str) -> Vec<Vec<String>> {
        let hierarchy = parse(text, "x", &nobody).unwrap().builder.finish().unwrap();
        (0..hierarchy.leaf_count())
            .map(|l| hierarchy.path(l).into_iter().map(str::to_owned).collect())
            .collect()
    }

    #[test]
    fn commas_inside_labels_do_not_confuse() {
        assert_eq!(paths("20;[20, 30[;*\n31;[30, 40[;*\n")[0], ["20", "[20, 30[", "*"]);
        assert_eq!(paths("20;[20, 30[;[0, 50[;*\n31;[0, 50[;*\n")[1], ["31", "[0, 50[", "*"]);
        assert_eq!(paths("23;20, 30;0, 100;*\n34;30, 40;0, 100;*\n")[0], ["23", "20, 30", "0, 100", "*"]);
        assert_eq!(paths("23;20,30;*\nunknown;*\n")[1], ["unknown", "*"]);
    }

    #[test]
    fn quotes_and_spaces_after_commas_are_handled() {
        assert_eq!(paths("20,\"[20, 30[\",*\n31,\"[30, 40[\",*\n")[1], ["31", "[30, 40[", "*"]);
        assert_eq!(paths("f, person, *\nm, person, *\n")[0], ["f", "person", "*"]);
        assert_eq!(paths("\"a;b\";\"say \"\"x\"\"\";*\nc;d;*\n")[0], ["a;b", "say \"x\"", "*"]);
    }

    #[test]
    fn short_lines_are_unbalanced_trees() {
        let expected = [vec!["a", "A", "AA", "*"], vec!["b", "*"]];
        assert_eq!(paths("a;A;AA;*\nb;*;;\n"), expected);
        assert_eq!(paths("a;A;AA;*\nb;;;*\n"), expected);
        assert_eq!(paths("a;A;*\n;*\n")[1], ["", "*"]);
    }

    #[test]
    fn blank_lines_do_not_shift_line_numbers() {
        let parsed = parse("\r\na;A;*\r\n\r\n\r\nb;B;*\r\na;B;*\r\n\r\n", "x", &nobody).unwrap();
        let lines: Vec<_> = parsed.all_findings().iter().map(|f| f.line).collect();
        assert_eq!(lines, [6]);
    }

    #[test]
    fn an_open_quote_is_found_where_it_opens() {
        let parsed = parse("a;A;*\n\"b;B;*\nc;C;*\n", "x", &nobody).unwrap();
        assert_eq!(parsed.findings[0].line, 2);
        assert!(parsed.findings[0].fatal);
    }
}
