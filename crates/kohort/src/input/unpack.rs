//! Pages of Parquet files that could unpack to more than they promise.
//!
//! The decoders of gzip, Brotli and LZ4 frames go on as long as there is anything to unpack, and the library compares the
//! length with the promise only afterwards. Pages that could fill the memory until then are unpacked into nothing before.

use std::io::{self, Read};

use brotli_decompressor::Decompressor;
use flate2::read::MultiGzDecoder;
use lz4_flex::frame::FrameDecoder;
use parquet::basic::Compression;

use super::plausible;

/// Whether a page unpacks to no more than it promises. What cannot be unpacked at all is for the library to refuse.
pub(super) fn keeps_promise(packed: &[u8], promised: u64, codec: Compression) -> bool {
    let most = match codec {
        Compression::GZIP(_) => plausible::GZIP,
        Compression::LZ4 => plausible::LZ4,
        Compression::BROTLI(_) if has_large_window(packed) => return false,
        Compression::BROTLI(_) => u64::MAX,
        // The others are given as much room as was promised.
        _ => return true,
    };
    let harmless = (packed.len() as u64).saturating_mul(most) <= plausible::FREE;
    harmless || !unpacks_to_more(packed, promised, codec)
}

fn unpacks_to_more(packed: &[u8], promised: u64, codec: Compression) -> bool {
    let decoder: Box<dyn Read + '_> = match codec {
        Compression::GZIP(_) => Box::new(MultiGzDecoder::new(packed)),
        Compression::BROTLI(_) => Box::new(Decompressor::new(packed, 1 << 16)),
        _ => Box::new(FrameDecoder::new(packed)),
    };
    io::copy(&mut decoder.take(promised.saturating_add(1)), &mut io::sink()).is_ok_and(|n| n > promised)
}

/// Brotli has a dialect, beyond its standard, whose decoder asks for up to a gigabyte at once. It begins with these bits.
fn has_large_window(packed: &[u8]) -> bool {
    packed.first().is_some_and(|byte| byte & 0x7f == 0x11)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::basic::{BrotliLevel, GzipLevel};

    use super::*;

    /// A million times nothing, as gzip; repeated, because members of gzip may follow one another.
    fn gzip(members: usize) -> Vec<u8> {
        let mut one = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        one.write_all(&vec![0; 1 << 20]).unwrap();
        one.finish().unwrap().repeat(members)
    }

    #[test]
    fn gzip_that_goes_on_behind_its_promise() {
        let gzip_codec = Compression::GZIP(GzipLevel::default());
        let packed = gzip(400);
        assert!(keeps_promise(&packed, 400 << 20, gzip_codec));
        assert!(!keeps_promise(&packed, (400 << 20) - 1, gzip_codec));
        assert!(!keeps_promise(&packed, 1 << 20, gzip_codec));
        // So little cannot do harm, and the library will see that it is wrong.
        assert!(keeps_promise(&gzip(2), 1, gzip_codec));
    }

    #[test]
    fn frames_of_lz4() {
        let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
        frame.write_all(&vec![0; 300 << 20]).unwrap();
        let packed = frame.finish().unwrap();
        assert!(keeps_promise(&packed, 300 << 20, Compression::LZ4));
        assert!(!keeps_promise(&packed, 1 << 20, Compression::LZ4));
    }

    #[test]
    fn the_large_windows_of_brotli() {
        let codec = Compression::BROTLI(BrotliLevel::default());
        assert!(!keeps_promise(&[0x11, 30, 0, 0], 1 << 20, codec));
        // "Nothing", as the standard has it.
        assert!(keeps_promise(&[0x3b], 0, codec));
    }
}
