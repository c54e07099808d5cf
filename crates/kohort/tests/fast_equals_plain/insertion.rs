//! Rows that join classes: the shipped form gives the classes of the plain loop, and keeps what it was given.

use kohort::algorithm::{InsertionRule, Problem, Quiet, Run, insert, join_classes};
use kohort::data::Cell;
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::solution::VERBATIM;
use kohort::space::Space;
use proptest::collection::vec;
use proptest::prelude::*;

use super::common::draw::{Sheet, mostly_small, sheets};
use super::common::fixed;
use super::common::plain::insertion::insert as plain_insert;
use super::common::plain::{Plain, numbered};

const RULES: [InsertionRule; 3] =
    [InsertionRule::LeastLoss, InsertionRule::LeastIncrease, InsertionRule::Posterior];

/// Deals some of the rows out to classes; the others are new, and some of all are opt-outs.
fn dealt(rows: usize, k: usize, deal: &[u8]) -> (Vec<u32>, Vec<u32>) {
    let what = |row: usize| deal[row % deal.len()];
    let opted_out = |row: &usize| what(*row).is_multiple_of(11);
    let is_new = |row: &usize| what(*row).is_multiple_of(3);
    let old: Vec<usize> = (0..rows).filter(|row| !opted_out(row) && !is_new(row)).collect();
    let classes = (old.len() / k).max(1);
    let mut class_of = vec![7; rows];
    (0..rows).filter(opted_out).for_each(|row| class_of[row] = VERBATIM);
    old.iter().enumerate().for_each(|(at, &row)| class_of[row] = (at % classes) as u32);
    let new: Vec<u32> = (0..rows).filter(is_new).map(|row| row as u32).collect();
    (class_of, new)
}

fn agree(sheet: &Sheet, k: usize, p: usize, deal: &[u8]) {
    let table = sheet.table();
    let fewest = table.sensitive.iter().map(|s| s.distinct as usize).min().unwrap_or(1);
    let (k, p) = (k.min(table.rows).max(2), p.min(fewest));
    let p = p.min(k);
    let demands = Demands::new(k as u32, Some(p as u32)).unwrap().bind(&table).unwrap();
    let (before, new) = dealt(table.rows, k, deal);
    let mut old: Vec<Vec<u32>> = Vec::new();
    for row in (0..table.rows as u32).filter(|row| before[*row as usize] != VERBATIM && !new.contains(row)) {
        let class = before[row as usize] as usize;
        old.resize(old.len().max(class + 1), Vec::new());
        old[class].push(row);
    }
    for measure in [Measure::Il, Measure::Entropy] {
        let space = Space::new(&table, measure.search_costs(&table), &demands);
        let problem = Problem { space: &space, demands: &demands, quota: 0 };
        let plain = Plain::new(&table, measure, k, p);
        for rule in RULES {
            let found = insert(problem, &before, &new, rule, &Run::new(0, &Quiet));
            if old.is_empty() {
                assert!(found.is_err_and(|e| e.to_string().contains("no class")));
                continue;
            }
            let found = found.unwrap();
            let joining: Vec<u32> =
                new.iter().copied().filter(|&row| before[row as usize] != VERBATIM).collect();
            let (classes, covered) = plain_insert(&plain, old.clone(), &joining, rule);
            let mut expected = numbered(table.rows, &classes);
            let opted_out = (0..table.rows).filter(|&row| before[row] == VERBATIM);
            opted_out.for_each(|row| expected[row] = VERBATIM);
            assert_eq!((found.class_of, found.covered), (expected, covered), "{rule:?}, {measure:?}");
            let pair = Demands::new(2, None).unwrap().bind(&table).unwrap();
            if old.iter().all(|rows| rows.len() > 1) {
                let problem = Problem { demands: &pair, ..problem };
                sizes_and_tuples_suffice(problem, (&before, &new), (&old, &joining), rule);
            }
            // Nobody was separated from anybody.
            let stays = |rows: &[u32]| classes.iter().any(|c| rows.iter().all(|row| c.contains(row)));
            assert!(old.iter().all(|rows| stays(rows)));
        }
    }
}

/// Who knows only how many rows classes have and what they cover chooses the same ones.
fn sizes_and_tuples_suffice(
    problem: Problem<'_>,
    (before, new): (&[u32], &[u32]),
    (old, joining): (&[Vec<u32>], &[u32]),
    rule: InsertionRule,
) {
    let space = problem.space;
    let all = insert(problem, before, new, rule, &Run::new(0, &Quiet)).unwrap();
    let group_of = space.groups().of_rows();
    let class = |rows: &Vec<u32>| -> (u64, Vec<Cell>) {
        let first = rows.first().map_or(0, |&row| group_of[row as usize] as usize);
        let mut tuple = space.tuple(first);
        for &row in rows {
            space.absorb(&mut tuple, group_of[row as usize] as usize);
        }
        (rows.len() as u64, tuple)
    };
    let part = space.part(&group_of, joining);
    let classes = old.iter().map(class).collect();
    let known = join_classes(&part, classes, rule, &Run::new(0, &Quiet)).unwrap();
    let chosen: Vec<u32> = joining.iter().map(|&row| all.class_of[row as usize]).collect();
    assert_eq!((known.class_of, known.covered), (chosen, all.covered), "{rule:?}");
}

proptest! {
    #![proptest_config(fixed(1500))]

    #[test]
    fn rows_join_the_classes_of_the_plain_loop(
        sheet in sheets(mostly_small(), 1..=4, 0..=1),
        k in 2..=4usize,
        p in 1..=2usize,
        deal in vec(any::<u8>(), 1..=60),
    ) {
        agree(&sheet, k, p, &deal);
    }
}
