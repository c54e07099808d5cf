//! Job files that cannot be understood.

use crate::common::Desk;

fn refused(job: impl AsRef<[u8]>) -> String {
    Desk::with_people().with("job.toml", job).refused("anonymize --job job.toml -o release.csv")
}

#[test]
fn an_unknown_key() {
    insta::assert_snapshot!(refused("input = \"people.csv\"\nk = 3\nqii = [\"age\"]\n"), @r#"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 3, column 1
      |
    3 | qii = ["age"]
      | ^^^
    unknown key 'qii'
      where: job.toml
      way out: did you mean 'qi'?
    "#);
}

#[test]
fn an_unknown_key_of_a_column() {
    let job = "input = \"people.csv\"\nk = 3\n[columns]\nage = { role = \"quasi-identifier\", tpye = \"integer\" }\n";
    insta::assert_snapshot!(refused(job), @r#"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 4, column 36
      |
    4 | age = { role = "quasi-identifier", tpye = "integer" }
      |                                    ^^^^
    unknown key 'tpye'
      where: job.toml
      way out: did you mean 'type'?
    "#);
}

#[test]
fn an_unknown_role() {
    insta::assert_snapshot!(refused("input = \"people.csv\"\nk = 3\n[columns]\nage = { role = \"quasi\" }\n"), @r#"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 4, column 16
      |
    4 | age = { role = "quasi" }
      |                ^^^^^^^
    unknown value 'quasi', expected one of identifier, person, qi, quasi-identifier, sensitive, keep, other, pass-through, passed-through, drop
      where: job.toml
      way out: correct this line
    "#);
}

#[test]
fn a_number_that_is_none() {
    insta::assert_snapshot!(refused("input = \"people.csv\"\nk = \"three\"\n"), @r#"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 2, column 5
      |
    2 | k = "three"
      |     ^^^^^^^
    invalid type: string "three", expected a whole number
      where: job.toml
      way out: correct this line; keys have the names of the options
    "#);
    insta::assert_snapshot!(refused("input = \"people.csv\"\nk = -3\n"), @r"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 2, column 5
      |
    2 | k = -3
      |     ^^
    invalid value: integer `-3`, expected a whole number
      where: job.toml
      way out: correct this line; keys have the names of the options
    ");
}

#[test]
fn no_toml_at_all() {
    insta::assert_snapshot!(refused("k: 3\n"), @r"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 1, column 4
      |
    1 | k: 3
      |    ^
    key with no value, expected `=`
      where: job.toml
      way out: correct this line; keys have the names of the options
    ");
    insta::assert_snapshot!(refused(b"k = \"\xE9\"\n"), @r"
    exit code 2
    error: cannot read the job file: stream did not contain valid UTF-8
      where: job.toml
      way out: name a TOML file, UTF-8 text
    ");
}

#[test]
fn a_key_twice() {
    insta::assert_snapshot!(refused("k = 3\nk = 4\n"), @r"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 2, column 1
      |
    2 | k = 4
      | ^
    duplicate key
      where: job.toml
      way out: correct this line; keys have the names of the options
    ");
}

#[test]
fn a_column_that_is_not_in_the_table() {
    let job =
        "input = \"people.csv\"\nk = 3\nqi = [\"age\"]\n[columns]\nzipp = { role = \"quasi-identifier\" }\n";
    insta::assert_snapshot!(refused(job), @r"
    exit code 2
    error: there is no column 'zipp'
      where: people.csv
      way out: did you mean 'zip'?
    ");
}

#[test]
fn a_bad_time_limit() {
    let job = "input = \"people.csv\"\nk = 3\nqi = [\"age\"]\ntime-limit = \"60\"\n";
    insta::assert_snapshot!(refused(job), @r"
    exit code 2
    error: '60' is not a length of time
      where: --time-limit
      way out: --time-limit 60s means seconds; write a number with a unit: 500ms, 90s, 5m or 2h
    ");
}

#[test]
fn a_job_file_that_is_not_there() {
    insta::assert_snapshot!(Desk::with_people().refused("anonymize --job job.toml -o release.csv"), @r"
    exit code 2
    error: cannot read the job file: No such file or directory (os error 2)
      where: job.toml
      way out: name a TOML file, UTF-8 text
    ");
}

#[test]
fn a_job_without_input_or_output() {
    let desk = Desk::with_people().with("job.toml", "k = 3\nqi = [\"age\"]\n");
    insta::assert_snapshot!(desk.refused("anonymize --job job.toml -o release.csv"), @r"
    exit code 2
    error: no input table was given
      where: DATA
      way out: name a .csv, .tsv, .xlsx, .jsonl, .parquet, .arrow or SQLite file
    ");
    insta::assert_snapshot!(desk.refused("anonymize --job job.toml people.csv"), @r"
    exit code 2
    error: no place for the release was given
      where: -o
      way out: say where to write it, such as -o release.csv
    ");
}
