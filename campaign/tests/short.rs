//! A short campaign: some hundred jobs of fixed seeds, which are printed.

use std::time::Duration;

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
    nothing_is_found(13, 4_000);
}

/// A seed of one's own: `CAMPAIGN_SEED=7 cargo test -p kohort-campaign`; the long campaign is the program `campaign`.
#[test]
fn another_seed() {
    let asked = std::env::var("CAMPAIGN_SEED").ok().and_then(|seed| seed.parse().ok());
    nothing_is_found(asked.unwrap_or(14), 4_000);
}
