//! What each algorithm makes of each table.

use kohort::algorithm::{ALGORITHMS as ALL, Run, Settings};
use kohort::data::Domain;
use kohort::input::JobSpec;
use kohort::measure::Measure;
use kohort::model::max_clusters;
use kohort::solution::Solution;
use kohort::{Error, Result};

use super::{ALGORITHMS, K, PS, Samples};
use crate::lab::{Lab, Ran, with_problem};
use crate::sets::{Set, as_interval};

/// All figures of one table.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) lines: Vec<Line>,
}

/// One algorithm at one p, by sample; no samples where no table can have so many values.
#[derive(Default)]
pub(super) struct Line {
    pub(super) algorithm: &'static str,
    pub(super) p: u32,
    /// Published classes.
    pub(super) classes: Vec<f64>,
    /// Clusters before equal tuples become one class; none for incognito.
    pub(super) clusters: Vec<f64>,
    /// The most clusters that p and k allow: by the columns one by one.
    pub(super) allowed: Vec<f64>,
    pub(super) avg: Vec<f64>,
    pub(super) dm: Vec<f64>,
    pub(super) il: Vec<f64>,
    /// The same where a range of years costs its width and not its level; for incognito alone.
    pub(super) il_by_width: Vec<f64>,
    pub(super) seconds: Vec<f64>,
}

impl Found {
    pub(super) fn line(&self, algorithm: &str, p: u32) -> Option<&Line> {
        let wanted = |line: &&Line| line.algorithm == algorithm && line.p == p && !line.il.is_empty();
        self.lines.iter().find(wanted)
    }
}

pub(super) fn run(lab: &Lab<'_>, samples: &Samples) -> Result<Found> {
    let mut lines = Vec::new();
    for p in PS {
        (lab.tell)(&format!("001: {}, p = {p}", samples.name));
        for algorithm in ALGORITHMS {
            let mut line = Line { algorithm, p, ..Line::default() };
            for set in &samples.sets {
                add(lab, &mut line, set, samples.number)?;
            }
            lines.push(line);
        }
    }
    Ok(Found { name: samples.name.clone(), lines })
}

fn add(lab: &Lab<'_>, line: &mut Line, set: &Set, number: &str) -> Result<()> {
    let job = JobSpec { k: Some(K), p: Some(line.p), algorithm: Some(line.algorithm.into()), ..set.job() };
    let is_global = line.algorithm == "incognito";
    let job = if is_global { job } else { as_interval(job, number) };
    let Some(ran) = lab.run_if_possible(job)? else { return Ok(()) };
    line.classes.push(ran.summary.classes as f64);
    line.avg.push(ran.loss.avg);
    line.dm.push(ran.loss.dm as f64);
    line.il.push(ran.loss.il);
    line.seconds.push(ran.seconds);
    if is_global {
        line.il_by_width.push(by_width(&ran, set, number)?);
    } else {
        let (clusters, allowed) = clusters(lab, line, set, number)?;
        line.clusters.push(clusters);
        line.allowed.push(allowed);
    }
    Ok(())
}

/// How many clusters there are before those with equal tuples become one class, and how many there could be.
fn clusters(lab: &Lab<'_>, line: &Line, set: &Set, number: &str) -> Result<(f64, f64)> {
    let table = set.table(&[number])?;
    let entry = ALL.iter().find(|entry| entry.name == line.algorithm);
    let entry = entry.ok_or_else(|| Error::internal("no such algorithm"))?;
    let algorithm = (entry.make)(&Settings::new([]))?;
    let found = with_problem(&table, Measure::Il, (K, Some(line.p)), |problem| {
        algorithm.group(problem, &Run::new(0, lab.observer))
    })?;
    let Solution::Clusters(of_row) = found else {
        return Err(Error::internal("local recoding gives clusters"));
    };
    let count = of_row.iter().max().map_or(0, |&last| last + 1);
    let of_column = |secret: &kohort::data::Sensitive| {
        let mut frequencies = vec![0; secret.distinct as usize];
        secret.codes.iter().for_each(|code| frequencies[code as usize] += 1);
        max_clusters(&frequencies, line.p)
    };
    let most = table.sensitive.iter().map(of_column).min().unwrap_or(0);
    Ok((f64::from(count), most.min(set.rows as u64 / u64::from(K)) as f64))
}

/// `il` where the ranges of the number cost what an interval of their width costs.
fn by_width(ran: &Ran, set: &Set, number: &str) -> Result<f64> {
    const WIDTHS: [f64; 5] = [1.0, 5.0, 10.0, 20.0, 40.0];
    let by_level = ran.loss.per_column.get(number).copied().unwrap_or(0.0);
    let level = (by_level * WIDTHS.len() as f64).round() as usize;
    let table = set.table(&[number])?;
    let numbers = table.qi.iter().find_map(|q| match &q.attribute.domain {
        Domain::Interval(numbers) if q.attribute.name == number => Some(numbers),
        _ => None,
    });
    let numbers = numbers.ok_or_else(|| Error::internal("the number has no interval"))?;
    let range = f64::from(numbers.len() - 1).max(1.0);
    // The years between the least and the greatest occur nearly all; their number stands for the range.
    let cost = WIDTHS.get(level).map_or(1.0, |width| ((width - 1.0) / range).min(1.0));
    Ok(ran.loss.il + (cost - by_level) / set.qi.len() as f64)
}
