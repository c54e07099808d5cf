//! Whole jobs on the Adult table, where it is at hand.

use super::common::adult::{QI, adult, tree};
use super::common::files::{Folder, read};
use super::common::witness::examine;
use kohort::algorithm::Quiet;
use kohort::input::{JobSpec, Scalar};
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::report::Summary;

/// Runs the job with so many threads; returns its figures and the bytes of the release.
fn release(folder: &Folder, file: &JobSpec, threads: usize) -> (Summary, Vec<u8>) {
    let output = folder.path(&format!("release{threads}.csv"));
    let file = JobSpec { output: Some(output.clone()), ..file.clone() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let summary = pool.install(|| FileJob::new(file).unwrap().run(&Quiet).unwrap()).summary;
    (summary, std::fs::read(output).unwrap())
}

#[test]
fn thirty_thousand_people_in_classes_of_ten() {
    let Some(sheet) = adult(30_162, &QI, &["salary-class"]) else { return };
    assert_eq!(sheet.rows, 30_162);
    let folder = Folder::of(&sheet);
    let file = JobSpec { k: Some(10), algorithm: Some("k-member".into()), ..folder.job(&sheet) };
    let (summary, two) = release(&folder, &file, 2);
    let (_, one) = release(&folder, &file, 1);
    assert!(one == two, "the number of threads changes the release");

    let loss = summary.loss.unwrap();
    assert!((loss.il - 0.117).abs() < 0.002, "il {}", loss.il);
    assert!(summary.achieved.k >= 10);
    let original = Some(folder.path("people.csv"));
    let found = FileVerifyJob::new(&file, folder.path("release1.csv"), original)
        .and_then(|job| job.run(&Quiet))
        .unwrap();
    assert!(found.shortfalls.is_empty(), "{:?}", found.shortfalls);
    assert!((found.summary.loss.unwrap().il - loss.il).abs() < 1e-9);
    assert_eq!(found.summary.achieved.k, summary.achieved.k);

    let all: Vec<usize> = (0..sheet.rows).collect();
    let seen = examine(&sheet, &read(&folder.path("release1.csv")), &all);
    assert_eq!((seen.k, seen.classes, seen.misfits), (summary.achieved.k, summary.classes, 0));
    assert!((seen.il_total - loss.il_total).abs() < 1e-3, "{} and {}", seen.il_total, loss.il_total);
}

/// The best full-domain generalizations, age by its hierarchy, too. Without suppression the figures are those that any exact
/// search must give.
#[test]
fn incognito_finds_the_best_levels() {
    let Some(mut sheet) = adult(30_162, &QI, &["salary-class"]) else { return };
    sheet.qi[0].shape = tree("age");
    let folder = Folder::of(&sheet);
    let share = |percent: &str| Some(Scalar::Text(percent.into()));
    let cases = [(5, None, 0.6875), (10, None, 0.6875), (10, share("5%"), 0.426), (10, share("0%"), 0.6875)];
    for (k, suppress, il) in cases {
        let algorithm = Some("incognito".into());
        let file = JobSpec { k: Some(k), suppress, algorithm, ..folder.job(&sheet) };
        let (summary, two) = release(&folder, &file, 2);
        let (_, one) = release(&folder, &file, 1);
        assert!(one == two, "the number of threads changes the release");
        let loss = summary.loss.unwrap();
        assert!(loss.il <= il + 1e-9 && loss.il > il - 0.001, "k = {k}: il {}", loss.il);
        assert!(summary.achieved.k >= u64::from(k));
        let all: Vec<usize> = (0..sheet.rows).collect();
        let seen = examine(&sheet, &read(&folder.path("release1.csv")), &all);
        assert_eq!((seen.k, seen.classes, seen.misfits), (summary.achieved.k, summary.classes, 0));
    }
}
