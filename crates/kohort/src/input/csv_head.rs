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
    /// Whether nothing but comments was seen, so that the header may come behind.
    pub(super) is_cut: bool,
}

/// The separators that are looked for. Of two that are as likely, the one of the file's ending is taken, then the first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// So many bytes are looked at; more where comments fill them, but no more than most.
pub(super) const LOOK: usize = 1 << 18;
pub(super) const MOST: usize = 1 << 26;

/// So many rows decide.
const ROWS: usize = 100;

/// Looks at the start of a file; `usual` is the separator its name promises, `comment` what somebody said begins a comment.
pub(super) fn look(start: &[u8], usual: u8, comment: Option<u8>) -> Head {
    // The last line may be cut off.
    let is_full = start.len() >= LOOK;
    let end = memchr::memrchr2(b'\n', b'\r', start).filter(|_| is_full).map_or(start.len(), |at| at + 1);
    let start = &start[..end];
    let mut skip = if start.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut said = None;
    if let Some((line, rest)) = line(&start[skip..])
        && let Some(separator) = named_separator(line, rest)
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
    let is_cut = is_full && is_comment_alone(behind, comment.unwrap_or(b'#'));
    Head { skip: skip as u64, separator, comments, by_spaces: is_by_spaces(behind), is_cut }
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
    let end = memchr::memchr2(b'\n', b'\r', bytes)?;
    let behind = if bytes[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
    Some((&bytes[..end], &bytes[behind..]))
}

/// `sep=;`, which spreadsheets understand and write. In quotes it may as well be the name of an only column, as Kohort writes
/// it: the line below tells.
fn named_separator(line: &[u8], below: &[u8]) -> Option<u8> {
    match line.strip_prefix(b"\"").and_then(|l| l.strip_suffix(b"\"")) {
        Some(quoted) => separator_of(quoted).filter(|&separator| fields(below, separator) > 1),
        None => separator_of(line),
    }
}

/// The separator that a text names as `sep=;` does.
pub(crate) fn separator_of(text: &[u8]) -> Option<u8> {
    let (name, separator) = text.split_at_checked(4)?;
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

/// Whether there is nothing behind comments, or a comment without an end.
fn is_comment_alone(bytes: &[u8], mark: u8) -> bool {
    let rest = without(bytes, mark);
    rest.first().is_none_or(|&first| first == mark && line(rest).is_none())
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
/// Commas between digits are decimal where another separator makes all rows alike.
fn find(bytes: &[u8], usual: u8) -> u8 {
    let candidates = std::iter::once(usual).chain(SEPARATORS.into_iter().filter(|&s| s != usual));
    let mut best: Option<((bool, usize, usize), u8)> = None;
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
        let has_decimals = share == 100 && separator != b',' && has_decimal_commas(bytes, separator);
        let rank = (has_decimals, share, wide);
        if is_likely && best.is_none_or(|(before, _)| rank > before) {
            best = Some((rank, separator));
        }
    }
    best.map_or(usual, |(_, separator)| separator)
}

/// Whether the rows have commas outside quotes, and all of them between digits.
fn has_decimal_commas(bytes: &[u8], separator: u8) -> bool {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).quoting(false).flexible(true).from_reader(bytes);
    let rows = reader.byte_records().map_while(Result::ok).take(ROWS);
    let mut found = false;
    for row in rows {
        for field in row.iter().filter(|field| !field.starts_with(b"\"")) {
            for at in memchr::memchr_iter(b',', field) {
                let is_digit =
                    |at: Option<usize>| at.and_then(|at| field.get(at)).is_some_and(u8::is_ascii_digit);
                if !is_digit(at.checked_sub(1)) || !is_digit(Some(at + 1)) {
                    return false;
                }
                found = true;
            }
        }
    }
    found
}

/// Whether all lines have the same number of words, more than one, and no separator.
fn is_by_spaces(bytes: &[u8]) -> bool {
    let all = || bytes.split(|byte| b"\n\r".contains(byte)).filter(|line| !is_blank(line));
    let words = |line: &[u8]| line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    let mut counts = all().take(ROWS).map(words);
    let has_none = |line: &[u8]| !line.iter().any(|byte| SEPARATORS.contains(byte));
    let header = all().next().unwrap_or_default();
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
        // Decimal commas in every row, and one in every name.
        assert_eq!(separator("Preis, EUR;Gewicht, kg\n2,50;3,20\n1,00;0,75\n"), b';');
        assert_eq!(separator("a, b\tc, d\r\n2,50\t3,20\r\n"), b'\t');
        assert_eq!(separator("a,b;c,d\n1,x;y,2\n"), b',', "words between commas");
        assert_eq!(separator("a,\"b;c\",d\n1,\"2;3\",4\n"), b',', "quoted parts do not count");
        assert_eq!(separator("Preis, EUR;Gewicht, kg\r2,50;3,20\r"), b';', "no line feeds");
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
        assert_eq!(of("sep=;\ra;b\r"), (6, b';', 0));
        // The name of an only column, as Kohort writes it.
        assert_eq!(of("\"sep=|\"\na,b\n"), (0, b',', 0));
        assert_eq!(of("\"sep=;\"\n\"a;b\"\n").0, 0);
        assert_eq!(of("sep=\t\na\n"), (6, b'\t', 0));
        assert_eq!(of("\u{feff}sep=^\na^b\n"), (9, b'^', 0));
        assert_eq!(of("sep=a\n1\n").0, 0);
        assert_eq!(of("sep\n1\n").0, 0);
    }

    #[test]
    fn comments_before_the_header_go_if_they_cannot_be_the_header() {
        assert_eq!(of("# made by x\n# on Monday\nid,name\n1,Ada\n"), (24, b',', 2));
        assert_eq!(of("# a\n\n#id;name\n1;Ada\n"), (5, b';', 1));
        assert_eq!(of("# a\r\r#id;name\r1;Ada\r"), (5, b';', 1));
        assert_eq!(of("# made by x\rid,name\r1,Ada\r"), (12, b',', 1));
        // These can be the header.
        assert_eq!(of("#id,name\n1,Ada\n"), (0, b',', 0));
        assert_eq!(of("# note\nage\n31\n").2, 0);
        assert_eq!(of("# one\n# two\n").2, 0);
        assert_eq!(of("id,name\n# x\n"), (0, b',', 0));
        let said = look(b"%x\n\n%a,b\na,b\n%c\n", b',', Some(b'%'));
        assert_eq!((said.skip, said.comments), (9, 0));
    }

    #[test]
    fn comments_may_fill_all_that_is_looked_at() {
        let comments = "# made by a talkative program\n".repeat(LOOK / 20);
        for comment in [None, Some(b'#')] {
            let is_cut = |text: &str| look(text.as_bytes(), b',', comment).is_cut;
            assert!(is_cut(&comments) && is_cut(&"#".repeat(LOOK)));
            let whole = format!("{comments}a;b\n1;2\n");
            let head = look(whole.as_bytes(), b',', comment);
            assert_eq!((head.is_cut, head.skip, head.separator), (false, comments.len() as u64, b';'));
            assert!(!is_cut("# one\n"), "there is no more");
        }
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
