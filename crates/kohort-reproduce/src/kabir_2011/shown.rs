//! Tables, figures and claims of section 4.

use super::figures::{Found, Line};
use super::plain;
use crate::report::{Cell, Claim, Figure, Part, Series, Table, ends, mean};

pub(super) fn parts(found: &Found) -> Vec<Part> {
    let sizes = found.lines.iter().filter(|line| line.name != "k-member");
    let sizes: Vec<(usize, usize)> = sizes.flat_map(|line| line.sizes.iter().copied()).collect();
    let widest = sizes.iter().zip(found.ks.iter().cycle()).all(|((least, most), &k)| {
        (k as usize..2 * k as usize).contains(least) && (k as usize..2 * k as usize).contains(most)
    });
    let theorem = if widest {
        "All clusters of systematic have k to 2k − 1 rows (Theorem 3)."
    } else {
        "Some clusters of systematic do not have k to 2k − 1 rows."
    };
    vec![
        part(found, "002-figure-4", "Figure 4: total loss", "total IL", theorem, |line| &line.il),
        part(
            found,
            "002-figure-5",
            "Figure 5: time",
            "seconds",
            "Shipped forms; equal rows are one to both, and there are few different ones.",
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

/// The time of one setting differs from run to run; where it does so more than q could change it, nothing is said.
fn falls_with_q(found: &Found, is_adult: bool, shorter: usize) -> Claim {
    let says = "the time falls with q";
    let systematic = found.lines.iter().filter(|line| line.name.starts_with("systematic, q"));
    let spread = systematic.flat_map(|line| &line.seconds).map(|seconds| {
        let (least, most) = ends(seconds);
        most / least
    });
    let spread = spread.fold(1.0, f64::max);
    let all = found.ks.len();
    let found = format!("with q = 10 % it is shorter than with q = 0 at {shorter} of {all} k");
    if is_adult && spread < 1.5 {
        return Claim::tested(says, shorter == all, found);
    }
    Claim::open(
        says,
        format!("{found}, but the seconds of one setting differ up to {spread:.1} times from run to run"),
    )
}

pub(super) fn claims(found: &Found, is_adult: bool) -> Vec<Claim> {
    let (all, ten, k_member) =
        (&found.lines[0], line(found, "systematic, q = 10 %"), line(found, "k-member"));
    let tested = |says: &str, holds: bool, how: String| {
        if is_adult {
            Claim::tested(says, holds, how)
        } else {
            Claim::open(says, format!("needs Adult; on made-up people: {how}"))
        }
    };
    let small: Vec<(u32, f64)> =
        quotients(found, (all, k_member), |line| &line.il).into_iter().filter(|(k, _)| *k <= 40).collect();
    let below = small.iter().filter(|(_, quotient)| *quotient < 1.0).count();
    let at_ten = small.iter().find(|(k, _)| *k == 10);
    let il_at_ten = |line: &Line| found.ks.iter().position(|&k| k == 10).map_or(0.0, |at| mean(&line.il[at]));
    let uniformly = found
        .ks
        .iter()
        .enumerate()
        .filter(|(at, _)| {
            found
                .lines
                .iter()
                .filter(|line| line.name != "systematic-plus")
                .all(|line| mean(&ten.il[*at]) <= mean(&line.il[*at]))
        })
        .count();
    let grows = |line: &Line| line.il.windows(2).all(|pair| mean(&pair[0]) <= mean(&pair[1]));
    let growing = found.lines.iter().filter(|line| grows(line)).count();
    let time = quotients(found, (all, k_member), |line| &line.seconds);
    let (least, most) = ends(&time.iter().map(|(_, q)| *q).collect::<Vec<_>>());
    let faster = quotients(found, (ten, all), |line| &line.seconds);
    let less = faster.iter().filter(|(_, quotient)| *quotient < 1.0).count();
    let saved = quotients(found, (ten, all), |line| &line.il);
    let (least_saved, most_saved) = ends(&saved.iter().map(|(_, q)| *q).collect::<Vec<_>>());
    vec![
        tested(
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
        tested(
            "systematic clustering with q = 10 % uniformly loses least",
            uniformly == found.ks.len(),
            format!("at {uniformly} of {} k", found.ks.len()),
        ),
        tested(
            "the loss of every algorithm grows with k",
            growing == found.lines.len(),
            format!("for {growing} of {} lines at every step", found.lines.len()),
        ),
        tested(
            "Theorem 2: the loss is that of the people who do not opt out",
            true,
            format!(
                "by definition: nobody else is in a cluster; with q = 10 % it is {least_saved:.2} to {most_saved:.2} times that with q = 0"
            ),
        ),
        Claim {
            found: format!(
                "for plain loops: {:.1} s against {:.1} s on 30,162 rows with eight columns, k = 10 ({}); for the shipped forms, on the three columns of the paper, the order is reversed where equal rows are many: systematic takes {least:.1} to {most:.1} times as long as k-member",
                plain::SYSTEMATIC,
                plain::K_MEMBER,
                plain::RESULT
            ),
            ..tested(
                "systematic clustering is much faster than k-member",
                plain::SYSTEMATIC < plain::K_MEMBER / 2.0,
                String::new(),
            )
        },
        falls_with_q(found, is_adult, less),
    ]
}
