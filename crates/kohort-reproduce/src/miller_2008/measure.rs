//! k-member without boundaries and GreedyCKA within them, at every k and on every sample.

use kohort::input::JobSpec;
use kohort::{Error, Result};

use super::PUBLISHED;
use super::boundaries::{Limit, beyond_help};
use super::search::Tried;
use crate::lab::Lab;
use crate::sets::{Set, read_columns};

/// One k, by sample. Pairs are for one and for two constrained attributes.
pub(super) struct Point {
    pub(super) k: u32,
    pub(super) violations: [Vec<f64>; 2],
    pub(super) suppressed: [Vec<f64>; 2],
    /// Of k-member, then of GreedyCKA with one and two constrained attributes.
    pub(super) il: [Vec<f64>; 3],
    pub(super) seconds: [Vec<f64>; 3],
}

pub(super) fn run(lab: &Lab<'_>, sets: &[Set], best: &Tried) -> Result<Vec<Point>> {
    let point = |&(k, ..): &(u32, [u64; 2], [u64; 2])| {
        (lab.tell)(&format!("004: k = {k}"));
        let mut point = Point {
            k,
            violations: Default::default(),
            suppressed: Default::default(),
            il: Default::default(),
            seconds: Default::default(),
        };
        for set in sets {
            add(lab, set, best, &mut point)?;
        }
        Ok(point)
    };
    PUBLISHED.iter().map(point).collect()
}

fn add(lab: &Lab<'_>, set: &Set, best: &Tried, point: &mut Point) -> Result<()> {
    let limits = [Limit::of_countries(set, best.countries)?, Limit::of_ages(set, best.ages.1)?];
    let job = |algorithm: &str| JobSpec {
        k: Some(point.k),
        algorithm: Some(algorithm.into()),
        keep_order: Some(true),
        ..set.job()
    };
    let free = lab.run(job("k-member"))?;
    point.il[0].push(free.loss.il);
    point.seconds[0].push(free.seconds);
    let released = read_columns(&set.release_file(), &["native-country", "age"])?;
    let mut violations = 0;
    for count in 1..=2 {
        violations += limits[count - 1].violations(&released)?;
        point.violations[count - 1].push(violations as f64);
        let bound = limits[..count].iter().fold(job("greedy-cka"), |job, limit| limit.bind(job));
        let ran = lab.run(bound)?;
        let out = beyond_help(&limits[..count].iter().collect::<Vec<_>>(), point.k);
        if ran.summary.suppressed != out || ran.summary.achieved.boundary_violations != Some(0) {
            return Err(Error::internal("greedy-cka suppressed other rows than those beyond help"));
        }
        point.suppressed[count - 1].push(out as f64);
        point.il[count].push(ran.loss.il);
        point.seconds[count].push(ran.seconds);
    }
    Ok(())
}
