//! Where the job goes, and what is never lost.

use std::os::unix::fs::PermissionsExt;

use crate::common::Desk;
use crate::tables::made;

fn desk() -> Desk {
    Desk::new().with("data/mikro.csv", made("mikrozensus_de").unwrap())
}

#[test]
fn job_and_hierarchies_are_private_and_found_from_the_folder_of_the_job() {
    let desk = desk();
    desk.done("init data/mikro.csv -o data/job.toml");
    for file in ["data/job.toml", "data/job.hierarchies/Gemeinde.csv"] {
        let mode = desk.path(file).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let job = desk.read("data/job.toml");
    assert!(job.contains("input = \"mikro.csv\""), "{job}");
    assert!(job.contains("{ file = \"job.hierarchies/Gemeinde.csv\" }"), "{job}");
    let tree = desk.read("data/job.hierarchies/Gemeinde.csv");
    assert!(tree.contains("Garching;München (Land);Bayern;*"), "{tree}");
    desk.done("anonymize --job data/job.toml -o release.csv --quiet --refine off --bound off");
    desk.done("verify release.csv");
}

#[test]
fn nothing_that_is_there_is_replaced_unless_it_is_said() {
    let desk = desk().with("job.toml", "mine");
    let message = desk.refused("init data/mikro.csv");
    assert!(
        message.contains("there is a file of this name already") && message.contains("--force"),
        "{message}"
    );
    assert_eq!(desk.read("job.toml"), "mine");
    desk.done("init data/mikro.csv --force");
    assert!(desk.read("job.toml").contains("[columns]"));
    // A hierarchy of another job, or one that was edited.
    let desk = desk.with("other.hierarchies/Gemeinde.csv", "mine");
    let message = desk.refused("init data/mikro.csv -o other.toml");
    assert!(message.contains("other.hierarchies/Gemeinde.csv"), "{message}");
    let message = desk.refused("init data/mikro.csv -o data/mikro.csv --force");
    assert!(message.contains("the job file is the table"), "{message}");
}

#[test]
fn the_job_may_go_to_standard_output_and_then_writes_nothing_else() {
    let desk = desk();
    let before = desk.files();
    let ran = desk.done("init data/mikro.csv -o -");
    assert_eq!(desk.files(), before);
    assert!(ran.text().contains("[columns]") && !ran.text().contains("file = "), "{}", ran.text());
    assert!(ran.err.contains("quick run"), "{}", ran.err);
    let desk = desk.with("piped.toml", &ran.out);
    desk.done("anonymize --job piped.toml -o release.csv --quiet --refine off --bound off");
    // What no job can name goes to a folder that is named.
    let ran = desk.done("init data/mikro.csv -o - --hierarchies trees");
    assert!(ran.text().contains("trees/Gemeinde.csv") && desk.path("trees/Gemeinde.csv").is_file());
}

#[test]
fn json_is_one_object_and_no_file() {
    let desk = desk();
    let before = desk.files();
    let ran = desk.done("init data/mikro.csv --json");
    assert_eq!(desk.files(), before);
    let object: serde_json::Value = serde_json::from_slice(&ran.out).unwrap();
    assert_eq!(object["columns"].as_array().unwrap().len(), 21);
    assert!(object["quick_run"]["loss"]["il"].as_f64().unwrap() > 0.0);
    let message = desk.refused("init data/mikro.csv -o - --json");
    assert!(message.contains("cannot both go to standard output"), "{message}");
}

#[test]
fn standard_input_is_a_table_too() {
    let desk = Desk::new();
    let table = made("staff_en").unwrap();
    let ran = desk.run_with("init - -o job.toml", table.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(desk.read("job.toml").contains("input = \"-\""));
    let ran = desk.run_with(
        "anonymize --job job.toml -o release.csv --quiet --refine off --bound off",
        table.as_bytes(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn asking_takes_a_terminal() {
    let message = desk().refused("init data/mikro.csv --interactive");
    assert!(message.contains("there is no terminal to ask on") && message.contains("way out"), "{message}");
    let message = Desk::new().refused("init nowhere.csv");
    assert!(message.contains("nowhere.csv") && message.contains("way out"), "{message}");
}
