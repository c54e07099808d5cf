//! One table in every dialect and format there is gives one release, byte for byte, and each copy verifies it.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use crate::common::{Desk, PEOPLE, ROLES};
use crate::rows::cells;
use crate::zips::{Cell, ods, xlsx};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::default());
    to.write_all(bytes).unwrap();
    to.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(bytes, 3).unwrap()
}

pub(crate) fn utf_16(text: &str, big: bool) -> Vec<u8> {
    let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
}

/// The table with another separator.
pub(crate) fn separated(separator: u8) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
    for row in &cells(PEOPLE) {
        writer.write_record(row).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// Its rows as objects; what is empty is missing, null or empty by turns.
fn objects() -> Vec<Value> {
    let rows = cells(PEOPLE);
    let object = |(number, row): (usize, &Vec<String>)| {
        let mut object = Map::new();
        for (name, text) in rows[0].iter().zip(row) {
            match text.parse::<i64>() {
                Ok(digits) => drop(object.insert(name.clone(), json!(digits))),
                _ if text.is_empty() && number % 2 == 0 => {}
                _ if text.is_empty() => drop(object.insert(name.clone(), Value::Null)),
                Err(_) => drop(object.insert(name.clone(), json!(text))),
            }
        }
        Value::Object(object)
    };
    rows[1..].iter().enumerate().map(object).collect()
}

pub(crate) fn json_lines() -> String {
    objects().iter().fold(String::new(), |mut out, object| {
        let _ = writeln!(out, "{object}");
        out
    })
}

/// As a spreadsheet has it.
pub(crate) fn sheet() -> Vec<Vec<Cell>> {
    cells(PEOPLE).iter().map(|row| row.iter().map(|text| Cell::typed(text)).collect()).collect()
}

/// A database with this table, and nothing else.
pub(crate) fn database(desk: &Desk, name: &str) {
    let connection = rusqlite::Connection::open(desk.path(name)).unwrap();
    connection
        .execute("create table people (name, age integer, sex, zip integer, illness, note)", [])
        .unwrap();
    for row in &cells(PEOPLE)[1..] {
        let values = row.iter().map(|text| Some(text).filter(|text| !text.is_empty()));
        connection
            .execute("insert into people values (?, ?, ?, ?, ?, ?)", rusqlite::params_from_iter(values))
            .unwrap();
    }
}

/// Every copy of the table: its name, its bytes, and what must be said to read it.
fn copies() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let windows = |text: &str| encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
    let (first, second) = PEOPLE.as_bytes().split_at(PEOPLE.len() / 2);
    let parts = [gzip(first), gzip(second)].concat();
    let list = serde_json::to_string_pretty(&objects()).unwrap();
    let marked = |text: &str| format!("\u{feff}{text}").into_bytes();
    let commented = format!("# a list of people\n#\n# made on Monday, by hand\n{PEOPLE}");
    let everywhere = PEOPLE.replace("Dan,", "#Dan,61,m,48201,gout,\nDan,");
    vec![
        ("a.csv", separated(b';').into(), ""),
        ("b.csv", separated(b'\t').into(), ""),
        ("c.csv", separated(b'|').into(), ""),
        ("d.tsv", separated(b'\t').into(), ""),
        ("e.psv", separated(b'|').into(), ""),
        ("f.txt", separated(b';').into(), ""),
        ("g.tsv", PEOPLE.into(), ""),
        ("h.csv", format!("sep=;\r\n{}", separated(b';')).into(), ""),
        ("i.csv", format!("sep=^\n{}", separated(b'^')).into(), ""),
        ("j.csv", marked(PEOPLE), ""),
        ("k.csv", marked(&format!("sep=|\n{}", separated(b'|'))), ""),
        ("l.csv", utf_16(PEOPLE, false), ""),
        ("m.csv", utf_16(&separated(b'\t'), true), ""),
        ("n.csv", windows(PEOPLE), "--encoding windows-1252"),
        ("o.csv", windows(&separated(b';')), "--encoding latin1"),
        ("p.csv", utf_16(PEOPLE, false)[2..].to_vec(), "--encoding utf-16le"),
        ("q.csv", commented.clone().into(), ""),
        ("r.csv", everywhere.clone().into(), "--comment #"),
        ("s.csv", everywhere.replace('#', "%").into(), "--comment %"),
        ("t.csv.gz", gzip(PEOPLE.as_bytes()), ""),
        ("u.csv.gz", parts, ""),
        ("v.csv.zst", zstd(PEOPLE.as_bytes()), ""),
        ("w.tsv.gz", gzip(separated(b'\t').as_bytes()), ""),
        // What the bytes are counts, not what the name says about packing.
        ("x.csv", gzip(&utf_16(&commented, true)), ""),
        ("y.csv.gz", PEOPLE.into(), ""),
        ("z.jsonl", json_lines().into(), ""),
        ("aa.ndjson.gz", gzip(json_lines().as_bytes()), ""),
        ("ab.jsonl.zst", zstd(json_lines().as_bytes()), ""),
        ("ac.json", list.clone().into(), ""),
        ("ad.json", marked(&list), ""),
        ("ae", json_lines().into(), ""),
        ("af.json", windows(&list), "--encoding windows-1252"),
        ("ag.jsonl", utf_16(&json_lines(), false), ""),
        ("ah.xlsx", xlsx(&[("People", &sheet(), "")]), ""),
        (
            "ai.xlsx",
            xlsx(&[("Notes", &[vec![Cell::Text("read me".into())]], ""), ("People", &sheet(), "")]),
            "--sheet People",
        ),
        ("aj.xlsx", xlsx(&[("Empty", &[], ""), ("People", &sheet(), "")]), ""),
        ("ak.ods", ods(&sheet()), ""),
        ("al.dat", xlsx(&[("People", &sheet(), "")]), ""),
    ]
}

#[test]
fn every_copy_gives_the_same_release_and_verifies_it() {
    let mut desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o people.tsv {ROLES} --seed 1 --quiet"));
    let expected = desk.read("people.tsv");
    for (name, bytes, said) in copies() {
        desk = desk.with(name, bytes);
        let ran = desk.run(&format!("anonymize {name} -o r.tsv {ROLES} --seed 1 {said}"));
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        assert_eq!(desk.read("r.tsv"), expected, "{name}");
        let ran = desk.run(&format!("verify r.tsv --original {name} {ROLES} {said}"));
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        // The digest is of the file as it lies there.
        let audit: Value = serde_json::from_slice(&desk.bytes("r.tsv.audit.json")).unwrap();
        assert!(audit.to_string().contains(&sha256(&desk.bytes(name))), "{name}: {audit}");
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[test]
fn a_database_gives_the_same_release() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o people.tsv {ROLES} --seed 1 --quiet"));
    for name in ["t.sqlite", "t.db", "t"] {
        database(&desk, name);
        desk.done(&format!("anonymize {name} -o r.tsv {ROLES} --seed 1 --quiet"));
        assert_eq!(desk.read("r.tsv"), desk.read("people.tsv"), "{name}");
        desk.done(&format!("verify r.tsv --original {name} {ROLES}"));
    }
    let asked = |query: &str| {
        let mut command = desk.command(&format!("anonymize t.db -o q.tsv {ROLES} --seed 1 --quiet"));
        command.args(["--query", query]).assert().success();
        desk.read("q.tsv")
    };
    assert_eq!(asked("select * from people where sex in ('f', 'm')"), desk.read("people.tsv"));
    let piped = desk.run_with(&format!("anonymize - -o p.tsv {ROLES} --seed 1 --quiet"), &desk.bytes("t.db"));
    assert_eq!(piped.code, Some(0), "{}", piped.err);
    assert_eq!(desk.read("p.tsv"), desk.read("people.tsv"));
}

#[test]
fn all_of_it_comes_through_standard_input_too() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o people.tsv {ROLES} --seed 1 --quiet"));
    for (name, bytes, said) in copies() {
        let ran = desk.run_with(&format!("anonymize - -o r.tsv {ROLES} --seed 1 --quiet {said}"), &bytes);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        assert_eq!(desk.read("r.tsv"), desk.read("people.tsv"), "{name}");
    }
}

#[test]
fn releases_are_written_in_every_format_and_read_back() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o people.csv.tsv {ROLES} --seed 1 --quiet"));
    for ending in [
        "csv.gz",
        "csv.zst",
        "tsv.gz",
        "tsv.zst",
        "jsonl",
        "ndjson",
        "jsonl.gz",
        "jsonl.zst",
        "psv",
        "parquet",
        "arrow",
    ] {
        let name = format!("r.{ending}");
        desk.done(&format!("anonymize people.csv -o {name} {ROLES} --seed 1 --quiet"));
        let first = desk.bytes(&name);
        desk.done(&format!("anonymize people.csv -o {name} {ROLES} --seed 1 --quiet"));
        assert_eq!(desk.bytes(&name), first, "{ending}: the same bytes every time");
        // With its certificate, whose digest is of the file as it lies there.
        let ran = desk.done(&format!("verify {name}"));
        assert!(ran.text().contains("digest"), "{}", ran.text());
        desk.done(&format!("verify {name} --original people.csv {ROLES}"));
        desk.done(&format!("risk --releases {name} people.csv.tsv --qi age,sex,zip -k 3"));
        desk.done(&format!("anonymize {name} -o again.tsv --rest keep --qi age,sex,zip -k 3 --quiet --type age=category,zip=category"));
        assert_eq!(desk.read("again.tsv"), desk.read("people.csv.tsv"), "{ending}");
    }
    assert_eq!(
        gunzip(&desk.bytes("r.csv.gz")),
        ::zstd::decode_all(desk.bytes("r.csv.zst").as_slice()).unwrap()
    );
    // gzip has room for the time and the name of the file; neither is anybody's business.
    assert_eq!(&desk.bytes("r.csv.gz")[..10], b"\x1F\x8B\x08\0\0\0\0\0\0\xFF");
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes), &mut out).unwrap();
    out
}

#[test]
fn json_keeps_types_and_digits() {
    let table = "{\"id\":1,\"age\":34,\"cost\":12.50,\"big\":12345678901234567890123,\"ok\":true}\n{\"ok\":false,\"age\":34,\"id\":2,\"cost\":1e3,\"note\":\"\\u00fc\"}\n";
    let desk = Desk::new().with("t.jsonl", table);
    desk.done("anonymize t.jsonl -o r.jsonl --identifier id --rest keep --qi age -k 2 --keep-order --quiet");
    assert_eq!(
        desk.read("r.jsonl"),
        "{\"age\":\"34\",\"cost\":\"12.50\",\"big\":\"12345678901234567890123\",\"ok\":true,\"note\":null}\n{\"age\":\"34\",\"cost\":\"1e3\",\"big\":null,\"ok\":false,\"note\":\"ü\"}\n"
    );
}

#[test]
fn a_growing_table_may_be_packed() {
    let rows = cells(PEOPLE);
    let part = |from: usize, to: usize| {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&rows[0]).unwrap();
        for row in &rows[from..to] {
            writer.write_record(row).unwrap();
        }
        writer.into_inner().unwrap()
    };
    let plain = Desk::new().with("1.csv", part(1, 7)).with("2.csv", part(7, 13));
    let packed = Desk::new().with("1.csv.gz", gzip(&part(1, 7))).with("2.csv.zst", zstd(&part(7, 13)));
    for (desk, first, second, ending) in
        [(&plain, "1.csv", "2.csv", "csv"), (&packed, "1.csv.gz", "2.csv.zst", "csv.gz")]
    {
        desk.done(&format!("append --ledger l {first} -o r1.{ending} {ROLES} --quiet"));
        desk.done(&format!("append --ledger l {second} -o r2.{ending} --quiet"));
        desk.done(&format!("verify r2.{ending}"));
    }
    for number in [1, 2] {
        assert_eq!(
            gunzip(&packed.bytes(&format!("r{number}.csv.gz"))),
            plain.bytes(&format!("r{number}.csv"))
        );
    }
}
