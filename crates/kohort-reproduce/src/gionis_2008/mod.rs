//! Gionis et al. 2008, section VI: Table I with Figures 2 and 3, and everything that is concluded from them.
//!
//! Three tables, two measures, k = 5 to 20: eight agglomerative variants as they are printed (equal rows are not merged
//! beforehand), the forest algorithm and both (k,k) algorithms, each minimizing the measure it is reported in ([`table_1`]). The
//! paper gives neither the length of ART nor, but for one example, the groupings of the other two; which lengths fit is part of the
//! result ([`lengths`]). Then what is said of the graph of rows and tuples ([`graph`], [`degrees`]).

mod claims;
mod degrees;
mod forest;
mod graph;
mod lengths;
mod published;
mod table_1;

use kohort::Result;
use kohort::measure::Measure;

use crate::lab::Lab;
use crate::report::Paper;
use crate::sets::{Design, Set, adult_tree, education_in_three, made};

pub(crate) const MEASURES: [Measure; 2] = [Measure::Entropy, Measure::Lm];
const ADULT_ROWS: usize = 5000;
const ART_ROWS: usize = 5000;
const ART: [&str; 6] = ["A1", "A2", "A3", "A4", "A5", "A6"];
pub(crate) const ADULT: [&str; 9] = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
];

pub(crate) fn run(lab: &Lab<'_>) -> Result<Paper> {
    let cases = table_1::cases(lab)?;
    let fits = lengths::run(lab, &cases)?;
    let found = degrees::run(lab)?;
    let mut parts = table_1::parts(&cases);
    parts.push(lengths::part(&fits));
    parts.extend(degrees::parts(&found));
    let mut all = claims::of_table_1(&cases);
    all.extend(degrees::claims(&found));
    all.push(lengths::claim(&fits));
    let (samples, art, adult) = (lab.pick(3, 1), lab.pick(ART_ROWS, 2000), lab.pick(ADULT_ROWS, 2000));
    Ok(Paper {
        number: "000".into(),
        name: "Gionis, Mazza and Tassa 2008, k-Anonymization Revisited".into(),
        settings: vec![
            format!("ART: {art} rows of the paper's generator, seeds 1 to {samples}; ADT: {adult} rows of Adult, samples with seeds 1 to {samples}, nine quasi-identifiers, education in the three groups that the paper names, the other trees those of `data/adult`, and one of our own for relationship; CMC: all 1,473 rows, with groupings of our own."),
            "Agglomerative: Algorithms 1 and 2 as printed (`--set equal-rows=literal`), distances 1 to 4, ε = 0.1; forest: whole trees of up to 3k − 3 rows (3k − 3 is the approximation ratio that the paper names; read here as the largest tree), and `forest`, which cuts wherever both parts keep k; (k,k): Algorithm 3 or 4, then 5, not refined.".into(),
            "Figures are those of the verified release: bits per cell (EM) or LM.".into(),
        ],
        parts,
        claims: all,
        seconds: 0.0,
        others: None,
    })
}

/// ART of one length.
pub(crate) fn art(rows: usize, seed: u64) -> Result<Set> {
    made("art", rows, seed, Design { qi: &ART, ..Design::default() })
}

/// The three tables at hand: their name in the paper, and the samples of each.
pub(crate) fn sets(lab: &Lab<'_>) -> Result<Vec<(&'static str, Vec<Set>)>> {
    let seeds = || 1..=lab.pick(3, 1);
    let art = seeds().map(|seed| art(lab.pick(ART_ROWS, 2000), seed)).collect::<Result<Vec<_>>>()?;
    let mut sets = vec![("ART", art)];
    if let Some(adult) = &lab.adult {
        let tree = |name: &&str| if *name == "education" { education_in_three() } else { adult_tree(name) };
        let trees = || ADULT.iter().map(tree).collect::<Result<Vec<_>>>();
        let design = || Ok(Design { qi: &ADULT, trees: trees()?, ..Design::default() });
        let sample = |seed| adult.sample(lab.pick(ADULT_ROWS, 2000), seed, design()?);
        sets.push(("ADT", seeds().map(sample).collect::<Result<_>>()?));
    }
    if let Some(cmc) = &lab.cmc {
        sets.push(("CMC", vec![cmc.whole()?]));
    }
    Ok(sets)
}
