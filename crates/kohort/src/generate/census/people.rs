//! Age and sex, family and schooling.

use super::Person;
use crate::generate::random::{Dice, Weights, band};

/// People per year of age at 0, 10, …, 100, straight lines between: few children, a broad middle, a thin top.
const PYRAMID: [f64; 11] = [1.0, 1.08, 1.15, 1.38, 1.3, 1.42, 1.22, 0.92, 0.46, 0.1, 0.0];

/// The share of women at the same ages: fewer at birth, more in old age.
const WOMEN: [f64; 11] = [0.487, 0.488, 0.489, 0.495, 0.5, 0.502, 0.51, 0.53, 0.58, 0.67, 0.75];

const MARITAL_AGES: [usize; 10] = [0, 18, 20, 25, 30, 40, 50, 60, 70, 80];

/// By age: single, married, registered, living together, living apart, divorced, widowed. Nobody has a partner
/// before 18.
const MARITAL: [[f64; 7]; 10] = [
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [95.0, 0.8, 0.1, 4.0, 0.1, 0.0, 0.0],
    [74.0, 7.0, 0.5, 18.0, 0.3, 0.2, 0.0],
    [47.0, 24.0, 1.2, 25.0, 1.4, 1.3, 0.1],
    [25.0, 48.0, 1.5, 17.0, 3.0, 5.2, 0.3],
    [15.0, 57.0, 1.2, 9.5, 4.0, 12.0, 1.3],
    [10.0, 61.0, 0.8, 6.0, 3.2, 16.0, 3.0],
    [7.0, 64.0, 0.5, 3.5, 2.2, 14.5, 8.3],
    [5.0, 60.0, 0.3, 1.8, 1.2, 9.7, 22.0],
    [5.0, 40.0, 0.1, 0.7, 0.6, 5.0, 48.6],
];

/// Men die earlier and marry later: factors on the row above for men and women.
const MARITAL_BY_SEX: [[f64; 7]; 2] =
    [[1.12, 1.0, 1.1, 1.0, 1.0, 0.9, 0.5], [0.88, 1.0, 0.9, 1.0, 1.0, 1.1, 1.6]];

const SCHOOL_AGES: [usize; 12] = [0, 6, 12, 15, 18, 20, 22, 25, 28, 40, 55, 70];

/// By age: thirteen levels from "No schooling" to "Doctoral degree". The young are still at it, the old had less of it.
const SCHOOL: [[f64; 13]; 12] = [
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [1.5, 98.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.3, 8.0, 88.0, 3.7, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.2, 0.5, 9.0, 48.0, 41.0, 1.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.3, 0.4, 3.0, 12.0, 28.0, 42.0, 14.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.3, 0.4, 2.0, 10.0, 10.0, 47.0, 20.0, 6.0, 4.3, 0.0, 0.0, 0.0, 0.0],
    [0.3, 0.4, 2.0, 8.0, 6.0, 31.0, 20.0, 7.0, 10.0, 15.3, 0.0, 0.0, 0.0],
    [0.3, 0.5, 2.0, 7.0, 5.0, 19.0, 18.0, 8.0, 11.0, 21.0, 7.5, 0.7, 0.0],
    [0.4, 0.6, 2.0, 6.0, 5.0, 16.0, 18.0, 8.0, 11.0, 20.0, 9.0, 2.5, 1.5],
    [0.6, 1.0, 3.0, 8.0, 6.0, 18.0, 21.0, 8.0, 10.0, 14.0, 7.0, 2.0, 1.4],
    [1.0, 2.0, 6.0, 12.0, 7.0, 18.0, 23.0, 7.0, 8.0, 9.0, 4.5, 1.5, 1.0],
    [3.0, 5.0, 15.0, 18.0, 7.0, 15.0, 20.0, 5.0, 4.0, 5.0, 2.0, 0.7, 0.3],
];

/// Born abroad means more often little schooling, and more often a great deal of it.
const SCHOOL_ABROAD: [f64; 13] = [3.0, 3.0, 2.0, 1.2, 1.0, 0.9, 0.6, 0.6, 0.8, 1.1, 1.5, 1.3, 1.8];

/// Draws what a person is born with, and what became of it.
#[derive(Debug)]
pub(super) struct People {
    age_and_sex: Weights,
    marital: Vec<Weights>,
    school: Vec<Weights>,
}

impl People {
    pub(super) fn new() -> Self {
        let product = |a: &[f64], b: &[f64]| Weights::new(a.iter().zip(b).map(|(a, b)| a * b));
        let marital = MARITAL.iter().flat_map(|row| MARITAL_BY_SEX.iter().map(move |sex| product(row, sex)));
        let school =
            SCHOOL.iter().flat_map(|row| [[1.0; 13], SCHOOL_ABROAD].map(|abroad| product(row, &abroad)));
        let age_and_sex = (0..100).flat_map(|age| {
            let (people, women) = (between(&PYRAMID, age), between(&WOMEN, age));
            [people * (1.0 - women), people * women]
        });
        Self { age_and_sex: Weights::new(age_and_sex), marital: marital.collect(), school: school.collect() }
    }

    /// Age and sex.
    pub(super) fn born(&self, person: &mut Person, dice: &mut Dice) {
        let drawn = self.age_and_sex.pick(dice);
        (person.age, person.sex) = (drawn / 2, drawn % 2);
    }

    /// Family and schooling, once age, sex and origin are known.
    pub(super) fn grown(&self, person: &mut Person, dice: &mut Dice) {
        let abroad = usize::from(person.birth_country != 0);
        person.marital_status = self.marital[band(person.age, &MARITAL_AGES) * 2 + person.sex].pick(dice);
        person.education = self.school[band(person.age, &SCHOOL_AGES) * 2 + abroad].pick(dice);
    }
}

/// The value at an age on the straight lines through `points`, ten years apart.
fn between(points: &[f64; 11], age: usize) -> f64 {
    let (before, years) = (points[age / 10], (age % 10) as f64);
    before + (points[age / 10 + 1] - before) * years / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_between_points() {
        assert!((between(&PYRAMID, 0) - 1.0).abs() < 1e-12);
        assert!((between(&PYRAMID, 5) - 1.04).abs() < 1e-12);
        assert!(between(&PYRAMID, 99) > 0.0);
    }

    #[test]
    fn widows_outnumber_widowers_and_children_are_single() {
        let (people, mut dice) = (People::new(), Dice::new(1, 0));
        let mut widowed = [0, 0];
        for _ in 0..50_000 {
            let mut p = Person::default();
            people.born(&mut p, &mut dice);
            people.grown(&mut p, &mut dice);
            assert!(p.age >= 18 || p.marital_status == 0);
            assert!(p.age >= 28 || p.education < 12, "a doctorate at {}", p.age);
            widowed[p.sex] += usize::from(p.marital_status == 6);
        }
        assert!(widowed[1] > 2 * widowed[0], "{widowed:?}");
    }
}
