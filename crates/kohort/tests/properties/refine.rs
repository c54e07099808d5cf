//! Refinement and `auto`: every class holds, nothing is lost by it, tiny tables are solved to the optimum, and neither the order
//! of rows nor asking for less makes a release worse.

use kohort::algorithm::{Choice, Effort, Portfolio, Quiet, Run, Settings, Taken};
use kohort::data::{Kind, Table};
use kohort::demand::{Demand, Demands, Notion};
use kohort::input::JobSpec;
use kohort::job::files::FileJob;
use kohort::measure::Measure;
use kohort::model::{BoundDemands, Regions};
use kohort::solution::{SUPPRESSED, Solution};
use kohort::space::Space;
use proptest::prelude::*;

use super::common::draw::{Drawn, Shape, Sheet, sheets};
use super::common::files::Folder;
use super::common::fixed;
use super::common::plain::optimum::{optimum, partitions};
use super::common::plain::{Plain, listed};

/// What is searched, and how.
struct Search<'a> {
    algorithm: &'a str,
    effort: Effort,
    measure: Measure,
    allowance: Option<usize>,
}

const AUTO: Search<'_> =
    Search { algorithm: "auto", effort: Effort::Usual, measure: Measure::Il, allowance: None };

impl Search<'_> {
    fn of(&self, table: &Table, demands: &BoundDemands) -> (Taken, u64) {
        let space = Space::new(table, self.measure.search_costs(table), demands);
        let portfolio = Portfolio {
            choice: Choice::parse(self.algorithm, Notion::K).unwrap(),
            settings: &Settings::default(),
            notion: Notion::K,
            block_rows: None,
            allowance: self.allowance,
            effort: self.effort,
            guide: &|| None,
            space: &space,
            demands,
        };
        let exact = portfolio.exactly(false).map(|(taken, _)| taken);
        let search = || portfolio.search(&[Regions::whole(table.rows)], &Run::new(3, &Quiet)).unwrap();
        let taken = exact.unwrap_or_else(search);
        let cost = taken.answer.cost(&space).unwrap();
        (taken, cost)
    }
}

fn classes(taken: &Taken) -> &[u32] {
    let Solution::Clusters(class_of) = &taken.answer.solution else { panic!("classes were expected") };
    class_of
}

fn demands(k: u32, p: u32, extra: u8) -> Demands {
    let demands = Demands::new(k, Some(p)).unwrap();
    let more = match extra {
        1 => ("l-diversity", "entropy:1.5"),
        2 => ("alpha", "0.8"),
        3 => ("t-closeness", "0.6"),
        4 => ("beta-likeness", "3"),
        _ => return demands,
    };
    demands.and(Demand::read(more.0, more.1).unwrap()).unwrap()
}

fn every_class_holds(table: &Table, demands: &BoundDemands, class_of: &[u32]) -> bool {
    let column = |at: usize, row: u32| table.sensitive[demands.columns()[at].at].codes.get(row as usize);
    listed(class_of).iter().all(|rows| demands.hold_together(rows.iter().map(|&row| (row, 1)), column))
}

const MEASURES: [Measure; 5] =
    [Measure::Il, Measure::Lm, Measure::Entropy, Measure::Whd { beta: 1.0 }, Measure::Ncp];

proptest! {
    #![proptest_config(fixed(150))]

    /// Under every kind of demand and measure, from the classes of several algorithms.
    #[test]
    fn refined_classes_hold_and_lose_no_more(
        sheet in sheets(13..=90usize, 1..=6, 1..=2), k in 2..=6u32, p in 1..=2u32, extra in 0..=4u8,
        measure in 0..MEASURES.len(), algorithm in 0..3usize,
    ) {
        let table = sheet.table();
        let Ok(bound) = demands(k, p, extra).bind(&table) else { return Ok(()) };
        if bound.check_solvable(&table, false).is_err() { return Ok(()) }
        let algorithm = ["auto", "mondrian", "boxes"][algorithm];
        let search = Search { algorithm, effort: Effort::None, measure: MEASURES[measure], allowance: None };
        let (_, before) = search.of(&table, &bound);
        let (taken, after) = Search { effort: Effort::Steps(30), ..search }.of(&table, &bound);
        prop_assert!(after <= before);
        prop_assert!(!classes(&taken).contains(&SUPPRESSED));
        prop_assert!(every_class_holds(&table, &bound, classes(&taken)));
    }

    /// `auto` tries everything on tiny tables.
    #[test]
    fn tiny_tables_are_solved_to_the_optimum(
        sheet in sheets(2..=8usize, 1..=4, 1..=1), k in 2..=4u32, p in 1..=2u32, measure in 0..MEASURES.len(),
    ) {
        let table = sheet.table();
        let bound = demands(k, p, 0).bind(&table).unwrap();
        if bound.check_solvable(&table, false).is_err() { return Ok(()) }
        let plain = Plain::new(&table, MEASURES[measure], k as usize, p as usize);
        let (taken, cost) = Search { measure: MEASURES[measure], ..AUTO }.of(&table, &bound);
        prop_assert!(every_class_holds(&table, &bound, classes(&taken)));
        prop_assert_eq!(Some(cost), optimum(&plain));
    }

    /// The same under demands on shares, which a larger class need not meet, where some rows may go.
    #[test]
    fn tiny_tables_with_shares_are_solved_to_the_optimum(
        sheet in sheets(2..=7usize, 1..=3, 1..=1), k in 2..=3u32, extra in 1..=4u8, rows in 0..=2usize,
    ) {
        let table = sheet.table();
        let Ok(bound) = demands(k, 1, extra).bind(&table) else { return Ok(()) };
        let space = Space::new(&table, Measure::Il.search_costs(&table), &bound);
        let plain = Plain::new(&table, Measure::Il, k as usize, 1);
        let mut best: Option<u64> = None;
        partitions(table.rows as u32, &mut |parts| {
            let stands = |part: &&Vec<u32>| {
                let code = |at: usize, row: u32| table.sensitive[bound.columns()[at].at].codes.get(row as usize);
                bound.hold_together(part.iter().map(|&row| (row, 1)), code)
            };
            let classes: Vec<Vec<u32>> = parts.iter().filter(stands).cloned().collect();
            let gone = table.rows - classes.iter().map(Vec::len).sum::<usize>();
            if gone <= rows && !classes.is_empty() {
                let cost = plain.total(&classes) + gone as u64 * space.full_cost();
                best = Some(best.map_or(cost, |best| best.min(cost)));
            }
        });
        let Some(best) = best else { return Ok(()) };
        let (taken, cost) = Search { allowance: Some(rows), ..AUTO }.of(&table, &bound);
        prop_assert_eq!(cost, best);
        prop_assert!(classes(&taken).iter().filter(|class| **class == SUPPRESSED).count() <= rows);
    }

    /// Asking for less loses no more: a smaller k, no p, more rows that may go.
    #[test]
    fn asking_for_less_loses_no_more(
        sheet in sheets(4..=12usize, 1..=4, 1..=1), k in 3..=4u32, p in 1..=2u32, rows in 0..=2usize,
    ) {
        let table = sheet.table();
        let lost = |k: u32, p: u32, allowance: Option<usize>| {
            let bound = demands(k, p, 0).bind(&table).unwrap();
            bound.check_solvable(&table, false).ok()?;
            Some(Search { allowance, ..AUTO }.of(&table, &bound).1)
        };
        let Some(more) = lost(k, p, Some(rows)) else { return Ok(()) };
        prop_assert!(lost(k - 1, p.min(k - 1), Some(rows)).unwrap() <= more);
        prop_assert!(lost(k, 1, Some(rows)).unwrap() <= more);
        prop_assert!(lost(k, p, Some(rows + 1)).unwrap() <= more);
    }
}

/// Refinement alone finds the optimum of nearly every tiny table.
#[test]
fn refinement_converges_to_the_optimum() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::new(fixed(1));
    let (mut same, mut all) = (0, 0);
    while all < 300 {
        let sheet = sheets(6..=12usize, 1..=5, 1..=1).new_tree(&mut runner).unwrap().current();
        let table = sheet.table();
        let bound = demands(2 + all % 3, 1, 0).bind(&table).unwrap();
        let (_, best) = AUTO.of(&table, &bound);
        let search = Search { algorithm: "boxes", effort: Effort::Steps(300), ..AUTO };
        let (_, found) = search.of(&table, &bound);
        assert!(found >= best);
        same += u32::from(found == best);
        all += 1;
    }
    assert!(same * 100 >= all * 95, "{same} of {all}");
}

/// The release of a table under k = 4 and, if asked for, p = 2, as text.
fn released(sheet: &Sheet, p: Option<u32>) -> String {
    let folder = Folder::of(sheet);
    let mut job = JobSpec { k: Some(4), p, output: Some(folder.path("release.csv")), ..folder.job(sheet) };
    // Row numbers say nothing but the order.
    job.drop.append(&mut job.keep);
    FileJob::new(job).unwrap().run(&Quiet).unwrap();
    std::fs::read_to_string(folder.path("release.csv")).unwrap()
}

/// The same rows in another order: the same bytes.
#[test]
fn the_order_of_rows_changes_nothing() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::new(fixed(1));
    for (rows, p) in [(9, None), (60, None), (60, Some(2)), (300, None), (300, Some(2))] {
        let mut drawn = || sheets(Just(rows), 3..=4, 1..=1).new_tree(&mut runner).unwrap().current();
        let differ = |sheet: &Sheet| sheet.sensitive[0].iter().any(|text| *text != sheet.sensitive[0][0]);
        let sheet = std::iter::repeat_with(&mut drawn).find(|sheet| p.is_none() || differ(sheet)).unwrap();
        let step = if rows % 7 == 0 { 11 } else { 7 };
        let mixed = |texts: &[String]| (0..rows).map(|at| texts[(at * step + 3) % rows].clone()).collect();
        let other = Sheet {
            rows,
            qi: sheet.qi.iter().map(|c| Drawn { texts: mixed(&c.texts), ..c.clone() }).collect(),
            sensitive: sheet.sensitive.iter().map(|texts| mixed(texts)).collect(),
        };
        assert_eq!(released(&sheet, p), released(&other, p), "{rows} rows, p = {p:?}");
    }
}

/// A table of many different rows whose sensitive values are all equally frequent.
fn mixed_people(rows: usize) -> Sheet {
    let drawn = |at: usize, values: usize| -> Vec<String> {
        (0..rows).map(|row| ((row + 1) * (7919 + 104_729 * at) / 13 % values).to_string()).collect()
    };
    let number = |at: usize| Drawn {
        name: format!("n{at}"),
        shape: Shape::Number(Kind::Integer),
        texts: drawn(at, 97),
        weight: 1.0,
        snap: None,
    };
    Sheet { rows, qi: (1..=4).map(number).collect(), sensitive: vec![drawn(9, 12)] }
}

/// Steps over the large classes of a hard demand look at far more, and are so many fewer.
#[test]
fn dear_steps_are_fewer() {
    let table = mixed_people(900).table();
    let steps = |demands: Demands| {
        let (taken, _) = AUTO.of(&table, &demands.bind(&table).unwrap());
        taken.refined.unwrap().steps
    };
    let easy = Demands::new(3, None).unwrap();
    let hard = easy.clone().and(Demand::read("t-closeness", "0.05").unwrap()).unwrap();
    let (all, fewer) = (steps(easy), steps(hard));
    assert!(all >= 12 * 900, "{all}");
    assert!(0 < fewer && fewer < all, "{fewer} of {all}");
}
