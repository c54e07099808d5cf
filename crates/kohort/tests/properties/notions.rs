//! The k-type notions: what the verifier counts is what trying every assignment finds, in order and shuffled; and jobs
//! keep what they promise.

use kohort::algorithm::Quiet;
use kohort::data::{Cell, Missing, Suppressed, Table};
use kohort::demand::Notion;
use kohort::input::JobSpec;
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::measure::Measure;
use kohort::recode::{Release, recode};
use kohort::solution::Solution;
use kohort::verify::{Alignment, Notions, Reference, Released, verify};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::common::asked::block_rows;
use super::common::draw::{Sheet, column_of, sheets};
use super::common::files::Folder;
use super::common::fixed;
use super::common::plain::Plain;
use super::common::plain::k_type::{degrees, matches, posterior};

/// Every row published as the closure of itself and some others.
fn tuples(plain: &Plain<'_>, choices: &[Vec<u8>]) -> Vec<Vec<Cell>> {
    let rows = plain.table.rows as u32;
    let tuple = |row: u32| {
        let others = choices[row as usize].iter().map(|&c| u32::from(c) % rows);
        plain.closure(&std::iter::once(row).chain(others).collect::<Vec<_>>())
    };
    (0..rows).map(tuple).collect()
}

/// The release with its rows in the given order.
fn released(table: &Table, release: &Release, order: &[u32]) -> Released {
    let texts = |dim: usize| -> Vec<String> {
        let text = |&row: &u32| table.qi[dim].attribute.text(release.cell(dim, row as usize).unwrap());
        order.iter().map(text).collect()
    };
    let column = |dim: usize| vec![column_of(&table.qi[dim].attribute.name, &texts(dim))];
    Released {
        people: None,
        rows: table.rows,
        qi: (0..table.qi.len()).map(column).collect(),
        sensitive: Vec::new(),
        hidden: Vec::new(),
        verbatim: Vec::new(),
    }
}

fn examine(table: &Table, release: &Release, order: &[u32], alignment: Alignment<'_>) -> Notions {
    look(table, &released(table, release, order), alignment)
}

fn look(table: &Table, released: &Released, alignment: Alignment<'_>) -> Notions {
    let reference = Reference {
        k: None,
        table,
        alignment,
        beta: 0.0,
        readable: true,
        notion: Notion::Global,
        secrets: None,
        untouched: None,
    };
    let found = verify(released, Some(&reference), None, &kohort::demand::Demands::default(), table);
    found.unwrap().notions.unwrap()
}

/// Rows in the given order as these tuples, with their sensitive values; none is a suppressed row.
fn published(sheet: &Sheet, table: &Table, tuples: &[Vec<Cell>], order: &[Option<u32>]) -> Released {
    let texts = |of: &dyn Fn(usize) -> String, nothing: &str| -> Vec<String> {
        order.iter().map(|row| row.map_or_else(|| nothing.to_owned(), |row| of(row as usize))).collect()
    };
    let qi = |dim: usize| {
        let attribute = &table.qi[dim].attribute;
        vec![column_of(&attribute.name, &texts(&|row| attribute.text(tuples[row][dim]), "*"))]
    };
    let sensitive = |(s, values): (usize, &Vec<String>)| {
        column_of(&format!("s{s}"), &texts(&|row| values[row].clone(), ""))
    };
    Released {
        people: None,
        rows: order.len(),
        qi: (0..table.qi.len()).map(qi).collect(),
        sensitive: sheet.sensitive.iter().enumerate().map(sensitive).collect(),
        hidden: order.iter().map(Option::is_none).collect(),
        verbatim: Vec::new(),
    }
}

proptest! {
    #![proptest_config(fixed(1500))]

    #[test]
    fn every_assignment_was_tried(
        sheet in sheets(1..=7usize, 1..=3, 0..=0),
        choices in vec(vec(any::<u8>(), 0..3), 7),
        turn in 0..7usize,
    ) {
        // Labels that name two nodes say more than the tuple they were made from.
        prop_assume!(!sheet.qi.iter().any(|c| c.texts.iter().any(|t| t.starts_with('g'))));
        // So do ends on a grid.
        let sheet = sheet.without_grids();
        let table = sheet.table();
        let plain = Plain::new(&table, Measure::Il, 2, 1);
        let tuples = tuples(&plain, &choices);
        let release = recode(&table, &Solution::PerRecord(tuples.clone()));
        let (of_rows, of_tuples) = degrees(&plain, &tuples);
        let matches = matches(&plain, &tuples);
        let worst = posterior(&plain, &tuples).into_iter().flatten().fold(0.0, f64::max);

        let order: Vec<u32> = (0..table.rows as u32).collect();
        let mut turned = order.clone();
        turned.rotate_left(turn % table.rows);
        let seen = [
            examine(&table, &release, &order, Alignment::Known(&order)),
            examine(&table, &release, &order, Alignment::Unknown),
            examine(&table, &release, &turned, Alignment::Unknown),
        ];
        for seen in seen {
            prop_assert_eq!(seen.one_k, *of_rows.iter().min().unwrap() as u64);
            prop_assert_eq!(seen.k1, *of_tuples.iter().min().unwrap() as u64);
            prop_assert_eq!(seen.global_1k, matches.iter().map(|m| m.len() as u64).min());
            prop_assert_eq!(seen.rows_without_posterior, 0);
            prop_assert!((seen.worst_posterior.unwrap() - worst).abs() < 1e-9, "{:?}, {}", seen, worst);
        }
    }
}

proptest! {
    #![proptest_config(fixed(1500))]

    /// Who is suppressed may be known to everybody: only assignments of the others count. What is said about a shuffled
    /// release is never more, and the same wherever it does not call itself a bound.
    #[test]
    fn suppressed_rows_protect_nobody(
        sheet in sheets(2..=7usize, 1..=2, 0..=1),
        choices in vec(vec(any::<u8>(), 0..3), 7),
        out in vec(any::<bool>(), 7),
        turn in 0..7usize,
    ) {
        prop_assume!(!sheet.qi.iter().any(|c| c.texts.iter().any(|t| t.starts_with('g'))));
        // So do ends on a grid.
        let sheet = sheet.without_grids();
        let table = sheet.table();
        let shown: Vec<u32> = (0..table.rows as u32).filter(|&row| !out[row as usize]).collect();
        prop_assume!(!shown.is_empty());
        let rest = table.select(&shown);
        let plain = Plain::new(&rest, Measure::Il, 2, 1);
        let few = tuples(&plain, &choices);
        let mut all: Vec<Vec<Cell>> = vec![Vec::new(); table.rows];
        shown.iter().zip(&few).for_each(|(&row, tuple)| all[row as usize].clone_from(tuple));
        let (of_rows, of_tuples) = degrees(&plain, &few);
        let truth = (
            *of_rows.iter().min().unwrap() as u64,
            *of_tuples.iter().min().unwrap() as u64,
            matches(&plain, &few).iter().map(|m| m.len() as u64).min().unwrap(),
        );
        let worst = posterior(&plain, &few).into_iter().flatten().fold(0.0, f64::max);

        let mut dropped: Vec<Option<u32>> = shown.iter().copied().map(Some).collect();
        let starred: Vec<Option<u32>> =
            (0..table.rows as u32).map(|row| (!out[row as usize]).then_some(row)).collect();
        let known = look(&table, &published(&sheet, &table, &all, &dropped), Alignment::Known(&shown));
        prop_assert_eq!((known.one_k, known.k1, known.global_1k.unwrap()), truth);
        prop_assert!((known.worst_posterior.unwrap() - worst).abs() < 1e-9 && !known.at_least);
        dropped.rotate_left(turn % shown.len());
        for order in [dropped, starred] {
            let seen = look(&table, &published(&sheet, &table, &all, &order), Alignment::Unknown);
            let said = (seen.one_k, seen.k1, seen.global_1k.unwrap());
            if seen.at_least {
                prop_assert!(said.0 <= truth.0 && said.1 <= truth.1 && said.2 <= truth.2, "{:?}, {:?}", said, truth);
            } else {
                prop_assert_eq!(said, truth);
            }
        }
    }
}

proptest! {
    #![proptest_config(fixed(250))]

    /// Whoever is told which rows lack a value accepts every release that suppresses them.
    #[test]
    fn jobs_that_suppress_keep_their_notion(
        sheet in sheets(2..=30usize, 1..=3, 1..=1),
        notion in select(vec!["1k", "k1", "kk", "global-1k"]),
        (k, keep_order, star) in (2..=4u32, any::<bool>(), any::<bool>()),
    ) {
        let folder = Folder::of(&sheet);
        let file = JobSpec {
            k: Some(k),
            notion: Some(notion.into()),
            keep_order: Some(keep_order),
            missing: Some(Missing::Suppress),
            suppressed: Some(if star { Suppressed::Star } else { Suppressed::Drop }),
            ..folder.job(&sheet)
        };
        let outcome = match FileJob::new(file.clone()).unwrap().run(&Quiet) {
            Ok(outcome) => outcome,
            // Too few rows are left; a release that fails its own verification is another matter.
            Err(e) => {
                prop_assert!(matches!(e, kohort::Error::Unsolvable(_)), "{}", e);
                return Ok(());
            }
        };
        let achieved = outcome.summary.achieved;
        let original = Some(folder.path("people.csv"));
        let verdict = FileVerifyJob::new(&file, folder.path("release.csv"), original).and_then(|job| job.run(&Quiet)).unwrap();
        prop_assert!(verdict.shortfalls.is_empty(), "{:?}", verdict.shortfalls);
        let seen = verdict.summary.achieved;
        prop_assert_eq!((seen.one_k, seen.k1, seen.global_1k), (achieved.one_k, achieved.k1, achieved.global_1k));
    }
}

proptest! {
    #![proptest_config(fixed(250))]

    #[test]
    fn jobs_keep_their_notion(
        sheet in sheets(2..=40usize, 1..=4, 1..=1),
        (notion, algorithm) in select(vec![
            ("k1", "k1-nearest"), ("k1", "auto"), ("1k", "auto"), ("kk", "kk-nearest"), ("kk", "auto"),
            ("global-1k", "auto"), ("kk", "global-1k"), ("kk", "kaca"), ("global-1k", "agglomerative"),
        ]),
        (k, p, keep_order, block_rows) in (2..=4u32, 1..=2u32, any::<bool>(), block_rows()),
    ) {
        let folder = Folder::of(&sheet);
        let p = (notion == "global-1k" && p > 1).then_some(p);
        let file = JobSpec {
            k: Some(k),
            p,
            notion: Some(notion.into()),
            algorithm: Some(algorithm.into()),
            keep_order: Some(keep_order),
            block_rows,
            ..folder.job(&sheet)
        };
        let outcome = FileJob::new(file.clone()).unwrap().run(&Quiet);
        let Ok(outcome) = outcome else {
            let enough = sheet.rows >= k as usize;
            let values: std::collections::BTreeSet<_> = sheet.sensitive[0].iter().collect();
            prop_assert!(!enough || values.len() < p.unwrap_or(1) as usize, "{:?}", outcome.err());
            return Ok(());
        };
        let achieved = outcome.summary.achieved;
        let least = |n: Option<u64>| n.unwrap() >= u64::from(k);
        prop_assert!(matches!(notion, "k1" | "global-1k") || least(achieved.one_k));
        prop_assert!(matches!(notion, "1k" | "global-1k") || least(achieved.k1));
        prop_assert!(notion != "global-1k" || least(achieved.global_1k));
        let original = Some(folder.path("people.csv"));
        let verdict = FileVerifyJob::new(&file, folder.path("release.csv"), original).and_then(|job| job.run(&Quiet)).unwrap();
        prop_assert!(verdict.shortfalls.is_empty(), "{:?}", verdict.shortfalls);
        let seen = verdict.summary.achieved;
        prop_assert_eq!((seen.one_k, seen.k1, seen.global_1k), (achieved.one_k, achieved.k1, achieved.global_1k));
    }
}
