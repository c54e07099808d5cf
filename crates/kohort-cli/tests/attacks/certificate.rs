//! What travels with a release must not speak about the original. Somebody who holds release and certificate tries every
//! value that a person who is not in the release could have, and looks which of them gives the certificate.

use std::collections::BTreeSet;

use crate::common::Desk;

/// Makes the release of every table and returns how many different releases and certificates there are.
fn different(tables: &[String], line: &str) -> (usize, usize) {
    let (mut releases, mut certificates) = (BTreeSet::new(), BTreeSet::new());
    for table in tables {
        let desk = Desk::new().with("t.csv", table);
        desk.done(&format!("anonymize t.csv -o r.csv {line}"));
        releases.insert(desk.bytes("r.csv"));
        certificates.insert(desk.bytes("r.csv.certificate.json"));
    }
    (releases.len(), certificates.len())
}

/// Twenty usual people, and one whose value is to be found out.
fn with_one_more(
    header: &str,
    usual: impl Fn(usize) -> String,
    others: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let rows: String = (0..20).map(|i| usual(i) + "\n").collect();
    others.into_iter().map(|other| format!("{header}\n{rows}{other}\n")).collect()
}

/// Loss against the original tells how wide a column was, and so how old the one is who was left out.
#[test]
fn the_age_of_somebody_suppressed() {
    let usual = |i: usize| format!("p{i},{},{}", 30 + i / 4, ["flu", "gout"][i % 2]);
    let others = (60..120).step_by(7).map(|age| format!("x,{age},flu"));
    let tables = with_one_more("name,age,diag", usual, others);
    let roles = "--identifier name --rest keep --qi age --sensitive diag -k 4";
    assert_eq!(different(&tables, &format!("{roles} --max-width age=10")), (1, 1));
    assert_eq!(different(&tables, &format!("{roles} --max-width age=10 --snap age=5")), (1, 1));
    assert_eq!(different(&tables, &format!("{roles} --suppress 10%")), (1, 1));
}

/// The distance of classes from the original tells which value is missing from the release.
#[test]
fn the_diagnosis_of_somebody_suppressed() {
    let usual = |i: usize| format!("{},{}", i / 10, ["flu", "gout", "hiv", "none", "cold"][i % 5]);
    let others = ["flu", "gout", "hiv", "none", "cold"].map(|diagnosis| format!(",{diagnosis}"));
    let tables = with_one_more("ward,diag", usual, others);
    let line = "--rest keep --qi ward --type ward=category --sensitive diag -k 4 --missing suppress --t-closeness 0.4";
    assert_eq!(different(&tables, line), (1, 1));
}

/// A digest of the input lets anybody test guesses about columns that are not even released.
#[test]
fn columns_that_are_dropped() {
    let guesses = (0..16u32).map(|guess| {
        let status = |i: u32| if guess >> (i % 4) & 1 == 1 { "pos" } else { "neg" };
        (0..12u32).fold("name,age,hiv\n".to_owned(), |text, i| {
            text + &format!("p{i},{},{}\n", 30 + i / 4, status(i))
        })
    });
    let tables: Vec<String> = guesses.collect();
    assert_eq!(different(&tables, "--identifier name,hiv --rest keep --qi age -k 4"), (1, 1));
}

/// How the release was found is nobody's business: which algorithm won, weights, seed, time.
#[test]
fn the_way_to_the_release() {
    let table: String =
        (0..12u32).fold("age,job\n".into(), |text, i| text + &format!("{},j{}\n", 30 + i / 4, i % 4));
    let desk = Desk::new().with("t.csv", table).with("w.toml", "[columns]\nage = { weight = 3 }\n");
    let ways = [
        "",
        "--seed 7",
        "--algorithm mondrian",
        "--measure lm",
        "--time-limit 60s",
        "--job w.toml",
        "--algorithm kaca",
    ];
    let certificates: BTreeSet<Vec<u8>> = ways
        .iter()
        .map(|way| {
            desk.done(&format!("anonymize t.csv -o r.csv --rest keep --qi age --sensitive job -k 4 {way}"));
            desk.bytes("r.csv.certificate.json")
        })
        .collect();
    assert_eq!(certificates.len(), 1);
}

/// A column is taken for numbers or categories by all its values, those of suppressed people included.
#[test]
fn what_a_column_was_taken_for() {
    let usual = |i: usize| format!("{},1", 30 + i / 4);
    let others = ["", "unknown", "7.5", "3"].map(|odd| format!("{odd},0"));
    let tables = with_one_more("age,n", usual, others);
    let line = "--rest keep --qi age,n -k 4 --suppress 20%";
    let (releases, certificates) = different(&tables, line);
    assert!(certificates <= releases, "{certificates} certificates of {releases} releases");
}

/// Whether `7` and `7.0` are one value must not depend on somebody who is left out: else a class of equal diagnoses passes
/// for a diverse one.
#[test]
fn one_odd_value_does_not_make_two_of_one() {
    let desk = Desk::new().with("t.csv", "age,d\n20,7\n20,7.0\n30,5\n30,5.0\n119,x\n");
    let ran = desk.run(
        "anonymize t.csv --rest keep --qi age --sensitive d -k 2 -p 2 --suppress 20% -o r.csv --no-audit",
    );
    if ran.code == Some(0) {
        let release = desk.read("r.csv");
        let of = |age: &str| release.lines().filter(|l| l.starts_with(age)).count();
        assert_eq!((of("20,"), of("30,")), (0, 0), "every age tells the diagnosis:\n{release}");
    } else {
        assert_eq!(ran.code, Some(3), "{}", ran.err);
    }
}

/// The audit record is for its owner alone.
#[cfg(unix)]
#[test]
fn the_audit_record_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new().with("t.csv", "a\n1\n1\n");
    desk.done("anonymize t.csv -o r.csv --rest keep --qi a -k 2");
    let mode = |name: &str| desk.path(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("r.csv.audit.json"), 0o600);
    assert!(desk.read("r.csv.audit.json").contains("PRIVATE"));
}

/// Where the release goes to a pipe, the steward decides about the audit record.
#[test]
fn a_pipe_has_no_place_beside_it() {
    let desk = Desk::new().with("t.csv", "a\n1\n1\n");
    let message = desk.refused("anonymize t.csv -o - --rest keep --qi a -k 2");
    assert!(message.contains("exit code 2") && message.contains("--no-audit"), "{message}");
    desk.done("anonymize t.csv -o - --rest keep --qi a -k 2 --no-audit");
    desk.done("anonymize t.csv -o - --rest keep --qi a -k 2 --audit mine.json");
    assert!(desk.read("mine.json").contains("kohort audit record"));
}
