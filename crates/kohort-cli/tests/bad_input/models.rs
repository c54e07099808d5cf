//! Demands on sensitive values that cannot be understood or met. No sensitive value is ever shown.

use crate::common::Desk;

fn desk() -> Desk {
    let table = "age,illness\n20,flu\n21,flu\n22,hiv\n23,flu\n24,cold\n25,flu\n";
    Desk::new()
        .with("t.csv", table)
        .with("trees/illness.csv", "flu;lung;*\nhiv;immune;*\n")
        .with("whole/illness.csv", "flu;lung;*\nhiv;immune;*\ncold;lung;*\n")
}

fn refused(flags: &str) -> (Option<i32>, String) {
    let desk = desk();
    let ran =
        desk.run(&format!("anonymize t.csv -o r.csv --rest keep --qi age --sensitive illness -k 2 {flags}"));
    assert!(!desk.path("r.csv").exists(), "nothing may be written");
    for secret in ["flu", "hiv", "cold"] {
        assert!(!ran.err.contains(secret), "{}", ran.err);
    }
    assert!(ran.err.contains("way out:"), "{}", ran.err);
    (ran.code, ran.err)
}

#[test]
fn what_cannot_be_understood() {
    for flags in [
        "--l-diversity 3",
        "--l-diversity distinct:0",
        "--l-diversity recursive:2",
        "--l-diversity distinct:3",
        "--t-closeness 1.5",
        "--t-closeness 0.2:near",
        "--t-closeness 0.2:ordered",
        "--t-closeness 0.2:hierarchical",
        "--t-closeness 0.2:hierarchical --hierarchies trees",
        "--alpha 0",
        "--alpha 2",
        "-p 2 --protected illness=lung",
        "-p 2 --protected illness=lungs --hierarchies whole",
        "-p 2 --protected age=lung",
        "--alpha 0.5 --notion kk",
        "--beta-likeness 0",
        "--beta-likeness 1 --notion global-1k",
        "--delta-disclosure much",
        "--delta-disclosure 1@age",
        "-p 2 --protected illness=lung --hierarchies whole --notion global-1k",
    ] {
        let (code, message) = refused(flags);
        assert_eq!(code, Some(2), "{flags}: {message}");
    }
}

#[test]
fn what_no_table_of_these_rows_can_meet() {
    insta::assert_snapshot!(refused("--l-diversity entropy:2.5").1, @r"
    error: entropy 2.5-diversity, but sensitive column 'illness' as a whole is only entropy 2.38-diverse
      where: --l-diversity
      way out: ask for entropy:2.38 or less, or allow rows of its frequent values to be left out with --suppress (incognito leaves out whole classes only)
    ");
    insta::assert_snapshot!(refused("--l-diversity recursive:1,2").1, @r"
    error: recursive (1,2)-diversity, but sensitive column 'illness' as a whole is only recursive (2.01,2)-diverse
      where: --l-diversity
      way out: ask for recursive:2.01,2 or a larger c, or allow rows of its frequent values to be left out with --suppress (incognito leaves out whole classes only)
    ");
    insta::assert_snapshot!(refused("--alpha 0.5").1, @r"
    error: alpha = 0.5, but sensitive column 'illness' has a value with a share of 0.667
      where: --alpha
      way out: ask for alpha ≥ 0.667, or allow rows of its frequent values to be left out with --suppress (incognito leaves out whole classes only)
    ");
    insta::assert_snapshot!(refused("-p 2 --protected illness=* --hierarchies whole").1, @r"
    error: p = 2, but sensitive column 'illness' has values of only 1 kind, protected ones counted as one
      where: -p
      way out: ask for p ≤ 1, or protect fewer values together
    ");
    insta::assert_snapshot!(refused("--alpha 0.5 --suppress 17%").1, @r"
    error: the sensitive values of the table are too much alike for k = 2 and alpha = 0.5; at least 2 of 6 rows would have to be left out, but only 1 may be
      where: --suppress
      way out: --suppress 33.4% lets them go, or ask for less
    ");
}
