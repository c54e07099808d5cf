//! Figures 4 and 5: total loss and time over k, for systematic clustering with some people opting out, and for k-member.

use kohort::algorithm::{Algorithm, FirstSeed, KMember, Problem, Rule, Run, Seeds, Systematic};
use kohort::data::{Cell, Table};
use kohort::measure::Measure;
use kohort::solution::Solution;
use kohort::{Error, Result};

use crate::lab::{Lab, Stopwatch, alone, with_problem};
use crate::sets::{Set, draw};

const KS: [u32; 12] = [5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 85, 100];
const QUICK_KS: [u32; 4] = [5, 10, 40, 100];
/// Not of the paper: by increase.
pub(super) const PLUS: &str = "systematic-plus";
pub(super) const K_MEMBER: &str = "k-member";
/// In percent.
const QS: [u32; 4] = [0, 1, 5, 10];

/// One line of the figures.
pub(super) struct Line {
    pub(super) name: String,
    /// By k, then by seed: the total loss.
    pub(super) il: Vec<Vec<f64>>,
    /// The same for the seconds.
    pub(super) seconds: Vec<Vec<f64>>,
    /// By k: the least and the greatest size of a cluster.
    pub(super) sizes: Vec<(usize, usize)>,
}

pub(super) struct Found {
    pub(super) ks: Vec<u32>,
    pub(super) seeds: u64,
    /// Systematic for every q, then by increase, then k-member.
    pub(super) lines: Vec<Line>,
}

pub(super) fn run(lab: &Lab<'_>, set: &Set) -> Result<Found> {
    let table = set.table(&["age"])?;
    let (ks, seeds) = (lab.pick(&KS[..], &QUICK_KS[..]).to_vec(), lab.pick(5, 2));
    let (by_loss, by_increase) = (Systematic { rule: Rule::Loss }, Systematic { rule: Rule::Increase });
    let k_member = KMember { first_seed: FirstSeed::Row, seeds: Seeds::Farthest };
    let mut tried: Vec<(Line, u32, &dyn Algorithm)> = QS
        .iter()
        .map(|&q| (Line::new(format!("systematic, q = {q} %")), q, &by_loss as &dyn Algorithm))
        .collect();
    tried.push((Line::new(PLUS.into()), 0, &by_increase));
    tried.push((Line::new(K_MEMBER.into()), 0, &k_member));
    for &k in &ks {
        (lab.tell)(&format!("002: k = {k}"));
        for (line, ..) in &mut tried {
            line.begin();
        }
        // What is compared runs one after the other, so that a machine that slows down does so for all.
        for seed in 1..=seeds {
            for (line, q, algorithm) in &mut tried {
                let table = staying(&table, *q, seed)?;
                line.add(&alone(|| clustered(lab, &table, k, seed, *algorithm))?);
            }
        }
    }
    Ok(Found { ks, seeds, lines: tried.into_iter().map(|(line, ..)| line).collect() })
}

impl Line {
    fn new(name: String) -> Self {
        Self { name, il: Vec::new(), seconds: Vec::new(), sizes: Vec::new() }
    }

    /// The next k.
    fn begin(&mut self) {
        self.il.push(Vec::new());
        self.seconds.push(Vec::new());
        self.sizes.push((usize::MAX, 0));
    }

    fn add(&mut self, found: &Clustered) {
        self.il.last_mut().into_iter().for_each(|il| il.push(found.il));
        self.seconds.last_mut().into_iter().for_each(|seconds| seconds.push(found.seconds));
        if let Some((least, most)) = self.sizes.last_mut() {
            *least = found.smallest.min(*least);
            *most = found.largest.max(*most);
        }
    }
}

/// The rows of those who do not opt out.
fn staying(table: &Table, q: u32, seed: u64) -> Result<Table> {
    let stay = table.rows - table.rows * q as usize / 100;
    let rows: Vec<u32> = draw(table.rows, stay, seed)?.into_iter().map(|row| row as u32).collect();
    Ok(table.select(&rows))
}

struct Clustered {
    il: f64,
    seconds: f64,
    smallest: usize,
    largest: usize,
}

fn clustered(
    lab: &Lab<'_>,
    table: &Table,
    k: u32,
    seed: u64,
    algorithm: &dyn Algorithm,
) -> Result<Clustered> {
    let start = Stopwatch::started();
    with_problem(table, Measure::Il, (k, None), |problem| {
        let found = algorithm.group(problem, &Run::new(seed, lab.observer))?;
        let seconds = start.seconds();
        let Solution::Clusters(of_row) = found else {
            return Err(Error::internal("clusters were expected"));
        };
        let (il, sizes) = il_total(problem, &of_row);
        let (smallest, largest) =
            (sizes.iter().copied().min().unwrap_or(0), sizes.iter().copied().max().unwrap_or(0));
        Ok(Clustered { il, seconds, smallest, largest })
    })
}

/// The loss of all clusters, (2.1) of the paper, and their sizes.
pub(super) fn il_total(problem: Problem<'_>, of_row: &[u32]) -> (f64, Vec<usize>) {
    let space = problem.space;
    let group_of = space.groups().of_rows();
    let count = of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let mut clusters: Vec<(Vec<Cell>, usize)> = vec![(Vec::new(), 0); count];
    for (row, &cluster) in of_row.iter().enumerate() {
        let group = group_of[row] as usize;
        let (tuple, size) = &mut clusters[cluster as usize];
        if *size == 0 {
            *tuple = space.tuple(group);
        } else {
            space.absorb(tuple, group);
        }
        *size += 1;
    }
    let cost: u64 = clusters.iter().map(|(tuple, size)| *size as u64 * space.cost(tuple)).sum();
    (cost as f64 / f64::from(space.scale()), clusters.into_iter().map(|(_, size)| size).collect())
}
