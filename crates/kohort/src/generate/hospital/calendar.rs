//! Days of birth and admission that agree with the age.

use super::diagnosis::Case;
use crate::generate::random::{Dice, Weights};

/// 2022-01-01 as days since 1970-01-01.
const FIRST_DAY: i32 = 18_993;
/// Three years, the last one a leap year.
const DAYS: i32 = 365 + 365 + 366;

/// Draws days.
#[derive(Debug)]
pub(super) struct Calendar(Weights);

impl Calendar {
    pub(super) fn new() -> Self {
        Self(Weights::new((0..DAYS).map(|day| weekday(FIRST_DAY + day) * season(day))))
    }

    /// The day of birth and the day of admission.
    pub(super) fn draw(&self, case: &Case, dice: &mut Dice) -> (i32, i32) {
        let admission = FIRST_DAY + (self.0.pick(dice) as u32).cast_signed();
        // Any `age` years in a row have at most ceil(age / 4) leap days, and the next birthday is at least 364 days
        // further on than that count reaches: 0..=363 days more never change the age.
        let age = (case.age as u32).cast_signed();
        let since_birthday = dice.below(if case.newborn() { 28 } else { 364 }).cast_signed();
        (admission - 365 * age - (age + 3) / 4 - since_birthday, admission)
    }
}

/// Fewer are admitted at weekends. Day 0 was a Thursday.
fn weekday(day: i32) -> f64 {
    [1.25, 1.15, 1.1, 1.05, 0.95, 0.7, 0.75][((day + 3) % 7) as usize]
}

/// A little more in winter: a straight line down to midsummer and up again.
fn season(day: i32) -> f64 {
    1.1 - 0.2 * (1.0 - f64::from((day % 365 - 182).abs()) / 182.0)
}

#[cfg(test)]
mod tests {
    use chrono::{Datelike, NaiveDate, TimeDelta};

    use super::super::chapters::CHAPTERS;
    use super::*;

    fn date(day: i32) -> NaiveDate {
        NaiveDate::from_ymd_opt(1970, 1, 1).unwrap() + TimeDelta::days(i64::from(day))
    }

    #[test]
    fn the_age_at_admission_is_the_age_asked_for() {
        let (calendar, mut dice) = (Calendar::new(), Dice::new(1, 0));
        assert_eq!(date(FIRST_DAY), NaiveDate::from_ymd_opt(2022, 1, 1).unwrap());
        for i in 0..50_000 {
            let case = Case { age: i % 100, sex: 0, diagnosis: &CHAPTERS[0].diagnoses[0] };
            let (birth, admission) = calendar.draw(&case, &mut dice);
            let (birth, admission) = (date(birth), date(admission));
            assert_eq!(admission.years_since(birth), Some(case.age as u32), "{birth} {admission}");
            assert!((2022..=2024).contains(&admission.year()));
        }
    }

    #[test]
    fn weekends_are_quiet() {
        assert!(weekday(2) < weekday(4), "1970-01-03 was a Saturday");
        assert!(season(0) > season(182) && season(364) > season(182));
    }
}
