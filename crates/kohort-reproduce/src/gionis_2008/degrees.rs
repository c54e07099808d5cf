//! What is said of the graph: "the degree of each original record was between k and 2k", "one such step was sufficient", and
//! the question whether (k,k), or ((1 + ε)k, (1 + ε)k), is global (1,k) already.

use kohort::Result;
use kohort::measure::Measure;

use super::graph::{Graph, expanded};
use super::published::KS;
use super::table_1::short;
use super::{MEASURES, sets};
use crate::lab::{Lab, each, with_problem};
use crate::report::{Cell, Claim, Part, Table, thousands};
use crate::sets::Set;

/// k' over k.
const LARGER: [f64; 5] = [1.0, 1.2, 1.5, 2.0, 3.0];
const OF_QUESTION: u32 = 10;

pub(super) struct Found {
    degrees: Vec<Degrees>,
    steps: Vec<Steps>,
    question: Vec<Question>,
}

/// Degrees of one table, measure and k.
struct Degrees {
    case: String,
    k: u32,
    least: usize,
    most: usize,
    /// In percent of the rows.
    above: f64,
}

/// How Algorithm 6 went.
struct Steps {
    case: String,
    k: u32,
    rows: usize,
    /// Rows that lacked matches when their turn came.
    lacked: usize,
    /// Those for which one step was enough.
    one: usize,
    most: usize,
}

/// What (k',k') achieves for k = 10.
struct Question {
    case: String,
    /// By k' over k: the fewest matches, and the share of rows with fewer than k, in percent.
    by_factor: Vec<(usize, f64)>,
}

pub(super) fn run(lab: &Lab<'_>) -> Result<Found> {
    (lab.tell)("000: who lies in which tuple");
    let sets = sets(lab)?;
    let mut cases = Vec::new();
    for (name, sets) in &sets {
        let Some(set) = sets.first() else { continue };
        for measure in MEASURES {
            cases.push((format!("{name} {}", short(measure)), set, measure));
        }
    }
    let ks = lab.pick(&KS[..], &KS[1..2]);
    let tasks: Vec<_> = cases.iter().flat_map(|case| ks.iter().map(move |&k| (case, k))).collect();
    let looked = each(&tasks, |((name, set, measure), k)| look(lab, set, *measure, (name, *k)))?;
    let (degrees, steps) = looked.into_iter().unzip();
    let factors = lab.pick(&LARGER[..], &LARGER[..1]);
    let tasks: Vec<_> =
        cases.iter().flat_map(|case| factors.iter().map(move |&factor| (case, factor))).collect();
    let asked = each(&tasks, |((_, set, measure), factor)| ask(lab, set, *measure, *factor))?;
    let question = std::iter::zip(&cases, asked.chunks(factors.len()))
        .map(|((name, ..), found)| Question { case: name.clone(), by_factor: found.to_vec() })
        .collect();
    Ok(Found { degrees, steps, question })
}

fn look(lab: &Lab<'_>, set: &Set, measure: Measure, (case, k): (&str, u32)) -> Result<(Degrees, Steps)> {
    with_problem(&set.table(&[])?, measure, (k, None), |problem| {
        let mut graph = Graph::new(problem.space, expanded(lab, problem)?);
        let degrees = graph.degrees();
        let above = degrees.iter().filter(|&&degree| degree > 2 * k as usize).count();
        let found = Degrees {
            case: case.to_owned(),
            k,
            least: degrees.iter().copied().min().unwrap_or(0),
            most: degrees.iter().copied().max().unwrap_or(0),
            above: 100.0 * above as f64 / degrees.len() as f64,
        };
        let steps = graph.steps(lab, k as usize)?;
        let steps = Steps {
            case: case.to_owned(),
            k,
            rows: degrees.len(),
            lacked: steps.len(),
            one: steps.iter().filter(|&&taken| taken == 1).count(),
            most: steps.iter().copied().max().unwrap_or(0),
        };
        Ok((found, steps))
    })
}

/// The fewest matches, and the share of rows with fewer than k.
fn ask(lab: &Lab<'_>, set: &Set, measure: Measure, factor: f64) -> Result<(usize, f64)> {
    let larger = (f64::from(OF_QUESTION) * factor).round() as u32;
    with_problem(&set.table(&[])?, measure, (larger, None), |problem| {
        let matches = Graph::new(problem.space, expanded(lab, problem)?).matches();
        let short = matches.iter().filter(|&&n| n < OF_QUESTION as usize).count();
        Ok((matches.iter().copied().min().unwrap_or(0), 100.0 * short as f64 / matches.len() as f64))
    })
}

pub(super) fn parts(found: &Found) -> [Part; 3] {
    let mut degrees = Table::new(["", "k", "least degree", "largest", "rows above 2k, in %"]);
    for d in &found.degrees {
        degrees.push([
            Cell::text(&d.case),
            Cell::count(d.k.into()),
            Cell::count(d.least as u64),
            Cell::count(d.most as u64),
            Cell::number(d.above, 1),
        ]);
    }
    let mut steps =
        Table::new(["", "k", "rows", "lacked matches", "one step was enough, in %", "most steps of a row"]);
    for s in &found.steps {
        steps.push([
            Cell::text(&s.case),
            Cell::count(s.k.into()),
            Cell::count(s.rows as u64),
            Cell::count(s.lacked as u64),
            if s.lacked == 0 {
                Cell::none()
            } else {
                Cell::number(100.0 * s.one as f64 / s.lacked as f64, 1)
            },
            Cell::count(s.most as u64),
        ]);
    }
    let factors = found.question.first().map_or(0, |q| q.by_factor.len());
    let heads = LARGER[..factors].iter().map(|factor| format!("k' = {:.0}", f64::from(OF_QUESTION) * factor));
    let mut question = Table::new(std::iter::once(String::new()).chain(heads));
    for q in &found.question {
        let cell = |&(least, short): &(usize, f64)| Cell::text(format!("{least}; {short:.1} %"));
        question.push(std::iter::once(Cell::text(&q.case)).chain(q.by_factor.iter().map(cell)));
    }
    [
        Part::new(
            "000-degrees",
            "Degrees",
            "In how many tuples of the (k,k) table of Algorithms 4 and 5 a row lies; first sample.",
            degrees,
        ),
        Part::new(
            "000-steps",
            "Algorithm 6",
            "Rows that had fewer than k matches when their turn came, and how many steps they needed.",
            steps,
        ),
        Part::new(
            "000-question",
            "Is (k',k') global (1,k) already?",
            "The authors' open question, for k = 10: the fewest matches of a row, and how many rows have fewer than 10, in (k',k') tables of Algorithms 4 and 5.",
            question,
        ),
    ]
}

pub(super) fn claims(found: &Found) -> Vec<Claim> {
    let above: Vec<f64> = found.degrees.iter().map(|d| d.above).collect();
    let (least, most) = crate::report::ends(&above);
    let degrees = Claim::tested(
        "the degree of each original record is between k and 2k",
        most == 0.0,
        format!("{least:.0} % to {most:.0} % of the rows lie in more than 2k tuples"),
    );
    let (one, lacked) = found.steps.iter().fold((0, 0), |(one, lacked), s| (one + s.one, lacked + s.lacked));
    let share = 100.0 * one as f64 / lacked.max(1) as f64;
    let worst = found
        .steps
        .iter()
        .filter(|s| s.lacked > 0)
        .map(|s| 100.0 * s.one as f64 / s.lacked as f64)
        .fold(100.0, f64::min);
    let (all, enough) = (found.steps.len(), found.steps.iter().filter(|s| s.one == s.lacked).count());
    let largest = found.steps.iter().max_by_key(|s| 1000 * s.lacked / s.rows.max(1));
    let largest = largest.map_or_else(String::new, |s| {
        format!("; up to {} of {} rows lack some ({}, k = {})", s.lacked, s.rows, s.case, s.k)
    });
    let steps = Claim::tested(
        "in almost all experiments one step of Algorithm 6 is enough",
        10 * enough >= 9 * all,
        format!(
            "for every row in {enough} of {all} (almost all would be nine in ten); on the whole for {share:.0} % of {} rows that lacked matches, in the worst case for {worst:.0} %{largest}",
            thousands(lacked as f64)
        ),
    );
    let of_k = |at: usize| {
        let all = found.question.iter().filter_map(|q| q.by_factor.get(at));
        all.fold((usize::MAX, 0.0_f64), |(least, short), &(n, share)| (least.min(n), short.max(share)))
    };
    let (least, short) = of_k(0);
    let widest = found.question.first().map_or(0, |q| q.by_factor.len() - 1);
    let (larger, still) = of_k(widest);
    let question = Claim::tested(
        "(k,k), or ((1 + ε)k, (1 + ε)k), might be global (1,k) already (an open question)",
        larger >= OF_QUESTION as usize,
        format!(
            "at k = 10 the fewest matches are {least} ({short:.1} % of the rows have fewer than 10), with k' = {:.0} they are {larger} ({still:.1} %), in the worst set",
            f64::from(OF_QUESTION) * LARGER[widest]
        ),
    );
    vec![degrees, steps, question]
}
