//! Files that are not read, and releases that are not written: what was recognized, and the one way out.

use kohort::input::TableSource as _;

use crate::common::{Desk, PEOPLE, ROLES};
use crate::twins::{database, gzip, sheet, utf_16, zstd};
use crate::zips::{Cell, xlsx, zip};

fn refused(name: &str, bytes: impl AsRef<[u8]>) -> String {
    refused_with(name, bytes, "")
}

fn refused_with(name: &str, bytes: impl AsRef<[u8]>, more: &str) -> String {
    Desk::new().with(name, bytes).refused(&format!("anonymize {name} -o release.csv {ROLES} {more}"))
}

#[test]
fn formats_that_are_known_and_not_read() {
    let sas =
        [&[0; 12][..], b"\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08\0\x09\xC7\x31\x8C", &[0; 64]].concat();
    let duck = [&[7; 8][..], b"DUCK\x40\0\0\0", &[0; 64]].concat();
    let tar = [&[b'a'; 257][..], b"ustar\0", &[0; 64]].concat();
    let files: [(&str, Vec<u8>); 23] = [
        ("t.dta", b"<stata_dta><header><release>118</release><byteorder>LSF</byteorder>".into()),
        ("t.sav", b"$FL2@(#) SPSS DATA FILE - pyreadstat\x02\0\0\0".into()),
        ("t.sas7bdat", sas),
        ("t.rds", gzip(b"X\n\0\0\0\x03\0\x04\x01\0")),
        ("t.RData", gzip(b"RDX3\nX\n\0\0\0\x03")),
        ("t.duckdb", duck),
        ("t.orc", b"ORC\x0A\x0B\0\0\0\0".into()),
        ("t.avro", b"Obj\x01\x04\x16avro.schema\0".into()),
        ("t.pdf", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3".into()),
        ("t.csv", b"<!DOCTYPE html>\n<html><body>Please log in</body></html>".into()),
        ("t.xls", b"<html><table><tr><td>name</td></tr></table></html>".into()),
        ("t.xml", b"<?xml version=\"1.0\"?><people/>".into()),
        ("t.zip", zip(&[("people.csv", PEOPLE)])),
        ("t.csv.zip", zip(&[("people.csv", PEOPLE)])),
        ("t.7z", b"7z\xBC\xAF\x27\x1C\0\x04".into()),
        ("t.csv.bz2", b"BZh91AY&SY\x01\x02\x03".into()),
        ("t.csv.xz", b"\xFD7zXZ\0\0\x04".into()),
        ("t.tar", tar),
        ("t.feather", b"FEA1\0\0\0\0\0\0\0\0FEA1".into()),
        ("t.arrows", b"\xFF\xFF\xFF\xFF\x10\0\0\0\0\0".into()),
        ("t.h5", b"\x89HDF\r\n\x1A\n\0\0".into()),
        ("t.csv.gz", gzip(&gzip(PEOPLE.as_bytes()))),
        ("u.csv", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n".into()),
    ];
    let told: Vec<String> = files.iter().map(|(name, bytes)| refused(name, bytes)).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn files_under_another_ending() {
    let desk = Desk::new();
    database(&desk, "d");
    let files: [(&str, Vec<u8>); 9] = [
        ("t.csv", b"{\"name\":\"Ada\",\"age\":34}\n".into()),
        ("t.tsv", b"[{\"name\":\"Ada\",\"age\":34}]\n".into()),
        ("u.csv", xlsx(&[("People", &sheet(), "")])),
        ("v.csv", desk.bytes("d")),
        ("t.xlsx", PEOPLE.into()),
        ("t.sqlite", PEOPLE.into()),
        ("u.sqlite", xlsx(&[("People", &sheet(), "")])),
        ("t.parquet", xlsx(&[("People", &sheet(), "")])),
        ("t.json", PEOPLE.into()),
    ];
    let told: Vec<String> = files.iter().map(|(name, bytes)| refused(name, bytes)).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn text_in_an_unknown_encoding() {
    let windows = encoding_rs::WINDOWS_1252.encode(PEOPLE).0.into_owned();
    let russian = encoding_rs::WINDOWS_1251
        .encode("name,age,sex,zip,illness,note\nАнна,34,f,41075,грипп,заметка\n")
        .0
        .into_owned();
    let mixed = [PEOPLE.as_bytes(), b"Ren\xE9,44,f,48201,gout,last\n"].concat();
    let told = [
        refused("t.csv", &windows),
        refused("u.csv", &russian),
        refused("v.csv", &mixed),
        refused("w.csv", &utf_16(PEOPLE, false)[2..]),
        refused("x.csv", [&utf_16(PEOPLE, true)[..], &[0xD8]].concat()),
        refused_with("y.csv", &windows, "--encoding ebcdic"),
        refused_with("z.csv", &windows, "--encoding utf-8"),
        refused_with("a.jsonl", b"{\"name\":\"Ren\xE9\",\"age\":1}\n", ""),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn fields_between_spaces_and_comments() {
    let told = [
        refused("t.txt", "name age sex zip illness note\nAda 34 f 41075 flu plain\n"),
        refused(
            "u.csv",
            "# name, age, sex, zip, illness, note\nname,age,sex,zip,illness,note\nAda,34,f,41075,flu,plain\n",
        ),
        refused_with("v.csv", PEOPLE, "--comment //"),
        // Where nobody said that there are comments, a line too short is a line too short.
        refused("w.csv", PEOPLE.replace("Dan,", "# Dan is next\nDan,")),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn comment_lines_before_the_header_are_said() {
    let desk = Desk::new().with("t.csv", format!("# made by hand\n# on Monday\n{PEOPLE}"));
    let ran = desk.done(&format!("anonymize t.csv -o r.csv {ROLES}"));
    let note = "note: t.csv: 2 lines before the header begin with # and were taken for comments\n";
    assert_eq!(ran.err.matches(note).count(), 1, "{}", ran.err);
    // What is wrong further down is named by the line an editor shows.
    let desk = Desk::new().with("t.csv", format!("sep=,\n# made by hand\n{PEOPLE}Mia,3\n"));
    let line = format!("t.csv, line {}", PEOPLE.lines().count() + 3);
    let told = desk.refused(&format!("anonymize t.csv -o r.csv {ROLES}"));
    assert!(told.contains(&line), "{told}");
    let desk = Desk::new().with("t.csv", format!("#\n{PEOPLE}#\n\n#x\nMia,3\n"));
    let line = format!("t.csv, line {}", PEOPLE.lines().count() + 5);
    let told = desk.refused(&format!("anonymize t.csv -o r.csv {ROLES} --comment #"));
    assert!(told.contains(&line), "{told}");
}

#[test]
fn json_that_is_no_table() {
    let told = [
        refused("a.jsonl", "{\"name\":\"Ada\",\"address\":{\"zip\":1}}\n"),
        refused("b.jsonl", "{\"name\":\"Ada\"}\n{\"name\":\"Bob\",\"codes\":[1,2]}\n"),
        refused("c.jsonl", "{\"name\":\"Ada\",\"age\":1,\"age\":2}\n"),
        refused("d.jsonl", "{\"name\":\"Ada\"}\n{\"name\":Bob}\n"),
        refused("e.jsonl", "{\"name\":\"Ada\"}\n{\"name\":\"Bo"),
        refused("f.json", "[{\"name\":\"Ada\"},"),
        refused("g.json", "{\"people\":[{\"name\":\"Ada\"}]}"),
        refused("h.json", "[[\"name\"],[\"Ada\"]]"),
        refused("i.jsonl", ""),
        refused("j.jsonl", "{\"\":1}"),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn sheets_that_are_no_table() {
    let text = |text: &str| Cell::Text(text.into());
    let with = |at: (usize, usize), cell: Cell| {
        let mut sheet = sheet();
        sheet[at.0][at.1] = cell;
        xlsx(&[("People", &sheet, "")])
    };
    let titled = [vec![vec![text("A list of people")]], sheet()].concat();
    let merged = r#"<mergeCells count="1"><mergeCell ref="C3:C5"/></mergeCells>"#;
    let two = xlsx(&[("People", &sheet(), ""), ("More people", &sheet(), "")]);
    let told = [
        refused("a.xlsx", &two),
        refused_with("b.xlsx", &two, "--sheet Peple"),
        refused("c.xlsx", xlsx(&[("People", &titled, "")])),
        refused("d.xlsx", with((0, 2), Cell::Empty)),
        refused("e.xlsx", xlsx(&[("People", &sheet(), merged)])),
        refused("f.xlsx", with((4, 5), Cell::Error("#DIV/0!"))),
        refused("g.xlsx", with((4, 3), Cell::Number("4800000000000000123".into()))),
        refused("h.xlsx", xlsx(&[("People", &[], "")])),
        refused("i.xlsx", &two[..two.len() / 2]),
        refused("j.xls", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0\0\0"),
        refused_with("k.csv", PEOPLE, "--sheet People"),
        refused_with("l.xlsx", &two, "--encoding latin1"),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn cells_of_a_sheet_show_what_a_spreadsheet_shows() {
    let text = |text: &str| Cell::Text(text.into());
    let number = |digits: &str| Cell::Number(digits.into());
    let lines = vec![
        vec![],
        vec![text("q"), text("born"), text("cost"), text("ok"), text("code")],
        vec![number("1"), Cell::Date(36_525.0), number("0.1"), Cell::Truth(true), text("007")],
        vec![Cell::Empty, text(" "), Cell::Empty, Cell::Empty, Cell::Empty],
        vec![number("1"), Cell::Date(45_943.5), number("3"), Cell::Error("#N/A"), number("12")],
    ];
    let desk = Desk::new().with("t.xlsx", xlsx(&[("T", &lines, "")]));
    let ran = desk.done("anonymize t.xlsx -o r.csv --rest keep --qi q -k 2 --keep-order");
    assert_eq!(
        desk.read("r.csv"),
        "q,born,cost,ok,code\n1,1999-12-31,0.1,true,007\n1,2025-10-13T12:00:00,3,,12\n"
    );
    assert!(ran.err.contains("1 line of the table without any value left out"), "{}", ran.err);
}

#[test]
fn databases_that_are_not_read() {
    let desk = Desk::new();
    database(&desk, "one.db");
    database(&desk, "two.db");
    rusqlite::Connection::open(desk.path("two.db"))
        .unwrap()
        .execute_batch("create table visits (day); insert into visits values (x'00')")
        .unwrap();
    std::fs::write(desk.path("cut.db"), &desk.bytes("one.db")[..5000]).unwrap();
    let asked = |table: &str, query: &str| {
        let before = desk.bytes(table);
        let mut command = desk.command(&format!("anonymize {table} -o release.csv {ROLES}"));
        if !query.is_empty() {
            command.args(["--query", query]);
        }
        let ran = command.output().unwrap();
        assert_eq!(desk.bytes(table), before, "{query}");
        format!("exit code {}\n{}", ran.status.code().unwrap(), String::from_utf8(ran.stderr).unwrap())
    };
    let told = [
        asked("two.db", ""),
        asked("one.db", "delete from people"),
        asked("one.db", "select * from people; drop table people"),
        asked("one.db", "attach 'two.db' as two"),
        asked("one.db", "select * from persons"),
        asked("two.db", "select day as name from visits"),
        asked("cut.db", ""),
    ];
    insta::assert_snapshot!(told.join("\n"));
    let names: Vec<_> = desk.files().into_iter().map(|f| f.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["cut.db", "one.db", "tmp", "two.db"], "nothing is made beside a database");
}

#[test]
fn releases_that_are_not_written() {
    let desk = Desk::with_people();
    let told: Vec<String> = ["xlsx", "sav", "json", "csv.zip", "parquet.gz", "sqlite", "csv.bz2"]
        .iter()
        .map(|ending| desk.refused(&format!("anonymize people.csv -o release.{ending} {ROLES}")))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_a_format_cannot_hold_is_said_before_the_work_and_once() {
    let desk = Desk::new();
    desk.done("generate hospital --rows 60 -o t.parquet");
    let roles = "--identifier patient_id,name --rest keep --qi sex -k 4";
    for ending in ["csv", "jsonl.gz"] {
        let ran = desk.done(&format!("anonymize t.parquet -o r.{ending} {roles}"));
        let first = ran.err.lines().next().unwrap();
        assert!(
            first.starts_with(&format!("note: r.{ending}: ")) && first.contains("'birth_date'"),
            "{}",
            ran.err
        );
        assert_eq!(ran.err.matches("written as text").count(), 1, "{}", ran.err);
    }
    let ran = desk.done(&format!("anonymize t.parquet -o r.parquet {roles}"));
    assert!(!ran.err.contains("written as text"), "{}", ran.err);
}

/// Cut anywhere, a file is refused, or read whole; never is a part of it taken for the table.
#[test]
fn no_part_of_a_file_passes_for_all_of_it() {
    let person = |i: usize| format!("P{i},{},f,4107{},flu,{}\n", 20 + i % 60, i % 10, i * 7919 % 1000);
    let people = (0..300).map(person).collect::<Vec<_>>().concat();
    let table = format!("name,age,sex,zip,illness,note\n{people}");
    let objects: Vec<String> = table.lines().skip(1).map(|line| format!("{{\"name\":\"{line}\"}}")).collect();
    let cells: Vec<Vec<Cell>> =
        table.lines().map(|line| line.split(',').map(Cell::typed).collect()).collect();
    let desk = Desk::new();
    let connection = rusqlite::Connection::open(desk.path("d.db")).unwrap();
    connection.execute_batch("create table t (name)").unwrap();
    for line in table.lines().skip(1) {
        connection.execute("insert into t values (?)", [line]).unwrap();
    }
    drop(connection);
    let files: [(&str, Vec<u8>); 5] = [
        ("t.csv.gz", gzip(table.as_bytes())),
        ("t.csv.zst", zstd(table.as_bytes())),
        ("t.json", format!("[{}]\n", objects.join(",\n")).into()),
        ("t.xlsx", xlsx(&[("T", &cells, "")])),
        ("t.db", desk.bytes("d.db")),
    ];
    for (name, bytes) in files {
        let rows = |bytes: &[u8]| {
            std::fs::write(desk.path(name), bytes).unwrap();
            let table = kohort::input::FileTable::open(&desk.path(name)).ok()?;
            let batches = table.batches(&[0]).ok()?.collect::<Result<Vec<_>, _>>().ok()?;
            Some(batches.iter().map(arrow::array::RecordBatch::num_rows).sum::<usize>())
        };
        assert_eq!(rows(&bytes), Some(300), "{name}");
        let step = (bytes.len() / 150).max(1);
        for end in (0..bytes.len()).step_by(step) {
            let found = rows(&bytes[..end]);
            assert!(matches!(found, None | Some(300)), "{name} cut at {end}: {found:?}");
        }
        // One byte changed anywhere: whatever is read, nothing panics.
        for at in (0..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            rows(&changed);
        }
    }
}
