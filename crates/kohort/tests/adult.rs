//! The Adult table, where it is at hand: `shared/data/adult` beside the workspace, or below `KOHORT_SHARED`.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::path::{Path, PathBuf};

use common::draw::{Drawn, Shape, Sheet};
use common::files::{Folder, read};
use common::plain::k_member::k_member;
use common::plain::kaca::kaca;
use common::plain::oka::oka;
use common::plain::systematic::systematic;
use common::plain::{Plain, numbered};
use common::witness::examine;
use kohort::algorithm::{
    Algorithm, FirstSeed, KMember, Kaca, Oka, Problem, Quiet, Rule, Run, Seeds, Systematic,
};
use kohort::data::{Kind, Space};
use kohort::input::{JobFile, Scalar};
use kohort::job::{Job, VerifyJob};
use kohort::measure::Measure;
use kohort::model::Models;
use kohort::report::Summary;
use kohort::solution::Solution;

const QI: [&str; 8] =
    ["age", "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation"];

/// Where the table would be.
fn place() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("KOHORT_SHARED").map_or_else(beside, PathBuf::from);
    shared.join("data/adult")
}

/// The first rows of the table; none, and a line that says so, where there is no table.
fn adult(rows: usize) -> Option<Sheet> {
    let folder = place();
    if !folder.join("adult.csv").is_file() {
        println!("skipped: there is no {}", folder.join("adult.csv").display());
        return None;
    }
    let people: Vec<_> = read(&folder.join("adult.csv")).into_iter().take(rows).collect();
    let texts = |name: &str| people.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    let column = |name: &&str| {
        let shape = if *name == "age" { Shape::Number(Kind::Integer) } else { tree(&folder, name) };
        Drawn { name: (*name).to_owned(), shape, texts: texts(name), weight: 1.0 }
    };
    let qi = QI.iter().map(column).collect();
    Some(Sheet { rows: people.len(), qi, sensitive: vec![texts("salary-class")] })
}

fn tree(folder: &Path, name: &str) -> Shape {
    let text = std::fs::read_to_string(folder.join(format!("hierarchies/{name}.csv"))).unwrap();
    Shape::Tree(text.lines().map(|line| line.split(';').map(str::to_owned).collect()).collect())
}

#[test]
fn fast_equals_plain() {
    let Some(sheet) = adult(3000) else { return };
    let table = sheet.table();
    let models = Models::new(10, None).unwrap();
    let space = Space::new(&table, Measure::Il.compass(&table), false, true);
    let plain = Plain::new(&table, Measure::Il, 10, 1);
    let same = |name: &str, solver: &dyn Algorithm, clusters: &[Vec<u32>]| {
        let problem = Problem { space: &space, models: &models, quota: 0 };
        let fast = solver.solve(problem, &Run::new(0, &Quiet)).unwrap();
        assert!(fast == Solution::Clusters(numbered(table.rows, clusters)), "{name}");
    };
    let first_seed = FirstSeed::Row;
    same("k-member", &KMember { first_seed, seeds: Seeds::Farthest }, &k_member(&plain, first_seed, 0));
    same("kaca", &Kaca { threshold: None }, &kaca(&plain, 0, None, 0));
    same("oka", &Oka, &oka(&plain, 0));
    for rule in [Rule::Loss, Rule::Increase] {
        same("systematic", &Systematic { rule }, &systematic(&plain, rule, 0));
    }
}

/// Runs the job with so many threads; returns its figures and the bytes of the release.
fn release(folder: &Folder, file: &JobFile, threads: usize) -> (Summary, Vec<u8>) {
    let output = folder.path(&format!("release{threads}.csv"));
    let file = JobFile { output: Some(output.clone()), ..file.clone() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let summary = pool.install(|| Job::new(file).unwrap().run(&Quiet).unwrap()).summary;
    (summary, std::fs::read(output).unwrap())
}

#[test]
fn thirty_thousand_people_in_classes_of_ten() {
    let Some(sheet) = adult(30_162) else { return };
    assert_eq!(sheet.rows, 30_162);
    let folder = Folder::of(&sheet);
    let file = JobFile { k: Some(10), algorithm: Some("k-member".into()), ..folder.job(&sheet) };
    let (summary, two) = release(&folder, &file, 2);
    let (_, one) = release(&folder, &file, 1);
    assert!(one == two, "the number of threads changes the release");

    let loss = summary.loss.unwrap();
    assert!((loss.il - 0.117).abs() < 0.002, "il {}", loss.il);
    assert!(summary.achieved.k >= 10);
    let original = Some(folder.path("people.csv"));
    let found = VerifyJob { release: folder.path("release1.csv"), original, file }.run().unwrap();
    assert!(found.shortfalls.is_empty(), "{:?}", found.shortfalls);
    assert!((found.summary.loss.unwrap().il - loss.il).abs() < 1e-9);
    assert_eq!(found.summary.achieved.k, summary.achieved.k);

    let seen = examine(&sheet, &read(&folder.path("release1.csv")));
    assert_eq!((seen.k, seen.classes, seen.misfits), (summary.achieved.k, summary.classes, 0));
    assert!((seen.il_total - loss.il_total).abs() < 1e-3, "{} and {}", seen.il_total, loss.il_total);
}

/// The best full-domain generalizations, age by its hierarchy, too. Without suppression the figures are those that any exact
/// search must give.
#[test]
fn incognito_finds_the_best_levels() {
    let Some(mut sheet) = adult(30_162) else { return };
    sheet.qi[0].shape = tree(&place(), "age");
    let folder = Folder::of(&sheet);
    let share = |percent: &str| Some(Scalar::Text(percent.into()));
    let cases = [(5, None, 0.6875), (10, None, 0.6875), (10, share("5%"), 0.426), (10, share("0%"), 0.6875)];
    for (k, suppress, il) in cases {
        let algorithm = Some("incognito".into());
        let file = JobFile { k: Some(k), suppress, algorithm, ..folder.job(&sheet) };
        let (summary, two) = release(&folder, &file, 2);
        let (_, one) = release(&folder, &file, 1);
        assert!(one == two, "the number of threads changes the release");
        let loss = summary.loss.unwrap();
        assert!(loss.il <= il + 1e-9 && loss.il > il - 0.001, "k = {k}: il {}", loss.il);
        assert!(summary.achieved.k >= u64::from(k));
        let seen = examine(&sheet, &read(&folder.path("release1.csv")));
        assert_eq!((seen.k, seen.classes, seen.misfits), (summary.achieved.k, summary.classes, 0));
    }
}
