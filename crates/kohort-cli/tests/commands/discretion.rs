//! What is not said: nothing to those who asked for silence, and no secrets to anybody.

use crate::common::Desk;

const TABLE: &str = "\
name,age,town,consent,illness,remark
Zaphod,34,North,no,leprosy,first
Trillian,36,North,no,cholera,second
Marvin,35,South,no,leprosy,third
Arthur,61,South,yes,typhus,fourth
Ford,58,East,no,cholera,fifth
Slarti,,East,no,typhus,sixth
Eddie,22,West,no,leprosy,seventh
Agrajag,90,West,no,cholera,eighth
";

const SECRETS: [&str; 11] = [
    "Zaphod", "Trillian", "Marvin", "Arthur", "Ford", "Slarti", "Eddie", "Agrajag", "leprosy", "cholera",
    "typhus",
];

const ROLES: &str = "--identifier name --rest keep --qi age,town --sensitive illness";

fn desk() -> Desk {
    Desk::new()
        .with("t.csv", TABLE)
        .with("trees/town.csv", "North;Up;*\nEast;Up;*\nSouth;Down;*\nWest;Down;*\n")
}

/// Runs that have something to warn of or to note: columns nobody named, opt-outs, suppressed rows, idle marks.
const CHATTY: [&str; 5] = [
    "-k 2 --opt-out consent=yes",
    "-k 2 --opt-out consent=perhaps",
    "-k 2 --hierarchies trees --max-generalization town=Up --max-generalization town=East --max-generalization town=North",
    "-k 2 --hierarchies trees --max-generalization town=Up --cuts age=50",
    "-k 2 --algorithm kaca --set threshold=0.5 --suppress 25%",
];

/// Verdicts, good and bad, on what [`releases`] makes.
const VERDICTS: [&str; 7] = [
    "good.csv --original t.csv -k 3 --hierarchies trees --max-generalization town=Up --max-generalization town=Down",
    "good.csv -k 3 --hierarchies trees --max-generalization town=Up",
    "open.csv --original t.csv -k 3",
    "open.csv --original t.csv -k 3 --opt-out consent=yes",
    "open.csv -k 3 --opt-out consent=yes",
    "forged.csv --original t.csv -k 3 -p 3 --opt-out consent=yes",
    "t.csv --original t.csv -k 2 -p 2",
];

fn releases() -> Desk {
    let desk = desk();
    desk.done(&format!("anonymize t.csv -o good.csv {ROLES} -k 3 --hierarchies trees --quiet"));
    desk.done(&format!("anonymize t.csv -o open.csv {ROLES} -k 3 --opt-out consent=yes --quiet"));
    let forged = desk.read("open.csv").replace("typhus", "scurvy");
    desk.with("forged.csv", forged)
}

#[test]
fn a_quiet_run_warns_of_nothing() {
    let desk = releases();
    let runs = CHATTY.iter().map(|flags| format!("anonymize t.csv -o r.csv {ROLES} {flags}"));
    for line in runs.chain(VERDICTS.iter().map(|flags| format!("verify {flags} {ROLES}"))) {
        let loud = desk.run(&line);
        assert!(loud.err.lines().count() > 0, "{line}");
        let quiet = desk.run(&format!("{line} --quiet"));
        assert_eq!(quiet.code, loud.code, "{line}");
        // Twelve people are told apart by any column that is released as it is.
        let is_risk = |said: &str| said.contains("released as");
        assert!(quiet.text().is_empty() && quiet.err.lines().all(is_risk), "{line}\n{}", quiet.err);
    }
}

/// Names and illnesses stand in the table, and in the release where they belong; nobody prints them.
#[test]
fn no_secrets_on_standard_error() {
    let desk = releases();
    let mut lines: Vec<(Option<i32>, String)> = Vec::new();
    lines.extend(CHATTY.iter().map(|flags| (Some(0), format!("anonymize t.csv -o r.csv {ROLES} {flags}"))));
    lines.extend(VERDICTS.iter().map(|flags| (None, format!("verify {flags} {ROLES}"))));
    for (code, flags) in [
        (2, "-k 2 --max-generalization illness=plague"),
        (2, "-k 2 --max-generalization name=Zarquon"),
        (2, "-k 2 --max-width illness=3"),
        (2, "-k 2 --cuts name=3"),
        (2, "-k 2 --cuts age=young"),
        (2, "-k 2 --opt-out illnes=plague"),
        (2, "-k 2 --opt-out illness"),
        (2, "-k 2 --opt-out age=34"),
        (2, "-k 2 --type town=integer"),
        (2, "-k 2 --missing refuse"),
        (3, "-k 9"),
        (3, "-k 4 -p 4"),
        (3, "-k 5 --hierarchies trees --max-generalization town=Up --max-generalization town=Down"),
        (3, "-k 2 -p 2 --max-width age=0"),
        (3, "-k 2 --missing suppress --suppress 0%"),
        (3, "-k 4 --cuts age=50 --suppress 0%"),
    ] {
        lines.push((Some(code), format!("anonymize t.csv -o no.csv {ROLES} {flags}")));
    }
    for (code, line) in lines {
        let ran = desk.run(&line);
        assert!(code.is_none() || ran.code == code, "{line}\n{}", ran.err);
        assert!(!ran.err.is_empty(), "{line}");
        for secret in SECRETS {
            assert!(!ran.err.contains(secret), "{line}\n{}", ran.err);
            assert!(!ran.text().contains(secret), "{line}\n{}", ran.text());
        }
    }
}
