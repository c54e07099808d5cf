//! Rows that cost more generalized than suppressed may go, as far as the job allows it.
//!
//! A suppressed row costs all its cells. A row never costs more than that by itself, but it can make a whole class coarse:
//! what it costs is what the table would lose less without it. Two moves are looked at for every class: *shaving* rows of
//! one tuple off a class that can quota them, and *dissolving* a class: every row goes to the class of its part where it
//! costs least more, or is suppressed where even that costs more than it is worth. The move that gains most per suppressed
//! row is made first, until nothing gains or the allowance is used up. So the loss, suppressed cells counted in full, never
//! rises, and no class ends below the demands: under those that do not survive adding rows a class is dissolved only if all
//! classes that take its rows in still satisfy them.
//!
//! *Complexity* O(n · v · r) for v classes, and the same again for every class near a move.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::cluster_scan::ClusterScan;
use super::{Problem, Run, signed};
use crate::data::Cell;
use crate::error::Result;
use crate::model::Tally;
use crate::solution::SUPPRESSED;

/// Classes above this many times k, or of more rows than that, are not dissolved: finding a home for each row would take
/// long and gain little.
const DISSOLVE: (usize, usize) = (4, 512);

/// Classes of more different rows than that are not shaved: one row in thousands changes little, and each takes a look at
/// all.
const SHAVE: usize = 4096;

/// A class while rows move.
#[derive(Clone)]
struct Class {
    part: usize,
    rows: Vec<u32>,
    tuple: Vec<Cell>,
    tally: Tally,
}

/// What can be done about a class.
struct Move {
    gain: i64,
    out: Vec<u32>,
    /// Rows and the classes they go to; empty when the class stays.
    homes: Vec<(u32, u32)>,
}

impl Move {
    fn per_row(&self) -> i64 {
        self.gain / signed(self.out.len().max(1))
    }
}

struct Classes<'a> {
    problem: Problem<'a>,
    group_of: Vec<u32>,
    full: i64,
    all: Vec<Class>,
    shelves: Vec<ClusterScan<'a>>,
}

/// Suppresses at most `problem.quota` rows where that loses less. Classes never reach across `parts`.
pub(super) fn suppress(
    problem: Problem<'_>,
    run: &Run<'_>,
    class_of: Vec<u32>,
    parts: &[Vec<u32>],
) -> Result<Vec<u32>> {
    if problem.quota == 0 {
        return Ok(class_of);
    }
    let mut classes = Classes::new(problem, &class_of, parts);
    let mut quota = problem.quota;
    let mut heap: BinaryHeap<(i64, std::cmp::Reverse<u32>, u64)> = BinaryHeap::new();
    let mut changes = 0u64;
    for class in 0..classes.all.len() as u32 {
        if run.time_is_up()? {
            break;
        }
        if let Some(found) = classes.best_move(class) {
            heap.push((found.per_row(), std::cmp::Reverse(class), changes));
        }
    }
    while let Some((worth, std::cmp::Reverse(class), seen)) = heap.pop() {
        if quota == 0 || run.time_is_up()? {
            break;
        }
        let Some(found) = classes.best_move(class) else { continue };
        let now = found.per_row();
        if seen != changes && now < worth {
            // Something nearby has changed since this was worked out; others may be better by now.
            heap.push((now, std::cmp::Reverse(class), changes));
            continue;
        }
        if found.out.len() > quota {
            continue;
        }
        quota -= found.out.len();
        classes.make(class, &found);
        changes += 1;
        if let Some(next) = classes.best_move(class) {
            heap.push((next.per_row(), std::cmp::Reverse(class), changes));
        }
    }
    Ok(classes.numbered(class_of.len()))
}

impl<'a> Classes<'a> {
    fn new(problem: Problem<'a>, class_of: &[u32], parts: &[Vec<u32>]) -> Self {
        let group_of = problem.space.groups().of_rows();
        let count = class_of.iter().filter(|&&c| c != SUPPRESSED).max().map_or(0, |c| *c as usize + 1);
        let mut rows: Vec<(usize, Vec<u32>)> = vec![(0, Vec::new()); count];
        for (part, members) in parts.iter().enumerate() {
            for &row in members.iter().filter(|&&row| class_of[row as usize] != SUPPRESSED) {
                let class = &mut rows[class_of[row as usize] as usize];
                class.0 = part;
                class.1.push(row);
            }
        }
        let class = |(part, rows): (usize, Vec<u32>)| Class {
            part,
            tuple: super::closure(problem.space, &group_of, &rows),
            tally: super::tally_rows(problem, &group_of, &rows),
            rows,
        };
        let all: Vec<Class> = rows.into_iter().map(class).collect();
        let mut shelves: Vec<ClusterScan<'a>> =
            parts.iter().map(|_| ClusterScan::new(problem.space)).collect();
        for (key, c) in all.iter().enumerate() {
            shelves[c.part].put(key as u32, c.rows.len(), &c.tuple);
        }
        let full = problem.space.full_cost().cast_signed();
        Self { problem, group_of, full, all, shelves }
    }

    fn cost(&self, tuple: &[Cell]) -> i64 {
        self.problem.space.cost(tuple).cast_signed()
    }

    fn loss(&self, class: &Class) -> i64 {
        if class.rows.is_empty() { 0 } else { signed(class.rows.len()) * self.cost(&class.tuple) }
    }

    /// What gains most per suppressed row, if anything gains at all.
    fn best_move(&mut self, class: u32) -> Option<Move> {
        let mine = &self.all[class as usize];
        // At least one row must go, and no class costs less than nothing.
        if self.loss(mine) <= self.full {
            return None;
        }
        let small = mine.rows.len() < DISSOLVE.1.min(DISSOLVE.0 * self.problem.demands.k() as usize);
        let shaved = self.shave(class);
        let dissolved = if small { self.dissolve(class) } else { None };
        shaved.into_iter().chain(dissolved).filter(|m| m.gain > 0).max_by_key(Move::per_row)
    }

    /// The rows of one tuple whose absence makes the class cheaper by more than they cost suppressed.
    fn shave(&self, class: u32) -> Option<Move> {
        let mine = &self.all[class as usize];
        let mut by_group: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &row in &mine.rows {
            by_group.entry(self.group_of[row as usize]).or_default().push(row);
        }
        if by_group.len() > SHAVE {
            return None;
        }
        let mut groups: Vec<(u32, Vec<u32>)> = by_group.into_iter().collect();
        groups.sort_unstable();
        let without = self.without_each(&groups);
        let gain = |(i, (_, rows)): (usize, &(u32, Vec<u32>))| {
            let rest = without[i].as_ref()?;
            let stay = mine.rows.len() - rows.len();
            let gain = self.loss(mine) - signed(stay) * self.cost(rest) - signed(rows.len()) * self.full;
            let mut tally = mine.tally.clone();
            tally.subtract(&super::tally_rows(self.problem, &self.group_of, rows));
            (gain > 0 && self.problem.demands.hold(&tally)).then(|| Move {
                gain,
                out: rows.clone(),
                homes: Vec::new(),
            })
        };
        groups.iter().enumerate().filter_map(gain).max_by_key(Move::per_row)
    }

    /// The closure of all groups but one, for each: what comes before it joined with what comes after.
    fn without_each(&self, groups: &[(u32, Vec<u32>)]) -> Vec<Option<Vec<Cell>>> {
        let space = self.problem.space;
        let join = |a: &Option<Vec<Cell>>, b: &Option<Vec<Cell>>| match (a, b) {
            (Some(a), Some(b)) => Some((0..a.len()).map(|d| space.join_cell(d, a[d], b[d])).collect()),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        let leaves: Vec<_> = groups.iter().map(|(g, _)| Some(space.tuple(*g as usize))).collect();
        let mut after = vec![None];
        for leaf in leaves.iter().rev() {
            let joined = join(leaf, &after[after.len() - 1]);
            after.push(joined);
        }
        let mut before = None;
        let mut out = Vec::new();
        for (i, leaf) in leaves.iter().enumerate() {
            out.push(join(&before, &after[leaves.len() - 1 - i]));
            before = join(&before, leaf);
        }
        out
    }

    /// Every row to its cheapest home, or out. Homes that took a row already count with it.
    fn dissolve(&mut self, class: u32) -> Option<Move> {
        let (part, rows) = (self.all[class as usize].part, self.all[class as usize].rows.clone());
        let mut grown: FxHashMap<u32, (i64, Vec<Cell>)> = FxHashMap::default();
        let mut found =
            Move { gain: self.loss(&self.all[class as usize]), out: Vec::new(), homes: Vec::new() };
        for row in rows {
            let (increase, home) = self.home(class, part, row, &grown)?;
            if increase >= self.full {
                found.gain -= self.full;
                found.out.push(row);
                continue;
            }
            found.gain -= increase;
            found.homes.push((row, home));
            let was = &self.all[home as usize];
            let entry = grown.entry(home).or_insert_with(|| (signed(was.rows.len()), was.tuple.clone()));
            entry.0 += 1;
            self.problem.space.absorb(&mut entry.1, self.group_of[row as usize] as usize);
            if found.gain <= 0 {
                return None;
            }
        }
        (!found.out.is_empty() && self.bear(&found.homes)).then_some(found)
    }

    /// Whether all classes still satisfy the demands with the rows they would get.
    fn bear(&self, homes: &[(u32, u32)]) -> bool {
        if self.problem.demands.survive_adding_rows() {
            return true;
        }
        let mut with: FxHashMap<u32, Tally> = FxHashMap::default();
        for &(row, home) in homes {
            let tally = with.entry(home).or_insert_with(|| self.all[home as usize].tally.clone());
            let group = self.group_of[row as usize] as usize;
            tally.add(self.problem.space.sensitive().iter().map(|c| c[group]), 1);
        }
        with.values().all(|tally| self.problem.demands.hold(tally))
    }

    /// The class that a row makes least more costly, other than its own.
    fn home(
        &mut self,
        class: u32,
        part: usize,
        row: u32,
        grown: &FxHashMap<u32, (i64, Vec<Cell>)>,
    ) -> Option<(i64, u32)> {
        let group = self.group_of[row as usize] as usize;
        let leaf = self.problem.space.tuple(group);
        let untouched = self.shelves[part].best(&leaf, |s, _| {
            (s.key != class && !grown.contains_key(&s.key)).then_some((s.increase(), s.key))
        });
        let touched = grown.iter().map(|(&key, (size, tuple))| {
            let mut with = tuple.clone();
            self.problem.space.absorb(&mut with, group);
            ((size + 1) * self.cost(&with) - size * self.cost(tuple), key)
        });
        touched.chain(untouched.map(|(rank, _)| rank)).min()
    }

    fn make(&mut self, class: u32, chosen: &Move) {
        let mine = &mut self.all[class as usize];
        let part = mine.part;
        let stays = chosen.homes.is_empty() && chosen.out.len() < mine.rows.len();
        if stays {
            mine.rows.retain(|row| !chosen.out.contains(row));
            mine.tuple = super::closure(self.problem.space, &self.group_of, &mine.rows);
            mine.tally = super::tally_rows(self.problem, &self.group_of, &mine.rows);
            let (size, tuple) = (mine.rows.len(), mine.tuple.clone());
            self.shelves[part].put(class, size, &tuple);
            return;
        }
        mine.rows.clear();
        self.shelves[part].remove(class);
        for &(row, home) in &chosen.homes {
            let group = self.group_of[row as usize] as usize;
            let host = &mut self.all[home as usize];
            self.problem.space.absorb(&mut host.tuple, group);
            host.rows.push(row);
            host.tally.add(self.problem.space.sensitive().iter().map(|c| c[group]), 1);
            self.shelves[part].put(home, host.rows.len(), &host.tuple);
        }
    }

    /// The class of every row, classes without rows left out.
    fn numbered(&self, rows: usize) -> Vec<u32> {
        let mut class_of = vec![SUPPRESSED; rows];
        let left = self.all.iter().filter(|c| !c.rows.is_empty());
        for (number, class) in left.enumerate() {
            class.rows.iter().for_each(|&row| class_of[row as usize] = number as u32);
        }
        class_of
    }
}
