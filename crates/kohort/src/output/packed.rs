//! Text on its way to a file, packed if the name of the file says so. The same text always gives the same bytes, however it
//! arrives: an encoder looks at what it is given at once, and the pieces in which rows arrive tell where rows are missing.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zstd::stream::write::Encoder;

use crate::input::Packing;

/// What takes the text.
pub(super) enum Packed {
    Plain(BufWriter<File>),
    /// Without the name of the file and the time of day, which its head has room for.
    Gzip(Even<GzEncoder<BufWriter<File>>>),
    Zstd(Even<Encoder<'static, BufWriter<File>>>),
}

/// So many bytes are packed at once.
const PIECE: usize = 1 << 16;

/// Hands everything on in pieces of one size.
pub(super) struct Even<W> {
    to: W,
    piece: Vec<u8>,
}

impl<W: Write> Even<W> {
    fn new(to: W) -> Self {
        Self { to, piece: Vec::with_capacity(PIECE) }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..taken]);
        if self.piece.len() == PIECE {
            self.to.write_all(&self.piece)?;
            self.piece.clear();
        }
        Ok(taken)
    }

    /// What takes the pieces, once it has the last one.
    fn into_inner(mut self) -> io::Result<W> {
        self.to.write_all(&self.piece)?;
        Ok(self.to)
    }
}

/// zstd's own default.
const LEVEL: i32 = 3;

impl Packed {
    pub(super) fn new(file: File, packing: Packing) -> io::Result<Self> {
        let file = BufWriter::with_capacity(1 << 20, file);
        Ok(match packing {
            Packing::Plain => Self::Plain(file),
            Packing::Gzip => Self::Gzip(Even::new(GzEncoder::new(file, Compression::default()))),
            Packing::Zstd => {
                let mut encoder = Encoder::new(file, LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(Even::new(encoder))
            }
        })
    }

    /// Completes the file.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut file) => file.flush(),
            Self::Gzip(encoder) => encoder.into_inner()?.finish()?.flush(),
            Self::Zstd(encoder) => encoder.into_inner()?.finish()?.flush(),
        }
    }
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    /// What is packed waits for its piece to be full, or for [`Packed::finish`].
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(_) | Self::Zstd(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(text: &[u8], packing: Packing, piece: usize) -> Vec<u8> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut to = Packed::new(file.reopen().unwrap(), packing).unwrap();
        for bytes in text.chunks(piece) {
            to.write_all(bytes).unwrap();
            to.flush().unwrap();
        }
        to.finish().unwrap();
        std::fs::read(file.path()).unwrap()
    }

    #[test]
    fn the_same_text_gives_the_same_bytes_however_it_arrives() {
        let text: Vec<u8> =
            (0..60_000_u32).flat_map(|n| format!("{},{n}\n", n * 7919 % 1000).into_bytes()).collect();
        for packing in [Packing::Plain, Packing::Gzip, Packing::Zstd] {
            let at_once = packed(&text, packing, text.len());
            for piece in [1000, 8192, 65_536, 65_537, 300_001] {
                assert!(packed(&text, packing, piece) == at_once, "{packing:?} in pieces of {piece}");
            }
        }
    }
}
