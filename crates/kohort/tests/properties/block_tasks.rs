//! Blocks as tasks: what other processes solve, put together, is what one process would have found, to the byte.

use std::path::Path;
use std::process::Command;

use kohort::algorithm::{
    ALGORITHMS, Algorithm, BlockTask, Blocks, Effort, HowToSolve, Outsourced, Problem, Quiet, RefineTask,
    RefinedBlock, Run, Settings, refine, refine_elsewhere,
};
use kohort::bound::{self, Crowd, Guide};
use kohort::data::{Ground, MissingSensitive, Table};
use kohort::demand::{Demand, Demands, Notion};
use kohort::measure::Measure;
use kohort::space::Space;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::common::draw::Shape;
use super::common::secrets::Secret;

/// Where the second process finds its tasks; it writes the answers beside them.
const TASKS: &str = "KOHORT_TASKS";

/// The second process: this same program, asked for this test alone.
#[test]
fn solve_the_tasks_of_another_process() {
    solve_all(|task: BlockTask| task.solve(&Quiet).unwrap());
}

/// The same for regions that are refined.
#[test]
fn refine_the_regions_of_another_process() {
    solve_all(|task: RefineTask| task.solve(&Quiet).unwrap());
}

fn solve_all<T: DeserializeOwned, A: Serialize>(solve: impl Fn(T) -> A) {
    let Ok(folder) = std::env::var(TASKS) else { return };
    for at in 0.. {
        let Ok(text) = std::fs::read_to_string(Path::new(&folder).join(format!("task{at}.json"))) else {
            break;
        };
        let answer = serde_json::to_string(&solve(serde_json::from_str(&text).unwrap())).unwrap();
        std::fs::write(Path::new(&folder).join(format!("answer{at}.json")), answer).unwrap();
    }
}

/// What the second process answers, asked for the named test.
fn elsewhere<T: Serialize, A: DeserializeOwned>(tasks: &[T], asked: &str) -> Vec<A> {
    let folder = tempfile::tempdir().unwrap();
    for (at, task) in tasks.iter().enumerate() {
        let text = serde_json::to_string(task).unwrap();
        std::fs::write(folder.path().join(format!("task{at}.json")), text).unwrap();
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", &format!("block_tasks::{asked}")]).env(TASKS, folder.path());
    assert!(child.output().unwrap().status.success());
    let answer = |at: usize| std::fs::read_to_string(folder.path().join(format!("answer{at}.json"))).unwrap();
    (0..tasks.len()).map(|at| serde_json::from_str(&answer(at)).unwrap()).collect()
}

/// People with a secret whose values have an order, a tree or protected parts.
fn people(rows: usize) -> Table {
    let mut table = super::common::by_hand::people(rows as u32).table();
    let mut state = 11_u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 9) % below
    };
    let numbers = (0..rows).map(|_| next(9).to_string()).collect();
    let letters: Vec<String> = (0..rows).map(|_| format!("l{}", next(6))).collect();
    let paths = (0..6).map(|v| vec![format!("l{v}"), format!("g{}", v / 2), "*".into()]).collect();
    let secret = |shape, texts, ground| Secret {
        shape,
        texts,
        protected: Vec::new(),
        ground,
        missing: MissingSensitive::Ignore,
    };
    table.sensitive = vec![
        secret(Shape::Number(kohort::data::Kind::Integer), numbers, Ground::Ordered).encoded("s0"),
        secret(Shape::Tree(paths), letters, Ground::Hierarchical).encoded("s1"),
    ];
    table
}

/// Whole and in blocks; with and without demands that compare classes with the whole table.
#[test]
fn tasks_of_a_second_process_give_the_same_bytes() {
    let table = people(900);
    let demand = |option: &str, text: &str| Demand::read(option, text).unwrap();
    let asked = [
        vec![],
        vec![demand("p", "2")],
        vec![demand("t-closeness", "0.4:ordered@s0"), demand("t-closeness", "0.5:hierarchical@s1")],
        vec![demand("beta-likeness", "4@s1"), demand("l-diversity", "entropy:2@s0")],
        vec![demand("delta-disclosure", "3@s0")],
    ];
    for (name, measure) in [
        ("agglomerative", Measure::Il),
        ("k-member", Measure::Lm),
        ("mondrian", Measure::Entropy),
        ("kk-expansion", Measure::Il),
    ] {
        let entry = ALGORITHMS.iter().find(|e| e.name == name).unwrap();
        for demands in &asked {
            if !entry.gives.contains(&Notion::K) && !demands.is_empty() {
                continue;
            }
            let demands = demands.iter().cloned().fold(Demands::new(4, None).unwrap(), Demands::anyway);
            let models = demands.bind(&table).unwrap();
            let space = Space::new(&table, measure.search_costs(&table), &models);
            let problem = Problem { space: &space, demands: &models, quota: 0 };
            let run = Run::new(7, &Quiet);
            let blocks = Blocks::of((entry.make)(&Settings::default()).unwrap(), 150);
            let here = blocks.solve(problem, &run).unwrap();
            let cut = blocks.cut(problem, &run).unwrap().unwrap();
            let how = HowToSolve { algorithm: name.into(), settings: Settings::default(), measure, seed: 7 };
            let quotas = cut.quotas(0);
            let task = |(rows, quota): (&[u32], usize)| BlockTask::new(problem, rows, how.clone(), quota);
            let tasks: Vec<BlockTask> = cut.blocks().into_iter().zip(quotas).map(task).collect();
            assert!(tasks.len() > 1, "{name}");
            let there = blocks
                .mend(problem, &cut, elsewhere(&tasks, "solve_the_tasks_of_another_process"), &run)
                .unwrap();
            assert_eq!(there.solution, here.solution, "{name}, {demands:?}");
            assert_eq!(there.blocks, here.blocks);
        }
    }
}

#[test]
fn damaged_tasks_are_refused() {
    let table = people(60);
    let models = Demands::new(3, Some(2)).unwrap().bind(&table).unwrap();
    let space = Space::new(&table, Measure::Il.search_costs(&table), &models);
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    let how = HowToSolve {
        algorithm: "mondrian".into(),
        settings: Settings::default(),
        measure: Measure::Il,
        seed: 0,
    };
    let rows: Vec<u32> = (0..60).collect();
    let task = serde_json::to_value(BlockTask::new(problem, &rows, how, 0)).unwrap();
    let solved = |task: &serde_json::Value| {
        serde_json::from_value::<BlockTask>(task.clone()).is_ok_and(|task| task.solve(&Quiet).is_ok())
    };
    assert!(solved(&task));
    let blows: [fn(&mut serde_json::Value); 6] = [
        |t| t["block"]["codes"][0][3] = 4_000_000.into(),
        |t| drop(t["block"]["codes"][0].as_array_mut().unwrap().pop()),
        |t| drop(t["block"]["codes"].as_array_mut().unwrap().pop()),
        |t| t["block"]["sensitive"][0]["codes"][0] = 999.into(),
        |t| drop(t["block"]["sensitive"][0]["of_whole"].as_array_mut().unwrap().pop()),
        |t| t["how"]["algorithm"] = "mondrain".into(),
    ];
    for blow in blows {
        let mut damaged = task.clone();
        blow(&mut damaged);
        assert!(!solved(&damaged), "{damaged}");
    }
}

/// Prices of the rows, and the boxes they recommend.
fn guide(space: &Space<'_>) -> Guide {
    let effort = bound::Effort { first: 1_000_000, work: 3_000_000, go_on: &|| true, tell: &|_| () };
    bound::search(space, Crowd::of_classes(4), None, effort).guide.unwrap()
}

/// Regions that are refined by another process, round by round, with and without boxes that prices recommend.
#[test]
fn regions_of_a_second_process_give_the_same_bytes() {
    let table = people(600);
    let demand = |option: &str, text: &str| Demand::read(option, text).unwrap();
    let parts: Vec<Vec<u32>> = vec![(0..270).collect(), (270..600).collect()];
    let class_of: Vec<u32> = (0..600).map(|row| row / 30).collect();
    let asked = [vec![], vec![demand("p", "2")], vec![demand("t-closeness", "0.9@s0")]];
    for (demands, measure) in asked.iter().zip([Measure::Il, Measure::Lm, Measure::Entropy]) {
        let demands = demands.iter().cloned().fold(Demands::new(4, None).unwrap(), Demands::anyway);
        let models = demands.bind(&table).unwrap();
        let space = Space::new(&table, measure.search_costs(&table), &models);
        let problem = Problem { space: &space, demands: &models, quota: 0 };
        let known = guide(&space);
        for (guide, effort) in [(None, Effort::Usual), (Some(&known), Effort::Steps(4))] {
            let here = refine(problem, &class_of, &parts, (effort, guide), &Run::new(7, &Quiet)).unwrap();
            let mut tasks = 0;
            let mut solve = |round: Vec<RefineTask>| {
                tasks += round.len();
                let answers: Vec<RefinedBlock> = elsewhere(&round, "refine_the_regions_of_another_process");
                Ok(answers)
            };
            let how = Outsourced { effort, guide, measure, seed: 7 };
            let there = refine_elsewhere(problem, &class_of, &parts, how, &Quiet, &mut solve).unwrap();
            assert_eq!(there, here, "{demands:?}");
            assert_ne!(here.0, class_of, "something was refined");
            assert!(tasks >= 24, "{tasks}");
        }
    }
}

#[test]
fn damaged_regions_are_refused() {
    let table = people(60);
    let models = Demands::new(4, Some(2)).unwrap().bind(&table).unwrap();
    let space = Space::new(&table, Measure::Il.search_costs(&table), &models);
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    let (class_of, parts): (Vec<u32>, _) = ((0..60).map(|row| row / 30).collect(), [(0..60).collect()]);
    let known = guide(&space);
    let how = Outsourced { effort: Effort::Usual, guide: Some(&known), measure: Measure::Il, seed: 0 };
    let mut first = None;
    let mut keep = |tasks: Vec<RefineTask>| {
        first = Some(serde_json::to_value(&tasks[0]).unwrap());
        Ok(Vec::new())
    };
    let answered = refine_elsewhere(problem, &class_of, &parts, how, &Quiet, &mut keep);
    assert!(answered.unwrap_err().to_string().contains("do not belong to the tasks"));
    // Rows that are all by themselves lose nothing, and hide nobody.
    let mut apart = |tasks: Vec<RefineTask>| {
        let alone =
            |task: &RefineTask| RefinedBlock { class_of: (0..task.rows() as u32).collect(), steps: 1 };
        Ok(tasks.iter().map(alone).collect())
    };
    let answered = refine_elsewhere(problem, &class_of, &parts, how, &Quiet, &mut apart);
    assert!(answered.unwrap_err().to_string().contains("do not meet the demands"));
    let task = first.unwrap();
    let solved = |task: &serde_json::Value| {
        serde_json::from_value::<RefineTask>(task.clone()).is_ok_and(|task| task.solve(&Quiet).is_ok())
    };
    assert!(solved(&task));
    let blows: [fn(&mut serde_json::Value); 6] = [
        |t| t["class_of"][3] = 77.into(),
        |t| drop(t["class_of"].as_array_mut().unwrap().pop()),
        |t| t["block"]["codes"][0][3] = 4_000_000.into(),
        |t| t["guide"]["boxes"][0]["hi"] = 4_000_000.into(),
        |t| t["guide"]["listed"][0] = 4_000_000.into(),
        |t| drop(t["guide"]["tuple_of_row"].as_array_mut().unwrap().pop()),
    ];
    for (at, blow) in blows.iter().enumerate() {
        let mut damaged = task.clone();
        blow(&mut damaged);
        assert!(!solved(&damaged), "blow {at}");
    }
}
