//! `kohort bound`, and the bound of a release.

use serde_json::Value;

use crate::common::{Desk, MARKS, ROLES, TOWN_ROLES};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The bound that the command finds.
fn alone(desk: &Desk, line: &str) -> Value {
    json(&desk.done(&format!("bound {line} --json")).text())["lower_bound"].clone()
}

/// Bound, gap and loss of a release.
fn with_release(desk: &Desk, line: &str) -> (Value, Value) {
    let summary = json(&desk.done(&format!("anonymize {line} -o release.csv --json")).text());
    (summary["lower_bound"].clone(), summary["loss"].clone())
}

#[test]
fn for_people_and_for_programs() {
    let desk = Desk::with_people();
    insta::assert_snapshot!("bound", desk.done(&format!("bound people.csv {ROLES} --measure lm")).text());
    let ran = desk.done(&format!("bound people.csv {ROLES} --measure lm --json"));
    insta::with_settings!({filters => vec![
        (r#""(read|bound)": [0-9.e-]+"#, r#""$1": [seconds]"#),
        (r#""peak_rss_mb": \d+"#, r#""peak_rss_mb": [mb]"#),
    ]}, {
        insta::assert_snapshot!("bound_json", ran.text());
    });
}

/// No release loses less, under any measure, with rows left out, published as they are or kept within boundaries; and
/// the bound of the release is not above that of the command, which looks for it longer.
#[test]
fn no_release_loses_less() {
    let desk = Desk::with_towns().with("people.csv", crate::common::PEOPLE);
    let towns = format!("towns.csv {TOWN_ROLES} -k 2");
    let people = format!("people.csv {ROLES}");
    let mut jobs = vec![
        format!("{towns} {MARKS}"),
        format!("{towns} {MARKS} --suppress 50%"),
        format!("{towns} --suppress 10%"),
        format!("{towns} --max-width age=9"),
        format!("{towns} --cuts age=30,50 -p 2"),
        format!("{people} --missing suppress"),
        format!("{people} --opt-out note=plain"),
        format!("{people} --snap age=10"),
        format!("{people} --intervals bounds"),
    ];
    let measures =
        ["il", "lm", "entropy", "whd", "ncp"].map(|measure| format!("{people} --measure {measure}"));
    jobs.extend(measures);
    for job in jobs {
        let (bound, loss) = with_release(&desk, &job);
        let measure = bound.as_object().unwrap().keys().next().unwrap().clone();
        let reported = if measure == "whd" { "distortion_ratio" } else { &measure };
        let (least, gap) = (bound[&measure].as_f64().unwrap(), bound["gap"].as_f64().unwrap());
        let found = loss[reported].as_f64().unwrap();
        assert!(0.0 < least && least <= found, "{job}: {bound}, {found}");
        assert!((gap - found / least).abs() < 1e-9, "{job}: {bound}");
        let longer = alone(&desk, &job);
        assert!(longer[&measure].as_f64().unwrap() >= least - 1e-12, "{job}: {longer} after {bound}");
        assert_eq!(longer.get("gap"), None);
    }
}

/// (k,1) and (k,k): the cheapest box of every row, which `k1-optimal` reaches.
#[test]
fn tuples_by_themselves() {
    let desk = Desk::with_people();
    let asked = format!("people.csv {ROLES} --type zip=category --measure lm");
    let (bound, loss) = with_release(&desk, &format!("{asked} --notion k1 --algorithm k1-optimal"));
    let (least, found) = (bound["lm"].as_f64().unwrap(), loss["lm"].as_f64().unwrap());
    assert!(least <= found && found < least * 1.000_001, "{least} of {found}");
    let (kk, _) = with_release(&desk, &format!("{asked} --notion kk"));
    assert_eq!(kk["lm"], bound["lm"]);
    for notion in ["1k", "global-1k"] {
        let line = format!("people.csv {ROLES} --notion {notion}");
        for found in [with_release(&desk, &line).0, alone(&desk, &line)] {
            assert_eq!(found["il"], Value::Null);
            assert!(found["reason"].as_str().unwrap().contains(notion), "{found}");
        }
    }
}

/// The bound speaks about the original: the certificate does not know it, whatever is spent.
#[test]
fn on_off_and_by_the_clock() {
    let desk = Desk::with_people();
    let audit = |bound: &str| {
        desk.done(&format!("anonymize people.csv -o release.csv {ROLES} {bound} --quiet"));
        let certificate = desk.read("release.csv.certificate.json");
        assert!(
            !certificate.contains("lower_bound") && !certificate.contains("no release loses"),
            "{certificate}"
        );
        (json(&desk.read("release.csv.audit.json")), certificate)
    };
    let (usual, certificate) = audit("");
    let (off, same) = audit("--bound off");
    let (timed, again) = audit("--bound 20s");
    assert_eq!((&certificate, &certificate), (&same, &again));
    assert!(usual["verified"]["lower_bound"]["il"].as_f64().unwrap() > 0.0);
    assert_eq!(usual["work"]["bound"], "on");
    assert_eq!(off["verified"]["lower_bound"]["il"], Value::Null);
    assert!(timed["verified"]["lower_bound"]["il"].as_f64().unwrap() > 0.0);
    assert!(timed["search"].to_string().contains("by the clock (20s)"));
    assert!(!usual["search"].to_string().contains("by the clock"));
}

/// Nothing is released, so columns need no role; what no release can meet is refused as usual.
#[test]
fn what_is_refused() {
    let desk = Desk::with_people();
    desk.done("bound people.csv --qi age,sex,zip -k 3");
    insta::assert_snapshot!(desk.refused("bound people.csv --qi age,sex,zip"));
    insta::assert_snapshot!(desk.refused("bound people.csv --qi age,sex,zip -k 13"));
    insta::assert_snapshot!(desk.refused("bound people.csv --qi age,sex,zip -k 3 --time soon"));
    insta::assert_snapshot!(desk.refused(&format!("anonymize people.csv -o r.csv {ROLES} --bound soon")));
}

#[test]
fn threads_change_nothing() {
    let desk = Desk::new();
    desk.done("generate census --rows 600 -o census.csv --hierarchies trees");
    let line = "census.csv --qi age,sex,birth_country,education --rest drop --hierarchies trees -k 5";
    let columns = desk.read("census.csv").lines().next().unwrap_or_default().to_owned();
    for name in ["age", "sex", "birth_country", "education"] {
        assert!(columns.contains(name), "{columns}");
    }
    assert_eq!(alone(&desk, &format!("{line} --threads 1")), alone(&desk, &format!("{line} --threads 3")));
}

/// Flags that say how a release is made are taken, so that those of `anonymize` can be given as they are, and are not in the help.
#[test]
fn flags_of_a_release_are_taken_and_not_shown() {
    let desk = Desk::with_people();
    let help = desk.done("bound --help").text();
    for flag in ["--output", "--refine", "--audit", "--keep-order", "--time-limit", "--identifier"] {
        assert!(!help.contains(flag), "{flag}\n{help}");
    }
    for flag in ["--qi", "--measure", "--suppress", "--max-width", "--opt-out", "--time "] {
        assert!(help.contains(flag), "{flag}\n{help}");
    }
    desk.done(&format!("bound people.csv {ROLES} --refine off -o release.csv --quiet"));
}

/// A number without a unit: what it is likely to mean is said.
#[test]
fn a_time_without_a_unit() {
    let desk = Desk::with_people();
    for (line, meant) in [
        (
            "anonymize people.csv -o r.csv --refine 20",
            "--refine 20s refines for so many seconds, --refine-steps 20 makes",
        ),
        ("anonymize people.csv -o r.csv --time-limit 60", "--time-limit 60s means seconds"),
        ("anonymize people.csv -o r.csv --bound 1.5", "say --bound 1.5s, --bound off"),
        ("bound people.csv --time 5", "--time 5s means seconds"),
    ] {
        let message = desk.refused(&format!("{line} {ROLES}"));
        assert!(message.starts_with("exit code 2") && message.contains(meant), "{line}: {message}");
    }
}
