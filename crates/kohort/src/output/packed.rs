//! Text on its way to a file, packed if the name of the file says so. The same text always gives the same bytes.

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
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(Encoder<'static, BufWriter<File>>),
}

/// zstd's own default.
const LEVEL: i32 = 3;

impl Packed {
    pub(super) fn new(file: File, packing: Packing) -> io::Result<Self> {
        let file = BufWriter::with_capacity(1 << 20, file);
        Ok(match packing {
            Packing::Plain => Self::Plain(file),
            Packing::Gzip => Self::Gzip(GzEncoder::new(file, Compression::default())),
            Packing::Zstd => {
                let mut encoder = Encoder::new(file, LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
        })
    }

    /// Completes the file.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut file) => file.flush(),
            Self::Gzip(encoder) => encoder.finish()?.flush(),
            Self::Zstd(encoder) => encoder.finish()?.flush(),
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

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}
