//! Columns that are named wrongly.

use crate::common::Desk;

fn refused(flags: &str) -> String {
    Desk::with_people().refused(&format!("anonymize people.csv -o release.csv -k 3 {flags}"))
}

#[test]
fn a_column_named_twice_in_a_list() {
    insta::assert_snapshot!(refused("--qi age,sex,age"), @r"
    exit code 2
    error: column 'age' is named twice
      where: --qi
      way out: give every column one role, once
    ");
}

#[test]
fn a_column_named_in_two_lists() {
    insta::assert_snapshot!(refused("--qi age,sex --sensitive sex"), @r"
    exit code 2
    error: column 'sex' is declared quasi-identifier (--qi) and sensitive (--sensitive)
      where: --sensitive
      way out: give every column one role, once
    ");
}

#[test]
fn a_column_named_in_the_job_file_and_by_a_flag() {
    let desk = Desk::with_people().with("job.toml", "k = 3\n[columns]\nage = { role = \"identifier\" }\n");
    insta::assert_snapshot!(desk.refused("anonymize people.csv -o release.csv --job job.toml --qi age,sex"), @r"
    exit code 2
    error: column 'age' is declared quasi-identifier (--qi) and identifier ([columns])
      where: [columns]
      way out: give every column one role, once
    ");
}

#[test]
fn a_column_named_in_a_list_of_the_job_file_and_by_a_flag() {
    let desk = Desk::with_people().with("job.toml", "k = 3\nsensitive = [\"age\"]\n");
    insta::assert_snapshot!(desk.refused("anonymize people.csv -o release.csv --job job.toml --qi age,sex"), @r"
    exit code 2
    error: column 'age' is declared quasi-identifier (--qi) and sensitive (--sensitive)
      where: --sensitive
      way out: give every column one role, once
    ");
}

#[test]
fn a_column_named_twice_for_verify() {
    let desk = Desk::with_people();
    insta::assert_snapshot!(desk.refused("verify people.csv --qi age,sex,age"), @r"
    exit code 2
    error: column 'age' is named twice
      where: --qi, --sensitive
      way out: give every column one role, once
    ");
    insta::assert_snapshot!(desk.refused("verify people.csv --qi age,sex --sensitive age"), @r"
    exit code 2
    error: column 'age' is named twice
      where: --qi, --sensitive
      way out: give every column one role, once
    ");
}

#[test]
fn an_unknown_column_near_a_known_one() {
    insta::assert_snapshot!(refused("--qi age,zpi"), @r"
    exit code 2
    error: there is no column 'zpi'
      where: people.csv
      way out: did you mean 'zip'?
    ");
}

#[test]
fn an_unknown_column_near_none() {
    insta::assert_snapshot!(refused("--qi age,profession"), @r"
    exit code 2
    error: there is no column 'profession'
      where: people.csv
      way out: the columns are: name, age, sex, zip, illness, note
    ");
}

#[test]
fn an_unknown_column_in_other_flags() {
    insta::assert_snapshot!(refused("--qi age --type agee=integer"), @r"
    exit code 2
    error: there is no column 'agee'
      where: people.csv
      way out: did you mean 'age'?
    ");
    insta::assert_snapshot!(refused("--qi age --snap agee=5"), @r"
    exit code 2
    error: there is no column 'agee'
      where: people.csv
      way out: did you mean 'age'?
    ");
    insta::assert_snapshot!(refused("--qi age --identifier nmae"), @r"
    exit code 2
    error: there is no column 'nmae'
      where: people.csv
      way out: did you mean 'name'?
    ");
}

#[test]
fn an_unknown_column_for_verify() {
    insta::assert_snapshot!(Desk::with_people().refused("verify people.csv --qi age,zpi"), @r"
    exit code 2
    error: there is no column 'zpi'
      where: people.csv
      way out: did you mean 'zip'?
    ");
}

#[test]
fn no_quasi_identifier() {
    insta::assert_snapshot!(refused("--sensitive illness"), @r"
    exit code 2
    error: no quasi-identifier: nothing would be generalized, and nobody would be protected
      where: --qi
      way out: name the columns an outsider could know, such as --qi age,sex,zip
    ");
    insta::assert_snapshot!(Desk::with_people().refused("verify people.csv"), @r"
    exit code 2
    error: no quasi-identifier was named
      where: --qi
      way out: name the columns an outsider could know; there is no certificate beside the release (people.csv.certificate.json) that would name them, --certificate FILE says where it lies
    ");
}

#[test]
fn an_unknown_type() {
    insta::assert_snapshot!(refused("--qi age --type age=int"), @r"
    exit code 2
    error: there is no type 'int'
      where: --type
      way out: one of integer, decimal, date, timestamp, category
    ");
    insta::assert_snapshot!(refused("--qi age --type age"), @r"
    exit code 2
    error: 'age', expected NAME=VALUE
      where: --type
      way out: write --type age=…, without spaces
    ");
}
