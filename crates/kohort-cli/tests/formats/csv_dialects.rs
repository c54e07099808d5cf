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

/// Of a single column nothing tells what separates fields: the release is read as any other CSV.
#[test]
fn a_single_column_of_a_table_with_semicolons_is_read_back() {
    for separator in [";", "|"] {
        let table = ["age,name", "31,Ann", "32,Ben", "41,Cat", "42,Dov"].join("\n").replace(',', separator);
        let desk = Desk::new().with("t.csv", table);
        for flags in ["", "--intervals midpoint"] {
            desk.done(&format!("anonymize t.csv -o r.csv --identifier name --qi age -k 2 --quiet {flags}"));
            desk.done("verify r.csv");
            desk.done(&format!("verify r.csv --original t.csv --identifier name --qi age -k 2 {flags}"));
        }
        desk.done("anonymize t.csv -o r.csv --identifier name --qi age -k 2 --quiet --keep-order");
        assert_eq!(desk.read("r.csv"), "age\n\"[31, 32]\"\n\"[31, 32]\"\n\"[41, 42]\"\n\"[41, 42]\"\n");
    }
}

#[test]
fn an_odd_name_of_the_first_column_is_read_back() {
    for name in ["sep=;", "SEP=|", "sep=^", "#age", "\u{feff}u"] {
        let row = |value: &str| format!("{{{}: {}}}\n", serde_json::json!(name), serde_json::json!(value));
        let rows: String = ["a;b", "a;b", "x|y^z", "x|y^z"].into_iter().map(row).collect();
        let desk = Desk::new().with("t.jsonl", rows);
        desk.done(&format!("anonymize t.jsonl -o r.csv --qi {name} -k 2 --quiet"));
        desk.done("verify r.csv");
        desk.done(&format!("verify r.csv --original t.jsonl --qi {name} -k 2"));
    }
}

#[test]
fn what_no_text_file_can_hold_is_refused() {
    let row = |note: &str| format!("{{\"age\": 30, \"note\": {}}}\n", serde_json::json!(note));
    let desk = Desk::new().with("t.jsonl", [row("plain"), row("secret\0ly")].concat().repeat(2));
    for roles in ["--qi age --keep note", "--qi age --sensitive note", "--qi age,note"] {
        let line = format!("--type age=category {roles} -k 2 --quiet");
        for release in ["r.csv", "r.tsv"] {
            let said = desk.refused(&format!("anonymize t.jsonl -o {release} {line}"));
            assert!(
                said.contains("NUL") && said.contains("column 'note'") && said.contains(".jsonl"),
                "{said}"
            );
            assert!(!said.contains("secret") && !desk.path(release).exists(), "{said}");
        }
        for release in ["r.jsonl", "r.parquet", "r.arrow"] {
            desk.done(&format!("anonymize t.jsonl -o {release} {line}"));
            desk.done(&format!("verify {release} --original t.jsonl {line}"));
        }
    }
}

/// As programs of the old Macintosh wrote them, and some still do.
#[test]
fn lines_that_end_with_carriage_returns() {
    let simple = PEOPLE.replace("two\nlines", "two lines");
    let old = |text: &str| text.replace('\n', "\r");
    assert_eq!(release_of(old(&simple)), release_of(&simple));
    assert_eq!(release_of(old(&format!("{simple},,,,,\n , ,,,,\n"))), release_of(&simple));
    assert_eq!(release_of(old(&format!("# from the clinic\n{simple}"))), release_of(&simple));
    let commented = simple.replace("Dan,", "#Dan,").replace("Gus,", "# Gus,");
    let without: String = simple
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("Dan") && !line.starts_with("Gus"))
        .collect();
    let desk = Desk::new().with("t.csv", old(&format!("# a, b\n{commented}")));
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --quiet --keep-order --comment #"));
    assert_eq!(desk.read("r.csv"), release_of(without));
    // Lines within quotes belong to their field, whatever ends the others.
    let desk = Desk::new().with("t.csv", "a,note\r7,\"1\n,\n\"\r7,\"1\r,\r#\"\r");
    desk.done("anonymize t.csv -o r.csv --qi a --keep note -k 2 --quiet --keep-order --comment #");
    assert_eq!(desk.read("r.csv"), "a,note\n7,\"1\n,\n\"\n7,\"1\r,\r#\"\n");
    let desk = Desk::new().with("t.csv", "a,b\r1,2\r\r#x\r1,2,3\r");
    let said = desk.refused("anonymize t.csv -o r.csv --qi a --keep b -k 2 --comment #");
    assert!(said.contains("line 5") && said.contains("3 fields"), "{said}");
}

#[test]
fn comments_may_be_longer_than_what_is_looked_at() {
    let comments = "# made by a talkative program\n".repeat(12_000);
    for (separator, flag) in [(",", ""), (",", "--comment #"), (";", "--comment #")] {
        let table = format!("{comments}{}", "age,sex\n30,f\n30,f\n".replace(',', separator));
        let desk = Desk::new().with("t.csv", table);
        desk.done(&format!("anonymize t.csv -o r.csv --qi age,sex -k 2 --quiet {flag}"));
        assert_eq!(desk.read("r.csv"), "age,sex\n30,f\n30,f\n".replace(',', separator));
    }
}

#[test]
fn decimal_commas_are_not_what_separates() {
    let desk =
        Desk::new().with("t.csv", "Preis, EUR;Gewicht, kg\n2,50;3,20\n2,50;3,20\n1,00;0,75\n1,00;0,75\n");
    let job = "k = 2\n[columns]\n\"Preis, EUR\" = { role = \"qi\" }\n\"Gewicht, kg\" = { role = \"qi\" }\n";
    let desk = desk.with("job.toml", job);
    desk.done("anonymize t.csv -o r.csv --job job.toml --quiet --keep-order");
    assert_eq!(desk.read("r.csv"), "\"Preis, EUR\";\"Gewicht, kg\"\n2.5;3.2\n2.5;3.2\n1;0.75\n1;0.75\n");
    desk.done("verify r.csv --original t.csv --job job.toml");
}
