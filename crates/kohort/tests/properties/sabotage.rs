//! The verifier is asked about releases that were broken on purpose.

use kohort::algorithm::Quiet;
use kohort::data::Kind;
use kohort::input::JobSpec;
use kohort::job::Verdict;
use kohort::job::files::FileJob;
use kohort::job::files::FileVerifyJob;
use proptest::prelude::*;

use super::common::draw::{Drawn, Shape, Sheet, sheets};
use super::common::files::{Folder, Row, read, write};
use super::common::fixed;
use super::common::witness::{ambiguous, examine, matched, published};
use super::walk::{verdict, ways};

/// Three classes of two, each with two illnesses.
fn people() -> (Sheet, Folder, JobSpec) {
    let column = |name: &str, shape, texts: [&str; 6]| Drawn {
        name: name.to_owned(),
        shape,
        texts: texts.map(str::to_owned).to_vec(),
        weight: 1.0,
        snap: None,
    };
    let qi = vec![
        column("q0", Shape::Number(Kind::Integer), ["20", "22", "40", "44", "70", "71"]),
        column("q1", Shape::Flat, ["f", "f", "m", "m", "f", "m"]),
    ];
    let illness = ["flu", "gout", "flu", "gout", "flu", "gout"].map(str::to_owned).to_vec();
    let sheet = Sheet { rows: 6, qi, sensitive: vec![illness] };
    let folder = Folder::of(&sheet);
    let file = JobSpec { k: Some(2), p: Some(2), keep_order: Some(true), ..folder.job(&sheet) };
    let outcome = FileJob::new(file.clone()).unwrap().run(&Quiet).unwrap();
    assert_eq!((outcome.summary.classes, outcome.summary.achieved.k), (3, 2));
    (sheet, folder, file)
}

/// Breaks the valid release and asks the verifier.
fn after(damage: impl FnOnce(&mut Vec<Row>)) -> Verdict {
    let (_, folder, file) = people();
    let mut rows = read(&folder.path("release.csv"));
    damage(&mut rows);
    write(&folder.path("broken.csv"), &rows);
    verdict(&folder, "broken.csv", &file)
}

#[track_caller]
fn complains(found: &Verdict, about: &str) {
    assert!(found.shortfalls.iter().any(|s| s.to_string().contains(about)), "{:?}", found.shortfalls);
}

#[test]
fn an_untouched_release_passes() {
    assert!(after(|_| ()).shortfalls.is_empty());
}

#[test]
fn a_row_in_the_wrong_class_is_noticed() {
    let found = after(|rows| {
        for name in ["q0", "q1"] {
            let text = rows[2][name].clone();
            rows[0].insert(name.to_owned(), text);
        }
    });
    assert_eq!(found.summary.achieved.k, 1);
    complains(&found, "smallest class has 1 row");
    complains(&found, "1 row or cell is not a generalization");
    complains(&found, "1 different value");
}

#[test]
fn a_narrowed_cell_is_noticed() {
    let found = after(|rows| {
        rows[0].insert("q0".to_owned(), "20".to_owned());
    });
    complains(&found, "smallest class has 1 row");
    assert_eq!(found.summary.achieved.illegal_cells, Some(0), "the narrower cell is still true");
}

#[test]
fn a_whole_class_narrowed_is_noticed() {
    let found = after(|rows| {
        for row in &mut rows[..2] {
            row.insert("q0".to_owned(), "[20, 21]".to_owned());
        }
    });
    assert_eq!(found.summary.achieved.k, 2);
    complains(&found, "1 row or cell is not a generalization");
}

#[test]
fn a_word_nobody_knows_is_noticed() {
    let found = after(|rows| {
        for row in &mut rows[..2] {
            row.insert("q1".to_owned(), "x".to_owned());
        }
    });
    complains(&found, "2 rows or cells are not generalizations");
}

#[test]
fn a_changed_sensitive_value_is_noticed() {
    let found = after(|rows| {
        rows[0].insert("s0".to_owned(), "gout".to_owned());
    });
    assert_eq!((found.summary.achieved.k, found.summary.achieved.p["s0"]), (2, 1));
    complains(&found, "1 different value of 's0'");
    complains(&found, "1 sensitive value is not the original's");
}

/// Two people of different classes change places in the sensitive column alone: every value is still there, but not theirs.
#[test]
fn exchanged_sensitive_values_are_noticed() {
    let found = after(|rows| {
        let (a, b) = (rows[0]["s0"].clone(), rows[3]["s0"].clone());
        assert_ne!(a, b, "the example exchanges nothing");
        rows[0].insert("s0".to_owned(), b);
        rows[3].insert("s0".to_owned(), a);
    });
    complains(&found, "2 rows or cells are not generalizations");
}

#[test]
fn a_dropped_row_is_noticed() {
    let found = after(|rows| {
        rows.remove(0);
    });
    assert_eq!((found.summary.released, found.summary.suppressed), (5, 1));
    complains(&found, "smallest class has 1 row");
    let intact = after(|_| ());
    let (before, now) = (intact.summary.loss.unwrap().il_total, found.summary.loss.unwrap().il_total);
    assert!(now > before, "a row that is gone is fully lost: {now} after {before}");
}

#[test]
fn an_invented_row_is_noticed() {
    let (_, folder, file) = people();
    let mut rows = read(&folder.path("release.csv"));
    rows.push(rows[0].clone());
    write(&folder.path("broken.csv"), &rows);
    let original = Some(folder.path("people.csv"));
    let found =
        FileVerifyJob::new(&file, folder.path("broken.csv"), original).and_then(|job| job.run(&Quiet));
    assert!(matches!(found, Err(kohort::Error::Violation(_))));
}

/// Gives one row the published texts of another and compares with the witness: classes by text, and whether every
/// released row can have an original row of its own.
fn moved(sheet: &Sheet, file: &JobSpec, folder: &Folder, from: usize, to: usize) {
    let Ok(_) = FileJob::new(file.clone()).unwrap().run(&Quiet) else { return };
    let mut rows = read(&folder.path("release.csv"));
    let (from, to) = (from % rows.len(), to % rows.len());
    if rows[from]["note"].is_empty() || rows[to]["note"].is_empty() {
        return;
    }
    let texts = rows[to].clone();
    rows[from].extend(texts.into_iter().filter(|(name, _)| name.starts_with('q')));
    if ambiguous(sheet, &rows) {
        return;
    }
    write(&folder.path("broken.csv"), &rows);
    let all: Vec<usize> = (0..sheet.rows).collect();
    let (seen, found) = (examine(sheet, &rows, &all), verdict(folder, "broken.csv", file));
    let achieved = &found.summary.achieved;
    assert_eq!((achieved.k, &achieved.p), (seen.k, &seen.p));
    let shown = rows.iter().filter(|row| !row["note"].is_empty()).count();
    let homeless = (shown - matched(sheet, &rows)) as u64;
    assert_eq!(achieved.illegal_cells, Some(homeless), "{:?}", published(sheet, &rows[from]));
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn the_verifier_and_the_witness_agree_about_broken_releases(
        sheet in sheets(2..=30usize, 1..=3, 0..=1),
        way in ways(),
        from in any::<usize>(),
        to in any::<usize>(),
    ) {
        let folder = Folder::of(&sheet);
        let file = way.job(&folder, &sheet);
        moved(&sheet, &file, &folder, from, to);
    }
}
