//! Li et al. 2006, section 6: how much less does clustering distort than the best full-domain generalization?
//!
//! UCI Adult, quasi-identifiers of 1 to 9 attributes in the order of Table 2, k = 2 and 10, uniform weights. The paper
//! compares KACA with Incognito and prints one number: the ratio is 5.57 times lower on average. Its taxonomies are not
//! given, only their heights; ours have the same.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use kohort::input::JobSpec;
use serde_json::{Value, json};

use crate::full_domain::{Best, Lattice};

const ALGORITHM: &str = "kaca";
const QI: [&str; 9] = [
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

struct Point {
    k: u32,
    clustered: f64,
    seconds: f64,
    global: Best,
}

pub(crate) fn run(table: &Path) -> Result<Value> {
    let lattice = lattice(table)?;
    let mut points = Vec::new();
    let mut search_seconds = Vec::new();
    println!("| k | attributes | {ALGORITHM} | full-domain | levels | quotient | {ALGORITHM}, seconds |");
    println!("|---|---|---|---|---|---|---|");
    for k in [2, 10] {
        let start = Instant::now();
        let anonymous = lattice.anonymous(k);
        search_seconds.push(start.elapsed().as_secs_f64());
        for attributes in 1..=QI.len() {
            let global = lattice.best(&anonymous, attributes).context("the table has fewer than k rows")?;
            let (clustered, seconds) = clustered(table, &QI[..attributes], k)?;
            points.push(Point { k, clustered, seconds, global });
            points.last().inspect(|point| point.print());
        }
    }
    let mean = |of: &dyn Fn(&Point) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let of_quotients = mean(&Point::quotient);
    let of_means = mean(&|p| p.global.ratio) / mean(&|p| p.clustered);
    println!(
        "\nmean of the quotients {of_quotients:.2}, quotient of the means {of_means:.2}, published {PUBLISHED}"
    );
    println!("the search for the full-domain optima took {search_seconds:.1?} s");
    Ok(json!({
        "benchmark": "li-2006", "algorithm": ALGORITHM, "points": points.iter().map(Point::json).collect::<Vec<_>>(),
        "mean_of_quotients": of_quotients, "quotient_of_means": of_means, "published": PUBLISHED,
        "full_domain_seconds": search_seconds,
    }))
}

fn lattice(table: &Path) -> Result<Lattice> {
    let columns = crate::read_columns(table, &QI)?;
    let rows = columns[0].codes.len();
    let coded = columns.iter().map(|column| {
        let tree = crate::tree(&column.name)?;
        let codes = crate::leaves(column, &tree)?;
        Ok((tree, codes))
    });
    Ok(Lattice::new(rows, &coded.collect::<Result<Vec<_>>>()?))
}

/// The distortion ratio of a clustering, and how long it took.
fn clustered(table: &Path, qi: &[&str], k: u32) -> Result<(f64, f64)> {
    let folder = tempfile::tempdir()?;
    let job = JobSpec {
        input: Some(table.to_owned()),
        output: Some(folder.path().join("release.csv")),
        qi: qi.iter().map(|&name| name.to_owned()).collect(),
        hierarchies: Some(crate::trees()),
        k: Some(k),
        algorithm: Some(ALGORITHM.into()),
        measure: Some("whd".into()),
        rest: Some(kohort::data::Rest::Keep),
        ..JobSpec::default()
    };
    let (summary, seconds) = crate::measure(job)?;
    Ok((summary.loss.context("no loss was measured")?.distortion_ratio, seconds))
}

impl Point {
    fn quotient(&self) -> f64 {
        self.global.ratio / self.clustered
    }

    fn print(&self) {
        let (attributes, levels) = (self.global.levels.len(), &self.global.levels);
        let (clustered, global, quotient) = (self.clustered, self.global.ratio, self.quotient());
        println!(
            "| {} | {attributes} | {clustered:.5} | {global:.4} | {levels:?} | {quotient:.2} | {:.2} |",
            self.k, self.seconds
        );
    }

    fn json(&self) -> Value {
        json!({
            "k": self.k, "attributes": self.global.levels.len(), "clustered": self.clustered, "seconds": self.seconds,
            "full_domain": self.global.ratio, "levels": self.global.levels, "quotient": self.quotient(),
        })
    }
}
