//! Many jobs, side by side, until there are enough or time is up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use crate::case::Case;
use crate::checker::Violation;
use crate::draw::draw;
use crate::examine::{Bench, Examined, Extras, examine};
use crate::files::notion;
use crate::random::Random;
use crate::shrink::shrink;

/// How large a campaign is.
#[derive(Debug, Clone)]
pub struct Plan {
    /// So many jobs.
    pub jobs: u64,
    /// The seed of all of them.
    pub seed: u64,
    /// So many at a time.
    pub threads: usize,
    /// No longer than this.
    pub most: Option<Duration>,
    /// Where findings go.
    pub findings: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Tally {
    /// Jobs by algorithm, notion and outcome.
    pub counts: BTreeMap<(String, String, String), u64>,
    /// What jobs without a release said, without names and numbers.
    pub messages: BTreeMap<String, (u64, u64)>,
    /// Seeds and what is wrong.
    pub findings: Vec<(u64, Violation)>,
}

impl Tally {
    /// One line for the records.
    pub fn json(&self, plan: &Plan, seconds: f64) -> Value {
        let count = |((a, n, o), jobs): (&(String, String, String), &u64)| json!({ "algorithm": a, "notion": n, "outcome": o, "jobs": jobs });
        let finding = |(seed, v): &(u64, Violation)| json!({ "seed": seed, "kind": v.kind, "what": v.what });
        json!({
            "seed": plan.seed,
            "jobs": self.counts.values().sum::<u64>(),
            "seconds": seconds.round(),
            "counts": self.counts.iter().map(count).collect::<Vec<_>>(),
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}

/// The seed of a job of a campaign.
fn seed_of(campaign: u64, job: u64) -> u64 {
    Random::new(campaign ^ job.wrapping_mul(0xD1B5_4A32_D192_ED03)).number()
}

/// A place for files that are gone soon: memory, where there is such a folder.
fn workshop() -> Result<tempfile::TempDir> {
    let memory = Path::new("/dev/shm");
    let builder = || tempfile::Builder::new().prefix("campaign-").tempdir_in(memory);
    Ok(if memory.is_dir() { builder().or_else(|_| tempfile::tempdir())? } else { tempfile::tempdir()? })
}

/// The case and the dearer questions of a seed.
fn of_seed(seed: u64) -> (Case, Extras) {
    (draw(seed), Extras::draw(&mut Random::new(seed ^ 0x5EED)))
}

/// Runs one job in a fresh folder.
fn once(case: &Case, extras: Extras, bench: &Bench, workshop: &Path) -> Result<Examined> {
    let folder = tempfile::tempdir_in(workshop)?;
    examine(case, folder.path(), extras, bench)
}

/// Runs a campaign.
pub fn run(plan: &Plan) -> Result<Tally> {
    let (next, start) = (AtomicU64::new(0), Instant::now());
    let found = Mutex::new(Tally::default());
    let work = || -> Result<()> {
        let (bench, workshop) = (Bench::new()?, workshop()?);
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= plan.jobs || plan.most.is_some_and(|most| start.elapsed() > most) {
                return Ok(());
            }
            single(seed_of(plan.seed, job), plan, &bench, workshop.path(), &found)?;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|_| anyhow::bail!("a worker panicked")))
    })?;
    Ok(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Runs the job of one seed, and records what came of it.
pub fn single(seed: u64, plan: &Plan, bench: &Bench, workshop: &Path, found: &Mutex<Tally>) -> Result<()> {
    let (case, extras) = of_seed(seed);
    let examined = once(&case, extras, bench, workshop).unwrap_or_else(|e| Examined {
        outcome: "failed",
        message: None,
        finding: Some(Violation::new("unreadable", format!("{e:#}"))),
    });
    let key =
        (case.asked.algorithm.clone(), notion(case.asked.notion).to_owned(), examined.outcome.to_owned());
    {
        let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *found.counts.entry(key).or_insert(0) += 1;
        if let Some(message) = &examined.message {
            found.messages.entry(normal(message)).or_insert((0, seed)).0 += 1;
        }
    }
    let Some(violation) = examined.finding else { return Ok(()) };
    let many = {
        let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        found.findings.push((seed, violation.clone()));
        found.findings.iter().filter(|(_, v)| v.kind == violation.kind).count()
    };
    eprintln!("finding: seed {seed}: {}: {}", violation.kind, violation.what.replace('\n', " "));
    // Of one kind, a few examples are enough.
    if many <= 5
        && let Err(e) = record(seed, &case, extras, &violation, plan, bench, workshop)
    {
        eprintln!("seed {seed} could not be written down: {e:#}");
    }
    Ok(())
}

/// Writes the smallest case with the same kind of finding down.
fn record(
    seed: u64,
    case: &Case,
    extras: Extras,
    violation: &Violation,
    plan: &Plan,
    bench: &Bench,
    workshop: &Path,
) -> Result<()> {
    let mut last = violation.clone();
    let small = shrink(case, 400, &mut |smaller| {
        let examined = once(smaller, extras, bench, workshop).ok();
        let finding = examined.and_then(|e| e.finding).filter(|f| f.kind == violation.kind);
        let persists = finding.is_some();
        last = finding.unwrap_or_else(|| last.clone());
        persists
    });
    let folder = plan.findings.join(format!("{seed}"));
    std::fs::create_dir_all(&folder)?;
    let examined = examine(&small, &folder, extras, bench)?;
    let finding = examined.finding.unwrap_or(last);
    let text = format!(
        "seed {seed}\n{}: {}\n\nat first: {}: {}\n\nkohort anonymize --job job.toml\n\n{small:#?}\n",
        finding.kind, finding.what, violation.kind, violation.what
    );
    Ok(std::fs::write(folder.join("finding.txt"), text)?)
}

/// The first line of a message without names and numbers, so that those of a kind can be counted.
fn normal(message: &str) -> String {
    let (mut out, mut quoted) = (String::new(), false);
    for c in message.lines().next().unwrap_or_default().chars() {
        match c {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            c if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            c => out.push(c),
        }
    }
    out
}
