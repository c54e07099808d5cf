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
use crate::sets::{Design, Set, adult_tree, made, years};

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
/// Of the made-up census, where Adult is not at hand.
const MADE_QI: [&str; 9] = [
    "age",
    "work_class",
    "education",
    "marital_status",
    "occupation",
    "ethnic_group",
    "sex",
    "birth_country",
    "postcode",
];
const PUBLISHED: f64 = 5.57;
/// Exponent of the weights: uniform, by height.
const WEIGHTS: [f64; 2] = [0.0, 1.0];
/// Numbers of attributes at which ten orders of small classes are tried.
const DRAWN: [usize; 2] = [5, 9];

/// An algorithm at one point.
struct Measured {
    /// Distortion ratio.
    ratio: f64,
    /// By run.
    seconds: Vec<f64>,
}

/// One point of the figure.
struct Point {
    k: u32,
    attributes: usize,
    beta: f64,
    /// `kaca`, smallest class first.
    kaca: Measured,
    /// Ratios and seconds where small classes are taken in the order of several draws.
    drawn: Vec<(f64, f64)>,
    /// The best full-domain generalization.
    incognito: Measured,
}

impl Point {
    fn quotient(&self) -> f64 {
        self.incognito.ratio / self.kaca.ratio
    }
}

pub(crate) fn run(lab: &Lab<'_>) -> Result<Paper> {
    let set = set(lab)?;
    let mut points = Vec::new();
    for beta in WEIGHTS {
        for k in [2, 10] {
            (lab.tell)(&format!("003: {} weights, k = {k}", named(beta)));
            for attributes in 1..=QI.len() {
                points.push(point(lab, &set, (k, attributes, beta))?);
            }
        }
    }
    let mut claims = shown::claims(&points);
    if lab.adult.is_none() {
        claims = claims.into_iter().map(Claim::on_made_up_people).collect();
    }
    let table = if lab.adult.is_some() {
        "rows of Adult without missing values, as one block; 1 to 9 attributes in the order of the paper's Table 2, trees of `data/adult`, which have its heights; the paper does not print its trees."
    } else {
        "rows of a made-up census, as one block; 1 to 9 of its attributes."
    };
    Ok(Paper {
        number: "003".into(),
        name: "Li, Wong, Fu and Pei 2006, Achieving k-Anonymity by Clustering in Attribute Hierarchical Structures".into(),
        settings: vec![
            format!("{} {table}", set.rows),
            format!("kaca takes the smallest class first; with uniform weights and {} attributes also in {} random orders, as the paper's \"randomly choose\".", DRAWN.map(|n| n.to_string()).join(" and "), seeds(lab)),
            format!("Full-domain: incognito without suppression, which finds the best levels for this measure. Seconds are those of the search, of {} runs in which both take turns (the paper has ten).", runs(lab)),
        ],
        parts: shown::parts(&points),
        claims,
        seconds: 0.0,
        others: None,
    })
}

fn seeds(lab: &Lab<'_>) -> u64 {
    lab.pick(10, 2)
}

/// How often everything is timed with uniform weights.
fn runs(lab: &Lab<'_>) -> usize {
    lab.pick(5, 1)
}

/// The table of the paper, or a census-like one with as many attributes.
pub(crate) fn set(lab: &Lab<'_>) -> Result<Set> {
    let Some(adult) = &lab.adult else {
        let design = Design { qi: &MADE_QI, trees: vec![years("age")?], ..Design::default() };
        return made("census", lab.pick(45_222, 2000), 1, design);
    };
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
            qi: set.qi[..attributes].to_vec(),
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
    let often = if beta == 0.0 { runs(lab) } else { 1 };
    let turns =
        (0..often).map(|_| Ok((ran("kaca", 0)?, ran("incognito", 0)?))).collect::<Result<Vec<_>>>()?;
    let (kaca, incognito): (Vec<_>, Vec<_>) = turns.into_iter().unzip();
    let measured =
        |all: Vec<(f64, f64)>| Measured { ratio: all[0].0, seconds: all.iter().map(|one| one.1).collect() };
    Ok(Point { k, attributes, beta, kaca: measured(kaca), drawn, incognito: measured(incognito) })
}
