//! Finds the objects in a JSON text, without looking at what is in them.

use std::io::BufRead;

/// No object of a table is as large.
pub(super) const MOST_BYTES: usize = 64 << 20;

/// Finds where objects begin and end, in a list or one after the other.
pub(super) struct Objects<R> {
    from: R,
    place: Placed,
    /// The last object, and the line it begins at.
    pub(super) text: Vec<u8>,
    pub(super) line: u64,
    /// The line that is read now.
    pub(super) at: u64,
}

/// Where in the file the next object is looked for.
#[derive(Clone, Copy, PartialEq)]
enum Placed {
    Start,
    /// One after the other.
    Loose,
    /// In a list: before its first object, behind one, behind a comma, behind its end.
    First,
    Behind,
    Comma,
    Done,
}

/// Why there is no next object.
pub(super) enum Trouble {
    Io(std::io::Error),
    NoObject,
    Early,
    Large,
}

impl<R: BufRead> Objects<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, place: Placed::Start, text: Vec::new(), line: 1, at: 1 }
    }

    /// Whether there is another object. It is in `text` then.
    pub(super) fn next(&mut self) -> std::result::Result<bool, Trouble> {
        loop {
            let Some(byte) = self.peek()? else {
                return match self.place {
                    Placed::Start | Placed::Loose | Placed::Done => Ok(false),
                    _ => Err(Trouble::Early),
                };
            };
            match (byte, self.place) {
                (b' ' | b'\t' | b'\r' | b'\n', _) => self.take(byte),
                (0xEF | 0xBB | 0xBF, Placed::Start) if self.at == 1 => self.take(byte),
                (b'{', Placed::Start | Placed::Loose) => {
                    self.place = Placed::Loose;
                    return self.object().map(|()| true);
                }
                (b'{', Placed::First | Placed::Comma) => {
                    self.place = Placed::Behind;
                    return self.object().map(|()| true);
                }
                (b'[', Placed::Start) => {
                    self.place = Placed::First;
                    self.take(byte);
                }
                (b',', Placed::Behind) => {
                    self.place = Placed::Comma;
                    self.take(byte);
                }
                (b']', Placed::First | Placed::Behind) => {
                    self.place = Placed::Done;
                    self.take(byte);
                }
                _ => return Err(Trouble::NoObject),
            }
        }
    }

    fn peek(&mut self) -> std::result::Result<Option<u8>, Trouble> {
        self.from.fill_buf().map(|bytes| bytes.first().copied()).map_err(Trouble::Io)
    }

    fn take(&mut self, byte: u8) {
        self.at += u64::from(byte == b'\n');
        self.from.consume(1);
    }

    /// Up to the brace that closes the one that stands next.
    fn object(&mut self) -> std::result::Result<(), Trouble> {
        self.text.clear();
        self.line = self.at;
        let (mut depth, mut in_text, mut escaped) = (0usize, false, false);
        loop {
            let bytes = self.from.fill_buf().map_err(Trouble::Io)?;
            if bytes.is_empty() {
                return Err(Trouble::Early);
            }
            let mut end = None;
            for (i, &byte) in bytes.iter().enumerate() {
                self.at += u64::from(byte == b'\n');
                if in_text {
                    match byte {
                        _ if escaped => escaped = false,
                        b'\\' => escaped = true,
                        b'"' => in_text = false,
                        _ => {}
                    }
                    continue;
                }
                match byte {
                    b'"' => in_text = true,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if depth == 0 {
                    end = Some(i + 1);
                    break;
                }
            }
            let taken = end.unwrap_or(bytes.len());
            self.text.extend_from_slice(&bytes[..taken]);
            self.from.consume(taken);
            if end.is_some() {
                return Ok(());
            }
            if self.text.len() > MOST_BYTES {
                return Err(Trouble::Large);
            }
        }
    }
}
