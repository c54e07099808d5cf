//! The string literals of a source text, without those of comments and tests.

/// A string literal as it stands in the source, and its line.
#[derive(Debug, PartialEq)]
pub(crate) struct Literal {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// The literals of a source text outside of what exists only for tests.
pub(crate) fn literals(source: &str) -> Vec<Literal> {
    let (code, found) = split(source);
    let tests = test_ranges(&code);
    let shipped = |at: usize| !tests.iter().any(|range| range.contains(&at));
    let line = |at: usize| 1 + source[..at].matches('\n').count();
    let literal = |(at, text)| Literal { line: line(at), text };
    found.into_iter().filter(|(at, _)| shipped(*at)).map(literal).collect()
}

/// The code with comments and literals blanked, byte for byte, and the literals by where they start.
fn split(source: &str) -> (String, Vec<(usize, String)>) {
    let mut code = String::with_capacity(source.len());
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        let taken = comment(rest).or_else(|| character(rest)).unwrap_or(0);
        let taken = match string(rest).filter(|_| taken == 0 && !ends_in_word(&code)) {
            Some((length, text)) => {
                found.push((at, text.to_owned()));
                length
            }
            None => taken,
        };
        if taken == 0 {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            code.push_str(&rest[..length]);
            at += length;
        } else {
            code.extend(std::iter::repeat_n(' ', taken));
            at += taken;
        }
    }
    (code, found)
}

/// Whether an `r` that follows is the end of a name, and not the start of a raw string.
fn ends_in_word(code: &str) -> bool {
    code.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The length of a comment that starts here.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    rest.starts_with("/*").then(|| rest.find("*/").map_or(rest.len(), |end| end + 2))
}

/// The length of a character that starts here; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    if let Some(escaped) = inside.strip_prefix('\\') {
        let length = escaped.chars().next()?.len_utf8();
        return escaped[length..].find('\'').map(|end| 2 + length + end + 1);
    }
    let length = inside.chars().next()?.len_utf8();
    inside[length..].starts_with('\'').then_some(1 + length + 1)
}

/// The length and the text of a string that starts here.
fn string(rest: &str) -> Option<(usize, &str)> {
    if let Some(raw) = rest.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inside = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = inside.find(&end)?;
        return Some((1 + hashes + 1 + length + end.len(), &inside[..length]));
    }
    let inside = rest.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            '"' if !escaped => return Some((at + 2, &inside[..at])),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

/// Where items stand that exist only for tests.
pub(crate) fn test_ranges(code: &str) -> Vec<std::ops::Range<usize>> {
    let item = |(at, _): (usize, &str)| {
        let rest = &code[at..];
        let end = rest.find(';').unwrap_or(rest.len());
        let end = match rest.find('{') {
            Some(open) if open < end => closing(rest, open),
            _ => end,
        };
        at..at + end
    };
    code.match_indices("#[cfg(test)]").map(item).collect()
}

/// Just behind the brace that closes the one at `open`.
fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return open + at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}
