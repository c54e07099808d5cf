//! Admissions to an invented hospital, one row each.
//!
//! Who comes depends on age and sex, with what on both, and ward, procedure, stay and cost follow from that. Dates
//! agree: the age at admission is the one everything else was drawn for.

mod calendar;
mod chapters;
mod diagnosis;
mod names;
mod stay;
mod trees;

use super::random::{Dice, Weights};
use super::rows::Sampler;
use super::sheet::{Cell, Sheet};
use super::{ColumnInfo, Kind, places};
use crate::data::Hierarchy;
use crate::error::Result;

use calendar::Calendar;
use diagnosis::Illness;
use stay::Stays;

/// The schema of the table.
pub(super) const COLUMNS: &[ColumnInfo] = &[
    ColumnInfo::id("patient_id", Kind::Integer),
    ColumnInfo::id("name", Kind::Text),
    ColumnInfo::qi("birth_date", Kind::Date),
    ColumnInfo::qi("sex", Kind::Category),
    ColumnInfo::qi("postcode", Kind::Category),
    ColumnInfo::qi("admission_date", Kind::Date),
    ColumnInfo::kept("ward", Kind::Category),
    ColumnInfo::kept("length_of_stay", Kind::Integer),
    ColumnInfo::sensitive("diagnosis", Kind::Category),
    ColumnInfo::sensitive("procedure", Kind::Category),
    ColumnInfo::sensitive("cost", Kind::Integer),
];

/// One admission in this many has no postcode.
const POSTCODE_MISSING: u32 = 100;

/// One tree per category column, in the order of the columns.
pub(super) fn hierarchies() -> Result<Vec<Hierarchy>> {
    Ok(vec![
        trees::sex()?,
        places::hierarchy("postcode")?,
        trees::ward()?,
        trees::diagnosis()?,
        trees::procedure()?,
    ])
}

/// Draws admissions.
#[derive(Debug)]
pub(super) struct Hospital {
    illness: Illness,
    calendar: Calendar,
    stays: Stays,
    homes: Weights,
    postcodes: Vec<String>,
    sexes: Vec<&'static str>,
}

impl Hospital {
    pub(super) fn new() -> Self {
        let places = places::places();
        Self {
            illness: Illness::new(),
            calendar: Calendar::new(),
            stays: Stays::new(),
            homes: Weights::new(places.iter().map(|p| p.people * near(p.area_number))),
            postcodes: places.into_iter().map(|p| p.code).collect(),
            sexes: trees::sexes(),
        }
    }

    fn postcode(&self, dice: &mut Dice) -> Cell<'_> {
        let home = self.homes.pick(dice);
        if dice.below(POSTCODE_MISSING) == 0 { Cell::Missing } else { Cell::Word(&self.postcodes[home]) }
    }
}

/// People go to the hospital nearby: it stands in the first region, next to the second.
fn near(area: usize) -> f64 {
    match area {
        0..9 => 6.0,
        9..16 => 2.0,
        _ => 0.3,
    }
}

impl Sampler for Hospital {
    fn row(&self, row: u64, dice: &mut Dice, sheet: &mut Sheet) {
        let case = self.illness.draw(dice);
        let (birth, admission) = self.calendar.draw(&case, dice);
        let (given, family) = names::draw(case.sex, dice);
        let stay = self.stays.draw(&case, dice);
        sheet.push([
            Cell::Number(row.cast_signed() + 100_001),
            Cell::Words(given, family),
            Cell::Day(birth),
            Cell::Word(self.sexes[case.sex]),
            self.postcode(dice),
            Cell::Day(admission),
            Cell::Word(stay.ward),
            Cell::Number(stay.days),
            Cell::Word(case.diagnosis.label),
            Cell::Word(stay.procedure),
            Cell::Number(stay.cost),
        ]);
    }
}

#[cfg(test)]
mod tests;
