//! Quick runs: the same search, not refined, on some of the rows; nothing is written.

use std::collections::BTreeMap;

use crate::algorithm::{Observer, Signal};
use crate::data::Table;
use crate::error::Result;
use crate::input::TableSource;
use crate::job::observed::WithDeadline;
use crate::job::refining::Refining;
use crate::job::roles::Roles;
use crate::job::{CheckedJob, prepare};
use crate::measure::{Gauge, Measure};
use crate::recode::{Release, recode};
use crate::solution::is_class;

/// An observer who only hears when to stop: a quick run is no stage of its own.
struct Hushed<'a>(&'a dyn Observer);

impl Observer for Hushed<'_> {
    fn signal(&self) -> Signal {
        self.0.signal()
    }
}

/// What a quick run gave.
pub(super) struct Quick {
    /// Mean loss of all cells, by lm.
    pub(super) lm: f64,
    /// The same by column.
    pub(super) per_column: BTreeMap<String, f64>,
    /// The share of rows that are suppressed.
    pub(super) suppressed: f64,
    /// Mean loss of the rows that were asked for, where there are any.
    pub(super) of_interest: Option<f64>,
}

/// Which rows quick runs look at.
pub(super) struct Sample<'a> {
    /// Every how manyth row.
    pub(super) step: usize,
    /// Rows that are looked at in any case, ascending.
    pub(super) of_interest: &'a [u32],
}

impl Sample<'_> {
    /// The rows of a table that it takes, and how many of them are suppressed for what they lack.
    fn rows(&self, table: &Table) -> (Vec<u32>, usize) {
        let is_taken = |row: u32| {
            (row as usize).is_multiple_of(self.step) || self.of_interest.binary_search(&row).is_ok()
        };
        let open = (0..table.rows as u32).filter(|&row| is_taken(row) && !table.is_verbatim(row as usize));
        let (lacking, rows): (Vec<u32>, Vec<u32>) = open.partition(|&row| table.is_lacking(row as usize));
        (rows, lacking.len())
    }

    /// How many rows that are.
    pub(super) fn len(&self, table: &Table) -> usize {
        let (rows, lacking) = self.rows(table);
        rows.len() + lacking
    }
}

/// Groups the rows as the job asks, without refining, and says what that loses.
pub(super) fn run(
    job: &CheckedJob,
    source: &dyn TableSource,
    sample: &Sample<'_>,
    observer: &dyn Observer,
) -> Result<Quick> {
    let mut job = job.clone();
    job.search.refining = Refining::Off;
    job.search.every_solution = false;
    let roles = Roles::resolve(&job, source)?;
    let table = prepare::read_table(&job, source, &roles)?.table;
    let (rows, lacking) = sample.rows(&table);
    let part = table.select(&rows);
    let all: Vec<u32> = (0..part.rows as u32).collect();
    let hushed = Hushed(observer);
    let watch = WithDeadline::new(&hushed, None, None);
    let mut solved = job.solve(&part, &all, &watch)?;
    watch.check()?;
    let release = recode(&part, &solved.take_solution());
    Ok(Quick::of(&part, &release, lacking, &|at| sample.of_interest.binary_search(&rows[at]).is_ok()))
}

impl Quick {
    fn of(part: &Table, release: &Release, lacking: usize, is_of_interest: &dyn Fn(usize) -> bool) -> Self {
        let all = (part.rows + lacking).max(1) as f64;
        let interest: Vec<usize> = (0..part.rows).filter(|&at| is_of_interest(at)).collect();
        let (mut per_column, mut lost_by_interest) = (BTreeMap::new(), 0.0);
        for (dim, q) in part.qi.iter().enumerate() {
            let gauge = Gauge::new(Measure::Lm, &q.attribute);
            let costs: Vec<f64> = release.cells[dim].iter().map(|&cell| gauge.cell(cell)).collect();
            let cost = |at: usize| match release.class_of[at] {
                class if is_class(class) => costs[release.tuples[dim][class as usize] as usize],
                _ => gauge.full(),
            };
            let lost: f64 = (0..part.rows).map(cost).sum::<f64>() + lacking as f64 * gauge.full();
            lost_by_interest += interest.iter().map(|&at| cost(at)).sum::<f64>();
            per_column.insert(q.attribute.name.clone(), lost / all);
        }
        let gone = release.class_of.iter().filter(|&&class| !is_class(class)).count() + lacking;
        let dims = part.qi.len().max(1) as f64;
        Self {
            lm: per_column.values().sum::<f64>() / dims,
            per_column,
            suppressed: gone as f64 / all,
            of_interest: (!interest.is_empty()).then(|| lost_by_interest / (dims * interest.len() as f64)),
        }
    }
}
