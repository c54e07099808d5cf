//! Takes lines out of a CSV file on their way to the fast reader: those that have separators but no value, and comments, if
//! somebody said how they begin. Spreadsheets write lines of separators below a table; they are nobody's record, and as people
//! they would make a class of their own. Lines end where the fast reader ends them: at a line feed, a carriage return, or both.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many lines were taken out in the last reading of the whole file.
pub(super) type BlankLines = Arc<AtomicU64>;

/// Which lines are left out.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftOut {
    /// Lines of separators; counted here.
    pub(super) blank: Option<BlankLines>,
    /// Lines that begin with this byte.
    pub(super) comment: Option<u8>,
}

impl LeftOut {
    /// Whether every line stays.
    pub(super) fn is_nothing(&self) -> bool {
        self.blank.is_none() && self.comment.is_none()
    }
}

/// Passes bytes on, but for the lines that are left out.
pub(super) struct WithoutBlankLines<R> {
    inner: R,
    separator: u8,
    left_out: LeftOut,
    state: State,
    /// The byte before, where that is outside quotes: a quote behind a separator opens a field.
    last: u8,
    /// The start of a line that may turn out blank.
    held: Vec<u8>,
    /// What was let through and not handed out yet.
    ready: Vec<u8>,
    given: usize,
    dropped: u64,
    chunk: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// A line of which all that was seen are separators, spaces and empty quotes.
    Blank,
    /// A comment, up to the end of its line.
    Comment,
    /// Behind the carriage return of a line that was left out: a line feed belongs to it.
    LeftOut,
    Plain,
    Quoted,
    /// A quote inside quotes: the field ends here, or it is the first of two that stand for one.
    QuoteInQuotes,
}

const CHUNK: usize = 1 << 16;

impl<R: Read> WithoutBlankLines<R> {
    /// The first line, which names the columns, stays whatever it holds.
    pub(super) fn new(inner: R, separator: u8, left_out: LeftOut) -> Self {
        Self {
            inner,
            separator,
            left_out,
            state: State::Plain,
            last: b'\n',
            held: Vec::new(),
            ready: Vec::new(),
            given: 0,
            dropped: 0,
            chunk: vec![0; CHUNK],
        }
    }

    fn pass(&mut self, mut bytes: &[u8]) {
        while let Some(&next) = bytes.first() {
            let taken = match self.state {
                State::Blank => self.look_at(next),
                State::Comment => self.pass_by(bytes),
                State::LeftOut => {
                    self.state = State::Blank;
                    usize::from(next == b'\n')
                }
                State::Plain => self.plain(bytes),
                State::Quoted => {
                    let end = memchr::memchr(b'"', bytes);
                    self.state = if end.is_some() { State::QuoteInQuotes } else { State::Quoted };
                    self.through(bytes, end.map_or(bytes.len(), |at| at + 1))
                }
                State::QuoteInQuotes => {
                    self.last = b'"';
                    self.state = if next == b'"' { State::Quoted } else { State::Plain };
                    if next == b'"' { self.through(bytes, 1) } else { 0 }
                }
            };
            bytes = &bytes[taken..];
        }
    }

    /// The rest of a comment.
    fn pass_by(&mut self, bytes: &[u8]) -> usize {
        let end = memchr::memchr2(b'\n', b'\r', bytes);
        if let Some(at) = end {
            self.state = behind(bytes[at]);
        }
        end.map_or(bytes.len(), |at| at + 1)
    }

    /// One more byte of a line that may be blank.
    fn look_at(&mut self, next: u8) -> usize {
        if self.held.is_empty() && self.left_out.comment == Some(next) {
            self.state = State::Comment;
            return 1;
        }
        self.held.push(next);
        if is_end(next) {
            self.end_line();
        } else if next != self.separator && !matches!(next, b' ' | b'"') {
            self.let_through();
        }
        1
    }

    /// Up to the end of the line or the next quote that opens a field.
    fn plain(&mut self, bytes: &[u8]) -> usize {
        let Some(at) = memchr::memchr3(b'\n', b'\r', b'"', bytes) else {
            self.last = bytes[bytes.len() - 1];
            return self.through(bytes, bytes.len());
        };
        let before = if at == 0 { self.last } else { bytes[at - 1] };
        if is_end(bytes[at]) {
            self.state = State::Blank;
        } else if before == self.separator || is_end(before) {
            self.state = State::Quoted;
        }
        self.last = bytes[at];
        self.through(bytes, at + 1)
    }

    fn through(&mut self, bytes: &[u8], count: usize) -> usize {
        self.ready.extend_from_slice(&bytes[..count]);
        count
    }

    /// A line that is not blank after all: it is read again from its start, as any other.
    fn let_through(&mut self) {
        self.state = State::Plain;
        self.last = b'\n';
        let held = std::mem::take(&mut self.held);
        self.pass(&held);
    }

    fn end_line(&mut self) {
        let line = self.held.trim_ascii_end();
        let mut fields = line.split(|&byte| byte == self.separator).map(<[u8]>::trim_ascii);
        let has_separator = self.left_out.blank.is_some() && self.held.contains(&self.separator);
        if has_separator && fields.all(|field| field.is_empty() || field == b"\"\"") {
            self.dropped += 1;
            self.state = self.held.last().map_or(State::Blank, |&end| behind(end));
            self.held.clear();
        } else {
            // The line's end makes the next one blank again, unless a quote is open.
            self.let_through();
        }
    }
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What follows a line that was left out and ended so.
fn behind(end: u8) -> State {
    if end == b'\r' { State::LeftOut } else { State::Blank }
}

impl<R: Read> Read for WithoutBlankLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() && !buffer.is_empty() {
            self.ready.clear();
            self.given = 0;
            let mut chunk = std::mem::take(&mut self.chunk);
            let read = self.inner.read(&mut chunk);
            let count = *read.as_ref().unwrap_or(&0);
            self.pass(&chunk[..count]);
            self.chunk = chunk;
            if read? == 0 {
                if self.held.is_empty() {
                    if let Some(told) = &self.left_out.blank {
                        told.store(self.dropped, Ordering::Relaxed);
                    }
                    return Ok(0);
                }
                self.end_line();
            }
        }
        let count = buffer.len().min(self.ready.len() - self.given);
        buffer[..count].copy_from_slice(&self.ready[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::drops::Drops;
    use super::*;

    fn passed(text: &str, step: usize) -> (String, u64) {
        let told = BlankLines::default();
        let left_out = LeftOut { blank: Some(told.clone()), comment: None };
        (left(text, step, left_out), told.load(Ordering::Relaxed))
    }

    fn left(text: &str, step: usize, left_out: LeftOut) -> String {
        let mut out = String::new();
        WithoutBlankLines::new(Drops(text.as_bytes(), step), b',', left_out)
            .read_to_string(&mut out)
            .unwrap();
        out
    }

    #[test]
    fn comments_go_where_they_are_lines() {
        let cases = [
            ("a,b\n#x\n1,2\n# y,\"\n#\n3,#\n#", "a,b\n1,2\n3,#\n"),
            ("#a,b\n1,\"x\n#y\"\n #z,2\n,\n", "#a,b\n1,\"x\n#y\"\n #z,2\n,\n"),
            ("a,b\r\n#x\r\n1,2\r\n", "a,b\r\n1,2\r\n"),
            ("a,b\r#x\r1,2\r#\r#y, \"\r3,#\r#", "a,b\r1,2\r3,#\r"),
            ("a,b\r1,\"x\r#y\"\r#\r\r#z\n4,5\r", "a,b\r1,\"x\r#y\"\r\r4,5\r"),
        ];
        for (text, expected) in cases {
            for step in 1..9 {
                let left_out = LeftOut { blank: None, comment: Some(b'#') };
                assert_eq!(left(text, step, left_out), expected, "{text:?} by {step}");
            }
        }
    }

    #[test]
    fn lines_of_separators_go_and_nothing_else() {
        let cases = [
            ("a,b\n1,2\n,\n3,4\n", "a,b\n1,2\n3,4\n", 1),
            ("a,b\r\n1,2\r\n,\r\n , \r\n3,4\r\n", "a,b\r\n1,2\r\n3,4\r\n", 2),
            ("a,b\n1,2\n\"\",\"\"\n,", "a,b\n1,2\n", 2),
            ("a,b\r1,2\r,\r , \r\r3,4\r\"\",\r", "a,b\r1,2\r\r3,4\r", 3),
            ("a,b\r1,2\r,\n,\r\n3,4\r", "a,b\r1,2\r3,4\r", 2),
            ("a,b\r\"1\n,\n\",2\r\"1\r,\r\",2\r,\r", "a,b\r\"1\n,\n\",2\r\"1\r,\r\",2\r", 1),
            // A value is a value, and so is a missing one beside it.
            ("a,b\n,2\n1,\n0,0\n", "a,b\n,2\n1,\n0,0\n", 0),
            // A line within quotes belongs to its field, and a quote may be a value.
            ("a,b\n1,\"x\n,\ny\"\n2,\"\"\"\n,\n\"\n", "a,b\n1,\"x\n,\ny\"\n2,\"\"\"\n,\n\"\n", 0),
            ("a,b\n\"\n\",\n,\n", "a,b\n\"\n\",\n", 1),
            ("a,b\n,\"\"\"\"\n", "a,b\n,\"\"\"\"\n", 0),
            // A quote inside a field opens nothing.
            ("a,b\n5\" pipe,2\n,\n", "a,b\n5\" pipe,2\n", 1),
            // The header is never taken for blank, nor a blank line of a single column.
            (",\n1,2\n", ",\n1,2\n", 0),
            ("a\n\n \nx\n", "a\n\n \nx\n", 0),
        ];
        for (text, expected, dropped) in cases {
            for step in 1..9 {
                assert_eq!(passed(text, step), (expected.to_owned(), dropped), "{text:?} by {step}");
            }
        }
    }
}
