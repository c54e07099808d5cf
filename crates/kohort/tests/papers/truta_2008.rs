//! p-Sensitive k-anonymity: Tables 1 to 4, and how many classes their sensitive values allow.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use kohort::Error;
use kohort::algorithm::Quiet;
use kohort::data::{Ground, Kind, MissingSensitive, Table};
use kohort::input::{ColumnSpec, JobSpec};
use kohort::job::Verdict;
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::measure::Measure;
use kohort::model::{Closeness, Distribution, Tally, i_value, max_clusters};

use super::close;
use super::common::by_hand::{paths, whole_numbers};
use super::common::draw::Shape;
use super::common::files::{Folder, read};
use super::common::plain::Plain;
use super::common::plain::optimum::most_classes;
use super::common::secrets::Secret;

const SENSITIVE: [&str; 2] = ["Diagnosis", "Income"];

const TABLE_1: [&str; 6] = [
    "Name,SSN,Age,Zip,Diagnosis,Income",
    "Alice,123456789,44,48202,AIDS,\"17,000\"",
    "Bob,323232323,44,48202,AIDS,\"68,000\"",
    "Charley,232345656,44,48201,Asthma,\"80,000\"",
    "Dave,333333333,55,48310,Asthma,\"55,000\"",
    "Eva,666666666,55,48310,Diabetes,\"23,000\"",
];

const TABLE_2: [&str; 6] = [
    "Age,Zip,Diagnosis,Income",
    "44,4820*,AIDS,\"17,000\"",
    "44,4820*,AIDS,\"68,000\"",
    "44,4820*,Asthma,\"80,000\"",
    "55,48310,Asthma,\"55,000\"",
    "55,48310,Diabetes,\"23,000\"",
];

const TABLE_3: [&str; 8] = [
    "Age,ZipCode,Diagnosis,Income",
    "20,41099,AIDS,\"60,000\"",
    "20,41099,AIDS,\"60,000\"",
    "20,41099,AIDS,\"40,000\"",
    "30,41099,Diabetes,\"50,000\"",
    "30,41099,Diabetes,\"40,000\"",
    "30,41099,Tuberculosis,\"50,000\"",
    "30,41099,Tuberculosis,\"40,000\"",
];

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&n| n.to_owned()).collect()
}

/// The size of every class of a table, and the number of different values in its two sensitive columns.
fn classes(table: &[&str]) -> Vec<[usize; 3]> {
    let mut found: Vec<(String, [Vec<String>; 2])> = Vec::new();
    for line in &table[1..] {
        let (cells, income) = line.split_once(",\"").unwrap();
        let (qi, diagnosis) = cells.rsplit_once(',').unwrap();
        let at = found.iter().position(|class| class.0 == qi).unwrap_or_else(|| {
            found.push((qi.to_owned(), [Vec::new(), Vec::new()]));
            found.len() - 1
        });
        found[at].1[0].push(diagnosis.to_owned());
        found[at].1[1].push(income.to_owned());
    }
    let different = |values: &[String]| values.iter().collect::<BTreeSet<_>>().len();
    found.iter().map(|(_, [d, i])| [d.len(), different(d), different(i)]).collect()
}

fn verdict(release: PathBuf, original: Option<PathBuf>, file: &JobSpec) -> Verdict {
    FileVerifyJob::new(file, release, original).and_then(|job| job.run(&Quiet)).unwrap()
}

#[test]
fn example_6_the_two_anonymous_table() {
    let folder = Folder::new();
    folder.lines("trees/Zip.csv", &["48202;4820*;48***;*", "48201;4820*;48***;*", "48310;4831*;48***;*"]);
    let original = folder.lines("table1.csv", &TABLE_1);
    let release = folder.lines("table2.csv", &TABLE_2);
    let file = JobSpec {
        identifier: names(&["Name", "SSN"]),
        qi: names(&["Age", "Zip"]),
        sensitive: names(&SENSITIVE),
        hierarchies: Some(folder.path("trees")),
        k: Some(2),
        p: Some(2),
        ..JobSpec::default()
    };
    let found = verdict(release, Some(original.clone()), &file);
    assert!(found.shortfalls.is_empty(), "{:?}", found.shortfalls);
    let (achieved, loss) = (&found.summary.achieved, found.summary.loss.unwrap());
    assert_eq!((achieved.k, achieved.largest_class, loss.dm), (2, 3, 13));
    assert_eq!((achieved.p["Diagnosis"], achieved.p["Income"]), (2, 2));
    close(loss.avg, 1.25);
    assert_eq!(classes(&TABLE_2), [[3, 2, 3], [2, 2, 2]]);
    let unmasked = verdict(original.clone(), Some(original), &file);
    assert_eq!(unmasked.summary.achieved.k, 1, "Charley stands alone");
    assert!(!unmasked.shortfalls.is_empty());
}

#[test]
fn example_6_and_7_how_many_classes_are_possible() {
    assert_eq!((max_clusters(&[2, 2, 1], 2), max_clusters(&[2, 2, 1], 3)), (2, 1));
    assert_eq!(max_clusters(&[1; 5], 2), 2);
    assert_eq!((max_clusters(&[3, 2, 2], 2), max_clusters(&[3, 2, 2], 3)), (3, 2));
}

#[test]
fn example_7_homogeneous_classes_are_noticed() {
    let folder = Folder::new();
    let file = JobSpec {
        qi: names(&["Age", "ZipCode"]),
        sensitive: names(&SENSITIVE),
        k: Some(3),
        p: Some(2),
        ..JobSpec::default()
    };
    let found = verdict(folder.lines("table3.csv", &TABLE_3), None, &file);
    let achieved = &found.summary.achieved;
    assert_eq!((achieved.k, achieved.largest_class, found.summary.classes), (3, 4, 2));
    assert_eq!((achieved.p["Diagnosis"], achieved.p["Income"]), (1, 2));
    assert_eq!(found.shortfalls.len(), 1, "{:?}", found.shortfalls);
    assert_eq!(classes(&TABLE_3), [[3, 1, 2], [4, 2, 2]]);

    let mut changed = TABLE_3;
    changed[3] = "20,41099,Asthma,\"40,000\"";
    let found = verdict(folder.lines("changed.csv", &changed), None, &file);
    assert!(found.shortfalls.is_empty(), "{:?}", found.shortfalls);
    assert_eq!((found.summary.achieved.p["Diagnosis"], found.summary.achieved.p["Income"]), (2, 2));
}

/// Table 4, full-domain half, with the printed age ranges as a hierarchy: the table of the paper is the only minimal solution.
#[test]
fn section_4_3_incognito_chooses_levels() {
    let folder = Folder::new();
    let zips = ["41076;410**;*****", "41075;410**;*****", "41099;410**;*****", "48201;482**;*****"];
    folder.lines("trees/ZipCode.csv", &zips);
    folder.lines("trees/Age.csv", &["25;20-30;*", "35;30-40;*", "38;30-40;*", "36;30-40;*"]);
    let original = folder.lines(
        "table4.csv",
        &[
            "Age,ZipCode,Gender",
            "25,41076,Male",
            "25,41075,Male",
            "35,41099,Female",
            "38,48201,Female",
            "36,41075,Female",
        ],
    );
    let file = JobSpec {
        input: Some(original),
        output: Some(folder.path("masked.csv")),
        qi: names(&["Age", "ZipCode", "Gender"]),
        hierarchies: Some(folder.path("trees")),
        k: Some(2),
        solutions: Some(folder.path("solutions.csv")),
        keep_order: Some(true),
        ..JobSpec::default()
    };
    let outcome = FileJob::new(file.clone()).unwrap().run(&Quiet).unwrap();
    let loss = outcome.summary.loss.unwrap();
    // Zip codes at the root cost 1 per row, ages 10 of 13 years each, the width of the printed ranges; gender is kept.
    close(loss.il_total, 5.0 + 50.0 / 13.0);
    assert_eq!((loss.dm, outcome.summary.achieved.k), (13, 2));
    close(loss.avg, 1.25);
    let solutions = read(&folder.path("solutions.csv"));
    let levels: Vec<&str> = solutions.iter().map(|s| s["levels"].as_str()).collect();
    assert_eq!(levels, ["Age=1,ZipCode=2,Gender=0"]);
    let masked = read(&folder.path("masked.csv"));
    let tuples: Vec<_> =
        masked.iter().map(|r| format!("{} {} {}", r["Age"], r["ZipCode"], r["Gender"])).collect();
    let (young, old) = ("20-30 ***** Male", "30-40 ***** Female");
    assert_eq!(tuples, [young, young, old, old, old]);

    // With zip codes at their middle level the woman of 48201 stands alone.
    let fixed = JobSpec { levels: [("ZipCode".to_owned(), 1)].into(), ..file };
    let refused = FileJob::new(fixed).unwrap().run(&Quiet).err().unwrap().to_string();
    assert!(refused.contains("1 of 5 rows lie in classes that fall short"), "{refused}");
}

/// Ages are generalized without hierarchy, as the text of the paper says, not to the ranges the table prints (S1-5).
#[test]
fn example_8_cell_level_and_full_domain_loss() {
    let folder = Folder::new();
    let zips = ["41076;410**;*****", "41075;410**;*****", "41099;410**;*****", "48201;482**;*****"];
    folder.lines("trees/ZipCode.csv", &zips);
    let original = folder.lines(
        "table4.csv",
        &[
            "Age,ZipCode,Gender",
            "25,41076,Male",
            "25,41075,Male",
            "35,41099,Female",
            "38,48201,Female",
            "36,41075,Female",
        ],
    );
    let file = JobSpec {
        qi: names(&["Age", "ZipCode", "Gender"]),
        hierarchies: Some(folder.path("trees")),
        k: Some(2),
        ..JobSpec::default()
    };
    for (first_zip, il) in [("410**", 61.0 / 13.0), ("*****", 74.0 / 13.0)] {
        let young = format!("25,{first_zip},Male");
        let old = "\"[35, 38]\",*****,Female";
        let release = folder.lines("masked.csv", &["Age,ZipCode,Gender", &young, &young, old, old, old]);
        let found = verdict(release, Some(original.clone()), &file);
        assert!(found.shortfalls.is_empty(), "{:?}", found.shortfalls);
        let loss = found.summary.loss.unwrap();
        close(loss.il_total, il);
        close(loss.il, il / 15.0);
        assert_eq!((found.summary.achieved.k, loss.dm), (2, 13));
        close(loss.avg, 1.25);
    }
}

#[test]
fn example_9_how_many_classes_and_how_many_rarer_values() {
    for (frequencies, p, classes, i) in [
        (&[10, 6, 4, 3, 2][..], 3, 7, 2),
        (&[17, 2, 1], 2, 3, 1),
        (&[60, 20, 10, 10], 3, 20, 2),
        // Without the case i = p, which is 12 / 2, it would be 12 - 3.
        (&[3, 3, 3, 3], 2, 6, 2),
    ] {
        let found = (max_clusters(frequencies, p), i_value(frequencies, p));
        assert_eq!(found, (classes, i), "{frequencies:?}, p = {p}");
    }
}

/// Every pair of columns allows two classes, all three together allow one.
#[test]
fn example_10_three_columns_may_not_reach_the_bound() {
    let rows = ["0", "1", "2", "3"];
    for (secrets, most) in [("aabb xyxy", 2), ("aabb uwwu", 2), ("xyxy uwwu", 2), ("aabb xyxy uwwu", 1)] {
        let table = whole_numbers(&rows, secrets);
        assert_eq!(most_classes(&Plain::new(&table, Measure::Il, 1, 2)), most, "{secrets}");
    }
    assert_eq!(max_clusters(&[2, 2], 2), 2);
}

/// A column of one row per value, and the distance of some of them from all.
#[track_caller]
fn distance(shape: Shape, ground: Ground, values: &[&str], class: &[&str]) -> f64 {
    let texts: Vec<String> = values.iter().map(|&v| v.to_owned()).collect();
    let secret = Secret { shape, texts, protected: Vec::new(), ground, missing: MissingSensitive::Ignore };
    let table = Table { rows: values.len(), sensitive: vec![secret.encoded("s0")], ..Table::default() };
    let mut tally = Tally::new(1);
    for value in class {
        tally.add([values.iter().position(|v| v == value).unwrap() as u32], 1);
    }
    let s = &table.sensitive[0];
    let all = Arc::new(Distribution::new(&table, s));
    Closeness::new(s, all, ground).unwrap().distance(&tally.columns()[0])
}

/// The example of the t-closeness paper: salaries of 3 to 11 thousand, one each.
#[test]
fn example_15_ordered_distances() {
    let salaries = ["3000", "4000", "5000", "6000", "7000", "8000", "9000", "10000", "11000"];
    for (class, expected) in [(["3000", "4000", "5000"], 0.375), (["6000", "8000", "11000"], 1.0 / 6.0)] {
        close(distance(Shape::Number(Kind::Integer), Ground::Ordered, &salaries, &class), expected);
    }
}

#[test]
fn example_15_hierarchical_and_equal_distances() {
    let values = ["a", "b", "c", "d"];
    let tree = || paths(&["a;ab;*", "b;ab;*", "c;cd;*", "d;cd;*"]);
    for (class, expected) in [(&["a", "b"][..], 0.5), (&["a", "c"], 0.25), (&["a"], 0.625)] {
        close(distance(tree(), Ground::Hierarchical, &values, class), expected);
    }
    for (class, expected) in [(&["a", "b"][..], 0.5), (&["a"], 0.75)] {
        close(distance(Shape::Flat, Ground::Equal, &values, class), expected);
    }
}

/// Lung and bone cancer differ, but either way it is cancer: protected together they are one (`algorithms.md` §3.5).
#[test]
fn any_cancer_is_one_protected_value() {
    let folder = Folder::new();
    let illnesses = ["lung cancer;cancer;*", "bone cancer;cancer;*", "flu;virus;*", "cold;virus;*"];
    folder.lines("trees/illness.csv", &illnesses);
    let lines = ["age,illness", "20,lung cancer", "21,bone cancer", "40,flu", "41,cold"];
    let original = folder.lines("people.csv", &lines);
    let file = |protected: &[&str]| {
        let entry = ColumnSpec { protected: Some(names(protected)), ..ColumnSpec::default() };
        JobSpec {
            input: Some(original.clone()),
            output: Some(folder.path("release.csv")),
            qi: names(&["age"]),
            sensitive: names(&["illness"]),
            hierarchies: Some(folder.path("trees")),
            k: Some(2),
            p: Some(2),
            columns: [("illness".to_owned(), entry)].into(),
            ..JobSpec::default()
        }
    };
    // Either cancer needs somebody without: ages 20 and 40, 21 and 41, which is a year less than all of them together.
    for (protected, width) in [(&[][..], 1.0), (&["cancer"], 20.0), (&["lung cancer"], 1.0)] {
        let found = FileJob::new(file(protected)).unwrap().run(&Quiet).unwrap().summary;
        assert_eq!((found.classes, found.achieved.l_distinct["illness"] >= 2), (2, true), "{protected:?}");
        let lost = found.loss.as_ref().unwrap().il;
        assert!((lost - width / 21.0).abs() < 1e-6, "{protected:?}: {lost}");
        assert!(found.achieved.p["illness"] >= 2, "{protected:?}");
    }
    // What was made without regard to it is noticed, and says so of the figure that fails.
    FileJob::new(file(&[])).unwrap().run(&Quiet).unwrap();
    let found = verdict(folder.path("release.csv"), Some(original.clone()), &file(&["cancer"]));
    assert_eq!((found.summary.achieved.p["illness"], found.summary.achieved.l_distinct["illness"]), (1, 2));
    assert_eq!(found.shortfalls.len(), 1, "{:?}", found.shortfalls);
    // All of it protected together: nobody could be told apart.
    let refused = FileJob::new(file(&["*"])).unwrap().run(&Quiet).err();
    assert!(matches!(refused, Some(Error::Unsolvable(_))), "{refused:?}");
}
