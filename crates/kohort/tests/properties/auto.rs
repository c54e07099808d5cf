//! `auto` is never worse than the algorithm it begins with.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use kohort::algorithm::{Quiet, Signal};
use kohort::input::JobSpec;
use kohort::job::Observer;
use kohort::job::files::FileJob;
use kohort::output::{HierarchyFormat, save_hierarchy};
use kohort::report::Summary;

fn table(folder: &Path) {
    let made = kohort::generate::find("un").unwrap();
    std::fs::create_dir(folder.join("trees")).unwrap();
    for tree in made.hierarchies().unwrap() {
        save_hierarchy(&tree, HierarchyFormat::Arx, &folder.join(format!("trees/{}.csv", tree.name())))
            .unwrap();
    }
    let mut writer = arrow::csv::Writer::new(File::create(folder.join("table.csv")).unwrap());
    for batch in made.rows(1500, 1) {
        writer.write(&batch.unwrap()).unwrap();
    }
}

fn summary(folder: &Path, algorithm: &str, p: u32) -> Summary {
    watched(folder, algorithm, p, &Quiet)
}

fn watched(folder: &Path, algorithm: &str, p: u32, watch: &dyn Observer) -> Summary {
    let names = |all: &[&str]| all.iter().map(|&n| n.to_owned()).collect();
    let job = JobSpec {
        input: Some(folder.join("table.csv")),
        output: Some(folder.join("release.csv")),
        hierarchies: Some(folder.join("trees")),
        qi: names(&["QI_N", "QI_C1", "QI_C2", "QI_C3"]),
        sensitive: names(&["S_C1", "S_C2"]),
        k: Some(10),
        p: Some(p),
        algorithm: Some(algorithm.to_owned()),
        ..JobSpec::default()
    };
    FileJob::new(job).unwrap().run(watch).unwrap().summary
}

/// Time is up after so many questions whether it is.
struct Impatient(AtomicU64);

impl Observer for Impatient {
    fn signal(&self) -> Signal {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if left.is_ok() { Signal::Go } else { Signal::TimeUp }
    }
}

/// What was begun and not finished may be worse than what takes no time.
#[test]
fn in_a_hurry_it_is_never_worse_than_mondrian() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path());
    let il = |s: &Summary| s.loss.as_ref().unwrap().il;
    for p in [1, 2, 8] {
        let least = il(&summary(folder.path(), "mondrian", p));
        for questions in [0, 3, 30, 300, 3000] {
            let found = watched(folder.path(), "auto", p, &Impatient(AtomicU64::new(questions)));
            assert!(il(&found) <= least + 1e-9, "p = {p}, {questions} questions");
        }
    }
}

/// Eight values that are seldom all there: merging what lacks them loses most.
#[test]
fn where_p_is_hard_other_algorithms_are_tried() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path());
    let il = |s: &Summary| s.loss.as_ref().unwrap().il;
    for (p, hard) in [(2, false), (8, true)] {
        let auto = summary(folder.path(), "auto", p);
        assert!(!hard || auto.algorithm.as_deref() != Some("agglomerative"));
        let tried = if hard {
            &["agglomerative", "mondrian", "k-member", "enhanced-pk"][..]
        } else {
            &["agglomerative", "mondrian"]
        };
        for other in tried {
            assert!(il(&auto) <= il(&summary(folder.path(), other, p)) + 1e-9, "{other}, p = {p}");
        }
    }
}
