//! Large tables are cut into blocks, and whoever reads of it learns the truth.

use serde_json::Value;

use crate::common::Desk;

const LINE: &str = "anonymize people.csv -o release.csv --rest keep --qi age,zip --sensitive illness -k 3";

/// Three hundred people, each with an age and a place of their own.
fn desk() -> Desk {
    let person = |i: u32| format!("{},{},{}\n", 20 + i * 7 % 61, 10_000 + i * 37 % 997, i % 5);
    let people: String = (0..300).map(person).collect();
    Desk::new().with("people.csv", format!("age,zip,illness\n{people}"))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn blocks_are_told() {
    let desk = desk();
    let shown = desk.done(&format!("{LINE} --block-rows 60"));
    assert!(shown.text().contains(" blocks"), "{}", shown.text());
    let audit = json(&desk.read("release.csv.audit.json"));
    let said = audit["search"][0].as_str().unwrap();
    assert!(said.contains("different rows, each solved by itself and then mended across the cuts"), "{said}");
    assert_eq!(audit["work"]["block_rows"], 60);
    let summary = json(&desk.done(&format!("{LINE} --block-rows 60 --json --quiet")).text());
    let (count, rows) = (&summary["blocks"]["count"], &summary["blocks"]["rows"]);
    assert!(count.as_u64().unwrap() >= 5 && rows.as_u64().unwrap() <= 60, "{summary}");
    assert!(said.contains(&format!("in {count} blocks of at most {rows} ")), "{said}");
}

#[test]
fn small_tables_and_zero_mean_no_blocks() {
    let desk = desk();
    for more in ["", "--block-rows 0", "--block-rows 300", "--algorithm mondrian"] {
        let summary = json(&desk.done(&format!("{LINE} {more} --json --quiet")).text());
        assert!(summary["blocks"].is_null(), "{more}");
        let audit = json(&desk.read("release.csv.audit.json"));
        assert!(audit["search"][0].as_str().unwrap().contains("not cut into blocks"), "{more}");
    }
}

#[test]
fn job_files_know_blocks() {
    let job = "input = 'people.csv'\noutput = 'release.csv'\nqi = ['age', 'zip']\nrest = 'drop'\nk = 3\nblock-rows = 50\n";
    let desk = desk().with("job.toml", job);
    let summary = json(&desk.done("anonymize --job job.toml --json --quiet").text());
    assert!(summary["blocks"]["rows"].as_u64().unwrap() <= 50);
}

#[test]
fn whole_columns_cannot_be_recoded_in_blocks() {
    let desk = desk();
    let shown = desk.refused(&format!("{LINE} --algorithm incognito --block-rows 50"));
    assert!(shown.contains("incognito generalizes whole columns and cannot work in blocks"), "{shown}");
}
