//! The one lasting condition that troubles people most, by age and sex.

use super::Person;
use crate::generate::random::{Dice, Weights, band};

const AGES: [usize; 5] = [0, 15, 35, 55, 75];

/// By age: none; blood pressure, diabetes, heart; asthma, bronchitis, allergy; back, arthritis; cancer; HIV;
/// depression, anxiety, addiction; migraine, epilepsy, dementia.
const CONDITIONS: [[f64; 17]; 5] = [
    [84.0, 0.0, 0.3, 0.1, 6.0, 0.1, 6.5, 0.0, 0.0, 0.1, 0.02, 0.4, 1.0, 0.0, 0.8, 0.6, 0.0],
    [70.0, 0.8, 0.7, 0.2, 4.5, 0.2, 6.0, 4.0, 0.3, 0.2, 0.25, 4.5, 4.5, 1.5, 3.0, 0.6, 0.0],
    [55.0, 7.0, 3.5, 1.3, 3.5, 0.8, 4.0, 9.0, 2.5, 1.0, 0.4, 5.0, 3.5, 1.8, 2.5, 0.5, 0.0],
    [30.0, 20.0, 9.0, 6.0, 2.5, 3.5, 2.0, 9.0, 9.0, 4.0, 0.2, 3.0, 1.5, 1.0, 0.8, 0.4, 0.4],
    [14.0, 21.0, 10.0, 14.0, 1.5, 5.0, 0.7, 5.0, 14.0, 6.0, 0.03, 2.0, 1.0, 0.3, 0.2, 0.4, 6.0],
];

/// How much more often women have this than people on average; men the other way round.
const WOMEN: [f64; 17] =
    [1.0, 0.97, 0.92, 0.75, 1.05, 0.85, 1.1, 1.05, 1.3, 0.97, 0.45, 1.35, 1.35, 0.5, 1.5, 0.95, 1.15];

/// Draws conditions.
#[derive(Debug)]
pub(super) struct Health(Vec<Weights>);

impl Health {
    pub(super) fn new() -> Self {
        let table = |row: &[f64; 17], sex: usize| {
            let factor = |women: f64| if sex == 1 { women } else { 2.0 - women };
            Weights::new(row.iter().zip(WOMEN).map(|(weight, women)| weight * factor(women)))
        };
        Self(CONDITIONS.iter().flat_map(|row| [table(row, 0), table(row, 1)]).collect())
    }

    /// The number of a condition in its tree.
    pub(super) fn draw(&self, p: &Person, dice: &mut Dice) -> usize {
        self.0[band(p.age, &AGES) * 2 + p.sex].pick(dice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_young_are_well_and_never_demented() {
        let (health, mut dice) = (Health::new(), Dice::new(1, 0));
        let mut well = [0, 0];
        for i in 0..20_000 {
            let young = Person { age: 10 + i % 20, sex: i % 2, ..Person::default() };
            let condition = health.draw(&young, &mut dice);
            assert_ne!(condition, 16);
            well[0] += usize::from(condition == 0);
            well[1] += usize::from(health.draw(&Person { age: 80, ..young }, &mut dice) == 0);
        }
        assert!(well[0] > 3 * well[1], "{well:?}");
    }
}
