//! `--suppress` and the threshold of kaca.

use serde_json::{Value, json};

use crate::common::Desk;

const ROLES: &str = "--identifier patient_id,name --rest keep --qi birth_date,sex,postcode --sensitive diagnosis --hierarchies trees --type birth_date=date";

fn hospital() -> Desk {
    let desk = Desk::new();
    desk.done("generate hospital --rows 150 -o t.csv --hierarchies trees");
    desk
}

fn ran(desk: &Desk, line: &str) -> Value {
    serde_json::from_str(&desk.done(&format!("anonymize t.csv -o r.csv {line} --json --quiet")).text())
        .unwrap()
}

fn reasons(json: &Value) -> u64 {
    json["suppressed_because"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum()
}

#[test]
fn never_more_rows_and_never_more_loss() {
    let desk = hospital();
    let mut went = 0;
    for algorithm in ["k-member", "oka", "systematic-plus", "kaca", "mondrian"] {
        let line = format!("{ROLES} -k 5 --algorithm {algorithm}");
        let all = ran(&desk, &line);
        assert_eq!(all["suppressed"], 0);
        let mut least = all["loss"]["il"].as_f64().unwrap();
        for (share, most) in [("0%", 0), ("1%", 1), ("0.05", 7), ("20%", 30), ("100%", 150)] {
            let some = ran(&desk, &format!("{line} --suppress {share}"));
            let (gone, il) = (some["suppressed"].as_u64().unwrap(), some["loss"]["il"].as_f64().unwrap());
            assert!(gone <= most, "{algorithm} {share}: {gone}");
            assert!(il <= least + 1e-12, "{algorithm} {share}: {il} after {least}");
            assert_eq!(reasons(&some), gone);
            assert_eq!(some["suppressed_because"]["costly"], gone);
            assert!(some["achieved"]["k"].as_u64() >= Some(5));
            least = il;
            went += gone;
        }
    }
    assert!(went > 0, "nothing was ever suppressed: this test shows nothing");
}

/// The limit is one for all reasons: a missing value, boundaries, cost.
#[test]
fn one_limit_for_all_reasons() {
    let desk = hospital();
    let line = format!("{ROLES} -k 3 --algorithm mondrian --missing suppress --cuts birth_date=1950-01-01");
    let missing = ran(&desk, &line)["suppressed_because"]["missing"].as_u64().unwrap();
    for (share, most) in [("5%", 7), ("10%", 15), ("50%", 75)] {
        let json = ran(&desk, &format!("{line} --suppress {share}"));
        assert_eq!(json["suppressed_because"]["missing"], missing);
        assert_eq!(json["suppressed"].as_u64().unwrap(), reasons(&json));
        assert!(reasons(&json) <= most, "{share}: {json}");
    }
}

#[test]
fn the_audit_record_says_how_many_might_go() {
    let desk = hospital();
    for (share, said) in [("7%", "7"), ("0.29", "29"), ("33.4%", "33.4"), ("0.5%", "0.5"), ("100%", "100")] {
        ran(&desk, &format!("{ROLES} -k 5 --suppress {share}"));
        let audit: Value = serde_json::from_str(&desk.read("r.csv.audit.json")).unwrap();
        let words = audit["suppression"][0].as_str().unwrap();
        assert_eq!(words, format!("At most {said} % of the rows might be suppressed."));
    }
}

/// Six people alike two by two, and one whom nobody resembles.
const OUTLIER: &str = "age,zip\n20,1\n20,1\n21,1\n21,1\n22,1\n22,1\n90,9\n";

#[test]
fn kaca_leaves_out_what_is_far_from_all() {
    let desk = Desk::new().with("t.csv", OUTLIER);
    let line = "--rest keep --qi age,zip -k 2 --algorithm kaca";
    let because = |flags: &str| {
        let json = ran(&desk, &format!("{line} {flags}"));
        (json["suppressed"].as_u64().unwrap(), json["suppressed_because"]["outliers"].as_u64().unwrap())
    };
    assert_eq!(because(""), (0, 0));
    assert_eq!(because("--set threshold=1 --suppress 50%"), (1, 1));
    // The distance is counted in lost cells: joining two others would cost three rows of two cells, or little less.
    assert_eq!(because("--set threshold=5 --suppress 50%"), (1, 1));
    assert_eq!(because("--set threshold=6 --suppress 50%").1, 0);
    assert_eq!(because("--set threshold=1 --suppress 0%"), (0, 0));
    assert_eq!(because("--set threshold=1 --suppress 14%"), (0, 0));
    assert_eq!(because("--set threshold=1 --suppress 14.3%"), (1, 1));
    assert_eq!(because("--set threshold=1 --suppress 100%"), (1, 1));
    let release = ran(&desk, &format!("{line} --set threshold=1 --suppress 50%"));
    assert_eq!(release["loss"]["modification_rate"], json!(1.0 / 7.0));
    desk.done("verify r.csv --original t.csv --qi age,zip -k 2");
}

/// Whoever sets a threshold hears how many rows it cost; the audit record says it, too.
#[test]
fn outliers_are_told() {
    let desk = Desk::new().with("t.csv", OUTLIER);
    let shown = desk
        .done("anonymize t.csv -o r.csv --rest keep --qi age,zip -k 2 --algorithm kaca --set threshold=1 --suppress 50%");
    insta::assert_snapshot!(shown.err, @r"
    warning: 14 % of the rows are suppressed, and not at random
    note: 1 row suppressed: farther from all others than the threshold of the algorithm
    ");
    let audit: Value = serde_json::from_str(&desk.read("r.csv.audit.json")).unwrap();
    assert_eq!(
        audit["suppression"],
        json!([
            "At most 50 % of the rows might be suppressed.",
            "1 row: farther from all others than the algorithm's threshold."
        ])
    );
    assert_eq!(audit["work"]["settings"], json!({ "threshold": "1" }));
}

/// A suppressed cell counts in full, also in a column that is constant: suppressing must not look cheaper than it is.
#[test]
fn constant_columns_are_lost_with_the_row() {
    let row = |i: i32| format!("{},1,1,1,1,1,s{}\n", if i < 17 { i % 4 } else { 10 + (i - 16) * 30 }, i % 3);
    let table: String = std::iter::once("x,a,b,c,d,e,s\n".to_owned()).chain((0..20).map(row)).collect();
    let desk = Desk::new().with("t.csv", table);
    let line = "--rest keep --qi x,a,b,c,d,e --sensitive s -k 5";
    let loss = |flags: &str| ran(&desk, &format!("{line} {flags}"))["loss"]["il_total"].as_f64().unwrap();
    assert!(loss("--suppress 20%") <= loss(""));
}
