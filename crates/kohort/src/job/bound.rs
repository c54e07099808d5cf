//! What no release of a table loses less than: prices from the search, proved by the verifier.

use std::time::Duration;

use super::observed::{Ended, WithDeadline, with_threads};
use super::roles::Roles;
use super::row_order::by_content;
use super::{CheckedJob, Observer, Stage, limits, prepare};
use crate::algorithm::{self, Signal};
use crate::bound::{Allowance, Crowd, Effort, Guide, Layer, search};
use crate::data::Table;
use crate::demand::{Demands, Notion};
use crate::error::{Error, Result};
use crate::input::TableSource;
use crate::measure::{Gauge, Measure};
use crate::report::LowerBound;
use crate::space::Space;
use crate::verify::{Bounded, Patience, PriceLayer, certified};

/// How much is spent on the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundEffort {
    /// Nothing.
    Off,
    /// A counted amount of work that grows with the rows up to a thousand: nothing to speak of for a hundred, one to three seconds
    /// from a thousand on.
    Usual,
    /// A counted amount that leaves little to be found in tables of that size.
    Thorough,
    /// So long, by the clock.
    Time(Duration),
}

impl BoundEffort {
    /// As a job says it.
    pub(super) fn name(self) -> String {
        match self {
            Self::Off => "off".into(),
            Self::Usual | Self::Thorough => "on".into(),
            Self::Time(time) => format!("{}s", time.as_secs_f64()),
        }
    }

    /// Entries that the check may look at: few where time is up. With 30,000 rows of 16 columns the check took another half a
    /// minute then.
    fn most_checked(self, rows: usize, is_time_up: bool) -> u64 {
        match self {
            Self::Off => 0,
            Self::Usual if is_time_up => Self::by_rows(rows) / 20,
            Self::Usual => 3 * Self::by_rows(rows),
            Self::Thorough | Self::Time(_) => 20_000_000_000,
        }
    }

    /// Work on the first pass, and in all.
    fn counted(self, rows: usize) -> (u64, u64) {
        match self {
            Self::Off => (0, 0),
            Self::Usual => (Self::by_rows(rows) / 3, Self::by_rows(rows)),
            Self::Thorough => (1_000_000_000, 4_000_000_000),
            Self::Time(time) => (((time.as_secs_f64() * PER_SECOND) as u64).max(1_000_000), u64::MAX),
        }
    }

    /// The usual amount of work.
    fn by_rows(rows: usize) -> u64 {
        (PER_ROW * rows as u64).clamp(IN_ALL.0, IN_ALL.1)
    }
}

/// Work per row, unless the job says how long, and in all at least and at most. Boxes are soon more than rows: with less per row
/// the columns of small tables are priced apart, which proves little.
const PER_ROW: u64 = 250_000;
const IN_ALL: (u64, u64) = (1_000_000, 250_000_000);

/// Work that is done in a second on the slower machines.
const PER_SECOND: f64 = 1e7;

/// All of the work, for whoever looks on.
const SCALE: u64 = 1_000;

/// Prices may be too high by so much of a cell that fixed-point costs explain it.
const ROUNDING: f64 = 1e-6;

/// What was found out about a table.
#[derive(Debug, Clone)]
pub struct TableBound {
    /// Rows of the table.
    pub rows: u64,
    /// What no release loses less than.
    pub lower_bound: LowerBound,
    /// Whether the clock ended the search: another run may find another bound.
    pub is_timed: bool,
}

/// What no release of a table loses less than, whatever makes it. With a time, as good a bound as can be found until then;
/// without, one that is found by a counted amount of work.
pub fn bound(
    job: &CheckedJob,
    source: &dyn TableSource,
    time: Option<Duration>,
    observer: &dyn Observer,
) -> Result<TableBound> {
    with_threads(job.threads, || {
        let watch = WithDeadline::new(observer, None, None);
        watch.enter(Stage::Read, 0);
        let roles = Roles::resolve(job, source)?;
        let prepared = prepare::read_table(job, source, &roles)?;
        prepared.missing.check()?;
        let table = prepared.table;
        job.check_releasable(&table)?;
        let effort = time.map_or(BoundEffort::Thorough, BoundEffort::Time);
        let lower_bound = job.lower_bound(&table, effort, None, &watch)?;
        watch.check()?;
        Ok(TableBound { rows: table.rows as u64, lower_bound, is_timed: time.is_some() })
    })
}

impl CheckedJob {
    /// An error where no release exists.
    fn check_releasable(&self, table: &Table) -> Result<()> {
        let asked = |name: &str| self.demands.of(name).next().is_some();
        let by_person = table.by_person(asked);
        let table = by_person.as_ref().unwrap_or(table);
        let part = table.select(&table.in_classes());
        let models = self.demands.bind(table)?;
        models.check_solvable(&part, self.may_leave_out(&part))
    }

    /// Whether rows may be suppressed that lack nothing.
    fn may_leave_out(&self, part: &Table) -> bool {
        let bounded = part.qi.iter().any(|q| q.attribute.boundary.is_some());
        self.suppress.map_or(bounded && !self.search.choice.recodes_columns(), |share| share > 0.0)
    }

    /// What no release of a table loses less than, in the measure that was asked for. Prices that are known already need not be
    /// looked for.
    pub(super) fn lower_bound(
        &self,
        table: &Table,
        effort: BoundEffort,
        known: Option<Vec<PriceLayer>>,
        watch: &WithDeadline<'_>,
    ) -> Result<LowerBound> {
        let measure = self.search.measure;
        if effort == BoundEffort::Off {
            return Ok(LowerBound::none(measure, "it was not looked for (‹bound=off›)"));
        }
        let Some(crowd) = self.crowd() else {
            return Ok(LowerBound::none(measure, no_notion(self.notion)));
        };
        // Who asks for the bound alone waits long enough for a bar.
        let is_long = matches!(effort, BoundEffort::Thorough | BoundEffort::Time(_));
        watch.enter(Stage::Bound, if is_long { SCALE } else { 0 });
        let rows = table.in_classes();
        let bounded = self.bounded(table, rows.len());
        let layers = if let Some(layers) = known.filter(|_| effort == BoundEffort::Usual) {
            layers
        } else {
            // By what they hold: a counted search that ends early finds other prices in another order.
            let sorted = by_content(table, &self.demands, &rows, self.search.seed);
            let found = self.prices(&table.select(&sorted), &bounded, crowd, (effort, watch))?;
            Prices::by_row(found.layers, &sorted)
        };
        if layers.is_empty() {
            // Unless somebody stopped it, the time for the bound was too short.
            let why = watch.ended().unwrap_or(Ended::TimeUp).said();
            return Ok(LowerBound::none(measure, format!("{why} before anything could be said")));
        }
        let time_is_up = watch.signal() == Signal::TimeUp;
        let most = effort.most_checked(table.rows, time_is_up);
        // Where time is up already, the few entries that are allowed then take no time to speak of.
        let goes_on = || time_is_up || watch.signal() == Signal::Go;
        let patience = Patience { most, goes_on: &goes_on };
        let Some(proved) = certified(table, &bounded, &layers, patience) else {
            let reason = watch.ended().map_or_else(
                || "there are too many boxes to check".to_owned(),
                |ended| format!("{} before all boxes were checked", ended.said()),
            );
            return Ok(LowerBound::none(measure, reason));
        };
        if proved.too_high > ROUNDING * table.qi.len() as f64 {
            return Err(Error::internal(format!(
                "verification failed: the prices of the lower bound are too high by {}",
                proved.too_high
            )));
        }
        Ok(LowerBound::of(measure, proved.bound))
    }

    /// Who hides in one box; none where that is not known of the notion.
    fn crowd(&self) -> Option<Crowd> {
        match self.notion {
            Notion::K => Some(Crowd::of_classes(self.demands.k())),
            Notion::K1 | Notion::Kk => Some(Crowd::of_tuples(self.demands.k())),
            Notion::OneK | Notion::Global => None,
        }
    }

    /// What is asked of a table of which so many rows are to be in classes, as far as bounds look at it.
    fn bounded(&self, table: &Table, in_classes: usize) -> Bounded {
        let may_go = self.may_go(table, in_classes);
        Bounded { k: self.demands.k(), notion: self.notion, measure: self.search.measure, may_go }
    }

    /// Prices that steer the refinement of `part`, the rows of a table that are to be in classes. Unless refining takes as long as
    /// the clock says, the work is counted, whatever was said about the bound, so that releases do not depend on it.
    pub(super) fn steering_prices(
        &self,
        table: &Table,
        part: &Table,
        watch: &dyn Observer,
    ) -> Result<Prices> {
        let crowd = Crowd::of_classes(self.demands.k());
        let timed = self.search.effort() == algorithm::Effort::Time;
        let effort = if timed { BoundEffort::Thorough } else { BoundEffort::Usual };
        self.prices(part, &self.bounded(table, part.rows), crowd, (effort, watch))
    }

    /// How many rows may be suppressed besides those that lack a value.
    fn may_go(&self, table: &Table, in_classes: usize) -> Option<u64> {
        if !self.may_leave_out(table) {
            return Some(0);
        }
        let lacking = table.rows - table.verbatim_count() - in_classes;
        let most = limits::rows(self.suppress?, table);
        Some(most.saturating_sub(lacking) as u64)
    }

    /// Looks for prices of rows that are to be in classes.
    fn prices(
        &self,
        part: &Table,
        bounded: &Bounded,
        crowd: Crowd,
        (effort, watch): (BoundEffort, &dyn Observer),
    ) -> Result<Prices> {
        let demands = Demands::new(self.demands.k(), None)?.bind(part)?;
        let space = Space::new(part, bounded.measure.reported_costs(part), &demands);
        let full: f64 = part.qi.iter().map(|q| Gauge::new(bounded.measure, &q.attribute).full()).sum();
        let scale = f64::from(space.scale());
        let full = (full * scale) as i64;
        let allowance = Some(Allowance { full, rows: bounded.may_go }).filter(|_| bounded.may_go != Some(0));
        let time = match effort {
            BoundEffort::Time(time) => Some(time),
            _ => None,
        };
        let watch = WithDeadline::new(watch, time, None);
        let (first, work) = effort.counted(part.rows);
        let told = |share: f64| watch.progress((share.min(1.0) * SCALE as f64) as u64, SCALE);
        let go_on = || {
            if let Some(spent) = watch.spent() {
                told(spent);
            }
            watch.signal() == Signal::Go
        };
        let tell = |done: u64| {
            if time.is_none() {
                told(done as f64 / work.max(1) as f64);
            }
        };
        let found = search(&space, crowd, allowance, Effort { first, work, go_on: &go_on, tell: &tell });
        let layers = found.layers.into_iter().map(|layer| in_measure(layer, scale)).collect();
        Ok(Prices { layers, guide: found.guide })
    }
}

/// Prices of rows.
pub(super) struct Prices {
    /// In units of the measure; none where the search was stopped before there were any.
    pub(super) layers: Vec<PriceLayer>,
    /// Where good classes are to be found.
    pub(super) guide: Option<Guide>,
}

impl Prices {
    /// The layers with the rows of a table in another order: `rows` says which row each price is of.
    pub(super) fn by_row(layers: Vec<PriceLayer>, rows: &[u32]) -> Vec<PriceLayer> {
        let sorted = |layer: PriceLayer| {
            let mut of_row: Vec<(u32, f64)> = rows.iter().copied().zip(layer.prices).collect();
            of_row.sort_unstable_by_key(|(row, _)| *row);
            PriceLayer { prices: of_row.into_iter().map(|(_, price)| price).collect(), ..layer }
        };
        layers.into_iter().map(sorted).collect()
    }
}

/// Prices in units of the measure; a fully lost cell costs `scale` in the search.
fn in_measure(layer: Layer, scale: f64) -> PriceLayer {
    let prices = layer.prices.into_iter().map(|price| price as f64 / scale).collect();
    PriceLayer { columns: layer.dims, prices }
}

fn no_notion(notion: Notion) -> String {
    format!(
        "none is known for the notion '{}': what is published for a row need not cover k rows",
        notion.name()
    )
}

/// The loss of a release in the measure that was asked for, as it is reported.
pub(super) fn reported(loss: &crate::verify::Loss, measure: Measure) -> f64 {
    match measure {
        Measure::Il => loss.il,
        Measure::Lm => loss.lm,
        Measure::Entropy => loss.entropy,
        Measure::Whd { .. } => loss.distortion_ratio,
        Measure::Ncp => loss.ncp,
    }
}
