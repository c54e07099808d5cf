//! `kohort risk`.

use crate::common::{Desk, PEOPLE, ROLES};

const BEFORE: &str = "\
age,zip,illness
\"[20, 29]\",410**,flu
\"[20, 29]\",410**,gout
\"[20, 29]\",410**,asthma
\"[50, 69]\",482**,flu
\"[50, 69]\",482**,flu
\"[50, 69]\",482**,gout
";

/// One person more in the first class, which grew for her.
const AFTER: &str = "\
age,zip,illness
\"[50, 69]\",482**,flu
\"[50, 69]\",482**,flu
\"[50, 69]\",482**,gout
\"[20, 33]\",410**,asthma
\"[20, 33]\",410**,flu
\"[20, 33]\",410**,gout
\"[20, 33]\",410**,flu
";

/// A whole class more.
const GROWN: &str = "\
age,zip,illness
\"[50, 69]\",482**,flu
\"[50, 69]\",482**,flu
\"[50, 69]\",482**,gout
\"[20, 29]\",410**,asthma
\"[20, 29]\",410**,flu
\"[20, 29]\",410**,gout
\"[30, 33]\",410**,flu
\"[30, 33]\",410**,flu
\"[30, 33]\",410**,gout
";

const COLUMNS: &str = "--qi age,zip --sensitive illness";

fn desk() -> Desk {
    Desk::new().with("before.csv", BEFORE).with("after.csv", AFTER).with("grown.csv", GROWN)
}

#[test]
fn one_person_more() {
    let line = format!("risk --releases before.csv after.csv {COLUMNS} -k 3");
    let ran = desk().run(&line);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    insta::assert_snapshot!("one_person_more", format!("{}\n{}", ran.text(), ran.err));
    insta::assert_snapshot!("one_person_more_json", desk().run(&format!("{line} --json")).text());
    let quiet = desk().run(&format!("{line} --quiet"));
    assert_eq!((quiet.code, quiet.text().as_str(), quiet.err.as_str()), (Some(1), "", ""));
}

#[test]
fn a_class_more() {
    let ran = desk().run(&format!("risk --releases before.csv grown.csv {COLUMNS} -p 2"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!(format!("{}\n{}", ran.text(), ran.err));
}

#[test]
fn people_may_have_left() {
    let ran = desk().run(&format!("risk --releases before.csv after.csv {COLUMNS} -k 3 --may-leave"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!(ran.text());
}

#[test]
fn a_person_who_is_known() {
    let line = format!("risk --releases before.csv after.csv {COLUMNS} -k 4 --known age=25");
    let ran = desk().run(&line);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.text().contains("rows that could be those of the person you described"), "{}", ran.text());
    let nobody = desk().run(&format!("risk --releases before.csv after.csv {COLUMNS} --known age=99"));
    assert!(nobody.err.contains("no row of every release could be hers"), "{}", nobody.err);
}

/// Nobody names a column: the certificates do.
#[test]
fn as_the_certificates_claim() {
    let more = format!("{PEOPLE}Moe,35,m,41076,flu,new\n");
    let desk = Desk::with_people().with("more.csv", more);
    desk.done(&format!("anonymize people.csv -o a.csv {ROLES} --quiet"));
    desk.done(&format!("anonymize more.csv -o b.csv {ROLES} --quiet"));
    let ran = desk.run("risk --releases a.csv b.csv");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    insta::assert_snapshot!(format!("{}\n{}", ran.text(), ran.err));
}

/// Only rows and values are counted; whatever else is demanded is said.
#[test]
fn demands_that_are_not_looked_at() {
    let risk = |asked: &str| {
        let ran = desk().run(&format!("risk --releases before.csv grown.csv {COLUMNS} -k 3 {asked}"));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.err
    };
    let alpha = risk("--alpha 0.7");
    assert!(alpha.contains("not tried: whether sets of people satisfy"), "{alpha}");
    let notion = risk("--notion kk");
    assert!(notion.contains("notion 'kk'"), "{notion}");
}

#[test]
fn what_is_refused() {
    insta::assert_snapshot!("no_columns", desk().refused("risk --releases before.csv after.csv"));
    insta::assert_snapshot!("one_release", desk().refused(&format!("risk --releases before.csv {COLUMNS}")));
    insta::assert_snapshot!(
        "known_badly",
        desk().refused(&format!("risk --releases before.csv after.csv {COLUMNS} --known 34"))
    );
    insta::assert_snapshot!(
        "no_quasi_identifier",
        desk().refused(&format!("risk --releases before.csv after.csv {COLUMNS} --known illness=flu"))
    );
}

#[test]
fn what_is_known_is_listed() {
    let line = format!("risk --releases before.csv after.csv {COLUMNS} -k 4 --known age=25,zip=41075");
    let ran = desk().run(&line);
    assert!(
        ran.text().contains("Known of a person who is in all of them: age = 25, zip = 41075"),
        "{}",
        ran.text()
    );
    let found: serde_json::Value =
        serde_json::from_str(&desk().run(&format!("{line} --json")).text()).unwrap();
    assert_eq!(found["known"]["age"], "25");
}

#[test]
fn sensitive_columns_are_named() {
    let ran = desk().run(&format!("risk --releases before.csv after.csv {COLUMNS} -p 4"));
    assert!(ran.text().contains("different values of 'illness'"), "{}", ran.text());
}

/// Certificates of a growing table say which release is the earlier one.
#[test]
fn releases_in_the_wrong_order() {
    let more = "name,age,sex,zip,illness,note\nMax,33,m,41075,flu,new\nNia,35,f,41076,gout,new\nOle,36,m,41076,flu,new\n";
    let desk = Desk::with_people().with("more.csv", more);
    desk.done(&format!("append --ledger t.ledger people.csv {ROLES} -o a.csv --quiet"));
    desk.done("append --ledger t.ledger more.csv -o b.csv --quiet");
    let right = desk.done("risk --releases a.csv b.csv");
    assert!(!right.err.contains("in the order in which they were named"), "{}", right.err);
    let wrong = desk.refused("risk --releases b.csv a.csv");
    assert!(
        wrong.contains("b.csv is release 2 of its table and stands before a.csv, which is release 1"),
        "{wrong}"
    );
    assert!(wrong.contains("name the earliest first: a.csv b.csv"), "{wrong}");
    let by_flags = desk.refused(&format!("risk --releases b.csv a.csv {COLUMNS}"));
    assert!(by_flags.contains("stands before"), "{by_flags}");
    std::fs::remove_file(desk.path("a.csv.certificate.json")).unwrap();
    let unknown = desk.run(&format!("risk --releases b.csv a.csv {COLUMNS}"));
    assert!(unknown.err.contains("nothing in them tells"), "{}", unknown.err);
}
