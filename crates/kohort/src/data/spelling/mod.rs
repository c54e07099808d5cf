//! How the values of a column are written, and what they mean: the same day, instant or number in one form of text.
//!
//! Days become `YYYY-MM-DD`, instants `YYYY-MM-DDThh:mm:ss`, with `Z` where they were written with an offset, numbers get a
//! decimal point. Everything that compares, orders or publishes values sees these texts alone. What a text can mean is often
//! said by the others of its column: no month is the 31st. Where they leave it open nothing is guessed.

mod commas;
mod dates;
mod format;

pub use commas::Decimal;
pub use format::DateFormat;

use commas::Commas;
use dates::Dates;

/// How the values of a column are to be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Spelling {
    /// As they stand.
    #[default]
    Plain,
    /// Dates in usual spellings.
    Dates(Dates),
    /// Dates in declared formats.
    Formats(Vec<DateFormat>),
    /// Numbers with a decimal comma, or with commas between thousands.
    Commas(Decimal),
}

/// Why the values of a column do not tell how they are to be read. Texts are those with these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unclear {
    /// All could have days first, and all months; it makes a difference for this one.
    DayOrMonth(usize),
    /// The first must have days first, the second months.
    DayAndMonth(usize, usize),
    /// All commas could be decimal, and all stand between thousands; as in this one.
    Comma(usize),
}

impl Spelling {
    /// Finds out how texts are written that are no plain numbers and ISO days: dates if all are, or numbers with commas;
    /// otherwise as they stand. Empty texts say nothing.
    pub fn of(texts: &[String]) -> Result<Self, Unclear> {
        Ok(match Dates::of(texts, false)? {
            Some(dates) => Self::Dates(dates),
            None => Commas::of(texts)?.map_or(Self::Plain, Self::Commas),
        })
    }

    /// How dates are written in a column that is declared to have some, whatever else is in it. Eight digits are a date there.
    pub fn of_dates(texts: &[String]) -> Result<Self, Unclear> {
        let dates: Vec<String> = texts.iter().filter(|text| dates::is_date(text)).cloned().collect();
        // Numbered as they were asked.
        let number = |at: usize| texts.iter().position(|text| Some(text) == dates.get(at)).unwrap_or(0);
        match Dates::of(&dates, true) {
            Ok(found) => Ok(found.map_or(Self::Plain, Self::Dates)),
            Err(Unclear::DayOrMonth(at)) => Err(Unclear::DayOrMonth(number(at))),
            Err(Unclear::DayAndMonth(a, b)) => Err(Unclear::DayAndMonth(number(a), number(b))),
            Err(other) => Err(other),
        }
    }

    /// How numbers are written in a column that is declared to have some.
    pub fn of_numbers(texts: &[String]) -> Result<Self, Unclear> {
        Ok(Commas::of(texts)?.map_or(Self::Plain, Self::Commas))
    }

    /// A text in the one form that its meaning has; none where it cannot be read in this way.
    pub fn meaning(&self, text: &str) -> Option<String> {
        match self {
            Self::Plain => None,
            Self::Dates(dates) => dates.meaning(text),
            Self::Formats(formats) => {
                let mut read = formats.iter().filter_map(|format| format.meaning(text));
                let first = read.next()?;
                read.all(|other| other == first).then_some(first)
            }
            Self::Commas(decimal) => decimal.plain(text),
        }
    }

    /// In how many ways dates are written.
    pub fn forms(&self) -> usize {
        if let Self::Dates(dates) = self { dates.forms() } else { 1 }
    }
}

/// What a single text says by itself, wherever it stands, if it is a date or a number in some usual spelling.
#[derive(Debug, Clone, PartialEq)]
pub enum Alone {
    /// The text of a day, an instant or a number.
    Meaning(String),
    /// A date that depends on whether days or months come first, or a number with a comma before decimals or between
    /// thousands: what it is then.
    Either(String, String),
}

impl Alone {
    /// Reads a text.
    pub fn read(text: &str) -> Option<Self> {
        dates::alone(text).or_else(|| commas::alone(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|&text| text.to_owned()).collect()
    }

    fn meanings(all: &[&str]) -> Vec<String> {
        let spelling = Spelling::of(&texts(all)).unwrap();
        all.iter().map(|text| spelling.meaning(text).unwrap_or_else(|| (*text).to_owned())).collect()
    }

    #[test]
    fn a_column_says_what_comes_first() {
        assert_eq!(meanings(&["03/04/1999", "31/12/1999", ""]), ["1999-04-03", "1999-12-31", ""]);
        assert_eq!(meanings(&["03/04/1999", "12/31/1999"]), ["1999-03-04", "1999-12-31"]);
        assert_eq!(meanings(&["05/05/1999", "07/07/2001"]), ["1999-05-05", "2001-07-07"]);
        assert_eq!(
            meanings(&["03.04.1999", "Dec 31, 1999", "1999-12-01"]),
            ["1999-04-03", "1999-12-31", "1999-12-01"]
        );
        assert_eq!(meanings(&["03/04/1999", "x"]), ["03/04/1999", "x"]);
        assert_eq!(meanings(&["19991231", "20000101"]), ["19991231", "20000101"], "numbers");
    }

    #[test]
    fn what_nobody_can_tell_is_asked() {
        let of = |all: &[&str]| Spelling::of(&texts(all));
        assert_eq!(of(&["05/05/1999", "03/04/1999"]), Err(Unclear::DayOrMonth(1)));
        assert_eq!(of(&["03-04-1999", "1999-12-31"]), Err(Unclear::DayOrMonth(0)));
        assert_eq!(of(&["31/12/1999", "12/31/1999"]), Err(Unclear::DayAndMonth(0, 1)));
        assert_eq!(of(&["31/12/1999", "03-04-1999"]), Err(Unclear::DayOrMonth(1)), "each for itself");
        assert_eq!(of(&["1,234", "12"]), Err(Unclear::Comma(0)));
        assert_eq!(
            Spelling::of_dates(&texts(&["x", "03/04/1999", ""])),
            Err(Unclear::DayOrMonth(1)),
            "as they were asked"
        );
    }

    #[test]
    fn times_of_day_follow_any_date() {
        assert_eq!(
            meanings(&["31/12/1999 1:07 PM", "03/04/1999 10:00"]),
            ["1999-12-31T13:07:00", "1999-04-03T10:00:00"]
        );
        assert_eq!(meanings(&["2024-05-01 13:07:22+02:00"]), ["2024-05-01T11:07:22Z"]);
        assert_eq!(meanings(&["20240501T130722Z"]), ["2024-05-01T13:07:22Z"]);
    }

    #[test]
    fn commas_are_decimal_or_stand_between_thousands() {
        assert_eq!(meanings(&["3,5", "1.234,5", "1,234", "-7"]), ["3.5", "1234.5", "1.234", "-7"]);
        assert_eq!(meanings(&["1,234.5", "1,234", "0.5"]), ["1234.5", "1234", "0.5"]);
        assert_eq!(meanings(&["1,234.5", "3,5"]), ["1,234.5", "3,5"], "no way to read both");
        assert_eq!(meanings(&["1,234,567", "12"]), ["1234567", "12"]);
        assert_eq!(meanings(&["3,5", "x"]), ["3,5", "x"]);
    }

    #[test]
    fn a_text_alone() {
        let meaning = |text: &str| Some(Alone::Meaning(text.to_owned()));
        assert_eq!(Alone::read("31.12.1999"), meaning("1999-12-31"));
        assert_eq!(Alone::read("31/12/1999"), meaning("1999-12-31"));
        assert_eq!(Alone::read("3/4/1999"), Alone::read("03/04/1999"));
        assert!(matches!(Alone::read("3/4/1999"), Some(Alone::Either(..))));
        assert_eq!((Alone::read("3,50"), Alone::read("x")), (meaning("3.50"), None));
        assert_eq!(Alone::read("1,234"), Some(Alone::Either("1.234".into(), "1234".into())));
    }
}
