//! Constrained k-anonymity: Figures 2 to 4.

use std::path::PathBuf;

use kohort::algorithm::Quiet;
use kohort::data::Kind;
use kohort::demand::Demands;
use kohort::input::{ColumnSpec, JobSpec};
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::model::Regions;
use kohort::report::Summary;

use super::close;
use super::common::draw::{Drawn, Shape, Sheet};
use super::common::files::{Folder, read};

const MARKED: [&str; 3] = ["California", "Kansas", "Midwest"];

/// Figure 3; ages hierarchy-free, as Figure 4 publishes them.
const PEOPLE: [[&str; 4]; 7] = [
    ["32", "San Diego", "M", "W"],
    ["30", "Los Angeles", "M", "W"],
    ["42", "Wichita", "M", "W"],
    ["30", "Kansas City", "M", "W"],
    ["35", "Lincoln", "F", "W"],
    ["20", "Lincoln", "M", "B"],
    ["25", "Wichita", "F", "B"],
];

/// Figure 2.
const LOCATIONS: [[&str; 4]; 5] = [
    ["San Diego", "California", "West Coast", "United States"],
    ["Los Angeles", "California", "West Coast", "United States"],
    ["Wichita", "Kansas", "Midwest", "United States"],
    ["Kansas City", "Kansas", "Midwest", "United States"],
    ["Lincoln", "Nebraska", "Midwest", "United States"],
];

fn figure_3() -> Sheet {
    let paths = LOCATIONS.map(|path| path.map(str::to_owned).to_vec()).to_vec();
    let shapes = [Shape::Number(Kind::Integer), Shape::Tree(paths), Shape::Flat, Shape::Flat];
    let column = |(i, shape): (usize, Shape)| Drawn {
        name: ["age", "location", "sex", "race"][i].to_owned(),
        shape,
        texts: PEOPLE.iter().map(|row| row[i].to_owned()).collect(),
        weight: 1.0,
        snap: None,
    };
    Sheet { rows: 7, qi: shapes.into_iter().enumerate().map(column).collect(), sensitive: Vec::new() }
}

/// The job of the figures, with boundaries on the location.
fn job(folder: &Folder, k: u32) -> JobSpec {
    let mut job = JobSpec { k: Some(k), keep_order: Some(true), ..folder.job(&figure_3()) };
    let location = job.columns.entry("location".into()).or_default();
    location.max_generalization = Some(MARKED.map(str::to_owned).to_vec());
    job
}

fn examine(folder: &Folder, release: PathBuf) -> (Summary, Vec<String>) {
    let found = FileVerifyJob::new(&job(folder, 2), release, Some(folder.path("people.csv")))
        .and_then(|job| job.run(&Quiet));
    let found = found.unwrap();
    (found.summary, found.shortfalls.iter().map(ToString::to_string).collect())
}

#[test]
fn example_14_magset() {
    let mut table = figure_3().table();
    let location = &mut table.qi[1].attribute;
    let kohort::data::Domain::Tree(h) = &location.domain else { panic!("a tree was expected") };
    let nodes = MARKED.map(|label| h.node(label).unwrap()).to_vec();
    location.boundary = Some(kohort::data::Boundary::Nodes(nodes));
    let mut set = location.magset();
    set.sort_unstable();
    assert_eq!(set, MARKED);
    for (k, out) in [(2, vec![]), (3, vec![0, 1, 4, 5]), (4, (0..7).collect())] {
        let parts = Regions::new(&table, &Demands::new(k, None).unwrap().bind(&table).unwrap());
        assert_eq!(parts.out, out, "k = {k}");
        assert!(parts.minimal && !parts.trimmed);
        assert_eq!(parts.groups, 3);
    }
}

const HEADER: &str = "age,location,sex,race,note";

#[test]
fn example_14_violations_of_both_tables() {
    let folder = Folder::of(&figure_3());
    let mm1 = folder.lines(
        "mm1.csv",
        &[
            HEADER,
            "30-32,California,M,W,0",
            "30-32,California,M,W,1",
            "30-42,Midwest,*,W,2",
            "30-42,Midwest,*,W,3",
            "30-42,Midwest,*,W,4",
            "20-25,Midwest,*,B,5",
            "20-25,Midwest,*,B,6",
        ],
    );
    let (summary, shortfalls) = examine(&folder, mm1);
    assert_eq!((summary.achieved.k, summary.achieved.boundary_violations), (2, Some(3)));
    assert_eq!(shortfalls, ["3 cells are generalized beyond the boundaries"]);
    close(summary.loss.unwrap().il_total, 124.0 / 11.0);

    let mm2 = [
        "30-32,California,M,W,0",
        "30-32,California,M,W,1",
        "25-42,Kansas,*,*,2",
        "25-42,Kansas,*,*,3",
        "20-35,Lincoln,*,*,4",
        "20-35,Lincoln,*,*,5",
        "25-42,Kansas,*,*,6",
    ];
    let (summary, shortfalls) = examine(&folder, folder.lines("mm2.csv", &[&[HEADER], &mm2[..]].concat()));
    assert_eq!((summary.achieved.k, summary.achieved.boundary_violations), (2, Some(0)));
    assert!(shortfalls.is_empty(), "{shortfalls:?}");
    close(summary.loss.unwrap().il_total, 1025.0 / 66.0);
}

/// Within the boundaries k = 2 leaves one way for every group of Figure 2; k = 3 leaves Kansas alone.
#[test]
fn example_14_whole_jobs() {
    for algorithm in ["greedy-cka", "kaca", "systematic", "systematic-plus", "oka", "mondrian"] {
        let folder = Folder::of(&figure_3());
        let ask = |k| JobSpec { algorithm: Some(algorithm.into()), ..job(&folder, k) };
        let two = FileJob::new(ask(2)).unwrap().run(&Quiet).unwrap().summary;
        assert_eq!((two.suppressed, two.classes, two.achieved.boundary_violations), (0, 3, Some(0)));
        close(two.loss.unwrap().il_total, 1025.0 / 66.0);
        let released = read(&folder.path("release.csv"));
        assert_eq!((released[2]["age"].as_str(), released[2]["location"].as_str()), ("[25, 42]", "Kansas"));

        let three = FileJob::new(ask(3)).unwrap().run(&Quiet).unwrap();
        assert_eq!((three.summary.suppressed, three.summary.released), (4, 3), "{algorithm}");
        assert_eq!(three.summary.algorithm.as_deref(), Some(algorithm));
        // Suppressed: 4 rows of 4 cells; released: 3 rows of 17/22 + 1/3 + 1 + 1.
        close(three.summary.loss.unwrap().il_total, 16.0 + 3.0 * (17.0 / 22.0 + 1.0 / 3.0 + 2.0));

        let four = FileJob::new(ask(4)).unwrap().run(&Quiet).map(|_| ());
        let message = four.unwrap_err();
        assert!(matches!(message, kohort::Error::Unsolvable(_)), "{message}");
        let text = message.to_string();
        assert!(text.contains("7 of 7 rows") && text.contains("3 of 3 groups"), "{text}");
        assert!(
            text.contains("without the boundary on 'location' 0 rows") && text.contains("k = 3"),
            "{text}"
        );
    }
}

/// Marked nodes of any other column are refused.
#[test]
fn boundaries_need_a_hierarchy_with_these_nodes() {
    let folder = Folder::of(&figure_3());
    let entry = ColumnSpec { max_generalization: Some(vec!["Oregon".into()]), ..ColumnSpec::default() };
    let file = JobSpec { columns: [("location".to_owned(), entry)].into(), ..job(&folder, 2) };
    let refused = FileJob::new(file).unwrap().run(&Quiet).map(|_| ());
    assert!(matches!(refused, Err(kohort::Error::Job(_))), "{refused:?}");
}
