//! Truta et al. 2008, section 5, Figures 3 to 7: AVG, DM, IL and time of three algorithms for p-sensitive k-anonymity.
//!
//! 10,000 rows of Adult with six quasi-identifiers and three confidential attributes, and the four synthetic tables; k = 20.
//! Local recoding makes the smallest intervals of the numbers; Incognito needs ranges for them, as it needs a tree for everything.

mod claims;
mod measure;
mod shown;

use kohort::Result;

use crate::lab::Lab;
use crate::report::Paper;
use crate::sets::{Design, Set, adult_tree, made, years};

const ROWS: usize = 10_000;
const K: u32 = 20;
const PS: [u32; 5] = [2, 4, 6, 8, 10];
/// The three of the paper, and what Kohort makes of the second; the last is Incognito.
const ALGORITHMS: [Compared; 4] = [
    Compared { label: GREEDY, name: "greedy-pk", settings: &[] },
    Compared { label: ENHANCED, name: "enhanced-pk", settings: &[("local-search", "off")] },
    Compared { label: "with local search", name: "enhanced-pk", settings: &[] },
    Compared { label: INCOGNITO, name: "incognito", settings: &[] },
];
const GREEDY: &str = "greedy-pk";
const ENHANCED: &str = "enhanced-pk";
const INCOGNITO: &str = "incognito";
pub(crate) const QI: [&str; 6] = ["age", "workclass", "marital-status", "race", "sex", "native-country"];
pub(crate) const CONFIDENTIAL: [&str; 3] = ["education-num", "education", "occupation"];
pub(crate) const MADE: [&str; 4] = ["uu", "un", "nu", "nn"];
pub(crate) const MADE_QI: [&str; 4] = ["QI_N", "QI_C1", "QI_C2", "QI_C3"];
pub(crate) const MADE_SECRETS: [&str; 2] = ["S_C1", "S_C2"];

/// An algorithm, and what it is called here.
struct Compared {
    label: &'static str,
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
}

/// The samples of one table.
struct Samples {
    name: String,
    /// The quasi-identifier that is a number.
    number: &'static str,
    sets: Vec<Set>,
}

pub(crate) fn run(lab: &Lab<'_>) -> Result<Paper> {
    let found: Vec<_> =
        samples(lab)?.iter().map(|samples| measure::run(lab, samples)).collect::<Result<_>>()?;
    Ok(Paper {
        number: "001".into(),
        name: "Truta, Campan, Abrinica and Miller 2008, A Comparison between Local and Global Recoding".into(),
        settings: vec![
            format!("k = {K}, p = 2 to 10; Adult: {} samples of {} rows, seeds 1, 2, …; six quasi-identifiers, three confidential attributes; the paper's four synthetic tables with the same seeds and as many rows.", lab.pick(3, 1), rows(lab)),
            "enhanced-pk without the local search that ends it in Kohort (`--set local-search=off`), which the paper's algorithm does not have; beside it the same with the search, which no claim is tested on.".into(),
            "greedy-pk and enhanced-pk make smallest intervals of ages, incognito chooses among ranges of 5, 10, 20 and 40 years, and IL counts what is published by its width; the paper shows curves without numbers.".into(),
            "AVG and DM count published classes: neighbouring clusters of few different rows often get the same tuple and are one class. Seconds are those of the search alone; of each sample the algorithms run one after the other.".into(),
        ],
        parts: shown::parts(&found),
        claims: claims::all(&found),
        seconds: 0.0,
        others: None,
    })
}

fn rows(lab: &Lab<'_>) -> usize {
    lab.pick(ROWS, 2000)
}

fn samples(lab: &Lab<'_>) -> Result<Vec<Samples>> {
    let seeds = 1..=lab.pick(3, 1);
    let mut all = Vec::new();
    if lab.adult.is_some() {
        let sets = seeds.clone().map(|seed| adult(lab, rows(lab), seed)).collect::<Result<Vec<_>>>()?;
        all.push(Samples { name: "Adult".into(), number: "age", sets: sets.into_iter().flatten().collect() });
    }
    for name in MADE {
        let sets = seeds.clone().map(|seed| synthetic(name, rows(lab), seed)).collect::<Result<_>>()?;
        all.push(Samples { name: name.to_uppercase(), number: "QI_N", sets });
    }
    Ok(all)
}

/// A sample of Adult as the paper uses it, if Adult is at hand.
pub(crate) fn adult(lab: &Lab<'_>, rows: usize, seed: u64) -> Result<Option<Set>> {
    let Some(adult) = &lab.adult else { return Ok(None) };
    let mut trees = QI[1..].iter().map(|name| adult_tree(name)).collect::<Result<Vec<_>>>()?;
    trees.push(years("age")?);
    adult.sample(rows, seed, Design { qi: &QI, sensitive: &CONFIDENTIAL, trees }).map(Some)
}

/// One of the synthetic tables.
pub(crate) fn synthetic(name: &str, rows: usize, seed: u64) -> Result<Set> {
    let design = Design { qi: &MADE_QI, sensitive: &MADE_SECRETS, trees: vec![years("QI_N")?] };
    made(name, rows, seed, design)
}
