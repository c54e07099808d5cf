//! Releases within boundaries, and what `verify` says about those that go beyond.

use serde_json::{Value, json};

use crate::common::{Desk, MARKS, TOWN_ROLES};

const ALGORITHMS: [&str; 7] =
    ["k-member", "greedy-cka", "oka", "systematic", "systematic-plus", "kaca", "mondrian"];

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The object that `verify` prints beside the original, and the exit code.
fn verified(desk: &Desk, release: &str, flags: &str) -> (Value, Option<i32>) {
    let ran = desk.run(&format!("verify {release} --original towns.csv {TOWN_ROLES} {flags} --json"));
    (parsed(&ran.text()), ran.code)
}

#[test]
fn a_release_within_boundaries() {
    let desk = Desk::with_towns();
    let line = format!("anonymize towns.csv -o release.csv {TOWN_ROLES} {MARKS} -k 3 --algorithm greedy-cka");
    let ran = desk.done(&format!("{line} --keep-order --json"));
    let json = parsed(&ran.text());
    assert_eq!((&json["rows"], &json["released"]), (&json!(12), &json!(8)));
    assert_eq!(json["suppressed"], 4);
    assert_eq!(
        json["suppressed_because"],
        json!({ "missing": 0, "boundaries": 4, "skewed": 0, "outliers": 0, "costly": 0, "levels": 0 })
    );
    assert_eq!(json["achieved"]["boundary_violations"], 0);
    assert_eq!(json["algorithm"], "greedy-cka");
    insta::assert_snapshot!(ran.err, @r"
    warning: rows keep the order of the table (--keep-order): whoever knows anything about that order may tell whose they are
    warning: 33 % of the rows are suppressed, and not at random; --suppress sets a limit
    note: 4 rows suppressed: within the boundaries too few others are like them
    note: column 'location', max_generalization: 1 value has no limit, because no node above is named (such as 'Seattle')
    note: nobody is left of column 'location': 'Midwest' (2), 'US' (2)
    ");
    // Seattle might become US and Lincoln Midwest, but nobody else may become that with them.
    insta::assert_snapshot!(desk.read("release.csv"), @r#"
    age,location,illness
    "[25, 33]",California,flu
    "[25, 33]",California,gout
    "[25, 33]",California,flu
    "[25, 33]",California,asthma
    "[26, 55]",Kansas,flu
    "[26, 55]",Kansas,gout
    "[26, 55]",Kansas,asthma
    "[26, 55]",Kansas,flu
    "#);
    insta::assert_snapshot!("boundaries_certificate", desk.read("release.csv.certificate.json"));
    insta::assert_snapshot!("boundaries_summary", desk.done(&line).text());
}

#[test]
fn every_algorithm_keeps_every_kind() {
    let desk = Desk::with_towns();
    let kinds = [
        MARKS.to_owned(),
        "--max-width age=12".into(),
        "--cuts age=30.5,50".into(),
        format!("{MARKS} --cuts age=40"),
        format!("{MARKS} --max-width age=20 -p 2"),
    ];
    for algorithm in ALGORITHMS {
        for boundaries in &kinds {
            let line = format!("anonymize towns.csv -o r.csv {TOWN_ROLES} {boundaries} -k 2 --json");
            let json = parsed(&desk.done(&format!("{line} --algorithm {algorithm}")).text());
            assert_eq!(json["achieved"]["boundary_violations"], 0, "{algorithm} {boundaries}");
            assert_eq!(json["suppressed"], json["suppressed_because"]["boundaries"]);
            let (found, code) = verified(&desk, "r.csv", &format!("-k 2 {boundaries}"));
            assert_eq!((code, &found["achieved"]["boundary_violations"]), (Some(0), &json!(0)));
            assert_eq!(found["suppressed"], json["suppressed"]);
        }
    }
}

/// The same classes, in the order of the table and shuffled: the same cells go too far.
#[test]
fn a_release_that_goes_too_far() {
    let desk = Desk::with_towns();
    let line = format!("anonymize towns.csv {TOWN_ROLES} -k 5 --algorithm k-member --quiet");
    desk.done(&format!("{line} -o kept.csv --keep-order"));
    desk.done(&format!("{line} -o shuffled.csv"));
    for (boundaries, beyond) in [
        (MARKS.to_owned(), 10),
        ("--max-width age=15".into(), 5),
        ("--cuts age=28,50".into(), 12),
        (format!("{MARKS} --cuts age=28,50"), 22),
    ] {
        for (release, check) in [("kept.csv", "row-by-row"), ("shuffled.csv", "matched")] {
            let (json, code) = verified(&desk, release, &format!("-k 5 {boundaries}"));
            assert_eq!(code, Some(1), "{release} {boundaries}");
            assert_eq!(json["achieved"]["boundary_violations"], beyond, "{release} {boundaries}");
            assert_eq!(json["achieved"]["source_check"], check);
            assert_eq!(json["achieved"]["illegal_cells"], 0);
        }
    }
    let ran = desk.run(&format!("verify shuffled.csv --original towns.csv {TOWN_ROLES} -k 5 {MARKS}"));
    insta::assert_snapshot!(ran.err, @"not met: 10 cells are generalized beyond the boundaries");
    assert!(ran.text().contains("cells beyond their boundary"), "{}", ran.text());
    let (json, code) = verified(&desk, "kept.csv", "-k 5");
    assert_eq!((code, &json["achieved"]["boundary_violations"]), (Some(0), &json!(0)));
}

/// Without the original nobody can tell.
#[test]
fn verify_says_what_it_could_not_check() {
    let desk = Desk::with_towns();
    desk.done(&format!("anonymize towns.csv {TOWN_ROLES} -k 2 --max-width age=20 --quiet -o r.csv"));
    let line = "verify r.csv --qi age,location --sensitive illness -k 2 --max-width age=20 --json";
    let ran = desk.run(line);
    assert_eq!(ran.code, Some(1));
    let json = parsed(&ran.text());
    assert_eq!((&json["achieved"]["boundary_violations"], &json["met"]), (&Value::Null, &json!(false)));
    insta::assert_snapshot!(ran.err, @"not met: whether cells stay within the boundaries could not be checked: that takes --original");
}

/// Middles of intervals hide how wide they are, from everybody: that is no shortfall, but nobody says it is met either.
#[test]
fn boundaries_behind_middles_are_not_checked() {
    let desk = Desk::with_towns();
    for demand in ["--max-width age=20", "--cuts age=35,50", "--max-generalization location=US"] {
        let roles = format!("{TOWN_ROLES} -k 2 {demand} --intervals midpoint");
        desk.done(&format!("anonymize towns.csv {roles} --quiet -o m.csv"));
        for original in ["", "--original towns.csv"] {
            let line = format!("verify m.csv {original} {roles}");
            let json = parsed(&desk.done(&format!("{line} --json")).text());
            let achieved = &json["achieved"]["boundary_violations"];
            assert_eq!((achieved, &json["met"]), (&Value::Null, &json!(true)), "{line}");
            let unchecked = "whether cells stay within the boundaries: middles do not tell how far a value was generalized";
            assert!(json["not_checked"].as_array().unwrap().contains(&json!(unchecked)), "{line}\n{json:#}");
            let said = desk.done(&line);
            assert!(said.err.contains(&format!("not checked: {unchecked}")), "{}", said.err);
            assert!(!said.text().contains("boundaries"), "{}", said.text());
        }
        // What is missed all the same is said.
        let ran = desk.run(&format!("verify m.csv {roles}").replace("-k 2", "-k 9"));
        assert_eq!(ran.code, Some(1), "{}", ran.err);
    }
}

#[test]
fn a_job_file_does_the_same_as_flags() {
    let job = r#"
        identifier = ["name"]
        qi = ["age", "location"]
        sensitive = ["illness"]
        hierarchies = "trees"
        k = 2
        suppress = 0.25
        [columns]
        age = { cuts = [30, "50"] }
        location = { max_generalization = ["Midwest", "Kansas", "California"] }
    "#;
    let desk = Desk::with_towns().with("job.toml", job);
    desk.done("anonymize towns.csv -o from-job.csv --job job.toml --quiet");
    desk.done(&format!(
        "anonymize towns.csv -o from-flags.csv {TOWN_ROLES} -k 2 --suppress 25% --cuts age=30,50 {MARKS} --quiet"
    ));
    assert_eq!(desk.read("from-job.csv"), desk.read("from-flags.csv"));
    assert_eq!(desk.read("from-job.csv.certificate.json"), desk.read("from-flags.csv.certificate.json"));
}

/// A flag stands in the place of what the job file says about the column, of whatever kind that is.
#[test]
fn flags_win_over_the_job_file() {
    let job = "k = 2\nrest = \"drop\"\nqi = [\"age\", \"location\"]\nhierarchies = \"trees\"\n[columns]\nage = { cuts = [30] }\nlocation = { max_generalization = [\"West Coast\", \"Kansas\"] }\n";
    let desk = Desk::with_towns().with("job.toml", job);
    let line = "anonymize towns.csv -o r.csv --job job.toml --quiet";
    let boundaries = |flags: &str| {
        desk.done(&format!("{line} {flags}"));
        parsed(&desk.read("r.csv.certificate.json"))["asked"]["boundaries"].clone()
    };
    let cuts = json!("no interval across 30");
    let places = json!("at most to Kansas, West Coast; values below none of them without limit");
    assert_eq!(boundaries(""), json!({ "age": cuts, "location": places }));
    assert_eq!(
        boundaries("--max-width age=25"),
        json!({ "age": "intervals of at most 25 (days for dates, seconds for times), no interval across 30", "location": places })
    );
    assert_eq!(
        boundaries("--max-generalization location=California"),
        json!({ "age": cuts, "location": "at most to California; values below none of them without limit" })
    );
}

/// On a grid an interval may end at the cut; `verify` must know the grid to see that.
#[test]
fn cuts_on_a_grid() {
    let desk = Desk::with_towns();
    let flags = "-k 2 --snap age=10 --cuts age=30,50";
    let ran = desk.done(&format!("anonymize towns.csv -o r.csv {TOWN_ROLES} {flags} --json"));
    let (json, code) = verified(&desk, "r.csv", flags);
    assert_eq!((code, &json["achieved"]["boundary_violations"]), (Some(0), &json!(0)));
    assert_eq!(json["loss"], parsed(&ran.text())["loss"]);

    let desk = Desk::new().with("t.csv", "x\n0.05\n0.15\n0.25\n0.3\n0.31\n0.39\n0.55\n0.6\n0.7\n0.72\n");
    let flags = "--rest keep --qi x -k 2 --snap x=0.1 --cuts x=0.3,0.6";
    let ran = desk.done(&format!("anonymize t.csv -o r.csv {flags} --json"));
    assert_eq!(parsed(&ran.text())["achieved"]["boundary_violations"], 0);
    desk.done(&format!("verify r.csv --original t.csv {flags}"));
}

/// One of three must go, and it could be another one: fewest is not the same as these.
#[test]
fn the_audit_record_says_whether_fewer_would_do() {
    let desk = Desk::new().with("t.csv", "a,b\n0,5\n1,6\n2,7\n");
    let said = |flags: &str| {
        desk.done(&format!("anonymize t.csv -o r.csv --rest keep --qi a,b -k 2 {flags} --quiet"));
        parsed(&desk.read("r.csv.audit.json"))["suppression"][0].as_str().unwrap().to_owned()
    };
    insta::assert_snapshot!(said("--max-width a=1"), @"1 row: within the boundaries too few others are like them. No release within the boundaries does with fewer (constrained k-anonymity, Properties 5 and 6).");
    insta::assert_snapshot!(said("--max-width a=1 --max-width b=1"), @"1 row: within the boundaries too few others are like them. No release within the boundaries does with fewer (constrained k-anonymity, Properties 5 and 6).");
    insta::assert_snapshot!(said("--max-width a=1 --max-width b=1 --algorithm k-member"), @"1 row: within the boundaries too few others are like them. This is enough; it is not shown to be the least.");
}

#[test]
fn dates_have_days_for_a_width() {
    let table = "born\n2000-01-01\n2000-01-31\n2000-02-01\n2000-03-01\n2000-02-29\n2000-03-02\n";
    let desk = Desk::new().with("t.csv", table);
    desk.done("anonymize t.csv -o r.csv --rest keep --qi born -k 2 --max-width born=30 --keep-order --quiet");
    insta::assert_snapshot!(desk.read("r.csv"), @r#"
    born
    "[2000-01-01, 2000-01-31]"
    "[2000-01-01, 2000-01-31]"
    "[2000-02-01, 2000-02-29]"
    "[2000-03-01, 2000-03-02]"
    "[2000-02-01, 2000-02-29]"
    "[2000-03-01, 2000-03-02]"
    "#);
    desk.done("verify r.csv --original t.csv --qi born -k 2 --max-width born=30");
    let ran = desk.run("verify r.csv --original t.csv --qi born -k 2 --max-width born=29");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    desk.done(
        "anonymize t.csv -o r.csv --rest keep --qi born -k 2 --cuts born=2000-03-01 --keep-order --quiet",
    );
    insta::assert_snapshot!(desk.read("r.csv"), @r#"
    born
    "[2000-01-01, 2000-01-31]"
    "[2000-01-01, 2000-01-31]"
    "[2000-02-01, 2000-02-29]"
    "[2000-03-01, 2000-03-02]"
    "[2000-02-01, 2000-02-29]"
    "[2000-03-01, 2000-03-02]"
    "#);
}

/// A missing number may meet nothing but its like where intervals have a boundary: `*` would say too little.
#[test]
fn missing_values_stay_among_themselves() {
    let table = "age,sex\n20,f\n21,f\n,f\n,m\n50,m\n51,m\n52,m\n";
    let desk = Desk::new().with("t.csv", table);
    for boundary in ["--cuts age=30", "--max-width age=5"] {
        let line = format!("anonymize t.csv -o r.csv --rest keep --qi age,sex -k 2 {boundary} --keep-order");
        desk.done(&format!("{line} --quiet"));
        let release = desk.read("r.csv");
        let ages: Vec<&str> = release.lines().skip(1).map(|line| line.rsplit_once(',').unwrap().0).collect();
        assert_eq!(ages[..4], ["\"[20, 21]\"", "\"[20, 21]\"", "", ""], "{boundary}");
        let json = parsed(&desk.done(&format!("{line} --missing suppress --json")).text());
        assert_eq!(json["suppressed_because"]["missing"], 2);
        let line =
            format!("anonymize t.csv -o r.csv --rest keep --qi age,sex -k 3 {boundary} --json --quiet");
        let json = parsed(&desk.done(&line).text());
        assert_eq!((&json["released"], &json["suppressed_because"]["boundaries"]), (&json!(3), &json!(4)));
    }
}

#[test]
fn a_mark_that_changes_nothing_is_told() {
    let desk = Desk::with_towns();
    let line = format!(
        "anonymize towns.csv -o r.csv {TOWN_ROLES} -k 2 {MARKS} --max-generalization location=Nebraska"
    );
    insta::assert_snapshot!(desk.done(&line).err, @r"
    note: column 'location', max_generalization: 'Midwest' changes nothing, because every value below has a nearer marked node
    note: column 'location', max_generalization: 1 value has no limit, because no node above is named (such as 'Seattle')
    note: in some class all rows share one value of 'illness'; -p 2 prevents it
    ");
}

/// California and Kansas are one step above their towns. Where that step is the only one that weighs, it is the whole way.
#[test]
fn weights_of_levels() {
    let distortion = |weights: &str| {
        let job = format!("[columns]\nlocation = {{ {weights} }}\n");
        let desk = Desk::with_towns().with("job.toml", job);
        let line = format!("anonymize towns.csv -o r.csv --job job.toml {TOWN_ROLES} -k 4 {MARKS}");
        let ran = desk.done(&format!("{line} --measure whd --json --quiet"));
        parsed(&ran.text())["loss"]["distortion"].as_f64().unwrap()
    };
    // Four rows of two cells suppressed; intervals [25, 33] and [26, 55] of 36, four rows each.
    let rest = 8.0 + 4.0 * (8.0 + 29.0) / 36.0;
    for (weights, step) in [
        ("", 1.0 / 3.0),
        ("level_weights = { 2 = 0, 3 = 0 }", 1.0),
        ("level_weights = { 4 = 0 }", 0.0),
        ("level_weights = { 2 = 6.0, 4 = 3 }", 0.3),
    ] {
        let found = distortion(weights);
        assert!((found - rest - 8.0 * step).abs() < 1e-9, "{weights}: {found}");
    }
}

/// Found by a hostile reader: a quasi-identifier beside its own bounds is published twice.
#[test]
fn bounds_beside_their_column_are_no_disguise() {
    let desk = Desk::new().with("bm.csv", "age,age_min,age_max,dx\n*,31,31,a\n*,45,45,b\n*,52,52,c\n");
    let ran = desk.run("verify bm.csv --qi age --sensitive dx -k 3");
    assert!(ran.err.contains("because nobody said what they are: age_min, age_max"), "{}", ran.err);
}

/// Bounds cannot tell missing from anything; of a missing value nothing is lost either way.
#[test]
fn missing_numbers_as_bounds() {
    let table = "age,sex,dx\n,M,a\n,M,b\n20,M,a\n21,M,b\n50,M,a\n51,M,b\n";
    let desk = Desk::new().with("t.csv", table);
    for limit in ["--cuts age=40", "--max-width age=5"] {
        let flags = format!("--rest keep --qi age,sex --sensitive dx -k 2 {limit}");
        desk.done(&format!("anonymize t.csv -o r.csv {flags} --intervals bounds --quiet"));
        desk.done(&format!("verify r.csv --original t.csv {flags} --quiet"));
    }
}

/// Rows that fit where they stand by accident, because all is `*`.
#[test]
fn a_starred_release_in_another_order() {
    let desk = Desk::new().with("t.csv", "a,x\nc0,1\nc2,2\nc1,3\n");
    let flags = "--rest keep --qi a -k 2 --max-generalization a=c1 --suppressed star";
    desk.done(&format!("anonymize t.csv -o r.csv {flags} --quiet"));
    desk.done(&format!("verify r.csv --original t.csv {flags} --quiet"));
    let desk = Desk::new().with("t.csv", "a,b\n1,x\n1,x\n1,x\n2,x\n2,x\n2,x\n90,y\n");
    let flags = "--rest keep --qi a,b -k 3 --suppressed star";
    desk.done(&format!("anonymize t.csv -o r.csv {flags} --suppress 20% --quiet"));
    desk.done(&format!("verify r.csv --original t.csv {flags} --quiet"));
}

/// `[20, 30[` leaves 30 out, so it does not reach across a cut at 30; `[20, 30]` does.
#[test]
fn half_open_intervals_of_other_tools() {
    let desk = Desk::new()
        .with("t.csv", "age\n20\n25\n30\n35\n")
        .with("open.csv", "age\n\"[20, 30[\"\n\"[20, 30[\"\n\"[30, 40[\"\n\"[30, 40[\"\n")
        .with("closed.csv", "age\n\"[20, 30]\"\n\"[20, 30]\"\n\"[30, 40]\"\n\"[30, 40]\"\n");
    let line = |file: &str| format!("verify {file} --original t.csv --qi age -k 2 --cuts age=30 --quiet");
    assert_eq!(desk.run(&line("open.csv")).code, Some(0));
    assert_eq!(desk.run(&line("closed.csv")).code, Some(1));
}

/// Which of two widths is cut first decides whether anybody is left.
#[test]
fn two_widths() {
    let desk = Desk::new().with("t.csv", "x,y,dx\n0,0,a\n1,9,b\n1,0,c\n2,9,d\n");
    let ran = desk
        .done("anonymize t.csv -o r.csv --rest keep --qi x,y --sensitive dx -k 2 --max-width x=1 --max-width y=1 --json");
    assert_eq!(parsed(&ran.text())["suppressed"], 0);
}

/// What may be repeated may be listed.
#[test]
fn boundaries_may_be_listed_behind_commas() {
    let desk = Desk::new().with("t.csv", "x,y\n1,1\n2,2\n5,5\n6,6\n9,1\n9,2\n");
    let run = |flags: &str| {
        desk.done(&format!("anonymize t.csv -o r.csv --qi x,y -k 2 --suppress 100% --quiet {flags}"));
        parsed(&desk.read("r.csv.certificate.json"))["asked"]["boundaries"].clone()
    };
    let expected = json!({ "x": "intervals of at most 1 (days for dates, seconds for times)", "y": "intervals of at most 1 (days for dates, seconds for times)" });
    assert_eq!(run("--max-width x=1,y=1"), expected);
    assert_eq!(run("--max-width x=1 --max-width y=1"), expected);
    assert_eq!(run("--cuts x=3,7,y=4")["x"], "no interval across 3, 7");
}
