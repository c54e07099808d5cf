//! `--notion`: what else "hiding among k" can mean.

use serde_json::Value;

use crate::common::Desk;

fn desk() -> Desk {
    let table = "age,city,dis\n20,A1,x\n21,A1,y\n22,A2,x\n40,B1,y\n41,B1,x\n43,B2,y\n44,B2,z\n,B1,z\n";
    let tree = "A1;A;*\nA2;A;*\nB1;B;*\nB2;B;*\n";
    Desk::new().with("t.csv", table).with("trees/city.csv", tree)
}

const ROLES: &str = "--rest keep --qi age,city --sensitive dis --hierarchies trees";

#[test]
fn every_notion_is_kept_and_told() {
    let desk = desk();
    for notion in ["k", "1k", "k1", "kk", "global-1k"] {
        let flags = format!("{ROLES} -k 2 --notion {notion}");
        desk.done(&format!("anonymize t.csv -o r.csv {flags} --quiet"));
        let told = desk.done(&format!("verify r.csv --original t.csv {flags}")).text();
        let expected = match notion {
            "k" => "Met: k = 2\n".to_owned(),
            "1k" | "k1" => format!("Met: k = 2, notion {notion} (protects nobody by itself)\n"),
            _ => format!("Met: k = 2, notion {notion}\n"),
        };
        assert!(told.ends_with(&expected), "{told}");
        assert!(told.contains("published rows a person fits, at least (1,k)"), "{told}");
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
    let roles = "--rest keep --qi city --sensitive dis --hierarchies trees -k 2";
    for notion in ["1k", "kk", "global-1k"] {
        desk.done(&format!("anonymize t.csv -o r.csv {roles} --notion {notion} --missing suppress --quiet"));
        if notion != "1k" {
            let certificate = desk.read("r.csv.certificate.json");
            assert!(
                certificate.contains("row of the original that is released in this way"),
                "{certificate}"
            );
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
        format!("{anonymize} --notion kk --intervals midpoint"),
        format!("{anonymize} --algorithm agglomerative --distance 2 --set distance=3"),
        format!("{anonymize} --algorithm agglomerative --set epsilon=0.5"),
    ] {
        let ran = desk.run(&line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.err);
        assert!(ran.err.contains("where:") && ran.err.contains("way out:"), "{}", ran.err);
    }
}

/// It is about rows of the original; asked without it, it is not met, and listed.
#[test]
fn a_notion_takes_the_original() {
    let desk = desk();
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} -k 2 --notion kk --quiet"));
    let ran = desk.run(&format!("verify r.csv {ROLES} -k 2 --notion kk"));
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("not checked: the notion 'kk': that takes --original"), "{}", ran.err);
    assert!(ran.err.contains("not met: the notion 'kk' could not be checked"), "{}", ran.err);
}

/// Without classes there is no saying that fewer suppressed rows would not do: this table has a (3,3)-anonymous release.
#[test]
fn what_cannot_be_in_a_class_might_still_be_released() {
    let desk = Desk::new().with("t.csv", "age\n0\n1\n3\n4\n13\n19\n21\n22\n24\n");
    let job = "anonymize t.csv -o r.csv --rest keep --qi age -k 3 --max-width age=10 --notion kk";
    desk.done(&format!("{job} --quiet"));
    assert!(!desk.read("r.csv.certificate.json").contains("does with fewer"));
    let refused = desk.run(&format!("{job} --suppress 0%"));
    assert_eq!(refused.code, Some(3));
    assert!(refused.err.contains("no release was found"), "{}", refused.err);
}

/// A name as in the paper, a distance in the job file, an identifier that shows nothing.
#[test]
fn small_kindnesses() {
    let desk =
        desk().with("job.toml", "distance = 2\nalgorithm = \"agglomerative\"\nsettings = { distance = 2 }\n");
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} -k 2 --notion (k,k) --quiet"));
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} -k 2 --job job.toml --quiet"));
    let two = desk.run(&format!("anonymize t.csv -o r.csv {ROLES} -k 2 --job job.toml --distance 3"));
    assert_eq!(two.code, Some(2));
    let masked = Desk::new().with("r.csv", "name,age\n*,20\n*,20\n");
    masked.done("verify r.csv --identifier name --qi age -k 2");
}

/// What is said beside a release does not contradict what was verified of it.
#[test]
fn notes_and_findings_agree() {
    let desk = desk();
    let diverse = desk.done(&format!("anonymize t.csv -o r.csv {ROLES} -k 4 --notion global-1k"));
    let said = diverse.text() + &diverse.err;
    assert!(said.contains("different values of dis") != said.contains("share one value of 'dis'"), "{said}");
    let same = Desk::new().with("t.csv", "age,dis\n20,x\n21,x\n22,x\n40,x\n");
    let told = same.done("anonymize t.csv -o r.csv --qi age --sensitive dis -k 2 --notion global-1k").err;
    assert!(told.contains("share one value of 'dis'; -p 2 prevents it"), "{told}");
}
