//! The roles that are proposed, beside those that a steward gave: `labels.toml`. Tables that are made here are tried always;
//! `scripts/try-tables` fetches the others, and runs this with `KOHORT_TABLES` naming their folder.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::Desk;
use crate::tables::made;

/// A table with the roles that its columns should have.
struct Labelled {
    name: String,
    split: String,
    from: toml::Table,
    roles: BTreeMap<String, Vec<String>>,
}

fn labels() -> Vec<Labelled> {
    let text: toml::Table = include_str!("labels.toml").parse().unwrap();
    let text_of = |value: &toml::Value| value.as_str().unwrap().to_owned();
    let roles = |value: &toml::Value| match value {
        toml::Value::Array(several) => several.iter().map(text_of).collect(),
        one => vec![text_of(one)],
    };
    let table = |value: &toml::Value| Labelled {
        name: text_of(&value["name"]),
        split: text_of(&value["split"]),
        from: value["from"].as_table().unwrap().clone(),
        roles: value["columns"]
            .as_table()
            .unwrap()
            .iter()
            .map(|(name, r)| (name.clone(), roles(r)))
            .collect(),
    };
    text["table"].as_array().unwrap().iter().map(table).collect()
}

/// A folder with the table in it; none where it must be fetched and was not.
fn desk(labelled: &Labelled) -> Option<Desk> {
    let desk = Desk::new();
    if let Some(name) = labelled.from.get("generate") {
        desk.done(&format!("generate {} --rows 2000 -o table.csv", name.as_str().unwrap()));
        return Some(desk);
    }
    if let Some(name) = labelled.from.get("made") {
        return Some(desk.with("table.csv", made(name.as_str().unwrap()).unwrap()));
    }
    let folder = PathBuf::from(std::env::var_os("KOHORT_TABLES")?);
    let fetched = std::fs::read(folder.join(format!("{}.csv", labelled.name))).ok()?;
    Some(desk.with("table.csv", fetched))
}

/// Every column whose role is another than labelled.
fn judge(labelled: &Labelled, proposal: &Value) -> (usize, usize, Vec<Value>) {
    let mut misses = Vec::new();
    let columns = proposal["columns"].as_array().unwrap();
    let single = labelled.roles.values().filter(|roles| roles.len() == 1).count();
    assert_eq!(columns.len(), labelled.roles.len(), "{}: every column has a label", labelled.name);
    for column in columns {
        let (name, role) = (column["name"].as_str().unwrap(), column["role"].as_str().unwrap());
        let role = if role == "quasi-identifier" { "qi" } else { role };
        let wanted = &labelled.roles[name];
        if !wanted.iter().any(|wanted| wanted == role) {
            misses.push(
                json!({"column": name, "labelled": wanted, "proposed": role, "guess": column["is_guess"]}),
            );
        }
        // Whatever else is wrong, this never is.
        if wanted[0] == "identifier" || wanted[0] == "person" {
            assert_ne!(role, "keep", "{}: {name}", labelled.name);
        }
    }
    (columns.len(), single, misses)
}

/// From the table to a verified release, with no edit; what stays is for other readers.
fn run_whole_way(labelled: &Labelled, desk: &Desk) -> Value {
    let proposal: Value =
        serde_json::from_slice(&desk.done("init table.csv -o job.toml --json").out).unwrap();
    let ran = desk.done("anonymize --job job.toml -o release.csv --json --refine-steps 1");
    let summary: Value = serde_json::from_slice(&ran.out).unwrap();
    desk.done("verify release.csv");
    desk.done("verify release.csv --job job.toml --original table.csv");
    if let Some(folder) = std::env::var_os("KOHORT_TABLES_OUT") {
        let folder = PathBuf::from(folder).join(&labelled.name);
        std::fs::create_dir_all(&folder).unwrap();
        for file in ["table.csv", "job.toml", "release.csv"] {
            std::fs::copy(desk.path(file), folder.join(file)).unwrap();
        }
    }
    let (columns, single, misses) = judge(labelled, &proposal);
    let roles: BTreeMap<&str, &Value> = (proposal["columns"].as_array().unwrap().iter())
        .map(|column| (column["name"].as_str().unwrap(), &column["role"]))
        .collect();
    json!({
        "table": labelled.name,
        "split": labelled.split,
        "rows": proposal["rows"],
        "k": proposal["k"],
        "columns": columns,
        "one_right_role": single,
        "hits": columns - misses.len(),
        "misses": misses,
        "roles": roles,
        "il_of_quick_run": proposal["quick_run"]["loss"]["il"],
        "il": summary["loss"]["il"],
    })
}

#[test]
fn proposed_roles_are_those_of_a_steward_and_the_job_runs() {
    let mut results = Vec::new();
    let mut skipped = Vec::new();
    for labelled in labels() {
        match desk(&labelled) {
            Some(desk) => results.push(run_whole_way(&labelled, &desk)),
            None => skipped.push(labelled.name),
        }
    }
    if let Some(place) = std::env::var_os("KOHORT_TABLES_RESULT") {
        let result = json!({"tables": results, "skipped": skipped});
        std::fs::write(place, serde_json::to_string_pretty(&result).unwrap()).unwrap();
    }
    for split in ["seen", "held-out"] {
        let of = |key: &str| -> u64 {
            let mine = results.iter().filter(|result| result["split"] == split);
            mine.map(|result| result[key].as_u64().unwrap()).sum()
        };
        let (hits, columns) = (of("hits"), of("columns"));
        let misses: Vec<_> =
            results.iter().filter(|r| r["split"] == split).map(|r| (&r["table"], &r["misses"])).collect();
        eprintln!("{split}: {hits} of {columns}; skipped {skipped:?}");
        assert!(hits * 10 >= columns * 9, "{split}: {hits} of {columns}: {misses:#?}");
    }
}
