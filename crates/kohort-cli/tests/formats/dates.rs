//! Dates, times and numbers in the spellings that people have.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, Date32Array, Date64Array, RecordBatch, TimestampMicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray,
};
use arrow::datatypes::{DataType, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::common::Desk;

/// Days of births as year, month and day; leap days, the first and the last year among them.
const DAYS: [(u32, u32, u32); 12] = [
    (1999, 12, 31),
    (2000, 2, 29),
    (1999, 4, 3),
    (1999, 4, 20),
    (2000, 1, 1),
    (2000, 3, 4),
    (1, 1, 1),
    (9999, 12, 31),
    (0, 2, 29),
    (1970, 1, 1),
    (1969, 12, 31),
    (2024, 2, 29),
];

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The table of [`DAYS`] with dates written by `shown`, in a file with semicolons.
fn births(shown: impl Fn(u32, u32, u32) -> String) -> String {
    let mut text = String::from("born;sex;illness\n");
    for (row, &(y, m, d)) in DAYS.iter().enumerate() {
        let _ = writeln!(text, "{};{};{}", shown(y, m, d), ["f", "m"][row % 2], row % 3);
    }
    text
}

const ROLES: &str = "--qi born,sex --sensitive illness -k 3 --quiet";

#[test]
fn one_table_in_many_spellings_gives_one_release() {
    type Written = Box<dyn Fn(u32, u32, u32) -> String>;
    let spellings: [(&str, Written, &str); 9] = [
        ("iso", Box::new(|y, m, d| format!("{y:04}-{m:02}-{d:02}")), ""),
        ("points", Box::new(|y, m, d| format!("{d:02}.{m:02}.{y:04}")), ""),
        ("short", Box::new(|y, m, d| format!("{d}.{m}.{y:04}")), ""),
        ("days", Box::new(|y, m, d| format!("{d:02}/{m:02}/{y:04}")), ""),
        ("months", Box::new(|y, m, d| format!("{m:02}/{d:02}/{y:04}")), ""),
        ("names", Box::new(|y, m, d| format!("{d}-{}-{y:04}", MONTHS[m as usize - 1])), ""),
        ("american", Box::new(|y, m, d| format!("{} {d}, {y:04}", MONTHS[m as usize - 1])), ""),
        ("compact", Box::new(|y, m, d| format!("{y:04}{m:02}{d:02}")), "--type born=date"),
        ("odd", Box::new(|y, m, d| format!("{m:02}|{d:02}|{y:04}")), "--date-format born=%m|%d|%Y"),
    ];
    for flags in ["", "--intervals bounds", "--intervals midpoint", "--snap born=3months"] {
        let mut first: Option<(String, String)> = None;
        for (name, shown, how) in &spellings {
            let desk = Desk::new().with("t.csv", births(shown));
            desk.done(&format!("anonymize t.csv -o r.csv {ROLES} {flags} {how}"));
            let release = desk.read("r.csv");
            let (first_name, expected) = first.get_or_insert_with(|| ((*name).to_owned(), release.clone()));
            assert_eq!(&release, expected, "{name} and {first_name}, {flags}");
            desk.done(&format!("verify r.csv --original t.csv {ROLES} {flags} {how}"));
        }
    }
}

/// No value of these tells whether days or months come first.
const UNCLEAR: &str = "born,sex\n03/04/1999,f\n05/06/1999,f\n07/07/1999,m\n01/02/2000,m\n";

#[test]
fn what_could_be_two_days_is_asked() {
    let desk = Desk::new().with("t.csv", UNCLEAR);
    let line = "anonymize t.csv -o r.csv --qi born,sex -k 2 --quiet";
    insta::assert_snapshot!(desk.refused(line), @r"
    exit code 2
    error: dates of 'born' can be read in two ways: '03/04/1999' has the day first or the month, and no value tells which
      where: t.csv, column 'born', first in row 1 below the header
      way out: --date-format born=%d/%m/%Y says that days come first, --date-format born=%m/%d/%Y that months do
    ");
    for (format, first) in [("%d/%m/%Y", "1999-04-03"), ("%m/%d/%Y", "1999-03-04")] {
        desk.done(&format!("{line} --date-format born={format}"));
        assert!(desk.read("r.csv").contains(first), "{}", desk.read("r.csv"));
        desk.done(&format!("verify r.csv --original t.csv --qi born,sex -k 2 --date-format born={format}"));
        assert_eq!(desk.run("verify r.csv --original t.csv --qi born,sex -k 2").code, Some(2));
    }
    let job =
        "k = 2\n[columns]\nborn = { role = \"qi\", date-format = \"%d/%m/%Y\" }\nsex = { role = \"qi\" }\n";
    let desk = desk.with("job.toml", job);
    desk.done("anonymize t.csv -o j.csv --job job.toml --quiet");
    assert!(desk.read("j.csv").contains("1999-04-03"));
    // Whoever only wants names, or keeps the column, need not care.
    desk.done("anonymize t.csv -o n.csv --qi born,sex -k 2 --quiet --type born=category");
    desk.done("anonymize t.csv -o n.csv --qi sex --keep born -k 2 --quiet");
    assert!(desk.read("n.csv").contains("03/04/1999"), "kept columns keep their bytes");
}

#[test]
fn what_is_refused_says_why() {
    let mixed = "born,sex\n31/12/1999,f\n05/06/1999,f\n12/31/1999,m\n01/02/2000,m\n";
    let zones = "born,sex\n2024-05-01T10:00Z,f\n2024-05-01T10:00,f\n2024-05-01T11:00,m\n2024-05-01T12:00,m\n";
    let desk = Desk::new().with("mixed.csv", mixed).with("zones.csv", zones).with("t.csv", UNCLEAR);
    let roles = "-o r.csv --qi born,sex -k 2 --quiet";
    insta::assert_snapshot!(desk.refused(&format!("anonymize mixed.csv {roles}")), @r"
    exit code 2
    error: dates of 'born' have the day first in some rows and the month first in others: '31/12/1999' (row 1 below the header), '12/31/1999' (row 3)
      where: mixed.csv, column 'born'
      way out: write all of them in one way, or leave those empty that nobody can tell; --type born=category takes them for names
    ");
    insta::assert_snapshot!(desk.refused(&format!("anonymize zones.csv {roles}")), @r"
    exit code 2
    error: times of 'born' have an offset from UTC in some rows and none in others: '2024-05-01T10:00:00Z' (row 1 below the header), '2024-05-01T10:00:00' (row 2)
      where: zones.csv, column 'born'
      way out: write all of them with an offset, or all without, or leave those empty that nobody can tell; --type born=category takes them for names
    ");
    // Whatever becomes of them.
    let job = "k = 2\nqi = ['born', 'sex']\n[columns]\nborn = { hierarchy = 'hour/day/month' }\n";
    let desk = desk.with("job.toml", job);
    for line in [
        "anonymize zones.csv -o r.csv --job job.toml",
        "hierarchy build zones.csv --column born --dates hour/day/month",
        "anonymize zones.csv -o r.csv --qi born,sex -k 2 --type born=timestamp",
    ] {
        let said = desk.refused(line);
        assert!(said.contains("in some rows and none in others"), "{line}: {said}");
    }
    desk.done(&format!("anonymize zones.csv {roles} --type born=category"));
    insta::assert_snapshot!(desk.refused(&format!("anonymize zones.csv {roles} --date-format born=%Y-%m-%dT%H:%M%Z")), @r"
    exit code 2
    error: '%Y-%m-%dT%H:%M%Z' has the name of a zone (%Z), and names mean several things: %z is an offset from UTC
      where: --date-format
      way out: write it with %d for the day, %m or %b for the month, %Y or %y for the year, such as %d.%m.%Y
    ");
    insta::assert_snapshot!(desk.refused(&format!("anonymize t.csv {roles} --date-format born=%d.%m.%Y")), @r"
    exit code 2
    error: not all values are of the form %d.%m.%Y: '03/04/1999' and 3 more
      where: t.csv, column 'born', first in row 1 below the header, --date-format
      way out: correct it, leave it empty, or say with --na that it means a missing value; --date-format may be given several times for a column that is written in several ways
    ");
    insta::assert_snapshot!(desk.refused(&format!("anonymize t.csv {roles} --date-format born=dd.mm.yyyy")), @r"
    exit code 2
    error: 'dd.mm.yyyy' does not tell which day it is
      where: --date-format
      way out: write it with %d for the day, %m or %b for the month, %Y or %y for the year, such as %d.%m.%Y
    ");
    insta::assert_snapshot!(desk.refused(&format!("anonymize t.csv {roles} --date-format born=%d/%m/%Y --type born=integer")), @r"
    exit code 2
    error: column 'born' is declared to be dates, and of type integer
      where: --date-format born=%d/%m/%Y, --type
      way out: omit one of the two
    ");
    insta::assert_snapshot!(desk.refused(&format!("anonymize t.csv {roles} --date-format born=%d/%m/%Y --snap born=5")), @r"
    exit code 2
    error: cannot snap date values to a step of 5
      where: --snap born=5
      way out: give a step of the calendar, such as 1 month, 7 days or 5 years
    ");
    insta::assert_snapshot!(desk.refused(&format!("anonymize t.csv {roles} --date-format born=%d/%m/%Y --snap born=6hours")), @r#"
    exit code 2
    error: cannot snap date values to a step of 6 hours
      where: --snap "born=6 hours"
      way out: give a step of the calendar, such as 1 month, 7 days or 5 years
    "#);
    insta::assert_snapshot!(desk.refused(&format!("anonymize t.csv {roles} --date-format born=%d/%m/%Y --snap born=1moon")), @r"
    exit code 2
    error: step '1moon' is not a number, nor one of the calendar such as 1 month
      where: --snap
      way out: give the width of the grid, such as --snap born=5
    ");
    insta::assert_snapshot!(desk.refused("anonymize t.csv -o r.csv --qi sex --keep born -k 2 --date-format born=%d/%m/%Y"), @r"
    exit code 2
    error: column 'born' is neither a quasi-identifier nor sensitive: it stays as it is, and how it is written says nothing
      where: column 'born', --date-format
      way out: omit this, or name the column with --qi or --sensitive
    ");
    let negative = "born,sex\n-0044-03-15,f\n-0043-03-15,f\n";
    let desk = desk.with("negative.csv", negative);
    let said = desk.refused("anonymize negative.csv -o r.csv --qi born,sex -k 2 --quiet --type born=date");
    assert!(said.starts_with("exit code 2\nerror: 2 values are not of type date"), "{said}");
}

/// Times of one day in spring, in Berlin and elsewhere: the clocks go forward at 01:00 UTC.
const SEEN: &str = "\
seen;ward
2024-03-31T01:59:59+01:00;a
2024-03-31 03:00:00+02:00;a
2024-03-31T00:30:00Z;a
2024-03-30 21:00:00 -0400;a
31.03.2024 10:15 +05:30;b
Mar 31, 2024 5:00 AM UTC;b
2024-03-31T04:50:00.250Z;b
2016-12-31T23:59:60Z;b
";

#[test]
fn instants_are_those_of_utc() {
    let desk = Desk::new().with("t.csv", SEEN);
    desk.done("anonymize t.csv -o r.csv --qi seen,ward -k 4 --quiet");
    let release = desk.read("r.csv");
    assert!(release.contains("[2024-03-31T00:30:00Z, 2024-03-31T01:00:00Z];a"), "{release}");
    assert!(release.contains("[2017-01-01T00:00:00Z, 2024-03-31T05:00:00Z];b"), "{release}");
    desk.done("verify r.csv --original t.csv --qi seen,ward -k 4");
    desk.done("anonymize t.csv -o s.csv --qi seen,ward -k 4 --quiet --snap seen=6hours");
    assert!(desk.read("s.csv").contains("[2024-03-31T00:00:00Z, 2024-03-31T06:00:00Z];a"));
    desk.done("verify s.csv --original t.csv --qi seen,ward -k 4 --snap seen=6hours");
    let job =
        "k = 4\nqi = [\"seen\", \"ward\"]\n[columns]\nseen = { hierarchy = \"hour/day/year/decade\" }\n";
    let desk = desk.with("job.toml", job);
    desk.done("anonymize t.csv -o h.csv --job job.toml --quiet");
    let labels = desk.read("h.csv");
    assert!(labels.contains("2024-03-31;a"), "{labels}");
    desk.done("verify h.csv --original t.csv --job job.toml");
    desk.done("hierarchy build t.csv --column seen --dates hour/day/month -o seen.csv");
    assert!(desk.read("seen.csv").contains("2024-03-31T01:00:00Z;2024-03-31T01Z;2024-03-31;2024-03"));
}

#[test]
fn nothing_but_midnights_are_days() {
    let days = "seen;ward\n2024-05-01 00:00:00;a\n2024-05-03 00:00:00;a\n";
    let desk = Desk::new().with("t.csv", format!("{days}2024-05-02 13:07:00;b\n2024-05-04 00:00:00;b\n"));
    desk.done("anonymize t.csv -o r.csv --qi seen,ward -k 2 --quiet");
    assert!(desk.read("r.csv").contains("[2024-05-01T00:00:00, 2024-05-03T00:00:00];a"));
    // Without the one who has a time of day nothing says that there was somebody.
    let alone = "seen;ward\n2024-05-01 00:00:00;a\n2024-05-03 00:00:00;a\n2024-05-02 13:07:00;b\n";
    let (with, without) = (Desk::new().with("t.csv", alone), Desk::new().with("t.csv", days));
    for (desk, flags) in [(&with, "--suppress 50%"), (&without, "")] {
        for intervals in ["text", "bounds", "midpoint"] {
            let line =
                format!("anonymize t.csv -o {intervals}.csv --qi seen,ward -k 2 --intervals {intervals}");
            desk.done(&format!("{line} {flags} --quiet"));
        }
    }
    for intervals in ["text", "bounds", "midpoint"] {
        let file = format!("{intervals}.csv");
        assert_eq!(with.read(&file), without.read(&file), "{intervals}");
    }
    assert!(with.read("text.csv").contains("[2024-05-01, 2024-05-03];a"), "{}", with.read("text.csv"));
    without.done("verify text.csv --original t.csv --qi seen,ward -k 2");
}

fn parquet(columns: &[(&str, ArrayRef)]) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns.iter().map(|(n, a)| (*n, a.clone()))).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

/// Timestamps of any unit and zone are instants, and bounds are timestamps again.
#[test]
fn timestamps_of_files_keep_their_type() {
    let seconds = [1_719_828_000i64, 1_719_831_600, 1_706_522_400, 1_706_526_000];
    let times = |f: i64| seconds.map(|s| s * f).to_vec();
    for zone in [None, Some("UTC"), Some("Europe/Berlin"), Some("+05:30")] {
        let all: [ArrayRef; 4] = [
            Arc::new(TimestampSecondArray::from(times(1)).with_timezone_opt(zone)),
            Arc::new(TimestampMillisecondArray::from(times(1000)).with_timezone_opt(zone)),
            Arc::new(TimestampMicrosecondArray::from(times(1_000_000)).with_timezone_opt(zone)),
            Arc::new(TimestampNanosecondArray::from(times(1_000_000_000)).with_timezone_opt(zone)),
        ];
        for seen in all {
            let shown = format!("{:?} {zone:?}", seen.data_type());
            let desk = Desk::new().with("t.parquet", parquet(&[("seen", seen)]));
            let z = if zone.is_some() { "Z" } else { "" };
            desk.done("anonymize t.parquet -o r.csv --qi seen -k 2 --quiet");
            let expected = format!("[2024-07-01T10:00:00{z}, 2024-07-01T11:00:00{z}]");
            assert!(desk.read("r.csv").contains(&expected), "{shown}: {}", desk.read("r.csv"));
            desk.done("verify r.csv --original t.parquet --qi seen -k 2");
            for intervals in ["bounds", "midpoint"] {
                desk.done(&format!(
                    "anonymize t.parquet -o r.parquet --qi seen -k 2 --quiet --intervals {intervals}"
                ));
                let file = std::fs::File::open(desk.path("r.parquet")).unwrap();
                let schema = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().schema().clone();
                let zone = zone.map(|_| "UTC".into());
                let expected = DataType::Timestamp(TimeUnit::Microsecond, zone);
                assert!(schema.fields().iter().all(|f| *f.data_type() == expected), "{shown}: {schema}");
                desk.done(&format!(
                    "verify r.parquet --original t.parquet --qi seen -k 2 --intervals {intervals}"
                ));
            }
        }
    }
}

#[test]
fn days_of_files_are_days() {
    let days: ArrayRef = Arc::new(Date32Array::from(vec![19_000, 19_001, 19_900, 19_901]));
    let millis = [19_000i64, 19_001, 19_900, 19_901].map(|day| day * 86_400_000).to_vec();
    let millis: ArrayRef = Arc::new(Date64Array::from(millis));
    let mut releases = Vec::new();
    for seen in [days, millis] {
        let desk = Desk::new().with("t.parquet", parquet(&[("seen", seen)]));
        desk.done("anonymize t.parquet -o r.csv --qi seen -k 2 --quiet");
        desk.done("verify r.csv --original t.parquet --qi seen -k 2");
        releases.push(desk.read("r.csv"));
    }
    assert!(releases[0].contains("[2022-01-08, 2022-01-09]"), "{}", releases[0]);
    assert_eq!(releases[0], releases[1]);
}

#[test]
fn decimal_commas_are_understood_or_asked_for() {
    let prices = "price;kind\n3,50;a\n1.234,5;a\n0,75;b\n12;b\n";
    let points = "price;kind\n3.50;a\n1234.5;a\n0.75;b\n12;b\n";
    let unclear = "price;kind\n1,234;a\n5,678;a\n12;b\n7,500;b\n";
    let desk = Desk::new().with("c.csv", prices).with("p.csv", points).with("u.csv", unclear);
    let roles = "--qi price,kind -k 2";
    let told = desk.done(&format!("anonymize c.csv -o c.out.csv {roles}"));
    assert!(told.err.contains("numbers of 'price' have a decimal comma"), "{}", told.err);
    desk.done(&format!("anonymize p.csv -o p.out.csv {roles} --quiet"));
    assert_eq!(desk.read("c.out.csv"), desk.read("p.out.csv"));
    assert!(desk.read("c.out.csv").contains("[3.5, 1234.5];a"));
    desk.done(&format!("verify c.out.csv --original c.csv {roles}"));
    insta::assert_snapshot!(desk.refused(&format!("anonymize u.csv -o r.csv {roles} --quiet")), @r"
    exit code 2
    error: numbers of 'price' can be read in two ways: the comma of '1,234' stands before decimals or between thousands, and no value tells which
      where: u.csv, column 'price', first in row 1 below the header
      way out: --decimal price=comma says that it is a decimal comma, --decimal price=point that it stands between thousands
    ");
    for (mark, expected) in [("comma", "[1.234, 5.678]"), ("point", "[1234, 5678]")] {
        desk.done(&format!("anonymize u.csv -o r.csv {roles} --quiet --decimal price={mark}"));
        assert!(desk.read("r.csv").contains(expected), "{}", desk.read("r.csv"));
        desk.done(&format!("verify r.csv --original u.csv {roles} --decimal price={mark}"));
    }
}

/// What computing adds in the sixteenth digit is in no release.
#[test]
fn decimals_have_the_digits_of_the_data() {
    let noisy: Vec<f64> = (1..13).map(|i| f64::from(i) * 0.1).collect();
    let noisy: ArrayRef = Arc::new(arrow::array::Float64Array::from(noisy));
    let desk = Desk::new().with("t.parquet", parquet(&[("x", noisy)]));
    for flags in ["", "--snap x=0.1", "--intervals bounds", "--intervals midpoint"] {
        desk.done(&format!("anonymize t.parquet -o r.csv --qi x -k 2 --quiet {flags}"));
        let release = desk.read("r.csv");
        let digits = |n: &str| n.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let numbers = release.split(|c: char| !(c.is_ascii_digit() || c == '.')).map(digits);
        assert!(numbers.max().unwrap() <= 3, "{flags}: {release}");
        desk.done(&format!("verify r.csv --original t.parquet --qi x -k 2 {flags}"));
    }
}

/// A hierarchy file may write days as the table does, or as Kohort does.
#[test]
fn hierarchies_in_either_spelling() {
    let tree = |shown: &dyn Fn(u32, u32, u32) -> String| {
        let line = |&(y, m, d): &(u32, u32, u32)| format!("{};{y:04};*\n", shown(y, m, d));
        DAYS.iter().map(line).collect::<String>()
    };
    let (iso, german) = (
        |y: u32, m: u32, d: u32| format!("{y:04}-{m:02}-{d:02}"),
        |y: u32, m: u32, d: u32| format!("{d:02}.{m:02}.{y:04}"),
    );
    let mut labels = Vec::new();
    for (table, hierarchy) in
        [(births(iso), tree(&iso)), (births(german), tree(&iso)), (births(german), tree(&german))]
    {
        let desk = Desk::new().with("t.csv", table).with("trees/born.csv", hierarchy);
        let roles = format!("{ROLES} --hierarchies trees");
        desk.done(&format!("anonymize t.csv -o r.csv {roles}"));
        desk.done(&format!("verify r.csv --original t.csv {roles}"));
        labels.push(desk.read("r.csv"));
    }
    assert_eq!(labels[0], labels[1]);
}

/// The next batch writes its days in another way.
#[test]
fn a_growing_table_knows_a_day_in_any_spelling() {
    let batch = |from: u32, shown: &dyn Fn(u32, u32, u32) -> String| {
        let mut text = String::from("id,born,illness\n");
        for i in 0..6 {
            let _ = writeln!(text, "{},{},{}", from + i, shown(1990, 1 + i, 13 + i), i % 2);
        }
        text
    };
    let german = batch(0, &|y, m, d| format!("{d}.{m}.{y}"));
    let iso = batch(10, &|y, m, d| format!("{y}-{m:02}-{d:02}"));
    let unclear = "id,born,illness\n20,01/02/1990,0\n21,02/01/1990,1\n22,03/01/1990,0\n";
    let desk = Desk::new().with("1.csv", german).with("2.csv", iso).with("3.csv", unclear);
    let roles = "--identifier id --qi born --sensitive illness -k 3 --quiet";
    desk.done(&format!("append --ledger t.ledger 1.csv {roles} -o r1.csv"));
    desk.done("append --ledger t.ledger 2.csv -o r2.csv --quiet");
    let release = desk.read("r2.csv");
    assert_eq!(release.lines().count(), 13);
    assert!(release.contains("1990-01-13") && !release.contains("13.1.1990"), "{release}");
    let asked = desk.refused("append --ledger t.ledger 3.csv -o r3.csv --quiet");
    assert!(asked.contains("can be read in two ways"), "{asked}");
    desk.done("append --ledger t.ledger 3.csv -o r3.csv --quiet --date-format born=%d/%m/%Y");
    let third = desk.read("r3.csv");
    assert_eq!(third.lines().count(), 16);
    assert!(third.contains("[1990-01-02, 1990-02-01]"), "{third}");
}

/// Dates of a sensitive column are one value in every spelling, and stand as they are.
#[test]
fn sensitive_dates_are_compared_by_what_they_mean() {
    let table = "age,seen\n30,31.12.1999\n31,1999-12-31\n32,\"Dec 31, 1999\"\n33,31.12.1999\n";
    let desk = Desk::new().with("t.csv", table);
    let ran = desk.run("anonymize t.csv -o r.csv --qi age --sensitive seen -k 2 -p 2 --quiet");
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    desk.done("anonymize t.csv -o r.csv --qi age --sensitive seen -k 2 --quiet");
    assert!(desk.read("r.csv").contains("\"Dec 31, 1999\""), "{}", desk.read("r.csv"));
    let slashes = "age,seen\n30,31/12/1999\n31,03/04/1999\n32,05/06/1999\n33,07/08/1999\n";
    let desk = desk.with("s.csv", slashes);
    let ordered = "anonymize s.csv -o o.csv --qi age --sensitive seen -k 2 --t-closeness 0.9:ordered --quiet";
    let refused = desk.refused(ordered);
    assert!(refused.contains("have no order") && refused.contains("--date-format"), "{refused}");
    desk.done(&format!("{ordered} --date-format seen=%d/%m/%Y"));
    desk.done("verify o.csv --quiet");
}
