//! The next release of a growing table.

use crate::common::{Desk, ROLES};

/// Four more people.
const MORE: &str = "\
name,age,sex,zip,illness,note
Max,33,m,41075,flu,new
Nia,35,f,41076,gout,new
Ole,36,m,41076,flu,new
Pia,61,f,48201,asthma,new
";

/// Two, too few for a group of their own.
const FEW: &str = "name,age,sex,zip,illness,note\nQuin,30,m,41075,flu,few\nRia,31,f,41076,gout,few\n";

fn desk() -> Desk {
    let desk = Desk::with_people().with("more.csv", MORE).with("few.csv", FEW);
    desk.done(&format!("append --ledger t.ledger people.csv {ROLES} -o r1.csv"));
    desk
}

#[test]
fn batches_are_released_or_wait() {
    let desk = desk();
    let few = desk.done("append --ledger t.ledger few.csv -o r2.csv");
    assert!(few.err.contains("2 rows wait in the ledger"), "{}", few.err);
    assert!(few.text().contains("waiting for the next batch, in no release"), "{}", few.text());
    assert_eq!(desk.read("r1.csv"), desk.read("r2.csv"));
    let more = desk.done("append --ledger t.ledger more.csv -o r3.csv --json").text();
    let said: serde_json::Value = serde_json::from_str(&more).unwrap();
    let growth = &said["growth"];
    assert_eq!(
        (&growth["batch"], &growth["had_waited"], &growth["release"]),
        (&4.into(), &2.into(), &3.into())
    );
    assert_eq!(growth["appended"].as_u64().unwrap() + growth["waiting"].as_u64().unwrap(), 6);
    let release = desk.read("r3.csv");
    assert_eq!(release.lines().filter(|line| line.ends_with(",new") || line.ends_with(",few")).count(), 6);
    assert!(!release.contains("Quin"));
    desk.done("verify r3.csv");
}

#[test]
fn what_was_asked_stays() {
    let desk = desk();
    let refused = desk.refused("append --ledger t.ledger more.csv -k 2 -o r2.csv");
    assert!(refused.contains("k is different") && refused.contains("where: -k"), "{refused}");
    let twice = desk.refused("append --ledger t.ledger people.csv -o r2.csv");
    assert!(twice.contains("12 rows have the same identifiers"), "{twice}");
    let piped = desk.refused("append --ledger t.ledger more.csv -o -");
    assert!(piped.contains("goes to a file"), "{piped}");
}
