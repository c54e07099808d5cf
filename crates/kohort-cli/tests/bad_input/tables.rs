//! Tables that cannot be read.

use crate::common::Desk;

/// What most tests run; the table is `t.csv` with the columns name, age and illness.
const RUN: &str =
    "anonymize t.csv -o release.csv --identifier name --rest keep --qi age --sensitive illness -k 2";

const GOOD: &str = "name,age,illness\nAda,34,flu\nBob,36,flu\nCleo,35,gout\nDan,61,gout\n";

fn refused(table: impl AsRef<[u8]>) -> String {
    Desk::new().with("t.csv", table).refused(RUN)
}

#[test]
fn the_good_table_is_good() {
    Desk::new().with("t.csv", GOOD).done(RUN);
}

#[test]
fn a_line_with_a_field_too_few() {
    insta::assert_snapshot!(refused("name,age,illness\nAda,34,flu\nBob,36\nCleo,35,gout\n"), @r"
    exit code 2
    error: the line has 2 fields, the header has 3
      where: t.csv, line 3
      way out: check this line for a missing or extra separator, or for a quote that is never closed
    ");
}

#[test]
fn a_line_with_a_field_too_many() {
    insta::assert_snapshot!(refused("name,age,illness\nAda,34,flu\nBob,36,flu,flu\n"), @r"
    exit code 2
    error: the line has 4 fields, the header has 3
      where: t.csv, line 3
      way out: check this line for a missing or extra separator, or for a quote that is never closed
    ");
}

#[test]
fn lines_are_counted_as_an_editor_does_after_a_field_of_several_lines() {
    let table = "name,age,illness\n\"Ada\nof\nParis\",34,flu\nBob,36,flu\nCleo,35\nDan,61,gout\n";
    insta::assert_snapshot!(refused(table), @r"
    exit code 2
    error: the line has 2 fields, the header has 3
      where: t.csv, line 6
      way out: check this line for a missing or extra separator, or for a quote that is never closed
    ");
}

#[test]
fn lines_are_counted_as_an_editor_does_after_blank_lines_and_windows_line_ends() {
    let table = "name,age,illness\r\nAda,34,flu\r\n\r\n\r\nBob,36\r\nCleo,35,gout\r\n";
    insta::assert_snapshot!(refused(table), @r"
    exit code 2
    error: the line has 2 fields, the header has 3
      where: t.csv, line 5
      way out: check this line for a missing or extra separator, or for a quote that is never closed
    ");
}

#[test]
fn a_ragged_line_far_down_is_found() {
    let rows = (0..20_000).map(|i| format!("P{i},{},flu", i % 90)).collect::<Vec<_>>().join("\n");
    let table = format!("name,age,illness\n{rows}\nlast,7\n");
    insta::assert_snapshot!(refused(table), @r"
    exit code 2
    error: the line has 2 fields, the header has 3
      where: t.csv, line 20002
      way out: check this line for a missing or extra separator, or for a quote that is never closed
    ");
}

#[test]
fn a_latin_1_byte() {
    insta::assert_snapshot!(refused(b"name,age,illness\nAda,34,flu\nRen\xE9,36,flu\n"), @r"
    exit code 2
    error: the text is not UTF-8, and does not say what else it is
      where: t.csv, line 3
      way out: it looks like windows-1252, which is a guess: say --encoding windows-1252, and see whether letters with accents are right in the release
    ");
}

#[test]
fn a_latin_1_byte_in_the_header() {
    insta::assert_snapshot!(refused(b"name,\xE2ge,illness\nAda,34,flu\n"), @r"
    exit code 2
    error: the text is not UTF-8, and does not say what else it is
      where: t.csv, line 1
      way out: it looks like windows-1252, which is a guess: say --encoding windows-1252, and see whether letters with accents are right in the release
    ");
}

/// Joined without their separator, these bytes would be UTF-8.
#[test]
fn latin_1_bytes_that_look_like_utf_8_across_a_separator() {
    insta::assert_snapshot!(refused(b"name,age,illness\nAda,34,flu\nx\xC3,\xA936,flu\n"), @r"
    exit code 2
    error: the text is not UTF-8, and does not say what else it is
      where: t.csv, line 3
      way out: it looks like ISO-8859-2, which is a guess: say --encoding ISO-8859-2, and see whether letters with accents are right in the release
    ");
}

#[test]
fn utf_16_without_a_mark() {
    let wide: Vec<u8> = GOOD.encode_utf16().flat_map(u16::to_le_bytes).collect();
    insta::assert_snapshot!(refused(wide), @r"
    exit code 2
    error: the text has two bytes a character, and no mark that says in which order
      where: t.csv
      way out: it looks like utf-16le: say --encoding utf-16le
    ");
}

#[test]
fn bytes_that_are_no_text() {
    insta::assert_snapshot!(refused(b"name,age\n\0\x01\x02\0\0\x03,4\n"), @r"
    exit code 2
    error: this is a binary file, expected text
      where: t.csv
      way out: unpack or export it as CSV first
    ");
}

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(refused(""), @r"
    exit code 2
    error: the file is empty, expected a header line with column names
      where: t.csv
      way out: check that the export which made it has finished
    ");
}

#[test]
fn empty_standard_input() {
    let line = "anonymize - -o release.csv --rest keep --qi age -k 2";
    insta::assert_snapshot!(Desk::new().refused_with(line, b""), @r"
    exit code 2
    error: the file is empty, expected a header line with column names
      where: standard input
      way out: check that the export which made it has finished
    ");
}

#[test]
fn blank_lines_only() {
    insta::assert_snapshot!(refused("\n\n\n"), @r"
    exit code 2
    error: the file is empty, expected a header line with column names
      where: t.csv
      way out: check that the export which made it has finished
    ");
}

#[test]
fn a_header_and_no_rows() {
    insta::assert_snapshot!(refused("name,age,illness\n"), @r"
    exit code 2
    error: the table has a header but no rows
      where: t.csv
      way out: check that the export which made it has finished
    ");
}

#[test]
fn a_header_with_a_name_twice() {
    insta::assert_snapshot!(refused("name,age,illness,age\nAda,34,flu,34\n"), @r"
    exit code 2
    error: columns 2 and 4 are both named 'age'
      where: t.csv, header
      way out: rename one of them; roles are given by name
    ");
}

#[test]
fn a_header_with_an_empty_name() {
    insta::assert_snapshot!(refused("name,age,,illness\nAda,34,,flu\n"), @r"
    exit code 2
    error: column 3 has no name
      where: t.csv, header
      way out: give every column a name
    ");
}

/// What pandas and R write unless they are told otherwise.
#[test]
fn a_first_column_of_row_numbers_without_a_name() {
    insta::assert_snapshot!(refused(",name,age,illness\n0,Ada,34,flu\n"), @r"
    exit code 2
    error: column 1 has no name
      where: t.csv, header
      way out: if it numbers the rows, write the table without (pandas: index=False, R: row.names = FALSE); otherwise give it a name
    ");
}

#[test]
fn text_in_a_number_column() {
    let table = "name,age,illness\nAda,34,flu\nBob,old,flu\nCleo,35,gout\nDan,old,gout\nEve,very old,flu\n";
    let line = format!("{RUN} --type age=integer");
    insta::assert_snapshot!(Desk::new().with("t.csv", table).refused(&line), @r#"
    exit code 2
    error: 2 values are not of type integer:
        'old' (2 rows)
        'very old' (1 row)
      where: t.csv, column 'age', first in row 2 below the header
      way out: correct them, leave them empty, say that they mean a missing value (--na "old,very old"), or declare the column as a category with a hierarchy
    "#);
}

#[test]
fn a_fraction_in_a_whole_number_column() {
    let table = "name,age,illness\nAda,34,flu\nBob,36.5,flu\n";
    let line = format!("{RUN} --type age=integer");
    insta::assert_snapshot!(Desk::new().with("t.csv", table).refused(&line), @r"
    exit code 2
    error: 1 value is not of type integer:
        '36.5' (1 row)
      where: t.csv, column 'age', first in row 2 below the header
      way out: correct them, leave them empty, or declare the column as a category with a hierarchy
    ");
}

#[test]
fn a_day_that_does_not_exist() {
    let table = "name,age,illness\nAda,2001-02-28,flu\nBob,2001-02-29,flu\n";
    let line = format!("{RUN} --type age=date");
    insta::assert_snapshot!(Desk::new().with("t.csv", table).refused(&line), @r"
    exit code 2
    error: 1 value is not of type date:
        '2001-02-29' (1 row)
      where: t.csv, column 'age', first in row 2 below the header
      way out: correct them, leave them empty, or declare the column as a category with a hierarchy; --date-format says how dates are written
    ");
}

#[test]
fn a_missing_file() {
    insta::assert_snapshot!(Desk::new().refused(RUN), @r"
    exit code 2
    error: cannot read the file: No such file or directory (os error 2)
      where: t.csv
      way out: check the name; paths in a job file start at its folder, others at the current one
    ");
}

#[test]
fn a_folder() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("t.csv")).unwrap();
    insta::assert_snapshot!(desk.refused(RUN), @r"
    exit code 2
    error: this is a folder, expected a table
      where: t.csv
      way out: name a file in it
    ");
}

#[test]
fn a_parquet_file_that_is_none() {
    let desk = Desk::new().with("t.parquet", GOOD);
    insta::assert_snapshot!(desk.refused(&RUN.replace("t.csv", "t.parquet")), @r"
    exit code 2
    error: cannot read the table: this is not a Parquet file, or its end is missing
      where: t.parquet
      way out: the file ending tells the format: .csv, .tsv, .parquet, .arrow
    ");
}

#[test]
fn an_arrow_file_that_is_none() {
    let desk = Desk::new().with("t.arrow", GOOD);
    insta::assert_snapshot!(desk.refused(&RUN.replace("t.csv", "t.arrow")), @r"
    exit code 2
    error: cannot read the table: this is not an Arrow file, or its end is missing
      where: t.arrow
      way out: the file ending tells the format: .csv, .tsv, .parquet, .arrow
    ");
}

#[test]
fn a_parquet_file_that_was_cut_off() {
    let desk = Desk::new().with("t.csv", GOOD);
    desk.done("generate census --rows 50 -o t.parquet");
    let whole = desk.bytes("t.parquet");
    let desk = desk.with("t.parquet", &whole[..whole.len() / 2]);
    insta::assert_snapshot!(desk.refused("anonymize t.parquet -o release.csv --rest keep --qi age -k 2"), @r"
    exit code 2
    error: cannot read the table: this is not a Parquet file, or its end is missing
      where: t.parquet
      way out: the file ending tells the format: .csv, .tsv, .parquet, .arrow
    ");
}

#[test]
fn a_parquet_file_under_the_name_of_csv() {
    let desk = Desk::new();
    desk.done("generate census --rows 50 -o t.parquet");
    std::fs::rename(desk.path("t.parquet"), desk.path("t.csv")).unwrap();
    insta::assert_snapshot!(desk.refused(RUN), @r"
    exit code 2
    error: this is a Parquet or Arrow file under another ending
      where: t.csv
      way out: name it .parquet or .arrow
    ");
}

#[test]
fn a_compressed_file_that_was_cut_off() {
    insta::assert_snapshot!(refused(b"\x1F\x8B\x08\x00\x00\x00\x00\x00"), @r"
    exit code 2
    error: the gzip file ends too early: a part of it is missing
      where: t.csv
      way out: copy it again from where it was made; nothing was read
    ");
}

#[test]
fn a_quote_that_is_never_closed() {
    let table = "name,age,illness\nAda,34,flu\nBob,36,\"flu\nCleo,35,gout\nDan,61,gout\n";
    insta::assert_snapshot!(refused(table), @r"
    exit code 2
    error: a quote is opened and never closed, so that everything after it would be one field
      where: t.csv, in the row that starts at line 3
      way out: close the quote, or write it twice if it belongs to the text
    ");
}

#[test]
fn a_quote_that_is_never_closed_in_an_identifier() {
    let table = "name,age,illness\nAda,34,flu\n\"Bob,36,flu\nCleo,35,gout\nDan,61,gout\n";
    insta::assert_snapshot!(refused(table), @r"
    exit code 2
    error: a quote is opened and never closed, so that everything after it would be one field
      where: t.csv, in the row that starts at line 3
      way out: close the quote, or write it twice if it belongs to the text
    ");
}

#[test]
fn a_quote_that_is_never_closed_in_the_header() {
    insta::assert_snapshot!(refused("name,age,\"illness\nAda,34,flu\nBob,36,flu\n"), @r"
    exit code 2
    error: a quote is opened and never closed, so that everything after it would be one field
      where: t.csv, in the row that starts at line 1
      way out: close the quote, or write it twice if it belongs to the text
    ");
}

/// An inch mark inside a field is text, also when there is an odd number of them.
#[test]
fn a_quote_inside_a_field_is_text() {
    let table = "name,age,illness\nAda,34,5\" cut\nBob,36,flu\nCleo,35,gout\n";
    let desk = Desk::new().with("t.csv", table);
    desk.done(RUN);
    assert!(desk.read("release.csv").contains("5\"\" cut"));
}

#[test]
fn a_refused_missing_value() {
    let table = "name,age,illness\nAda,34,flu\nBob,,flu\nCleo,35,gout\n";
    let line = format!("{RUN} --missing refuse");
    insta::assert_snapshot!(Desk::new().with("t.csv", table).refused(&line), @r#"
    exit code 2
    error: values are missing in 'age' (1 row)
      where: --missing refuse
      way out: fill them in, or use --missing value or --missing suppress
    "#);
}

#[test]
fn verify_reads_with_the_same_care() {
    let desk = Desk::new().with("t.csv", "age\n1\n2,3\n").with("empty.csv", "").with("header.csv", "age\n");
    insta::assert_snapshot!(desk.refused("verify t.csv --qi age"), @r"
    exit code 2
    error: the line has 2 fields, the header has 1
      where: t.csv, line 3
      way out: check this line for a missing or extra separator, or for a quote that is never closed
    ");
    insta::assert_snapshot!(desk.refused("verify empty.csv --qi age"), @r"
    exit code 2
    error: the file is empty, expected a header line with column names
      where: empty.csv
      way out: check that the export which made it has finished
    ");
    insta::assert_snapshot!(desk.refused("verify header.csv --qi age"), @r"
    exit code 2
    error: the table has a header but no rows
      where: header.csv
      way out: check that the export which made it has finished; a release of nobody is known by its certificate or its original
    ");
    insta::assert_snapshot!(desk.refused("verify nowhere.csv --qi age"), @r"
    exit code 2
    error: cannot read the file: No such file or directory (os error 2)
      where: nowhere.csv
      way out: check the name; paths in a job file start at its folder, others at the current one
    ");
}

/// Without a header the first person would become the names of the columns. Messages must not show them.
#[test]
fn a_first_line_that_is_a_record() {
    let desk = Desk::new().with("t.csv", "Ada Lovelace,34,1815-12-10\nBob Bee,36,1816-01-01\n");
    insta::assert_snapshot!(desk.refused("anonymize t.csv -o r.csv --rest keep --qi age -k 2"), @r"
    exit code 2
    error: there is no column 'age', and the first line does not look like a header: it has numbers or dates
      where: t.csv, line 1
      way out: put a line with the names of the columns before the first row
    ");
    let desk = desk.with("twice.csv", "Ada Lovelace,34,34\nBob Bee,36,37\n");
    insta::assert_snapshot!(desk.refused("anonymize twice.csv -o r.csv --rest keep --qi age -k 2"), @r"
    exit code 2
    error: columns 2 and 3 have the same name, and the first line does not look like a header: it has numbers or dates
      where: twice.csv, line 1
      way out: put a line with the names of the columns before the first row
    ");
    let line = "hierarchy build t.csv --column zip --mask right --levels 5 -o h.csv";
    assert!(!desk.refused(line).contains("Lovelace"), "{}", desk.refused(line));
}
