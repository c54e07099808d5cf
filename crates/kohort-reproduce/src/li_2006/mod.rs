//! Li et al. 2006, section 6, Figure 2: how much less does KACA distort than the best full-domain generalization, and how long does
//! it take?
//!
//! UCI Adult without missing values, quasi-identifiers of 1 to 9 attributes in the order of Table 2, k = 2 and 10, weights that
//! are uniform or by height. The whole table is looked at at once. The paper prints one number, 5.57; its taxonomies are not given, only
//! their heights, and ours have the same.

mod shown;

use kohort::Result;
use kohort::input::JobSpec;

use crate::lab::Lab;
use crate::report::{Claim, Paper};
use crate::sets::{Adult, Design, Set, adult_tree};

pub(crate) const QI: [&str; 9] = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "salary-class",
];
const PUBLISHED: f64 = 5.57;
/// Exponent of the weights: uniform, by height.
const WEIGHTS: [f64; 2] = [0.0, 1.0];
/// Numbers of attributes at which ten orders of small classes are tried.
const DRAWN: [usize; 2] = [5, 9];

/// One point of the figure.
struct Point {
    k: u32,
    attributes: usize,
    beta: f64,
    /// Distortion ratio and seconds of `kaca`, smallest class first.
    kaca: (f64, f64),
    /// The same where small classes are taken in the order of several draws.
    drawn: Vec<(f64, f64)>,
    /// Those of the best full-domain generalization.
    incognito: (f64, f64),
}

impl Point {
    fn quotient(&self) -> f64 {
        self.incognito.0 / self.kaca.0
    }
}

pub(crate) fn run(lab: &Lab<'_>) -> Result<Paper> {
    let mut paper = Paper {
        number: "003".into(),
        name: "Li, Wong, Fu and Pei 2006, Achieving k-Anonymity by Clustering in Attribute Hierarchical Structures".into(),
        settings: Vec::new(),
        parts: Vec::new(),
        claims: vec![Claim::open("the distortion ratio of KACA is 5.57 times lower than that of Incognito", "needs Adult")],
        seconds: 0.0,
    };
    let Some(adult) = &lab.adult else { return Ok(paper) };
    let set = set(lab, adult)?;
    let mut points = Vec::new();
    for beta in WEIGHTS {
        for k in [2, 10] {
            (lab.tell)(&format!("003: {} weights, k = {k}", named(beta)));
            for attributes in 1..=QI.len() {
                points.push(point(lab, &set, (k, attributes, beta))?);
            }
        }
    }
    paper.settings = vec![
        format!("{} rows of Adult without missing values, as one block; 1 to 9 attributes in the order of the paper's Table 2, trees of `data/adult`, which have its heights.", set.rows),
        format!("kaca takes the smallest class first; with uniform weights and {} attributes also in {} random orders, as the paper's \"randomly choose\".", DRAWN.map(|n| n.to_string()).join(" and "), seeds(lab)),
        "Full-domain: incognito without suppression, which finds the best levels for this measure. Seconds are those of the search.".into(),
    ];
    paper.parts = shown::parts(&points);
    paper.claims = shown::claims(&points);
    Ok(paper)
}

fn seeds(lab: &Lab<'_>) -> u64 {
    lab.pick(10, 2)
}

pub(crate) fn set(lab: &Lab<'_>, adult: &Adult) -> Result<Set> {
    let trees = QI.iter().map(|name| adult_tree(name)).collect::<Result<_>>()?;
    let design = Design { qi: &QI, trees, ..Design::default() };
    if lab.quick { adult.sample(5000, 1, design) } else { adult.whole(design) }
}

fn named(beta: f64) -> &'static str {
    if beta == 0.0 { "uniform" } else { "height" }
}

fn point(lab: &Lab<'_>, set: &Set, (k, attributes, beta): (u32, usize, f64)) -> Result<Point> {
    let ran = |algorithm: &str, seed: u64| -> Result<(f64, f64)> {
        let ran = lab.run(JobSpec {
            qi: QI[..attributes].iter().map(|&name| name.to_owned()).collect(),
            k: Some(k),
            algorithm: Some(algorithm.into()),
            measure: Some("whd".into()),
            beta: Some(beta),
            seed: Some(seed),
            ..set.job()
        })?;
        Ok((ran.loss.distortion_ratio, ran.seconds))
    };
    let is_drawn = beta == 0.0 && DRAWN.contains(&attributes);
    let drawn = if is_drawn {
        (1..=seeds(lab)).map(|seed| ran("kaca", seed)).collect::<Result<_>>()?
    } else {
        Vec::new()
    };
    Ok(Point { k, attributes, beta, kaca: ran("kaca", 0)?, drawn, incognito: ran("incognito", 0)? })
}
