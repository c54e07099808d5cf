//! Tables, figures and claims of section 4.

use std::cmp::Ordering;

use super::figures::{Found, K_MEMBER, Line, PLUS};
use super::plain;
use crate::report::{Cell, Claim, Figure, Part, Series, Table, apart, ends, mean};

pub(super) fn parts(found: &Found) -> Vec<Part> {
    vec![
        part(
            found,
            "002-figure-4",
            "Figure 4: total loss",
            "total IL",
            "systematic-plus is Kohort's, not the paper's.",
            |line| &line.il,
        ),
        part(
            found,
            "002-figure-5",
            "Figure 5: time",
            "seconds",
            "Shipped forms; equal rows are one to both, and there are few different ones. Of each seed all lines run one after the other.",
            |line| &line.seconds,
        ),
    ]
}

fn part(found: &Found, id: &str, title: &str, y: &str, note: &str, of: fn(&Line) -> &Vec<Vec<f64>>) -> Part {
    let digits = if y == "seconds" { 3 } else { 0 };
    let mut table = Table::new(std::iter::once("k").chain(found.lines.iter().map(|line| line.name.as_str())));
    for (at, &k) in found.ks.iter().enumerate() {
        let cells = found.lines.iter().map(|line| Cell::spread(&of(line)[at], digits));
        table.push(std::iter::once(Cell::count(k.into())).chain(cells));
    }
    let series = found.lines.iter().map(|line| {
        let points = found.ks.iter().zip(of(line)).map(|(&k, values)| (f64::from(k), mean(values)));
        Series::ours(&line.name, points)
    });
    Part::new(id, title, note, table).with([Figure::new(id, title, ("k", y), series.collect())])
}

fn line<'a>(found: &'a Found, name: &str) -> &'a Line {
    found.lines.iter().find(|line| line.name == name).unwrap_or(&found.lines[0])
}

/// By k, one line's mean over another's.
fn quotients(
    found: &Found,
    (one, other): (&Line, &Line),
    of: fn(&Line) -> &Vec<Vec<f64>>,
) -> Vec<(u32, f64)> {
    let pairs = of(one).iter().zip(of(other)).map(|(one, other)| mean(one) / mean(other));
    found.ks.iter().copied().zip(pairs).collect()
}

/// The time falls where all seeds with q = 10 % take less than all with q = 0.
fn falls_with_q(found: &Found) -> Claim {
    let (all, ten) = (&found.lines[0], line(found, "systematic, q = 10 %"));
    let orders: Vec<_> = ten.seconds.iter().zip(&all.seconds).map(|(ten, all)| apart(ten, all)).collect();
    let count = |wanted| orders.iter().filter(|order| **order == Some(wanted)).count();
    let (shorter, longer) = (count(Ordering::Less), count(Ordering::Greater));
    let says = "the time falls with q";
    let how = format!(
        "at {shorter} of {} k all seeds with q = 10 % take less than all with q = 0, at {longer} all take more",
        orders.len()
    );
    if shorter == orders.len() || longer > shorter {
        return Claim::tested(says, shorter == orders.len(), how);
    }
    Claim::open(says, format!("{how}; at the others the seeds mix"))
}

fn grows_with_k(found: &Found) -> Claim {
    let lines: Vec<&Line> = found.lines.iter().filter(|line| line.name != PLUS).collect();
    let grows = |line: &&&Line| line.il.windows(2).all(|pair| mean(&pair[0]) <= mean(&pair[1]));
    let growing = lines.iter().filter(grows).count();
    Claim::tested(
        "the loss of every algorithm grows with k",
        growing == lines.len(),
        format!("for {growing} of {} lines at every step", lines.len()),
    )
}

fn sizes(found: &Found) -> Claim {
    let systematic = found.lines.iter().filter(|line| line.name.starts_with("systematic, q"));
    let sizes = systematic.flat_map(|line| found.ks.iter().map(|k| *k as usize).zip(&line.sizes));
    let all: Vec<bool> = sizes.map(|(k, (least, most))| *least >= k && *most < 2 * k).collect();
    let holding = all.iter().filter(|&&holds| holds).count();
    Claim::tested(
        "Theorem 3: every cluster of systematic clustering has k to 2k - 1 rows",
        holding == all.len(),
        format!("in {holding} of {} settings, all seeds", all.len()),
    )
}

/// On the table of the paper; loops that any engineer would write first are timed in `bench`.
fn faster(found: &Found, k_member: &Line) -> Claim {
    let time = quotients(found, (&found.lines[0], k_member), |line| &line.seconds);
    let (least, most) = ends(&time.iter().map(|(_, q)| *q).collect::<Vec<_>>());
    let quicker = time.iter().filter(|(_, quotient)| *quotient < 1.0).count();
    Claim::tested(
        "systematic clustering is much faster than k-member at every k",
        quicker == time.len(),
        format!(
            "in the shipped forms, on the table of the paper, at {quicker} of {} k: systematic takes {least:.1} to {most:.1} times as long. Plain loops decide it either way (30,162 rows, eight columns, k = 10): systematic {:.1} s ({}), k-member {:.1} s as a loop over rows that walks trees and {:.1} s as one over codes with join tables ({})",
            time.len(),
            plain::SYSTEMATIC,
            plain::OF_SYSTEMATIC,
            plain::K_MEMBER,
            plain::K_MEMBER_OVER_CODES,
            plain::OF_K_MEMBER
        ),
    )
}

pub(super) fn claims(found: &Found) -> Vec<Claim> {
    let (all, ten, k_member) = (&found.lines[0], line(found, "systematic, q = 10 %"), line(found, K_MEMBER));
    let small: Vec<(u32, f64)> =
        quotients(found, (all, k_member), |line| &line.il).into_iter().filter(|(k, _)| *k <= 40).collect();
    let below = small.iter().filter(|(_, quotient)| *quotient < 1.0).count();
    let at_ten = small.iter().find(|(k, _)| *k == 10);
    let il_at_ten = |line: &Line| found.ks.iter().position(|&k| k == 10).map_or(0.0, |at| mean(&line.il[at]));
    let of_paper = || found.lines.iter().filter(|line| line.name != PLUS);
    let is_least = |at: &usize| of_paper().all(|line| mean(&ten.il[*at]) <= mean(&line.il[*at]));
    let uniformly = (0..found.ks.len()).filter(is_least).count();
    let saved = quotients(found, (ten, all), |line| &line.il);
    let (least_saved, most_saved) = ends(&saved.iter().map(|(_, q)| *q).collect::<Vec<_>>());
    vec![
        Claim::tested(
            "for k ≤ 40 systematic clustering loses less than k-member, even with q = 0",
            below == small.len(),
            format!(
                "at {below} of {} k; at k = 10 {:.0} against {:.0}, {:.1} times as much",
                small.len(),
                il_at_ten(all),
                il_at_ten(k_member),
                at_ten.map_or(0.0, |(_, quotient)| *quotient)
            ),
        ),
        Claim::tested(
            "systematic clustering with q = 10 % uniformly loses least",
            uniformly == found.ks.len(),
            format!("at {uniformly} of {} k", found.ks.len()),
        ),
        grows_with_k(found),
        Claim::open(
            "Theorem 2: the loss is that of the people who do not opt out",
            format!(
                "true by definition, there is nothing to measure: nobody else is in a cluster. It does not say that less is lost: with q = 10 % the loss is {least_saved:.2} to {most_saved:.2} times that with q = 0"
            ),
        ),
        sizes(found),
        faster(found, k_member),
        falls_with_q(found),
    ]
}
