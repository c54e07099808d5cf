//! `fuzz TARGET SECONDS SEED [FINDINGS]`: damages files and has them read. Prints findings, and keeps their inputs.
//!
//! The reading is done by a second process, which may crash, with a limit on its address space.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kohort_fuzz::seeds::{PEOPLE, Seed, seeds};
use kohort_fuzz::watch::{MOST_SECONDS, Outcome, cpu_seconds, watched};
use kohort_fuzz::{Damage, Target};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// Address space of the second process, in KiB. Much of what is reserved is never used.
const MOST_SPACE: &str = "16000000";

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = given.iter().map(String::as_str).collect();
    let (inner, words) = match words.as_slice() {
        ["--inner", rest @ ..] => (true, rest.to_vec()),
        rest => (false, rest.to_vec()),
    };
    let parsed = match words.as_slice() {
        [target, seconds, seed, rest @ ..] => Target::named(target)
            .zip(seconds.parse().ok())
            .zip(seed.parse().ok())
            .map(|((target, seconds), seed)| (target, seconds, seed, rest.first().copied())),
        _ => None,
    };
    let Some((target, seconds, seed, findings)) = parsed else {
        let names: Vec<String> = Target::ALL.iter().map(ToString::to_string).collect();
        eprintln!("usage: fuzz TARGET SECONDS SEED [FOLDER FOR FINDINGS]\ntargets: {}", names.join(", "));
        return ExitCode::from(2);
    };
    let findings = PathBuf::from(findings.unwrap_or("fuzz-findings"));
    if inner { work(target, seconds, seed, &findings) } else { oversee(target, seconds, seed, &findings) }
}

/// Starts the second process again where it dies, with the next seed; what it was reading then is a finding.
fn oversee(target: Target, seconds: u64, seed: u64, findings: &Path) -> ExitCode {
    let start = Instant::now();
    let (mut runs, mut found, mut seed) = (0u64, 0u64, seed);
    let first = seed;
    let program = std::env::current_exe().unwrap_or_else(|e| panic!("{e}"));
    while let Some(left) = Duration::from_secs(seconds).checked_sub(start.elapsed()).filter(|d| !d.is_zero())
    {
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {MOST_SPACE}; exec \"$0\" \"$@\"")])
            .arg(&program)
            .args(["--inner", &target.to_string(), &left.as_secs().max(1).to_string(), &seed.to_string()])
            .arg(findings)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("cannot start the second process: {e}"));
        let lines = child
            .stdout
            .take()
            .map(BufReader::new)
            .into_iter()
            .flat_map(BufRead::lines)
            .map_while(Result::ok);
        let (mut last, mut said) = (0, 0);
        for line in lines {
            if let Some(n) = line.strip_prefix("runs ") {
                last = n.parse().unwrap_or(last);
            } else {
                said += 1;
                println!("{line}");
            }
        }
        runs += last;
        found += said;
        let ended = child.wait().unwrap_or_else(|e| panic!("{e}"));
        if !ended.success() && said == 0 {
            found += 1;
            println!(
                "{target}, seed {seed}: the reader died ({ended}); its input is among those named 'last'"
            );
        }
        seed += 1;
    }
    println!("{target}, seeds {first} to {}: {runs} runs, {found} findings", seed - 1);
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Damages and reads until the time is over.
fn work(target: Target, seconds: u64, seed: u64, findings: &Path) -> ExitCode {
    let start = Instant::now();
    let desk = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
    std::fs::create_dir_all(findings).unwrap_or_else(|e| panic!("{}: {e}", findings.display()));
    std::fs::write(desk.path().join("people.csv"), PEOPLE).unwrap_or_else(|e| panic!("{e}"));
    let began = watchdog();
    let mut pool = seeds(target, Path::new(CORPUS));
    let mut damage = Damage::new(seed);
    let mut heard = BTreeSet::new();
    let mut found = 0u64;
    let mut runs = 0u64;
    while start.elapsed().as_secs() < seconds && found < 20 {
        let input = next(&mut damage, &pool);
        let file = findings.join(format!("last-{target}-{seed}.{}", input.ending));
        let place = desk.path().join(format!("input.{}", input.ending));
        let kept = std::fs::write(&place, &input.bytes).and_then(|()| std::fs::write(&file, &input.bytes));
        kept.unwrap_or_else(|e| panic!("{e}"));
        began.store((cpu_seconds() * 1000.0) as u64 + 1, Ordering::Relaxed);
        let outcome = watched(target, &place);
        began.store(0, Ordering::Relaxed);
        runs += 1;
        match outcome {
            // What was never heard before comes from a part of the reader that was not reached before.
            Outcome::Said(said) => {
                if pool.len() < 4000 && heard.insert(gist(&said)) && input.bytes.len() < 1 << 16 {
                    pool.push(input);
                }
            }
            Outcome::Finding(what) => {
                found += 1;
                let name = findings.join(format!("{target}-{seed}-{runs}.{}", input.ending));
                let _ = std::fs::rename(&file, &name);
                println!(
                    "{target}, seed {seed}, run {runs}: {} ({})",
                    what.lines().next().unwrap_or(""),
                    name.display()
                );
            }
        }
        if runs.is_multiple_of(256) {
            println!("runs {runs}");
        }
    }
    for ending in ["csv", "tsv", "parquet", "arrow", "feather", "txt", "json", "toml", "ledger"] {
        let _ = std::fs::remove_file(findings.join(format!("last-{target}-{seed}.{ending}")));
    }
    println!("runs {runs}");
    ExitCode::SUCCESS
}

/// A file of the pool, damaged; foreign parts are from another one.
fn next(damage: &mut Damage, pool: &[Seed]) -> Seed {
    let (seed, other) = (&pool[damage.below(pool.len())], &pool[damage.below(pool.len())]);
    Seed { ending: seed.ending.clone(), bytes: damage.damaged(&seed.bytes, &other.bytes) }
}

/// What was said, without the numbers and names in it.
fn gist(said: &str) -> String {
    let mut quoted = false;
    let keep = |c: &char| {
        quoted ^= *c == '\'';
        !quoted && !c.is_ascii_digit() && c.is_ascii()
    };
    said.chars().filter(keep).take(400).collect()
}

/// Ends the process where one input takes far too long. The number is when it began, in milliseconds of work; 0 is none.
fn watchdog() -> &'static AtomicU64 {
    static BEGAN: AtomicU64 = AtomicU64::new(0);
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let began = BEGAN.load(Ordering::Relaxed);
            if began > 0 && cpu_seconds() * 1000.0 - began as f64 > MOST_SECONDS * 2000.0 {
                std::process::exit(3);
            }
        }
    });
    &BEGAN
}
