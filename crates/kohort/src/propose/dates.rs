//! Dates in the spellings of the world, where they are no ISO dates.

use chrono::{Datelike, NaiveDate};

use crate::data::recipes::DateLevel;

/// In which order day, month and year stand, and what stands between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spelling {
    order: Order,
    sign: char,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    DayMonthYear,
    MonthDayYear,
    YearMonthDay,
}

const ORDERS: [Order; 3] = [Order::YearMonthDay, Order::DayMonthYear, Order::MonthDayYear];
const SIGNS: [char; 4] = ['.', '/', '-', ' '];

/// Of so many values one may be odd.
const ODD: usize = 50;

impl Spelling {
    /// The spelling of all these values but a few; none where there are several possible ones and no value decides.
    pub(super) fn of(values: &[&str]) -> Option<Self> {
        let first = values.first()?;
        let sign = SIGNS.into_iter().find(|&sign| first.matches(sign).count() >= 2)?;
        let fits = |spelling: &Self| {
            let odd = values.iter().filter(|value| spelling.read(value).is_none()).count();
            odd * ODD <= values.len()
        };
        let mut all = ORDERS.into_iter().map(|order| Self { order, sign }).filter(fits);
        let found = all.next()?;
        // Days before months is what most of the world writes, and points everybody who writes them; slashes stay open.
        let open = all.next().is_some() && sign == '/';
        (!open || found.order == Order::YearMonthDay || values.len() == 1).then_some(found)
    }

    /// The day that a value says.
    pub(super) fn read(self, text: &str) -> Option<NaiveDate> {
        let text = text.trim();
        // A time of day may follow.
        let day = match self.sign {
            ' ' => text,
            _ => text.split([' ', 'T']).next()?,
        };
        let mut parts = day.split(self.sign).filter(|part| !part.is_empty());
        let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let (day, month, year) = match self.order {
            Order::DayMonthYear => (a, b, c),
            Order::MonthDayYear => (b, a, c),
            Order::YearMonthDay => (c, b, a),
        };
        let number = |text: &str, most: usize| {
            let fine = (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
            fine.then(|| text.parse::<u32>().ok()).flatten()
        };
        if year.len() != 4 {
            return None;
        }
        let year = i32::try_from(number(year, 4)?).ok().filter(|year| (1000..=2200).contains(year))?;
        NaiveDate::from_ymd_opt(year, number(month, 2)?, number(day, 2)?)
    }

    /// For readers.
    pub(super) fn words(self) -> String {
        let sign = self.sign;
        match self.order {
            Order::DayMonthYear => format!("day{sign}month{sign}year"),
            Order::MonthDayYear => format!("month{sign}day{sign}year"),
            Order::YearMonthDay => format!("year{sign}month{sign}day"),
        }
    }
}

/// The first and the last year of some days.
pub(super) fn years(days: impl Iterator<Item = NaiveDate>) -> Option<(i32, i32)> {
    days.map(|day| day.year()).fold(None, |span, year| {
        let (first, last) = span.unwrap_or((year, year));
        Some((first.min(year), last.max(year)))
    })
}

/// The levels that suit so many years: decades only where there are several.
pub(super) fn levels((first, last): (i32, i32)) -> Vec<DateLevel> {
    if last - first >= 20 {
        vec![DateLevel::Day, DateLevel::Month, DateLevel::Year, DateLevel::Decade]
    } else {
        vec![DateLevel::Day, DateLevel::Month, DateLevel::Quarter, DateLevel::Year]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(values: &[&str]) -> String {
        Spelling::of(values).map_or("none".into(), Spelling::words)
    }

    #[test]
    fn spellings_are_found_and_open_ones_are_not_guessed() {
        assert_eq!(words(&["31.12.1999", "1.2.2003"]), "day.month.year");
        assert_eq!(words(&["12/31/1999", "01/02/2003"]), "month/day/year");
        assert_eq!(words(&["31/12/1999", "01/02/2003"]), "day/month/year");
        assert_eq!(words(&["1999/12/31"]), "year/month/day");
        assert_eq!(words(&["01/02/2003", "03/04/2005"]), "none", "days or months first?");
        assert_eq!(words(&["01.02.2003", "03.04.2005"]), "day.month.year");
        assert_eq!(words(&["17-08-1984 13:05"]), "day-month-year");
        for wrong in ["10.0.0.1", "31.02.1999", "078-05-1120", "1.2.99", "", "a.b.c", "99.99.9999"] {
            assert_eq!(words(&[wrong]), "none", "{wrong}");
        }
    }

    #[test]
    fn decades_only_where_there_are_some() {
        assert_eq!(levels((1930, 2020)).last(), Some(&DateLevel::Decade));
        assert_eq!(levels((2019, 2024)).last(), Some(&DateLevel::Year));
    }
}
