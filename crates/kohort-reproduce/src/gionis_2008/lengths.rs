//! Which length of ART comes closest to the published figures? The paper does not say it.

use kohort::Result;
use kohort::measure::Measure;

use super::table_1::{Case, Variant, WHOLE_TREES};
use super::{MEASURES, art, published};
use crate::lab::{Lab, each};
use crate::report::{Cell, Claim, Part, Table, ends, mean, thousands};
use crate::sets::Set;

const LENGTHS: [usize; 7] = [2000, 4000, 4600, 5000, 5400, 6000, 10_000];
const QUICK: [usize; 2] = [1000, 2000];

/// Ours over the published of one length, by seed: the mean over both measures and all k, by row of Table I.
pub(super) struct Fit {
    rows: usize,
    over: Vec<[f64; 3]>,
}

impl Fit {
    /// How far the three rows are off on the whole, in percent, by seed.
    fn off(&self) -> Vec<f64> {
        let of_seed = |over: &[f64; 3]| 100.0 * over.iter().map(|over| (over - 1.0).abs()).sum::<f64>() / 3.0;
        self.over.iter().map(of_seed).collect()
    }
}

/// What is tried: a table, a measure, and the algorithm of one row of Table I.
type Task<'a> = (&'a Set, Measure, Variant);

/// The algorithms are those that Table I shows for ART, whichever would be best at another length.
pub(super) fn run(lab: &Lab<'_>, cases: &[Case]) -> Result<Vec<Fit>> {
    let lengths = lab.pick(&LENGTHS[..], &QUICK[..]);
    (lab.tell)("000: how long was ART?");
    let seeds = lab.pick(3, 1);
    let made: Vec<Set> = lengths
        .iter()
        .flat_map(|&rows| (1..=seeds).map(move |seed| art(rows, seed)))
        .collect::<Result<_>>()?;
    let shown: Vec<(Measure, [Variant; 3])> = MEASURES
        .into_iter()
        .zip(cases)
        .map(|(measure, case)| (measure, [case.best().variant, WHOLE_TREES, case.better_kk().variant]))
        .collect();
    let of_set =
        |set| shown.iter().flat_map(move |&(measure, all)| all.map(|variant| (set, measure, variant)));
    let tasks: Vec<Task<'_>> = made.iter().flat_map(of_set).collect();
    let losses = each(&tasks, |(set, measure, variant)| variant.losses(lab, set, *measure))?;
    let published = published::of("ART");
    let quotients: Vec<f64> = losses
        .iter()
        .zip(published.as_flattened().iter().cycle())
        .map(|(own, theirs)| {
            mean(&std::iter::zip(own, theirs).map(|(own, theirs)| own / theirs).collect::<Vec<_>>())
        })
        .collect();
    // Entropy and LM of the same row lie three apart.
    let of_seed = |both: &[f64]| std::array::from_fn(|row| f64::midpoint(both[row], both[row + 3]));
    let over: Vec<[f64; 3]> = quotients.chunks(6).map(of_seed).collect();
    Ok(lengths
        .iter()
        .zip(over.chunks(seeds as usize))
        .map(|(&rows, over)| Fit { rows, over: over.to_vec() })
        .collect())
}

pub(super) fn part(fits: &[Fit]) -> Part {
    let mut table = Table::new(["rows", "best k-anonymous", "forest, whole trees", "(k,k)", "off, in %"]);
    for fit in fits {
        let column = |row: usize| fit.over.iter().map(|over| over[row]).collect::<Vec<_>>();
        let quotients = [0, 1, 2].map(|row| Cell::spread(&column(row), 3));
        table.push(
            std::iter::once(Cell::count(fit.rows as u64))
                .chain(quotients)
                .chain([Cell::spread(&fit.off(), 1)]),
        );
    }
    let note = "The paper does not print how many rows ART had. Ours over the published figure, mean over both measures and the four k, by the algorithms that Table I shows for ART; off: the mean of how far the three lie from 1.";
    Part::new("000-lengths", "How long was ART?", note, table)
}

/// As good as the nearest is what lies among its seeds.
pub(super) fn claim(fits: &[Fit]) -> Claim {
    let says = "the length of ART (not printed)";
    let far = |fit: &Fit| mean(&fit.off());
    let Some(nearest) = fits.iter().min_by(|a, b| far(a).total_cmp(&far(b))) else {
        return Claim::open(says, "nothing was tried");
    };
    let said = |fit: &Fit| {
        let (least, most) = ends(&fit.off());
        format!("{} rows ({least:.1} % to {most:.1} % off, by seed)", thousands(fit.rows as f64))
    };
    let within = ends(&nearest.off()).1;
    let (as_good, others): (Vec<&Fit>, Vec<&Fit>) =
        fits.iter().filter(|fit| fit.rows != nearest.rows).partition(|fit| ends(&fit.off()).0 <= within);
    let next = others.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    let next = next.map_or_else(String::new, |fit| format!("; the next is {}", said(fit)));
    let as_good = if as_good.is_empty() {
        ", and no other comes as close with any seed".to_owned()
    } else {
        format!("; as close with some seed: {}", as_good.into_iter().map(said).collect::<Vec<_>>().join(", "))
    };
    Claim::open(says, format!("of the lengths tried {} is nearest{as_good}{next}", said(nearest)))
}
