//! Looks at the bytes of a CSV file on their way to the fast reader, for two things it does not notice: text that is
//! UTF-8 only after the separators are taken out, and a quote that is still open at the end, which swallows every row
//! behind it.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the number of quotes seen so far is odd. Quotes come in pairs, unless one is open or stands inside a field.
pub(super) type OddQuotes = Arc<AtomicBool>;

/// Passes bytes on and keeps an eye on them.
pub(super) struct Watched<R> {
    inner: R,
    /// The first bytes of a character whose rest is not here yet.
    cut: Vec<u8>,
    odd: OddQuotes,
}

impl<R: Read> Watched<R> {
    pub(super) fn new(inner: R) -> (Self, OddQuotes) {
        let odd = OddQuotes::default();
        (Self { inner, cut: Vec::new(), odd: odd.clone() }, odd)
    }

    /// Refuses bytes that are no text; a character cut in two waits for its rest.
    fn check_text(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while let (false, Some((&next, rest))) = (self.cut.is_empty(), bytes.split_first()) {
            self.cut.push(next);
            bytes = rest;
            match std::str::from_utf8(&self.cut) {
                Ok(_) => self.cut.clear(),
                Err(e) if e.error_len().is_some() => return Err(no_text()),
                Err(_) => {}
            }
        }
        match std::str::from_utf8(bytes) {
            Ok(_) => Ok(()),
            Err(e) if e.error_len().is_none() => {
                self.cut.extend_from_slice(&bytes[e.valid_up_to()..]);
                Ok(())
            }
            Err(_) => Err(no_text()),
        }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if read == 0 && !self.cut.is_empty() && !buffer.is_empty() {
            return Err(no_text());
        }
        self.check_text(&buffer[..read])?;
        if memchr::memchr_iter(b'"', &buffer[..read]).count() % 2 == 1 {
            self.odd.fetch_xor(true, Ordering::Relaxed);
        }
        Ok(read)
    }
}

/// Never shown: the slow reader finds the line and says more.
fn no_text() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::super::drops::Drops;
    use super::*;

    fn read(bytes: &[u8], step: usize) -> Option<bool> {
        let (mut watched, odd) = Watched::new(Drops(bytes, step));
        let mut out = Vec::new();
        watched.read_to_end(&mut out).ok()?;
        assert_eq!(out, bytes);
        Some(odd.load(Ordering::Relaxed))
    }

    #[test]
    fn characters_may_be_cut_anywhere() {
        for step in 1..12 {
            assert_eq!(read("ü,€,\"😀\"\n".as_bytes(), step), Some(false));
            assert_eq!(read("\"a\"\"b\"\n\"€".as_bytes(), step), Some(true));
            for wrong in [&b"x\xC3,\xA9y\n"[..], b"\xE9t\xE9", b"end\xC3", b"\xF0\x9F\x98 "] {
                assert_eq!(read(wrong, step), None, "{wrong:?} by {step}");
            }
        }
    }
}
