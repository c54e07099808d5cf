//! What the paper concludes from Table I.

use super::published::Row;
use super::table_1::{Case, Line};
use crate::report::Claim;

pub(super) fn of_table_1(cases: &[Case]) -> Vec<Claim> {
    vec![figures(cases), forest(cases), kk(cases), distances(cases), modified(cases), expansion(cases)]
}

/// By how many percent one line lies below another, at every k.
fn below(low: &Line, high: &Line) -> Vec<f64> {
    low.means().iter().zip(high.means()).map(|(low, high)| 100.0 * (1.0 - low / high)).collect()
}

fn span(values: &[f64]) -> (f64, f64) {
    crate::report::ends(values)
}

fn shown((least, most): (f64, f64)) -> String {
    format!("{least:.0} % to {most:.0} %")
}

/// The figures themselves.
fn figures(cases: &[Case]) -> Claim {
    let of_case = |case: &Case| -> Vec<f64> {
        let [best, forest, kk] = case.published;
        let off = |line: &Line, published: Row| {
            line.means()
                .iter()
                .zip(published)
                .map(|(own, theirs)| 100.0 * (own / theirs - 1.0))
                .collect::<Vec<_>>()
        };
        [off(case.best(), best), off(&case.whole_trees, forest), off(case.better_kk(), kk)].concat()
    };
    let art: Vec<f64> = cases.iter().filter(|case| case.name.starts_with("ART")).flat_map(of_case).collect();
    let others: Vec<f64> =
        cases.iter().filter(|case| !case.name.starts_with("ART")).flat_map(of_case).collect();
    let says = "the figures of Table I";
    let art = shown(span(&art));
    if others.is_empty() {
        return Claim::open(says, format!("ART is off by {art}; the other tables are not at hand"));
    }
    Claim::open(
        says,
        format!(
            "ART, whose generator is printed, is off by {art}; ADT and CMC by {}, but the sample and the groupings of the paper are not printed",
            shown(span(&others))
        ),
    )
}

fn forest(cases: &[Case]) -> Claim {
    let reductions: Vec<f64> = cases.iter().flat_map(|case| below(case.best(), &case.whole_trees)).collect();
    let wins = |forest: fn(&Case) -> &Line| -> usize {
        let of_case = |case: &Case| -> usize {
            let all = case.agglomerative.as_flattened().iter();
            all.flat_map(|line| below(line, forest(case))).filter(|&saved| saved > 0.0).count()
        };
        cases.iter().map(of_case).sum()
    };
    let (whole, cut) = (wins(|case| &case.whole_trees), wins(|case| &case.forest));
    let all = 32 * cases.len();
    let (least, most) = span(&reductions);
    Claim::tested(
        "all agglomerative variants lose less than forest, by 20 % to 50 %",
        whole == all && least >= 20.0 && most <= 50.0,
        format!(
            "{whole} of {all} variants and k are below forest with whole trees, {cut} below `forest`; the best by {}",
            shown((least, most))
        ),
    )
}

fn kk(cases: &[Case]) -> Claim {
    let gains: Vec<f64> = cases.iter().flat_map(|case| below(case.better_kk(), case.best())).collect();
    let (least, most) = span(&gains);
    Claim::tested(
        "(k,k) loses 10 % to 30 % less than the best k-anonymization",
        least >= 10.0 && most <= 30.0,
        format!("{}; the paper's own Table I has 8 % to 36 %", shown((least, most))),
    )
}

fn distances(cases: &[Case]) -> Claim {
    let is_best = |case: &&Case| {
        let mut sums: Vec<(f64, usize)> =
            case.agglomerative.iter().zip(1..).map(|(pair, distance)| (pair[0].sum(), distance)).collect();
        sums.sort_by(|a, b| a.0.total_cmp(&b.0));
        sums[..2].iter().all(|(_, distance)| *distance >= 3)
    };
    let best = cases.iter().filter(is_best).count();
    Claim::tested(
        "distances (10) and (11), 3 and 4 here, consistently bring the best results",
        best == cases.len(),
        format!("both are the two lowest in {best} of {} sets", cases.len()),
    )
}

fn modified(cases: &[Case]) -> Claim {
    let count = |name: &str| {
        let pairs =
            cases.iter().filter(|case| case.name.ends_with(name)).flat_map(|case| &case.agglomerative);
        let all: Vec<bool> = pairs.map(|pair| pair[1].sum() < pair[0].sum()).collect();
        (all.iter().filter(|&&less| less).count(), all.len())
    };
    let ((entropy, of_entropy), (lm, of_lm)) = (count("EM"), count("LM"));
    Claim::tested(
        "the modified algorithm usually reduces the loss",
        2 * entropy > of_entropy && 2 * lm > of_lm,
        format!("entropy: in {entropy} of {of_entropy} pairs of table and distance, LM: in {lm} of {of_lm}"),
    )
}

fn expansion(cases: &[Case]) -> Claim {
    let wins = cases
        .iter()
        .flat_map(|case| below(&case.expansion, &case.nearest))
        .filter(|&saved| saved > 0.0)
        .count();
    Claim::tested(
        "Algorithms 4 and 5 lose less than 3 and 5 in all experiments",
        wins == 4 * cases.len(),
        format!("in {wins} of {}", 4 * cases.len()),
    )
}
