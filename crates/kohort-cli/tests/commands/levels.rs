//! Full-domain generalization: `--algorithm incognito`, `--levels`, `--solutions`.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::common::{Desk, MARKS, TOWN_ROLES, TOWNS};

const LINE: &str = "anonymize towns.csv -o release.csv --type age=integer";

fn ran(desk: &Desk, flags: &str) -> Value {
    let text = desk.done(&format!("{LINE} {TOWN_ROLES} {flags} --json --quiet")).text();
    serde_json::from_str(&text).unwrap()
}

/// One level per column: towns become states or coasts everywhere, or nowhere.
#[test]
fn every_value_of_a_column_goes_up_alike() {
    let desk = Desk::with_towns();
    let json = ran(&desk, "-k 4 --algorithm incognito --keep-order");
    assert_eq!((&json["algorithm"], &json["suppressed"]), (&"incognito".into(), &0.into()));
    let locations: Vec<String> =
        desk.read("release.csv").lines().skip(1).map(|l| l.rsplit(',').nth(1).unwrap().to_owned()).collect();
    assert!(locations.iter().all(|l| l == "West Coast" || l == "Midwest"), "{locations:?}");
    desk.done("verify release.csv --original towns.csv --qi age,location --hierarchies trees --type age=integer -k 4");
}

#[test]
fn all_minimal_solutions_are_listed() {
    let desk = Desk::with_towns();
    let shown = desk.done(&format!("{LINE} {TOWN_ROLES} -k 2 --solutions all.csv"));
    let mode = desk.path("all.csv").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it speaks about the original, as the audit record does");
    insta::assert_snapshot!(shown.err, @r"
    note: 'age' has no hierarchy, so incognito keeps it as it is or makes it '*'; build one from ranges or dates with `hierarchy build`
    note: in some class all rows share one value of 'illness'; -p 2 prevents it
    note: 1 minimal solution is listed in all.csv, in the words of --levels; keep the list to yourself: what would not do tells more about the table than the release
    ");
    insta::assert_snapshot!(desk.read("all.csv"), @r#"
    levels,chosen,minimal,age,location,il,lm,ncp,entropy,dm,avg,classes,suppressed
    "age=1,location=0",yes,yes,1,0,0.500000,0.500000,0.500000,1.792481,24,1.000000,6,0
    "#);
    let json = ran(&desk, "-k 2 --solutions all.json");
    let list: Value = serde_json::from_str(&desk.read("all.json")).unwrap();
    let chosen: Vec<&Value> =
        list["solutions"].as_array().unwrap().iter().filter(|s| s["chosen"] == true).collect();
    assert_eq!(chosen.len(), 1);
    for figure in ["il", "lm", "ncp", "entropy", "avg"] {
        let (listed, found) = (chosen[0][figure].as_f64().unwrap(), json["loss"][figure].as_f64().unwrap());
        assert!((listed - found).abs() < 1e-9, "{figure}: {listed} listed, {found} found");
    }
    assert_eq!((&chosen[0]["dm"], &chosen[0]["classes"]), (&json["loss"]["dm"], &json["classes"]));
}

/// Figures of the list are those of a release at these levels, also with rows that are suppressed, opted out or lack a value.
#[test]
fn every_solution_can_be_had() {
    let gaps = TOWNS.replace("Eli,40", "Eli,").replace("Jan,55,Kansas City,flu", "Jan,55,Kansas City,public");
    let ages = [25, 26, 27, 30, 31, 33, 42, 52, 55, 58, 61].map(|age| format!("{age};{}0s;*\n", age / 10));
    let desk = Desk::with_towns().with("gaps.csv", gaps).with("trees/age.csv", ages.concat());
    let line = format!(
        "anonymize gaps.csv -o release.csv {TOWN_ROLES} -k 2 --suppress 40% --missing suppress --opt-out illness=public"
    );
    desk.done(&format!("{line} --solutions all.json --quiet"));
    let list: Value = serde_json::from_str(&desk.read("all.json")).unwrap();
    let solutions = list["solutions"].as_array().unwrap();
    assert!(solutions.len() > 1 && list["complete"] == true, "{list}");
    for solution in solutions {
        let levels = solution["levels"].as_str().unwrap();
        let json: Value =
            serde_json::from_str(&desk.done(&format!("{line} --levels {levels} --json --quiet")).text())
                .unwrap();
        assert_eq!(json["suppressed"], solution["suppressed"], "{levels}");
        assert_eq!(json["suppressed_because"]["missing"], 1);
        assert_eq!(json["opted_out"], 1);
        assert_eq!((&json["loss"]["dm"], &json["classes"]), (&solution["dm"], &solution["classes"]));
        let il = |v: &Value| v["il"].as_f64().unwrap();
        assert!((il(&json["loss"]) - il(solution)).abs() < 1e-9, "{levels}: {json}");
        let audit: Value = serde_json::from_str(&desk.read("release.csv.audit.json")).unwrap();
        assert_eq!(audit["work"]["levels"].as_object().unwrap().len(), 2);
    }
}

#[test]
fn suppressed_rows_are_told() {
    let desk = Desk::with_towns();
    let shown = desk.done(&format!("{LINE} {TOWN_ROLES} -k 4 --levels age=1,location=1 --suppress 40%"));
    assert!(
        shown.err.contains("note: 4 rows suppressed: their class fell short at the chosen levels"),
        "{}",
        shown.err
    );
    let audit: Value = serde_json::from_str(&desk.read("release.csv.audit.json")).unwrap();
    let words = "4 rows: their class was too small or too uniform at the chosen levels.";
    assert_eq!(audit["suppression"][1], words);
    let json = ran(&desk, "-k 4 --levels age=1,location=1 --suppress 40%");
    assert_eq!((&json["suppressed"], &json["suppressed_because"]["levels"]), (&4.into(), &4.into()));
}

/// Boundaries make the lattice smaller; no cell goes beyond its own.
#[test]
fn boundaries_take_levels_away() {
    let desk = Desk::with_towns();
    let json = ran(&desk, &format!("-k 4 --algorithm incognito {MARKS} --suppress 40%"));
    assert_eq!(
        (&json["achieved"]["boundary_violations"], &json["suppressed_because"]["levels"]),
        (&0.into(), &4.into())
    );
    let json = ran(&desk, "-k 2 --algorithm incognito --max-width age=36 --suppress 100%");
    assert_eq!(json["achieved"]["boundary_violations"], 0);
}

#[test]
fn a_job_file_says_the_same() {
    let desk = Desk::with_towns().with(
        "job.toml",
        "input = \"towns.csv\"\nhierarchies = \"trees\"\nidentifier = [\"name\"]\nqi = [\"age\", \"location\"]\nsensitive = [\"illness\"]\nk = 4\nlevels = { location = 2 }\nsolutions = \"all.csv\"\n",
    );
    desk.done("anonymize --job job.toml -o release.csv --quiet");
    assert!(desk.read("all.csv").contains("location=2"));
    desk.done("anonymize --job job.toml -o release.csv --levels location=3 --quiet");
    assert!(desk.read("all.csv").contains("location=3"));
}

/// A search that did not come to its end says so, and how far its answer can be from the best.
#[test]
fn what_a_search_left_open_is_told() {
    let desk = Desk::with_towns();
    let line = format!("{LINE} {TOWN_ROLES} -k 2 --algorithm incognito --time-limit 0s");
    let shown = desk.done(&line);
    let said = "note: time was up before the search had finished: levels that were found by then were taken, and better ones may exist; by il, weights included, all lose at least ";
    assert!(shown.err.contains(said), "{}", shown.err);
    let audit: Value = serde_json::from_str(&desk.read("release.csv.audit.json")).unwrap();
    assert!(audit["search"].to_string().contains("not exhaustive"), "{audit}");
    let json: Value = serde_json::from_str(&desk.done(&format!("{line} --json --quiet")).text()).unwrap();
    let figure = |name: &str| json["search"][name].as_f64().unwrap();
    assert_eq!((&json["search"]["exhaustive"], &json["search"]["measure"]), (&false.into(), &"il".into()));
    assert!((figure("found") - json["loss"]["il"].as_f64().unwrap()).abs() < 1e-9, "{json}");
    assert!(figure("at_least") <= 0.5 && figure("found") >= 0.5, "{json}");
    let json = ran(&desk, "-k 2 --algorithm incognito");
    assert!(json["search"].is_null());
    let certificate: Value = serde_json::from_str(&desk.read("release.csv.certificate.json")).unwrap();
    assert!(!certificate["search"].to_string().contains("not exhaustive"));
}
