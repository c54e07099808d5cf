//! What is committed is what the newest result says: the page, and every figure.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kohort_reproduce::{Report, markdown};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The newest of the results; their names begin with the date.
fn newest() -> Report {
    let files = fs::read_dir(workspace().join("bench/results")).unwrap().map(|entry| entry.unwrap().path());
    let newest = files.filter(|file| file.to_string_lossy().ends_with("-reproduction.json")).max().unwrap();
    serde_json::from_str(&fs::read_to_string(newest).unwrap()).unwrap()
}

#[test]
fn the_page_is_written_from_the_result() {
    let page = fs::read_to_string(workspace().join("docs/reproduction.md")).unwrap();
    let expected = markdown(&newest(), "reproduction");
    for (at, (found, expected)) in page.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "docs/reproduction.md, line {}", at + 1);
    }
    assert_eq!(page, expected);
}

#[test]
fn the_figures_are_drawn_from_the_result() {
    let (report, folder) = (newest(), workspace().join("docs/reproduction"));
    let mut names = BTreeSet::new();
    for figure in report.figures() {
        let name = format!("{}.svg", figure.id);
        assert_eq!(fs::read_to_string(folder.join(&name)).unwrap(), figure.svg(), "{name}");
        assert!(names.insert(name), "two figures are called {}", figure.id);
    }
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.collect::<BTreeSet<_>>(), names);
}

#[test]
fn a_report_comes_back_from_json() {
    let report = newest();
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}

#[test]
fn every_claim_has_a_verdict_and_figures_for_it() {
    let report = newest();
    assert!(!report.quick && report.papers.len() == 5 && report.overall.is_some());
    for paper in &report.papers {
        assert!(!paper.claims.is_empty() && !paper.parts.is_empty(), "{}", paper.number);
        assert!(paper.claims.iter().all(|claim| !claim.found.is_empty()), "{}", paper.number);
    }
}
