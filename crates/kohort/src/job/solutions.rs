//! The list of all minimal choices of levels: what each would lose.

use super::CheckedJob;
use crate::algorithm::{Described, Incognito, Problem};
use crate::data::Table;
use crate::measure::{Gauge, Measure};
use crate::report::{SolutionFigures, Solutions};
use crate::solution::Levels;

/// The measures that are reported of every choice of levels.
const REPORTED: [Measure; 4] = [Measure::Il, Measure::Lm, Measure::Ncp, Measure::Entropy];

impl CheckedJob {
    /// Describes every minimal solution and the chosen one, the best first. `missing` rows of the table lack a value.
    pub(super) fn list(
        &self,
        table: &Table,
        solver: &Incognito,
        problem: Problem<'_>,
        levels: &Levels,
        missing: u64,
    ) -> Solutions {
        let mut nodes = levels.minimal.clone();
        if !nodes.contains(&levels.chosen) {
            nodes.push(levels.chosen.clone());
        }
        let gauges: Vec<[Gauge; 4]> =
            table.qi.iter().map(|q| REPORTED.map(|measure| Gauge::new(measure, &q.attribute))).collect();
        let figures = |d: Described| {
            let suppressed = d.suppressed + missing;
            let rows = problem.space.rows() as u64 - d.suppressed;
            let [il, lm, ncp, entropy] = losses(&gauges, &d, suppressed, table.rows);
            SolutionFigures {
                chosen: d.levels == levels.chosen,
                minimal: levels.minimal.binary_search(&d.levels).is_ok(),
                il,
                lm,
                ncp,
                entropy,
                dm: d.squares + u128::from(suppressed) * u128::from(rows + suppressed),
                avg: rows as f64 / (d.classes.max(1) * u64::from(self.demands.k())) as f64,
                classes: d.classes,
                suppressed,
                levels: d.levels,
            }
        };
        Solutions {
            columns: table.qi.iter().map(|q| q.attribute.name.clone()).collect(),
            measure: self.search.measure.name(),
            complete: levels.complete,
            list: solver.describe(problem, &nodes).into_iter().map(figures).collect(),
        }
    }
}

/// Means over all cells of the table; suppressed cells are lost in full, those of rows published as they are not at all.
fn losses(gauges: &[[Gauge; 4]], of: &Described, suppressed: u64, rows: usize) -> [f64; 4] {
    let cells = (rows * gauges.len()).max(1) as f64;
    std::array::from_fn(|measure| {
        let column = |(gauges, published): (&[Gauge; 4], &Vec<_>)| {
            let gauge = &gauges[measure];
            let released: f64 = published.iter().map(|&(cell, rows)| gauge.cell(cell) * rows as f64).sum();
            released + gauge.full() * suppressed as f64
        };
        gauges.iter().zip(&of.cells).map(column).sum::<f64>() / cells
    })
}
