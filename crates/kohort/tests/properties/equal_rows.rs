//! Equal rows of which there are more than k: what they can spare completes the clusters of others, where that loses less.

use kohort::algorithm::{
    Agglomerative, Algorithm, Answer, Choice, Distance, Effort, EqualRows, Portfolio, Problem, Quiet, Run,
    Settings,
};
use kohort::data::{Kind, Table};
use kohort::demand::{Demands, Notion};
use kohort::measure::Measure;
use kohort::model::{BoundDemands, Regions};
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::prelude::*;

use super::common::draw::{Drawn, Shape, Sheet, mostly_small, sheets};
use super::common::fixed;

const DISTANCES: [Distance; 4] = [Distance::Total, Distance::Cost, Distance::CostByLog, Distance::Factor];

fn numbers(texts: &[String]) -> Table {
    let column = Drawn {
        name: "x".into(),
        shape: Shape::Number(Kind::Integer),
        texts: texts.to_vec(),
        weight: 1.0,
        snap: None,
    };
    Sheet { rows: texts.len(), qi: vec![column], sensitive: Vec::new() }.table()
}

fn solved(
    table: &Table,
    measure: Measure,
    demands: &BoundDemands,
    solver: &dyn Algorithm,
) -> (Solution, f64) {
    let space = Space::new(table, measure.search_costs(table), demands);
    let problem = Problem { space: &space, demands, quota: 0 };
    let answer = Answer::from(solver.group(problem, &Run::new(0, &Quiet)).unwrap());
    let cells = table.rows as f64 * space.dims() as f64 * f64::from(space.scale());
    let cost = answer.cost(&space).unwrap() as f64 / cells;
    (answer.solution, cost)
}

/// What rows lose per cell that are not generalized: something only where interval ends lie on a grid.
fn by_themselves(table: &Table, measure: Measure, demands: &BoundDemands) -> f64 {
    let space = Space::new(table, measure.search_costs(table), demands);
    let of_group = |group: usize| space.groups().rows(group).len() as u64 * space.cost(&space.tuple(group));
    let own: u64 = (0..space.groups().len()).map(of_group).sum();
    own as f64 / (table.rows as f64 * space.dims() as f64 * f64::from(space.scale()))
}

/// What `auto` loses per cell.
fn by_auto(table: &Table, measure: Measure, demands: &BoundDemands) -> f64 {
    let space = Space::new(table, measure.search_costs(table), demands);
    let portfolio = Portfolio {
        choice: Choice::Auto,
        settings: &Settings::default(),
        notion: Notion::K,
        block_rows: None,
        allowance: None,
        effort: Effort::None,
        guide: &|| None,
        space: &space,
        demands,
    };
    let exact = portfolio.exactly(false).map(|(taken, _)| taken);
    let search = || portfolio.search(&[Regions::whole(table.rows)], &Run::new(0, &Quiet)).unwrap();
    let taken = exact.unwrap_or_else(search);
    taken.answer.cost(&space).unwrap() as f64 / (table.rows as f64 * f64::from(space.scale()))
}

fn ways(equal_rows: EqualRows) -> impl Iterator<Item = Agglomerative> {
    let with = move |modified| {
        DISTANCES.map(|distance| Agglomerative { distance, epsilon: 0.1, modified, equal_rows })
    };
    [false, true].into_iter().flat_map(with)
}

/// Three zeros and a one, k = 2: one of the zeros hides the one, two stay as they are.
#[test]
fn a_spare_row_hides_a_stranger() {
    let table = numbers(&["0", "0", "0", "1"].map(str::to_owned));
    let demands = Demands::new(2, None).unwrap().bind(&table).unwrap();
    for equal_rows in [EqualRows::Lend, EqualRows::Literal] {
        for way in ways(equal_rows) {
            let loss = solved(&table, Measure::Lm, &demands, &way).1;
            assert!((loss - 0.5).abs() < 1e-9, "{:?}, modified {}: {loss}", way.distance, way.modified);
        }
    }
    assert!((by_auto(&table, Measure::Lm, &demands) - 0.5).abs() < 1e-9);
}

/// Five equal rows and one neighbour, six times, k = 3: every neighbour finds two of its five.
#[test]
fn five_equal_rows_hide_their_neighbour() {
    let place = |at: usize| std::iter::repeat_n(1000 * at, 5).chain([1000 * at + 5]);
    let texts: Vec<String> = (0..6).flat_map(place).map(|x| x.to_string()).collect();
    let table = numbers(&texts);
    let demands = Demands::new(3, None).unwrap().bind(&table).unwrap();
    let best = 18.0 * 5.0 / 5005.0 / 36.0;
    for way in ways(EqualRows::Lend) {
        let loss = solved(&table, Measure::Il, &demands, &way).1;
        assert!((loss - best).abs() < 1e-6, "{:?}, modified {}: {loss}", way.distance, way.modified);
    }
    assert!(by_auto(&table, Measure::Il, &demands) <= best + 1e-6);
}

proptest! {
    #![proptest_config(fixed(300))]

    /// Every row as often as k asks, or more often: nothing is lost but what grids take, and nobody lends.
    #[test]
    fn what_is_k_anonymous_stays_as_it_is(sheet in sheets(mostly_small(), 1..=3, 0..=0), k in 2..=4usize) {
        let again = |texts: &Vec<String>| {
            let times = |(row, text): (usize, &String)| vec![text.clone(); k + row % 3];
            texts.iter().enumerate().flat_map(times).collect::<Vec<_>>()
        };
        let qi: Vec<Drawn> =
            sheet.qi.iter().map(|c| Drawn { texts: again(&c.texts), ..c.clone() }).collect();
        let table = Sheet { rows: qi[0].texts.len(), qi, sensitive: Vec::new() }.table();
        let demands = Demands::new(k as u32, None).unwrap().bind(&table).unwrap();
        let own = by_themselves(&table, Measure::Il, &demands);
        for way in ways(EqualRows::Lend) {
            let lost = solved(&table, Measure::Il, &demands, &way).1;
            prop_assert!(lost <= own, "{lost} instead of {own}");
        }
    }
}
