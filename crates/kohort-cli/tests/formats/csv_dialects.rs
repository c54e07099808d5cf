//! CSV as spreadsheets and people write it.

use crate::common::{Desk, PEOPLE, ROLES};

fn release_of(table: impl AsRef<[u8]>) -> String {
    let desk = Desk::new().with("t.csv", table);
    // The order of a shuffled release depends on every byte of the file.
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --quiet --keep-order"));
    desk.read("r.csv")
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_name() {
    assert_eq!(release_of(format!("\u{feff}{PEOPLE}")), release_of(PEOPLE));
}

#[test]
fn windows_line_ends() {
    let simple = PEOPLE.replace("two\nlines", "two lines");
    assert_eq!(release_of(simple.replace('\n', "\r\n")), release_of(&simple));
}

#[test]
fn no_line_end_at_the_end() {
    assert_eq!(release_of(PEOPLE.trim_end()), release_of(PEOPLE));
}

#[test]
fn blank_lines_are_no_rows() {
    let at_end = format!("{PEOPLE}\n\n");
    assert_eq!(release_of(at_end), release_of(PEOPLE));
    // Spreadsheets write lines of separators below a table, and between its parts.
    let separators = format!("{}\n,,,,,\n\"\",\"\",,,,\n", PEOPLE.replace("Dan,", ",,,,,\r\nDan,"));
    assert_eq!(release_of(separators), release_of(PEOPLE));
}

#[test]
fn quotes_where_none_are_needed() {
    let quoted = PEOPLE.replace("flu,", "\"flu\",").replace("name,age", "\"name\",\"age\"");
    assert_eq!(release_of(quoted), release_of(PEOPLE));
}

#[test]
fn separators_quotes_and_line_ends_survive_in_order() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --quiet --keep-order"));
    insta::assert_snapshot!(desk.read("r.csv"), @r#"
    age,sex,zip,illness,note
    *,f,"[41075, 41076]",flu,plain
    "[22, 36]",m,"[41076, 41099]",flu,"one, two"
    *,f,"[41075, 41076]",gout,"she said ""no"""
    "[47, 61]",m,"[48201, 48202]",gout,
    "[44, 58]",f,"[48201, 48202]",flu,"two
    lines"
    "[47, 61]",m,"[48201, 48202]",asthma,plain
    "[22, 36]",m,"[41076, 41099]",asthma,  spaced
    "[22, 36]",m,"[41076, 41099]",flu,ü
    *,f,"[41075, 41076]",gout,plain
    "[47, 61]",m,"[48201, 48202]",flu,;
    "[44, 58]",f,"[48201, 48202]",asthma,plain
    "[44, 58]",f,"[48201, 48202]",gout,last
    "#);
}

/// A quasi-identifier may need quotes too.
#[test]
fn quoted_quasi_identifiers() {
    let table = "place,n\n\"A, B\",1\n\"A, B\",2\n\"say \"\"x\"\"\",3\n\"say \"\"x\"\"\",4\n";
    let desk = Desk::new().with("t.csv", table);
    desk.done("anonymize t.csv -o r.csv --rest keep --qi place -k 2 --keep-order --quiet");
    assert_eq!(desk.read("r.csv"), table);
}

#[test]
fn a_single_column_with_empty_cells() {
    let desk = Desk::new().with("t.csv", "a\n1\n\"\"\n1\n\"\"\n");
    desk.done("anonymize t.csv -o r.csv --rest keep --qi a -k 2 --keep-order --quiet");
    assert_eq!(desk.read("r.csv"), "a\n1\n\"\"\n1\n\"\"\n");
}

#[test]
fn empty_cells_stay_empty() {
    let table = "q,a,b\n1,,x\n1,y,\n1,,\n";
    let desk = Desk::new().with("t.csv", table);
    desk.done("anonymize t.csv -o r.csv --rest keep --qi q -k 3 --keep-order --quiet");
    assert_eq!(desk.read("r.csv"), table);
    desk.done("anonymize t.csv -o r.parquet --rest keep --qi q -k 3 --keep-order --quiet");
    desk.done("anonymize r.parquet -o again.csv --rest keep --qi q -k 3 --keep-order --quiet");
    assert_eq!(desk.read("again.csv"), table);
}
