//! The first lines of a CSV file: what stands before the header, where the header is, and what separates its fields.

use crate::error::Said;

/// Where the table begins, and how its fields are separated.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// Bytes before the header.
    pub(super) skip: u64,
    pub(super) separator: u8,
    /// Lines before the header that begin as comments do, if nobody said that there are any.
    pub(super) comments: u64,
    /// Whether the fields seem to be separated by spaces, which nobody can be sure of.
    pub(super) by_spaces: bool,
}

/// The separators that are looked for. Of two that are as likely, the one of the file's ending is taken, then the first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// So many bytes are looked at.
pub(super) const LOOK: usize = 1 << 18;

/// So many rows decide.
const ROWS: usize = 100;

/// Looks at the start of a file; `usual` is the separator its name promises, `comment` what somebody said begins a comment.
pub(super) fn look(start: &[u8], usual: u8, comment: Option<u8>) -> Head {
    // The last line may be cut off.
    let end = memchr::memrchr(b'\n', start).filter(|_| start.len() >= LOOK).map_or(start.len(), |at| at + 1);
    let start = &start[..end];
    let mut skip = if start.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut said = None;
    if let Some((line, rest)) = line(&start[skip..])
        && let Some(separator) = named_separator(line)
    {
        said = Some(separator);
        skip = start.len() - rest.len();
    }
    let (behind, comments) = match comment {
        Some(mark) => (without(&start[skip..], mark), 0),
        None => without_comments(&start[skip..], said, usual),
    };
    skip = start.len() - behind.len();
    let separator = said.unwrap_or_else(|| find(behind, usual));
    Head { skip: skip as u64, separator, comments, by_spaces: is_by_spaces(behind) }
}

impl Head {
    /// What a person should hear.
    pub(super) fn note(&self, shown: &str) -> Option<Said> {
        let lines = match self.comments {
            0 => return None,
            1 => "1 line before the header begins with # and was taken for a comment".to_owned(),
            n => format!("{n} lines before the header begin with # and were taken for comments"),
        };
        Some(format!("{shown}: {lines}").into())
    }
}

/// The first line without its end, and what follows.
fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'\n', bytes)?;
    Some((bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]), &bytes[end + 1..]))
}

/// `sep=;`, which spreadsheets understand and write.
fn named_separator(line: &[u8]) -> Option<u8> {
    let line = line.strip_prefix(b"\"").and_then(|l| l.strip_suffix(b"\"")).unwrap_or(line);
    let (name, separator) = line.split_at_checked(4)?;
    match separator {
        _ if !name.eq_ignore_ascii_case(b"sep=") => None,
        b"\\t" => Some(b'\t'),
        [one] if (one.is_ascii_punctuation() && *one != b'"') || matches!(one, b'\t' | b' ') => Some(*one),
        _ => None,
    }
}

/// Behind all lines that begin with the mark, and blank ones among them.
fn without(mut bytes: &[u8], mark: u8) -> &[u8] {
    let goes = |first: &[u8]| first.first() == Some(&mark) || is_blank(first);
    while let Some((_, rest)) = line(bytes).filter(|(first, _)| goes(first)) {
        bytes = rest;
    }
    bytes
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Behind lines that begin with `#` and cannot be the header, and how many they are. A line can be the header if it has as
/// many fields as the first line that does not begin so: somebody may call a column `#id`. If that were taken for a comment,
/// the first person would become the header.
fn without_comments(bytes: &[u8], said: Option<u8>, usual: u8) -> (&[u8], u64) {
    let below = without(bytes, b'#');
    let Some(other) = line(below).map(|(first, _)| first).filter(|first| !is_blank(first)) else {
        return (bytes, 0);
    };
    let separator = said.unwrap_or_else(|| find(below, usual));
    let wide = fields(other, separator);
    let (mut at, mut comments) = (bytes, 0);
    while at.len() > below.len() {
        let Some((first, rest)) = line(at) else { break };
        if !is_blank(first) {
            if fields(first, separator) == wide {
                break;
            }
            comments += 1;
        }
        at = rest;
    }
    (at, comments)
}

/// How many fields a line has.
fn fields(line: &[u8], separator: u8) -> usize {
    records(line, separator, 1).first().copied().unwrap_or(0)
}

/// How many fields each of the first records has.
fn records(bytes: &[u8], separator: u8, most: usize) -> Vec<usize> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(bytes);
    let mut record = csv::ByteRecord::new();
    let mut found = Vec::new();
    while found.len() < most && reader.read_byte_record(&mut record).unwrap_or(false) {
        if record.len() == 1 || record.iter().any(|field| !field.is_empty()) {
            found.push(record.len());
        }
    }
    found
}

/// The separator by which the header has several fields and most rows have as many; of several the one that gives most.
fn find(bytes: &[u8], usual: u8) -> u8 {
    let candidates = std::iter::once(usual).chain(SEPARATORS.into_iter().filter(|&s| s != usual));
    let mut best: Option<((usize, usize), u8)> = None;
    for separator in candidates {
        let found = records(bytes, separator, ROWS + 1);
        let Some((&wide, rows)) = found.split_first() else { continue };
        if wide < 2 {
            continue;
        }
        let alike = rows.iter().filter(|&&fields| fields == wide).count();
        let share = if rows.is_empty() { 100 } else { 100 * alike / rows.len() };
        // A bar or a tab may belong to the name of an only column.
        let is_likely = share >= 50 || separator == usual || separator == b';';
        // Of decimal commas there may be one in every row, and in the header.
        if is_likely && best.is_none_or(|(before, _)| (share, wide) > before) {
            best = Some(((share, wide), separator));
        }
    }
    best.map_or(usual, |(_, separator)| separator)
}

/// Whether all lines have the same number of words, more than one, and no separator.
fn is_by_spaces(bytes: &[u8]) -> bool {
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !is_blank(line)).take(ROWS);
    let words = |line: &[u8]| line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    let mut counts = lines.map(words);
    let has_none = |line: &[u8]| !line.iter().any(|byte| SEPARATORS.contains(byte));
    let header = bytes.split(|&byte| byte == b'\n').find(|line| !is_blank(line)).unwrap_or_default();
    match counts.next() {
        Some(wide) if wide > 1 && has_none(header) => {
            let rest: Vec<usize> = counts.collect();
            !rest.is_empty() && rest.iter().all(|&count| count == wide)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (u64, u8, u64) {
        let head = look(text.as_bytes(), b',', None);
        (head.skip, head.separator, head.comments)
    }

    #[test]
    fn the_separator_is_what_makes_rows_alike() {
        let separator = |text: &str| of(text).1;
        assert_eq!(separator("a,b\n1,2\n"), b',');
        assert_eq!(separator("a;b\n1;2\n"), b';');
        assert_eq!(separator("a\tb\n1\t2\n"), b'\t');
        assert_eq!(separator("a|b\n1|2\n"), b'|');
        // What stands in a name does not decide.
        assert_eq!(separator("id;name, first\n1;Ada\n"), b';');
        assert_eq!(separator("id;price, EUR;name\n1;2,50;Ada\n"), b';');
        assert_eq!(separator("\"a;b\",c\n1,2\n"), b',');
        assert_eq!(separator("a,b;c\n1,2\n"), b',');
        assert_eq!(separator("a|b\n1\n2\n"), b',');
        assert_eq!(separator("name\nAda\n"), b',');
        // A ragged file keeps its separator, so that the ragged line is named.
        assert_eq!(separator("a,b,c\n1,2\n1;2;3\n"), b',');
        assert_eq!(separator("a;b;c\n1;2\n"), b';');
        assert_eq!(separator("a;b"), b';');
        assert_eq!(look(b"a,b\n1,2\n", b'\t', None).separator, b',');
        assert_eq!(look(b"a,x\tb\n1,y\t2\n", b'\t', None).separator, b'\t');
    }

    #[test]
    fn a_line_may_name_the_separator() {
        assert_eq!(of("sep=;\r\na;b\n"), (7, b';', 0));
        assert_eq!(of("\"SEP=|\"\na,b|c\n"), (8, b'|', 0));
        assert_eq!(of("sep=\t\na\n"), (6, b'\t', 0));
        assert_eq!(of("\u{feff}sep=^\na^b\n"), (9, b'^', 0));
        assert_eq!(of("sep=a\n1\n").0, 0);
        assert_eq!(of("sep\n1\n").0, 0);
    }

    #[test]
    fn comments_before_the_header_go_if_they_cannot_be_the_header() {
        assert_eq!(of("# made by x\n# on Monday\nid,name\n1,Ada\n"), (24, b',', 2));
        assert_eq!(of("# a\n\n#id;name\n1;Ada\n"), (5, b';', 1));
        // These can be the header.
        assert_eq!(of("#id,name\n1,Ada\n"), (0, b',', 0));
        assert_eq!(of("# note\nage\n31\n").2, 0);
        assert_eq!(of("# one\n# two\n").2, 0);
        assert_eq!(of("id,name\n# x\n"), (0, b',', 0));
        let said = look(b"%x\n\n%a,b\na,b\n%c\n", b',', Some(b'%'));
        assert_eq!((said.skip, said.comments), (9, 0));
    }

    #[test]
    fn words_between_spaces() {
        let by_spaces = |text: &str| look(text.as_bytes(), b',', None).by_spaces;
        assert!(by_spaces("age sex\n34 f\n36   m\n"));
        for text in ["age\n34\n", "full name\nAda\n", "age,sex\n34 f,x\n", "age sex\n"] {
            assert!(!by_spaces(text), "{text}");
        }
    }
}
