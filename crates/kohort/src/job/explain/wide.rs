//! What every column lost, and the groups that cost most in it.

use rayon::prelude::*;

use super::Compared;
use super::strays::{Gauges, strays};
use crate::data::Attribute;
use crate::error::{Error, Result};
use crate::measure::{Gauge, Measure};
use crate::report::{ColumnCost, Strays, StraysOfColumn, WideColumn, WideGroup};
use crate::verify::Published;

/// Pairs of a group and a kind of rows that are looked at.
const PAIRS: usize = 2_000_000_000;

/// Groups that are shown.
const SHOWN: usize = 3;

impl Compared<'_> {
    /// What every quasi-identifier lost, the one that lost most first; with its place among them.
    pub(super) fn costs(&self) -> Vec<(usize, ColumnCost)> {
        let rows = self.table.rows.max(1) as f64;
        let mean = |dim: usize, attribute: &Attribute, measure: Measure| {
            let lost: f64 = self.of_groups(&self.shown.losses(dim, attribute, measure));
            (lost + self.suppressed as f64 * Gauge::new(measure, attribute).full()) / rows
        };
        let cost = |(dim, q): (usize, &crate::data::QuasiIdentifier)| {
            let attribute = &q.attribute;
            let silent: Vec<f64> =
                self.shown.cells[dim].iter().map(|&cell| says_nothing(attribute, cell)).collect();
            let cost = ColumnCost {
                name: attribute.name.clone(),
                lm: mean(dim, attribute, Measure::Lm),
                il: mean(dim, attribute, Measure::Il),
                share: 0.0,
                says_nothing: (self.of_groups(&silent) + self.suppressed as f64) / rows,
            };
            (dim, cost)
        };
        let mut costs: Vec<(usize, ColumnCost)> = self.table.qi.iter().enumerate().map(cost).collect();
        let all: f64 = costs.iter().map(|(_, cost)| cost.lm).sum();
        for (_, cost) in &mut costs {
            cost.share = if all > 0.0 { cost.lm / all } else { 0.0 };
        }
        costs.sort_by(|(a, x), (b, y)| y.lm.total_cmp(&x.lm).then(a.cmp(b)));
        costs
    }

    /// The sum of a figure of groups over their rows.
    fn of_groups(&self, figures: &[f64]) -> f64 {
        figures.iter().zip(&self.shown.rows).map(|(figure, rows)| figure * rows.len() as f64).sum()
    }

    /// The groups that cost most in these columns, and the rows that few of them are wide for.
    pub(super) fn widest(&self, dims: &[usize]) -> Result<Vec<WideColumn>> {
        let gauges: Vec<Gauges> =
            dims.iter().map(|&dim| Gauges::new(&self.table.qi[dim].attribute)).collect();
        let lost = |group: usize| -> f64 {
            let rows = self.shown.rows[group].len() as f64;
            dims.iter()
                .zip(&gauges)
                .map(|(&dim, gauge)| self.shown.cells[dim][group].loss(&gauge.loss) * rows)
                .sum()
        };
        let mut groups: Vec<(usize, f64)> =
            (0..self.shown.len()).map(|group| (group, lost(group))).filter(|(_, lost)| *lost > 0.0).collect();
        groups.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        groups.truncate((PAIRS / self.kinds.len().max(1)).max(SHOWN));
        let look = |&(group, _): &(usize, f64)| {
            self.watch.check()?;
            let fitting = self.fitting(group)?;
            let apart = dims.iter().zip(&gauges);
            let apart = apart.map(|(&dim, gauge)| {
                strays((&self.shown, group), (self.table, dim), (&self.kinds, &fitting), gauge)
            });
            Ok(Looked { group, fitting: self.kinds.count(&fitting), strays: apart.collect() })
        };
        let looked: Vec<Looked> = groups.par_iter().map(look).collect::<Result<_>>()?;
        Ok(dims
            .iter()
            .enumerate()
            .map(|(at, &dim)| self.wide_column(at, dim, &gauges[at].loss, &looked))
            .collect())
    }

    /// The kinds of rows that fit a group: too few of them, and this is not the original.
    pub(super) fn fitting(&self, group: usize) -> Result<Vec<u32>> {
        let fitting = self.shown.fitting(group, self.table, &self.kinds);
        let (there, shown) = (self.kinds.count(&fitting), self.shown.rows[group].len() as u64);
        if there >= shown {
            return Ok(fitting);
        }
        let first = self.shown.rows[group][0] + 1;
        Err(Error::input(format!(
            "the release is not one of this table by this job: {shown} rows show what row {first} shows, and only {there} rows of the table fit that"
        ))
        .option("original")
        .help("name the table and the job, with its hierarchies, that the release was made with"))
    }

    fn wide_column(&self, at: usize, dim: usize, gauge: &Gauge, looked: &[Looked]) -> WideColumn {
        let attribute = &self.table.qi[dim].attribute;
        let cell_loss = |group: usize| self.shown.cells[dim][group].loss(gauge);
        let rows = |group: usize| self.shown.rows[group].len() as f64;
        let all = self.of_groups(&self.shown.losses(dim, attribute, Measure::Lm));
        let (mut found, mut saved) = (StraysOfColumn::default(), 0.0);
        for (group, strays) in looked.iter().filter_map(|l| Some((l.group, l.strays[at].as_ref()?))) {
            found.groups += 1;
            found.rows += strays.count;
            saved += (cell_loss(group) - strays.lm) * (rows(group) - strays.count as f64).max(0.0);
        }
        found.share = if all > 0.0 { saved / all } else { 0.0 };
        let mut costliest: Vec<&Looked> = looked.iter().collect();
        costliest.sort_by(|a, b| {
            let cost = |l: &Looked| cell_loss(l.group) * rows(l.group);
            cost(b).total_cmp(&cost(a)).then(a.group.cmp(&b.group))
        });
        let shown = |looked: &&Looked| WideGroup {
            rows: self.shown.rows[looked.group].len() as u64,
            shows: self.texts(looked.group).collect(),
            lm: cell_loss(looked.group),
            fitting: looked.fitting,
            strays: looked.strays[at].clone(),
        };
        let groups = costliest.iter().filter(|l| cell_loss(l.group) > 0.0).take(SHOWN).map(shown).collect();
        WideColumn { name: attribute.name.clone(), looked_at: looked.len() as u64, strays: found, groups }
    }

    /// What a group shows, by column.
    pub(super) fn texts(&self, group: usize) -> impl Iterator<Item = (String, String)> {
        let columns = self.table.qi.iter().zip(&self.shown.texts);
        columns.map(move |(q, texts)| (q.attribute.name.clone(), texts[group].clone()))
    }
}

/// A group that was looked at.
struct Looked {
    group: usize,
    fitting: u64,
    /// By column that was asked for.
    strays: Vec<Option<Strays>>,
}

/// 1 where a cell leaves everything possible.
fn says_nothing(attribute: &Attribute, cell: Published) -> f64 {
    let is_silent = match cell {
        Published::Any => true,
        Published::Node(node) => attribute.top().lo == node && attribute.present() > 1,
        _ => false,
    };
    f64::from(u8::from(is_silent))
}
