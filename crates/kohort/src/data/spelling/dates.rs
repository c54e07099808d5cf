//! What comes first in the dates of a column, days or months.

use super::{Alone, Unclear};
use crate::data::calendar::{Form, Written, day_text};

/// How the dates of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dates {
    /// Whether months come first in dates with slashes, and with dashes.
    months_first: [bool; 2],
    /// Whether eight digits are a date.
    compact: bool,
    /// Which forms occur, as bits.
    forms: u8,
}

/// What the dates of one of the two forms tell that leave a choice.
#[derive(Default)]
struct Told {
    /// A text that can only have days first, or months.
    days: Option<usize>,
    months: Option<usize>,
    /// One for which it makes a difference.
    differs: Option<usize>,
}

impl Told {
    fn see(&mut self, at: usize, written: &Written) {
        match (written.day(false), written.day(true)) {
            (Some(_), None) => self.days = self.days.or(Some(at)),
            (None, Some(_)) => self.months = self.months.or(Some(at)),
            (a, b) if a != b => self.differs = self.differs.or(Some(at)),
            _ => {}
        }
    }

    /// Whether months come first.
    fn decided(&self) -> Result<bool, Unclear> {
        match (self.days, self.months, self.differs) {
            (Some(days), Some(months), _) => Err(Unclear::DayAndMonth(days, months)),
            (None, None, Some(at)) => Err(Unclear::DayOrMonth(at)),
            (days, months, _) => Ok(days.is_none() && months.is_some()),
        }
    }
}

impl Dates {
    /// How all these texts are written; none where some are no dates. Eight digits are one only if `compact`.
    pub(super) fn of(texts: &[String], compact: bool) -> Result<Option<Self>, Unclear> {
        let mut told = [Told::default(), Told::default()];
        let mut forms = 0;
        for (at, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let Some(written) = read(text, compact) else { return Ok(None) };
            forms |= 1 << written.form as u8;
            if let Some(choice) = choice(written.form) {
                told[choice].see(at, &written);
            }
        }
        if forms == 0 {
            return Ok(None);
        }
        let [slashes, dashes] = told;
        Ok(Some(Self { months_first: [slashes.decided()?, dashes.decided()?], compact, forms }))
    }

    /// The ISO text of a date.
    pub(super) fn meaning(self, text: &str) -> Option<String> {
        let written = read(text, self.compact)?;
        let months_first = choice(written.form).is_some_and(|choice| self.months_first[choice]);
        shown(&written, written.day(months_first)?)
    }

    /// In how many ways they are written.
    pub(super) fn forms(self) -> usize {
        self.forms.count_ones() as usize
    }
}

/// Which of the two forms that leave a choice it is.
fn choice(form: Form) -> Option<usize> {
    match form {
        Form::Slashes => Some(0),
        Form::Dashes => Some(1),
        Form::Iso | Form::YearFirst | Form::Compact | Form::Points | Form::Named => None,
    }
}

fn read(text: &str, compact: bool) -> Option<Written> {
    let is_date = |w: &Written| compact || w.form != Form::Compact || w.time.is_some();
    let written = Written::read(text).filter(is_date)?;
    // A time of day that cannot be, on either day, is none.
    [false, true].iter().find_map(|&first| written.instant(written.day(first)?)).map(|_| written)
}

fn shown(written: &Written, day: i64) -> Option<String> {
    match written.time {
        None => Some(day_text(day)),
        Some(_) => written.instant(day).map(crate::data::Instant::text),
    }
}

/// Whether a text is a date in a usual spelling, eight digits included.
pub(super) fn is_date(text: &str) -> bool {
    read(text, true).is_some()
}

/// What a date says by itself.
pub(super) fn alone(text: &str) -> Option<Alone> {
    let written = read(text, false)?;
    match written.only_day() {
        Some(day) => shown(&written, day).map(Alone::Meaning),
        None => {
            Some(Alone::Either(shown(&written, written.day(false)?)?, shown(&written, written.day(true)?)?))
        }
    }
}
