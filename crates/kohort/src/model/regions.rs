//! Constrained k-anonymity (Miller et al. 2008): which rows may share a class when generalization has boundaries.
//!
//! Rows with equal maximum allowed values in every column (the classes of `MAM`, Definition 9) may; no others (Property 1).
//! So the table falls into parts that are solved apart, and a part that does not satisfy the models as a whole goes to
//! `OUT`: its rows must be suppressed. For models that survive adding rows `OUT` is the least that must go (Properties 5 and
//! 6, with "satisfies the models" for "has k rows"). For others a part may be saved by suppressing some of its rows:
//! those of the value that occurs too often ("trimming", `algorithms.md` §8). With one sensitive column and models that
//! look at frequencies alone that is the least as well: of all ways to keep so many rows, taking away from the most frequent
//! value each time leaves the flattest frequencies (majorized by all others), and entropy, tail and largest share are at
//! their best there. No value goes altogether, and once each occurs once, taking away more helps no model.
//!
//! *Reading*: a largest width is no partition of the values by itself. The rows of a part are laid out by value and cut
//! into stretches no wider than allowed so that the fewest rows end in a stretch of fewer than k rows, and then into the
//! fewest stretches. With one such column and k-anonymity alone that is the least that must be suppressed: moving the
//! members of two interleaved classes into sorted order keeps their sizes and widens neither. With several such columns,
//! cut one after the other, or with other models it is enough, but may not be the least. O(n log n).
//! BoundDemands that survive adding rows are looked at in full: a stretch is full where they hold.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use super::trim_people::trim_people;
use super::{BoundDemands, NO_VALUE, Tally};
use crate::data::{Cell, Codes, Groups, QuasiIdentifier, Table};

/// How many combinations of sensitive values are looked at for the next row to go: the most frequent ones.
const CANDIDATES: usize = 64;

/// A table cut along its boundaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    /// Rows that may share classes, and together satisfy the models; rows ascending.
    pub parts: Vec<Vec<u32>>,
    /// Rows that no class within the boundaries can take in; ascending.
    pub out: Vec<u32>,
    /// How large each group is that does not satisfy the models; descending.
    pub short: Vec<u64>,
    /// How many groups there are, those that fall short included.
    pub groups: usize,
    /// Whether any boundary was there to cut along.
    pub bounded: bool,
    /// Whether fewer rows could not be suppressed.
    pub minimal: bool,
    /// Whether some groups were saved by suppressing a part of their rows.
    pub trimmed: bool,
}

impl Regions {
    /// Cuts the table. Without boundaries there is one part and nothing goes out.
    pub fn new(table: &Table, models: &BoundDemands) -> Self {
        Self::ignoring(table, models, None)
    }

    /// All rows in one part.
    pub fn whole(rows: usize) -> Self {
        let parts = vec![(0..rows as u32).collect()];
        Self {
            parts,
            out: Vec::new(),
            short: Vec::new(),
            groups: 1,
            bounded: false,
            minimal: true,
            trimmed: false,
        }
    }

    /// Cuts the table as if one column had no boundary.
    pub fn ignoring(table: &Table, models: &BoundDemands, column: Option<usize>) -> Self {
        let bounded: Vec<&QuasiIdentifier> =
            table.qi.iter().enumerate().filter(|(i, _)| Some(*i) != column).map(|(_, q)| q).collect();
        let groups = groups(table, &bounded, models);
        let mut cut = Self {
            parts: Vec::new(),
            out: Vec::new(),
            short: Vec::new(),
            groups: groups.len(),
            bounded: bounded.iter().any(|q| q.attribute.boundary.is_some()),
            minimal: (models.survive_adding_rows() || trims_least(models)) && is_least(&bounded, models),
            trimmed: false,
        };
        for rows in groups {
            let tally = tally(table, models, &rows);
            if models.hold(&tally) {
                cut.parts.push(rows);
            } else {
                cut.short.push(rows.len() as u64);
                cut.salvage(table, models, rows);
            }
        }
        cut.out.sort_unstable();
        cut.short.sort_unstable_by(|a, b| b.cmp(a));
        cut
    }

    fn salvage(&mut self, table: &Table, models: &BoundDemands, rows: Vec<u32>) {
        let columns = columns(table, models);
        let trimmed = if models.survive_adding_rows() { None } else { trim(&rows, &columns, models, 0) };
        match trimmed {
            Some((kept, gone)) => {
                self.trimmed = true;
                self.parts.push(kept);
                self.out.extend(gone);
            }
            None => self.out.extend(rows),
        }
    }

    /// The same with as many rows trimmed as may be, where a table without boundaries had to be trimmed at all: what is
    /// just diverse enough as a whole leaves no room for classes.
    #[must_use]
    pub fn generous(&self, table: &Table, models: &BoundDemands, most: usize) -> Option<Self> {
        if self.bounded || !self.trimmed || most <= self.out.len() {
            return None;
        }
        let columns = columns(table, models);
        let all: Vec<u32> = (0..table.rows as u32).collect();
        // Trimming goes on until the rest is diverse enough, which may be one row too many.
        let (kept, mut out) = trim(&all, &columns, models, most).filter(|(_, out)| out.len() <= most)?;
        out.sort_unstable();
        Some(Self { parts: vec![kept], out, minimal: false, ..self.clone() })
    }
}

/// With a largest width in at most one column, and counting rows alone, the cut is known to lose the fewest.
fn is_least(bounded: &[&QuasiIdentifier], models: &BoundDemands) -> bool {
    let widths = wide(bounded).count();
    widths == 0 || (widths == 1 && !models.need_sensitive())
}

/// Whether trimming is known to lose the fewest rows.
fn trims_least(models: &BoundDemands) -> bool {
    models.columns().len() == 1 && models.look_at_frequencies_alone()
}

fn wide<'a>(bounded: &'a [&QuasiIdentifier]) -> impl Iterator<Item = &'a QuasiIdentifier> {
    bounded.iter().copied().filter(|q| q.attribute.has_width())
}

/// The rows by what their columns allow, in order of first appearance.
fn groups(table: &Table, bounded: &[&QuasiIdentifier], models: &BoundDemands) -> Vec<Vec<u32>> {
    let allowed = |q: &&QuasiIdentifier| {
        let ceilings = q.attribute.ceilings()?;
        let count = ceilings.iter().max().map_or(1, |c| c + 1);
        Some((q.codes.iter().map(|code| ceilings[code as usize]).collect::<Codes>(), count))
    };
    let columns: Vec<(Codes, u32)> = bounded.iter().filter_map(allowed).collect();
    let by: Vec<_> = columns.iter().map(|(codes, count)| (codes, *count)).collect();
    let equal = Groups::by(table.rows, &by);
    let groups: Vec<Vec<u32>> = (0..equal.len()).map(|g| equal.rows(g).to_vec()).collect();
    let wide: Vec<&QuasiIdentifier> = wide(bounded).collect();
    let cut = |order: Vec<&QuasiIdentifier>| {
        order.into_iter().fold(groups.clone(), |groups, q| {
            groups.into_iter().flat_map(|rows| stretches(table, q, rows, models)).collect()
        })
    };
    // Which column is cut first matters: each takes a turn.
    let turns = (0..wide.len().max(1)).map(|first| {
        let mut order = wide.clone();
        order.rotate_left(first);
        cut(order)
    });
    let lost = |groups: &Vec<Vec<u32>>| -> usize {
        let fails = |rows: &&Vec<u32>| !models.hold(&tally(table, models, rows));
        groups.iter().filter(fails).map(Vec::len).sum()
    };
    if wide.len() < 2 { cut(wide) } else { turns.min_by_key(lost).unwrap_or_default() }
}

/// Cuts rows, laid out by value, into stretches no wider than allowed: fewest rows in stretches that fail, then fewest
/// stretches.
fn stretches(table: &Table, q: &QuasiIdentifier, mut rows: Vec<u32>, models: &BoundDemands) -> Vec<Vec<u32>> {
    let code = |row: u32| q.codes.get(row as usize);
    rows.sort_by_key(|&row| (code(row), row));
    let fits = |first: usize, last: usize| {
        q.attribute.within_width(Cell { lo: code(rows[first]), hi: code(rows[last]) })
    };
    let ends = best_ends(&earliest_ends(table, &rows, models), fits);
    let mut from = 0;
    let take = |end: usize| {
        let mut stretch = rows[from..end].to_vec();
        stretch.sort_unstable();
        from = end;
        stretch
    };
    ends.into_iter().map(take).collect()
}

/// For every start among the rows, where a stretch from there first satisfies the models; past the end where none does.
/// Only models that survive adding rows have such a place; of others this looks at the number of rows.
fn earliest_ends(table: &Table, rows: &[u32], models: &BoundDemands) -> Vec<usize> {
    let k = models.k() as usize;
    let nowhere = rows.len() + 1;
    if !models.need_sensitive() || !models.survive_adding_rows() {
        return (0..rows.len()).map(|start| (start + k).min(nowhere)).collect();
    }
    let values = |row: u32| models.codes_of(table, row);
    let mut tally = models.empty_class();
    let mut end = 0;
    let mut earliest = |start: usize| {
        while !models.hold(&tally) {
            let Some(&row) = rows.get(end) else { return nowhere };
            tally.add(values(row), 1);
            end += 1;
        }
        tally.remove(values(rows[start]), 1);
        end
    };
    (0..rows.len()).map(&mut earliest).collect()
}

/// Where the stretches of sorted rows end. `earliest[s]` is where a stretch from `s` is first full, ascending;
/// `fits(first, last)` says whether rows may share one, and stays true when the ends move together.
///
/// `best[j]` is (rows in no full stretch, full stretches) for the first `j` rows: the last row is left over, or a full
/// stretch ends with it, whose start slides along with `j`; the queue keeps the starts that can still be the best one.
fn best_ends(earliest: &[usize], fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let n = earliest.len();
    let mut best: Vec<(u64, u64)> = vec![(0, 0)];
    let mut start_of: Vec<Option<usize>> = vec![None];
    let (mut starts, mut next): (VecDeque<usize>, usize) = (VecDeque::new(), 0);
    for end in 1..=n {
        while next < n && earliest[next] <= end {
            while starts.back().is_some_and(|&s| best[s] > best[next]) {
                starts.pop_back();
            }
            starts.push_back(next);
            next += 1;
        }
        while starts.front().is_some_and(|&s| !fits(s, end - 1)) {
            starts.pop_front();
        }
        let left_over = ((best[end - 1].0 + 1, best[end - 1].1), None);
        let full = starts.front().map(|&s| ((best[s].0, best[s].1 + 1), Some(s)));
        let (value, start) = full.filter(|full| full.0 < left_over.0).unwrap_or(left_over);
        best.push(value);
        start_of.push(start);
    }
    places(&start_of, fits)
}

/// Reads the ends back. Rows left over beside each other that could share a stretch are listed as one.
fn places(start_of: &[Option<usize>], fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut end = start_of.len() - 1;
    while end > 0 {
        ends.push(end);
        end = start_of[end].unwrap_or_else(|| {
            let last = end - 1;
            let joins = |first: &usize| start_of[first + 1].is_none() && fits(*first, last);
            (0..last).rev().take_while(joins).last().unwrap_or(last)
        });
    }
    ends.reverse();
    ends
}

fn tally(table: &Table, models: &BoundDemands, rows: &[u32]) -> Tally {
    let columns = columns(table, models);
    let rows: Vec<(u32, u32)> = rows.iter().map(|&row| (row, 1)).collect();
    Tally::gather(columns.len(), &rows, |column, row| columns[column].get(row as usize))
}

/// The sensitive columns that the models look at.
fn columns<'a>(table: &'a Table, models: &BoundDemands) -> Vec<&'a Codes> {
    models.columns().iter().map(|c| &table.sensitive[c.at].codes).collect()
}

/// Takes rows out, the last ones first, until the rest holds: what is kept, and what goes. Each time it is a row whose
/// value makes the class fail by most; among equals the most frequent value goes. At least `least` rows go. `None` when
/// nothing worth keeping is left.
fn trim(
    rows: &[u32],
    columns: &[&Codes],
    models: &BoundDemands,
    least: usize,
) -> Option<(Vec<u32>, Vec<u32>)> {
    if models.people().is_some() {
        return trim_people(rows, columns, models, least);
    }
    let values = |row: u32| columns.iter().map(move |c| c.get(row as usize));
    let mut tally = models.empty_class();
    // Per combination of values, its rows; the last one is taken first.
    let mut by_values: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for &row in rows {
        tally.add(values(row), 1);
        by_values.entry(values(row).collect()).or_default().push(row);
    }
    let mut gone = Vec::new();
    let flatten = trims_least(models);
    loop {
        let holds = models.hold(&tally);
        if holds && gone.len() >= least {
            break;
        }
        let next = if flatten {
            most_frequent(&by_values, models, holds)
        } else {
            worst(&by_values, &tally, models)
        };
        let codes = next?;
        let members = by_values.get_mut(&codes)?;
        gone.push(members.pop()?);
        if members.is_empty() {
            by_values.remove(&codes);
        }
        tally.remove(codes, 1);
        if tally.rows() < u64::from(models.k()) {
            return None;
        }
    }
    let mut kept: Vec<u32> = by_values.into_values().flatten().collect();
    kept.sort_unstable();
    Some((kept, gone))
}

/// The value to take a row from: the most frequent one; none when every value occurs once. A missing value has no share, so
/// taking it out cannot harm a class that holds, nor help one that does not: of such a class the others go, to the last,
/// because no share is left where no value is.
fn most_frequent(
    by_values: &BTreeMap<Vec<u32>, Vec<u32>>,
    models: &BoundDemands,
    holds: bool,
) -> Option<Vec<u32>> {
    let is_missing = |codes: &[u32]| {
        models.columns().iter().zip(codes).any(|(column, &code)| column.kind(code) == NO_VALUE)
    };
    let some_are_missing = by_values.keys().any(|codes| is_missing(codes));
    let rank = |(codes, rows): &(&Vec<u32>, &Vec<u32>)| {
        (is_missing(codes) != holds, Reverse(rows.len()), (*codes).clone())
    };
    let most = by_values.iter().min_by_key(rank);
    most.filter(|(_, rows)| rows.len() > 1 || some_are_missing).map(|(codes, _)| codes.clone())
}

/// The values whose next row makes the class fail by most.
fn worst(by_values: &BTreeMap<Vec<u32>, Vec<u32>>, tally: &Tally, models: &BoundDemands) -> Option<Vec<u32>> {
    let rank = |codes: &[u32]| {
        let mut rest = tally.clone();
        rest.remove(codes.iter().copied(), 1);
        let times = |(column, &code): (usize, &u32)| tally.columns()[column].count(code);
        (models.diversity_deficit(&rest), Reverse(codes.iter().enumerate().map(times).max()))
    };
    let mut candidates: Vec<(usize, &Vec<u32>)> =
        by_values.iter().map(|(codes, rows)| (rows.len(), codes)).collect();
    if candidates.len() > CANDIDATES {
        candidates.select_nth_unstable_by(CANDIDATES, |a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        candidates.truncate(CANDIDATES);
    }
    let candidates = candidates.into_iter().map(|(_, codes)| codes);
    candidates.min_by_key(|&codes| (rank(codes), codes)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sensitive;
    use crate::demand::{Demands, Model};

    /// Values on a line, `width` allowed, classes of `k`.
    fn ends(values: &[i32], width: i32, k: usize) -> Vec<usize> {
        let earliest: Vec<usize> = (0..values.len()).map(|s| (s + k).min(values.len() + 1)).collect();
        best_ends(&earliest, |first, last| values[last] - values[first] <= width)
    }

    #[test]
    fn equal_values_may_go_either_way() {
        // {0, 1} and {1, 2}: nobody is lost although neither side could take both ones.
        assert_eq!(ends(&[0, 1, 1, 2], 1, 2), [2, 4]);
        assert_eq!(ends(&[0, 1, 2], 1, 2).len(), 2);
        assert_eq!(ends(&[0, 1, 2, 3, 4], 10, 2), [5]);
        assert_eq!(ends(&[0, 50], 10, 2), [1, 2]);
    }

    /// Every way of cutting a line, and of leaving rows out.
    fn fewest_lost(values: &[i32], width: i32, k: usize) -> u64 {
        let mut best = vec![0u64];
        for end in 1..=values.len() {
            let fits = |s: &usize| end - s >= k && values[end - 1] - values[*s] <= width;
            let full = (0..end).filter(fits).map(|s| best[s]).min();
            best.push(full.unwrap_or(u64::MAX).min(best[end - 1] + 1));
        }
        best[values.len()]
    }

    #[test]
    fn no_cut_loses_fewer_rows() {
        for code in 0..4_u32.pow(6) {
            let mut at = 0;
            let values: Vec<i32> = (0..7)
                .map(|place| {
                    at += (code / 4_u32.pow(place) % 4).cast_signed();
                    at
                })
                .collect();
            for (width, k) in [(0, 2), (1, 2), (2, 3), (3, 2), (5, 4)] {
                let mut from = 0;
                let lost: u64 = ends(&values, width, k)
                    .into_iter()
                    .map(|end| {
                        let size = end - from;
                        assert!(values[end - 1] - values[from] <= width, "{values:?}");
                        from = end;
                        if size < k { size as u64 } else { 0 }
                    })
                    .sum();
                assert_eq!(lost, fewest_lost(&values, width, k), "{values:?}, width {width}, k {k}");
            }
        }
    }

    #[test]
    fn trimming_removes_what_is_too_frequent() {
        let codes: Codes = [0, 0, 0, 0, 1, 2].into_iter().collect();
        let rows: Vec<u32> = (0..6).collect();
        let column = Sensitive { distinct: 3, codes: codes.clone(), ..Sensitive::default() };
        let table = Table { rows: 6, sensitive: vec![column], ..Table::default() };
        let demands = Demands::new(2, None).unwrap().and(Model::AlphaK { alpha: 0.5 }).unwrap();
        let at_most_half = demands.bind(&table).unwrap();
        assert_eq!(trim(&rows, &[&codes], &at_most_half, 0), Some((vec![0, 1, 4, 5], vec![3, 2])));
        assert_eq!(trim(&rows[..4], &[&codes], &at_most_half, 0), None);
    }

    /// Rows with one integer column, at most `width` wide, and sensitive values.
    fn line(values: &[&str], width: f64, sensitive: &[&[u32]]) -> Table {
        let texts: Vec<String> = values.iter().map(|&v| v.to_owned()).collect();
        let (numbers, codes) = crate::data::Numbers::order(crate::data::Kind::Integer, &texts, None).unwrap();
        let counts = vec![1; numbers.code_count() as usize];
        let mut attribute = crate::data::Attribute::new("a", crate::data::Domain::Interval(numbers), counts);
        attribute.boundary = Some(crate::data::Boundary::Line { cuts: Vec::new(), width: Some(width) });
        let column = |(at, codes): (usize, &&[u32])| Sensitive {
            name: format!("s{at}"),
            distinct: codes.iter().max().map_or(0, |c| c + 1),
            codes: codes.iter().copied().collect(),
            ..Sensitive::default()
        };
        let qi = vec![QuasiIdentifier { attribute, codes: codes.into_iter().collect() }];
        let sensitive = sensitive.iter().enumerate().map(column).collect();
        Table { rows: values.len(), qi, sensitive, ..Table::default() }
    }

    fn bound(table: &Table, k: u32, models: &[Model]) -> BoundDemands {
        let demands = models.iter().fold(Demands::new(k, None).unwrap(), |d, &m| d.and(m).unwrap());
        demands.bind(table).unwrap()
    }

    /// What is claimed to be the least is so: one width and rows alone, or no width; and trimming by frequencies in one
    /// column.
    #[test]
    fn only_what_is_known_to_be_the_least_is_called_so() {
        let values = ["1", "2", "3", "4"];
        let (one, two) = ([0u32, 1, 0, 1], [0u32, 0, 1, 1]);
        let table = line(&values, 1.0, &[&one, &two]);
        let free = Table { qi: vec![], ..table.clone() };
        let twice = Table { qi: vec![table.qi[0].clone(), table.qi[0].clone()], ..table.clone() };
        let (p, alpha) = (Model::PSensitive { p: 2 }, Model::AlphaK { alpha: 0.5 });
        let minimal = |table: &Table, models: &[Model]| Regions::new(table, &bound(table, 2, models)).minimal;
        assert!(minimal(&table, &[]) && !minimal(&table, &[p]) && !minimal(&twice, &[]));
        assert!(minimal(&free, &[]) && minimal(&free, &[p]));
        assert!(!minimal(&free, &[alpha]), "two columns");
        let single = Table { sensitive: vec![table.sensitive[0].clone()], ..free.clone() };
        assert!(minimal(&single, &[alpha]));
        assert!(!minimal(&single, &[Model::BetaLikeness { beta: 1.0 }]), "looks at which values they are");
        let with_width = Table { sensitive: single.sensitive.clone(), ..table.clone() };
        assert!(!minimal(&with_width, &[alpha]));
    }

    /// Stretches are full where the models hold, not where k rows are.
    #[test]
    fn stretches_end_where_models_hold() {
        let table = line(&["1", "2", "3", "4", "5", "6"], 9.0, &[&[0, 0, 0, 1, 1, 0]]);
        let rows: Vec<u32> = (0..6).collect();
        let of = |k, models: &[Model]| earliest_ends(&table, &rows, &bound(&table, k, models));
        assert_eq!(of(2, &[]), [2, 3, 4, 5, 6, 7]);
        assert_eq!(of(2, &[Model::PSensitive { p: 2 }]), [4, 4, 4, 6, 6, 7]);
        // Where adding rows may hurt, rows are counted alone.
        assert_eq!(of(3, &[Model::AlphaK { alpha: 0.5 }]), [3, 4, 5, 6, 7, 7]);
    }

    /// Of as few rows lost, the fewest stretches; of those the one that ends first is as good.
    #[test]
    fn fewest_stretches_among_those_that_lose_fewest() {
        assert_eq!(ends(&[0, 1, 2, 3, 4, 5], 3, 2).len(), 2);
        assert_eq!(ends(&[0, 1, 2, 3], 3, 2), [4]);
        assert_eq!(ends(&[0, 5, 6, 7, 12], 2, 2), [1, 4, 5]);
    }

    /// Cut first by another column, fewer rows are lost.
    #[test]
    fn each_column_takes_a_turn() {
        let mut dice = 7u32;
        let mut draw = |n: u32| {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (dice >> 16) % n
        };
        let mut differ = 0;
        for columns in [2, 2, 2, 3, 3].repeat(80) {
            let mut column = || {
                let texts: Vec<String> = (0..8).map(|_| draw(9).to_string()).collect();
                line(&texts.iter().map(String::as_str).collect::<Vec<_>>(), 3.0, &[]).qi.remove(0)
            };
            let table = Table { rows: 8, qi: (0..columns).map(|_| column()).collect(), ..Table::default() };
            let demands = bound(&table, 2, &[]);
            let cut = Regions::new(&table, &demands);
            let mut all: Vec<u32> = cut.parts.iter().flatten().chain(&cut.out).copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..8).collect::<Vec<u32>>(), "every row is somewhere");
            assert!(cut.parts.iter().all(|part| part.len() > 1));
            let lost = |first: usize| {
                let mut groups = vec![(0..8).collect::<Vec<u32>>()];
                for at in 0..columns {
                    let q = &table.qi[(first + at) % columns];
                    groups =
                        groups.into_iter().flat_map(|rows| stretches(&table, q, rows, &demands)).collect();
                }
                groups.into_iter().filter(|rows| rows.len() < 2).map(|rows| rows.len()).sum::<usize>()
            };
            let turns: Vec<usize> = (0..columns).map(lost).collect();
            assert_eq!(Some(cut.out.len()), turns.iter().min().copied());
            differ += usize::from(turns.iter().min() < turns.first());
        }
        assert!(differ > 10, "{differ}");
    }

    /// What two columns allow is told apart, whatever the numbers of the nodes.
    #[test]
    fn groups_differ_in_any_column() {
        let column = |marked: &[u32], codes: [u32; 2]| {
            let tree = crate::data::Hierarchy::from_paths("a", [["p", "*"], ["q", "*"]]).unwrap();
            let mut attribute = crate::data::Attribute::new("a", crate::data::Domain::Tree(tree), vec![1, 1]);
            attribute.boundary = Some(crate::data::Boundary::Nodes(marked.to_vec()));
            QuasiIdentifier { attribute, codes: codes.into_iter().collect() }
        };
        // Leaves are 0 and 1, the root is 2: the rows may become (0, 2) and (1, 0).
        let qi = vec![column(&[0, 1], [0, 1]), column(&[0], [1, 0])];
        let table = Table { rows: 2, qi, ..Table::default() };
        assert_eq!(Regions::new(&table, &bound(&table, 2, &[])).groups, 2);
    }

    /// Which row goes: of several columns, the values that make the class fail by most.
    #[test]
    fn what_makes_a_class_fail_most_goes_first() {
        let (a, b) = ([0u32, 0, 0, 1, 2], [0u32, 1, 2, 3, 3]);
        let table = line(&["1"; 5], 1.0, &[&a, &b]);
        let demands = bound(&table, 2, &[Model::AlphaK { alpha: 0.5 }]);
        // Three of five share the value 0 of the first column; without one of them two of four do.
        let rows: Vec<u32> = (0..5).collect();
        let columns = columns(&table, &demands);
        assert_eq!(trim(&rows, &columns, &demands, 0), Some((vec![1, 2, 3, 4], vec![0])));
        // With k = 5 nothing worth keeping is left; with k = 4 just enough is.
        assert_eq!(trim(&rows, &columns, &bound(&table, 5, &[Model::AlphaK { alpha: 0.5 }]), 0), None);
        assert!(trim(&rows, &columns, &bound(&table, 4, &[Model::AlphaK { alpha: 0.5 }]), 0).is_some());
    }

    /// Only the most frequent combinations are looked at, where there are many.
    #[test]
    fn of_many_combinations_the_most_frequent_are_looked_at() {
        let by_values = |n: u32| -> BTreeMap<Vec<u32>, Vec<u32>> {
            // The last one occurs once and would be the worst to keep; all others occur twice.
            (0..n).map(|v| (vec![v, u32::from(v + 1 < n)], vec![0; if v + 1 < n { 2 } else { 1 }])).collect()
        };
        let worst_of = |n: u32| {
            let combinations = by_values(n);
            let rows: Vec<Vec<u32>> =
                combinations.iter().flat_map(|(codes, rows)| vec![codes.clone(); rows.len()]).collect();
            let (a, b): (Vec<u32>, Vec<u32>) = rows.iter().map(|codes| (codes[0], codes[1])).unzip();
            let values = vec!["1"; rows.len()];
            let table = line(&values, 1.0, &[&a, &b]);
            let demands = bound(&table, 2, &[Model::BetaLikeness { beta: 0.01 }]);
            let mut tally = demands.empty_class();
            for codes in &rows {
                tally.add(codes.iter().copied(), 1);
            }
            worst(&combinations, &tally, &demands)
        };
        for n in [3, CANDIDATES as u32, CANDIDATES as u32 + 1, CANDIDATES as u32 + 2] {
            let found = worst_of(n).unwrap();
            assert!(n as usize <= CANDIDATES || found != vec![n - 1, 0], "{n}: {found:?}");
        }
    }

    #[test]
    fn the_most_frequent_value_goes_unless_all_occur_once() {
        let of = |times: &[usize]| -> BTreeMap<Vec<u32>, Vec<u32>> {
            (0..).zip(times).map(|(value, &n)| (vec![value], vec![0; n])).collect()
        };
        let secret = |missing| Sensitive {
            name: "s".into(),
            codes: [0, 1, 2, 3].into_iter().collect(),
            distinct: 4,
            missing,
            ..Sensitive::default()
        };
        let table = |missing| Table { rows: 4, sensitive: vec![secret(missing)], ..Table::default() };
        let goes = |times: &[usize], missing| {
            let demands = Demands::new(2, Some(2)).unwrap().bind(&table(missing)).unwrap();
            most_frequent(&of(times), &demands, false)
        };
        assert_eq!(goes(&[1, 3, 3, 2], None), Some(vec![1]));
        assert_eq!(goes(&[1, 1], None), None);
        // Who lacks a value takes no part of a share, and goes last.
        assert_eq!(goes(&[1, 9, 3, 2], Some(1)), Some(vec![2]));
        assert_eq!(goes(&[1, 9, 1, 1], Some(1)), Some(vec![0]));
    }

    /// Where trimming was needed at all, more may go to leave room; never where boundaries cut, nor more than allowed.
    #[test]
    fn generous_trimming_takes_what_it_may() {
        let codes = [0u32, 0, 0, 0, 0, 1, 1, 2, 2];
        let bounded = line(&["1"; 9], 1.0, &[&codes]);
        let table = Table { qi: vec![], ..bounded.clone() };
        let alpha = [Model::AlphaK { alpha: 0.5 }];
        let demands = bound(&table, 2, &alpha);
        let cut = Regions::new(&table, &demands);
        assert_eq!(
            (cut.out.as_slice(), cut.trimmed, cut.bounded, cut.minimal),
            (&[4][..], true, false, true)
        );
        let more = cut.generous(&table, &demands, 3).unwrap();
        assert_eq!((more.out.len(), more.parts[0].len(), more.minimal), (3, 6, false));
        assert!(more.out.is_sorted());
        assert_eq!(cut.generous(&table, &demands, 1), None, "no more than went anyway");
        let whole = Regions::new(&table, &bound(&table, 2, &[]));
        assert_eq!(whole.generous(&table, &bound(&table, 2, &[]), 3), None, "nothing had to be trimmed");
        let demands = bound(&bounded, 2, &alpha);
        let cut = Regions::new(&bounded, &demands);
        assert!(cut.trimmed && cut.bounded);
        assert_eq!(cut.generous(&bounded, &demands, 3), None);
    }
}
