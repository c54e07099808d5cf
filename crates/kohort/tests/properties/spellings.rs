//! Whatever a day, an instant or a number is written like, it is read as what it is, or somebody is asked.

use chrono::{DateTime, Datelike, Days, FixedOffset, NaiveDate, SecondsFormat};
use kohort::data::{DateFormat, Instant, Kind, Spelling, Unclear};
use kohort::input::{Declared, respelled};
use proptest::collection::vec;
use proptest::prelude::*;

use super::common::draw::column_of;
use super::common::fixed;

/// A way to write a day, with its format and whether it leaves open which number is the day.
const WAYS: [(&str, bool); 12] = [
    ("%Y-%m-%d", false),
    ("%Y/%m/%d", false),
    ("%Y.%m.%d", false),
    ("%d.%m.%Y", false),
    ("%-d.%-m.%Y", false),
    ("%d/%m/%Y", true),
    ("%m/%d/%Y", true),
    ("%-m-%-d-%Y", true),
    ("%d-%b-%Y", false),
    ("%-d %B %Y", false),
    ("%b %-d, %Y", false),
    ("%B %d %Y", false),
];

fn day(number: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(0, 1, 1).unwrap() + Days::new(number)
}

/// All days of the years 0 to 9999, with many of our time and many that are ambiguous.
fn days() -> impl Strategy<Value = Vec<NaiveDate>> {
    let recent = (718_000..740_000u64).prop_map(day);
    let early =
        (1900..2030i32, 1..=12u32, 1..=12u32).prop_map(|(y, m, d)| NaiveDate::from_ymd_opt(y, m, d).unwrap());
    vec(prop_oneof![2 => recent, 2 => early, 1 => (0..3_652_425u64).prop_map(day)], 1..12)
}

/// As strftime has it, with years of four digits.
fn shown(date: NaiveDate, way: &str) -> String {
    date.format(&way.replace("%Y", &format!("{:04}", date.year()))).to_string()
}

fn iso(days: &[NaiveDate]) -> Vec<String> {
    days.iter().map(|&date| shown(date, "%Y-%m-%d")).collect()
}

/// What is read of every text; none where somebody is asked.
fn read(texts: &[String], declared: &Declared) -> Option<Vec<String>> {
    let column = respelled(column_of("c", texts), declared, "t").ok()?.column;
    Some(column.codes.iter().map(|code| column.texts[code as usize].clone()).collect())
}

proptest! {
    #![proptest_config(fixed(2000))]

    #[test]
    fn days_are_read_as_they_are_or_asked_for(days in days(), way in 0..WAYS.len()) {
        let (way, open) = WAYS[way];
        let texts: Vec<String> = days.iter().map(|&date| shown(date, way)).collect();
        let unclear = |date: &NaiveDate| date.day() <= 12 && date.day() != date.month();
        let all_open = days.iter().all(|date| date.day() <= 12);
        match read(&texts, &Declared::default()) {
            Some(found) => prop_assert_eq!(found, iso(&days), "{}", way),
            None => prop_assert!(open && all_open && days.iter().any(unclear), "{way}: {texts:?}"),
        }
        let formats = vec![DateFormat::try_from(way.to_owned()).unwrap()];
        let declared = Declared { formats, ..Declared::default() };
        prop_assert_eq!(read(&texts, &declared), Some(iso(&days)), "{} declared", way);
        let named = Declared { kind: Some(Kind::Category), ..Declared::default() };
        prop_assert_eq!(read(&texts, &named), Some(texts));
    }

    #[test]
    fn what_is_asked_has_two_answers(days in days()) {
        let texts: Vec<String> = days.iter().map(|&date| shown(date, "%d/%m/%Y")).collect();
        if let Err(Unclear::DayOrMonth(at)) = Spelling::of(&texts) {
            let date = days[at];
            prop_assert!(date.day() <= 12 && date.day() != date.month());
        }
    }

    #[test]
    fn instants_are_read_with_any_offset(
        micros in -60_000_000_000_000_000i64..250_000_000_000_000_000,
        minutes in -1080..=1080i32,
        way in 0..6usize,
    ) {
        let instant = DateTime::from_timestamp_micros(micros).unwrap();
        let there = instant.with_timezone(&FixedOffset::east_opt(minutes * 60).unwrap());
        let (text, exact) = match way {
            0 => (there.to_rfc3339(), true),
            1 => (there.format("%Y-%m-%d %H:%M:%S%.6f%z").to_string(), true),
            2 => (there.format("%d.%m.%Y %H:%M:%S%.6f %:z").to_string(), true),
            3 => (there.format("%b %d, %Y %I:%M:%S%.6f %p %z").to_string(), true),
            4 => (instant.to_rfc3339_opts(SecondsFormat::Nanos, true), true),
            _ => (there.format("%Y%m%dT%H%M%S%z").to_string(), false),
        };
        let micros = if exact { micros } else { micros.div_euclid(1_000_000) * 1_000_000 };
        let found = read(std::slice::from_ref(&text), &Declared::default()).unwrap().remove(0);
        prop_assert_eq!(Instant::parse(&found), Some(Instant { micros, zoned: true }), "{} {}", text, found);
        prop_assert_eq!(Instant::parse(&found).unwrap().text(), found);
    }

    #[test]
    fn texts_of_any_kind_do_no_harm(texts in vec("[0-9:/. ,TZ+-]{0,14}|\\PC{0,12}", 1..6)) {
        let _ = read(&texts, &Declared::default());
        for kind in [Kind::Date, Kind::Timestamp, Kind::Decimal, Kind::Integer] {
            let _ = read(&texts, &Declared { kind: Some(kind), ..Declared::default() });
        }
        for text in &texts {
            if let Ok(format) = DateFormat::try_from(text.clone()) {
                let _ = read(&texts, &Declared { formats: vec![format], ..Declared::default() });
            }
        }
    }

    #[test]
    fn decimal_commas_are_decimal_points(cents in vec(-99_999_999i64..99_999_999, 1..12), groups: bool) {
        let written = |cents: &i64| {
            let (sign, whole, rest) = (if *cents < 0 { "-" } else { "" }, cents.abs() / 100, cents.abs() % 100);
            let whole = if groups && whole >= 1000 {
                format!("{}.{:03}", whole / 1000, whole % 1000)
            } else {
                whole.to_string()
            };
            format!("{sign}{whole},{rest:02}")
        };
        let texts: Vec<String> = cents.iter().map(written).collect();
        let found = read(&texts, &Declared::default()).unwrap();
        for (text, cents) in found.iter().zip(&cents) {
            let number: f64 = text.parse().unwrap();
            prop_assert!((number - *cents as f64 / 100.0).abs() < 1e-9, "{texts:?}: {found:?}");
        }
    }
}
