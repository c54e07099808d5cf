//! Which boundaries did the paper have? Figures 6 and 7 are lost, but Tables 1 and 2 tell what they led to.
//!
//! Unconstrained k-member does not depend on boundaries, so one release per k is made, and every pair of boundaries is held against it:
//! cells above the boundary are violations, rows that too few share a boundary with are those that must be suppressed.

use kohort::Result;
use kohort::input::Column;

use super::boundaries::{AGES, Countries, Limit, beyond_help};
use super::{PUBLISHED, job};
use crate::lab::{Lab, each};
use crate::sets::Set;

/// One pair of boundaries.
pub(super) struct Tried {
    pub(super) countries: Countries,
    /// What ages may become at most, and how many steps up that is.
    pub(super) ages: (&'static str, u32),
    /// By k, for one and two constrained attributes.
    pub(super) violations: Vec<[u64; 2]>,
    /// By k, for one and two constrained attributes.
    pub(super) suppressed: Vec<[u64; 2]>,
}

impl Tried {
    /// How far it is from both tables: the mean relative difference in violations, in percent, and the sum of the differences in
    /// suppressed rows.
    pub(super) fn off(&self) -> (f64, u64) {
        let (mut violations, mut rows) = (0.0, 0);
        for ((_, wanted, out), (found, gone)) in
            PUBLISHED.iter().zip(self.violations.iter().zip(&self.suppressed))
        {
            for at in 0..2 {
                violations += (found[at] as f64 / wanted[at] as f64 - 1.0).abs() / 18.0;
                rows += gone[at].abs_diff(out[at]);
            }
        }
        (100.0 * violations, rows)
    }

    /// Both together, in percent: how far violations are off, and the suppressed rows that are off over all of Table 2. Each weighs
    /// as much as the other.
    pub(super) fn score(&self) -> f64 {
        let (violations, rows) = self.off();
        let all: u64 = PUBLISHED.iter().map(|(.., out)| out[1]).sum();
        violations + 100.0 * rows as f64 / all as f64
    }
}

/// All pairs, the best first.
pub(super) fn run(lab: &Lab<'_>, set: &Set) -> Result<Vec<Tried>> {
    (lab.tell)("004: which boundaries fit Tables 1 and 2?");
    let releases = each(&PUBLISHED, |(k, ..)| release(lab, set, *k))?;
    let mut tried = Vec::new();
    for countries in Countries::all() {
        let country = Limit::of_countries(set, countries)?;
        for ages in AGES {
            let age = Limit::of_steps(set, "age", ages.1)?;
            let violations = releases.iter().map(|release| {
                let country = country.violations(release)?;
                Ok([country, country + age.violations(release)?])
            });
            let suppressed = PUBLISHED
                .iter()
                .map(|(k, ..)| [beyond_help(&[&country], *k), beyond_help(&[&country, &age], *k)])
                .collect();
            let violations = violations.collect::<Result<_>>()?;
            tried.push(Tried { countries, ages, violations, suppressed });
        }
    }
    tried.sort_by(|a, b| a.score().total_cmp(&b.score()));
    Ok(tried)
}

/// What k-member makes of the sample at one k.
fn release(lab: &Lab<'_>, set: &Set, k: u32) -> Result<Vec<Column>> {
    let ran = lab.run(job(set, k, "k-member"))?;
    ran.released(&["native-country", "age"])
}
