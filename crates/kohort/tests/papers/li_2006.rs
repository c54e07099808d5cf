//! Local recoding by weighted hierarchical distance: birth dates, and Tables 1a, 1b and 1c.

use std::path::PathBuf;

use kohort::algorithm::Quiet;
use kohort::data::Hierarchy;
use kohort::input::JobSpec;
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::measure::{Gauge, Measure};
use kohort::space::Space;
use kohort::verify::Loss;

use super::close;
use super::common::draw::{Drawn, Shape, Sheet};
use super::common::files::{Folder, read};

/// Level 6 is the day, level 1 the root: D/M/Y, M/Y, Y, 10Y, C/Y/M/O, *.
const BIRTHDAYS: [[&str; 6]; 5] = [
    ["1/3/1980", "3/1980", "1980", "1980s", "middle", "*"],
    ["2/3/1980", "3/1980", "1980", "1980s", "middle", "*"],
    ["1/4/1980", "4/1980", "1980", "1980s", "middle", "*"],
    ["1/4/1985", "4/1985", "1985", "1980s", "middle", "*"],
    ["7/7/2001", "7/2001", "2001", "2000s", "young", "*"],
];

/// The cost of a birthday generalized to every level, the day first.
fn levels(beta: f64) -> Vec<f64> {
    let paths: Vec<Vec<String>> =
        BIRTHDAYS.iter().map(|path| path.iter().map(|&l| l.to_owned()).collect()).collect();
    let hierarchy = Hierarchy::from_paths("birth", paths.clone()).unwrap();
    let texts = paths.iter().map(|path| path[0].clone()).collect();
    let column = Drawn { name: "birth".into(), shape: Shape::Tree(paths), texts, weight: 1.0, snap: None };
    let table = Sheet { rows: 5, qi: vec![column], sensitive: Vec::new() }.table();
    let gauge = Gauge::new(Measure::Whd { beta }, &table.qi[0].attribute);
    BIRTHDAYS[0].iter().map(|label| gauge.node(hierarchy.node(label).unwrap())).collect()
}

#[test]
fn example_12_distances_along_six_levels() {
    let uniform = levels(0.0);
    close(uniform[0], 0.0);
    close(uniform[2], 0.4);
    let by_height = levels(1.0);
    let steps: Vec<f64> = by_height.windows(2).map(|pair| pair[1] - pair[0]).collect();
    for (step, expected) in steps.iter().zip([0.087_591_2, 0.109_489, 0.145_985, 0.218_978, 0.437_956]) {
        close(*step, expected);
    }
    close(by_height[1], 12.0 / 137.0);
    close(by_height[5], 1.0);
    let steep = levels(2.0);
    // §14.12 prints .683240; the definition gives 1 / (1 + 1/4 + 1/9 + 1/16 + 1/25) = 0.6832416.
    close(steep[5] - steep[4], 3600.0 / 5269.0);
    assert!(11.0 * by_height[1] < 1.0 && 12.0 * by_height[1] > 1.0);
    close(11.0 * by_height[1], 0.963_504);
}

const TABLE_1A: [[&str; 4]; 6] = [
    ["male", "middle", "4350", "stress"],
    ["male", "middle", "4350", "obesity"],
    ["male", "young", "4351", "stress"],
    ["female", "young", "4352", "obesity"],
    ["female", "old", "4353", "stress"],
    ["female", "old", "4353", "obesity"],
];

/// Gender and age know a value and `*`; the postcode loses a digit at a time.
fn table_1a() -> Sheet {
    let postcode = |digits: &str| {
        let hidden =
            |n: usize| if n == 4 { "*".to_owned() } else { format!("{}{}", &digits[..4 - n], "*".repeat(n)) };
        (0..=4).map(hidden).collect()
    };
    let trees = ["4350", "4351", "4352", "4353"].iter().map(|d| postcode(d)).collect();
    let shapes = [Shape::Flat, Shape::Flat, Shape::Tree(trees)];
    let column = |(i, shape): (usize, Shape)| Drawn {
        name: format!("q{i}"),
        shape,
        texts: TABLE_1A.iter().map(|row| row[i].to_owned()).collect(),
        weight: 1.0,
        snap: None,
    };
    let problem = TABLE_1A.iter().map(|row| row[3].to_owned()).collect();
    Sheet { rows: 6, qi: shapes.into_iter().enumerate().map(column).collect(), sensitive: vec![problem] }
}

fn examine(folder: &Folder, release: PathBuf) -> Loss {
    let file = JobSpec { k: Some(2), ..folder.job(&table_1a()) };
    let found = FileVerifyJob::new(&file, release, Some(folder.path("people.csv")))
        .and_then(|job| job.run(&Quiet))
        .unwrap();
    assert!(found.shortfalls.is_empty(), "{:?}", found.shortfalls);
    found.summary.loss.unwrap()
}

const LOCAL: [&str; 7] = [
    "q0,q1,q2,s0",
    "male,middle,4350,stress",
    "male,middle,4350,obesity",
    "*,young,435*,stress",
    "*,young,435*,obesity",
    "female,old,4353,stress",
    "female,old,4353,obesity",
];

const GLOBAL: [&str; 7] = [
    "q0,q1,q2,s0",
    "*,middle,435*,stress",
    "*,middle,435*,obesity",
    "*,young,435*,stress",
    "*,young,435*,obesity",
    "*,old,435*,stress",
    "*,old,435*,obesity",
];

/// Table 1b touches rows 3 and 4 only, so its distortion is also Dist(t1, t2) of Definition 9: 1.25 for either row.
#[test]
fn example_13_distortion_of_both_releases() {
    let folder = Folder::of(&table_1a());
    let local = examine(&folder, folder.lines("table1b.csv", &LOCAL));
    close(local.modification_rate, 4.0 / 18.0);
    close(local.distortion, 2.5);
    close(local.distortion_ratio, 2.5 / 18.0);
    let global = examine(&folder, folder.lines("table1c.csv", &GLOBAL));
    close(global.modification_rate, 12.0 / 18.0);
    close(global.distortion, 7.5);
    close(global.distortion_ratio, 7.5 / 18.0);
}

#[test]
fn example_13_distances_between_rows() {
    let table = table_1a().table();
    let measure = Measure::Whd { beta: 0.0 };
    let space = Space::new(
        &table,
        measure.search_costs(&table),
        &kohort::demand::Demands::default().bind(&table).unwrap(),
    );
    let group =
        |row: u32| (0..space.groups().len()).find(|&g| space.groups().rows(g).contains(&row)).unwrap();
    let distortion = |a: u32, b: u32| {
        let mut tuple = space.tuple(group(a));
        space.absorb(&mut tuple, group(b));
        space.cost(&tuple) as f64 / f64::from(space.scale())
    };
    close(distortion(2, 3), 1.25);
    close(2.0 * distortion(2, 3), 2.5);
    // From the class {t3} to the others, weighted by class sizes as KACA does: 1 row here, 1 or 2 rows there.
    close(3.0 * distortion(2, 0), 3.75);
    close(3.0 * distortion(2, 4), 6.75);
}

#[test]
fn example_13_whole_jobs_find_table_1b() {
    for (algorithm, seed) in [("k-member", 0), ("kaca", 0), ("kaca", 1), ("kaca", 2)] {
        finds_table_1b(algorithm, seed);
    }
}

fn finds_table_1b(algorithm: &str, seed: u64) {
    let sheet = table_1a();
    let folder = Folder::of(&sheet);
    let job = JobSpec {
        k: Some(2),
        measure: Some("whd".into()),
        algorithm: Some(algorithm.into()),
        seed: Some(seed),
        keep_order: Some(true),
        ..folder.job(&sheet)
    };
    let outcome = FileJob::new(job).unwrap().run(&Quiet).unwrap();
    close(outcome.summary.loss.unwrap().distortion, 2.5);
    let released = read(&folder.path("release.csv"));
    let expected = read(&folder.lines("table1b.csv", &LOCAL));
    for (row, wanted) in released.iter().zip(&expected) {
        assert!(wanted.iter().all(|(name, text)| row[name] == *text), "{row:?} is not {wanted:?}");
    }
}

/// Weights of single levels (Li et al. 2006, Definition 5: "predefined") take the place of the scheme's: with the step to 435*
/// free, only gender is lost.
#[test]
fn weights_of_single_levels() {
    let sheet = table_1a();
    let folder = Folder::of(&sheet);
    let mut file = JobSpec { k: Some(2), ..folder.job(&sheet) };
    let postcode = file.columns.entry("q2".into()).or_default();
    postcode.level_weights = kohort::input::LevelWeights([("5".to_owned(), 0.0)].into());
    let release = folder.lines("table1b.csv", &LOCAL);
    let original = Some(folder.path("people.csv"));
    let found = FileVerifyJob::new(&file, release, original).and_then(|job| job.run(&Quiet)).unwrap();
    close(found.summary.loss.unwrap().distortion, 2.0);
}
