//! Whether people work, as what, for whom and how long.

use super::Person;
use crate::generate::random::{Dice, Weights, band};

/// The last value of both trees.
pub(super) const NO_OCCUPATION: usize = 16;
/// The last value of the tree of work classes.
pub(super) const NO_CLASS: usize = 8;

const AGES: [usize; 10] = [0, 16, 18, 22, 25, 55, 60, 65, 70, 80];
/// The band of ages 16 and 17: simple, part-time work only.
const MINORS: usize = 1;

/// The share in work by age, men and women.
const IN_WORK: [[f64; 2]; 10] = [
    [0.0, 0.0],
    [0.2, 0.22],
    [0.5, 0.5],
    [0.7, 0.68],
    [0.86, 0.77],
    [0.77, 0.68],
    [0.54, 0.43],
    [0.18, 0.12],
    [0.07, 0.04],
    [0.01, 0.004],
];

/// The more schooling, the more often in work: factors by tier.
const BY_TIER: [f64; 5] = [0.82, 1.0, 1.05, 1.08, 1.1];

/// By tier of schooling: the sixteen occupations from "Manager" to "Labourer".
const OCCUPATIONS: [[f64; 16]; 5] = [
    [2.0, 0.1, 0.0, 0.0, 0.0, 1.5, 4.0, 11.0, 14.0, 8.0, 1.0, 16.0, 11.0, 8.0, 7.0, 16.0],
    [5.0, 0.6, 0.5, 0.3, 0.6, 7.0, 15.0, 14.0, 11.0, 9.0, 3.5, 14.0, 7.0, 6.0, 3.0, 5.0],
    [8.0, 5.0, 7.0, 3.0, 3.0, 16.0, 15.0, 11.0, 6.0, 8.0, 4.0, 7.0, 3.0, 2.0, 1.5, 1.5],
    [16.0, 14.0, 8.0, 14.0, 11.0, 10.0, 11.0, 7.0, 2.5, 2.0, 2.5, 2.0, 0.6, 0.5, 0.8, 0.5],
    [16.0, 19.0, 16.0, 18.0, 16.0, 6.0, 3.0, 2.0, 0.7, 0.6, 1.0, 0.6, 0.2, 0.2, 0.4, 0.2],
];

/// How much more (or less) often a woman does this than people on average; a man the other way round.
const WOMEN: [f64; 16] = [0.7, 0.5, 1.5, 1.5, 1.0, 0.7, 1.5, 1.2, 1.25, 1.7, 0.35, 0.2, 0.6, 0.15, 0.6, 0.75];

/// What 16-year-olds are not hired for.
const ADULTS_ONLY: [usize; 7] = [0, 1, 2, 3, 4, 10, 13];

/// By occupation: private company, charity, civil service, local authority, public enterprise, business with staff,
/// self-employed alone, unpaid family help.
const CLASSES: [[f64; 8]; 16] = [
    [62.0, 4.0, 6.0, 5.0, 4.0, 16.0, 2.5, 0.5],
    [66.0, 2.0, 9.0, 4.0, 10.0, 3.0, 6.0, 0.0],
    [38.0, 9.0, 10.0, 16.0, 14.0, 5.0, 8.0, 0.0],
    [14.0, 8.0, 28.0, 42.0, 4.0, 1.0, 3.0, 0.0],
    [60.0, 2.0, 12.0, 3.0, 2.0, 9.0, 12.0, 0.0],
    [64.0, 3.0, 7.0, 8.0, 10.0, 2.0, 6.0, 0.0],
    [58.0, 6.0, 13.0, 14.0, 7.0, 0.5, 1.0, 0.5],
    [78.0, 1.0, 0.3, 0.3, 1.0, 7.0, 9.0, 3.4],
    [66.0, 3.0, 1.0, 4.0, 3.0, 6.0, 14.0, 3.0],
    [34.0, 22.0, 3.0, 30.0, 4.0, 1.0, 6.0, 0.0],
    [0.0, 0.0, 73.0, 27.0, 0.0, 0.0, 0.0, 0.0],
    [66.0, 0.5, 1.0, 3.0, 4.0, 7.0, 17.0, 1.5],
    [90.0, 0.5, 0.5, 1.0, 6.0, 0.5, 1.0, 0.5],
    [62.0, 0.5, 1.0, 5.0, 14.0, 2.0, 15.0, 0.5],
    [44.0, 0.5, 0.5, 1.0, 1.0, 9.0, 28.0, 16.0],
    [80.0, 2.0, 1.0, 8.0, 4.0, 0.3, 3.0, 1.7],
];

/// By occupation: the share that works part time and the share with long weeks, before sex and age are considered.
const WEEKS: [[f64; 2]; 16] = [
    [0.06, 0.36],
    [0.08, 0.16],
    [0.26, 0.2],
    [0.26, 0.12],
    [0.1, 0.28],
    [0.14, 0.09],
    [0.27, 0.04],
    [0.33, 0.12],
    [0.4, 0.12],
    [0.4, 0.05],
    [0.05, 0.2],
    [0.09, 0.13],
    [0.08, 0.1],
    [0.14, 0.24],
    [0.2, 0.4],
    [0.3, 0.07],
];

const PART_TIME: &[(usize, f64)] = &[
    (8, 2.0),
    (10, 4.0),
    (12, 4.0),
    (15, 7.0),
    (16, 6.0),
    (18, 5.0),
    (20, 22.0),
    (22, 3.0),
    (24, 9.0),
    (25, 10.0),
    (28, 5.0),
    (30, 16.0),
    (32, 7.0),
];
const FULL_TIME: &[(usize, f64)] =
    &[(35, 8.0), (36, 5.0), (37, 7.0), (38, 13.0), (39, 4.0), (40, 48.0), (42, 5.0), (44, 2.0), (45, 8.0)];
const LONG: &[(usize, f64)] =
    &[(46, 2.0), (48, 9.0), (50, 40.0), (52, 4.0), (55, 13.0), (60, 23.0), (65, 4.0), (70, 4.0), (80, 1.0)];

/// How far someone got at school, in five tiers.
pub(super) fn tier(education: usize) -> usize {
    band(education, &[0, 4, 7, 9, 10])
}

/// Draws a working life.
#[derive(Debug)]
pub(super) struct Work {
    occupation: Vec<Weights>,
    class: Vec<Weights>,
    week: Vec<Weights>,
    hours: [(Vec<usize>, Weights); 3],
}

impl Work {
    pub(super) fn new() -> Self {
        let sexes = 0..2;
        let bands_and_sexes = (0..AGES.len()).flat_map(|band| sexes.clone().map(move |sex| (band, sex)));
        let occupation =
            bands_and_sexes.flat_map(|(b, s)| (0..BY_TIER.len()).map(move |t| occupations(b, s, t)));
        let class = CLASSES.iter().flat_map(|row| [false, true].map(|minor| classes(row, minor)));
        let week = WEEKS.iter().flat_map(|row| (0..6).map(move |i| weeks(row, i / 3, i % 3)));
        Self {
            occupation: occupation.collect(),
            class: class.collect(),
            week: week.collect(),
            hours: [PART_TIME, FULL_TIME, LONG]
                .map(|hours| (hours.iter().map(|h| h.0).collect(), Weights::new(hours.iter().map(|h| h.1)))),
        }
    }

    /// Occupation by age, sex and schooling; class by occupation; hours by all of these.
    pub(super) fn draw(&self, person: &mut Person, dice: &mut Dice) {
        let age = band(person.age, &AGES);
        let life = (age * 2 + person.sex) * BY_TIER.len() + tier(person.education);
        person.occupation = self.occupation[life].pick(dice);
        if person.occupation == NO_OCCUPATION {
            (person.work_class, person.hours) = (NO_CLASS, 0);
            return;
        }
        person.work_class = self.class[person.occupation * 2 + usize::from(age == MINORS)].pick(dice);
        let stage = if age == MINORS { 0 } else { band(person.age, &[0, 22, 65]) };
        let week = if age == MINORS {
            0
        } else {
            self.week[person.occupation * 6 + person.sex * 3 + stage].pick(dice)
        };
        let (hours, weights) = &self.hours[week];
        person.hours = hours[weights.pick(dice)];
    }
}

/// Sixteen occupations and "Not in work".
fn occupations(age: usize, sex: usize, tier: usize) -> Weights {
    let in_work = (IN_WORK[age][sex] * BY_TIER[tier]).min(0.97);
    let mut weights: Vec<f64> = OCCUPATIONS[tier]
        .iter()
        .zip(WOMEN)
        .map(|(weight, women)| weight * if sex == 1 { women } else { 2.0 - women })
        .collect();
    if age == MINORS {
        for occupation in ADULTS_ONLY {
            weights[occupation] = 0.0;
        }
    }
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight *= in_work / sum;
    }
    weights.push(1.0 - in_work);
    Weights::new(weights)
}

/// Minors are employed in private, in charities or at home. Occupations closed to them keep their row: it is not used.
fn classes(row: &[f64; 8], minor: bool) -> Weights {
    let open = [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let usable = !minor || row.iter().zip(open).all(|(w, o)| w * o == 0.0);
    Weights::new(row.iter().zip(open).map(|(&w, o)| if usable { w } else { w * o }))
}

/// Part time, full time, long: women more part time, the young and those past 65 much more.
fn weeks(row: &[f64; 2], sex: usize, stage: usize) -> Weights {
    let part = (row[0] * [0.45, 1.6][sex] + [0.3, 0.0, 0.4][stage]).min(0.9);
    let long = row[1] * [1.25, 0.6][sex] * (1.0 - part);
    Weights::new([part, 1.0 - part - long, long])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_do_not_work_and_minors_only_part_time() {
        let (work, mut dice) = (Work::new(), Dice::new(1, 0));
        for i in 0..40_000 {
            let mut p = Person { age: i % 18, sex: i % 2, education: 3, ..Person::default() };
            work.draw(&mut p, &mut dice);
            assert!(p.age >= 16 || p.occupation == NO_OCCUPATION);
            assert!(p.hours <= 32 && !ADULTS_ONLY.contains(&p.occupation));
            assert_eq!(p.occupation == NO_OCCUPATION, p.work_class == NO_CLASS);
            assert_eq!(p.occupation == NO_OCCUPATION, p.hours == 0);
        }
    }

    #[test]
    fn schooling_decides_who_becomes_an_expert() {
        let (work, mut dice) = (Work::new(), Dice::new(1, 0));
        let mut expert = |education| {
            let experts = (0..20_000).filter(|i| {
                let mut p = Person { age: 40, sex: i % 2, education, ..Person::default() };
                work.draw(&mut p, &mut dice);
                (1..=4).contains(&p.occupation)
            });
            experts.count()
        };
        assert!(expert(12) > 20 * expert(3));
    }

    #[test]
    fn tiers_follow_the_tree_of_schooling() {
        assert_eq!([0, 3, 4, 6, 7, 8, 9, 10, 12].map(tier), [0, 0, 1, 1, 2, 2, 3, 4, 4]);
    }
}
