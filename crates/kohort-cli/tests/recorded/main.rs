//! Releases that must not change unnoticed: same table, same job, same seed, same bytes, also in the next version.
//!
//! `releases.txt` holds the digests of release and certificate of every job in `jobs`. Whoever changes them on purpose records
//! them again (`KOHORT_RECORD=1 cargo test --workspace --test recorded`) and says in the commit which changed and why.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../common/mod.rs"]
mod common;
mod jobs;

use std::fmt::Write as _;
use std::path::Path;

use common::Desk;
use sha2::{Digest, Sha256};

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded/releases.txt");

/// The tables of the jobs, with their hierarchies, in three formats.
fn tables() -> Desk {
    let desk = Desk::new();
    for (name, rows) in [("hospital", 240), ("census", 260), ("nn", 200), ("art", 180)] {
        desk.done(&format!("generate {name} --rows {rows} -o {name}.csv --hierarchies trees-{name}"));
        desk.done(&format!("generate {name} --rows {rows} -o {name}.parquet"));
        desk.done(&format!("generate {name} --rows {rows} -o {name}.arrow"));
    }
    desk
}

fn digest(desk: &Desk, name: &str) -> String {
    let bytes = Sha256::digest(desk.bytes(name));
    bytes.iter().take(12).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What a job leaves: digests of release and certificate, or its exit code.
fn outcome(desk: &Desk, job: &jobs::Job) -> String {
    let ran = desk.run(&job.line);
    match ran.code {
        Some(0) => format!(
            "{} {}",
            digest(desk, &job.release),
            digest(desk, &format!("{}.certificate.json", job.release))
        ),
        code => format!("exit {}", code.map_or_else(|| "by signal".to_owned(), |c| c.to_string())),
    }
}

#[test]
fn releases_are_those_of_the_last_version() {
    let (desk, jobs) = (tables(), jobs::all());
    assert!(jobs.len() >= 200, "{} jobs", jobs.len());
    let mut found = String::new();
    for job in &jobs {
        let _ = writeln!(found, "{}  {}", outcome(&desk, job), job.line);
    }
    if std::env::var_os("KOHORT_RECORD").is_some() {
        std::fs::write(RECORD, &found).unwrap();
    }
    let recorded = std::fs::read_to_string(Path::new(RECORD)).unwrap();
    let changed: Vec<String> = found
        .lines()
        .zip(recorded.lines())
        .filter(|(now, then)| now != then)
        .map(|(now, then)| format!("now  {now}\nthen {then}"))
        .collect();
    assert!(changed.is_empty(), "{} of {} changed:\n{}", changed.len(), jobs.len(), changed.join("\n"));
    assert_eq!(found.lines().count(), recorded.lines().count(), "jobs came or went: record them");
}
