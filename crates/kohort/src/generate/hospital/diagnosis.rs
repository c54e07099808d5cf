//! Who comes, and with what.

use super::chapters::{CHAPTERS, Diagnosis};
use super::trees::Ward;
use crate::generate::random::{Dice, Weights, band};

/// The ages of [`Diagnosis::ages`]; mothers are 16 to 48.
const AGES: [usize; 7] = [0, 1, 16, 31, 49, 65, 80];
/// The first age nobody has.
const END: usize = 100;

/// Admissions by age, men and women: young women come to give birth, old women outnumber old men.
const ADMISSIONS: [[f64; 2]; 7] =
    [[4.0, 3.4], [4.5, 3.8], [4.0, 9.5], [6.5, 10.0], [12.0, 10.0], [15.0, 13.5], [8.0, 12.0]];

/// A patient and what is wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    /// In whole years on the day of admission.
    pub(super) age: usize,
    /// 0 male, 1 female.
    pub(super) sex: usize,
    pub(super) diagnosis: &'static Diagnosis,
}

impl Case {
    /// Whether this is a child of the last four weeks.
    pub(super) fn newborn(&self) -> bool {
        self.diagnosis.ward == Ward::Neonatal
    }
}

/// Draws cases.
#[derive(Debug)]
pub(super) struct Illness {
    age_and_sex: Weights,
    all: Vec<&'static Diagnosis>,
    by_age_and_sex: Vec<Weights>,
}

impl Illness {
    pub(super) fn new() -> Self {
        let all: Vec<_> = CHAPTERS.iter().flat_map(|c| c.diagnoses).collect();
        let pairs = (0..AGES.len()).flat_map(|age| [(age, 0), (age, 1)]);
        let by_age_and_sex = pairs.map(|(age, sex)| Weights::new(all.iter().map(|d| frequency(d, age, sex))));
        Self { by_age_and_sex: by_age_and_sex.collect(), age_and_sex: Weights::new(arrivals()), all }
    }

    /// Age and sex, then a diagnosis that fits them.
    pub(super) fn draw(&self, dice: &mut Dice) -> Case {
        let drawn = self.age_and_sex.pick(dice);
        let (age, sex) = (drawn / 2, drawn % 2);
        let diagnosis = self.by_age_and_sex[band(age, &AGES) * 2 + sex].pick(dice);
        Case { age, sex, diagnosis: self.all[diagnosis] }
    }
}

fn frequency(d: &Diagnosis, age: usize, sex: usize) -> f64 {
    f64::from(d.ages[age]) * f64::from(if sex == 1 { d.women } else { 100 - d.women })
}

/// Admissions per year of age and sex. Within a band they are spread evenly, except that few pass ninety.
fn arrivals() -> Vec<f64> {
    let mut weights = Vec::with_capacity(2 * END);
    for age in 0..END {
        let b = band(age, &AGES);
        let years = AGES.get(b + 1).unwrap_or(&END) - AGES[b];
        let thinning = if age < 90 { 1.0 } else { (END - age) as f64 / 12.0 };
        weights.extend(ADMISSIONS[b].map(|share| share / years as f64 * thinning));
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnoses_fit_age_and_sex() {
        let (illness, mut dice) = (Illness::new(), Dice::new(1, 0));
        for _ in 0..100_000 {
            let case = illness.draw(&mut dice);
            let (label, age) = (case.diagnosis.label, case.age);
            assert!(!label.starts_with('O') || case.sex == 1 && (16..=48).contains(&age), "{label} at {age}");
            assert!(!label.starts_with('P') || age == 0, "{label} at {age}");
            assert!(!label.contains("rostate") || case.sex == 0 && age >= 31, "{label} at {age}");
            assert!(!label.contains("Alzheimer") || age >= 49, "{label} at {age}");
        }
    }
}
