//! Grids of the calendar: every month, every 15 minutes.
//!
//! Lines of days are the first days of steps. What is published of days is the whole of their steps, from a first day to a
//! last one: `[1999-01-01, 1999-03-31]`. Lines of instants are their beginnings, and an instant on a line is its own line,
//! as a number on a grid of numbers is.

use std::fmt;

use chrono::{Datelike, NaiveDate};

use super::{DAY, SECOND, date_of, number_of};
use crate::data::Kind;

/// What steps of the calendar are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// `second`.
    Second,
    /// `minute`.
    Minute,
    /// `hour`.
    Hour,
    /// `day`; steps of several are counted from 1970-01-01.
    Day,
    /// `week`; weeks begin on Mondays, steps of several are counted from 1970-01-05.
    Week,
    /// `month`; steps of several are counted from January of year 0.
    Month,
    /// `year`; steps of several are counted from year 0.
    Year,
}

impl Unit {
    /// Every unit by name, from fine to coarse.
    pub const NAMES: [(&'static str, Self); 7] = [
        ("second", Self::Second),
        ("minute", Self::Minute),
        ("hour", Self::Hour),
        ("day", Self::Day),
        ("week", Self::Week),
        ("month", Self::Month),
        ("year", Self::Year),
    ];

    /// The unit of that name, in the singular or plural.
    pub fn named(name: &str) -> Option<Self> {
        let is = |known: &str| name == known || name.strip_suffix('s') == Some(known);
        Self::NAMES.iter().find(|(known, _)| is(known)).map(|(_, unit)| *unit)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, unit)| *unit == self).map_or("", |(name, _)| name)
    }

    /// How long it takes at most, in seconds.
    fn seconds(self) -> i64 {
        match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3600,
            Self::Day => 86_400,
            Self::Week => 7 * 86_400,
            Self::Month => 31 * 86_400,
            Self::Year => 366 * 86_400,
        }
    }
}

/// A number of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Every {
    /// How many, from 1.
    pub count: u32,
    /// Of what.
    pub unit: Unit,
}

/// The first Monday of 1970.
const MONDAY: i64 = 4;

impl Every {
    /// Reads `month`, `1 month`, `3 months`, `15 minutes`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count = if digits == 0 { 1 } else { text[..digits].parse().ok()? };
        let unit = Unit::named(text[digits..].trim())?;
        (count > 0).then_some(Self { count, unit })
    }

    /// Whether values of this kind can lie on such a grid: days have no hours.
    pub fn suits(self, kind: Kind) -> bool {
        kind == Kind::Timestamp || kind == Kind::Date && self.unit >= Unit::Day
    }

    /// The width of the widest step, between the ends that are published, on the line of this kind.
    pub fn widest(self, kind: Kind) -> f64 {
        let seconds = i64::from(self.count) * self.unit.seconds();
        if kind == Kind::Date { (seconds / 86_400 - 1) as f64 } else { (seconds * SECOND) as f64 }
    }

    /// Where what is published of a value begins; none where that cannot be written.
    pub fn below(self, kind: Kind, x: f64) -> Option<f64> {
        let at = x as i64;
        let line = if kind == Kind::Date { self.first_day(at)? } else { self.first_instant(at)? };
        Some(line as f64)
    }

    /// Where it ends.
    pub fn above(self, kind: Kind, x: f64) -> Option<f64> {
        let at = x as i64;
        if kind == Kind::Date {
            return date_of(self.next_day(at)? - 1).map(|day| number_of(day) as f64);
        }
        let first = self.first_instant(at)?;
        if first == at {
            return Some(x);
        }
        let next = match self.width() {
            Some(width) => first.checked_add(width)?,
            None => self.next_day(at.div_euclid(DAY))?.checked_mul(DAY)?,
        };
        date_of(next.div_euclid(DAY)).map(|_| next as f64)
    }

    /// The width in microseconds of steps that are shorter than a day.
    fn width(self) -> Option<i64> {
        (self.unit < Unit::Day).then(|| i64::from(self.count) * self.unit.seconds() * SECOND)
    }

    fn first_instant(self, at: i64) -> Option<i64> {
        let line = match self.width() {
            Some(width) => at.div_euclid(width) * width,
            None => self.first_day(at.div_euclid(DAY))?.checked_mul(DAY)?,
        };
        date_of(line.div_euclid(DAY)).map(|_| line)
    }

    /// The first day of the step that a day is in.
    fn first_day(self, day: i64) -> Option<i64> {
        let first = if let Some(months) = self.months() {
            first_of(month_of(day)?.div_euclid(months) * months)?
        } else {
            let (days, from) = self.days();
            (day - from).div_euclid(days) * days + from
        };
        date_of(first).map(|_| first)
    }

    /// The first day of the step after the one that a day is in. It may be the first that can no longer be written.
    fn next_day(self, day: i64) -> Option<i64> {
        if let Some(months) = self.months() {
            return first_of((month_of(day)?.div_euclid(months) + 1) * months);
        }
        let (days, from) = self.days();
        Some(((day - from).div_euclid(days) + 1) * days + from)
    }

    fn months(self) -> Option<i64> {
        match self.unit {
            Unit::Month => Some(i64::from(self.count)),
            Unit::Year => Some(i64::from(self.count) * 12),
            _ => None,
        }
    }

    /// How many days a step has, and from which day they are counted.
    fn days(self) -> (i64, i64) {
        if self.unit == Unit::Week { (7 * i64::from(self.count), MONDAY) } else { (i64::from(self.count), 0) }
    }
}

/// Months from January of year 0.
fn month_of(day: i64) -> Option<i64> {
    date_of(day).map(|date| i64::from(date.year()) * 12 + i64::from(date.month0()))
}

fn first_of(month: i64) -> Option<i64> {
    let year = i32::try_from(month.div_euclid(12)).ok()?;
    NaiveDate::from_ymd_opt(year, month.rem_euclid(12) as u32 + 1, 1).map(number_of)
}

impl fmt::Display for Every {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.count, self.unit.name(), if self.count == 1 { "" } else { "s" })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Instant, day, day_text};
    use super::*;

    fn days(step: &str, text: &str) -> Option<(String, String)> {
        let (every, at) = (Every::parse(step).unwrap(), day(text).unwrap() as f64);
        let (lo, hi) = (every.below(Kind::Date, at)?, every.above(Kind::Date, at)?);
        Some((day_text(lo as i64), day_text(hi as i64)))
    }

    fn instants(step: &str, text: &str) -> (String, String) {
        let (every, at) = (Every::parse(step).unwrap(), Instant::parse(text).unwrap().micros as f64);
        let text = |x: Option<f64>| Instant { micros: x.unwrap() as i64, zoned: false }.text();
        (text(every.below(Kind::Timestamp, at)), text(every.above(Kind::Timestamp, at)))
    }

    #[test]
    fn steps_of_days_begin_on_first_days_and_end_on_last_ones() {
        for (step, at, lo, hi) in [
            ("1 month", "2024-02-29", "2024-02-01", "2024-02-29"),
            ("month", "2024-02-01", "2024-02-01", "2024-02-29"),
            ("3 months", "1999-03-31", "1999-01-01", "1999-03-31"),
            ("1 year", "2000-12-31", "2000-01-01", "2000-12-31"),
            ("5 years", "1999-12-31", "1995-01-01", "1999-12-31"),
            ("week", "2024-05-01", "2024-04-29", "2024-05-05"),
            ("7 days", "1970-01-08", "1970-01-08", "1970-01-14"),
            ("1 day", "1969-12-31", "1969-12-31", "1969-12-31"),
            ("1 year", "0000-02-29", "0000-01-01", "0000-12-31"),
            ("10 years", "9999-12-31", "9990-01-01", "9999-12-31"),
        ] {
            assert_eq!(days(step, at), Some((lo.into(), hi.into())), "{step} {at}");
        }
        assert_eq!(days("7 years", "9999-12-31"), None, "ends after the last year that can be written");
    }

    #[test]
    fn instants_on_a_line_stay_there() {
        let both = |lo: &str, hi: &str| (lo.to_owned(), hi.to_owned());
        assert_eq!(
            instants("6 hours", "2024-05-01T13:07:22"),
            both("2024-05-01T12:00:00", "2024-05-01T18:00:00")
        );
        assert_eq!(
            instants("15 minutes", "1969-12-31T23:59:59"),
            both("1969-12-31T23:45:00", "1970-01-01T00:00:00")
        );
        assert_eq!(
            instants("1 month", "2024-02-29T10:00"),
            both("2024-02-01T00:00:00", "2024-03-01T00:00:00")
        );
        let line = "2024-05-01T00:00:00";
        assert_eq!(
            (instants("1 month", line), instants("1 day", line)),
            (both(line, line), both(line, line))
        );
    }

    #[test]
    fn steps_are_a_number_and_a_unit() {
        let shown = |text: &str| Every::parse(text).map(|every| every.to_string());
        assert_eq!(shown("3 months").as_deref(), Some("3 months"));
        assert_eq!(
            (shown("month").as_deref(), shown("6hours").as_deref()),
            (Some("1 month"), Some("6 hours"))
        );
        for wrong in ["", "0 days", "5", "-1 day", "1.5 days", "1 fortnight", "month 3"] {
            assert_eq!(shown(wrong), None, "{wrong}");
        }
    }
}
