//! The people of an invented country, one row each.
//!
//! Columns fit together the way real ones do: age and sex first, then origin, family, schooling and place, then work
//! given schooling, then hours, income and health. Every step draws from a table chosen by the steps before it, and
//! all tables are made before the first row.

mod health;
mod income;
mod origin;
mod people;
mod trees;
mod work;

use super::random::Dice;
use super::rows::Sampler;
use super::sheet::{Cell, Sheet};
use super::{ColumnInfo, Kind, places};
use crate::data::Hierarchy;
use crate::error::Result;

use health::Health;
use income::Income;
use origin::Origin;
use people::People;
use trees::Labels;
use work::Work;

/// The schema of the table.
pub(super) const COLUMNS: &[ColumnInfo] = &[
    ColumnInfo::id("person_id", Kind::Integer),
    ColumnInfo::qi("age", Kind::Integer),
    ColumnInfo::qi("sex", Kind::Category),
    ColumnInfo::qi("ethnic_group", Kind::Category),
    ColumnInfo::qi("marital_status", Kind::Category),
    ColumnInfo::qi("education", Kind::Category),
    ColumnInfo::qi("birth_country", Kind::Category),
    ColumnInfo::qi("work_class", Kind::Category),
    ColumnInfo::qi("occupation", Kind::Category),
    ColumnInfo::kept("hours_per_week", Kind::Integer),
    ColumnInfo::qi("postcode", Kind::Category),
    ColumnInfo::sensitive("income", Kind::Integer),
    ColumnInfo::sensitive("health_condition", Kind::Category),
];

/// One tree per category column, in the order of the columns.
pub(super) fn hierarchies() -> Result<Vec<Hierarchy>> {
    let mut all: Vec<Hierarchy> = trees::before_postcode()?;
    all.push(places::hierarchy("postcode")?);
    all.push(trees::health()?);
    Ok(all)
}

/// A person as numbers: places in the trees of `trees.rs`.
#[derive(Debug, Clone, Copy, Default)]
struct Person {
    age: usize,
    sex: usize,
    ethnic_group: usize,
    birth_country: usize,
    place: usize,
    marital_status: usize,
    education: usize,
    occupation: usize,
    work_class: usize,
    hours: usize,
}

/// Draws people.
#[derive(Debug)]
pub(super) struct Census {
    people: People,
    origin: Origin,
    work: Work,
    income: Income,
    health: Health,
    labels: Labels,
    postcodes: Vec<String>,
}

impl Census {
    pub(super) fn new() -> Self {
        Self {
            people: People::new(),
            origin: Origin::new(),
            work: Work::new(),
            income: Income::new(),
            health: Health::new(),
            labels: Labels::new(),
            postcodes: places::places().into_iter().map(|p| p.code).collect(),
        }
    }

    fn person(&self, dice: &mut Dice) -> Person {
        let mut person = Person::default();
        self.people.born(&mut person, dice);
        self.origin.draw(&mut person, dice);
        self.people.grown(&mut person, dice);
        self.work.draw(&mut person, dice);
        person
    }
}

impl Sampler for Census {
    fn row(&self, row: u64, dice: &mut Dice, sheet: &mut Sheet) {
        let p = self.person(dice);
        let (income, health) = (self.income.draw(&p, dice), self.health.draw(&p, dice));
        let l = &self.labels;
        sheet.push([
            Cell::Number(row.cast_signed() + 1),
            Cell::count(p.age),
            Cell::Word(l.sex[p.sex]),
            Cell::Word(l.ethnic_group[p.ethnic_group]),
            Cell::Word(l.marital_status[p.marital_status]),
            Cell::Word(l.education[p.education]),
            Cell::Word(l.birth_country[p.birth_country]),
            Cell::Word(l.work_class[p.work_class]),
            Cell::Word(l.occupation[p.occupation]),
            Cell::count(p.hours),
            Cell::Word(&self.postcodes[p.place]),
            Cell::Number(income),
            Cell::Word(l.health_condition[health]),
        ]);
    }
}

#[cfg(test)]
mod tests;
