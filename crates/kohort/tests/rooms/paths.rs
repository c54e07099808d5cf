//! Which rooms a source text names: `crate::X`, `crate::{X, Y::…}`, and `super::` paths that leave the room.

use super::literals::test_ranges;

/// Line and first segment of every path that starts at the crate's root. `depth` is how many `super::` lead there.
pub(crate) fn rooms_used(text: &str, depth: usize) -> Vec<(usize, String)> {
    let code = without_tests(&without_comments_and_strings(text));
    let mut found = Vec::new();
    for root in ["crate::".to_owned(), "super::".repeat(depth)] {
        for (at, _) in code.match_indices(&root) {
            let before = code[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                first_segments(&code, at + root.len(), &mut found);
            }
        }
    }
    found.sort();
    found
}

/// The segment at `start`, or all that stand first inside braces there. Types re-exported at the root are no rooms.
fn first_segments(code: &str, start: usize, found: &mut Vec<(usize, String)>) {
    let mut note = |at: usize, end: usize| {
        let name = &code[at..end];
        if name.starts_with(|c: char| c.is_lowercase()) && name != "self" && name != "super" {
            found.push((code[..at].matches('\n').count() + 1, name.to_owned()));
        }
    };
    let word_end = |at: usize| {
        code[at..].find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(code.len(), |n| at + n)
    };
    if !code[start..].starts_with('{') {
        return note(start, word_end(start));
    }
    let (mut open, mut first) = (0, false);
    let mut at = start;
    while let Some(c) = code[at..].chars().next() {
        match c {
            '{' => (open, first) = (open + 1, open == 0),
            '}' if open == 1 => return,
            '}' => open -= 1,
            ',' => first = open == 1,
            c if first && (c.is_alphanumeric() || c == '_') => {
                note(at, word_end(at));
                at = word_end(at);
                first = false;
                continue;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
}

/// Blanks comments and string literals, line by line so that line numbers stay. Raw strings are treated like others,
/// which is enough: a path inside one would only be reported, never missed.
fn without_comments_and_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(_)) if quoted => {
                chars.next();
            }
            ('"', _) => quoted = !quoted,
            ('\'', Some('"')) if !quoted => {
                // The character '"' opens no string.
                chars.next();
            }
            ('/', Some('/')) if !quoted => while chars.next_if(|&c| c != '\n').is_some() {},
            ('\n', _) => out.push('\n'),
            _ if quoted => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// Blanks modules that exist only for tests: they may look wherever they like.
fn without_tests(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut from = 0;
    for tests in test_ranges(code) {
        // What lies inside another one is blank already.
        if tests.start >= from {
            out.push_str(&code[from..tests.start]);
            out.extend(code[tests.clone()].chars().filter(|&c| c == '\n'));
            from = tests.end;
        }
    }
    out + &code[from..]
}
