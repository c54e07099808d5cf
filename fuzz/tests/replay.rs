//! The committed corpus, read once more, and a little fresh damage.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;

use kohort_fuzz::seeds::{PEOPLE, committed, seeds};
use kohort_fuzz::watch::{Outcome, watched};
use kohort_fuzz::{Damage, Target};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

fn fine(target: Target, desk: &Path, ending: &str, bytes: &[u8], name: &str) {
    let place = desk.join(format!("input.{ending}"));
    std::fs::write(&place, bytes).unwrap();
    if let Outcome::Finding(what) = watched(target, &place) {
        panic!("{target}, {name}: {what}");
    }
}

fn desk() -> tempfile::TempDir {
    let desk = tempfile::tempdir().unwrap();
    std::fs::write(desk.path().join("people.csv"), PEOPLE).unwrap();
    desk
}

#[test]
fn the_corpus_is_harmless() {
    let desk = desk();
    for target in Target::ALL {
        let files = committed(target, Path::new(CORPUS));
        assert!(!files.is_empty(), "{target} has no corpus");
        for (name, seed) in files {
            fine(target, desk.path(), &seed.ending, &seed.bytes, &name);
        }
    }
}

#[test]
fn a_little_damage_is_harmless() {
    let desk = desk();
    for target in Target::ALL {
        let pool = seeds(target, Path::new(CORPUS));
        let mut damage = Damage::new(1);
        for run in 0..300 {
            let (seed, other) = (&pool[damage.below(pool.len())], &pool[damage.below(pool.len())]);
            let bytes = damage.damaged(&seed.bytes, &other.bytes);
            fine(target, desk.path(), &seed.ending, &bytes, &format!("run {run}"));
        }
    }
}

/// Valid files are read to the end, so that damage reaches every part of the readers.
#[test]
fn what_is_made_here_is_valid() {
    let desk = desk();
    for target in Target::ALL {
        for (i, seed) in seeds(target, Path::new("nowhere")).into_iter().enumerate() {
            let place = desk.path().join(format!("input.{}", seed.ending));
            std::fs::write(&place, &seed.bytes).unwrap();
            let said = target.read(&place);
            let fine = match target {
                Target::Csv | Target::Parquet | Target::Arrow => said.starts_with("a table"),
                Target::Hierarchy => said.starts_with("true"),
                Target::Job => said == "a job",
                Target::Release => said.contains(" / "),
                Target::Ledger => said.starts_with("a ledger, whole: true"),
            };
            assert!(fine, "{target} {i}: {said}");
        }
    }
}
