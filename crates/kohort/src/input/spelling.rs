//! A quasi-identifier whose dates and numbers are written as Kohort writes them, whatever they look like in the table.
//!
//! Everything behind this sees `1999-12-31` for `31.12.1999`, and `3.5` for `3,5`; two spellings of one value are one value. How
//! a column is written is found from all of its values, unless somebody said it. Where the values leave it open the job
//! stops and asks: a wrong guess would publish other days than those of the people.

use rustc_hash::FxHashMap;

use super::{Column, infer};
use crate::data::{DateFormat, Decimal, Instant, Kind, MIDNIGHT, Point, Spelling, Unclear};
use crate::error::{Error, Place, Result, Said, marked};

/// What was said about how the values of a column are written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declared {
    /// How its values compare.
    pub kind: Option<Kind>,
    /// How its dates are written.
    pub formats: Vec<DateFormat>,
    /// What stands before its decimals.
    pub decimal: Option<Decimal>,
    /// Whether its days are midnights where it has times of day, too: hours of some need hours of all.
    pub times: bool,
}

impl Declared {
    /// Whether it was said how values are written.
    pub fn is_said(&self) -> bool {
        !self.formats.is_empty() || self.decimal.is_some()
    }

    /// How values are written, where it was said.
    pub fn spelling(&self) -> Option<Spelling> {
        if !self.formats.is_empty() {
            return Some(Spelling::Formats(self.formats.clone()));
        }
        self.decimal.map(Spelling::Commas)
    }

    /// Refuses what contradicts itself.
    pub fn check(&self, name: &str) -> Result<()> {
        let wrong = |option: &str, what: &str, value: String| {
            Err(Error::job(format!("column '{name}' is declared to be {what}"))
                .option_with(option, format!("{name}={value}"))
                .option("type")
                .help("omit one of the two"))
        };
        let kind = self.kind.map_or_else(String::new, |kind| kind.to_string());
        let is = |kinds: &[Kind]| self.kind.is_none_or(|kind| kinds.contains(&kind));
        if let Some(format) = self.formats.first() {
            if !is(&[Kind::Date, Kind::Timestamp]) || self.decimal.is_some() {
                return wrong("date-format", &format!("dates, and of type {kind}"), format.to_string());
            }
            if let Some(timed) = self.formats.iter().find(|f| f.has_time() && self.kind == Some(Kind::Date)) {
                return wrong("date-format", "of type date, and dates with times of day", timed.to_string());
            }
        }
        if self.decimal.is_some() && !is(&[Kind::Integer, Kind::Decimal]) {
            return wrong("decimal", &format!("numbers, and of type {kind}"), "…".into());
        }
        Ok(())
    }
}

/// A column in one spelling.
#[derive(Debug)]
pub struct Respelled {
    /// With one code per value.
    pub column: Column,
    /// How its values compare, where that was found out on the way.
    pub kind: Option<Kind>,
    /// What to tell whoever reads the release.
    pub note: Option<Said>,
}

/// Reads a quasi-identifier. `shown` names the table in messages.
pub fn respelled(column: Column, declared: &Declared, shown: &str) -> Result<Respelled> {
    let read = read(column, declared, shown)?;
    if matches!(declared.kind, None | Some(Kind::Date | Kind::Timestamp)) {
        check_clocks(&read.column, shown)?;
    }
    Ok(read)
}

/// Refuses instants of UTC among times that clocks showed: nobody can tell which come first, nor which hours are the same.
fn check_clocks(column: &Column, shown: &str) -> Result<()> {
    let mut first = [None, None];
    for text in column.texts.iter().filter(|text| !text.is_empty()) {
        let Some(instant) = Instant::parse(text) else { return Ok(()) };
        first[usize::from(instant.zoned)].get_or_insert(text);
    }
    let [Some(without), Some(with)] = first else { return Ok(()) };
    let name = &column.name;
    Err(Error::input(format!(
        "times of '{name}' have an offset from UTC in some rows and none in others: '{with}' (row {} below the header), '{without}' (row {})",
        row_of(column, with),
        row_of(column, without)
    ))
    .at(Place::default().in_file(shown).in_column(name))
    .help(format!(
        "write all of them with an offset, or all without, or leave those empty that nobody can tell; {} takes them for names",
        marked("type", format!("{name}=category"))
    )))
}

fn read(column: Column, declared: &Declared, shown: &str) -> Result<Respelled> {
    declared.check(&column.name)?;
    let as_it_is = |column, kind| Ok(Respelled { column, kind, note: None });
    if let Some(spelling) = declared.spelling() {
        check_all(&column, declared, &spelling, shown)?;
        return as_it_is(column.reworded(meaning(&spelling, declared)).with_times(declared.times), None);
    }
    let found = match declared.kind {
        Some(Kind::Category) => return as_it_is(column, None),
        Some(kind) if is_plain(kind, &column.texts) => return as_it_is(column, None),
        Some(Kind::Integer | Kind::Decimal) => Spelling::of_numbers(&column.texts),
        Some(Kind::Date | Kind::Timestamp) => Spelling::of_dates(&column.texts),
        None => match infer(&column.texts) {
            // Of instants only those are plain that Kohort writes itself.
            kind @ (Kind::Integer | Kind::Decimal | Kind::Date) => return as_it_is(column, Some(kind)),
            Kind::Timestamp => Spelling::of_dates(&column.texts),
            Kind::Category if column.texts.iter().any(|text| is_code(text)) => {
                return as_it_is(column, Some(Kind::Category));
            }
            Kind::Category => Spelling::of(&column.texts),
        },
    };
    let spelling = found.map_err(|unclear| ask(&column, unclear, shown))?;
    let note = told(&column, &spelling);
    if spelling == Spelling::Plain {
        return as_it_is(column, None);
    }
    let column = column.reworded(meaning(&spelling, declared)).with_times(declared.times);
    Ok(Respelled { column, kind: None, note })
}

/// What a text means; a day is what is left of midnights that are declared to be dates.
fn meaning(spelling: &Spelling, declared: &Declared) -> impl Fn(&str) -> Option<String> {
    let days = declared.kind == Some(Kind::Date);
    move |text| {
        let meaning = spelling.meaning(text)?;
        Some(if days { meaning.strip_suffix(MIDNIGHT).unwrap_or(&meaning).to_owned() } else { meaning })
    }
}

/// The values of a column with their frequencies, in one spelling. `shown` names the table in messages.
pub fn counts_in_one_spelling(
    name: &str,
    counts: Vec<(String, u64)>,
    declared: &Declared,
    shown: &str,
) -> Result<Vec<(String, u64)>> {
    let (texts, times): (Vec<String>, Vec<u64>) = counts.into_iter().unzip();
    let codes: crate::data::Codes = (0..texts.len() as u32).collect();
    let column =
        Column { name: name.to_owned(), counts: vec![1; texts.len()], texts, codes, ..Column::default() };
    let read = respelled(column, declared, shown)?.column;
    let mut all: Vec<(String, u64)> = read.texts.into_iter().map(|text| (text, 0)).collect();
    for (code, times) in read.codes.iter().zip(times) {
        all[code as usize].1 += times;
    }
    Ok(all)
}

/// Digits after a leading zero, such as the postcode 01234.
pub(super) fn is_code(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_plain(kind: Kind, texts: &[String]) -> bool {
    let is = |text: &String| Point::parse(kind, text).is_some();
    kind != Kind::Timestamp && texts.iter().filter(|text| !text.is_empty()).all(is)
}

/// Refuses values that are not written as was said. Days as Kohort writes them itself are understood anyway, unless they could
/// be taken for what was said.
fn check_all(column: &Column, declared: &Declared, spelling: &Spelling, shown: &str) -> Result<()> {
    let years_first = declared.formats.iter().any(DateFormat::begins_with_year);
    let is_iso = |text: &str| !years_first && declared.decimal.is_none() && Instant::parse(text).is_some();
    let odd = |text: &&String| !text.is_empty() && spelling.meaning(text).is_none() && !is_iso(text);
    let wrong: Vec<&String> = column.texts.iter().filter(odd).collect();
    let Some(first) = wrong.first() else { return Ok(()) };
    let formats: Vec<String> = declared.formats.iter().map(ToString::to_string).collect();
    let said = match declared.decimal {
        None => format!("of the form {}", formats.join(" or ")),
        Some(Decimal::Comma) => "numbers with a decimal comma".into(),
        Some(Decimal::Point) => "numbers with a decimal point".into(),
    };
    let more = if wrong.len() > 1 { format!(" and {} more", wrong.len() - 1) } else { String::new() };
    let (option, more_forms) = match declared.decimal {
        Some(_) => ("decimal", ""),
        None => (
            "date-format",
            "; ‹date-format› may be given several times for a column that is written in several ways",
        ),
    };
    Err(Error::input(format!("not all values are {said}: '{first}'{more}"))
        .at(at(column, shown, first))
        .option(option)
        .help(format!(
            "correct it, leave it empty, or say with ‹na› that it means a missing value{more_forms}"
        )))
}

/// What to say where values are read in another way than they stand.
fn told(column: &Column, spelling: &Spelling) -> Option<Said> {
    let name = &column.name;
    let told = match spelling {
        Spelling::Commas(Decimal::Comma) => {
            format!("numbers of '{name}' have a decimal comma; they are published with a point")
        }
        Spelling::Commas(Decimal::Point) => {
            format!("commas of '{name}' stand between thousands; numbers are published without them")
        }
        Spelling::Dates(_) if spelling.forms() > 1 => {
            format!(
                "dates of '{name}' are written in {} ways, each of which can be read in one way only",
                spelling.forms()
            )
        }
        _ => return None,
    };
    Some(told.into())
}

/// Asks how the values of a column are to be read.
fn ask(column: &Column, unclear: Unclear, shown: &str) -> Error {
    let name = &column.name;
    let text = |at: usize| column.texts[at].trim();
    let place = |first: usize| at(column, shown, &column.texts[first]);
    let date_format = |format: &str| marked("date-format", format!("{name}={format}"));
    let row = |first: usize| row_of(column, &column.texts[first]);
    match unclear {
        Unclear::DayOrMonth(first) => {
            let mark = if text(first).contains('/') { '/' } else { '-' };
            let (days, months) = (format!("%d{mark}%m{mark}%Y"), format!("%m{mark}%d{mark}%Y"));
            Error::input(format!(
                "dates of '{name}' can be read in two ways: '{}' has the day first or the month, and no value tells which",
                text(first)
            ))
            .at(place(first))
            .help(format!(
                "{} says that days come first, {} that months do",
                date_format(&days),
                date_format(&months)
            ))
        }
        Unclear::DayAndMonth(days, months) => Error::input(format!(
            "dates of '{name}' have the day first in some rows and the month first in others: '{}' (row {} below the header), '{}' (row {})",
            text(days),
            row(days),
            text(months),
            row(months)
        ))
        .at(Place::default().in_file(shown).in_column(name))
        .help(format!(
            "write all of them in one way, or leave those empty that nobody can tell; {} takes them for names",
            marked("type", format!("{name}=category"))
        )),
        Unclear::Comma(first) => Error::input(format!(
            "numbers of '{name}' can be read in two ways: the comma of '{}' stands before decimals or between thousands, and no value tells which",
            text(first)
        ))
        .at(place(first))
        .help(format!(
            "{} says that it is a decimal comma, {} that it stands between thousands",
            marked("decimal", format!("{name}=comma")),
            marked("decimal", format!("{name}=point"))
        )),
    }
}

fn row_of(column: &Column, text: &str) -> usize {
    let code = column.texts.iter().position(|other| other == text);
    column.codes.iter().position(|c| Some(c as usize) == code).unwrap_or(0) + 1
}

fn at(column: &Column, shown: &str, text: &str) -> Place {
    let row = format!("first in row {} below the header", row_of(column, text));
    Place::default().in_file(shown).in_column(&column.name).and(row)
}

impl Column {
    /// The column with midnights for days, if that is wanted and some value has a time of day.
    fn with_times(self, wanted: bool) -> Self {
        let is_day = |text: &str| Point::parse(Kind::Date, text).is_some();
        if !wanted || self.texts.iter().all(|text| text.is_empty() || is_day(text)) {
            return self;
        }
        self.reworded(|text| is_day(text).then(|| format!("{text}{MIDNIGHT}")))
    }

    /// The column with other texts where there are any for them. Rows with one text have one code.
    #[must_use]
    fn reworded(self, meaning: impl Fn(&str) -> Option<String>) -> Self {
        let mut read = Self { name: self.name, ..Self::default() };
        let mut code_of = Vec::with_capacity(self.texts.len());
        let mut known: FxHashMap<String, u32> = FxHashMap::default();
        for (text, count) in self.texts.into_iter().zip(self.counts) {
            let meaning = meaning(&text).unwrap_or(text);
            let code = known.get(&meaning).copied().unwrap_or_else(|| {
                read.texts.push(meaning.clone());
                read.counts.push(0);
                known.insert(meaning, read.texts.len() as u32 - 1);
                read.texts.len() as u32 - 1
            });
            read.counts[code as usize] += count;
            code_of.push(code);
        }
        read.codes = self.codes.remap(&code_of);
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str]) -> Column {
        Column {
            name: "c".into(),
            texts: texts.iter().map(|&t| t.to_owned()).collect(),
            counts: vec![1; texts.len()],
            codes: (0..texts.len() as u32).collect(),
            ..Column::default()
        }
    }

    fn formats(all: &[&str]) -> Vec<DateFormat> {
        all.iter().map(|&format| format.to_owned().try_into().unwrap()).collect()
    }

    #[test]
    fn two_spellings_of_one_value_are_one_value() {
        let read =
            respelled(column(&["31.12.1999", "1999-12-31", "", "1.1.2000"]), &Declared::default(), "t");
        let read = read.unwrap();
        assert_eq!(read.column.texts, ["1999-12-31", "", "2000-01-01"]);
        assert_eq!(read.column.codes.iter().collect::<Vec<_>>(), [0, 0, 1, 2]);
        assert_eq!(read.column.counts, [2, 1, 1]);
        assert!(read.note.is_some_and(|note| note.marked().contains("2 ways")));
    }

    #[test]
    fn declared_formats_decide_and_iso_is_understood_beside_them() {
        let declared = |all: &[&str]| Declared { formats: formats(all), ..Declared::default() };
        let read = |texts: &[&str], all: &[&str]| {
            respelled(column(texts), &declared(all), "t").map(|r| r.column.texts).map_err(|e| e.to_string())
        };
        let days = Ok(vec!["1999-04-03".to_owned(), "2000-02-01".to_owned()]);
        assert_eq!(read(&["03/04/1999", "2000-02-01"], &["%d/%m/%Y"]), days);
        assert_eq!(read(&["03/04/1999", "1.2.00"], &["%d/%m/%Y", "%d.%m.%y"]), days);
        assert!(
            read(&["31/12/1999", "12/31/1999"], &["%d/%m/%Y"]).is_err_and(|e| e.contains("'12/31/1999'"))
        );
        assert!(read(&["03/04/1999"], &["%d/%m/%Y", "%m/%d/%Y"]).is_err(), "two formats, two days");
        assert!(read(&["1999-31-12", "1999-12-31"], &["%Y-%d-%m"]).is_err(), "not taken for ISO");
    }

    #[test]
    fn what_is_unclear_is_asked_with_both_ways_out() {
        let asked = |texts: &[&str]| respelled(column(texts), &Declared::default(), "t").unwrap_err();
        let plain = |texts: &[&str]| asked(texts).to_string();
        let message = plain(&["03/04/1999"]);
        assert!(message.contains("c=%d/%m/%Y") && message.contains("c=%m/%d/%Y"), "{message}");
        let message = plain(&["31/12/1999", "05/05/2000", "12/31/1999"]);
        assert!(message.contains("(row 1 below") && message.contains("(row 3)"), "{message}");
        let message = plain(&["1,234"]);
        assert!(message.contains("c=comma") && message.contains("c=point"), "{message}");
        let names = Declared { kind: Some(Kind::Category), ..Declared::default() };
        assert!(respelled(column(&["03/04/1999"]), &names, "t").is_ok());
    }

    #[test]
    fn instants_and_what_clocks_showed_are_not_mixed() {
        let read = |texts: &[&str], declared: &Declared| {
            respelled(column(texts), declared, "t").map(|read| read.column.texts).map_err(|e| e.to_string())
        };
        let plain = Declared::default();
        for mixed in [
            &["2024-05-01T10:00Z", "", "2024-05-01T10:00"][..],
            &["01.05.2024 10:00", "2024-05-01 10:00 +02:00"],
            &["2024-05-01", "2024-05-01T10:00:00Z"],
        ] {
            let of = |kind| Declared { kind: Some(kind), ..Declared::default() };
            for declared in [&plain, &of(Kind::Timestamp)] {
                let refused = read(mixed, declared).unwrap_err();
                assert!(refused.contains("some rows and none in others"), "{refused}");
            }
            assert_eq!(read(mixed, &of(Kind::Category)).unwrap(), mixed, "names");
        }
        let both =
            Declared { formats: formats(&["%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M %z"]), ..Declared::default() };
        assert!(read(&["01.05.2024 10:00", "01.05.2024 10:00 +0200"], &both).is_err());
        assert!(read(&["01.05.2024 10:00 +0000", "01.05.2024 10:00 +0200"], &both).is_ok());
        assert!(read(&["2024-05-01T10:00Z", "2024-05-01T10:00", "never"], &plain).is_ok(), "names");
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let check = |kind, all: &[&str], decimal| {
            Declared { kind, formats: formats(all), decimal, times: false }
                .check("c")
                .map_err(|e| e.to_string())
        };
        assert_eq!(check(Some(Kind::Date), &["%d.%m.%Y"], None), Ok(()));
        assert!(check(Some(Kind::Integer), &["%d.%m.%Y"], None).is_err());
        assert!(check(Some(Kind::Date), &["%d.%m.%Y %H:%M"], None).is_err_and(|e| e.contains("times")));
        assert!(check(Some(Kind::Date), &[], Some(Decimal::Comma)).is_err());
        assert!(check(None, &["%d.%m.%Y"], Some(Decimal::Comma)).is_err());
    }

    #[test]
    fn plain_columns_stay_as_they_are() {
        for texts in [&["1", "2.5"][..], &["1999-12-31", ""], &["01234", "3,5"], &["a", "b"], &["12345678"]] {
            let read = respelled(column(texts), &Declared::default(), "t").unwrap();
            assert_eq!(read.column.texts, texts);
        }
        let dates = Declared { kind: Some(Kind::Date), ..Declared::default() };
        let read = respelled(column(&["19991231", "x"]), &dates, "t").unwrap();
        assert_eq!(read.column.texts, ["1999-12-31", "x"], "the rest is refused when it is placed");
        let read = respelled(column(&["31.12.1999 00:00", "1999-12-31"]), &dates, "t").unwrap();
        assert_eq!(read.column.texts, ["1999-12-31"], "midnights are days");
        let times = Declared { times: true, ..Declared::default() };
        let read = |texts: &[&str]| respelled(column(texts), &times, "t").unwrap().column.texts;
        assert_eq!(read(&["31.12.1999 10:00", "1.1.2000"]), ["1999-12-31T10:00:00", "2000-01-01T00:00:00"]);
        assert_eq!(read(&["31.12.1999", "1.1.2000"]), ["1999-12-31", "2000-01-01"]);
    }
}
