//! Whether the values of a column are measured or counted, and so may well be different in every row, or are texts and codes
//! that name something.

use rustc_hash::FxHashSet;

use super::{infer, meanings};
use crate::data::{Alone, Kind};

/// So many different values are looked at.
const SAMPLE: usize = 4096;

/// Whole numbers of so many digits, all of one length, are given out rather than measured; and without letters, so are others.
const DIGITS: usize = 7;

/// More different units are letters of codes.
const UNITS: usize = 5;

/// The longest unit, such as `mmol/l`.
const LONGEST: usize = 10;

/// Whether values are quantities: numbers, dates, times, amounts with their unit.
pub(super) fn are_measured(texts: &[String], kind: Option<Kind>) -> bool {
    if kind.is_some_and(Kind::is_line) {
        return true;
    }
    let there: Vec<&String> = texts.iter().filter(|text| !text.trim().is_empty()).collect();
    let step = there.len().div_ceil(SAMPLE).max(1);
    let some: Vec<String> = there.into_iter().step_by(step).cloned().collect();
    if infer(&meanings(&some, None, None)).is_line() {
        return !are_given_out(&some);
    }
    let with_unit: Vec<&str> = some.iter().filter_map(|text| unit(text)).collect();
    let units: FxHashSet<&str> = with_unit.iter().copied().collect();
    let otherwise = some.iter().filter(|text| unit(text).is_none() && Alone::read(text).is_some()).count();
    // A few words among them are remarks.
    (with_unit.len() + otherwise) * 10 >= some.len() * 8 && units.len() <= UNITS
}

/// Whole numbers of one length, and long.
fn are_given_out(texts: &[String]) -> bool {
    let length = texts.first().map_or(0, |text| text.trim().len());
    let fits = |text: &String| text.trim().len() == length && text.trim().bytes().all(|b| b.is_ascii_digit());
    length >= DIGITS && texts.iter().all(fits)
}

/// What stands behind the number of an amount: `mg` of `< 12.5 mg`; none where this is no amount.
fn unit(text: &str) -> Option<&str> {
    let amount = text.trim().trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_number = |c: char| c.is_ascii_digit() || ".,:/' ".contains(c);
    let unit = amount.trim_start_matches(is_number);
    let number = &amount[..amount.len() - unit.len()];
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let is_short = digits < DIGITS || !unit.is_empty() && digits < 2 * DIGITS;
    let is_unit = unit.chars().count() <= LONGEST && !unit.contains(|c: char| c.is_ascii_digit() || c == '-');
    (digits > 0 && is_short && is_unit).then_some(unit.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(of: impl Fn(u32) -> String) -> bool {
        are_measured(&(0..60).map(of).collect::<Vec<_>>(), None)
    }

    #[test]
    fn quantities_are_no_codes() {
        assert!(measured(|i| (20_000 + i * 37).to_string()), "an income");
        assert!(measured(|i| format!("{}.{}", i, i % 10)));
        assert!(measured(|i| format!("{:02}/{:02}/2020", i % 12 + 1, i % 9 + 1)), "dates that leave it open");
        assert!(measured(|i| format!("< {i}.5 mg/dl")) && measured(|i| format!("€ 1,{:03}.00", i * 7)));
        assert!(measured(|i| format!("{}/{}", 100 + i, 60 + i)), "blood pressure");
        assert!(measured(|i| format!("01:{i:02}:30")), "how long it took");
    }

    #[test]
    fn codes_and_texts_are_no_quantities() {
        assert!(!measured(|i| format!("user{i}")) && !measured(|i| format!("u{i}@example.org")));
        assert!(!measured(|i| (100_000_000 + i * 7919).to_string()), "numbers that are given out");
        assert!(!measured(|i| format!("{}{}", 10_000_000 + i * 31, char::from(b'A' + (i % 23) as u8))));
        assert!(!measured(|i| format!("078-05-{:04}", 1000 + i)) && !measured(|i| format!("Q{i:05}")));
        assert!(!measured(|i| format!("06 12 {:02} {:02} 11", i % 90, i)), "a phone");
        assert!(are_measured(&["1000000".into(), "2000000".into()], Some(Kind::Integer)), "as somebody said");
    }
}
