//! Section 5: what becomes of the loss when new rows join classes one by one, and how often a class need not change for it.
//!
//! 500 rows of Adult, clustered as the paper does, and 50 more that come later; k = 10, eight quasi-identifiers, several draws. The
//! paper prints no figures here, but claims that the new row joins "without any modification of preexisting clusters".

use kohort::algorithm::{Algorithm as _, INSERTION_RULES, Problem, Rule, Run, Systematic, insert};
use kohort::measure::Measure;
use kohort::solution::Solution;
use kohort::{Error, Result};

use super::figures::il_total;
use crate::lab::{Lab, with_problem};
use crate::report::{Cell, Claim, Part, Table};
use crate::sets::{Adult, Design, adult_tree};

const OLD: usize = 500;
const NEW: usize = 50;
const K: u32 = 10;
const QI: [&str; 8] =
    ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"];

/// What all draws gave, draw by draw.
pub(super) struct Joined {
    before: Vec<f64>,
    /// By rule: the loss of all rows, and how many new ones their class covered before they came.
    rules: Vec<(&'static str, Vec<f64>, Vec<f64>)>,
    anew: Vec<f64>,
}

/// Nothing where Adult is not at hand.
pub(super) fn run(lab: &Lab<'_>) -> Result<Option<Joined>> {
    let Some(adult) = &lab.adult else { return Ok(None) };
    (lab.tell)("002: single rows join classes");
    let rules = INSERTION_RULES.iter().map(|entry| (entry.name, Vec::new(), Vec::new())).collect();
    let mut joined = Joined { before: Vec::new(), rules, anew: Vec::new() };
    for seed in 1..=lab.pick(10, 3) {
        draw(lab, adult, seed, &mut joined)?;
    }
    Ok(Some(joined))
}

fn draw(lab: &Lab<'_>, adult: &Adult, seed: u64, joined: &mut Joined) -> Result<()> {
    let trees = QI.iter().map(|name| adult_tree(name)).collect::<Result<_>>()?;
    let set = adult.sample(OLD + NEW, seed, Design { qi: &QI, trees, ..Design::default() })?;
    let run = Run::new(0, lab.observer);
    with_problem(&set.table(&["age"])?, Measure::Il, (K, None), |problem| {
        let group_of = problem.space.groups().of_rows();
        // Every eleventh row comes later.
        let (new, old): (Vec<u32>, Vec<u32>) = (0..set.rows as u32).partition(|row| row % 11 == 10);
        let part = problem.space.part(&group_of, &old);
        let of_old = Problem { space: &part, ..problem };
        let first = clustered(of_old, &run)?;
        joined.before.push(il_total(of_old, &first).0);
        let mut class_of = vec![0; set.rows];
        old.iter().zip(first).for_each(|(&row, class)| class_of[row as usize] = class);
        for (entry, (_, il, covered)) in INSERTION_RULES.iter().zip(&mut joined.rules) {
            let found = insert(problem, &class_of, &new, entry.rule, &run)?;
            il.push(il_total(problem, &found.class_of).0);
            covered.push(found.covered as f64);
        }
        joined.anew.push(il_total(problem, &clustered(problem, &run)?).0);
        Ok(())
    })
}

/// The paper's own clustering.
fn clustered(problem: Problem<'_>, run: &Run<'_>) -> Result<Vec<u32>> {
    match (Systematic { rule: Rule::Loss }).group(problem, run)? {
        Solution::Clusters(class_of) => Ok(class_of),
        _ => Err(Error::internal("systematic clustering gives clusters")),
    }
}

pub(super) fn part(joined: &Joined) -> Part {
    let mut table = Table::new(["rows join by", "IL of all rows", "new rows that their class covered"]);
    table.push([
        Cell::text(format!("(the {OLD} rows before)")),
        Cell::spread(&joined.before, 0),
        Cell::none(),
    ]);
    for (name, il, covered) in &joined.rules {
        table.push([Cell::text(format!("`{name}`")), Cell::spread(il, 0), Cell::spread(covered, 1)]);
    }
    table.push([Cell::text("clustered anew"), Cell::spread(&joined.anew, 0), Cell::none()]);
    let note = format!(
        "{OLD} rows of Adult clustered by the paper's own method, then {NEW} more, eight quasi-identifiers, k = {K}. Only safe where nobody has seen the classes (errata)."
    );
    Part::new("002-insertion", "Section 5: single rows join classes", &note, table)
}

pub(super) fn claim(joined: Option<&Joined>) -> Claim {
    let says = "new records join \"without any modification of preexisting clusters\"";
    let Some(joined) = joined else { return Claim::open(says, "needs Adult") };
    let covered = joined.rules.first().map_or(0.0, |(.., covered)| crate::report::mean(covered));
    Claim::tested(
        says,
        covered >= NEW as f64,
        format!(
            "by the paper's rule {covered:.1} of {NEW} new rows lie in what their class covered; for the others it must be widened"
        ),
    )
}
