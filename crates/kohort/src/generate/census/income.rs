//! What people earn in a year.

use super::Person;
use super::work::{NO_OCCUPATION, tier};
use crate::generate::random::{Dice, Weights, noise};

/// Pay per hour by occupation, from "Manager" to "Labourer".
const PAY: [f64; 16] =
    [34.0, 31.0, 32.0, 25.0, 33.0, 23.0, 18.0, 15.5, 13.5, 14.5, 22.0, 18.5, 17.0, 16.5, 13.0, 13.0];
const BY_TIER: [f64; 5] = [0.85, 0.95, 1.05, 1.2, 1.4];
/// Experience pays until about fifty: by age in tens.
const BY_AGE: [f64; 10] = [0.5, 0.55, 0.82, 1.0, 1.12, 1.16, 1.1, 0.95, 0.9, 0.9];
const BY_SEX: [f64; 2] = [1.04, 0.94];
/// By class of work, from "Private company" to "Unpaid family help".
const BY_CLASS: [f64; 8] = [1.0, 0.88, 1.02, 0.97, 1.05, 1.35, 0.9, 0.0];
const WEEKS_PAID: f64 = 51.0;
/// A pension at 65 by tier of schooling.
const PENSION: [f64; 5] = [11_000.0, 15_000.0, 18_500.0, 23_000.0, 29_000.0];
/// What an adult without work may live on: nothing of their own, or a benefit.
const BENEFIT: [f64; 4] = [0.0, 5_200.0, 8_600.0, 12_400.0];

/// Draws incomes.
#[derive(Debug)]
pub(super) struct Income {
    pay: Vec<f64>,
    small: Vec<f64>,
    benefit: Weights,
}

impl Income {
    pub(super) fn new() -> Self {
        Self { pay: noise(0.32), small: noise(0.12), benefit: Weights::new([30.0, 20.0, 30.0, 20.0]) }
    }

    /// A year's income in whole hundreds.
    pub(super) fn draw(&self, p: &Person, dice: &mut Dice) -> i64 {
        let factors = if p.occupation == NO_OCCUPATION { &self.small } else { &self.pay };
        let luck = factors[dice.below(factors.len() as u32) as usize];
        let yearly = match p {
            Person { occupation: NO_OCCUPATION, age: 0..18, .. } => 0.0,
            Person { occupation: NO_OCCUPATION, age: 18..65, .. } => BENEFIT[self.benefit.pick(dice)],
            Person { occupation: NO_OCCUPATION, .. } => PENSION[tier(p.education)],
            _ => earned(p),
        };
        (yearly * luck / 100.0).round() as i64 * 100
    }
}

fn earned(p: &Person) -> f64 {
    let person = BY_TIER[tier(p.education)] * BY_AGE[p.age / 10] * BY_SEX[p.sex];
    PAY[p.occupation] * person * BY_CLASS[p.work_class] * p.hours as f64 * WEEKS_PAID
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(p: Person) -> f64 {
        let (income, mut dice) = (Income::new(), Dice::new(1, 0));
        (0..4000).map(|_| income.draw(&p, &mut dice) as f64).sum::<f64>() / 4000.0
    }

    #[test]
    fn schooling_hours_and_experience_pay() {
        let base = Person { age: 45, education: 5, occupation: 6, hours: 40, ..Person::default() };
        assert!(mean(Person { education: 9, ..base }) > 1.15 * mean(base));
        assert!(mean(Person { hours: 20, ..base }) < 0.55 * mean(base));
        assert!(mean(Person { age: 24, ..base }) < 0.8 * mean(base));
    }

    #[test]
    fn children_and_unpaid_helpers_earn_nothing() {
        assert!(mean(Person { age: 9, occupation: NO_OCCUPATION, ..Person::default() }) < 1.0);
        assert!(
            mean(Person { age: 30, occupation: 14, work_class: 7, hours: 40, ..Person::default() }) < 1.0
        );
    }
}
