//! Days and instants: whole numbers on a line, and how they are written.
//!
//! A day is counted in days from 1970-01-01, an instant in microseconds from its midnight. An instant that was written with
//! an offset from UTC is one of UTC; without one it is what clocks showed, wherever that was. Both are written as ISO 8601
//! does, years from 0000 to 9999.

mod every;
mod names;
mod scan;
mod time;
mod written;

use chrono::{Datelike, NaiveDate};

pub use every::{Every, Unit};
pub(super) use time::Time;
pub(super) use written::{Form, Written};

/// Microseconds of a second and of a day.
pub(super) const SECOND: i64 = 1_000_000;
pub(super) const DAY: i64 = 86_400 * SECOND;

/// Days from the first of January of year 1, which chrono counts from, to 1970.
const EPOCH: i64 = 719_163;

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instant {
    /// Microseconds from the midnight with which 1970 began.
    pub micros: i64,
    /// Whether it was written with an offset from UTC.
    pub zoned: bool,
}

impl Instant {
    /// Reads `2024-05-01T13:07:22.123456Z` and what else ISO 8601 allows, or the midnight of a day alone.
    pub fn parse(text: &str) -> Option<Self> {
        let written = Written::read(text).filter(|written| written.form == Form::Iso)?;
        written.instant(written.day(false)?)
    }

    /// As it is published.
    pub fn text(self) -> String {
        instant_text(self.micros, self.zoned)
    }

    /// Whether its year can be written.
    fn is_writable(self) -> bool {
        date_of(self.micros.div_euclid(DAY)).is_some()
    }
}

/// The number of a day that is written `YYYY-MM-DD`.
pub(super) fn day(text: &str) -> Option<i64> {
    Written::read(text).filter(|written| written.form == Form::Iso && written.time.is_none())?.day(false)
}

/// The number of a day by its parts; none where there is no such day.
pub(super) fn day_of(year: i64, month: u32, day: u32) -> Option<i64> {
    if !(0..=9999).contains(&year) {
        return None;
    }
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day).map(number_of)
}

/// The number of a day.
pub(super) fn number_of(date: NaiveDate) -> i64 {
    i64::from(date.num_days_from_ce()) - EPOCH
}

/// The day of a number, where its year can be written.
pub(super) fn date_of(day: i64) -> Option<NaiveDate> {
    let date = NaiveDate::from_num_days_from_ce_opt(i32::try_from(day.checked_add(EPOCH)?).ok()?)?;
    (0..=9999).contains(&date.year()).then_some(date)
}

/// `2024-05-01`.
pub(super) fn day_text(day: i64) -> String {
    date_of(day)
        .map_or_else(|| day.to_string(), |d| format!("{:04}-{:02}-{:02}", d.year(), d.month(), d.day()))
}

/// `2024-05-01T13:07:22`, with three or six digits of a second where it has them.
pub(super) fn instant_text(micros: i64, zoned: bool) -> String {
    let (day, time) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    let (seconds, rest) = (time / SECOND, time % SECOND);
    let fraction = match rest {
        0 => String::new(),
        _ if rest % 1000 == 0 => format!(".{:03}", rest / 1000),
        _ => format!(".{rest:06}"),
    };
    let zone = if zoned { "Z" } else { "" };
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{}T{hour:02}:{minute:02}:{second:02}{fraction}{zone}", day_text(day))
}

/// What is written of an instant at midnight and not of a day: whoever publishes nothing but midnights leaves it out.
pub(crate) const MIDNIGHT: &str = "T00:00:00";

/// The day with which the text of an ISO day or instant begins, as a date.
pub(super) fn iso_date(text: &str) -> Option<NaiveDate> {
    date_of(day_of_instant(text)?)
}

fn day_of_instant(text: &str) -> Option<i64> {
    Instant::parse(text).map(|instant| instant.micros.div_euclid(DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!(day("1970-01-01"), Some(0));
        assert_eq!((day("2000-02-29"), day("1900-02-29")), (Some(11_016), None));
        assert_eq!((day("1999-1-5"), day("99-01-05"), day("-0044-03-15")), (day("1999-01-05"), None, None));
        for text in ["0000-01-01", "0001-12-31", "9999-12-31", "2024-02-29"] {
            assert_eq!(day(text).map(day_text).as_deref(), Some(text));
        }
        assert_eq!((day("10000-01-01"), day("2024-05-01T00:00:00")), (None, None));
    }

    #[test]
    fn instants_are_read_and_written() {
        let read = |text: &str| Instant::parse(text).map(Instant::text);
        for (given, expected) in [
            ("2024-05-01T13:07:22.123Z", "2024-05-01T13:07:22.123Z"),
            ("2024-05-01 13:07", "2024-05-01T13:07:00"),
            ("2024-05-01 13:07:22+02:00", "2024-05-01T11:07:22Z"),
            ("2024-05-01T23:30:00-0530", "2024-05-02T05:00:00Z"),
            ("2024-05-01T13:07:22.123456789", "2024-05-01T13:07:22.123456"),
            ("2024-05-01T13:07:22,5", "2024-05-01T13:07:22.500"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.999999", "1969-12-31T23:59:59.999999"),
            ("2024-05-01", "2024-05-01T00:00:00"),
        ] {
            assert_eq!(read(given).as_deref(), Some(expected), "{given}");
        }
        for wrong in [
            "2024-05-01T24:00",
            "2024-05-01T13:60",
            "2024-05-01T13:07:60",
            "2024-02-30T13:07",
            "2024-05-01T13",
            "2024-05-01X13:07",
            "0000-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "-0044-03-15T10:00",
            "2024-05-01T13:07:22 CET",
            "2024-05-01T13:07:22Zx",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
