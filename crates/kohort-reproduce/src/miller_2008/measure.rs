//! k-member without boundaries and GreedyCKA within them, at every k and on every sample.

use kohort::{Error, Result};

use super::boundaries::{Limit, beyond_help};
use super::{PUBLISHED, job};
use crate::lab::Lab;
use crate::sets::Set;

/// One k, by sample. Pairs are for one and for two constrained attributes.
pub(super) struct Point {
    pub(super) k: u32,
    pub(super) violations: [Vec<f64>; 2],
    pub(super) suppressed: [Vec<f64>; 2],
    /// Of k-member, then of GreedyCKA with one and two constrained attributes.
    pub(super) il: [Vec<f64>; 3],
    pub(super) seconds: [Vec<f64>; 3],
}

/// A sample, and what is constrained first and second.
pub(super) type Sample = (Set, [Limit; 2]);

pub(super) fn run(lab: &Lab<'_>, samples: &[Sample]) -> Result<Vec<Point>> {
    let point = |&(k, ..): &(u32, [u64; 2], [u64; 2])| {
        (lab.tell)(&format!("004: k = {k}"));
        let mut point = Point {
            k,
            violations: Default::default(),
            suppressed: Default::default(),
            il: Default::default(),
            seconds: Default::default(),
        };
        for (set, limits) in samples {
            add(lab, set, limits, &mut point)?;
        }
        Ok(point)
    };
    PUBLISHED.iter().map(point).collect()
}

fn add(lab: &Lab<'_>, set: &Set, limits: &[Limit; 2], point: &mut Point) -> Result<()> {
    let free = lab.run(job(set, point.k, "k-member"))?;
    point.il[0].push(free.loss.distortion_ratio);
    point.seconds[0].push(free.seconds);
    let released = free.released(&[limits[0].column, limits[1].column])?;
    let mut violations = 0;
    for count in 1..=2 {
        violations += limits[count - 1].violations(&released)?;
        point.violations[count - 1].push(violations as f64);
        let bound =
            limits[..count].iter().fold(job(set, point.k, "greedy-cka"), |job, limit| limit.bind(job));
        let ran = lab.run(bound)?;
        let out = beyond_help(&limits[..count].iter().collect::<Vec<_>>(), point.k);
        if ran.summary.suppressed != out || ran.summary.achieved.boundary_violations != Some(0) {
            return Err(Error::internal("greedy-cka suppressed other rows than those beyond help"));
        }
        point.suppressed[count - 1].push(out as f64);
        point.il[count].push(ran.loss.distortion_ratio);
        point.seconds[count].push(ran.seconds);
    }
    Ok(())
}
