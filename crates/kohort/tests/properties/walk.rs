//! The whole walk through files, watched by a witness that knows only texts.

use std::collections::BTreeSet;

use kohort::Error;
use kohort::algorithm::Quiet;
use kohort::data::{Intervals, Kind, Missing, Suppressed};
use kohort::input::JobSpec;
use kohort::job::Verdict;
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::report::Summary;
use kohort::verify::SourceCheck;
use proptest::prelude::*;
use proptest::sample::select;

use super::common::asked::block_rows;
use super::common::draw::{Drawn, Shape, Sheet, mostly_small, sheets};
use super::common::files::{Folder, read};
use super::common::fixed;
use super::common::witness::{Seen, ambiguous, examine};

/// One of the ways to ask.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    pub(crate) algorithm: (&'static str, &'static str, &'static str),
    pub(crate) measure: &'static str,
    pub(crate) k: u32,
    pub(crate) p: Option<u32>,
    pub(crate) seed: u64,
    pub(crate) keep_order: bool,
    intervals: Intervals,
    snap: bool,
    missing: Missing,
    suppressed: Suppressed,
    block_rows: Option<usize>,
}

pub(crate) fn ways() -> impl Strategy<Value = Way> {
    let algorithms = vec![
        ("k-member", "first-seed", "row"),
        ("k-member", "first-seed", "farthest"),
        ("greedy-pk", "", ""),
        ("enhanced-pk", "", ""),
        ("enhanced-pk", "local-search", "off"),
        ("oka", "", ""),
        ("systematic", "", ""),
        ("systematic-plus", "", ""),
        ("kaca", "", ""),
        ("agglomerative", "distance", "1"),
        ("agglomerative", "distance", "3"),
        ("agglomerative-modified", "distance", "4"),
        ("forest", "", ""),
        ("mondrian", "cut", "strict"),
        ("mondrian", "cut", "relaxed"),
        ("incognito", "", ""),
    ];
    let how = (select(algorithms), select(vec!["il", "lm", "entropy", "whd", "ncp"]), 0..3u64, any::<bool>());
    let form = (
        prop_oneof![3 => Just(Intervals::Text), 1 => Just(Intervals::Bounds)],
        prop::bool::weighted(0.2),
        prop_oneof![3 => Just(Missing::Value), 1 => Just(Missing::Suppress)],
        select(vec![Suppressed::Drop, Suppressed::Star]),
        block_rows(),
    );
    (how, 2..=6u32, prop::option::of(1..=3u32), form).prop_map(
        |((algorithm, measure, seed, keep_order), k, p, (intervals, snap, missing, suppressed, blocks))| {
            let block_rows = blocks.filter(|_| algorithm.0 != "incognito");
            let p = if algorithm.0 == "enhanced-pk" { Some(p.unwrap_or(2).max(2)) } else { p };
            let p = p.map(|p| p.min(k));
            Way {
                algorithm,
                measure,
                k,
                p,
                seed,
                keep_order,
                intervals,
                snap,
                missing,
                suppressed,
                block_rows,
            }
        },
    )
}

impl Way {
    pub(crate) fn job(&self, folder: &Folder, sheet: &Sheet) -> JobSpec {
        let (algorithm, setting, value) = self.algorithm;
        let step = |shape: &Shape| match shape {
            Shape::Number(Kind::Integer) => Some("4"),
            Shape::Number(Kind::Decimal) => Some("0.3"),
            Shape::Number(Kind::Date) => Some("1 month"),
            Shape::Number(Kind::Timestamp) => Some("6 hours"),
            _ => None,
        };
        let step = |shape: &Shape| step(shape).map(|step| step.parse().unwrap());
        let grids =
            sheet.qi.iter().filter_map(|c| Some((c.name.clone(), step(&c.shape).filter(|_| self.snap)?)));
        JobSpec {
            k: Some(self.k),
            p: self.p,
            algorithm: Some(algorithm.to_owned()),
            settings: [(setting.to_owned(), value.to_owned())]
                .into_iter()
                .filter(|(name, _)| !name.is_empty())
                .collect(),
            measure: Some(self.measure.to_owned()),
            seed: Some(self.seed),
            block_rows: self.block_rows,
            keep_order: Some(self.keep_order),
            intervals: Some(self.intervals),
            missing: Some(self.missing),
            suppressed: Some(self.suppressed),
            snap: grids.collect(),
            ..folder.job(sheet)
        }
    }

    /// The rows that may be released.
    fn kept(&self, sheet: &Sheet) -> Vec<usize> {
        let whole = |row: &usize| sheet.qi.iter().all(|c| !c.texts[*row].is_empty());
        (0..sheet.rows).filter(|row| self.missing == Missing::Value || whole(row)).collect()
    }

    /// Whether any release of these rows can satisfy the demands.
    fn solvable(&self, sheet: &Sheet, kept: &[usize]) -> bool {
        let p = self.p.unwrap_or(1) as usize;
        let values = |texts: &Vec<String>| kept.iter().map(|&r| &texts[r]).collect::<BTreeSet<_>>().len();
        kept.len() >= self.k as usize
            && (p <= 1 || (!sheet.sensitive.is_empty() && sheet.sensitive.iter().all(|s| values(s) >= p)))
    }
}

pub(crate) fn verdict(folder: &Folder, release: &str, file: &JobSpec) -> Verdict {
    FileVerifyJob::new(file, folder.path(release), Some(folder.path("people.csv")))
        .and_then(|job| job.run(&Quiet))
        .unwrap()
}

fn same_figures(summary: &Summary, seen: &Seen, kept: usize) {
    let achieved = &summary.achieved;
    assert_eq!((achieved.k, summary.classes, &achieved.p), (seen.k, seen.classes, &seen.p));
    assert_eq!((summary.released, achieved.illegal_cells), (kept as u64, Some(0)));
    let il = summary.loss.as_ref().unwrap().il_total;
    assert!((il - seen.il_total).abs() < 1e-6, "il {il}, the witness says {}", seen.il_total);
}

fn keeps_its_promises(sheet: &Sheet, way: &Way) {
    let folder = Folder::of(sheet);
    let file = way.job(&folder, sheet);
    let kept = way.kept(sheet);
    let outcome = FileJob::new(file.clone()).unwrap().run(&Quiet);
    if !way.solvable(sheet, &kept) {
        assert!(matches!(outcome, Err(Error::Unsolvable(_) | Error::Job(_))), "{:?}", outcome.err());
        assert!(!folder.path("release.csv").exists(), "nothing may be written");
        return;
    }
    let summary = outcome.unwrap_or_else(|e| panic!("{e}")).summary;

    let released = read(&folder.path("release.csv"));
    let seen = examine(sheet, &released, &kept);
    let starred = if way.suppressed == Suppressed::Star { sheet.rows - kept.len() } else { 0 };
    assert_eq!((released.len(), seen.starred), (kept.len() + starred, starred));
    assert!(seen.k >= u64::from(way.k), "{seen:?}");
    assert!(seen.p.values().all(|&least| least >= u64::from(way.p.unwrap_or(1))), "{seen:?}");
    assert_eq!(seen.misfits, 0, "every released cell covers the value it stands for");
    let notes: Vec<&String> =
        released.iter().map(|row| &row["note"]).filter(|note| !note.is_empty()).collect();
    let mut sources: Vec<usize> = notes.iter().map(|note| note.parse().unwrap()).collect();
    if !way.keep_order {
        sources.sort_unstable();
    }
    assert_eq!(sources, kept, "every row is released once");
    for row in released.iter().filter(|row| !row["note"].is_empty()) {
        let source: usize = row["note"].parse().unwrap();
        for (i, texts) in sheet.sensitive.iter().enumerate() {
            assert_eq!(row[&format!("s{i}")], texts[source], "sensitive values stay with their row");
        }
    }
    same_figures(&summary, &seen, kept.len());

    if ambiguous(sheet, &released) {
        return;
    }
    let verdict = verdict(&folder, "release.csv", &file);
    assert!(verdict.shortfalls.is_empty(), "{:?}", verdict.shortfalls);
    same_figures(&verdict.summary, &seen, kept.len());
    assert_eq!(verdict.summary.suppressed, (sheet.rows - kept.len()) as u64);
    let (ours, theirs) = (summary.loss.unwrap(), verdict.summary.loss.unwrap());
    assert_eq!(ours.dm, theirs.dm);
    assert!((ours.il - theirs.il).abs() < 1e-12);
    let check = verdict.summary.achieved.source_check.unwrap();
    assert!(matches!(check, SourceCheck::RowByRow | SourceCheck::Matched), "{check:?}");
    assert!(!way.keep_order || released.len() < sheet.rows || check == SourceCheck::RowByRow);
}

proptest! {
    #![proptest_config(fixed(600))]

    #[test]
    fn releases_keep_their_promises(sheet in sheets(mostly_small(), 1..=5, 0..=2), way in ways()) {
        keeps_its_promises(&sheet, &way);
    }
}

/// Five people in a class of nothing but `*`, all with one illness, and a starred row: the starred row must not count as
/// a sixth person with a second illness. The job knows; whoever examines the file alone claims too much.
#[test]
fn a_starred_row_is_no_member_of_a_class() {
    let texts = ["a", "b", "c", "d", "e", ""].map(str::to_owned).to_vec();
    let qi = vec![Drawn { name: "q0".into(), shape: Shape::Flat, texts, weight: 1.0, snap: None }];
    let sheet = Sheet { rows: 6, qi, sensitive: vec![vec!["flu".to_owned(); 6]] };
    let folder = Folder::of(&sheet);
    let file = JobSpec {
        k: Some(5),
        missing: Some(Missing::Suppress),
        suppressed: Some(Suppressed::Star),
        ..folder.job(&sheet)
    };
    let summary = FileJob::new(file.clone()).unwrap().run(&Quiet).unwrap().summary;
    assert_eq!((summary.achieved.k, summary.achieved.p["s0"]), (5, 1));
    let found = verdict(&folder, "release.csv", &file).summary;
    assert_eq!((found.achieved.k, found.achieved.p["s0"], found.suppressed), (5, 1, 1));
}

/// Four ages or so, published as middles of their classes.
fn middles(kind: Kind) -> (Sheet, Folder, JobSpec) {
    let texts =
        ["20", "24.0", "40", "50"].map(|t| if kind == Kind::Integer { &t[..2] } else { t }.to_owned());
    let qi = vec![Drawn {
        name: "q0".into(),
        shape: Shape::Number(kind),
        texts: texts.to_vec(),
        weight: 1.0,
        snap: None,
    }];
    let sheet = Sheet { rows: 4, qi, sensitive: Vec::new() };
    let folder = Folder::of(&sheet);
    let file = JobSpec { k: Some(2), intervals: Some(Intervals::Midpoint), ..folder.job(&sheet) };
    (sheet, folder, file)
}

/// Middles cannot be traced to the original; that is said, and is no shortfall.
#[test]
fn middles_are_not_called_illegal() {
    for kind in [Kind::Integer, Kind::Decimal] {
        let (_, folder, file) = middles(kind);
        FileJob::new(file.clone()).unwrap().run(&Quiet).unwrap();
        let found = verdict(&folder, "release.csv", &file);
        assert!(found.shortfalls.is_empty(), "{:?}", found.shortfalls);
        assert_eq!(found.summary.achieved.source_check, Some(SourceCheck::NotChecked));
    }
}

/// [20, 24] and [40, 50] of a range of 30 lose 7/30 of every cell, however they are written down.
#[test]
fn middles_lose_what_their_intervals_lose() {
    for kind in [Kind::Integer, Kind::Decimal] {
        let (_, _folder, file) = middles(kind);
        let il = FileJob::new(file).unwrap().run(&Quiet).unwrap().summary.loss.unwrap().il;
        assert!((il - 7.0 / 30.0).abs() < 1e-9, "{kind}: il {il}");
    }
}

/// The ends of such a grid are no whole numbers, so the column could not be read back.
#[test]
fn whole_numbers_are_not_snapped_to_fractions() {
    let texts = ["1", "2", "7", "9"].map(str::to_owned).to_vec();
    let qi = vec![Drawn {
        name: "q0".into(),
        shape: Shape::Number(Kind::Integer),
        texts,
        weight: 1.0,
        snap: None,
    }];
    let sheet = Sheet { rows: 4, qi, sensitive: Vec::new() };
    let folder = Folder::of(&sheet);
    let file = JobSpec { k: Some(2), snap: [("q0".to_owned(), 2.5.into())].into(), ..folder.job(&sheet) };
    let refused = FileJob::new(file).unwrap().run(&Quiet).map(|_| ());
    assert!(matches!(&refused, Err(Error::Job(_))), "{refused:?}");
}
