//! Which length of ART comes closest to the published figures? The paper does not say it.

use kohort::Result;

use super::table_1::{Case, Line};
use super::{MEASURES, art, published};
use crate::lab::Lab;
use crate::report::{Cell, Claim, Part, Table};

const LENGTHS: [usize; 7] = [2000, 4000, 4600, 5000, 5400, 6000, 10_000];
const QUICK: [usize; 2] = [1000, 2000];

/// By how many percent single figures of samples of one length differ, see Table I.
const SAMPLES: f64 = 2.5;

/// Ours over the published of one length: the mean over both measures and all k, by row of Table I.
pub(super) struct Fit {
    rows: usize,
    over: [f64; 3],
}

impl Fit {
    /// How far the three rows are off, in percent, on the whole.
    fn off(&self) -> f64 {
        100.0 * self.over.iter().map(|over| (over - 1.0).abs()).sum::<f64>() / 3.0
    }
}

pub(super) fn run(lab: &Lab<'_>) -> Result<Vec<Fit>> {
    let lengths = lab.pick(&LENGTHS[..], &QUICK[..]);
    lengths.iter().map(|&rows| fit(lab, rows)).collect()
}

fn fit(lab: &Lab<'_>, rows: usize) -> Result<Fit> {
    (lab.tell)(&format!("000: ART of {rows} rows"));
    let sets = [art(rows, 1)?];
    let mut over = [0.0; 3];
    for (measure, published) in MEASURES.into_iter().zip(published::of("ART")) {
        let case = Case::new(lab, "ART", &sets, measure, published)?;
        let lines = [case.best(), &case.whole_trees, case.better_kk()];
        for ((sum, line), theirs) in over.iter_mut().zip(lines).zip(published) {
            *sum += quotient(line, &theirs) / MEASURES.len() as f64;
        }
    }
    Ok(Fit { rows, over })
}

fn quotient(line: &Line, published: &[f64; 4]) -> f64 {
    line.means().iter().zip(published).map(|(own, theirs)| own / theirs).sum::<f64>() / 4.0
}

pub(super) fn part(fits: &[Fit]) -> Part {
    let mut table = Table::new(["rows", "best k-anonymous", "forest, whole trees", "(k,k)", "off, in %"]);
    for fit in fits {
        let quotients = fit.over.map(|over| Cell::number(over, 3));
        table.push(
            std::iter::once(Cell::count(fit.rows as u64))
                .chain(quotients)
                .chain([Cell::number(fit.off(), 1)]),
        );
    }
    let note = "The paper does not print how many rows ART had. Ours over the published figure, mean over both measures and the four k, seed 1.";
    Part::new("000-lengths", "How long was ART?", note, table)
}

pub(super) fn claim(fits: &[Fit]) -> Claim {
    let best = fits.iter().map(Fit::off).fold(f64::INFINITY, f64::min);
    let as_good = fits.iter().filter(|fit| fit.off() <= best + SAMPLES);
    let named: Vec<String> = as_good.map(|fit| format!("{} rows by {:.1} %", fit.rows, fit.off())).collect();
    Claim::open(
        "the length of ART (not printed)",
        format!(
            "{}; other lengths are farther off, and samples of one length differ by as much as these",
            named.join(", ")
        ),
    )
}
