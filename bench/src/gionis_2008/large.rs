//! The algorithms of Gionis et al. 2008 on the training part of Adult, where quality and time matter together.

use std::path::Path;

use anyhow::{Context, Result};
use kohort::input::JobSpec;
use serde_json::{Value, json};

const ROWS: usize = 30_162;
const K: u32 = 10;
/// Age has no tree: it becomes the smallest interval.
const QI: [&str; 8] =
    ["age", "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation"];

/// Algorithm, distance, notion.
const JOBS: [(&str, Option<&str>, &str); 7] = [
    ("agglomerative", Some("1"), "k"),
    ("agglomerative", Some("2"), "k"),
    ("agglomerative", Some("3"), "k"),
    ("agglomerative", Some("4"), "k"),
    ("forest", None, "k"),
    ("kk-expansion", None, "kk"),
    ("global-1k", None, "global-1k"),
];

pub(super) fn run(adult: &Path) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    let trees = adult.with_file_name("hierarchies");
    if !trees.is_dir() {
        println!("\n{ROWS} people are left out: there is no {}", trees.display());
        return Ok(Value::Null);
    }
    std::fs::create_dir(folder.path().join("trees"))?;
    for name in &QI[1..] {
        let file = format!("{name}.csv");
        std::fs::copy(trees.join(&file), folder.path().join("trees").join(&file))?;
    }
    let columns = crate::read_columns(adult, &QI)?;
    crate::write_rows(&columns, 0..ROWS, &folder.path().join("people.csv"))?;

    println!("\nAdult, {ROWS} people, {} quasi-identifiers, k = {K}\n", QI.len());
    println!("| algorithm | il | seconds |\n|---|---|---|");
    let mut found = Vec::new();
    let mut seconds_of = std::collections::BTreeMap::new();
    for (algorithm, distance, notion) in JOBS {
        let job = JobSpec {
            input: Some(folder.path().join("people.csv")),
            output: Some(folder.path().join("release.csv")),
            qi: QI.iter().map(|&name| name.to_owned()).collect(),
            hierarchies: Some(folder.path().join("trees")),
            k: Some(K),
            notion: Some(notion.into()),
            algorithm: Some(algorithm.into()),
            settings: distance.map(|d| ("distance".to_owned(), d.to_owned())).into_iter().collect(),
            rest: Some(kohort::data::Rest::Keep),
            ..JobSpec::default()
        };
        let (summary, seconds) = crate::measure(job)?;
        let il = summary.loss.context("no loss was measured")?.il;
        let shown = distance.map_or_else(|| algorithm.to_owned(), |d| format!("{algorithm} {d}"));
        println!("| {shown} | {il:.4} | {seconds:.1} |");
        seconds_of.insert(algorithm, seconds);
        found.push(json!({ "algorithm": algorithm, "distance": distance, "il": il, "seconds": seconds }));
    }
    let quotient = seconds_of["global-1k"] / seconds_of["kk-expansion"];
    println!("\nglobal-1k takes {quotient:.2} times as long as kk-expansion");
    Ok(json!({ "rows": ROWS, "k": K, "jobs": found, "global_1k_over_kk_expansion": quotient }))
}
