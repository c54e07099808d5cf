//! What is minimized is what is reported, and figures do not depend on the order of rows.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch};
use kohort::algorithm::Quiet;
use kohort::data::Kind;
use kohort::input::{ColumnSpec, JobSpec, MemoryTable};
use kohort::job::Outcome;
use kohort::output::MemorySink;
use kohort::report::Summary;

/// A table of whole numbers with columns `a`, `b` and so on.
fn numbers(rows: &[Vec<i64>]) -> MemoryTable {
    let column = |at: usize| -> (String, ArrayRef) {
        (name(at), Arc::new(rows.iter().map(|row| row[at]).collect::<Int64Array>()))
    };
    let batch = RecordBatch::try_from_iter((0..rows[0].len()).map(column)).unwrap();
    MemoryTable::new("numbers", &batch.schema(), vec![batch]).unwrap()
}

fn name(at: usize) -> String {
    char::from(b'a' + at as u8).to_string()
}

/// All columns are numbers that an outsider could know.
fn spec(columns: usize, k: u32, measure: &str) -> JobSpec {
    let number = ColumnSpec { kind: Some(Kind::Integer), ..ColumnSpec::default() };
    JobSpec {
        qi: (0..columns).map(name).collect(),
        columns: (0..columns).map(|at| (name(at), number.clone())).collect(),
        rows_are_people: Some(true),
        k: Some(k),
        measure: Some(measure.into()),
        ..JobSpec::default()
    }
}

fn released(spec: &JobSpec, rows: &[Vec<i64>]) -> Outcome {
    let mut sink = MemorySink::new("release");
    kohort::anonymize(&spec.check().unwrap(), &numbers(rows), &mut sink, &Quiet).unwrap()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

/// Columns that can lose nothing are no part of the distortion, so suppressing a row costs nothing in them.
#[test]
fn a_suppressed_row_loses_what_is_reported() {
    let rows = [[5, 4], [0, 8], [5, 1], [5, 2]].map(|[a, b]| vec![a, b, 1, 1, 1]);
    for k in [2, 3] {
        let spec = JobSpec { suppress: Some("34%".into()), ..spec(5, k, "whd") };
        near(released(&spec, &rows).summary.loss.unwrap().distortion_ratio, 23.0 / 56.0);
    }
}

/// Interval ends on a grid are what is lost, so they are what is minimized: who asks for less never loses more.
#[test]
fn ends_on_a_grid_are_counted_as_they_are_published() {
    let rows = [[12, 3], [14, 3], [24, 5], [16, 0], [31, 8], [8, 6]].map(|row| row.to_vec());
    for measure in ["il", "ncp", "lm", "entropy", "whd"] {
        let losses = [2, 3].map(|k| {
            let spec = JobSpec { snap: [("a".into(), 10.0.into())].into(), ..spec(2, k, measure) };
            let summary = released(&spec, &rows).summary;
            (bound(&summary), loss(&summary, measure))
        });
        let [(bound, two), (_, three)] = losses;
        assert!(two <= three + 1e-9 && bound <= two, "{measure}: {losses:?}");
    }
}

fn bound(summary: &Summary) -> f64 {
    summary.lower_bound.bound.unwrap()
}

fn loss(summary: &Summary, measure: &str) -> f64 {
    let loss = summary.loss.as_ref().unwrap();
    match measure {
        "il" => loss.il,
        "ncp" => loss.ncp,
        "lm" => loss.lm,
        "entropy" => loss.entropy,
        _ => loss.distortion_ratio,
    }
}

/// Where nothing can be lost, that is 0 and not -0, which JSON tells apart.
#[test]
fn nothing_is_written_without_a_sign() {
    let loss = released(&spec(2, 2, "il"), &vec![vec![1, 1]; 4]).summary.loss.unwrap();
    let text = serde_json::to_string(&loss).unwrap();
    assert!(text.contains("\"distortion\":0.0") && !text.contains("-0"), "{text}");
}

/// Also where the release comes without prices, from trying everything or by another notion, and where the search for them
/// ends early.
#[test]
fn the_order_of_rows_does_not_change_the_bound() {
    let made = |n: i64| -> Vec<Vec<i64>> {
        (0..n).map(|i| [7, 11, 5].map(|factor| i * i * factor % 23 + i % 3).to_vec()).collect()
    };
    for (n, notion) in [(9, "k"), (300, "k1"), (300, "kk"), (300, "k")] {
        let spec = JobSpec { notion: Some(notion.into()), ..spec(3, 3, "lm") };
        let (rows, mut other) = (made(n), made(n));
        other.reverse();
        other.rotate_left(2);
        let [one, two] = [rows, other].map(|rows| released(&spec, &rows).summary.lower_bound.bound);
        assert!(one.is_some() && one == two, "{n} {notion}: {one:?} and {two:?}");
    }
}
