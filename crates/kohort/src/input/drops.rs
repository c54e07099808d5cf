//! A reader for tests that look at bytes on their way: what arrives may be cut anywhere.

use std::io::{self, Read};

/// Hands out so many bytes at a time.
pub(super) struct Drops<'a>(pub(super) &'a [u8], pub(super) usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.1.min(self.0.len()).min(buffer.len());
        buffer[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}
