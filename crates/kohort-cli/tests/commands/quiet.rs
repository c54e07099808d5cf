//! What a script sees: nothing it did not ask for.

use super::common::{Desk, ROLES};

#[test]
fn a_quiet_run_prints_nothing() {
    let desk = Desk::with_people();
    let ran = desk
        .done(&format!("anonymize people.csv -o release.csv {} --quiet", ROLES.replace("--keep", "--drop")));
    assert_eq!((ran.text().as_str(), ran.err.as_str()), ("", ""));
    let ran = desk.done("verify release.csv --qi age,sex,zip -k 3 --quiet");
    assert_eq!((ran.text().as_str(), ran.err.as_str()), ("", ""));
}

#[test]
fn a_quiet_verdict_is_the_exit_code_alone() {
    let desk = Desk::with_people();
    let ran = desk.run("verify people.csv --qi age,sex,zip -k 3 --quiet");
    assert_eq!((ran.code, ran.text().as_str(), ran.err.as_str()), (Some(1), "", ""));
}

#[test]
fn a_quiet_run_still_reports_errors() {
    let ran =
        Desk::with_people().run("anonymize people.csv -o release.csv --rest keep --qi aeg -k 3 --quiet");
    assert_eq!((ran.code, ran.text().as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("error: there is no column 'aeg'"), "{}", ran.err);
}

#[test]
fn a_quiet_release_to_standard_output_is_the_release_alone() {
    let roles = ROLES.replace("--keep", "--drop");
    let ran = Desk::with_people().done(&format!("anonymize people.csv -o - --no-audit {roles} --quiet"));
    assert!(ran.text().starts_with("age,sex,zip,illness\n"), "{}", ran.text());
    assert_eq!(ran.err, "");
}

/// The release alone goes to standard output; what there is to say goes beside it.
#[test]
fn a_release_to_standard_output_is_not_mixed_with_words() {
    let desk = Desk::with_people();
    let ran = desk.done(&format!("anonymize people.csv -o - --no-audit {ROLES}"));
    let quiet = desk.done(&format!("anonymize people.csv -o - --no-audit {ROLES} --quiet"));
    assert_eq!(ran.out, quiet.out);
    assert!(ran.err.contains("Verified"), "{}", ran.err);
}

#[test]
fn there_is_no_progress_bar_in_a_pipe() {
    let desk = Desk::new();
    desk.done("generate census --rows 2000 -o t.csv");
    for algorithm in ["k-member", "mondrian"] {
        let line = format!(
            "anonymize t.csv -o r.csv --rest keep --qi age,sex,postcode --sensitive income -k 5 --algorithm {algorithm}"
        );
        let ran = desk.done(&line);
        let lines: Vec<&str> = ran.err.lines().collect();
        assert!(
            lines.iter().all(|line| line.starts_with("note: ") || line.starts_with("warning: ")),
            "{lines:?}"
        );
        assert!(!ran.err.contains(['\r', '\u{1b}', '█', '⠁']), "{:?}", ran.err);
        assert!(!ran.text().contains(['\r', '\u{1b}']), "{:?}", ran.text());
    }
}

#[test]
fn json_is_one_object_and_nothing_else() {
    let desk = Desk::with_people();
    for line in [
        format!("anonymize people.csv -o release.csv {ROLES} --json --quiet"),
        "verify release.csv --qi age,sex,zip --json".into(),
        "list --json".into(),
    ] {
        let ran = desk.done(&line);
        let value: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
        assert!(value.is_object());
        assert_eq!(ran.err, "", "{line}");
    }
}
