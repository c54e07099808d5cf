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
use kohort::input::JobSpec;

use self::boundaries::Limit;
use self::search::Tried;
use crate::lab::Lab;
use crate::report::{Claim, Paper};
use crate::sets::{Adult, Design, Set, adult_tree, made, years};

const ROWS: usize = 10_000;
pub(crate) const QI: [&str; 8] =
    ["education-num", "workclass", "marital-status", "occupation", "race", "sex", "age", "native-country"];

/// Of the made-up census, where Adult is not at hand.
const MADE_QI: [&str; 8] = [
    "age",
    "work_class",
    "education",
    "marital_status",
    "occupation",
    "ethnic_group",
    "sex",
    "birth_country",
];

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
    let seeds: Vec<u64> = (1..=lab.pick(5, 1)).collect();
    let paper = Paper {
        number: "004".into(),
        name:
            "Miller, Campan and Truta 2008, Constrained k-Anonymity: Privacy with Generalization Boundaries"
                .into(),
        settings: Vec::new(),
        parts: Vec::new(),
        claims: Vec::new(),
        seconds: 0.0,
        others: None,
    };
    let measure = "Loss is that of Definition 10, height of the subtree over height of the tree for every attribute, ages included: `--measure whd` with uniform weights; of each sample the algorithms run one after the other.".to_owned();
    let Some(adult) = &lab.adult else {
        let samples = seeds.iter().map(|&seed| on_made_up_people(lab, seed)).collect::<Result<Vec<_>>>()?;
        let points = measure::run(lab, &samples)?;
        return Ok(Paper {
            settings: vec![
                format!(
                    "{} samples of {} made-up people, seeds 1, 2, …; eight quasi-identifiers; boundaries one step above the country of birth and at ranges of ten years.",
                    samples.len(),
                    samples[0].0.rows
                ),
                measure,
            ],
            parts: shown::parts(&points, None),
            claims: shown::claims(&points, None).into_iter().map(Claim::on_made_up_people).collect(),
            ..paper
        });
    };
    let sets = seeds.iter().map(|&seed| sample(adult, seed)).collect::<Result<Vec<_>>>()?;
    let tried = search::run(lab, &sets[0])?;
    let within = |set: Set| limits(&set, &tried[0]).map(|limits| (set, limits));
    let samples = sets.into_iter().map(within).collect::<Result<Vec<_>>>()?;
    let points = measure::run(lab, &samples)?;
    Ok(Paper {
        settings: vec![
            format!(
                "{} samples of {ROWS} rows of Adult, seeds 1, 2, …; eight quasi-identifiers, heights as printed: education-num 4, marital-status 2, the others without a boundary 1; the trees themselves are ours.",
                samples.len()
            ),
            measure,
            format!(
                "Boundaries: those of {} tried that come closest to Tables 1 and 2 on the first sample, see *Which boundaries fit?*.",
                tried.len()
            ),
        ],
        parts: shown::parts(&points, Some(&tried)),
        claims: shown::claims(&points, Some(&tried)),
        ..paper
    })
}

/// A job with the loss of the paper.
fn job(set: &Set, k: u32, algorithm: &str) -> JobSpec {
    JobSpec {
        k: Some(k),
        algorithm: Some(algorithm.into()),
        measure: Some("whd".into()),
        keep_order: Some(true),
        ..set.job()
    }
}

fn limits(set: &Set, tried: &Tried) -> Result<[Limit; 2]> {
    Ok([Limit::of_countries(set, tried.countries)?, Limit::of_steps(set, "age", tried.ages.1)?])
}

/// A census-like table where Adult is not at hand.
fn on_made_up_people(lab: &Lab<'_>, seed: u64) -> Result<(Set, [Limit; 2])> {
    let design = Design { qi: &MADE_QI, trees: vec![years("age")?], ..Design::default() };
    let set = made("census", lab.pick(ROWS, 2000), seed, design)?;
    let limits = [Limit::of_steps(&set, "birth_country", 1)?, Limit::of_steps(&set, "age", 2)?];
    Ok((set, limits))
}

/// A sample with trees of the heights that are printed.
pub(crate) fn sample(adult: &Adult, seed: u64) -> Result<Set> {
    adult.sample(ROWS, seed, Design { qi: &QI, trees: trees()?, ..Design::default() })
}

/// A sample, and jobs on it within the boundaries of both attributes that fit best.
pub(crate) fn best_boundaries(lab: &Lab<'_>, set: &Set) -> Result<impl Fn(JobSpec) -> JobSpec + use<>> {
    let tried = search::run(lab, set)?;
    let limits = limits(set, &tried[0])?;
    Ok(move |job| limits.iter().fold(job, |job, limit| limit.bind(job)))
}

fn trees() -> Result<Vec<Hierarchy>> {
    let grades: Vec<String> = (1..=16).map(|grade| grade.to_string()).collect();
    Ok(vec![
        ranges("education-num", &grades, &[2.0, 4.0, 8.0], 1.0, RangeOf::Whole)?,
        without_top_groups(&adult_tree("marital-status")?)?,
        adult_tree("age")?,
        adult_tree("native-country")?,
    ])
}

/// Values, their groups, root: the height of 2 that the paper has for marital-status.
fn without_top_groups(tree: &Hierarchy) -> Result<Hierarchy> {
    let paths = (0..tree.leaf_count()).map(|leaf| {
        let path = tree.path(leaf);
        [path[0].to_owned(), path[1].to_owned(), ROOT_LABEL.to_owned()]
    });
    Hierarchy::from_paths(tree.name(), paths)
}

#[cfg(test)]
mod tests {
    use kohort::data::{Attribute, Domain};
    use kohort::measure::{Gauge, Measure};

    use super::*;

    /// Definition 10 of the paper, node by node; `il` would count ranges of numbers by their width.
    #[test]
    fn the_loss_is_that_of_the_paper() {
        let trees = trees().unwrap_or_default();
        assert_eq!(trees.len(), 4);
        let mut differs = false;
        for tree in trees {
            let height = f64::from(tree.height());
            let counts = vec![1; tree.leaf_count() as usize];
            let attribute = Attribute::new(tree.name(), Domain::Tree(tree.clone()), counts);
            let [whd, il] =
                [Measure::Whd { beta: 0.0 }, Measure::Il].map(|measure| Gauge::new(measure, &attribute));
            for node in 0..tree.len() as u32 {
                let expected = f64::from(tree.height_of(node)) / height;
                assert!((whd.node(node) - expected).abs() < 1e-12, "{}: {}", tree.name(), tree.label(node));
                differs |= (il.node(node) - expected).abs() > 0.01;
            }
        }
        assert!(differs, "`il` would do");
    }
}
