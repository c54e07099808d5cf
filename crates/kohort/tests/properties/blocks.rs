//! Blocks: what they promise beyond what every job does, which the other files try with and without them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use kohort::algorithm::{
    ALGORITHMS, Algorithm, AlgorithmEntry, Answer, Blocks, Problem, Quiet, Run, Settings,
};
use kohort::data::{Kind, Table};
use kohort::demand::{Demands, Notion};
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::prelude::*;
use proptest::sample::Index;

use super::common::asked::{Ask, asks};
use super::common::by_hand::people;
use super::common::draw::{Drawn, Shape, Sheet, sheets};
use super::common::fixed;

fn entries() -> Vec<&'static AlgorithmEntry> {
    ALGORITHMS.iter().filter(|e| !e.recodes_columns && e.name != "enhanced-pk").collect()
}

fn make(entry: &AlgorithmEntry) -> Box<dyn Algorithm> {
    (entry.make)(&Settings::default()).unwrap()
}

fn solve(table: &Table, ask: Ask, solver: &dyn Algorithm) -> Answer {
    let models = Demands::new(ask.k.min(table.rows).max(2) as u32, None).unwrap().bind(table).unwrap();
    let space = Space::new(table, ask.measure.search_costs(table), &models);
    solver.solve(Problem { space: &space, demands: &models, quota: 0 }, &Run::new(ask.seed, &Quiet)).unwrap()
}

fn cost(space: &Space<'_>, answer: &Answer) -> u64 {
    answer.cost(space).unwrap()
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn one_block_is_the_table(
        sheet in sheets(2..=30usize, 1..=3, 0..=0),
        ask in asks(),
        entry in any::<Index>(),
        more in 0..3usize,
    ) {
        let table = sheet.table();
        let entries = entries();
        let entry = entries[entry.index(entries.len())];
        // One hierarchy at most: the optimum would refuse others.
        prop_assume!(entry.name != "k1-optimal");
        let alone = solve(&table, ask, make(entry).as_ref());
        for rows in [0, table.rows + more] {
            let blocks = Blocks::of(make(entry), rows);
            let found = solve(&table, ask, &blocks);
            prop_assert_eq!(&found.solution, &alone.solution, "{}", entry.name);
            prop_assert_eq!((found.blocks.cut, found.blocks.blocks), (0, 1));
        }
    }

    /// Equal rows stay together, so blocks can be as small as one asks for, and no smaller than k.
    #[test]
    fn blocks_are_as_small_as_asked(sheet in sheets(2..=60usize, 1..=3, 0..=0), ask in asks()) {
        let table = sheet.table();
        let k = ask.k.min(table.rows).max(2);
        let blocks = Blocks::of(make(&ALGORITHMS[0]), 1);
        let found = solve(&table, ask, &blocks);
        let count = found.blocks.blocks as usize;
        let Solution::Clusters(class_of) = found.solution else { panic!("no clusters") };
        prop_assert!(count * k <= table.rows, "{} blocks of {} rows", count, table.rows);
        prop_assert!(class_of.iter().all(|&class| (class as usize) < table.rows / k));
    }
}

/// Blocks and mending together lose about what the whole table does.
#[test]
fn blocks_lose_little() {
    let table = people(2500).table();
    let models = Demands::new(5, None).unwrap().bind(&table).unwrap();
    let measure = kohort::measure::Measure::Il;
    let space = Space::new(&table, measure.search_costs(&table), &models);
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    let run = Run::new(0, &Quiet);
    for entry in entries().into_iter().filter(|e| e.gives.contains(&Notion::K) && !e.is_linear) {
        let whole = make(entry).solve(problem, &run).unwrap();
        let cut = Blocks::of(make(entry), 250).solve(problem, &run).unwrap();
        assert!(cut.blocks.blocks > 5 && cut.blocks.largest <= 250, "{}: {:?}", entry.name, cut.blocks);
        assert_eq!((cut.blocks.cut, cut.blocks.mended), (1, 1));
        let times = cost(&space, &cut) as f64 / cost(&space, &whole) as f64;
        assert!(times < 1.02, "{} loses {times:.3} times as much in blocks", entry.name);
    }
}

/// Five people of one household are most like each other, whatever else they have in common with others; no sample of the
/// table would tell.
#[test]
fn households_stay_together() {
    let (households, k) = (600, 5);
    let mut state = 5_u64;
    let mut income = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let share = (state >> 40) as f64 / f64::from(1 << 24);
        (share * share * share * 100_000.0).round().to_string()
    };
    let column =
        |name: &str, shape, texts| Drawn { name: name.into(), shape, texts, weight: 1.0, snap: None };
    let qi = vec![
        column(
            "household",
            Shape::Flat,
            (0..households * k).map(|row| format!("h{}", row % households)).collect(),
        ),
        column("income", Shape::Number(Kind::Integer), (0..households * k).map(|_| income()).collect()),
    ];
    let table = Sheet { rows: households * k, qi, sensitive: Vec::new() }.table();
    let models = Demands::new(k as u32, None).unwrap().bind(&table).unwrap();
    let space = Space::new(&table, kohort::measure::Measure::Il.search_costs(&table), &models);
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    let entry = ALGORITHMS.iter().find(|e| e.name == "agglomerative").unwrap();
    let run = Run::new(0, &Quiet);
    let whole = cost(&space, &make(entry).solve(problem, &run).unwrap());
    let cut = Blocks::of(make(entry), 300).solve(problem, &run).unwrap();
    assert!(cut.blocks.blocks > 8);
    let cut = cost(&space, &cut);
    assert!(cut as f64 <= 1.05 * whole as f64, "{:.2} times the loss", cut as f64 / whole as f64);
}

/// Solves blocks well, and what is to be mended as badly as can be.
struct BadMender {
    entry: &'static AlgorithmEntry,
    lists: Mutex<Vec<u32>>,
    mended: AtomicUsize,
}

/// More rows than are mended at a cut, and fewer than a block has.
const BETWEEN: usize = 70;

impl Algorithm for BadMender {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> kohort::error::Result<Solution> {
        let rows = problem.space.rows();
        if rows < BETWEEN {
            self.mended.fetch_add(1, Ordering::Relaxed);
            return Ok(Solution::Clusters(vec![0; rows]));
        }
        let found = make(self.entry).group(problem, run)?;
        let Solution::Clusters(class_of) = &found else { panic!("no clusters") };
        self.lists.lock().unwrap().push(class_of.iter().max().unwrap() + 1);
        Ok(found)
    }
}

/// What was mended is taken where it loses less, and only there.
#[test]
fn mending_never_makes_it_worse() {
    let table = people(2500).table();
    let models = Demands::new(5, None).unwrap().bind(&table).unwrap();
    let space = Space::new(&table, kohort::measure::Measure::Il.search_costs(&table), &models);
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    let run = Run::new(0, &Quiet);
    let entry = ALGORITHMS.iter().find(|e| e.name == "agglomerative").unwrap();
    let bad = Arc::new(BadMender { entry, lists: Mutex::default(), mended: AtomicUsize::new(0) });
    let unmended = Blocks::of(Box::new(Shared(bad.clone())), 250).solve(problem, &run).unwrap();
    let Solution::Clusters(class_of) = &unmended.solution else { panic!("no clusters") };
    let (solved, mended) = (bad.lists.lock().unwrap().clone(), bad.mended.load(Ordering::Relaxed));
    assert!(solved.len() > 5 && mended + 1 == solved.len(), "{solved:?} blocks, {mended} times mended");
    assert_eq!(class_of.iter().max().unwrap() + 1, solved.iter().sum::<u32>());
    let well = Blocks::of(make(entry), 250).solve(problem, &run).unwrap();
    assert!(cost(&space, &well) < cost(&space, &unmended));
}

/// A solver that somebody else looks at, too.
struct Shared(Arc<BadMender>);

impl Algorithm for Shared {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> kohort::error::Result<Solution> {
        self.0.group(problem, run)
    }
}

/// Many values without a hierarchy: a sample of rows sees few of them, and cuts must be balanced all the same.
#[test]
fn unseen_values_are_dealt_evenly() {
    let names = |i: u32| format!("v{i}");
    let column = Drawn {
        name: "a".into(),
        shape: Shape::Flat,
        texts: (0..8000).map(names).collect(),
        weight: 1.0,
        snap: None,
    };
    let table = Sheet { rows: 8000, qi: vec![column], sensitive: Vec::new() }.table();
    for k in [5, 150] {
        let models = Demands::new(k, None).unwrap().bind(&table).unwrap();
        let measure = kohort::measure::Measure::Il;
        let space = Space::new(&table, measure.search_costs(&table), &models);
        let problem = Problem { space: &space, demands: &models, quota: 0 };
        let mondrian = ALGORITHMS.iter().find(|e| e.name == "mondrian").unwrap();
        let done = Blocks::of(make(mondrian), 1000).solve(problem, &Run::new(0, &Quiet)).unwrap().blocks;
        assert!(done.cut == 1 && (8..=24).contains(&done.blocks), "{done:?} for k = {k}");
    }
}

/// Where likeness is spread over many columns, cutting parts most: nobody asked for that.
#[test]
fn tables_that_cannot_be_cut_well_stay_whole() {
    let mut state = 9_u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let rows = 4000;
    let mut columns: Vec<Vec<String>> = vec![Vec::new(); 5];
    for _ in 0..rows / 5 {
        let centre: Vec<u32> = (0..5).map(|_| next(300)).collect();
        for _ in 0..5 {
            let odd = next(5) as usize;
            for (c, column) in columns.iter_mut().enumerate() {
                column.push(format!("v{}", if c == odd { next(300) } else { centre[c] }));
            }
        }
    }
    let drawn = |(i, texts): (usize, Vec<String>)| Drawn {
        name: format!("q{i}"),
        shape: Shape::Flat,
        texts,
        weight: 1.0,
        snap: None,
    };
    let qi = columns.into_iter().enumerate().map(drawn).collect();
    let table = Sheet { rows, qi, sensitive: Vec::new() }.table();
    let models = Demands::new(3, None).unwrap().bind(&table).unwrap();
    let space = Space::new(&table, kohort::measure::Measure::Il.search_costs(&table), &models);
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    let entry = ALGORITHMS.iter().find(|e| e.name == "kaca").unwrap();
    let blocks = Blocks::by_default(make(entry), entry, false, models.demands());
    let found = blocks.solve(problem, &Run::new(0, &Quiet)).unwrap();
    assert_eq!(found.blocks.cut, 0);
    assert!(found.solution == make(entry).group(problem, &Run::new(0, &Quiet)).unwrap());
}
