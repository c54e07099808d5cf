//! Which levels of the calendar suit the dates of a column.

use crate::data::recipes::DateLevel;

/// The first and the last year of some dates as Kohort writes them.
pub(super) fn years<'a>(dates: impl Iterator<Item = &'a str>) -> Option<(i32, i32)> {
    let year = |date: &str| date.get(..4)?.parse().ok();
    dates.filter_map(year).fold(None, |span, year| {
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

    #[test]
    fn decades_only_where_there_are_some() {
        assert_eq!(levels((1930, 2020)).last(), Some(&DateLevel::Decade));
        assert_eq!(levels((2019, 2024)).last(), Some(&DateLevel::Year));
    }
}
