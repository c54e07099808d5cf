//! Kabir et al. 2011: section 4, Figures 4 and 5 ([`figures`]), what the theorems say of them, and the insertion rules of section 5
//! ([`insertion`]), of which the paper prints no figures.

mod figures;
mod insertion;
mod plain;
mod shown;

use kohort::Result;

use crate::lab::Lab;
use crate::report::{Claim, Paper};
use crate::sets::{Design, Set, adult_tree, census};

pub(crate) const QI: [&str; 3] = ["age", "sex", "education"];

pub(crate) fn run(lab: &Lab<'_>) -> Result<Paper> {
    let set = set(lab)?;
    let found = figures::run(lab, &set)?;
    let joined = insertion::run(lab)?;
    let mut parts = shown::parts(&found);
    parts.extend(joined.as_ref().map(insertion::part));
    let mut claims = shown::claims(&found);
    if lab.adult.is_none() {
        claims = claims.into_iter().map(Claim::on_made_up_people).collect();
    }
    claims.push(insertion::claim(joined.as_ref()));
    Ok(Paper {
        number: "002".into(),
        name: "Kabir, Wang and Bertino 2011, Efficient Systematic Clustering Method for k-Anonymization".into(),
        settings: vec![
            "The paper takes its trees of sex and education from Fung et al. 2005 and does not print them; ours of Adult are those of `data/adult`.".into(),
            format!("{} rows of {}, age (smallest intervals), sex and education; k = {} to {}; seeds 1 to {}, of which the mean is shown, as in the paper.", set.rows, set.name, found.ks[0], found.ks[found.ks.len() - 1], found.seeds),
            "q: so many percent of the people, drawn anew for every seed, opt out; they are in no cluster and lose nothing. k-member runs with q = 0, as in the paper.".into(),
            "Figures 4 and 5 print no numbers. Seconds are those of the search in the form that is shipped, encoded table to clusters.".into(),
        ],
        parts,
        claims,
        seconds: 0.0,
        others: None,
    })
}

/// The table of the paper, or a census-like one with the same three columns.
pub(crate) fn set(lab: &Lab<'_>) -> Result<Set> {
    match &lab.adult {
        Some(adult) => {
            let trees = QI.iter().map(|name| adult_tree(name)).collect::<Result<_>>()?;
            let design = Design { qi: &QI, trees, ..Design::default() };
            if lab.quick { adult.sample(5000, 1, design) } else { adult.whole(design) }
        }
        None => census(lab.pick(45_222, 5000), 1),
    }
}
