//! Where the patient lies, what is done, how long it takes and what it costs.

use super::diagnosis::Case;
use super::trees::Ward;
use crate::generate::random::{Dice, noise};

/// The longest stay.
const MOST_DAYS: i64 = 180;

/// A stay.
#[derive(Debug)]
pub(super) struct Stay {
    pub(super) ward: &'static str,
    pub(super) procedure: &'static str,
    pub(super) days: i64,
    pub(super) cost: i64,
}

/// Draws stays.
#[derive(Debug)]
pub(super) struct Stays {
    length: Vec<f64>,
    price: Vec<f64>,
}

impl Stays {
    pub(super) fn new() -> Self {
        Self { length: noise(0.55), price: noise(0.15) }
    }

    pub(super) fn draw(&self, case: &Case, dice: &mut Dice) -> Stay {
        let ward = ward(case, dice);
        let procedure = procedure(case.diagnosis.procedures, dice);
        let days = f64::from(case.diagnosis.days) * slowness(case.age, ward) * one_of(&self.length, dice);
        let days = (days.round() as i64).clamp(1, MOST_DAYS);
        let cost = (days as f64 * per_day(ward) + price(procedure)) * one_of(&self.price, dice);
        Stay { ward: ward.label(), procedure, days, cost: (cost / 10.0).round() as i64 * 10 }
    }
}

fn one_of(factors: &[f64], dice: &mut Dice) -> f64 {
    factors[dice.below(factors.len() as u32) as usize]
}

/// Children lie with children, some of the very old in geriatrics, one adult in twenty-five in intensive care.
fn ward(case: &Case, dice: &mut Dice) -> Ward {
    let chance = dice.below(100);
    match (case.diagnosis.ward, case.age) {
        (own @ (Ward::Obstetrics | Ward::Neonatal), _) => own,
        (_, 0..16) => Ward::Paediatrics,
        (Ward::Psychiatry, _) => Ward::Psychiatry,
        _ if chance < 4 => Ward::IntensiveCare,
        (Ward::Internal | Ward::Heart | Ward::Nerves, 80..) if chance < 34 => Ward::Geriatrics,
        (own, _) => own,
    }
}

/// The first of the list in 60 of 100 cases, else any of them.
fn procedure(choice: &[&'static str], dice: &mut Dice) -> &'static str {
    let chance = dice.below(100);
    let other = (chance.saturating_sub(60) as usize * choice.len()) / 40;
    choice[other]
}

/// The old recover slowly, the young fast, the very ill slowly.
fn slowness(age: usize, ward: Ward) -> f64 {
    let by_age = match age {
        1..31 => 0.8,
        65..80 => 1.1,
        80.. => 1.3,
        _ => 1.0,
    };
    if ward == Ward::IntensiveCare { by_age * 1.6 } else { by_age }
}

fn per_day(ward: Ward) -> f64 {
    match ward {
        Ward::IntensiveCare => 2100.0,
        Ward::Neonatal => 1200.0,
        Ward::Psychiatry => 380.0,
        Ward::Geriatrics => 450.0,
        Ward::Surgery | Ward::Trauma | Ward::Heart => 690.0,
        _ => 560.0,
    }
}

fn price(procedure: &str) -> f64 {
    match procedure {
        "None" => 0.0,
        "Bypass operation" => 14_500.0,
        "Hip replacement" | "Knee replacement" | "Pacemaker" | "Clot removal" => 6_800.0,
        "Bowel operation" | "Vessel operation" | "Prostate operation" | "Womb operation" => 4_900.0,
        "Chemotherapy" | "Radiotherapy" | "Ventilation" | "Incubator care" => 3_900.0,
        p if p.ends_with("removal") || p.ends_with("operation") || p.ends_with("fixation") => 2_600.0,
        "Heart catheter" | "Caesarean section" | "Dialysis" | "Hernia repair" => 2_200.0,
        _ => 350.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::chapters::CHAPTERS;
    use super::*;

    #[test]
    fn every_procedure_of_a_list_is_drawn_and_the_first_most() {
        let (choice, mut dice, mut seen) = (["a", "b", "c"], Dice::new(1, 0), [0; 3]);
        for _ in 0..10_000 {
            let drawn = procedure(&choice, &mut dice);
            seen[choice.iter().position(|c| *c == drawn).unwrap()] += 1;
        }
        assert!(seen[0] > 6000 && seen[1] > 800 && seen[2] > 800, "{seen:?}");
    }

    #[test]
    fn stays_are_sane() {
        let (stays, mut dice) = (Stays::new(), Dice::new(1, 0));
        for (i, diagnosis) in CHAPTERS.iter().flat_map(|c| c.diagnoses).cycle().take(20_000).enumerate() {
            let stay = stays.draw(&Case { age: i % 100, sex: 1, diagnosis }, &mut dice);
            assert!((1..=MOST_DAYS).contains(&stay.days) && stay.cost > 100 && stay.cost % 10 == 0);
        }
    }
}
