//! Sensitive columns as texts, and demands on them in whole numbers: what a class must satisfy by the definitions of
//! `algorithms.md` §8, sharing nothing with the library but the names of the demands.

use std::collections::{BTreeMap, BTreeSet};

use kohort::data::{Ground, Hierarchy, Kind, MissingSensitive, Sensitive, Table};
use kohort::demand::Model;
use kohort::input::{ColumnSpec, JobSpec, Scalar, SensitiveSpec, sensitive};
use kohort::model::BoundDemands;
use proptest::collection::vec;
use proptest::prelude::*;

use super::draw::{Shape, column_of, tree, value};
use super::plain::models::{farthest_logarithm, largest_gain, transport};

/// A sensitive column: what it is, one text per row, and what is protected together.
#[derive(Debug, Clone)]
pub(crate) struct Secret {
    pub(crate) shape: Shape,
    pub(crate) texts: Vec<String>,
    pub(crate) protected: Vec<String>,
    /// How far its values are apart.
    pub(crate) ground: Ground,
    /// What a missing value counts.
    pub(crate) missing: MissingSensitive,
}

/// One demand. Shares and distances are in twentieths, so that a class that meets one exactly does meet it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Demand {
    P(u32),
    Distinct(u32),
    /// In halves.
    Entropy(u32),
    /// c in quarters, and l.
    Recursive(u32, u32),
    Alpha(u32),
    T(u32),
    /// In quarters.
    Beta(u32),
    /// In quarters.
    Delta(u32),
}

/// How far two values are apart.
type Apart<'a> = Box<dyn Fn(&str, &str) -> u64 + 'a>;

/// What is asked of every class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Demands {
    pub(crate) k: u32,
    pub(crate) all: Vec<Demand>,
    /// The column of which alone the last demand is asked, counted round the sensitive ones; all of them where there is none.
    pub(crate) only: Option<u8>,
}

/// A column of so many rows: a tree of any shape, categories, or numbers in several spellings; often skewed, sometimes
/// with holes.
pub(crate) fn secrets(rows: usize) -> impl Strategy<Value = Secret> {
    let choices = vec(any::<u8>(), 24);
    (0..4u8, 1..7u32, 0..4u8, vec(0..840u32, rows), choices, vec(any::<u8>(), 0..=2)).prop_map(
        move |(kind, span, form, values, mut choices, marks)| {
            // No value is called like a group: texts alone must tell them apart.
            choices[23] = 1;
            let hole = |v: u32| form % 2 == 0 && (v / span).is_multiple_of(5);
            let skew = |v: u32| if form >= 2 && !(v / 7).is_multiple_of(3) { 0 } else { v % span };
            let of = |v: u32| match kind {
                0 | 1 => value(skew(v), &choices),
                2 => format!("c{}", skew(v)),
                _ => {
                    if v.is_multiple_of(5) {
                        format!("{:02}", skew(v))
                    } else {
                        skew(v).to_string()
                    }
                }
            };
            let texts = values.iter().map(|&v| if hole(v) { String::new() } else { of(v) }).collect();
            let (shape, grounds) = match kind {
                0 | 1 => {
                    let all = [Ground::Hierarchical, Ground::Equal, Ground::Ordered];
                    (Shape::Tree(tree(span, &choices)), all.to_vec())
                }
                2 => (Shape::Flat, vec![Ground::Equal]),
                _ => (Shape::Number(Kind::Integer), vec![Ground::Ordered, Ground::Equal]),
            };
            let ground = grounds[usize::from(choices[22]) % grounds.len()];
            let labels: Vec<&String> =
                if let Shape::Tree(paths) = &shape { paths.iter().flatten().collect() } else { Vec::new() };
            let marks = marks.into_iter().filter(|_| !labels.is_empty());
            let protected = marks.map(|m| labels[usize::from(m) % labels.len()].clone()).collect();
            // The same for all columns of a table: it is said of the whole job.
            let missing =
                if rows.is_multiple_of(3) { MissingSensitive::Count } else { MissingSensitive::Ignore };
            Secret { shape, texts, protected, ground, missing }
        },
    )
}

fn demand() -> impl Strategy<Value = Demand> {
    prop_oneof![
        (2..=3u32).prop_map(Demand::Distinct),
        (2..=6u32).prop_map(Demand::Entropy),
        (1..=12u32, 1..=3u32).prop_map(|(c, l)| Demand::Recursive(c, l)),
        (3..=19u32).prop_map(Demand::Alpha),
        (0..=10u32).prop_map(Demand::T),
        (1..=12u32).prop_map(Demand::Beta),
        (1..=8u32).prop_map(Demand::Delta),
    ]
}

/// k, sometimes p, and one or two others that do not say the same.
pub(crate) fn demands() -> impl Strategy<Value = Demands> {
    let others = vec(demand(), 1..=2).prop_filter("one of each", |all| {
        all.len() < 2 || std::mem::discriminant(&all[0]) != std::mem::discriminant(&all[1])
    });
    let only = prop::option::weighted(0.3, any::<u8>());
    (2..=4u32, prop::option::weighted(0.3, 2..=3u32), others, only).prop_map(|(k, p, others, only)| {
        let fit = |d: Demand| if let Demand::Distinct(l) = d { Demand::Distinct(l.min(k)) } else { d };
        let p = p.map(|p| Demand::P(p.min(k)));
        Demands { k, all: p.into_iter().chain(others.into_iter().map(fit)).collect(), only }
    })
}

impl Demand {
    /// As a job file writes it.
    fn text(self) -> String {
        match self {
            Self::P(n) => n.to_string(),
            Self::Distinct(l) => format!("distinct:{l}"),
            Self::Entropy(halves) => format!("entropy:{}", f64::from(halves) / 2.0),
            Self::Recursive(c, l) => format!("recursive:{},{l}", f64::from(c) / 4.0),
            Self::Alpha(twentieths) | Self::T(twentieths) => format!("{}", f64::from(twentieths) / 20.0),
            Self::Beta(quarters) | Self::Delta(quarters) => format!("{}", f64::from(quarters) / 4.0),
        }
    }

    /// As the library has it; distances are those of the columns.
    pub(crate) fn model(self) -> Model {
        match self {
            Self::P(p) => Model::PSensitive { p },
            Self::Distinct(_) | Self::Entropy(_) | Self::Recursive(..) => {
                Model::read("l-diversity", &self.text()).unwrap()
            }
            Self::Alpha(_) => Model::read("alpha", &self.text()).unwrap(),
            Self::T(_) => Model::read("t-closeness", &self.text()).unwrap(),
            Self::Beta(_) => Model::read("beta-likeness", &self.text()).unwrap(),
            Self::Delta(_) => Model::read("delta-disclosure", &self.text()).unwrap(),
        }
    }

    /// Whether some rows satisfy it, in a table of which `all` are not published as they are.
    pub(crate) fn holds(self, secret: &Secret, rows: &[usize], all: &[usize]) -> bool {
        let of_shares = matches!(
            self,
            Self::P(_) | Self::Distinct(_) | Self::Entropy(_) | Self::Recursive(..) | Self::Alpha(_)
        );
        let present: Vec<usize> = rows.iter().copied().filter(|&row| secret.is_counted(row)).collect();
        let rows = if of_shares { &present } else { rows };
        let counts = secret.counts(rows);
        let (n, most) = (rows.len() as u64, counts.values().copied().max().unwrap_or(0));
        match self {
            Self::P(p) => secret.kinds(rows) >= p as usize,
            Self::Distinct(l) => counts.len() >= l as usize,
            Self::Entropy(halves) => {
                let share = |c: u64| c as f64 / n as f64;
                let entropy: f64 = counts.values().map(|&c| -share(c) * share(c).ln()).sum();
                entropy >= (f64::from(halves) / 2.0).ln() - 1e-9
            }
            Self::Recursive(c, l) => {
                let mut falling: Vec<u64> = counts.values().copied().collect();
                falling.sort_unstable_by(|a, b| b.cmp(a));
                let tail: u64 = falling.iter().skip(l as usize - 1).sum();
                falling.len() >= l as usize && 4 * most < u64::from(c) * tail
            }
            Self::Alpha(twentieths) => 20 * most <= u64::from(twentieths) * n,
            Self::T(twentieths) => {
                let (moved, of) = secret.moved(rows, all);
                20 * moved <= u64::from(twentieths) * of
            }
            Self::Beta(quarters) => {
                let (table, rows) = (secret.counts(all), all.len() as u64);
                // (c/n - C/N) / (C/N) ≤ β, times everything.
                let fits = |(value, &c): (&String, &u64)| {
                    let of_table = table.get(value).copied().unwrap_or(0) * n;
                    4 * c * rows <= (4 + u64::from(quarters)) * of_table
                };
                counts.iter().all(fits)
            }
            Self::Delta(quarters) => {
                let (table, rows) = (secret.counts(all), all.len() as f64);
                let log = |(value, &of_table): (&String, &u64)| {
                    let share = counts.get(value).copied().unwrap_or(0) as f64 / n as f64;
                    (share / (of_table as f64 / rows)).ln().abs()
                };
                table.iter().map(log).all(|far| far < f64::from(quarters) / 4.0)
            }
        }
    }
}

impl Demands {
    /// As the library has them, about a table.
    pub(crate) fn models(&self, table: &Table) -> BoundDemands {
        let demands = kohort::demand::Demands::from(vec![Model::KAnonymity { k: self.k }]);
        let names: Vec<&str> = table.sensitive.iter().map(|s| s.name.as_str()).collect();
        let asked = self.all.iter().enumerate().map(|(place, demand)| kohort::demand::Demand {
            model: demand.model(),
            column: self.column(place, names.len()).map(|at| names[at].to_owned()),
        });
        asked.fold(demands, kohort::demand::Demands::anyway).bind(table).unwrap()
    }

    /// The column of which alone the demand at this place is asked.
    fn column(&self, place: usize, columns: usize) -> Option<usize> {
        self.only.filter(|_| place + 1 == self.all.len()).map(|only| usize::from(only) % columns)
    }

    /// Whether the demand at this place is asked of a column.
    fn is_about(&self, place: usize, column: usize, columns: usize) -> bool {
        self.column(place, columns).is_none_or(|only| only == column)
    }

    /// Whether some rows may be a class.
    pub(crate) fn hold(&self, secrets: &[Secret], rows: &[usize], all: &[usize]) -> bool {
        rows.len() >= self.k as usize
            && secrets.iter().enumerate().all(|(column, s)| {
                let asked = self.all.iter().enumerate();
                let asked = asked.filter(|(place, _)| self.is_about(*place, column, secrets.len()));
                asked.map(|(_, d)| d).all(|d| d.holds(s, rows, all))
            })
    }

    pub(crate) fn p(&self) -> Option<u32> {
        self.all.iter().find_map(|d| if let Demand::P(p) = d { Some(*p) } else { None })
    }

    /// Puts them into a job, with what it must know about the columns `s0`, `s1` and so on.
    pub(crate) fn ask(&self, job: &mut JobSpec, secrets: &[Secret]) {
        job.k = Some(self.k);
        job.p = self.p();
        job.missing_sensitive = secrets.first().map(|s| s.missing);
        for (place, demand) in self.all.iter().enumerate() {
            let at = self.column(place, secrets.len()).map_or_else(String::new, |i| format!("@s{i}"));
            let text = |ground: String| Scalar::Text(demand.text() + &ground + &at);
            match demand {
                Demand::P(_) => {}
                Demand::Distinct(_) | Demand::Entropy(_) | Demand::Recursive(..) => {
                    job.l_diversity.push(text(String::new()));
                }
                Demand::Alpha(_) => job.alpha.push(text(String::new())),
                Demand::T(_) => {
                    let one = secrets.iter().all(|s| s.ground == secrets[0].ground);
                    let ground = if one { format!(":{}", secrets[0].ground.name()) } else { String::new() };
                    job.t_closeness.push(text(ground));
                }
                Demand::Beta(_) => job.beta_likeness.push(text(String::new())),
                Demand::Delta(_) => job.delta_disclosure.push(text(String::new())),
            }
        }
        for (i, secret) in secrets.iter().enumerate() {
            let one = secrets.iter().all(|s| s.ground == secrets[0].ground);
            let mut entry = secret.entry(if one { secrets[0].ground } else { Ground::Equal });
            // Only p counts what is protected.
            entry.protected = entry.protected.filter(|_| self.p().is_some_and(|p| p > 1));
            job.columns.insert(format!("s{i}"), entry);
        }
    }
}

impl Secret {
    /// Whether the value of a row counts towards numbers of values and shares.
    pub(crate) fn is_counted(&self, row: usize) -> bool {
        self.missing == MissingSensitive::Count || !self.texts[row].is_empty()
    }

    fn entry(&self, asked: Ground) -> ColumnSpec {
        ColumnSpec {
            kind: if let Shape::Number(kind) = self.shape { Some(kind) } else { None },
            protected: (!self.protected.is_empty()).then(|| self.protected.clone()),
            closeness: Some(self.ground).filter(|&g| g != asked),
            ..ColumnSpec::default()
        }
    }

    /// The column as the library encodes it.
    pub(crate) fn encoded(&self, name: &str) -> Sensitive {
        let hierarchy = match &self.shape {
            Shape::Tree(paths) => Some(Hierarchy::from_paths(name, paths.clone()).unwrap()),
            _ => None,
        };
        let spec = SensitiveSpec {
            is_text: true,
            kind: if let Shape::Number(kind) = self.shape { Some(kind) } else { None },
            spelling: None,
            hierarchy,
            protected: self.protected.clone(),
            ground: Some(self.ground),
            keep_texts: true,
            na: Vec::new(),
            missing: self.missing,
        };
        sensitive(column_of(name, &self.texts), spec, "sheet").unwrap()
    }

    /// The value of a row; one number may be written in several ways.
    fn value(&self, row: usize) -> String {
        let text = &self.texts[row];
        match &self.shape {
            Shape::Number(_) if !text.is_empty() => text.parse::<usize>().unwrap().to_string(),
            _ => text.clone(),
        }
    }

    fn counts(&self, rows: &[usize]) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for &row in rows {
            *counts.entry(self.value(row)).or_default() += 1;
        }
        counts
    }

    /// The values of some rows as codes.
    fn codes(&self, rows: &[usize]) -> Vec<u32> {
        let all: BTreeSet<String> = (0..self.texts.len()).map(|row| self.value(row)).collect();
        let code = |&row: &usize| all.iter().position(|v| *v == self.value(row)).unwrap() as u32;
        rows.iter().map(code).collect()
    }

    /// How much the value that gains most is more frequent in a class than in the table.
    pub(crate) fn largest_gain(&self, class: &[usize], all: &[usize]) -> f64 {
        largest_gain(&self.codes(class), &self.codes(all))
    }

    /// How far the frequency of a value is from that in the table, by its logarithm.
    pub(crate) fn farthest_logarithm(&self, class: &[usize], all: &[usize]) -> f64 {
        farthest_logarithm(&self.codes(class), &self.codes(all))
    }

    /// The labels from a value to the root; a missing one lies right below it.
    fn path(&self, text: &str) -> Vec<String> {
        match &self.shape {
            Shape::Tree(paths) if text.is_empty() => {
                vec![String::new(), paths[0][paths[0].len() - 1].clone()]
            }
            Shape::Tree(paths) => paths.iter().find(|p| p[0] == text).unwrap().clone(),
            _ => vec![text.to_owned()],
        }
    }

    /// What p counts: the topmost protected label above a value, or the value.
    pub(crate) fn kinds(&self, rows: &[usize]) -> usize {
        let kind = |&row: &usize| {
            let path = self.path(&self.value(row));
            path.iter().rfind(|label| self.protected.contains(label)).unwrap_or(&path[0]).clone()
        };
        rows.iter().filter(|&&row| self.is_counted(row)).map(kind).collect::<BTreeSet<String>>().len()
    }

    /// The least that must be moved, and how far, to make the class look like the table; and what that would be if all of
    /// it went all the way.
    pub(crate) fn moved(&self, class: &[usize], all: &[usize]) -> (u64, u64) {
        let (of_class, of_all) = (self.counts(class), self.counts(all));
        let values: Vec<&str> = of_all.keys().map(String::as_str).collect();
        let times = |counts: &BTreeMap<String, u64>, text: &str| counts.get(text).copied().unwrap_or(0);
        let supply: Vec<u64> = values.iter().map(|v| times(&of_class, v) * all.len() as u64).collect();
        let demand: Vec<u64> = values.iter().map(|v| times(&of_all, v) * class.len() as u64).collect();
        let (apart, farthest) = self.distances(&values);
        let cost = transport(&supply, &demand, |i, j| apart(values[i], values[j]));
        (cost, class.len() as u64 * all.len() as u64 * farthest.max(1))
    }

    /// How far two values are apart, and how far they can be.
    fn distances<'a>(&'a self, values: &[&'a str]) -> (Apart<'a>, u64) {
        match self.ground {
            Ground::Equal => (Box::new(|a, b| u64::from(a != b)), 1),
            Ground::Ordered => {
                let places: BTreeSet<Vec<usize>> = values.iter().map(|v| self.place(v)).collect();
                let farthest = places.len() as u64 - 1;
                let rank = move |v: &str| places.iter().position(|p| *p == self.place(v)).unwrap() as u64;
                (Box::new(move |a, b| rank(a).abs_diff(rank(b))), farthest)
            }
            Ground::Hierarchical => {
                let mut paths: Vec<Vec<String>> = values.iter().map(|v| self.path(v)).collect();
                if let Shape::Tree(all) = &self.shape {
                    paths.extend(all.iter().cloned());
                }
                let farthest = paths.iter().map(Vec::len).max().unwrap_or(1) as u64 - 1;
                (Box::new(move |a, b| height(&paths, &self.path(a), &self.path(b))), farthest)
            }
        }
    }

    /// Where a value stands: numbers by size, others as the lines of the tree list them; missing ones come last.
    fn place(&self, text: &str) -> Vec<usize> {
        match &self.shape {
            _ if text.is_empty() => vec![usize::MAX],
            Shape::Tree(paths) => {
                let path = self.path(text);
                // Where each node on the way down is first mentioned.
                let first = |at: usize| paths.iter().position(|p| p.ends_with(&path[at..])).unwrap();
                (0..path.len()).rev().map(first).collect()
            }
            _ => vec![text.parse().unwrap()],
        }
    }
}

/// How high the lowest node above two values is: the longest way down from it.
fn height(paths: &[Vec<String>], a: &[String], b: &[String]) -> u64 {
    if a == b {
        return 0;
    }
    let shared = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let below = paths.iter().filter(|p| p.ends_with(&a[a.len() - shared..]));
    below.map(|p| p.len() - shared).max().unwrap() as u64
}
