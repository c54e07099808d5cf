//! Commas in numbers: decimal ones, `1.234,5`, or between thousands, `1,234.5`.

use serde::{Deserialize, Serialize};

use super::{Alone, Unclear};
use crate::data::Point;

/// What stands before the decimals of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decimal {
    /// A comma: `3,5` is three and a half, and points or spaces stand between thousands.
    Comma,
    /// A point: `3.5`, and commas stand between thousands.
    Point,
}

/// What the commas of a column are.
pub(super) struct Commas;

impl Commas {
    /// What stands before the decimals if some text has a comma and all can be read so; none where that is no question.
    pub(super) fn of(texts: &[String]) -> Result<Option<Decimal>, Unclear> {
        let (mut as_comma, mut as_point, mut first) = (true, true, None);
        for (at, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            as_comma = as_comma && Decimal::Comma.plain(text).is_some();
            as_point = as_point && Decimal::Point.plain(text).is_some();
            if !as_comma && !as_point {
                return Ok(None);
            }
            first = first.or(text.contains(',').then_some(at));
        }
        match (first, as_comma, as_point) {
            (Some(at), true, true) => Err(Unclear::Comma(at)),
            (Some(_), true, false) => Ok(Some(Decimal::Comma)),
            (Some(_), false, _) => Ok(Some(Decimal::Point)),
            (None, ..) => Ok(None),
        }
    }
}

impl Decimal {
    /// The number with a decimal point and nothing between its thousands; none where it is not written so.
    pub(super) fn plain(self, text: &str) -> Option<String> {
        let text = text.trim();
        let (mark, apart): (char, &[char]) = match self {
            Self::Comma => (',', &['.', ' ', '\u{a0}', '\u{202f}']),
            Self::Point => ('.', &[',']),
        };
        let (whole, fraction) = match text.split_once(mark) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let sign = whole.len() - whole.trim_start_matches(['-', '+']).len();
        let digits = grouped(&whole[sign..], apart)?;
        let plain = match fraction {
            Some(fraction) if fraction.bytes().all(is_digit_or_exponent) => {
                format!("{}{digits}.{fraction}", &whole[..sign])
            }
            Some(_) => return None,
            None => format!("{}{digits}", &whole[..sign]),
        };
        Point::rounded(&plain).map(|_| plain)
    }
}

fn is_digit_or_exponent(b: u8) -> bool {
    b.is_ascii_digit() || matches!(b, b'e' | b'E' | b'-' | b'+')
}

/// Digits without what stands between their thousands.
fn grouped(text: &str, apart: &[char]) -> Option<String> {
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let Some(mark) = text.chars().find(|c| apart.contains(c)) else {
        // With an exponent, perhaps, as programs write it.
        return text.bytes().all(is_digit_or_exponent).then(|| text.to_owned());
    };
    let mut groups = text.split(mark);
    let first = groups.next()?;
    let begins = (1..=3).contains(&first.len()) && is_number(first) && !first.starts_with('0');
    let follow = groups.all(|group| group.len() == 3 && is_number(group));
    (begins && follow).then(|| text.replace(mark, ""))
}

/// A number with a comma, by itself.
pub(super) fn alone(text: &str) -> Option<Alone> {
    if !text.contains(',')
        || !text.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-,".contains(c))
    {
        return None;
    }
    match (Decimal::Comma.plain(text), Decimal::Point.plain(text)) {
        (Some(comma), Some(point)) => Some(Alone::Either(comma, point)),
        (comma, point) => comma.or(point).map(Alone::Meaning),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing() {
        let both = |text: &str| (Decimal::Comma.plain(text), Decimal::Point.plain(text));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(both("3,5"), (some("3.5"), None));
        assert_eq!(both("0,123"), (some("0.123"), None));
        assert_eq!(both("1,234"), (some("1.234"), some("1234")));
        assert_eq!(both("1.234"), (some("1234"), some("1.234")));
        assert_eq!(both("-1.234.567,89"), (some("-1234567.89"), None));
        assert_eq!(both("1 234,5"), (some("1234.5"), None));
        assert_eq!(both("1\u{a0}234,5").0, some("1234.5"));
        assert_eq!(both("1,234,567.8"), (None, some("1234567.8")));
        assert_eq!(both("12"), (some("12"), some("12")));
        assert_eq!(both("3,5e2"), (some("3.5e2"), None));
        for wrong in
            ["", "1,2,3", "1,23.4", "12,34,567", "3,", "a,5", "1.23,4", "1,5 €", "--3,5", "3,-5", "."]
        {
            let (comma, point) = both(wrong);
            assert!(point.is_none() && (comma.is_none() || wrong == "3,"), "{wrong}: {comma:?} {point:?}");
        }
    }
}
