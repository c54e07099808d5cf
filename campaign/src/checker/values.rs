//! What every class must satisfy, from the definitions (`algorithms.md` §8).

use std::collections::{BTreeMap, BTreeSet};

use super::Original;
use super::domain::{Tree, kind_of, place};
use crate::case::{Asked, Column, Demand, Ground, Kind, Role};

/// Tolerance of sums of rounded numbers.
const EPSILON: f64 = 1e-9;

/// A sensitive column of the original.
pub struct Secret {
    name: String,
    kind: Kind,
    tree: Option<Tree>,
    protected: Vec<String>,
    ground: Option<Ground>,
    demands: Vec<Demand>,
    /// How often each value occurs among people who are to be protected.
    counts: BTreeMap<String, usize>,
}

impl Secret {
    fn new(column: &Column, original: &Original<'_>) -> Self {
        let (case, sheet) = (original.case, original.sheet);
        let at = sheet.column(&column.name).unwrap_or(0);
        let texts = (0..sheet.rows()).map(|row| sheet.text(at, row));
        let kind = column.kind.unwrap_or_else(|| kind_of(texts.clone()));
        // What is declared a number but holds other texts has no order.
        let fits = texts.filter(|t| !t.is_empty()).all(|t| place(kind, t).is_some());
        let kind = if fits { kind } else { Kind::Category };
        let demands = case.demands_on(column);
        let said =
            demands.iter().find_map(|d| if let Demand::Close(_, ground) = d { Some(*ground) } else { None });
        let ground = said.map(|ground| column.closeness.or(ground).unwrap_or(Ground::Equal));
        let mut secret = Self {
            name: column.name.clone(),
            kind,
            tree: column.paths.as_ref().map(|paths| Tree::new(paths)),
            protected: column.protected.clone(),
            ground,
            demands,
            counts: BTreeMap::new(),
        };
        let values = original.open.iter().map(|&row| secret.value(sheet.text(at, row)));
        let whose = original.people_of(&original.open);
        let pairs: BTreeSet<(String, String)> = whose.into_iter().zip(values).collect();
        for (_, value) in pairs {
            *secret.counts.entry(value).or_insert(0) += 1;
        }
        secret
    }

    /// A number is the same however it is written, unless a hierarchy names its spellings.
    fn value(&self, text: &str) -> String {
        match place(self.kind, text) {
            Some(x) if self.tree.is_none() => x.to_string(),
            _ => text.to_owned(),
        }
    }

    /// Whether two texts are one value.
    pub fn same(&self, a: &str, b: &str) -> bool {
        self.value(a) == self.value(b)
    }

    /// What it counts as for p.
    fn sort(&self, text: &str) -> (bool, String) {
        let path = self.tree.as_ref().and_then(|tree| tree.paths.get(text));
        let above = path.and_then(|p| p.iter().rev().find(|label| self.protected.contains(label)));
        above.map_or_else(|| (false, self.value(text)), |label| (true, label.clone()))
    }

    /// The earth mover's distance between some counts and all.
    fn distance(&self, class: &BTreeMap<String, usize>) -> f64 {
        let (n, all): (usize, usize) = (class.values().sum(), self.counts.values().sum());
        let extra = |value: &String| {
            let share = |counts: &BTreeMap<String, usize>, n: usize| {
                counts.get(value).copied().unwrap_or(0) as f64 / n as f64
            };
            share(class, n) - share(&self.counts, all)
        };
        if class.keys().any(|value| !self.counts.contains_key(value)) {
            return f64::INFINITY;
        }
        match self.ground {
            None => 0.0,
            Some(Ground::Equal) => self.counts.keys().map(|v| extra(v).abs()).sum::<f64>() / 2.0,
            Some(Ground::Ordered) => {
                let mut sum = 0.0;
                let crossings: f64 = self
                    .ranked()
                    .iter()
                    .map(|value| {
                        sum += extra(value);
                        f64::abs(sum)
                    })
                    .sum();
                crossings / (self.counts.len() as f64 - 1.0).max(1.0)
            }
            Some(Ground::Hierarchical) => self.tree.as_ref().map_or(f64::NAN, |tree| {
                let mut cost = 0.0;
                let values: Vec<&String> = self.counts.keys().collect();
                climb(tree, &values, 1, &extra, &mut cost);
                cost / tree.height().max(1) as f64
            }),
        }
    }

    /// By how much the value that gains most is more frequent than among all, in shares of how frequent it is there.
    fn gain(&self, class: &BTreeMap<String, usize>) -> f64 {
        let ratios = class.iter().map(|(value, &times)| self.ratio(value, times, class));
        ratios.map(|ratio| ratio - 1.0).fold(0.0, f64::max)
    }

    /// How many times as frequent a value is in a class as among all, as a logarithm, where that is farthest from 0.
    fn logarithm(&self, class: &BTreeMap<String, usize>) -> f64 {
        let values: BTreeSet<&String> = self.counts.keys().chain(class.keys()).collect();
        let times = |value: &String| class.get(value).copied().unwrap_or(0);
        let logarithms = values.into_iter().map(|value| self.ratio(value, times(value), class).ln().abs());
        logarithms.fold(0.0, f64::max)
    }

    /// The share of a value in a class, over its share of all.
    fn ratio(&self, value: &str, times: usize, class: &BTreeMap<String, usize>) -> f64 {
        let (n, all): (usize, usize) = (class.values().sum(), self.counts.values().sum());
        let of_all = self.counts.get(value).copied().unwrap_or(0);
        (times * all) as f64 / (of_all * n) as f64
    }

    /// The values in their order; missing comes last.
    fn ranked(&self) -> Vec<String> {
        let mut values: Vec<String> = self.counts.keys().cloned().collect();
        let place_of = |value: &String| match (&self.tree, self.kind) {
            (Some(tree), Kind::Category) => tree.leaves.iter().position(|l| l == value).map(|at| at as f64),
            (Some(_), kind) => place(kind, value),
            (None, Kind::Date) => value.parse().ok(),
            (None, _) => place(Kind::Decimal, value),
        };
        values.sort_by(|a, b| {
            let key = |v: &String| place_of(v).filter(|_| !v.is_empty()).unwrap_or(f64::INFINITY);
            key(a).total_cmp(&key(b)).then_with(|| a.cmp(b))
        });
        values
    }
}

/// What moves through the node that shares `at` labels with the root, and what that costs; returns what is left over.
fn climb(tree: &Tree, values: &[&String], at: usize, extra: &dyn Fn(&String) -> f64, cost: &mut f64) -> f64 {
    let mut children: BTreeMap<(bool, &str), Vec<&String>> = BTreeMap::new();
    for value in values {
        let path = &tree.paths[*value];
        let label = &path[path.len() - 1 - at];
        children.entry((path.len() == at + 1, label)).or_default().push(value);
    }
    let (mut much, mut little) = (0.0, 0.0);
    for ((is_leaf, _), below) in &children {
        let rest = if *is_leaf { extra(below[0]) } else { climb(tree, below, at + 1, extra, cost) };
        if rest > 0.0 { much += rest } else { little -= rest }
    }
    *cost += height(tree, values[0], at) as f64 * f64::min(much, little);
    much - little
}

/// The longest way down from the node that shares `at` labels with the root on the path of this value; all values of the
/// hierarchy count, whether the table has them or not.
fn height(tree: &Tree, value: &str, at: usize) -> usize {
    let top = |path: &Vec<String>| path[path.len() - at..].to_vec();
    let node = top(&tree.paths[value]);
    let below = |path: &&Vec<String>| path.len() > at && top(path) == node;
    let real = tree.paths.iter().filter(|(v, _)| !v.is_empty() || value.is_empty()).map(|(_, p)| p);
    real.filter(below).map(|path| path.len() - at).max().unwrap_or(0)
}

/// What demands see of a class.
pub struct Class<'a> {
    /// Whose each row is.
    pub people: Vec<String>,
    /// Per sensitive column, its texts.
    pub texts: Vec<Vec<&'a str>>,
}

/// The demands of a case on the sensitive values of a class.
pub struct Demands<'a> {
    asked: &'a Asked,
    /// The sensitive columns.
    pub secrets: Vec<Secret>,
}

impl<'a> Demands<'a> {
    /// The demands of a case.
    pub fn new(original: &Original<'a>) -> Self {
        let case = original.case;
        let secret = |c| Secret::new(c, original);
        Self { asked: &case.asked, secrets: case.of(Role::Sensitive).map(secret).collect() }
    }

    /// What a class falls short of.
    pub fn short(&self, class: &Class<'_>) -> Option<String> {
        let size = class.people.iter().collect::<BTreeSet<_>>().len();
        if size < self.asked.k as usize {
            return Some(format!("k: a class of {size}"));
        }
        let columns = self.secrets.iter().zip(&class.texts);
        columns.into_iter().find_map(|(secret, texts)| self.short_in(secret, &class.people, texts))
    }

    /// Whether a value counts towards numbers of values and shares: a missing one does not, unless the job says so.
    fn is_counted(&self, text: &str) -> bool {
        self.asked.count_missing || !text.trim().is_empty()
    }

    /// How many sorts of values there are.
    pub fn sorts(&self, column: usize, texts: &[&str]) -> usize {
        texts
            .iter()
            .filter(|t| self.is_counted(t))
            .map(|t| self.secrets[column].sort(t))
            .collect::<BTreeSet<_>>()
            .len()
    }

    fn short_in(&self, secret: &Secret, people: &[String], texts: &[&str]) -> Option<String> {
        let pairs = || people.iter().map(String::as_str).zip(texts.iter().copied());
        let counts = |counted: &dyn Fn(&str) -> bool| {
            let counted = pairs().filter(|(_, text)| counted(text));
            // What somebody has in several rows counts once.
            let pairs: BTreeSet<(&str, String)> =
                counted.map(|(person, text)| (person, secret.value(text))).collect();
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for (_, value) in pairs {
                *counts.entry(value).or_insert(0) += 1;
            }
            counts
        };
        let (all, present) = (counts(&|_| true), counts(&|text| self.is_counted(text)));
        let counted = || pairs().filter(|(_, text)| self.is_counted(text));
        let numbers = Numbers {
            sorts: assignable(counted().map(|(person, text)| (person, secret.sort(text)))),
            values: assignable(counted().map(|(person, text)| (person, secret.value(text)))),
            people: counted().map(|(person, _)| person).collect::<BTreeSet<_>>().len(),
        };
        let of_all = self.asked.p.map(Demand::P);
        of_all.iter().chain(&secret.demands).find_map(|demand| {
            let compared = matches!(demand, Demand::Close(..) | Demand::Likeness(_) | Demand::Disclosure(_));
            secret.short_of(*demand, &numbers, if compared { &all } else { &present })
        })
    }
}

/// What is counted of a class besides how often values occur.
struct Numbers {
    /// Sorts of values that different people have.
    sorts: usize,
    /// Values that different people have.
    values: usize,
    /// People who have a value.
    people: usize,
}

/// How many values can be given to different people, each to one who has it: one after the other gets somebody, whose value may
/// have to move on to somebody else.
fn assignable<'p, V: Ord>(pairs: impl Iterator<Item = (&'p str, V)>) -> usize {
    fn give<'p>(
        value: usize,
        owners: &[BTreeSet<&'p str>],
        seen: &mut BTreeSet<&'p str>,
        of: &mut BTreeMap<&'p str, usize>,
    ) -> bool {
        for &person in &owners[value] {
            if seen.insert(person)
                && of.get(person).copied().is_none_or(|other| give(other, owners, seen, of))
            {
                of.insert(person, value);
                return true;
            }
        }
        false
    }
    let mut owners: BTreeMap<V, BTreeSet<&str>> = BTreeMap::new();
    for (person, value) in pairs {
        owners.entry(value).or_default().insert(person);
    }
    let owners: Vec<BTreeSet<&str>> = owners.into_values().collect();
    let mut of = BTreeMap::new();
    (0..owners.len()).filter(|&value| give(value, &owners, &mut BTreeSet::new(), &mut of)).count()
}

impl Secret {
    /// What a class falls short of, given how often each value occurs.
    fn short_of(
        &self,
        demand: Demand,
        numbers: &Numbers,
        counts: &BTreeMap<String, usize>,
    ) -> Option<String> {
        let mut sizes: Vec<usize> = counts.values().copied().collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let most = sizes.first().copied().unwrap_or(0) as f64;
        let n = sizes.iter().sum::<usize>() as f64;
        // Whether it is met, what it is called, and what was found; what is not a number meets nothing.
        let (met, kind, found) = match demand {
            Demand::P(p) => (p <= 1 || numbers.sorts >= p as usize, "p", numbers.sorts as f64),
            Demand::Distinct(l) => (l <= 1 || numbers.values >= l as usize, "l", numbers.values as f64),
            Demand::Entropy(l) => {
                let shares = sizes.iter().map(|&c| c as f64 / n);
                let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
                (entropy >= l.ln() - EPSILON, "l", entropy)
            }
            Demand::Recursive(c, l) => {
                let tail = sizes.iter().skip(l as usize - 1).sum::<usize>() as f64;
                (most < c * tail, "l", tail)
            }
            Demand::Alpha(alpha) => {
                let people = numbers.people as f64;
                (most <= alpha * people + EPSILON, "alpha", most / people)
            }
            Demand::Close(t, _) => {
                let far = self.distance(counts);
                (far <= t + EPSILON, "t", far)
            }
            Demand::Likeness(beta) => {
                let gain = self.gain(counts);
                (gain <= beta + EPSILON, "beta", gain)
            }
            Demand::Disclosure(delta) => {
                let far = self.logarithm(counts);
                (far < delta + EPSILON, "delta", far)
            }
        };
        (!met).then(|| format!("{kind}: {demand:?} of '{}', found {found} in {sizes:?}", self.name))
    }
}
