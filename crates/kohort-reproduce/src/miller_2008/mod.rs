//! Miller et al. 2008, section 5, Tables 1 and 2 and Figures 8 and 9: how often does plain k-member generalize further than the data's
//! owner can use, how many rows have to go where that is forbidden, and what does it cost?
//!
//! 10,000 rows of UCI Adult, 8 quasi-identifiers, k = 2 to 10, boundaries on native-country alone and on native-country and
//! age. Figures 6 and 7, which show the boundaries, are lost; [`search`] looks for some that fit Tables 1 and 2.

mod boundaries;
mod measure;
mod search;
mod shown;

use kohort::Result;
use kohort::data::recipes::{RangeOf, ranges};
use kohort::data::{Hierarchy, ROOT_LABEL};

use crate::lab::Lab;
use crate::report::{Claim, Paper};
use crate::sets::{Adult, Design, Set, adult_tree};

const ROWS: usize = 10_000;
pub(crate) const QI: [&str; 8] =
    ["education-num", "workclass", "marital-status", "occupation", "race", "sex", "age", "native-country"];

/// Tables 1 and 2 of the paper: k, then for one and for two constrained attributes the violations, then the suppressed rows.
const PUBLISHED: [(u32, [u64; 2], [u64; 2]); 9] = [
    (2, [605, 2209], [0, 5]),
    (3, [991, 3824], [0, 15]),
    (4, [1377, 5297], [0, 24]),
    (5, [1657, 6163], [0, 28]),
    (6, [1906, 6964], [0, 48]),
    (7, [2198, 7743], [0, 60]),
    (8, [2354, 8417], [0, 81]),
    (9, [2550, 8931], [0, 97]),
    (10, [2728, 9549], [0, 106]),
];

pub(crate) fn run(lab: &Lab<'_>) -> Result<Paper> {
    let mut paper = Paper {
        number: "004".into(),
        name:
            "Miller, Campan and Truta 2008, Constrained k-Anonymity: Privacy with Generalization Boundaries"
                .into(),
        settings: Vec::new(),
        parts: Vec::new(),
        claims: vec![Claim::open("Tables 1 and 2", "needs Adult")],
        seconds: 0.0,
    };
    let Some(adult) = &lab.adult else { return Ok(paper) };
    let seeds: Vec<u64> = (1..=lab.pick(5, 1)).collect();
    let sets = seeds.iter().map(|&seed| sample(adult, seed)).collect::<Result<Vec<_>>>()?;
    let tried = search::run(lab, &sets[0])?;
    let points = measure::run(lab, &sets, &tried[0])?;
    paper.settings = vec![
        format!(
            "{} samples of {ROWS} rows of Adult, seeds 1, 2, …; eight quasi-identifiers, heights as printed: education-num 4, marital-status 2, the others without a boundary 1; il with trees throughout.",
            sets.len()
        ),
        format!(
            "Boundaries: those of {} tried that come closest to Tables 1 and 2 on the first sample.",
            tried.len()
        ),
    ];
    paper.parts = shown::parts(&points, &tried);
    paper.claims = shown::claims(&points, &tried);
    Ok(paper)
}

/// A sample with trees of the heights that are printed.
pub(crate) fn sample(adult: &Adult, seed: u64) -> Result<Set> {
    let grades: Vec<String> = (1..=16).map(|grade| grade.to_string()).collect();
    let trees = vec![
        ranges("education-num", &grades, &[2.0, 4.0, 8.0], 1.0, RangeOf::Whole)?,
        without_top_groups(&adult_tree("marital-status")?)?,
        adult_tree("age")?,
        adult_tree("native-country")?,
    ];
    adult.sample(ROWS, seed, Design { qi: &QI, trees, ..Design::default() })
}

/// Values, their groups, root: the height of 2 that the paper has for marital-status.
fn without_top_groups(tree: &Hierarchy) -> Result<Hierarchy> {
    let paths = (0..tree.leaf_count()).map(|leaf| {
        let path = tree.path(leaf);
        [path[0].to_owned(), path[1].to_owned(), ROOT_LABEL.to_owned()]
    });
    Hierarchy::from_paths(tree.name(), paths)
}
