//! Unpacks gzip and Zstandard to a file without a name.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::error::{Error, Result};
use crate::input::{Packing, Scratch, no_scratch};

/// The bytes as they were before they were packed. What ends early, or is not as it was packed, is refused: half a table
/// must not pass for a table.
pub(super) fn unpack(path: &Path, packing: Packing, shown: &str) -> Result<Scratch> {
    let cannot = |e: &std::io::Error| damaged(e, packing, shown);
    let packed = BufReader::with_capacity(1 << 16, File::open(path).map_err(|e| cannot(&e))?);
    let mut from: Box<dyn Read> = match packing {
        Packing::Plain => Box::new(packed),
        Packing::Gzip => Box::new(MultiGzDecoder::new(packed)),
        Packing::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(packed).map_err(|e| cannot(&e))?),
    };
    let scratch = Scratch::new()?;
    let mut to = scratch.writer().map_err(|e| no_scratch(&e))?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(scratch),
            Ok(n) => to.write_all(&buffer[..n]).map_err(|e| no_scratch(&e))?,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(cannot(&e)),
        }
    }
}

fn damaged(e: &std::io::Error, packing: Packing, shown: &str) -> Error {
    let name = if packing == Packing::Gzip { "gzip" } else { "Zstandard" };
    let what = match e.kind() {
        std::io::ErrorKind::UnexpectedEof => {
            format!("the {name} file ends too early: a part of it is missing")
        }
        _ => format!("the {name} file cannot be unpacked: {e}"),
    };
    Error::input(what).in_file(shown).help("copy it again from where it was made; nothing was read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn gzip(text: &str) -> Vec<u8> {
        let mut to = GzEncoder::new(Vec::new(), Compression::default());
        to.write_all(text.as_bytes()).unwrap();
        to.finish().unwrap()
    }

    fn unpacked(bytes: &[u8], packing: Packing) -> Option<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let scratch = unpack(file.path(), packing, "t").ok()?;
        Some(std::fs::read_to_string(scratch.path()).unwrap())
    }

    #[test]
    fn files_of_several_parts_are_read_to_their_end() {
        let bytes = [gzip("a,b\n1,2\n"), gzip(""), gzip("3,4\n")].concat();
        assert_eq!(unpacked(&bytes, Packing::Gzip).as_deref(), Some("a,b\n1,2\n3,4\n"));
        let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
        let bytes = [zstd("a,b\n1,2\n"), zstd("3,4\n")].concat();
        assert_eq!(unpacked(&bytes, Packing::Zstd).as_deref(), Some("a,b\n1,2\n3,4\n"));
    }

    #[test]
    fn no_part_of_a_file_passes_for_all_of_it() {
        let lines: Vec<String> = (0..500).map(|i| format!("{i},{}\n", i * 7919 % 1000)).collect();
        let text = lines.concat();
        for (packing, bytes) in
            [(Packing::Gzip, gzip(&text)), (Packing::Zstd, zstd::encode_all(text.as_bytes(), 3).unwrap())]
        {
            assert_eq!(unpacked(&bytes, packing).as_deref(), Some(text.as_str()));
            for end in 1..bytes.len() {
                assert_eq!(unpacked(&bytes[..end], packing), None, "{packing:?} cut at {end}");
            }
        }
    }

    #[test]
    fn a_changed_byte_of_gzip_is_noticed() {
        let text = "name,age\nAda,34\nBob,36\n";
        let bytes = gzip(text);
        // The head tells when and where it was packed, which is nobody's data.
        for at in 10..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            // A few bits only fill the last byte.
            let read = unpacked(&changed, Packing::Gzip);
            assert!(read.as_ref().is_none_or(|read| read == text), "byte {at}: {read:?}");
        }
    }
}
