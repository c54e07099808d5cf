//! All that must be true of one job.

use std::path::Path;

use anyhow::Result;
use rayon::ThreadPool;

use crate::case::{Case, Column, Intervals, Role};
use crate::checker::certificate::check_certificate;
use crate::checker::exhaustive::possible;
use crate::checker::{Original, Sheet, Strictness, Violation, check, read};
use crate::damage::damaged;
use crate::drive::{Ended, anonymize, confirm, verify};
use crate::files::{Places, write, write_texts};
use crate::random::Random;

/// What one worker needs.
pub struct Bench {
    one: ThreadPool,
    two: ThreadPool,
}

impl Bench {
    /// Two pools: one thread, two threads.
    pub fn new() -> Result<Self> {
        let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build();
        Ok(Self { one: pool(1)?, two: pool(2)? })
    }
}

/// Which of the dearer questions are asked.
#[derive(Debug, Clone, Copy)]
pub struct Extras {
    /// Is it the same with two threads?
    pub threads: bool,
    /// Does `verify` accept it?
    pub verify: bool,
    /// Does `verify` reject what was changed? With the seed of the changes.
    pub damage: Option<u64>,
    /// Do other originals with the same release give the same bytes? With the seed of the other original.
    pub twin: Option<u64>,
}

impl Extras {
    /// Some of them.
    pub fn draw(random: &mut Random) -> Self {
        Self {
            threads: random.one_in(6),
            verify: !random.one_in(4),
            damage: random.one_in(3).then(|| random.number()),
            twin: random.one_in(8).then(|| random.number()),
        }
    }
}

/// What became of a job.
#[derive(Debug, Clone)]
pub struct Examined {
    /// `released`, `unsolvable`, `not found`, `refused` or `failed`.
    pub outcome: &'static str,
    /// What was said, where nothing was released.
    pub message: Option<String>,
    /// What is wrong.
    pub finding: Option<Violation>,
}

/// Runs a job in an empty folder and checks everything.
pub fn examine(case: &Case, folder: &Path, extras: Extras, bench: &Bench) -> Result<Examined> {
    let places = write(case, folder)?;
    let ended = bench.one.install(|| anonymize(&places, case.asked.hurried));
    let sheet = read(&places.input)?.of_people();
    let original = Original::new(case, &sheet);
    Ok(match ended {
        Ended::Failed(what) => Examined {
            outcome: "failed",
            finding: Some(Violation::new("failed", &what)),
            message: Some(what),
        },
        Ended::Refused(message) => Examined { outcome: "refused", message: Some(message), finding: None },
        Ended::Unsolvable(message) => unsolvable(&original, message),
        Ended::Released(certificate) => {
            let finding = released(&original, &places, certificate.as_deref(), extras, bench)?;
            Examined { outcome: "released", message: None, finding }
        }
    })
}

fn unsolvable(original: &Original<'_>, message: String) -> Examined {
    // What was not found may exist, and says so.
    let gave_up = message.contains("found") || message.contains("time");
    let outcome = if gave_up { "not found" } else { "unsolvable" };
    let finding = (!gave_up && possible(original) == Some(true))
        .then(|| Violation::new("refusal", format!("there is a release: {message}")));
    Examined { outcome, message: Some(message), finding }
}

fn released(
    original: &Original<'_>,
    places: &Places,
    certificate: Option<&Path>,
    extras: Extras,
    bench: &Bench,
) -> Result<Option<Violation>> {
    let case = original.case;
    let release = read(&places.output)?;
    if let Err(violation) = check(original, &release, Strictness::Own) {
        return Ok(Some(violation));
    }
    let Some(certificate) = certificate else {
        return Ok(Some(Violation::new("certificate", "there is none")));
    };
    let said = std::fs::read_to_string(certificate)?;
    if let Some(violation) = check_certificate(&serde_json::from_str(&said)?, &places.output, case)? {
        return Ok(Some(violation));
    }
    match bench.one.install(|| confirm(&places.output, certificate)) {
        Ok(short) if short.is_empty() => {}
        Ok(short) => return Ok(Some(Violation::new("certificate not confirmed", short.join("; ")))),
        Err(e) => return Ok(Some(Violation::new("certificate cannot be checked", e))),
    }
    if extras.threads
        && let Some(violation) = same_with_two_threads(case, places, certificate, bench)?
    {
        return Ok(Some(violation));
    }
    if extras.verify && can_be_verified(case) {
        match bench.one.install(|| verify(places, &places.output)) {
            Ok(short) if short.is_empty() => {}
            // Rows that show nothing may be people or suppressed: `verify` says so, and how to tell it.
            Ok(short) if short.iter().all(|s| s.contains("`suppressed = drop` says")) => return Ok(None),
            // Nor does a shuffled release always tell who is suppressed, and with whom that person could change places.
            Ok(short) if short.iter().all(|s| s.contains("does not tell which rows are suppressed")) => {
                return Ok(None);
            }
            // Rows are assigned to people by a search that need not find the best assignment; `verify` says that it is one of
            // several.
            Ok(short) if short.iter().all(|s| s.contains("(as rows that look alike were assigned")) => {
                return Ok(None);
            }
            // Middles do not tell whose rows these are.
            Ok(short) if is_middle(case) && short.iter().all(|s| is_untold(s)) => return Ok(None),
            // A class that shows nothing cannot be told from starred rows.
            Ok(_) if case.asked.star == Some(true) && shows_nothing(&release) => return Ok(None),
            Ok(short) => return Ok(Some(Violation::new("verify rejects", short.join("; ")))),
            Err(e) => return Ok(Some(Violation::new("verify fails", e))),
        }
        if let Some(seed) = extras.damage
            && let Some(violation) = verify_sees_damage(original, places, &release, seed, bench)?
        {
            return Ok(Some(violation));
        }
    }
    match extras.twin {
        Some(seed) if !case.asked.keep_order => twin(case, places, certificate, &release, seed, bench),
        _ => Ok(None),
    }
}

/// Whether some row has nothing but stars and empty cells.
fn shows_nothing(release: &Sheet) -> bool {
    let nothing = |row: usize| (0..release.columns.len()).all(|c| matches!(release.text(c, row), "" | "*"));
    (0..release.rows()).any(nothing)
}

fn same_with_two_threads(
    case: &Case,
    places: &Places,
    certificate: &Path,
    bench: &Bench,
) -> Result<Option<Violation>> {
    let both = || Ok::<_, std::io::Error>((std::fs::read(&places.output)?, std::fs::read(certificate)?));
    let before = both()?;
    let ended = bench.two.install(|| anonymize(places, case.asked.hurried));
    let same = matches!(ended, Ended::Released(_)) && both()? == before;
    Ok((!same).then(|| Violation::new("threads", format!("another release with two threads: {ended:?}"))))
}

/// Whether `verify` says that a release does not tell something, and how to tell it.
fn is_untold(shortfall: &str) -> bool {
    shortfall.contains("whose rows these are") || shortfall.contains("`suppressed = drop` says")
}

fn is_middle(case: &Case) -> bool {
    case.asked.intervals == Intervals::Midpoint
}

/// Whether `verify` can be expected to accept a release.
fn can_be_verified(case: &Case) -> bool {
    // Middles do not tell how far a value was generalized, and `verify` says so.
    let untold = is_middle(case) && case.of(Role::Quasi).any(Column::is_bounded);
    !untold
}

fn verify_sees_damage(
    original: &Original<'_>,
    places: &Places,
    release: &Sheet,
    seed: u64,
    bench: &Bench,
) -> Result<Option<Violation>> {
    let mut random = Random::new(seed);
    let path = places.output.with_file_name("damaged.csv");
    for _ in 0..3 {
        let Some(sheet) = damaged(original.case, release, &mut random) else { continue };
        let Err(violation) = check(original, &sheet, Strictness::Foreign) else { continue };
        // Whose middle a number is cannot be traced.
        let traced = !is_middle(original.case);
        if !traced && !["k", "p", "l", "alpha", "t", "beta", "delta"].contains(&violation.kind.as_str()) {
            continue;
        }
        let names: Vec<&str> = sheet.names.iter().map(String::as_str).collect();
        write_texts(&names, &sheet.columns.iter().collect::<Vec<_>>(), b',', &path)?;
        if bench.one.install(|| verify(places, &path)).is_ok_and(|short| short.is_empty()) {
            let what = format!("a damaged release (damaged.csv) is accepted: {}", violation.what);
            return Ok(Some(Violation::new(&format!("verify accepts, {}", violation.kind), what)));
        }
    }
    Ok(None)
}

/// The same people in another order, under other names: where that gives the same rows, it gives the same bytes.
fn twin(
    case: &Case,
    places: &Places,
    certificate: &Path,
    release: &Sheet,
    seed: u64,
    bench: &Bench,
) -> Result<Option<Violation>> {
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = (0..case.rows()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    let mut other = case.clone();
    for column in &mut other.columns {
        column.cells = order.iter().map(|&row| column.cells[row].clone()).collect();
        if matches!(column.role, Role::Identifier | Role::Person) {
            column.cells.iter_mut().flatten().for_each(|cell| cell.push('x'));
        }
    }
    let folder = places.output.with_file_name("twin");
    std::fs::create_dir_all(&folder)?;
    let there = write(&other, &folder)?;
    let Ended::Released(Some(its)) = bench.one.install(|| anonymize(&there, case.asked.hurried)) else {
        return Ok(None);
    };
    let sorted = |sheet: &Sheet| {
        let row = |row: usize| sheet.columns.iter().map(|c| c[row].clone()).collect::<Vec<_>>();
        let mut rows: Vec<_> = (0..sheet.rows()).map(row).collect();
        rows.sort();
        rows
    };
    if sorted(&read(&there.output)?) != sorted(release) {
        return Ok(None);
    }
    if std::fs::read(&there.output)? != std::fs::read(&places.output)? {
        return Ok(Some(Violation::new("order", "the same rows in another order: see twin/")));
    }
    let same = std::fs::read(its)? == std::fs::read(certificate)?;
    Ok((!same).then(|| Violation::new("certificate", "the same release, another certificate: see twin/")))
}
