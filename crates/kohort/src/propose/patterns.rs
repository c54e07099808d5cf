//! What values are by the way they are written: e-mail addresses, bank accounts, numbers of states. Where a number has a check
//! digit, it decides.

use std::net::IpAddr;

use crate::data::Spelling;

/// Something that names one person, or leads to one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern {
    /// What it is called in a proposal.
    pub(super) meaning: &'static str,
    /// For readers.
    pub(super) words: &'static str,
    /// Whether a value is one.
    pub(super) fits: fn(&str) -> bool,
}

/// All patterns; the first that fits a column counts.
pub(super) const PATTERNS: [Pattern; 15] = [
    Pattern { meaning: "email", words: "an e-mail address", fits: is_email },
    Pattern { meaning: "web-address", words: "a web address", fits: is_url },
    Pattern { meaning: "uuid", words: "a number that programs draw once (UUID)", fits: is_uuid },
    Pattern { meaning: "address-on-a-net", words: "an address on a network", fits: is_net_address },
    Pattern { meaning: "bank-account", words: "a bank account (IBAN, check digits right)", fits: is_iban },
    Pattern { meaning: "national-number", words: "a French social security number", fits: is_nir },
    Pattern { meaning: "national-number", words: "a Spanish identity number", fits: is_dni },
    Pattern { meaning: "national-number", words: "an Italian tax code", fits: is_codice_fiscale },
    Pattern { meaning: "national-number", words: "a Swiss social security number", fits: is_ahv },
    Pattern { meaning: "national-number", words: "a US social security number", fits: is_ssn },
    Pattern { meaning: "national-number", words: "a UK national insurance number", fits: is_nino },
    Pattern {
        meaning: "national-number",
        words: "a German pension insurance number",
        fits: is_german_pension,
    },
    Pattern {
        meaning: "national-number",
        words: "a German tax number (check digit right)",
        fits: is_steuer_id,
    },
    Pattern { meaning: "card", words: "a payment card (check digit right)", fits: is_card },
    Pattern { meaning: "phone", words: "a phone number", fits: is_phone },
];

/// Fewer different values prove nothing.
const FEW: usize = 4;

/// What most of these different values are.
pub(super) fn pattern(values: &[&str]) -> Option<&'static Pattern> {
    let mostly = |pattern: &&Pattern| {
        let fit = values.iter().filter(|value| (pattern.fits)(value.trim())).count();
        // A column of addresses may have a few that are broken.
        fit >= FEW.min(values.len()) && fit * 10 >= values.len() * 8
    };
    if values.is_empty() { None } else { PATTERNS.iter().find(mostly) }
}

fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.rsplit_once('@') else { return false };
    let fine = |c: char| c.is_alphanumeric() || ".-_+'%".contains(c);
    let host_fine = host.chars().all(|c| c.is_alphanumeric() || ".-".contains(c));
    let top = host.rsplit('.').next().unwrap_or_default();
    !user.is_empty() && user.chars().all(fine) && host.contains('.') && host_fine && top.chars().count() >= 2
}

fn is_url(text: &str) -> bool {
    ["http://", "https://", "www."].iter().any(|start| text.len() > start.len() && text.starts_with(start))
}

fn is_uuid(text: &str) -> bool {
    let bare = text.trim_start_matches('{').trim_end_matches('}');
    let parts: Vec<usize> = bare.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && bare.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

fn is_net_address(text: &str) -> bool {
    let is_mac = |sign: char| {
        let parts: Vec<&str> = text.split(sign).collect();
        let hex = |part: &&str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_hexdigit());
        parts.len() == 6 && parts.iter().all(hex)
    };
    is_mac(':') || is_mac('-') || text.parse::<IpAddr>().is_ok()
}

/// Two letters, two check digits, up to 30 letters or digits; modulo 97 it is 1 (ISO 13616).
fn is_iban(text: &str) -> bool {
    let bare: Vec<u8> = text.bytes().filter(|b| *b != b' ').collect();
    if !(15..=34).contains(&bare.len()) || !bare.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let starts = bare[..2].iter().all(u8::is_ascii_alphabetic) && bare[2..4].iter().all(u8::is_ascii_digit);
    let remainder = bare[4..].iter().chain(&bare[..4]).fold(0u32, |rest, b| match b {
        b'0'..=b'9' => (rest * 10 + u32::from(b - b'0')) % 97,
        letter => (rest * 100 + u32::from(letter.to_ascii_uppercase() - b'A') + 10) % 97,
    });
    starts && remainder == 1
}

/// Its digits, where there is nothing else but these signs; none otherwise.
fn digits(text: &str, signs: &str) -> Option<Vec<u32>> {
    let fine = text.chars().all(|c| c.is_ascii_digit() || signs.contains(c));
    fine.then(|| text.chars().filter_map(|c| c.to_digit(10)).collect())
}

/// Thirteen to nineteen digits in blocks or alone that the formula of Luhn agrees with.
fn is_card(text: &str) -> bool {
    let Some(digits) = digits(text, " -") else { return false };
    let doubled = |(at, digit): (usize, &u32)| match (at % 2, digit * 2) {
        (1, twice) => twice / 10 + twice % 10,
        _ => *digit,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    (13..=19).contains(&digits.len()) && (2..=6).contains(&digits[0]) && sum.is_multiple_of(10)
}

/// `2 84 05 88 123 456 36`: thirteen digits, and what is missing to a multiple of 97.
fn is_nir(text: &str) -> bool {
    let Some(digits) = digits(text, " ") else { return false };
    if digits.len() != 15 || !matches!(digits[0], 1 | 2 | 7 | 8) {
        return false;
    }
    let number = |digits: &[u32]| digits.iter().fold(0u64, |n, &d| n * 10 + u64::from(d));
    number(&digits[13..]) == 97 - number(&digits[..13]) % 97
}

/// `12345678Z`, of foreigners `X1234567L`: the letter is the number modulo 23.
fn is_dni(text: &str) -> bool {
    let bare: String = text.chars().filter(|c| !" -.".contains(*c)).collect::<String>().to_ascii_uppercase();
    if bare.len() != 9 || !bare.is_ascii() {
        return false;
    }
    let number = bare[..8].replacen('X', "0", 1).replacen('Y', "1", 1).replacen('Z', "2", 1);
    let letter = |n: usize| b"TRWAGMYFPDXBNJZSQVHLCKE"[n % 23];
    number.parse().is_ok_and(|n| letter(n) == bare.as_bytes()[8])
}

/// `RSSMRA80A01H501U`: letters of a name, a birth, a place, a check letter.
fn is_codice_fiscale(text: &str) -> bool {
    let expected = b"AAAAAA99A99A999A";
    let fits = |(b, kind): (u8, &u8)| match kind {
        b'A' => b.is_ascii_alphabetic(),
        _ => b.is_ascii_alphanumeric(),
    };
    text.len() == 16 && text.bytes().zip(expected).all(fits)
}

/// `756.1234.5678.97`, with the check digit of EAN-13.
fn is_ahv(text: &str) -> bool {
    let Some(digits) = digits(text, ". ") else { return false };
    let weighted = |(at, digit): (usize, &u32)| if at % 2 == 1 { digit * 3 } else { *digit };
    digits.len() == 13
        && digits[..3] == [7, 5, 6]
        && digits.iter().enumerate().map(weighted).sum::<u32>().is_multiple_of(10)
}

/// `078-05-1120`; groups of nothing but zeros are never given.
fn is_ssn(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [3, 2, 4]
        && parts
            .iter()
            .all(|part| part.bytes().all(|b| b.is_ascii_digit()) && part.bytes().any(|b| b != b'0'))
}

/// `AB 12 34 56 C`.
fn is_nino(text: &str) -> bool {
    let bare: Vec<u8> = text.bytes().filter(|b| *b != b' ').collect();
    let letters = |part: &[u8]| part.iter().all(u8::is_ascii_uppercase);
    bare.len() == 9
        && letters(&bare[..2])
        && bare[2..8].iter().all(u8::is_ascii_digit)
        && (b'A'..=b'D').contains(&bare[8])
}

/// `65 170839 J 003`: area, day of birth, letter of the name, running number with check digit.
fn is_german_pension(text: &str) -> bool {
    let bare: Vec<u8> = text.bytes().filter(|b| *b != b' ').collect();
    if bare.len() != 12 || !bare[8].is_ascii_uppercase() {
        return false;
    }
    let place = (bare[8] - b'A' + 1).to_string();
    let place = if place.len() == 1 { format!("0{place}") } else { place };
    let all = [&bare[..8], place.as_bytes(), &bare[9..11]].concat();
    if !all.iter().chain(&bare[11..]).all(u8::is_ascii_digit) {
        return false;
    }
    let weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
    let cross = |(b, weight): (&u8, u32)| {
        let product = u32::from(b - b'0') * weight;
        product / 10 + product % 10
    };
    let sum: u32 = all.iter().zip(weights).map(cross).sum();
    sum % 10 == u32::from(bare[11] - b'0')
}

/// Eleven digits, the last of which checks the others (ISO 7064, modulo 11, 10).
fn is_steuer_id(text: &str) -> bool {
    let Some(digits) = digits(text, " ") else { return false };
    if digits.len() != 11 || digits[0] == 0 {
        return false;
    }
    let product = digits[..10].iter().fold(10, |product, digit| {
        let sum = (digit + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (11 - product) % 10 == digits[10]
}

/// Nine to fifteen digits that begin with `+`, or with `0` or `(` and stand in blocks, or hang together by hyphens as in
/// North America. Digits alone are not taken for a phone: too much else is.
fn is_phone(text: &str) -> bool {
    let Some(digits) = digits(text, " -./()+") else { return false };
    let blocks = text.split([' ', '-', '.', '/', '(', ')']).filter(|block| !block.is_empty()).count();
    let american = digits.len() == 10 && blocks == 3 && text.contains(['-', '(']);
    let starts = text.starts_with('+') || (text.starts_with(['0', '(']) && blocks >= 2);
    // A date is no phone, whatever stands between its parts.
    (starts && (8..=15).contains(&digits.len()) && !is_date_like(text)) || american
}

fn is_date_like(text: &str) -> bool {
    !matches!(Spelling::of(&[text.to_owned()]), Ok(Spelling::Plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(values: &[&str]) -> &'static str {
        pattern(values).map_or("none", |pattern| pattern.words)
    }

    /// A check, what passes it, and what does not.
    type Case = (fn(&str) -> bool, &'static [&'static str], &'static [&'static str]);

    #[test]
    fn every_pattern_has_values_that_fit_and_values_that_do_not() {
        let cases: [Case; 15] = [
            (
                is_email,
                &["a.b+c@x-y.co.uk", "jörg@müller.de"],
                &["a@b", "@x.de", "a b@c.de", "ab.de", "a@b.c"],
            ),
            (is_url, &["https://a.b", "www.x.de"], &["http://", "a.b", "ftp"]),
            (
                is_uuid,
                &["123e4567-e89b-12d3-a456-426614174000"],
                &["123e4567-e89b", "x23e4567-e89b-12d3-a456-426614174000"],
            ),
            (is_net_address, &["10.0.0.1", "::1", "00:1A:2b:3c:4d:5e"], &["10.0.0.256", "1.2.3", "00:1A:2b"]),
            (
                is_iban,
                &["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819"],
                &["DE89 3704 0044 0532 0130 01", "DE89", "é"],
            ),
            (is_nir, &["2 55 08 14 168 025 38"], &["2 55 08 14 168 025 39", "255081416802538x", "1"]),
            (is_dni, &["12345678Z", "X1234567L"], &["12345678A", "1234567", "ñ2345678Z"]),
            (is_codice_fiscale, &["RSSMRA80A01H501U"], &["RSSMRA80A01H501", "1SSMRA80A01H501U"]),
            (is_ahv, &["756.9217.0769.85"], &["756.9217.0769.84", "757.9217.0769.85"]),
            (is_ssn, &["078-05-1120"], &["000-05-1120", "078-051120", "07a-05-1120"]),
            (is_nino, &["AB 12 34 56 C", "AB123456A"], &["AB123456Z", "A1234567A"]),
            (is_german_pension, &["65 170839 J 003", "15070649C103"], &["65 170839 J 007", "65170839J"]),
            (is_steuer_id, &["86 095 742 719", "65929970489"], &["86095742718", "8609574271"]),
            (is_card, &["4111 1111 1111 1111", "378282246310005"], &["4111 1111 1111 1112", "1234"]),
            (
                is_phone,
                &["+49 30 1234567", "(030) 123 456 78", "01 23 45 67 89", "212-555-0123"],
                &["12345678901", "2020-01-05", "01.02.2003", "030"],
            ),
        ];
        for (fits, yes, no) in cases {
            for text in yes {
                assert!(fits(text), "{text}");
            }
            for text in no {
                assert!(!fits(text), "{text}");
            }
        }
    }

    #[test]
    fn a_column_is_what_most_of_its_values_are() {
        assert_eq!(meaning(&["a@b.de", "c@d.de", "e@f.de", "g@h.de", "-"]), "an e-mail address");
        assert_eq!(meaning(&["a@b.de", "c@d.de", "x", "y"]), "none");
        assert_eq!(meaning(&["41075", "41076", "48201", "48202"]), "none");
        assert_eq!(meaning(&[]), "none");
    }
}
