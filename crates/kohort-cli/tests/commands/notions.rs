//! `--notion`: what else "hiding among k" can mean.

use serde_json::Value;

use crate::common::Desk;

fn desk() -> Desk {
    let table = "age,city,dis\n20,A1,x\n21,A1,y\n22,A2,x\n40,B1,y\n41,B1,x\n43,B2,y\n44,B2,z\n,B1,z\n";
    let tree = "A1;A;*\nA2;A;*\nB1;B;*\nB2;B;*\n";
    Desk::new().with("t.csv", table).with("trees/city.csv", tree)
}

const ROLES: &str = "--qi age,city --sensitive dis --hierarchies trees";

#[test]
fn every_notion_is_kept_and_told() {
    let desk = desk();
    for notion in ["k", "1k", "k1", "kk", "global-1k"] {
        let flags = format!("{ROLES} -k 2 --notion {notion}");
        desk.done(&format!("anonymize t.csv -o r.csv {flags} --quiet"));
        let told = desk.done(&format!("verify r.csv --original t.csv {flags}")).text();
        let expected =
            if notion == "k" { "Met: k = 2\n".to_owned() } else { format!("Met: k = 2, notion {notion}\n") };
        assert!(told.ends_with(&expected), "{told}");
        let certificate: Value = serde_json::from_str(&desk.read("r.csv.certificate.json")).unwrap();
        assert_eq!(certificate["asked"]["notion"], notion);
    }
}

/// A row that is suppressed ties nobody to anything, even if it lies in fewer than k tuples.
#[test]
fn suppressed_rows_do_not_count() {
    let desk = Desk::new()
        .with("t.csv", "city,dis\nA1,x\nB1,y\nB1,y\n,x\n")
        .with("trees/city.csv", "A1;A;*\nA2;A;*\nB1;B;*\n");
    let roles = "--qi city --sensitive dis --hierarchies trees -k 2";
    for notion in ["1k", "kk", "global-1k"] {
        desk.done(&format!("anonymize t.csv -o r.csv {roles} --notion {notion} --missing suppress --quiet"));
        if notion != "1k" {
            let certificate = desk.read("r.csv.certificate.json");
            assert!(certificate.contains("row of the original that is not suppressed"), "{certificate}");
        }
    }
}

#[test]
fn contradictions_are_refused() {
    let desk = desk();
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} -k 2 --notion kk --quiet"));
    let anonymize = format!("anonymize t.csv -o x.csv {ROLES} -k 2");
    let verify = format!("verify r.csv --original t.csv {ROLES}");
    for line in [
        format!("{anonymize} --algorithm kk-expansion"),
        format!("{anonymize} --notion global-1k --algorithm kk-nearest"),
        format!("{anonymize} --notion kk -p 2"),
        format!("{anonymize} --notion kkk"),
        format!("{anonymize} --algorithm agglomerative --distance 5"),
        format!("{anonymize} --algorithm agglomerative --set epsilon=0"),
        format!("{verify} -k 2 -p 2 --notion kk"),
        format!("{verify} --notion kk"),
    ] {
        let ran = desk.run(&line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.err);
        assert!(ran.err.contains("where:") && ran.err.contains("way out:"), "{}", ran.err);
    }
    let alone = desk.run(&format!("verify r.csv {ROLES} -k 2 --notion kk"));
    assert_eq!(alone.code, Some(1));
    assert!(alone.err.contains("that takes --original"), "{}", alone.err);
}
