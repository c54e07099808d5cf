//! Round places to cut at: numbers, days and words that are on nobody's record, as far as there are any.

use std::cmp::Ordering;
use std::fmt;

use chrono::{Datelike, NaiveDate};

use super::dates;
use crate::data::{Grid, number_text, plain_number};

/// Where a value lies among the others of its column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Place {
    Number(f64),
    Day(NaiveDate),
    Word(String),
}

/// How all values of a column are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Numbers,
    Days,
    Words,
}

impl Line {
    /// Numbers or days where all values are, else words.
    pub(super) fn of<'a>(values: &(impl Iterator<Item = &'a str> + Clone)) -> Self {
        let fits = |line: &Line| values.clone().all(|v| line.read(v).is_some());
        [Self::Numbers, Self::Days].into_iter().find(fits).unwrap_or(Self::Words)
    }

    pub(super) fn read(self, value: &str) -> Option<Place> {
        match self {
            Self::Numbers => plain_number(value).map(|x| Place::Number(x + 0.0)),
            Self::Days => dates::date(value).map(Place::Day),
            Self::Words => Some(Place::Word(value.to_owned())),
        }
    }
}

impl Place {
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Day(a), Self::Day(b)) => a.cmp(b),
            (Self::Word(a), Self::Word(b)) => a.cmp(b),
            // Columns are not mixed.
            _ => Ordering::Equal,
        }
    }

    /// The roundest place above `low` and not above `high`, the one nearest to `goal` among equals.
    pub(super) fn roundest(low: &Self, goal: &Self, high: &Self) -> Self {
        match (low, goal, high) {
            (Self::Number(low), Self::Number(goal), Self::Number(high)) => {
                Self::Number(number(*low, *goal, *high))
            }
            (Self::Day(low), Self::Day(goal), Self::Day(high)) => Self::Day(day(*low, *goal, *high)),
            (Self::Word(low), Self::Word(_), Self::Word(high)) => Self::Word(word(low, high)),
            _ => high.clone(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => f.write_str(&number_text(*x)),
            Self::Day(day) => write!(f, "{}", day.format("%Y-%m-%d")),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// A multiple of the largest of …, 100, 50, 20, 10, 5, … that has one in the gap.
fn number(low: f64, goal: f64, high: f64) -> f64 {
    let inside = |x: &f64| low < *x && *x <= high;
    if inside(&0.0) {
        return 0.0;
    }
    let largest = low.abs().max(high.abs()).log10().ceil() as i32;
    // Seventeen digits tell all floats apart.
    let steps = (largest - 18..=largest).rev().flat_map(|exponent| [5, 2, 1].map(|digit| (digit, exponent)));
    for grid in steps.map(|(digit, exponent)| Grid::of_digit(digit, exponent)) {
        let lines = [grid.below(goal), grid.above(goal), grid.below(high)];
        let nearest = |a: &f64, b: &f64| (a - goal).abs().total_cmp(&(b - goal).abs());
        if let Some(line) = lines.into_iter().flatten().filter(inside).min_by(nearest) {
            return line;
        }
    }
    high
}

/// The start of a century, a decade, a year, a quarter or a month, else a day whose number is as round as can be, whoever
/// has it.
fn day(low: NaiveDate, goal: NaiveDate, high: NaiveDate) -> NaiveDate {
    let inside = |day: &NaiveDate| low < *day && *day <= high;
    for months in [1200, 120, 12, 3, 1] {
        let start = |day: NaiveDate, later: i32| {
            let period = (day.year() * 12 + day.month0().cast_signed()).div_euclid(months) + later;
            let month = period * months;
            NaiveDate::from_ymd_opt(month.div_euclid(12), month.rem_euclid(12).unsigned_abs() + 1, 1)
        };
        let starts = [start(goal, 0), start(goal, 1), start(high, 0)];
        let nearest = |day: &NaiveDate| (*day - goal).num_days().abs();
        if let Some(day) = starts.into_iter().flatten().filter(inside).min_by_key(nearest) {
            return day;
        }
    }
    let last = high.num_days_from_ce();
    let lines =
        [32, 16, 8, 4, 2].map(|step| NaiveDate::from_num_days_from_ce_opt(last - last.rem_euclid(step)));
    lines.into_iter().flatten().find(inside).unwrap_or(high)
}

/// The shortest beginning of a word that comes after `low`: what all words of the gap have in common, and one letter, about
/// half way between the next letters of its ends, so that no word inside decides it.
fn word(low: &str, high: &str) -> String {
    let common = low.chars().zip(high.chars()).take_while(|(a, b)| a == b).count();
    let next = |word: &str| word.chars().nth(common).unwrap_or('\0');
    let (from, to) = (next(low), next(high));
    let all = ('0'..='9').chain('A'..='Z').chain('a'..='z');
    let between: Vec<char> = all.filter(|c| from < *c && *c < to).collect();
    let letter = between.get(between.len() / 2).copied().unwrap_or(to);
    high.chars().take(common).chain([letter]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers() {
        let cases = [
            ((12.0, 16.0, 20.0), 20.0),
            ((28.0, 32.0, 36.0), 30.0),
            ((66_123.0, 66_151.0, 66_999.0), 66_500.0),
            ((66_123.0, 66_123.0, 66_124.0), 66_124.0),
            ((-3.0, 1.0, 7.0), 0.0),
            ((-66.0, -64.0, -61.0), -65.0),
            ((0.123, 0.127, 0.129), 0.125),
            ((1e16, 2e16, 3e16), 2e16),
            ((3e-320, 4e-320, 6e-320), 5e-320),
            ((1e308, 1.2e308, 1.7e308), 1e308 + 5e307),
        ];
        for ((low, goal, high), expected) in cases {
            let found = number(low, goal, high);
            assert!(low < found && found <= high, "{found}");
            assert_eq!(found.to_bits(), f64::to_bits(expected), "{low} {goal} {high}: {found}");
        }
        let next = f64::from_bits(0.1f64.to_bits() + 1);
        assert_eq!(number(0.1, 0.1, next).to_bits(), next.to_bits());
    }

    #[test]
    fn round_days() {
        let of = |low: &str, goal: &str, high: &str| {
            let [low, goal, high] = [low, goal, high].map(|d| Line::Days.read(d).unwrap());
            Place::roundest(&low, &goal, &high).to_string()
        };
        assert_eq!(of("1988-03-04", "1995-01-01", "2001-01-01"), "2000-01-01");
        assert_eq!(of("1961-03-04", "1964-05-06", "1969-01-07"), "1964-01-01");
        assert_eq!(of("1961-03-04", "1961-05-20", "1961-05-30"), "1961-04-01");
        assert_eq!(of("1961-03-04", "1961-03-04", "1961-03-06"), "1961-03-06");
        assert_eq!(of("9999-12-01", "9999-12-01", "9999-12-31"), "9999-12-04");
        assert_eq!(of("0000-01-01", "0000-01-01", "0000-01-02"), "0000-01-02");
    }

    #[test]
    fn short_words() {
        assert_eq!(word("Berlin", "Hamburg"), "E");
        assert_eq!(word("Neustadt a", "Neustadt zoo"), "Neustadt n");
        assert_eq!(word("Ann", "Annabel"), "AnnI");
        assert_eq!(word("Zoé", "Älv"), "n");
        assert_eq!(word("H-2020-000111", "H-2020-000131"), "H-2020-00012");
        for (low, high) in [("a", "b"), ("a", "aa"), ("", "a"), ("x9", "x:"), ("Berlin", "Bern")] {
            let cut = word(low, high);
            assert!(low < cut.as_str() && cut.as_str() <= high, "{low} {cut} {high}");
        }
    }
}
