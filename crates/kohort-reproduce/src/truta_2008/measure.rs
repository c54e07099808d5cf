//! What each algorithm makes of each table.

use std::collections::BTreeMap;

use kohort::algorithm::{ALGORITHMS as ALL, Run, Settings};
use kohort::data::Domain;
use kohort::input::JobSpec;
use kohort::measure::Measure;
use kohort::model::max_clusters;
use kohort::solution::Solution;
use kohort::{Error, Result};

use super::{ALGORITHMS, Compared, INCOGNITO, K, PS, Samples};
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
    /// The same where a range of years costs its level in the tree and not its width; for incognito alone.
    pub(super) il_by_level: Vec<f64>,
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
        let mut of_p = ALGORITHMS.map(|compared| Line { algorithm: compared.label, p, ..Line::default() });
        // What is compared runs one after the other, so that a machine that slows down does so for all.
        for set in &samples.sets {
            for (line, compared) in of_p.iter_mut().zip(&ALGORITHMS) {
                add(lab, line, compared, (set, samples.number))?;
            }
        }
        lines.extend(of_p);
    }
    Ok(Found { name: samples.name.clone(), lines })
}

fn add(lab: &Lab<'_>, line: &mut Line, compared: &Compared, (set, number): (&Set, &str)) -> Result<()> {
    let job = JobSpec {
        k: Some(K),
        p: Some(line.p),
        algorithm: Some(compared.name.into()),
        settings: compared.settings(),
        ..set.job()
    };
    let is_global = compared.label == INCOGNITO;
    let job = if is_global { job } else { as_interval(job, number) };
    let Some(ran) = lab.run_if_possible(job)? else { return Ok(()) };
    line.classes.push(ran.summary.classes as f64);
    line.avg.push(ran.loss.avg);
    line.dm.push(ran.loss.dm as f64);
    line.il.push(ran.loss.il);
    line.seconds.push(ran.seconds);
    if is_global {
        line.il_by_level.push(by_level(&ran, set, number)?);
    } else {
        let (clusters, allowed) = clusters(lab, (compared, line.p), set, number)?;
        line.clusters.push(clusters);
        line.allowed.push(allowed);
    }
    Ok(())
}

/// How many clusters there are before those with equal tuples become one class, and how many there could be.
fn clusters(lab: &Lab<'_>, (compared, p): (&Compared, u32), set: &Set, number: &str) -> Result<(f64, f64)> {
    let table = set.table(&[number])?;
    let entry = ALL.iter().find(|entry| entry.name == compared.name);
    let entry = entry.ok_or_else(|| Error::internal("no such algorithm"))?;
    let algorithm = (entry.make)(&Settings::new(compared.settings()))?;
    let found = with_problem(&table, Measure::Il, (K, Some(p)), |problem| {
        algorithm.group(problem, &Run::new(0, lab.observer))
    })?;
    let Solution::Clusters(of_row) = found else {
        return Err(Error::internal("local recoding gives clusters"));
    };
    let count = of_row.iter().max().map_or(0, |&last| last + 1);
    let of_column = |secret: &kohort::data::Sensitive| {
        let mut frequencies = vec![0; secret.distinct as usize];
        secret.codes.iter().for_each(|code| frequencies[code as usize] += 1);
        max_clusters(&frequencies, p)
    };
    let most = table.sensitive.iter().map(of_column).min().unwrap_or(0);
    Ok((f64::from(count), most.min(set.rows as u64 / u64::from(K)) as f64))
}

impl Compared {
    fn settings(&self) -> BTreeMap<String, String> {
        self.settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }
}

/// How wide the ranges of every level are, from the least to the greatest year; the next level is the root.
const WIDTHS: [f64; 5] = [0.0, 4.0, 9.0, 19.0, 39.0];

/// `il` where the ranges of the number cost their level. All of a release are of one level.
fn by_level(ran: &Ran, set: &Set, number: &str) -> Result<f64> {
    let by_width = ran.loss.per_column.get(number).copied().unwrap_or(0.0);
    let table = set.table(&[number])?;
    let numbers = table.qi.iter().find_map(|q| match &q.attribute.domain {
        Domain::Interval(numbers) if q.attribute.name == number => Some(numbers),
        _ => None,
    });
    let numbers = numbers.ok_or_else(|| Error::internal("the number has no interval"))?;
    let level = level(by_width, numbers.range());
    Ok(ran.loss.il + (level as f64 / WIDTHS.len() as f64 - by_width) / set.qi.len() as f64)
}

/// The level whose ranges cost that much.
fn level(by_width: f64, range: f64) -> usize {
    let off =
        |level: &usize| (WIDTHS.get(*level).map_or(1.0, |width| (width / range).min(1.0)) - by_width).abs();
    (0..=WIDTHS.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use kohort::algorithm::Quiet;

    use super::*;
    use crate::truta_2008::synthetic;

    #[test]
    fn levels_by_the_width_of_their_ranges() {
        for (by_width, found) in
            [(0.0, 0), (4.0 / 99.0, 1), (9.0 / 99.0, 2), (19.0 / 99.0, 3), (39.0 / 99.0, 4), (1.0, 5)]
        {
            assert_eq!(level(by_width, 99.0), found);
        }
    }

    /// The level and the width are read off the published ranges themselves.
    #[test]
    fn a_release_of_known_ranges() -> Result<()> {
        let set = synthetic("nu", 2000, 1)?;
        let lab = Lab { adult: None, cmc: None, quick: true, observer: &Quiet, tell: &|_| {} };
        let job = JobSpec { k: Some(2), p: Some(2), algorithm: Some("incognito".into()), ..set.job() };
        let ran = lab.run(job)?;
        let published = &ran.released(&["QI_N"])?[0].texts;
        let (from, to) = published[0].trim_matches(['[', ']']).split_once(", ").unwrap_or_default();
        let width = to.parse::<f64>().unwrap_or(0.0) - from.parse::<f64>().unwrap_or(0.0);
        assert!([4.0, 9.0, 19.0, 39.0].contains(&width), "{published:?}");
        let years: Vec<f64> =
            set.table(&[])?.qi.iter().find(|q| q.attribute.name == "QI_N").map(occurring).unwrap_or_default();
        let (least, most) = crate::report::ends(&years);
        let level = WIDTHS.iter().position(|w| (w - width).abs() < 0.5).unwrap_or(0) as f64;
        let expected = ran.loss.il + (level / 5.0 - width / (most - least)) / 4.0;
        assert!((by_level(&ran, &set, "QI_N")? - expected).abs() < 1e-9, "{published:?}");
        Ok(())
    }

    /// The numbers of a column with a tree that occur.
    fn occurring(column: &kohort::data::QuasiIdentifier) -> Vec<f64> {
        let Domain::Tree(tree) = &column.attribute.domain else { return Vec::new() };
        let leaves = (0..tree.leaf_count()).filter(|leaf| column.attribute.counts[*leaf as usize] > 0);
        leaves.filter_map(|leaf| tree.label(leaf).parse().ok()).collect()
    }
}
