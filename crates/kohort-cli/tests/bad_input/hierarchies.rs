//! Hierarchies that do not fit.

use crate::common::{Desk, ROLES};

fn refused(zip: impl AsRef<[u8]>) -> String {
    let desk = Desk::with_people().with("trees/zip.csv", zip);
    desk.refused(&format!("anonymize people.csv -o release.csv {ROLES} --hierarchies trees"))
}

#[test]
fn values_missing_from_the_hierarchy_all_with_counts() {
    insta::assert_snapshot!(refused("41075;410**;*\n41076;410**;*\n"), @r"
    exit code 2
    error: 3 values are not in the hierarchy:
        '41099' (2 rows)
        '48201' (3 rows)
        '48202' (3 rows)
      where: people.csv, column 'zip', hierarchy trees/zip.csv
      way out: add a line for each value to the hierarchy
    ");
}

#[test]
fn a_value_that_is_nearly_in_the_hierarchy() {
    let table = "state,n\nKansas,1\nKanzas,2\nOhio,3\n";
    let desk = Desk::new().with("t.csv", table).with("trees/state.csv", "Kansas;Midwest;*\nOhio;Midwest;*\n");
    insta::assert_snapshot!(desk.refused("anonymize t.csv -o r.csv --rest keep --qi state -k 2 --hierarchies trees"), @r"
    exit code 2
    error: 1 value is not in the hierarchy:
        'Kanzas' (1 row)
      where: t.csv, column 'state', hierarchy trees/state.csv
      way out: add a line for each value to the hierarchy; perhaps 'Kanzas' is meant to be 'Kansas'
    ");
}

#[test]
fn all_missing_values_are_listed() {
    let table: String =
        std::iter::once("code\n".to_owned()).chain((0..30).map(|i| format!("v{i:02}\n"))).collect();
    let desk = Desk::new().with("t.csv", table).with("trees/code.csv", "v00;*\nv01;*\n");
    insta::assert_snapshot!(desk.refused("anonymize t.csv -o r.csv --rest keep --qi code -k 2 --hierarchies trees"), @r"
    exit code 2
    error: 28 values are not in the hierarchy:
        'v02' (1 row)
        'v03' (1 row)
        'v04' (1 row)
        'v05' (1 row)
        'v06' (1 row)
        'v07' (1 row)
        'v08' (1 row)
        'v09' (1 row)
        'v10' (1 row)
        'v11' (1 row)
        'v12' (1 row)
        'v13' (1 row)
        'v14' (1 row)
        'v15' (1 row)
        'v16' (1 row)
        'v17' (1 row)
        'v18' (1 row)
        'v19' (1 row)
        'v20' (1 row)
        'v21' (1 row)
        'v22' (1 row)
        'v23' (1 row)
        'v24' (1 row)
        'v25' (1 row)
        'v26' (1 row)
        'v27' (1 row)
        'v28' (1 row)
        'v29' (1 row)
      where: t.csv, column 'code', hierarchy trees/code.csv
      way out: add a line for each value to the hierarchy; perhaps 'v02' is meant to be 'v00'
    ");
}

#[test]
fn a_leaf_with_two_parents() {
    let zip = "41075;410**;*\n41076;410**;*\n41099;410**;*\n48201;482**;*\n48202;482**;*\n41076;482**;*\n";
    insta::assert_snapshot!(refused(zip), @r"
    exit code 2
    error: the hierarchy contradicts itself:
        line 6: '41076' has another path on line 2: a value must have one parent
      where: trees/zip.csv, hierarchy of 'zip'
      way out: give every value exactly one line, and every group exactly one parent
    ");
}

#[test]
fn a_group_that_is_its_own_ancestor() {
    insta::assert_snapshot!(refused("41075;a;b;*\n41076;b;a;*\n41099;a;b;*\n48201;b;a;*\n48202;a;b;*\n"), @r"
    exit code 2
    error: the hierarchy contradicts itself:
        line 2: 'b' lies below 'a' here and below '*' on line 1: a release cannot tell them apart
        line 2: 'a' lies below '*' here and below 'b' on line 1: a release cannot tell them apart
      where: trees/zip.csv, hierarchy of 'zip'
      way out: give every value exactly one line, and every group exactly one parent
    ");
}

#[test]
fn an_empty_hierarchy() {
    insta::assert_snapshot!(refused(""), @r"
    exit code 2
    error: the hierarchy has no values, expected one line per value of the column
      where: trees/zip.csv, hierarchy of 'zip'
    ");
}

#[test]
fn a_hierarchy_in_latin_1() {
    insta::assert_snapshot!(refused(b"41075;R\xE9gion;*\n"), @r"
    exit code 2
    error: the hierarchy file is not UTF-8 text, it may be Latin-1 or Windows-1252
      where: trees/zip.csv, line 1
      way out: save it as UTF-8 in the editor or spreadsheet it came from
    ");
}

#[test]
fn a_folder_of_hierarchies_that_is_none() {
    let line = format!("anonymize people.csv -o release.csv {ROLES} --hierarchies nowhere");
    insta::assert_snapshot!(Desk::with_people().refused(&line), @r"
    exit code 2
    error: this is not a folder, expected one with a file per column
      where: --hierarchies nowhere
      way out: name the folder that holds <column>.csv; `hierarchy build` makes such files
    ");
    let line = format!("anonymize people.csv -o release.csv {ROLES} --hierarchies people.csv");
    insta::assert_snapshot!(Desk::with_people().refused(&line), @r"
    exit code 2
    error: this is not a folder, expected one with a file per column
      where: --hierarchies people.csv
      way out: name the folder that holds <column>.csv; `hierarchy build` makes such files
    ");
}

#[test]
fn a_hierarchy_of_the_job_file_that_is_not_there() {
    let job = "k = 3\nrest = \"drop\"\n[columns]\nzip = { role = \"quasi-identifier\", hierarchy = \"zipp.csv\" }\n";
    let desk = Desk::with_people().with("job.toml", job);
    insta::assert_snapshot!(desk.refused("anonymize people.csv -o release.csv --job job.toml"), @r"
    exit code 2
    error: cannot open the hierarchy file: No such file or directory (os error 2)
      where: zipp.csv
      way out: give the path of a CSV, Amnesia or JSON hierarchy
    ");
}

#[test]
fn building_what_cannot_be_built() {
    let desk = Desk::with_people();
    insta::assert_snapshot!(desk.refused("hierarchy build people.csv --column zpi --balanced 2"), @r"
    exit code 2
    error: there is no column 'zpi'
      where: people.csv
      way out: did you mean 'zip'?
    ");
    insta::assert_snapshot!(desk.refused("hierarchy build people.csv --column sex --ranges 5"), @r"
    exit code 2
    error: 2 values are not numbers of usual size: 'f', 'm'
      where: hierarchy of 'sex'
      way out: ranges need numbers; use a mask, a file or a balanced tree for words
    ");
    insta::assert_snapshot!(desk.refused("hierarchy build people.csv --column zip --dates month"), @r"
    exit code 2
    error: 5 values are not ISO dates: '41075', '41076', '48201', '48202', '41099'
      where: hierarchy of 'zip'
      way out: write dates as year-month-day, such as 2020-03-05
    ");
    insta::assert_snapshot!(desk.refused("hierarchy build people.csv --column zip --dates mnth"), @r"
    exit code 2
    error: 'mnth' is not a date level, expected some of minute/hour/day/week/month/quarter/year/decade/century
      where: --dates
      way out: did you mean 'month'?
    ");
    insta::assert_snapshot!(desk.refused("hierarchy build people.csv --column zip --balanced 1"), @r"
    exit code 2
    error: a balanced tree needs at least 2 groups per level, 1 given
      where: hierarchy of 'zip'
      way out: 4 is a good start
    ");
    insta::assert_snapshot!(desk.refused("hierarchy build people.csv --column zip --ranges 10,5"), @r"
    exit code 2
    error: width 5 is not a multiple of the width 10 before it
      where: hierarchy of 'zip'
      way out: give widths from fine to coarse, each a multiple of the one before, such as 5, 10, 20
    ");
    insta::assert_snapshot!(desk.refused("hierarchy build people.csv --column zip --balanced 2 -o people.csv"), @r"
    exit code 2
    error: the output is the input
      where: people.csv
      way out: give -o another name; the input is never overwritten
    ");
    insta::assert_snapshot!(desk.refused("hierarchy build people.csv --column zip --balanced 2 -o zip.xyz"), @r"
    exit code 2
    error: the ending does not say which format to write
      where: zip.xyz
      way out: end the name in .csv, .txt or .json, or add --to arx|amnesia|mosaicrown
    ");
}
