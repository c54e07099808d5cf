//! Text in other encodings: becomes UTF-8, or is refused with the encoding it seems to have.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, Encoding, WINDOWS_1252};

use crate::error::{Error, Place, Result, marked};
use crate::input::{Scratch, no_scratch};

/// So much of a text is looked at to guess its encoding.
const LOOK: u64 = 16 << 20;

/// The text in UTF-8. A mark at its start goes before what was said. Bytes that mean nothing in the encoding are refused.
pub(super) fn to_utf8(path: &Path, encoding: &'static Encoding, shown: &str) -> Result<Scratch> {
    let unreadable = |e: std::io::Error| Error::input(format!("cannot read the file: {e}")).in_file(shown);
    let mut from = File::open(path).map_err(unreadable)?;
    let scratch = Scratch::new()?;
    let mut to = BufWriter::with_capacity(1 << 18, scratch.writer().map_err(|e| no_scratch(&e))?);
    let mut decoder = encoding.new_decoder();
    let (mut bytes, mut text) = (vec![0; 1 << 16], vec![0; 1 << 18]);
    let mut line = 1;
    loop {
        let count = from.read(&mut bytes).map_err(unreadable)?;
        let mut rest = &bytes[..count];
        loop {
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(rest, &mut text, count == 0);
            to.write_all(&text[..written]).map_err(|e| no_scratch(&e))?;
            line += memchr::memchr_iter(b'\n', &text[..written]).count() as u64;
            rest = &rest[read..];
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => return Err(no_such_text(decoder.encoding(), shown, line)),
            }
        }
        if count == 0 {
            to.flush().map_err(|e| no_scratch(&e))?;
            drop(to);
            return Ok(scratch);
        }
    }
}

fn no_such_text(encoding: &'static Encoding, shown: &str, line: u64) -> Error {
    let name = encoding.name();
    Error::input(format!("the text is not {name}: some bytes of this line mean nothing in it"))
        .at(Place::default().in_file(shown).line(line))
        .help("correct the line, or name another encoding with ‹encoding›")
}

/// Refuses an encoding of single bytes for text that is UTF-8: every accented letter would become two others. Text in such
/// an encoding is hardly ever valid UTF-8 by accident.
pub(super) fn check_said(path: &Path, encoding: &'static Encoding, shown: &str) -> Result<()> {
    if !encoding.is_single_byte() || !is_utf8(&sample(path)) {
        return Ok(());
    }
    Err(Error::input(format!(
        "the text is UTF-8, and not {}: letters beyond a to z would become others",
        encoding.name()
    ))
    .in_file(shown)
    .option("encoding")
    .help("omit ‹encoding›"))
}

/// Says that text is not UTF-8, and what it is instead, as far as that can be told.
pub(in crate::input) fn not_utf8(path: &Path, shown: &str, line: u64) -> Error {
    let bytes = sample(path);
    let error = |what: &str| Error::input(what).in_file(shown).line(line);
    if is_mostly_utf8(&bytes) {
        return error(
            "the text is UTF-8, but for some bytes of this line: they are damaged, or of another encoding",
        )
        .help("correct the line, or leave it out; an editor shows a question mark or a box there");
    }
    let name = guess(&bytes);
    error("the text is not UTF-8, and does not say what else it is").help(format!(
        "it looks like {name}, which is a guess: say {}, and see whether letters with accents are right in the release",
        marked("encoding", name)
    ))
}

/// The name of the most likely encoding. The detector knows texts in one language; tables of people have names of many, and
/// then it takes Western European ones for something rarer.
fn guess(bytes: &[u8]) -> &'static str {
    const RARER: [&str; 6] =
        ["windows-1254", "windows-1257", "windows-1258", "ISO-8859-4", "ISO-8859-10", "ISO-8859-13"];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let is_western = || bytes.iter().filter(|byte| !byte.is_ascii()).all(|&byte| is_western(byte));
    let guessed = detector.guess(None, Utf8Detection::Deny);
    // Where both mean the same, the common one is named.
    let same = || guessed.decode(bytes).0 == WINDOWS_1252.decode(bytes).0;
    let is_usual = (RARER.contains(&guessed.name()) && is_western()) || (guessed.is_single_byte() && same());
    if is_usual { WINDOWS_1252.name() } else { guessed.name() }
}

/// Whether a byte beyond ASCII is a letter of a large Western European language, or a sign that goes with text.
fn is_western(byte: u8) -> bool {
    match byte {
        // Icelandic letters, where Turkish and the Baltic languages have frequent ones of theirs.
        0xD0 | 0xDD | 0xDE | 0xF0 | 0xFD | 0xFE => false,
        0x80..=0x9F | 0xC0.. => true,
        _ => matches!(byte, 0xA0 | 0xA7 | 0xAA | 0xAB | 0xB0 | 0xB4 | 0xB7 | 0xBA | 0xBB | 0xBF | 0xA1),
    }
}

fn sample(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path) {
        // A guess from less is better than none.
        let _ = file.take(LOOK).read_to_end(&mut bytes);
    }
    bytes
}

/// Whether there are characters beyond ASCII, and all of them are UTF-8. The last one may be cut off.
fn is_utf8(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(text) => !text.is_ascii(),
        Err(e) => e.error_len().is_none() && !bytes[..e.valid_up_to()].is_ascii(),
    }
}

/// Whether nearly all characters beyond ASCII are UTF-8, which does not happen by accident.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut right, mut wrong) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        right += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        wrong += usize::from(!chunk.invalid().is_empty());
    }
    right > 4 * wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::UTF_16LE;

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file
    }

    fn read(bytes: &[u8], encoding: &'static Encoding) -> std::result::Result<String, String> {
        let scratch = to_utf8(file(bytes).path(), encoding, "t").map_err(|e| e.to_string())?;
        Ok(std::fs::read_to_string(scratch.path()).unwrap())
    }

    #[test]
    fn utf8_is_not_read_as_single_bytes() {
        let said =
            |bytes: &[u8], encoding| check_said(file(bytes).path(), encoding, "t").map_err(|e| e.to_string());
        let told = said("name\nMüller\n".as_bytes(), WINDOWS_1252).unwrap_err();
        assert!(told.contains("the text is UTF-8, and not windows-1252"), "{told}");
        assert_eq!(said(b"name\nMiller\n", WINDOWS_1252), Ok(()), "the same in both");
        assert_eq!(said(b"name\nM\xfcller\n", WINDOWS_1252), Ok(()));
        assert_eq!(
            said(&"name\nMüller\n".as_bytes()[..7], WINDOWS_1252),
            Ok(()),
            "nothing but half a letter"
        );
        assert!(
            said(&"Müller Jörg".as_bytes()[..10], WINDOWS_1252).is_err(),
            "cut off within the second letter"
        );
        assert_eq!(
            said("name\nMüller\n".as_bytes(), encoding_rs::SHIFT_JIS),
            Ok(()),
            "two bytes may mean one"
        );
    }

    #[test]
    fn characters_may_be_cut_anywhere() {
        let text = "Zoë,Łódź,😀\n".repeat(20_000);
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide, UTF_16LE).unwrap(), text);
        assert_eq!(read(b"Zo\xEB \x80\n", WINDOWS_1252).unwrap(), "Zoë €\n");
    }

    #[test]
    fn a_mark_goes_before_what_was_said() {
        assert_eq!(read("\u{feff}Zoë".as_bytes(), WINDOWS_1252).unwrap(), "Zoë");
    }

    #[test]
    fn bytes_without_meaning_are_refused_with_their_line() {
        let e = read(b"\xFF\xFEa\0\n\0\0\xD8b\0", UTF_16LE).unwrap_err();
        assert!(e.contains("line 2") && e.contains("UTF-16LE"), "{e}");
        assert!(read(b"\xFF\xFEa\0b", UTF_16LE).is_err(), "half a character");
    }

    #[test]
    fn guesses_name_what_to_say() {
        let guess = |bytes: &[u8]| not_utf8(file(bytes).path(), "t", 2).to_string();
        let western = guess(b"name,town\nRen\xE9,K\xF6ln\nJos\xE9,M\xE1laga\n");
        assert!(western.contains("windows-1252"), "{western}");
        let polish = encoding_rs::WINDOWS_1250.encode("imię,miasto\nŁukasz,Łódź\nGrażyna,Gdańsk\n").0;
        assert!(guess(&polish).contains("windows-1250"), "{}", guess(&polish));
        let russian = encoding_rs::WINDOWS_1251.encode("имя,город\nАнна,Москва\nИван,Новосибирск\n").0;
        assert!(guess(&russian).contains("windows-1251"), "{}", guess(&russian));
        let damaged = ["Zoë,Łódź,Málaga\n".as_bytes(), b"Ren\xE9\n"].concat();
        assert!(guess(&damaged).contains("but for some bytes"), "{}", guess(&damaged));
    }
}
