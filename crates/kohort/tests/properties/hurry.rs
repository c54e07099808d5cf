//! Out of time: what there is by then is completed to a valid release.

use std::sync::atomic::{AtomicU32, Ordering};

use kohort::algorithm::{
    ALGORITHMS, Agglomerative, Algorithm, AlgorithmEntry, Distance, EnhancedPk, EqualRows, FirstSeed, Forest,
    KMember, Kaca, Observer, Oka, Problem, Rule, Run, Seeds, Settings, Signal, Systematic,
};
use kohort::data::Table;
use kohort::demand::{Demands, Notion};
use kohort::measure::Measure;
use kohort::model::BoundDemands;
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::prelude::*;

use super::common::draw::{Drawn, Shape, Sheet, sheets};
use super::common::fixed;
use super::common::plain::{Plain, listed};
use super::common::secrets::{demands, secrets};

/// Says "time is up" after being asked so many times.
struct Patience(AtomicU32);

impl Observer for Patience {
    fn signal(&self) -> Signal {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if left.is_ok() { Signal::Go } else { Signal::TimeUp }
    }
}

fn hurried(solver: &dyn Algorithm, table: &Table, models: &BoundDemands, patience: u32) -> Vec<Vec<u32>> {
    let space = Space::new(table, Measure::Il.search_costs(table), models);
    let watch = Patience(AtomicU32::new(patience));
    match solver.group(Problem { space: &space, demands: models, quota: 0 }, &Run::new(0, &watch)).unwrap() {
        Solution::Clusters(of_row) => listed(&of_row),
        other => panic!("clusters were expected, not {other:?}"),
    }
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn whenever_time_is_up_every_class_holds(
        sheet in sheets(2..=40usize, 1..=4, 0..=2),
        (k, p) in (2..=4u32, 1..=2u32),
        patience in 0..24u32,
    ) {
        let table = sheet.table();
        let p = if table.sensitive.is_empty() { 1 } else { p };
        let models = Demands::new(k, Some(p)).unwrap().bind(&table).unwrap();
        if models.check_solvable(&table, false).is_ok() {
            let plain = Plain::new(&table, Measure::Il, k as usize, p as usize);
            let mut solvers: Vec<&dyn Algorithm> = vec![
                &KMember { first_seed: FirstSeed::Row, seeds: Seeds::Farthest },
                &KMember { first_seed: FirstSeed::Row, seeds: Seeds::Diverse },
                &Kaca { threshold: None },
                &Agglomerative { distance: Distance::Factor, epsilon: 0.1, modified: true, equal_rows: EqualRows::Lend },
                &Agglomerative { distance: Distance::Cost, epsilon: 0.1, modified: false, equal_rows: EqualRows::Literal },
                &Forest,
                &Oka,
                &Systematic { rule: Rule::Loss },
            ];
            if p > 1 {
                solvers.push(&EnhancedPk { local_search: true });
            }
            for solver in solvers {
                let clusters = hurried(solver, &table, &models, patience);
                prop_assert_eq!(clusters.iter().map(Vec::len).sum::<usize>(), sheet.rows);
                prop_assert!(clusters.iter().all(|c| plain.holds(c)), "{:?}", clusters);
            }
        }
    }

    /// Finished classes cannot take in just any rows that are left.
    #[test]
    fn models_that_do_not_survive_adding_rows_hold_as_well(
        (sheet, secret) in sheets(2..=30usize, 1..=3, 0..=0)
            .prop_flat_map(|sheet| (Just(sheet.clone()), secrets(sheet.rows))),
        asked in demands(),
        patience in 0..20u32,
    ) {
        let table = Table { sensitive: vec![secret.encoded("s0")], ..sheet.table() };
        let (models, all) = (asked.models(&table), (0..sheet.rows).collect::<Vec<_>>());
        if models.check_solvable(&table, false).is_ok() {
            let fits = |e: &&AlgorithmEntry| {
                let made_for_it = e.name != "incognito" && (e.name != "enhanced-pk" || asked.p().is_some());
                e.gives.contains(&Notion::K) && made_for_it
            };
            for entry in ALGORITHMS.iter().filter(fits) {
                let solver = (entry.make)(&Settings::default()).unwrap();
                let clusters = hurried(solver.as_ref(), &table, &models, patience);
                prop_assert_eq!(clusters.iter().map(Vec::len).sum::<usize>(), sheet.rows);
                for cluster in clusters {
                    let rows: Vec<usize> = cluster.iter().map(|&row| row as usize).collect();
                    let holds = asked.hold(std::slice::from_ref(&secret), &rows, &all);
                    prop_assert!(holds, "{} makes {:?} a class", entry.name, rows);
                }
            }
        }
    }
}

/// The rows that are left are cut by Mondrian, not thrown into one class.
#[test]
fn no_time_at_all_still_cuts_the_table() {
    let texts = (0..40).map(|i| i.to_string()).collect();
    let age = Drawn {
        name: "q0".into(),
        shape: Shape::Number(kohort::data::Kind::Integer),
        texts,
        weight: 1.0,
        snap: None,
    };
    let sheet = Sheet { rows: 40, qi: vec![age], sensitive: Vec::new() };
    let solver = KMember { first_seed: FirstSeed::Row, seeds: Seeds::Farthest };
    let table = sheet.table();
    let clusters = hurried(&solver, &table, &Demands::new(2, None).unwrap().bind(&table).unwrap(), 0);
    assert!(clusters.len() > 10, "{} classes", clusters.len());
}
