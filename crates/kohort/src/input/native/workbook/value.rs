//! What a cell of a workbook shows, as text that says no more and no less.

use calamine::{CellErrorType, DataRef, ExcelDateTime, ExcelDateTimeType};

use crate::error::{Error, Result};
use crate::input::native::cells::{Cell, digits};

/// Numbers from here on have more than the 15 digits that a spreadsheet keeps.
const LONG: f64 = 1e15;

/// The number of the last day that spreadsheets know, 9999-12-31, and one more.
const END_OF_DAYS: f64 = 2_958_466.0;

/// The same where days are counted from 1904.
const END_FROM_1904: f64 = 2_957_004.0;

/// Excel counts a 29th of February 1900, which was none.
const NO_DAY: std::ops::Range<f64> = 60.0..61.0;

/// Whether a cell has a day, and not a time of day: not even one that somebody added up to more than 24 hours.
pub(super) fn has_day(value: &DataRef<'_>) -> bool {
    matches!(value, DataRef::DateTime(moment) if !moment.is_duration() && moment.as_f64() >= NO_DAY.end)
}

/// The value of a cell. `#N/A` is how a spreadsheet says that there is none; other errors are nobody's value. `of_days` says
/// whether other cells of the column have days: nothing but a number tells midnight from the day 0, which is none.
pub(super) fn cell(value: &DataRef<'_>, row: u32, column: u32, of_days: bool) -> Result<Cell<'static>> {
    Ok(match value {
        DataRef::Int(number) => number_cell(*number as f64, row, column)?,
        DataRef::Float(number) => number_cell(*number, row, column)?,
        DataRef::String(text) => Cell::Text(text.clone().into()),
        DataRef::SharedString(text) => Cell::Text((*text).to_owned().into()),
        DataRef::Bool(value) => Cell::Truth(*value),
        DataRef::DateTime(moment) => {
            let text =
                if moment.is_duration() { Some(span_text(moment)) } else { moment_text(moment, of_days) };
            Cell::Text(text.ok_or_else(|| no_day(row, column))?.into())
        }
        DataRef::DateTimeIso(text) => {
            Cell::Text(text.strip_suffix("T00:00:00").unwrap_or(text).to_owned().into())
        }
        DataRef::DurationIso(text) => Cell::Text(clock(text).unwrap_or_else(|| text.clone()).into()),
        DataRef::Error(CellErrorType::NA) | DataRef::Empty => Cell::Nothing,
        DataRef::Error(error) => {
            return Err(Error::input(format!("cell {} shows an error, {error}", address(row, column)))
                .help("correct its formula, or clear the cell; #N/A is read as a missing value"));
        }
    })
}

fn number_cell(number: f64, row: u32, column: u32) -> Result<Cell<'static>> {
    if number.abs() >= LONG || !number.is_finite() {
        return Err(Error::input(format!(
            "cell {} holds a number of more digits than a spreadsheet keeps",
            address(row, column)
        ))
        .help("numbers with 16 digits and more, such as card or account numbers, are text: format the column as text and enter them again from where they came from"));
    }
    let is_whole = number.fract() == 0.0;
    Ok(Cell::Number(if is_whole { (number as i64).to_string() } else { digits(number) }.into()))
}

fn no_day(row: u32, column: u32) -> Error {
    Error::input(format!("cell {} is formatted as a date, and is none", address(row, column)))
        .help("give the cell the format of a number, or correct or clear it")
}

/// A day, a time of day, or both, as in ISO 8601; none for a number of no day. Days are counted from 1, but from 0 where the
/// first is that of 1904.
fn moment_text(moment: &ExcelDateTime, of_days: bool) -> Option<String> {
    let value = moment.as_f64();
    let from_1904 = *moment == ExcelDateTime::new(value, ExcelDateTimeType::DateTime, true);
    let is_known = if from_1904 {
        (0.0..END_FROM_1904).contains(&value)
    } else {
        (0.0..END_OF_DAYS).contains(&value) && !NO_DAY.contains(&value) && !(of_days && value == 0.0)
    };
    let is_time = value < 1.0 && !(of_days && from_1904);
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
    let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
    let date = format!("{year:04}-{month:02}-{day:02}");
    is_known.then(|| match time.as_str() {
        _ if is_time => time,
        "00:00:00" => date,
        _ => format!("{date}T{time}"),
    })
}

/// How long something took.
fn span_text(moment: &ExcelDateTime) -> String {
    let seconds = (moment.as_f64() * 86_400.0).round();
    let sign = if seconds < 0.0 { "-" } else { "" };
    let seconds = seconds.abs() as u64;
    format!("{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// `PT13H07M22.5S` as `13:07:22.500`.
fn clock(text: &str) -> Option<String> {
    let (hours, rest) = text.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.strip_suffix('S')?;
    let (seconds, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let number = |text: &str| text.parse::<u64>().ok();
    let fraction = match fraction.trim_end_matches('0') {
        "" => String::new(),
        digits if digits.bytes().all(|b| b.is_ascii_digit()) => format!(".{digits:0<3}"),
        _ => return None,
    };
    Some(format!("{:02}:{:02}:{:02}{fraction}", number(hours)?, number(minutes)?, number(seconds)?))
}

/// The name of a cell, such as `C7`.
pub(super) fn address(row: u32, column: u32) -> String {
    let (mut left, mut letters) = (u64::from(column) + 1, Vec::new());
    while left > 0 {
        letters.push(char::from(b'A' + ((left - 1) % 26) as u8));
        left = (left - 1) / 26;
    }
    let letters: String = letters.iter().rev().collect();
    format!("{letters}{}", u64::from(row) + 1)
}

/// Whether a cell shows nothing.
pub(super) fn is_blank(cell: &Cell<'_>) -> bool {
    match cell {
        Cell::Nothing => true,
        Cell::Text(text) => text.trim().is_empty(),
        Cell::Number(_) | Cell::Truth(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &DataRef<'_>) -> String {
        shown_among(value, false)
    }

    fn shown_among(value: &DataRef<'_>, of_days: bool) -> String {
        match cell(value, 6, 2, of_days) {
            Ok(Cell::Text(text) | Cell::Number(text)) => text.into_owned(),
            Ok(Cell::Truth(value)) => value.to_string(),
            Ok(Cell::Nothing) => "nothing".into(),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn numbers_are_shown_as_they_were_typed() {
        let number = |n: f64| shown(&DataRef::Float(n));
        assert_eq!((number(34.0), number(-2.0), number(0.1)), ("34".into(), "-2".into(), "0.1".into()));
        assert_eq!(number(-999_999_999_999_999.0), "-999999999999999");
        for long in [1e15, -1e15, 9_007_199_254_740_991.0, 4_111_111_111_111_111.5, 1e16] {
            assert!(number(long).contains("C7"), "{long}: {}", number(long));
        }
        assert!(shown(&DataRef::Int(4_111_111_111_111_111)).contains("C7"));
        assert!(number(f64::INFINITY).contains("C7"));
    }

    #[test]
    fn dates_are_iso() {
        let moment = |n: f64, kind| shown(&DataRef::DateTime(ExcelDateTime::new(n, kind, false)));
        let day = |n| moment(n, ExcelDateTimeType::DateTime);
        assert_eq!((day(36_525.0), day(45_943.5)), ("1999-12-31".into(), "2025-10-13T12:00:00".into()));
        assert_eq!(day(0.5), "12:00:00");
        assert!(day(-1.0).contains("is none") && day(3e6).contains("is none"));
        assert!(day(60.0).contains("is none") && day(59.0) == "1900-02-28" && day(61.0) == "1900-03-01");
        assert_eq!(moment(1.25, ExcelDateTimeType::TimeDelta), "30:00:00");
        let iso = |text: &str| shown(&DataRef::DateTimeIso(text.into()));
        assert_eq!(
            (iso("2024-05-01"), iso("2024-05-01T00:00:00")),
            ("2024-05-01".into(), "2024-05-01".into())
        );
        let span = |text: &str| shown(&DataRef::DurationIso(text.into()));
        assert_eq!((span("PT13H07M22S"), span("PT1H7M2.000S")), ("13:07:22".into(), "01:07:02".into()));
        assert_eq!(
            (span("PT13H07M22.5S"), span("PT13H07M22,1234S")),
            ("13:07:22.500".into(), "13:07:22.1234".into())
        );
    }

    #[test]
    fn the_first_day_and_the_last() {
        let moment = |n: f64, from_1904| {
            DataRef::DateTime(ExcelDateTime::new(n, ExcelDateTimeType::DateTime, from_1904))
        };
        // Midnight or no day: the other cells of the column tell.
        assert_eq!(shown(&moment(0.0, false)), "00:00:00");
        assert!(shown_among(&moment(0.0, false), true).contains("C7 is formatted as a date, and is none"));
        assert_eq!(shown_among(&moment(0.5, false), true), "12:00:00");
        assert_eq!(shown(&moment(0.0, true)), "00:00:00");
        assert_eq!(shown_among(&moment(0.0, true), true), "1904-01-01");
        assert_eq!(shown_among(&moment(0.5, true), true), "1904-01-01T12:00:00");
        assert_eq!(shown(&moment(60.0, true)), "1904-03-01");
        assert_eq!(shown(&moment(2_957_003.0, true)), "9999-12-31");
        assert_eq!(shown(&moment(2_958_465.0, false)), "9999-12-31");
        assert!(shown(&moment(2_957_004.0, true)).contains("is none"));
        assert!(has_day(&moment(61.0, false)) && !has_day(&moment(1.25, false)));
    }

    #[test]
    fn not_available_is_missing_and_other_errors_are_refused() {
        assert_eq!(shown(&DataRef::Error(CellErrorType::NA)), "nothing");
        assert!(shown(&DataRef::Error(CellErrorType::Div0)).contains("C7 shows an error, #DIV/0!"));
    }

    #[test]
    fn cells_are_named_as_spreadsheets_do() {
        assert_eq!(
            (address(0, 0), address(6, 25), address(9, 26)),
            ("A1".into(), "Z7".into(), "AA10".into())
        );
        assert_eq!(address(1_048_575, 16_383), "XFD1048576");
    }
}
