//! From bytes to text: UTF-8, with or without a byte order mark, or an error that says where it is not.

use std::path::Path;

use crate::error::{Error, Result};

/// The text of a file without its byte order mark.
pub(super) fn read(path: &Path) -> Result<String> {
    let place = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| {
        Error::input(format!("cannot open the hierarchy file: {e}"))
            .in_file(&place)
            .help("give the path of a CSV, Amnesia or JSON hierarchy")
    })?;
    decode(bytes).map_err(|(line, encoding)| {
        Error::input(format!("the hierarchy file is not UTF-8 text{encoding}"))
            .in_file(&place)
            .line(line as u64)
            .help("save it as UTF-8 in the editor or spreadsheet it came from")
    })
}

/// The text, or the first line that is not UTF-8 and what it may be instead.
fn decode(bytes: Vec<u8>) -> std::result::Result<String, (usize, &'static str)> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err((1, ", it looks like UTF-16"));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let good = e.utf8_error().valid_up_to();
        (1 + memchr::memchr_iter(b'\n', &e.as_bytes()[..good]).count(), ", it may be Latin-1 or Windows-1252")
    })?;
    if let Some(at) = text.find('\0') {
        return Err((1 + text[..at].matches('\n').count(), ", it contains zero bytes"));
    }
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_encodings_are_named_with_their_line() {
        assert_eq!(decode(b"a;*\nK\xf6ln;*\n".to_vec()), Err((2, ", it may be Latin-1 or Windows-1252")));
        assert_eq!(decode(vec![0xff, 0xfe, b'a', 0]), Err((1, ", it looks like UTF-16")));
        assert_eq!(decode(b"a\nb\0".to_vec()), Err((2, ", it contains zero bytes")));
        assert_eq!(decode("\u{feff}Köln".into()), Ok("Köln".into()));
    }
}
