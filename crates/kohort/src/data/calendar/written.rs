//! Dates as people and programs write them, and what they can mean.

use super::names::month;
use super::scan::Scan;
use super::time::Time;
use super::{DAY, Instant, day_of};

/// How the day is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in super::super) enum Form {
    /// `1999-12-31`.
    Iso,
    /// `1999/12/31`, `1999.12.31`.
    YearFirst,
    /// `19991231`, which alone is a number like any other.
    Compact,
    /// `31.12.1999`: nobody writes months first with points.
    Points,
    /// `31/12/1999` or `12/31/1999`.
    Slashes,
    /// `31-12-1999` or `12-31-1999`.
    Dashes,
    /// `31-Dec-1999`, `31 December 1999`, `Dec 31, 1999`.
    Named,
}

/// A date that was written somewhere, perhaps with a time of day. Years have four digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Written {
    pub(in super::super) form: Form,
    /// The day it is if days come first, and if months do. Where the form leaves no choice it is the same day.
    day_first: Option<i64>,
    month_first: Option<i64>,
    pub(in super::super) time: Option<Time>,
}

impl Written {
    /// Reads a text; none where it is no date in any usual spelling.
    pub(in super::super) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        // Most texts of most columns are none: told by their first letter.
        let first = text.bytes().next().filter(|b| b.is_ascii_digit() || b.is_ascii_alphabetic())?;
        let mut scan = Scan(text);
        let (form, day_first, month_first) =
            if first.is_ascii_digit() { numbers(&mut scan)? } else { by_name(&mut scan)? };
        let time = if scan.is_done() { None } else { Some(Time::read(scan.0, form == Form::Compact)?) };
        let is_day = day_first.is_some() || month_first.is_some();
        is_day.then_some(Self { form, day_first, month_first, time })
    }

    /// Which day it is, if months come first or days do.
    pub(in super::super) fn day(&self, months_first: bool) -> Option<i64> {
        if months_first { self.month_first } else { self.day_first }
    }

    /// The only day that it can be; none where that depends on what comes first.
    pub(in super::super) fn only_day(&self) -> Option<i64> {
        match (self.day_first, self.month_first) {
            (Some(a), Some(b)) if a != b => None,
            (a, b) => a.or(b),
        }
    }

    /// The instant on that day; midnight where there is no time of day.
    pub(in super::super) fn instant(&self, day: i64) -> Option<Instant> {
        match self.time {
            Some(time) => time.of(day),
            None => Some(Instant { micros: day * DAY, zoned: false }),
        }
    }
}

type Days = (Form, Option<i64>, Option<i64>);

/// What begins with a number.
fn numbers(scan: &mut Scan<'_>) -> Option<Days> {
    let digits = scan.digits();
    let first: u32 = digits.get(..8.min(digits.len()))?.parse().ok()?;
    let one = |form, day: Option<i64>| Some((form, day, day));
    match digits.len() {
        8 => one(Form::Compact, day_of(i64::from(first / 10_000), first / 100 % 100, first % 100)),
        4 => {
            let mark = scan.mark(b"-/.")?;
            let month = scan.number(1..=2)?;
            scan.mark(&[mark])?;
            let form = if mark == b'-' { Form::Iso } else { Form::YearFirst };
            one(form, day_of(i64::from(first), month, scan.number(1..=2)?))
        }
        1 | 2 => {
            let mark = scan.mark(b"./- ")?;
            scan.spaces();
            if !scan.peek()?.is_ascii_digit() {
                let month = month(scan.letters())?;
                scan.mark(b".");
                scan.mark(b"-/");
                scan.spaces();
                return one(Form::Named, day_of(year(scan)?, month, first));
            }
            let form = match mark {
                b'.' => Form::Points,
                b'/' => Form::Slashes,
                b'-' => Form::Dashes,
                _ => return None,
            };
            let second = scan.number(1..=2)?;
            scan.mark(&[mark])?;
            scan.spaces();
            let year = year(scan)?;
            let day_first = day_of(year, second, first);
            let months = form == Form::Slashes || form == Form::Dashes;
            Some((form, day_first, if months { day_of(year, first, second) } else { day_first }))
        }
        _ => None,
    }
}

/// `Dec 31, 1999`.
fn by_name(scan: &mut Scan<'_>) -> Option<Days> {
    let month = month(scan.letters())?;
    scan.mark(b".");
    if scan.mark(b"-").is_none() && !scan.spaces() {
        return None;
    }
    let day = scan.number(1..=2)?;
    let comma = scan.mark(b",").is_some();
    if !scan.spaces() && !comma {
        scan.mark(b"-")?;
    }
    let day = day_of(year(scan)?, month, day);
    Some((Form::Named, day, day))
}

fn year(scan: &mut Scan<'_>) -> Option<i64> {
    scan.number(4..=4).map(i64::from)
}

#[cfg(test)]
mod tests {
    use super::super::day_text;
    use super::*;

    fn both(text: &str) -> Option<(Option<String>, Option<String>)> {
        let written = Written::read(text)?;
        Some((written.day(false).map(day_text), written.day(true).map(day_text)))
    }

    #[test]
    fn the_last_day_of_1999_in_every_spelling() {
        let one_way = [
            "1999-12-31",
            "1999/12/31",
            "1999.12.31",
            "19991231",
            "31.12.1999",
            "31-Dec-1999",
            "31 December 1999",
            "31. Dezember 1999",
            "31 décembre 1999",
            "31/dec/1999",
            "Dec 31, 1999",
            "December 31 1999",
            "Dec-31-1999",
            " 31.12.1999 ",
        ];
        for text in one_way {
            let day = Some("1999-12-31".to_owned());
            assert_eq!(both(text), Some((day.clone(), day)), "{text}");
        }
        let day = Some("1999-12-31".to_owned());
        assert_eq!(both("31/12/1999"), Some((day.clone(), None)));
        assert_eq!(both("12-31-1999"), Some((None, day)));
        let two = (Some("1999-04-03".to_owned()), Some("1999-03-04".to_owned()));
        assert_eq!((both("03/04/1999"), both("3/4/1999")), (Some(two.clone()), Some(two)));
        assert_eq!(Written::read("05/05/1999").and_then(|w| w.only_day()), super::super::day("1999-05-05"));
        assert_eq!(Written::read("03/04/1999").and_then(|w| w.only_day()), None);
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "1999",
            "1999-12",
            "31.12.99",
            "31.12",
            "31.13.1999",
            "29.02.1900",
            "00.01.2000",
            "1999-12/31",
            "31 12 1999",
            "1.2.3.4",
            "199912310",
            "Monday 31, 1999",
            "Dec31, 1999",
            "10-20",
            "2020-W10",
            "12/31/1999x",
            "31.12.1999 25:00",
            "ä",
        ] {
            assert_eq!(both(text), None, "{text}");
        }
    }
}
