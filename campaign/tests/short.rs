//! A short campaign: some hundred jobs of a fixed seed, and some of a fresh one, which is printed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kohort_campaign::campaign::{Plan, run};

fn nothing_is_found(seed: u64, jobs: u64) {
    let findings = tempfile::tempdir().expect("a place for findings").keep();
    let plan =
        Plan { jobs, seed, threads: 2, most: Some(Duration::from_mins(1)), findings: findings.clone() };
    println!("campaign of seed {seed}");
    let tally = run(&plan).expect("the campaign runs");
    assert!(tally.findings.is_empty(), "seed {seed}, see {}: {:#?}", findings.display(), tally.findings);
    let _ = std::fs::remove_dir(findings);
    let released: u64 = tally.counts.iter().filter(|((_, _, o), _)| o == "released").map(|(_, n)| n).sum();
    assert!(released * 3 > jobs, "only {released} of {jobs} jobs of seed {seed} gave a release");
}

#[test]
fn a_fixed_seed() {
    nothing_is_found(13, 400);
}

/// Whoever sees this fail finds the seed in the message.
#[test]
fn a_fresh_seed() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |t| t.as_nanos() as u64);
    nothing_is_found(now, 400);
}
