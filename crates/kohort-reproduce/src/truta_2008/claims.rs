//! What the paper says about its figures.

use super::PS;
use super::measure::{Found, Line};
use crate::report::{Claim, ends, mean};

const GREEDY: &str = "greedy-pk";
const ENHANCED: &str = "enhanced-pk";
const INCOGNITO: &str = "incognito";

pub(super) fn all(found: &[Found]) -> Vec<Claim> {
    vec![
        against_incognito(found),
        optimal(found),
        where_p_is_hard(found),
        uniform_or_normal(found),
        independent(found),
        least_loss(found),
        incognito_is_fast(found),
        fast_for_small_p(found),
        fast_for_large_p(found),
        depends_on_secrets(found),
    ]
}

/// All sets and p at which the algorithms have a release.
fn points<'a>(
    found: &'a [Found],
    names: &'a [&str],
) -> impl Iterator<Item = (&'a Found, u32, Vec<&'a Line>)> {
    found.iter().flat_map(move |set| {
        PS.into_iter().filter_map(move |p| {
            let lines = names.iter().map(|name| set.line(name, p)).collect::<Option<Vec<_>>>()?;
            Some((set, p, lines))
        })
    })
}

fn against_incognito(found: &[Found]) -> Claim {
    let all: Vec<f64> = points(found, &[GREEDY, ENHANCED, INCOGNITO])
        .map(|(.., lines)| mean(&lines[2].avg) / mean(&lines[0].avg).max(mean(&lines[1].avg)))
        .collect();
    let (least, most) = ends(&all);
    Claim::tested(
        "local recoding beats Incognito on AVG in all experiments",
        least > 1.0,
        format!("Incognito's AVG is {least:.1} to {most:.0} times that of the worse of the two"),
    )
}

fn optimal(found: &[Found]) -> Claim {
    let small: Vec<_> = points(found, &[GREEDY, ENHANCED]).filter(|(_, p, _)| *p <= 4).collect();
    let reached = |line: &Line| mean(&line.clusters) >= mean(&line.allowed) - 1e-9;
    let by_clusters = small.iter().filter(|(.., lines)| lines.iter().all(|line| reached(line))).count();
    let by_classes: Vec<f64> =
        small.iter().flat_map(|(.., lines)| lines.iter().map(|line| mean(&line.avg))).collect();
    Claim::tested(
        "for p = 2 and 4 both reach the optimal AVG",
        by_clusters == small.len(),
        format!(
            "counted in clusters in {by_clusters} of {} cases; counted in published classes AVG is up to {:.3}",
            small.len(),
            ends(&by_classes).1
        ),
    )
}

fn where_p_is_hard(found: &[Found]) -> Claim {
    let hard: Vec<_> = points(found, &[GREEDY, ENHANCED])
        .filter(|(.., lines)| mean(&lines[0].clusters) < mean(&lines[0].allowed) - 1e-9)
        .collect();
    let better = hard.iter().filter(|(.., lines)| mean(&lines[1].avg) < mean(&lines[0].avg)).count();
    Claim::tested(
        "where p is hard, EnhancedPK has the better AVG",
        better == hard.len() && !hard.is_empty(),
        format!("in {better} of {} cases in which GreedyPK misses the bound", hard.len()),
    )
}

/// The mean IL over p of an algorithm on one set, at the p that all four synthetic sets allow.
fn il(found: &[Found], set: &str, algorithm: &str) -> Option<f64> {
    let set = found.iter().find(|found| found.name == set)?;
    let values: Vec<f64> =
        PS[..3].iter().filter_map(|&p| set.line(algorithm, p)).map(|line| mean(&line.il)).collect();
    (!values.is_empty()).then(|| mean(&values))
}

fn pairs(found: &[Found], algorithm: &str) -> Vec<(f64, f64)> {
    let pair = |(uniform, normal)| Some((il(found, uniform, algorithm)?, il(found, normal, algorithm)?));
    [("UU", "NU"), ("UN", "NN")].into_iter().filter_map(pair).collect()
}

fn said(pairs: &[(f64, f64)]) -> String {
    pairs
        .iter()
        .map(|(uniform, normal)| format!("{uniform:.2} and {normal:.2}"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn uniform_or_normal(found: &[Found]) -> Claim {
    let (incognito, greedy) = (pairs(found, INCOGNITO), pairs(found, GREEDY));
    Claim::tested(
        "Incognito loses less on uniform quasi-identifiers, GreedyPK on normal ones",
        incognito.iter().all(|(uniform, normal)| uniform < normal)
            && greedy.iter().all(|(uniform, normal)| normal < uniform),
        format!(
            "IL on uniform and normal ones, p = 2 to 6: Incognito {}; GreedyPK {}",
            said(&incognito),
            said(&greedy)
        ),
    )
}

fn independent(found: &[Found]) -> Claim {
    let pairs = pairs(found, ENHANCED);
    let largest =
        pairs.iter().map(|(uniform, normal)| (uniform / normal).max(normal / uniform)).fold(1.0, f64::max);
    Claim::tested(
        "EnhancedPK is independent of the distribution of the quasi-identifiers",
        largest < 1.1,
        format!(
            "IL on uniform and normal ones, p = 2 to 6: {}; the one is up to {largest:.1} times the other",
            said(&pairs)
        ),
    )
}

fn least_loss(found: &[Found]) -> Claim {
    let all: Vec<_> = points(found, &[GREEDY, ENHANCED, INCOGNITO]).collect();
    let is_least = |lines: &[&Line]| mean(&lines[0].il) <= mean(&lines[1].il).min(mean(&lines[2].il));
    let least = all.iter().filter(|(.., lines)| is_least(lines)).count();
    Claim::tested(
        "overall GreedyPK loses least",
        2 * least > all.len(),
        format!("in {least} of {} cases", all.len()),
    )
}

fn incognito_is_fast(found: &[Found]) -> Claim {
    let all: Vec<f64> = points(found, &[GREEDY, ENHANCED, INCOGNITO])
        .map(|(.., lines)| mean(&lines[0].seconds).min(mean(&lines[1].seconds)) / mean(&lines[2].seconds))
        .collect();
    let (least, most) = ends(&all);
    Claim::tested(
        "Incognito is fastest",
        least > 1.0,
        format!("the faster of the others takes {least:.1} to {most:.0} times as long"),
    )
}

fn quotients(found: &[Found], of: impl Fn(u32) -> bool) -> Vec<f64> {
    points(found, &[GREEDY, ENHANCED])
        .filter(|(_, p, _)| of(*p))
        .map(|(.., lines)| mean(&lines[0].seconds) / mean(&lines[1].seconds))
        .collect()
}

fn fast_for_small_p(found: &[Found]) -> Claim {
    let quotients = quotients(found, |p| p <= 4);
    let (least, most) = ends(&quotients);
    Claim::tested(
        "for small p GreedyPK is faster than EnhancedPK",
        most < 1.0,
        format!("GreedyPK takes {least:.2} to {most:.2} times as long for p = 2 and 4"),
    )
}

fn fast_for_large_p(found: &[Found]) -> Claim {
    let quotients = quotients(found, |p| p >= 8);
    let (least, most) = ends(&quotients);
    Claim::tested(
        "for large p EnhancedPK is faster",
        least > 1.0,
        format!("GreedyPK takes {least:.2} to {most:.2} times as long for p = 8 and 10"),
    )
}

fn depends_on_secrets(found: &[Found]) -> Claim {
    let says = "the time of GreedyPK depends on the distribution of the sensitive attributes";
    let seconds = |set: &str| {
        let set = found.iter().find(|found| found.name == set)?;
        Some(mean(&set.line(GREEDY, 8)?.seconds))
    };
    let pair = |(one, other)| Some(seconds(one)? / seconds(other)?);
    let pairs: Vec<f64> = [("UN", "UU"), ("NN", "NU")].into_iter().filter_map(pair).collect();
    let (least, most) = ends(&pairs);
    Claim::tested(
        says,
        pairs.iter().all(|quotient| (quotient - 1.0).abs() > 0.2),
        format!(
            "for p = 8 it takes {least:.1} to {most:.1} times as long with normal ones as with uniform ones"
        ),
    )
}
