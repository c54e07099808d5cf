//! What a cell of a workbook shows, as text that says no more and no less.

use calamine::{CellErrorType, DataRef, ExcelDateTime};

use crate::error::{Error, Result};
use crate::input::native::cells::{Cell, digits};

/// From here on not every whole number has a cell of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The last day that spreadsheets know, and one more: 9999-12-31.
const END_OF_DAYS: f64 = 2_958_466.0;

/// The value of a cell. `#N/A` is how a spreadsheet says that there is none; other errors are nobody's value.
pub(super) fn cell(value: &DataRef<'_>, row: u32, column: u32) -> Result<Cell<'static>> {
    Ok(match value {
        DataRef::Int(number) => Cell::Number(number.to_string().into()),
        DataRef::Float(number) => number_cell(*number, row, column)?,
        DataRef::String(text) => Cell::Text(text.clone().into()),
        DataRef::SharedString(text) => Cell::Text((*text).to_owned().into()),
        DataRef::Bool(value) => Cell::Truth(*value),
        DataRef::DateTime(moment) => Cell::Text(moment_text(moment, row, column)?.into()),
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
    if number.is_finite() && number.fract() != 0.0 {
        return Ok(Cell::Number(digits(number).into()));
    }
    if number.abs() >= EXACT || !number.is_finite() {
        return Err(Error::input(format!(
            "cell {} holds a number of more digits than a spreadsheet keeps",
            address(row, column)
        ))
        .help("numbers with 16 digits and more, such as card or account numbers, are text: format the column as text and enter them again from where they came from"));
    }
    Ok(Cell::Number((number as i64).to_string().into()))
}

/// A day, a time of day, or both, as in ISO 8601.
fn moment_text(moment: &ExcelDateTime, row: u32, column: u32) -> Result<String> {
    let value = moment.as_f64();
    if !(0.0..END_OF_DAYS).contains(&value) && !moment.is_duration() {
        return Err(Error::input(format!(
            "cell {} is formatted as a date, and is none",
            address(row, column)
        ))
        .help("give the cell the format of a number, or correct it"));
    }
    if moment.is_duration() {
        let seconds = (value * 86_400.0).round();
        let sign = if seconds < 0.0 { "-" } else { "" };
        let seconds = seconds.abs() as u64;
        return Ok(format!("{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60));
    }
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
    let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
    if value < 1.0 {
        return Ok(time);
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    Ok(if time == "00:00:00" { date } else { format!("{date}T{time}") })
}

/// `PT13H07M22S` as `13:07:22`.
fn clock(text: &str) -> Option<String> {
    let (hours, rest) = text.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.strip_suffix('S')?.split(['.', ',']).next()?;
    let number = |text: &str| text.parse::<u64>().ok();
    Some(format!("{:02}:{:02}:{:02}", number(hours)?, number(minutes)?, number(seconds)?))
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
    use calamine::ExcelDateTimeType;

    fn shown(value: &DataRef<'_>) -> String {
        match cell(value, 6, 2) {
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
        assert_eq!(number(9_007_199_254_740_991.0), "9007199254740991");
        assert!(number(1e16).contains("C7"), "{}", number(1e16));
        assert!(number(f64::INFINITY).contains("C7"));
    }

    #[test]
    fn dates_are_iso() {
        let moment = |n: f64, kind| shown(&DataRef::DateTime(ExcelDateTime::new(n, kind, false)));
        let day = |n| moment(n, ExcelDateTimeType::DateTime);
        assert_eq!((day(36_525.0), day(45_943.5)), ("1999-12-31".into(), "2025-10-13T12:00:00".into()));
        assert_eq!(day(0.5), "12:00:00");
        assert!(day(-1.0).contains("is none") && day(3e6).contains("is none"));
        assert_eq!(moment(1.25, ExcelDateTimeType::TimeDelta), "30:00:00");
        let iso = |text: &str| shown(&DataRef::DateTimeIso(text.into()));
        assert_eq!(
            (iso("2024-05-01"), iso("2024-05-01T00:00:00")),
            ("2024-05-01".into(), "2024-05-01".into())
        );
        assert_eq!(shown(&DataRef::DurationIso("PT13H07M22S".into())), "13:07:22");
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
