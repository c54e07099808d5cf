//! Labels that are ranges of numbers, in the spellings of the tools whose files we read.
//!
//! `[20, 30[` (ARX), `[20, 30)`, `20-29`, `20,30` (Amnesia), `65+`, `<18`, `>=65`. A label that is not clearly a
//! range is none: `2020-03` and `41075-1234` run backwards and stay words.

/// The numbers a label stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RangeLabel {
    /// Lower bound, minus infinity where there is none.
    pub low: f64,
    /// Upper bound, infinity where there is none.
    pub high: f64,
    /// Whether `low` itself belongs to the range.
    pub low_closed: bool,
    /// Whether `high` itself belongs to the range.
    pub high_closed: bool,
}

impl RangeLabel {
    /// Reads a label, none when it is not a range.
    ///
    /// ```
    /// use kohort::data::RangeLabel;
    /// assert!(RangeLabel::parse("[20, 30[").is_some_and(|r| r.contains(29.5) && !r.contains(30.0)));
    /// assert!(RangeLabel::parse("20-29").is_some_and(|r| r.contains(29.0)));
    /// assert!(RangeLabel::parse("Midwest").is_none());
    /// ```
    pub fn parse(label: &str) -> Option<Self> {
        let label = label.trim();
        let range = bracketed(label).or_else(|| half_open(label)).or_else(|| bare(label))?;
        (range.low <= range.high).then_some(range)
    }

    /// Whether the number lies in the range.
    pub fn contains(&self, x: f64) -> bool {
        let above = x > self.low || (self.low_closed && x >= self.low);
        let below = x < self.high || (self.high_closed && x <= self.high);
        above && below
    }
}

/// A plain decimal number; `NaN`, `inf` and hexadecimal are words.
pub fn plain_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    if !plain {
        return None;
    }
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

fn bracketed(label: &str) -> Option<RangeLabel> {
    let low_closed = match label.chars().next()? {
        '[' => true,
        ']' | '(' => false,
        _ => return None,
    };
    let high_closed = match label.chars().next_back()? {
        ']' => true,
        '[' | ')' => false,
        _ => return None,
    };
    let (low, high) = bounds(label.get(1..label.len() - 1)?)?;
    Some(RangeLabel { low, high, low_closed, high_closed })
}

fn bare(label: &str) -> Option<RangeLabel> {
    let (low, high) = bounds(label)?;
    Some(RangeLabel { low, high, low_closed: true, high_closed: true })
}

fn half_open(label: &str) -> Option<RangeLabel> {
    let above =
        |low: f64, low_closed| RangeLabel { low, high: f64::INFINITY, low_closed, high_closed: false };
    let below =
        |high: f64, high_closed| RangeLabel { low: f64::NEG_INFINITY, high, low_closed: false, high_closed };
    let after = |prefix: &str| label.strip_prefix(prefix).and_then(plain_number);
    if let Some(x) = label.strip_suffix('+').and_then(plain_number) {
        return Some(above(x, true));
    }
    after(">=")
        .or_else(|| after("≥"))
        .map(|x| above(x, true))
        .or_else(|| after("<=").or_else(|| after("≤")).map(|x| below(x, true)))
        .or_else(|| after(">").map(|x| above(x, false)))
        .or_else(|| after("<").map(|x| below(x, false)))
}

/// The first cut between two numbers; a minus sign may be part of either.
fn bounds(text: &str) -> Option<(f64, f64)> {
    let cut = |(at, mark): (usize, &str)| {
        Some((plain_number(&text[..at])?, plain_number(&text[at + mark.len()..])?))
    };
    [",", ";", "..", "–", "-"].iter().find_map(|mark| text.match_indices(mark).find_map(cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds_of(label: &str) -> Option<(f64, f64, bool, bool)> {
        RangeLabel::parse(label).map(|r| (r.low, r.high, r.low_closed, r.high_closed))
    }

    #[test]
    fn every_spelling_is_read() {
        assert_eq!(bounds_of("[20, 30["), Some((20.0, 30.0, true, false)));
        assert_eq!(bounds_of("]20, 30]"), Some((20.0, 30.0, false, true)));
        assert_eq!(bounds_of("(20;30)"), Some((20.0, 30.0, false, false)));
        assert_eq!(bounds_of("20-29"), Some((20.0, 29.0, true, true)));
        assert_eq!(bounds_of("20 – 29"), Some((20.0, 29.0, true, true)));
        assert_eq!(bounds_of("20.0,30.0"), Some((20.0, 30.0, true, true)));
        assert_eq!(bounds_of("-5--1"), Some((-5.0, -1.0, true, true)));
        assert_eq!(bounds_of("65+"), Some((65.0, f64::INFINITY, true, false)));
        assert_eq!(bounds_of(">=65"), Some((65.0, f64::INFINITY, true, false)));
        assert_eq!(bounds_of("<18"), Some((f64::NEG_INFINITY, 18.0, false, false)));
    }

    #[test]
    fn words_and_dates_are_not_ranges() {
        for label in
            ["", "*", "Midwest", "2020-03", "2020-03-01", "41075-1234", "37", "-5", "[a, b]", "[", "nan-inf"]
        {
            assert_eq!(bounds_of(label), None, "{label}");
        }
    }
}
