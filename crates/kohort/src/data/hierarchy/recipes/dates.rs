//! Dates and times by calendar: minute, hour, day, week, month, quarter, year, decade, century.

use chrono::{Datelike, NaiveDate};

use crate::data::calendar::iso_date;
use crate::data::{Hierarchy, Instant, ROOT_LABEL};
use crate::error::{Error, Result, nearest};

use super::{below_root, misfits};

/// A step of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateLevel {
    /// `2020-03-05T13:07`, with `Z` where it is one of UTC.
    Minute,
    /// `2020-03-05T13`, likewise.
    Hour,
    /// `2020-03-05`; the value itself unless it carries a time of day.
    Day,
    /// `2020-W10`, ISO 8601. Weeks cross months and years, so nothing but the root can stand above.
    Week,
    /// `2020-03`.
    Month,
    /// `2020-Q1`.
    Quarter,
    /// `2020`.
    Year,
    /// `2020s`.
    Decade,
    /// `2000-2099`.
    Century,
}

impl DateLevel {
    /// Whether some of these are levels of a time of day.
    pub fn have_times(levels: &[Self]) -> bool {
        levels.iter().any(|level| *level < Self::Day)
    }

    /// Every level by name, from fine to coarse.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("minute", Self::Minute),
        ("hour", Self::Hour),
        ("day", Self::Day),
        ("week", Self::Week),
        ("month", Self::Month),
        ("quarter", Self::Quarter),
        ("year", Self::Year),
        ("decade", Self::Decade),
        ("century", Self::Century),
    ];

    /// The level of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|(_, level)| *level)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, level)| *level == self).map_or("", |(name, _)| name)
    }

    /// Reads a list such as `day/month/year/decade`, and refuses one that does not nest.
    pub fn parse_list(text: &str) -> Result<Vec<Self>> {
        let levels = text.split('/').map(|part| Self::named(part.trim()).ok_or_else(|| unknown(part.trim())));
        let levels: Vec<Self> = levels.collect::<Result<_>>()?;
        check(&levels)?;
        Ok(levels)
    }

    /// What it calls the part of the calendar in which a value lies.
    pub(crate) fn label(self, value: &str, date: NaiveDate) -> String {
        let (year, month) = (date.year(), date.month());
        match self {
            Self::Minute => clock(value, 16),
            Self::Hour => clock(value, 13),
            Self::Day => format!("{year:04}-{month:02}-{:02}", date.day()),
            Self::Week => format!("{:04}-W{:02}", date.iso_week().year(), date.iso_week().week()),
            Self::Month => format!("{year:04}-{month:02}"),
            Self::Quarter => format!("{year:04}-Q{}", (month - 1) / 3 + 1),
            Self::Year => format!("{year:04}"),
            Self::Decade => format!("{:04}s", year - year % 10),
            Self::Century => format!("{:04}-{:04}", year - year % 100, year - year % 100 + 99),
        }
    }
}

/// The beginning of what is written of an instant, to a minute or an hour.
fn clock(value: &str, letters: usize) -> String {
    let Some(instant) = Instant::parse(value) else { return value.to_owned() };
    let text = instant.text();
    format!("{}{}", text.get(..letters).unwrap_or(&text), if instant.zoned { "Z" } else { "" })
}

fn unknown(part: &str) -> Error {
    let names = DateLevel::NAMES.map(|(n, _)| n);
    let e = Error::job(format!("'{part}' is not a date level, expected some of {}", names.join("/")));
    match nearest(part, names) {
        Some(near) => e.help(format!("did you mean '{near}'?")),
        None => e.help("write levels from fine to coarse, such as day/month/year/decade"),
    }
}

fn check(levels: &[DateLevel]) -> Result<()> {
    if levels.is_empty() {
        return Err(
            Error::job("a date hierarchy needs at least one level").help("such as day/month/year/decade")
        );
    }
    if levels.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(Error::job("date levels must go from fine to coarse, each once")
            .help("such as hour/day/month/quarter/year/decade/century"));
    }
    if levels.iter().rev().skip(1).any(|l| *l == DateLevel::Week) {
        return Err(Error::job("weeks cross months and years, so no level can stand above 'week'")
            .help("use day/week, or leave 'week' out"));
    }
    Ok(())
}

/// A calendar tree over ISO dates (`2020-03-05`, a time of day may follow). Instants with an offset have the days and hours
/// of UTC.
///
/// ```
/// use kohort::data::recipes::{DateLevel, dates};
/// let h = dates("birth", &["2020-03-05".into()], &DateLevel::parse_list("day/month/year/decade")?)?;
/// assert_eq!(h.path(0), ["2020-03-05", "2020-03", "2020", "2020s", "*"]);
/// # Ok::<(), kohort::Error>(())
/// ```
pub fn dates(name: &str, values: &[String], levels: &[DateLevel]) -> Result<Hierarchy> {
    check(levels).map_err(|e| e.in_hierarchy_of(name))?;
    let odd: Vec<&str> =
        values.iter().map(String::as_str).filter(|v| !v.is_empty() && date(v).is_none()).collect();
    if !odd.is_empty() {
        return Err(
            misfits(name, &odd, "ISO dates").help("write dates as year-month-day, such as 2020-03-05")
        );
    }
    check_clocks(values).map_err(|e| e.in_hierarchy_of(name))?;
    let is_day = |value: &&str| !value.is_empty() && value.trim().len() <= 10;
    let days: Vec<&str> = values.iter().map(String::as_str).filter(is_day).collect();
    if DateLevel::have_times(levels)
        && !days.is_empty()
        && days.len() == values.iter().filter(|v| !v.is_empty()).count()
    {
        return Err(Error::job("days have no hours and minutes, so there can be no such level")
            .in_hierarchy_of(name)
            .help("begin with day, or with month"));
    }
    let place = |v: &String| Some((Instant::parse(v)?.micros, date(v)?));
    let mut sorted: Vec<((i64, NaiveDate), &String)> =
        values.iter().filter_map(|v| Some((place(v)?, v))).collect();
    sorted.sort_unstable();
    let missing = values.iter().filter(|v| v.is_empty()).map(|v| below_root(v));
    let paths = sorted.into_iter().map(|((_, date), value)| path(date, value, levels));
    Hierarchy::from_paths(name, paths.chain(missing))
}

/// Refuses instants of UTC among times that clocks showed, whose hours and days may be others.
fn check_clocks(values: &[String]) -> Result<()> {
    let has = |zoned: bool| values.iter().any(|v| Instant::parse(v).is_some_and(|at| at.zoned == zoned));
    if has(true) && has(false) {
        return Err(Error::input("some times have an offset from UTC and others have none")
            .help("write all of them with an offset, or all without"));
    }
    Ok(())
}

fn path(date: NaiveDate, value: &str, levels: &[DateLevel]) -> Vec<String> {
    let groups = levels.iter().map(|level| level.label(value, date)).filter(|label| label != value);
    std::iter::once(value.to_owned()).chain(groups).chain([ROOT_LABEL.to_owned()]).collect()
}

/// The day of an ISO date or date and time.
pub(super) fn date(value: &str) -> Option<NaiveDate> {
    iso_date(value)
}

#[cfg(test)]
mod tests {
    use super::super::contract::{holds, path, strings};
    use super::*;

    fn build(values: &[&str], levels: &str) -> Result<Hierarchy> {
        dates("birth", &strings(values), &DateLevel::parse_list(levels)?)
    }

    #[test]
    fn every_level_has_its_label() {
        let h = build(&["2020-03-05"], "day/month/quarter/year/decade/century").unwrap();
        assert_eq!(
            path(&h, "2020-03-05"),
            ["2020-03-05", "2020-03", "2020-Q1", "2020", "2020s", "2000-2099", "*"]
        );
        let h = build(&["2021-01-01", "2020-12-31"], "day/week").unwrap();
        assert_eq!(path(&h, "2021-01-01"), ["2021-01-01", "2020-W53", "*"]);
    }

    #[test]
    fn instants_of_utc_stay_among_themselves() {
        for levels in ["day/month", "hour/day", "year"] {
            let mixed = build(&["2020-03-05T10:00:00Z", "", "2020-03-05T10:00:00"], levels).unwrap_err();
            assert!(mixed.to_string().contains("some times have an offset"), "{mixed}");
            assert!(build(&["2020-03-05T10:00:00Z", "", "2020-03-05T10:00+02:00"], levels).is_ok());
        }
    }

    #[test]
    fn the_contract_holds_over_years_and_for_times_of_day() {
        let days = (0..5000).filter_map(|i| NaiveDate::from_num_days_from_ce_opt(730_000 + i));
        let mut values = strings(days.map(|d| DateLevel::Day.label("", d)));
        holds(
            &dates("d", &values, &DateLevel::parse_list("month/quarter/year/decade/century").unwrap())
                .unwrap(),
            &values,
        );
        values.extend(strings(["2020-03-05T10:30:00", "2020-03-05 11:00", ""]));
        let h = dates("d", &values, &DateLevel::parse_list("day/year").unwrap()).unwrap();
        assert_eq!(path(&h, "2020-03-05 11:00"), ["2020-03-05 11:00", "2020-03-05", "2020", "*"]);
        assert_eq!(path(&h, ""), ["", "*"]);
    }

    #[test]
    fn hours_and_minutes_stand_below_days() {
        let h = build(&["2020-03-05T13:07:22", "2020-03-05T00:00:00"], "minute/hour/day/year").unwrap();
        let above = ["2020-03-05T13:07:22", "2020-03-05T13:07", "2020-03-05T13", "2020-03-05", "2020", "*"];
        assert_eq!(path(&h, "2020-03-05T13:07:22"), above);
        assert_eq!(path(&h, "2020-03-05T00:00:00")[1..3], ["2020-03-05T00:00", "2020-03-05T00"]);
        let h = build(&["2020-03-05T23:30:00-02:00"], "hour/day").unwrap();
        assert_eq!(path(&h, "2020-03-05T23:30:00-02:00")[1..], ["2020-03-06T01Z", "2020-03-06", "*"]);
        assert!(build(&["2020-03-05"], "hour/day").is_err_and(|e| e.to_string().contains("no hours")));
    }

    #[test]
    fn levels_that_do_not_nest_are_refused() {
        for levels in ["year/month", "day/day", "week/month", "day/week/year", "", "day//year"] {
            assert!(DateLevel::parse_list(levels).is_err(), "{levels}");
        }
        let e = DateLevel::parse_list("day/mnth/year").unwrap_err().to_string();
        assert!(e.contains("did you mean 'month'?"), "{e}");
    }

    #[test]
    fn what_is_no_date_is_counted() {
        let e = build(&["2020-02-30", "2020-03-05x", "5.3.2020", "2020-01-01", "Ärger 2020"], "year")
            .unwrap_err();
        assert!(e.to_string().contains("4 values are not ISO dates"), "{e}");
    }
}
