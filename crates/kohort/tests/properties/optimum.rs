//! No heuristic loses less than the best of all clusterings.

use kohort::algorithm::{
    Agglomerative, Algorithm, Cut, Distance, EnhancedPk, EqualRows, FirstSeed, Forest, KMember, Kaca,
    Mondrian, Oka, Problem, Quiet, Rule, Run, Seeds, Systematic,
};
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::prelude::*;

use super::common::draw::sheets;
use super::common::fixed;
use super::common::plain::optimum::optimum;
use super::common::plain::{Plain, listed};

proptest! {
    #![proptest_config(fixed(120))]

    #[test]
    fn heuristics_stay_above_the_optimum(sheet in sheets(2..=8usize, 1..=4, 1..=1), k in 2..=3u32, p in 1..=2u32) {
        let table = sheet.table();
        let models = Demands::new(k, Some(p)).unwrap().bind(&table).unwrap();
        let measure = Measure::Il;
        let plain = Plain::new(&table, measure, k as usize, p as usize);
        let best = optimum(&plain);
        // All rows in one class is a clustering, too: there is an optimum whenever there is any solution.
        prop_assert_eq!(best.is_some(), models.check_solvable(&table, false).is_ok());
        let Some(best) = best else { return Ok(()) };
        let space = Space::new(&table, measure.search_costs(&table), &models);
        let mut solvers: Vec<&dyn Algorithm> = vec![
            &KMember { first_seed: FirstSeed::Row, seeds: Seeds::Farthest },
            &KMember { first_seed: FirstSeed::Farthest, seeds: Seeds::Farthest },
            &KMember { first_seed: FirstSeed::Row, seeds: Seeds::Diverse },
            &Kaca { threshold: None },
            &Oka,
            &Agglomerative { distance: Distance::CostByLog, epsilon: 0.1, modified: true, equal_rows: EqualRows::Lend },
            &Agglomerative { distance: Distance::Total, epsilon: 0.1, modified: false, equal_rows: EqualRows::Literal },
            &Forest,
            &Systematic { rule: Rule::Loss },
            &Systematic { rule: Rule::Increase },
            &Mondrian { cut: Cut::Strict },
            &Mondrian { cut: Cut::Relaxed },
        ];
        if p > 1 {
            solvers.push(&EnhancedPk { local_search: true });
        }
        for solver in solvers {
            let run = Run::new(0, &Quiet);
            let Solution::Clusters(of_row) = solver.group(Problem { space: &space, demands: &models, quota: 0 }, &run).unwrap()
            else { panic!("clusters were expected") };
            let clusters = listed(&of_row);
            prop_assert!(clusters.iter().all(|c| plain.holds(c)));
            prop_assert!(plain.total(&clusters) >= best);
        }
    }
}
