//! Messages that any door can speak, and numbers for programs.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use kohort::Error;
use kohort::algorithm::Quiet;
use kohort::demand::Demands;
use kohort::error::Speech;
use kohort::input::{JobSpec, MemoryTable, Scalar};
use kohort::job::Outcome;
use kohort::output::MemorySink;

const MARKS: [char; 2] = ['‹', '›'];

/// Six people, of whom five share a sensitive value.
fn people() -> MemoryTable {
    let columns = [
        ("age", Arc::new(Int64Array::from(vec![34, 36, 35, 61, 58, 59])) as ArrayRef),
        ("illness", Arc::new(StringArray::from(vec!["flu", "flu", "flu", "flu", "flu", "gout"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    MemoryTable::new("people", &batch.schema(), vec![batch]).unwrap()
}

fn spec() -> JobSpec {
    JobSpec {
        qi: vec!["age".into()],
        sensitive: vec!["illness".into()],
        k: Some(3),
        keep_order: Some(true),
        ..JobSpec::default()
    }
}

fn run(spec: &JobSpec) -> Result<Outcome, Error> {
    kohort::anonymize(&spec.check()?, &people(), &mut MemorySink::new("release"), &Quiet)
}

/// The error of a job, and its numbers as JSON.
fn refused(spec: &JobSpec) -> (Error, serde_json::Value) {
    let error = run(spec).unwrap_err();
    let numbers = serde_json::to_value(&error).unwrap()["numbers"].clone();
    (error, numbers)
}

struct Python;

impl Speech for Python {
    fn option(&self, name: &str, value: Option<&str>) -> String {
        let name = name.replace('-', "_");
        value.map_or_else(|| name.clone(), |value| format!("{name}={value:?}"))
    }
}

#[test]
fn every_door_has_its_own_words() {
    let outcome = run(&spec()).unwrap();
    let warning = outcome.warnings.first().unwrap();
    assert!(warning.to_string().contains("(`keep-order`)"), "{warning}");
    assert!(warning.spoken_by(&Python).contains("(keep_order)"), "{warning}");
    let note = outcome.notes.first().unwrap();
    assert!(note.to_string().contains("`p = 2` prevents it"), "{note}");
    assert!(note.spoken_by(&Python).contains("p=\"2\" prevents it"), "{note}");
    let error = run(&JobSpec { k: None, ..spec() }).unwrap_err();
    assert_eq!(error.place().spoken_by(&Python), "k");
    assert_eq!(
        error.to_string(),
        "no k was given\n  where: `k`\n  way out: say how many people everyone must hide among, for example `k = 10`"
    );
}

#[test]
fn documents_are_in_plain_speech() {
    let outcome = run(&spec()).unwrap();
    let audit = serde_json::to_string(&outcome.audit).unwrap();
    assert!(audit.contains("`keep-order`"), "{audit}");
    let verdict = kohort::verify(&spec().check_for_verification().unwrap(), &people(), None, &Quiet).unwrap();
    let summary = serde_json::to_string(&verdict.summary).unwrap();
    assert!(summary.contains("that takes `original`"), "{summary}");
    let certificate = serde_json::to_string(&outcome.certificate).unwrap();
    let debugged = format!("{:?} {:?} {:?}", outcome.notes, outcome.warnings, verdict.shortfalls);
    for text in [audit, summary, certificate, debugged] {
        assert!(!text.contains(MARKS), "{text}");
    }
}

#[test]
fn numbers_are_there_for_programs() {
    let (error, numbers) = refused(&JobSpec { k: Some(9), ..spec() });
    assert_eq!((error.kind(), numbers.to_string().as_str()), ("unsolvable", r#"{"k":9,"rows":6}"#));
    let (error, numbers) = refused(&JobSpec { p: Some(4), ..spec() });
    assert_eq!((error.kind(), numbers.to_string().as_str()), ("job", r#"{"k":3,"p":4}"#));
    let (_, numbers) = refused(&JobSpec { p: Some(3), ..spec() });
    assert_eq!(numbers.to_string(), r#"{"p":3,"p_reachable":2}"#);
    let alpha = |suppress: Option<&str>| JobSpec {
        alpha: vec![Scalar::Number(0.5)],
        suppress: suppress.map(|share| Scalar::Text(share.into())),
        ..spec()
    };
    let (error, numbers) = refused(&alpha(None));
    assert_eq!(numbers.to_string(), r#"{"alpha":0.5,"alpha_reachable":0.834}"#);
    assert_eq!(error.place().options()[0].name, "alpha");
    let (_, numbers) = refused(&alpha(Some("20%")));
    assert_eq!(numbers["allowed"], 1, "{numbers}");
    assert!(Demands::new(1, None).unwrap_err().numbers().contains_key("k"));
}

#[test]
fn the_share_that_would_do_does() {
    let frequent = JobSpec { k: Some(2), p: None, alpha: vec![Scalar::Number(0.5)], ..spec() };
    let asked = |share: String| JobSpec { suppress: Some(Scalar::Text(share)), ..frequent.clone() };
    let (_, numbers) = refused(&asked("20%".into()));
    let share = numbers["suppress_at_least"].as_f64().unwrap();
    assert!(run(&asked(format!("{:.1}%", 100.0 * share))).is_ok(), "{numbers}");
    assert!(run(&asked(format!("{:.1}%", 100.0 * share - 0.1))).is_err(), "{numbers}");
}
