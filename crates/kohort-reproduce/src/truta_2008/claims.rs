//! What the paper says about its figures.

use std::cmp::Ordering;

use super::measure::{Found, Line};
use super::{ENHANCED, GREEDY, INCOGNITO, PS};
use crate::report::{Claim, apart, ends, mean};

pub(super) fn all(found: &[Found]) -> Vec<Claim> {
    vec![
        against_incognito(found),
        optimal(found),
        where_p_is_hard(found),
        uniform_or_normal(found),
        independent(found),
        least_loss(found),
        similar(found),
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

/// Independent is what cannot be told apart from samples of one distribution: as with the time of GreedyPK, more than half of the
/// cases decide.
fn independent(found: &[Found]) -> Claim {
    let says = "EnhancedPK seems to be independent of the distribution of the quasi-identifiers";
    let samples = |set: &str, p: u32| {
        let set = found.iter().find(|found| found.name == set)?;
        Some(&set.line(ENHANCED, p)?.il)
    };
    let apart: Vec<bool> = [("UU", "NU"), ("UN", "NN")]
        .into_iter()
        .flat_map(|(uniform, normal)| {
            PS.map(|p| Some(apart(samples(uniform, p)?, samples(normal, p)?).is_some()))
        })
        .flatten()
        .collect();
    let differing = apart.iter().filter(|&&apart| apart).count();
    let largest = |algorithm| {
        let quotient = |(uniform, normal): &(f64, f64)| (uniform / normal).max(normal / uniform);
        pairs(found, algorithm).iter().map(quotient).fold(1.0, f64::max)
    };
    let [enhanced, greedy, incognito] = [ENHANCED, GREEDY, INCOGNITO].map(largest);
    let how = format!(
        "in {differing} of {} cases IL on all samples of the one is above IL on all of the other (none would be independent, more than half is not); uniform and normal, p = 2 to 6: {}; the one is up to {enhanced:.1} times the other, with GreedyPK {greedy:.1}, with Incognito {incognito:.1} times",
        apart.len(),
        said(&pairs(found, ENHANCED))
    );
    let single = found.iter().flat_map(|found| &found.lines).all(|line| line.il.len() < 2);
    if single || (differing > 0 && 2 * differing <= apart.len()) {
        return Claim::open(says, how);
    }
    Claim::tested(says, differing == 0, how)
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

/// Similar is read as: none loses twice what another does.
fn similar(found: &[Found]) -> Claim {
    let span = |lines: Vec<&Line>| ends(&lines.iter().map(|line| mean(&line.il)).collect::<Vec<_>>());
    let all: Vec<(String, f64, f64)> = points(found, &[GREEDY, ENHANCED, INCOGNITO])
        .map(|(set, p, lines)| (format!("{}, p = {p}", set.name), span(lines)))
        .map(|(name, (least, most))| (name, least, most))
        .collect();
    let far = all.iter().filter(|(_, least, most)| most >= &(2.0 * least)).count();
    let worst = all.iter().max_by(|a, b| (a.2 / a.1).total_cmp(&(b.2 / b.1)));
    let worst = worst.map_or_else(String::new, |(name, least, most)| {
        format!("; the most on {name}: {least:.2} and {most:.2}")
    });
    Claim::tested(
        "all three algorithms obtain similar IL, with GreedyPK a close winner",
        far == 0,
        format!("in {far} of {} cases one loses at least twice what another does{worst}", all.len()),
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
        "for large p EnhancedPK has a slight advantage in time",
        least > 1.0,
        format!(
            "GreedyPK takes {least:.2} to {most:.2} times as long for p = 8 and 10 (how much is slight is not said)"
        ),
    )
}

/// It depends on it where the samples of the one distribution take longer than all of the other.
fn depends_on_secrets(found: &[Found]) -> Claim {
    let says = "the time of GreedyPK depends on the distribution of the sensitive attributes";
    let seconds = |set: &str, p: u32| {
        let set = found.iter().find(|found| found.name == set)?;
        Some(&set.line(GREEDY, p)?.seconds)
    };
    let orders: Vec<Option<Ordering>> = [("UN", "UU"), ("NN", "NU")]
        .into_iter()
        .flat_map(|(normal, uniform)| PS.map(|p| Some(apart(seconds(normal, p)?, seconds(uniform, p)?))))
        .flatten()
        .collect();
    let count = |wanted| orders.iter().filter(|order| **order == Some(wanted)).count();
    let (shorter, longer) = (count(Ordering::Less), count(Ordering::Greater));
    let how = format!(
        "in {longer} of {} cases all samples with normal ones take longer than all with uniform ones, in {shorter} all take less time (more than half is called dependent, none independent)",
        orders.len()
    );
    // One sample each tells nothing.
    let single = found.iter().flat_map(|found| &found.lines).all(|line| line.seconds.len() < 2);
    if single || (shorter + longer > 0 && 2 * (shorter + longer) <= orders.len()) {
        return Claim::open(says, format!("{how}; in the others the samples mix"));
    }
    Claim::tested(says, shorter + longer > 0, how)
}
