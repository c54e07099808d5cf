//! Kabir et al. 2011, section 5: what becomes of the loss when new rows join classes one by one, and how often a class need not
//! change for it?
//!
//! 500 rows of UCI Adult, clustered as the paper does, and 50 more that come later; k = 10, the eight quasi-identifiers of the
//! paper's experiments, several draws. The paper gives no figures for this section, but claims that the new row joins
//! "without any modification of preexisting clusters".

use std::path::Path;

use anyhow::{Result, bail};
use kohort::algorithm::{
    Algorithm as _, INSERTION_RULES, InsertionRule, Problem, Quiet, Rule, Run, Systematic, insert,
};
use kohort::data::{Cell, Kind, Table};
use kohort::demand::Demands;
use kohort::input::{QiSpec, quasi_identifier};
use kohort::measure::Measure;
use kohort::solution::Solution;
use kohort::space::Space;
use serde_json::{Value, json};

const OLD: usize = 500;
const NEW: usize = 50;
const K: u32 = 10;
const DRAWS: u64 = 10;
const QI: [&str; 8] =
    ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"];

pub(crate) fn run(table: &Path) -> Result<Value> {
    println!(
        "{OLD} rows of Adult in classes of at least {K}, and {NEW} more: il of all rows, means of {DRAWS} draws\n"
    );
    let draws: Vec<Draw> = (1..=DRAWS).map(|seed| measure(table, seed)).collect::<Result<_>>()?;
    let mean = |of: &dyn Fn(&Draw) -> f64| draws.iter().map(of).sum::<f64>() / draws.len() as f64;
    let (before, anew) = (mean(&|d| d.before), mean(&|d| d.anew));
    println!("| rows join by | il_total | covered before they came |");
    println!("|---|---|---|");
    println!("| (the {OLD} rows alone) | {before:.1} | |");
    let mut rules = Vec::new();
    for (at, entry) in INSERTION_RULES.iter().enumerate() {
        let (il_total, covered) = (mean(&|d| d.after[at].0), mean(&|d| d.after[at].1 as f64));
        println!("| {} | {il_total:.1} | {covered:.1} of {NEW} |", entry.name);
        rules.push(json!({ "rule": entry.name, "il_total": il_total, "covered": covered }));
    }
    println!("| clustered anew | {anew:.1} | |");
    Ok(json!({
        "benchmark": "insertion", "rows": OLD, "new_rows": NEW, "k": K, "draws": DRAWS, "quasi_identifiers": QI,
        "algorithm": "systematic", "il_total_before": before, "il_total_anew": anew, "rules": rules,
    }))
}

/// What one draw of rows gave.
struct Draw {
    before: f64,
    /// By rule: the loss of all rows, and how many new ones their class covered before they came.
    after: Vec<(f64, u64)>,
    anew: f64,
}

fn measure(table: &Path, seed: u64) -> Result<Draw> {
    let table = sample(table, seed)?;
    let demands = Demands::new(K, None)?.bind(&table)?;
    let space = Space::new(&table, Measure::Il.search_costs(&table), &demands);
    let problem = Problem { space: &space, demands: &demands, quota: 0 };
    let group_of = space.groups().of_rows();
    // Every eleventh row comes later.
    let (new, old): (Vec<u32>, Vec<u32>) = (0..table.rows as u32).partition(|row| row % 11 == 10);
    let part = space.part(&group_of, &old);
    let first = clustered(Problem { space: &part, ..problem })?;
    let mut class_of = vec![0; table.rows];
    old.iter().zip(first).for_each(|(&row, class)| class_of[row as usize] = class);
    let il = |class_of: &[u32], rows: &[u32]| il_total(&space, &group_of, class_of, rows);
    let all: Vec<u32> = (0..table.rows as u32).collect();
    let join = |rule: InsertionRule| {
        let joined = insert(problem, &class_of, &new, rule, &Run::new(0, &Quiet))?;
        Ok((il(&joined.class_of, &all), joined.covered))
    };
    Ok(Draw {
        before: il(&class_of, &old),
        after: INSERTION_RULES.iter().map(|entry| join(entry.rule)).collect::<Result<_>>()?,
        anew: il(&clustered(problem)?, &all),
    })
}

/// The paper's own clustering.
fn clustered(problem: Problem<'_>) -> Result<Vec<u32>> {
    match (Systematic { rule: Rule::Loss }).group(problem, &Run::new(0, &Quiet))? {
        Solution::Clusters(class_of) => Ok(class_of),
        _ => bail!("systematic clustering gives clusters"),
    }
}

/// The loss of some rows, each published as the closure of its class.
fn il_total(space: &Space<'_>, group_of: &[u32], class_of: &[u32], rows: &[u32]) -> f64 {
    let classes = class_of.iter().max().map_or(0, |&class| class as usize + 1);
    let mut tuples: Vec<Option<(Vec<Cell>, u64)>> = vec![None; classes];
    for &row in rows {
        let group = group_of[row as usize] as usize;
        let (tuple, size) =
            tuples[class_of[row as usize] as usize].get_or_insert_with(|| (space.tuple(group), 0));
        space.absorb(tuple, group);
        *size += 1;
    }
    let cost: u64 = tuples.iter().flatten().map(|(tuple, size)| size * space.cost(tuple)).sum();
    cost as f64 / f64::from(space.scale())
}

/// Rows drawn from the table: age as intervals, everything else with its tree.
fn sample(table: &Path, seed: u64) -> Result<Table> {
    let columns = crate::read_columns(table, &QI)?;
    let rows = crate::draw(columns[0].codes.len(), OLD + NEW, seed)?;
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("sample.csv");
    crate::write_rows(&columns, rows, &place)?;
    let columns = crate::read_columns(&place, &QI)?.into_iter().zip(QI);
    let qi = columns.map(|(column, name)| Ok(quasi_identifier(column, spec(name)?, "sample.csv")?));
    let qi = qi.collect::<Result<Vec<_>>>()?;
    Ok(Table {
        rows: OLD + NEW,
        qi,
        sensitive: Vec::new(),
        verbatim: Vec::new(),
        lacking: Vec::new(),
        people: None,
    })
}

/// How a column is read.
fn spec(name: &str) -> Result<QiSpec> {
    Ok(match name {
        "age" => QiSpec { kind: Some(Kind::Integer), ..QiSpec::default() },
        _ => QiSpec { hierarchy: Some(crate::tree(name)?), ..QiSpec::default() },
    })
}
