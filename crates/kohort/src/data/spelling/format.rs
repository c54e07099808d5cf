//! Formats of dates that somebody declared, in the notation of strftime: `%d.%m.%Y`.

use std::fmt;

use chrono::format::{Fixed, Item, Numeric, Parsed, StrftimeItems, parse_and_remainder};
use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
use serde::{Deserialize, Serialize};

use crate::data::Instant;
use crate::data::calendar::{DAY, SECOND, Time, date_of, day_text, number_of};

/// Years of two digits are those of 1900 from here on, and those of 2000 before.
const FIRST_OF_1900: i32 = 69;

/// A format of dates or timestamps that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DateFormat {
    text: String,
    has_time: bool,
    /// Whether years have all their digits, so that `99` is none.
    full_years: bool,
}

impl TryFrom<String> for DateFormat {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let items: Vec<Item<'_>> = StrftimeItems::new(&text).collect();
        if items.contains(&Item::Error) {
            return Err(format!("'{text}' is not a date format: it has a sign that no date has"));
        }
        // It would be passed over, and times of several zones would become one.
        if items.contains(&Item::Fixed(Fixed::TimezoneName)) {
            return Err(format!(
                "'{text}' has the name of a zone (%Z), and names mean several things: %z is an offset from UTC"
            ));
        }
        let has_time = items.iter().any(is_of_time);
        let full_years = items.iter().any(|item| matches!(item, Item::Numeric(Numeric::Year, _)));
        // What tells the day of all dates tells that of these.
        for sample in ["1987-06-25", "2031-11-02"].map(str::parse::<NaiveDate>) {
            let day = sample.map_err(|e| e.to_string())?;
            let time = NaiveTime::from_hms_opt(13, 7, 0).unwrap_or_default();
            let shown = day.and_time(time).and_utc().format_with_items(items.iter()).to_string();
            let read = read(&shown, &text).filter(|(_, rest)| rest.is_empty());
            let date = read.as_ref().and_then(|(parsed, _)| parsed.to_naive_date().ok());
            let clock = read.as_ref().and_then(|(parsed, _)| parsed.to_naive_time().ok());
            if date != Some(day) || has_time && clock.is_none() {
                return Err(format!(
                    "'{text}' does not tell which {} it is",
                    if date == Some(day) { "time" } else { "day" }
                ));
            }
        }
        Ok(Self { text, has_time, full_years })
    }
}

impl From<DateFormat> for String {
    fn from(format: DateFormat) -> Self {
        format.text
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl DateFormat {
    /// Whether it has a time of day.
    pub fn has_time(&self) -> bool {
        self.has_time
    }

    /// The same with day and month in each other's place, where the day comes first.
    pub fn with_months_first(&self) -> Option<Self> {
        let (day, month) = (self.text.find("%d")?, self.text.find("%m")?);
        let swapped = self.text.replace("%d", "\0").replace("%m", "%d").replace('\0', "%m");
        if day < month { Self::try_from(swapped).ok() } else { None }
    }

    /// Whether it begins with a year, so that it could be taken for ISO 8601 and not be it.
    pub fn begins_with_year(&self) -> bool {
        self.text.trim_start().starts_with("%Y") || self.text.contains("%F")
    }

    /// The ISO text of a date in this format. Behind a date whose format has no time of day one may follow in any usual
    /// spelling.
    pub(super) fn meaning(&self, text: &str) -> Option<String> {
        let (parsed, rest) = read(text.trim(), &self.text)?;
        let day = number_of(parsed.to_naive_date().ok()?);
        let year = format!("{:04}", date_of(day)?.year());
        if self.full_years && !text.contains(&year) {
            return None;
        }
        if !self.has_time {
            return match rest {
                "" => Some(day_text(day)),
                behind => Time::read(behind, false)?.of(day).map(Instant::text),
            };
        }
        let time = parsed.to_naive_time().ok().filter(|_| rest.is_empty())?;
        let micros = time.signed_duration_since(NaiveTime::MIN).num_microseconds()?;
        let offset = parsed.offset().map(i64::from);
        let micros = day * DAY + micros - offset.unwrap_or(0) * SECOND;
        if time.nanosecond() >= 1_000_000_000 && micros.rem_euclid(DAY) >= SECOND {
            // A leap second where UTC has none.
            return None;
        }
        date_of(micros.div_euclid(DAY)).map(|_| Instant { micros, zoned: offset.is_some() }.text())
    }
}

/// What a text says in a format, and what is behind that.
fn read<'a>(text: &'a str, format: &str) -> Option<(Parsed, &'a str)> {
    let mut parsed = Parsed::new();
    let rest = parse_and_remainder(&mut parsed, text, StrftimeItems::new(format)).ok()?;
    with_century(&mut parsed)?;
    Some((parsed, rest))
}

/// Gives a year of two digits its century, as POSIX has it: chrono would take 69 for 2069.
fn with_century(parsed: &mut Parsed) -> Option<()> {
    let century = |year: i32| if year >= FIRST_OF_1900 { 19 } else { 20 };
    if let (None, None, Some(year)) = (parsed.year(), parsed.year_div_100(), parsed.year_mod_100()) {
        parsed.set_year_div_100(century(year).into()).ok()?;
    }
    if let (None, None, Some(year)) = (parsed.isoyear(), parsed.isoyear_div_100(), parsed.isoyear_mod_100()) {
        parsed.set_isoyear_div_100(century(year).into()).ok()?;
    }
    Some(())
}

fn is_of_time(item: &Item<'_>) -> bool {
    match item {
        Item::Numeric(numeric, _) => matches!(
            numeric,
            Numeric::Hour
                | Numeric::Hour12
                | Numeric::Minute
                | Numeric::Second
                | Numeric::Nanosecond
                | Numeric::Timestamp
        ),
        Item::Fixed(fixed) => !matches!(
            fixed,
            Fixed::ShortMonthName | Fixed::LongMonthName | Fixed::ShortWeekdayName | Fixed::LongWeekdayName
        ),
        Item::Literal(_) | Item::OwnedLiteral(_) | Item::Space(_) | Item::OwnedSpace(_) | Item::Error => {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(format: &str, text: &str) -> Option<String> {
        DateFormat::try_from(format.to_owned()).unwrap().meaning(text)
    }

    #[test]
    fn days_and_months_change_places() {
        let swapped = |text: &str| {
            let format = DateFormat::try_from(text.to_owned()).unwrap();
            format.with_months_first().map(|format| format.to_string())
        };
        assert_eq!(swapped("%d/%m/%Y %H:%M").as_deref(), Some("%m/%d/%Y %H:%M"));
        assert_eq!(swapped("%m/%d/%Y"), None, "months come first already");
        assert_eq!(swapped("%d %B %Y"), None, "a month by its name");
    }

    #[test]
    fn dates_are_read_as_declared() {
        for (format, text) in [
            ("%d.%m.%Y", "31.12.1999"),
            ("%d/%m/%Y", "31/12/1999"),
            ("%m/%d/%Y", "12/31/1999"),
            ("%Y%m%d", "19991231"),
            ("%d.%m.%y", "31.12.99"),
            ("%b %e, %Y", "Dec 31, 1999"),
            ("%F", "1999-12-31"),
            ("%Y-%j", "1999-365"),
        ] {
            assert_eq!(read_as(format, text).as_deref(), Some("1999-12-31"), "{format}");
        }
        for (year, full) in [("00", 2000), ("68", 2068), ("69", 1969), ("70", 1970), ("99", 1999)] {
            let read = |format: &str, text: String| read_as(format, &text);
            let expected = Some(format!("{full}-12-31"));
            assert_eq!(read("%d.%m.%y", format!("31.12.{year}")), expected, "as strptime has it");
            assert_eq!(
                read("%D %H:%M", format!("12/31/{year} 13:07")),
                expected.map(|day| day + "T13:07:00")
            );
        }
        assert_eq!(read_as("%g-W%V-%u", "69-W01-3").as_deref(), Some("1969-01-01"), "years of weeks, too");
        assert_eq!(read_as("%C%y-%m-%d", "2069-12-31").as_deref(), Some("2069-12-31"));
        for (format, text) in [
            ("%d.%m.%Y", "12/31/1999"),
            ("%d/%m/%Y", "12/31/1999"),
            ("%d.%m.%Y", "31.12.1999x"),
            ("%d.%m.%Y", "15.03.-0044"),
            ("%d.%m.%Y", "01.01.12024"),
            ("%d.%m.%Y", "31.12.99"),
            ("%d.%m.%Y %H:%M:%S", "31.12.1999 13:07:60"),
        ] {
            assert_eq!(read_as(format, text), None, "{format} {text}");
        }
    }

    #[test]
    fn times_are_read_as_declared_or_as_usual() {
        let time = Some("1999-12-31T13:07:00");
        assert_eq!(read_as("%d/%m/%Y %H:%M", "31/12/1999 13:07").as_deref(), time);
        assert_eq!(read_as("%d/%m/%Y", "31/12/1999 13:07").as_deref(), time);
        assert_eq!(read_as("%d/%m/%Y", "31/12/1999 1:07 pm").as_deref(), time);
        assert_eq!(
            read_as("%d/%m/%Y %H:%M %z", "31/12/1999 13:07 +0200").as_deref(),
            Some("1999-12-31T11:07:00Z")
        );
        assert_eq!(
            read_as("%d/%m/%Y %H:%M:%S", "31/12/2016 23:59:60").as_deref(),
            Some("2017-01-01T00:00:00")
        );
    }

    #[test]
    fn formats_that_tell_no_day_are_refused() {
        let why = |format: &str| DateFormat::try_from(format.to_owned()).unwrap_err();
        for format in ["%Q", "%d.%m.%", "%", "%!"] {
            assert!(why(format).contains("no date has"), "{format}");
        }
        for format in ["", "dd.mm.yyyy", "%Y", "%m/%Y", "%H:%M", "%d.%m.%Y %d.%m", "%a"] {
            let is_fine = DateFormat::try_from(format.to_owned());
            assert!(is_fine.is_err() || format == "%d.%m.%Y %d.%m", "{format}");
        }
        assert!(why("%d.%m.%Y %H").contains("which time"));
        assert!(why("%d.%m.%Y %H:%M:%S %Z").contains("%Z"), "instants of several zones would be one");
    }
}
