//! What is measured: every algorithm with its plain loop.

use kohort::algorithm::{
    ALGORITHMS, Algorithm, Cut, EqualRows, FirstSeed, Fixed, Goal, KType, Rule, Settings, Start,
};
use kohort::data::Cell;
use kohort::demand::{Demands, Model};
use kohort::solution::{Levels, Solution};

use anyhow::{Context, Result};

use crate::over_codes;
use crate::plain::agglomerative_cached::agglomerative_cached;
use crate::plain::enhanced_pk::enhanced_pk;
use crate::plain::forest::forest;
use crate::plain::global_walk::global_walk;
use crate::plain::greedy_pk::greedy_pk;
use crate::plain::incognito::incognito;
use crate::plain::k_member::k_member;
use crate::plain::k_type::{k1_expansion, k1_nearest, one_k};
use crate::plain::kaca::kaca;
use crate::plain::mondrian::mondrian;
use crate::plain::oka::oka;
use crate::plain::systematic::systematic;
use crate::plain::{Plain, numbered};

/// An algorithm with one choice of its settings.
pub(crate) struct Case {
    pub(crate) algorithm: &'static str,
    /// Its distance, its cut, or another loop that it meets; empty where it has none.
    pub(crate) variant: &'static str,
    /// What `variant` is called among its settings.
    setting: &'static str,
    /// Different sensitive values asked for; 1 asks for none.
    pub(crate) p: usize,
    /// None where the loop could not be run on any table of interest.
    pub(crate) plain: Option<PlainLoop>,
    /// With which power of the rows the plain loop is expected to grow.
    pub(crate) power: f64,
    /// The most attributes that are tried.
    pub(crate) attributes: usize,
}

pub(crate) type PlainLoop = fn(&Plain<'_>) -> Solution;

/// `greedy-cka` is missing: it is another name of `k-member`.
pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("k-member", |p| clusters(p, &k_member(p, FirstSeed::Row, 0))),
        Case { variant: "codes", ..case("k-member", |p| clusters(p, &over_codes::k_member(p))) },
        Case { p: 2, ..case("greedy-pk", |p| clusters(p, &greedy_pk(p, 0))) },
        Case { p: 2, ..case("enhanced-pk", |p| clusters(p, &enhanced_pk(p, 0))) },
        case("oka", |p| clusters(p, &oka(p, 0))),
        case("systematic", |p| clusters(p, &systematic(p, Rule::Loss, 0))),
        case("systematic-plus", |p| clusters(p, &systematic(p, Rule::Increase, 0))),
        case("kaca", |p| clusters(p, &kaca(p, 0, None, 0))),
        by_distance("agglomerative", "1", |p| merged(p, 1, false)),
        by_distance("agglomerative", "2", |p| merged(p, 2, false)),
        by_distance("agglomerative", "3", |p| merged(p, 3, false)),
        by_distance("agglomerative", "4", |p| merged(p, 4, false)),
        by_distance("agglomerative-modified", "1", |p| merged(p, 1, true)),
        by_distance("agglomerative-modified", "2", |p| merged(p, 2, true)),
        by_distance("agglomerative-modified", "3", |p| merged(p, 3, true)),
        by_distance("agglomerative-modified", "4", |p| merged(p, 4, true)),
        case("forest", |p| clusters(p, &forest(p))),
        by_cut("strict", |p| clusters(p, &mondrian(p, Cut::Strict))),
        by_cut("relaxed", |p| clusters(p, &mondrian(p, Cut::Relaxed))),
        // With more columns the lattice has millions of vectors, and the loop looks at all of them.
        Case { power: 1.0, attributes: 8, ..case("incognito", levels) },
        case("k1-nearest", |p| tuples(k1_nearest(p))),
        case("k1-expansion", |p| tuples(k1_expansion(p))),
        // The loop tries every tuple above every row on all rows: millions of tuples where a column has intervals.
        Case { plain: None, attributes: 8, ..case("k1-optimal", |_| tuples(Vec::new())) },
        case("1k", |p| tuples(one_k(p, rows(p)))),
        case("kk-nearest", |p| tuples(one_k(p, k1_nearest(p)))),
        case("kk-expansion", |p| tuples(one_k(p, k1_expansion(p)))),
        case("global-1k", |p| tuples(global_walk(p, one_k(p, k1_expansion(p))))),
    ]
}

fn case(algorithm: &'static str, plain: PlainLoop) -> Case {
    let (variant, setting) = ("", "");
    Case { algorithm, variant, setting, p: 1, plain: Some(plain), power: 2.0, attributes: usize::MAX }
}

fn by_distance(algorithm: &'static str, variant: &'static str, plain: PlainLoop) -> Case {
    Case { variant, setting: "distance", ..case(algorithm, plain) }
}

fn by_cut(variant: &'static str, plain: PlainLoop) -> Case {
    Case { variant, setting: "cut", power: 1.0, ..case("mondrian", plain) }
}

impl Case {
    /// The algorithm and, after a slash, its variant.
    pub(crate) fn name(&self) -> String {
        let separator = if self.variant.is_empty() { "" } else { "/" };
        format!("{}{separator}{}", self.algorithm, self.variant)
    }

    pub(crate) fn find(name: &str) -> Result<Self> {
        cases()
            .into_iter()
            .find(|case| case.name() == name)
            .with_context(|| format!("there is no case '{name}'"))
    }

    /// The form that is shipped; tuples as the paper leaves off with them, before they are refined.
    pub(crate) fn shipped(&self) -> Result<Box<dyn Algorithm>> {
        let of_paper = |start, goal| Ok(Box::new(KType { start, goal, refine: false }) as Box<dyn Algorithm>);
        match self.algorithm {
            "kk-nearest" => return of_paper(Start::Nearest, Goal::Both),
            "kk-expansion" => return of_paper(Start::Expansion, Goal::Both),
            "global-1k" => return of_paper(Start::Expansion, Goal::Global),
            _ => {}
        }
        let entry = ALGORITHMS.iter().find(|entry| entry.name == self.algorithm);
        let pairs = (!self.setting.is_empty()).then(|| (self.setting.to_owned(), self.variant.to_owned()));
        Ok((entry.context("no such algorithm")?.make)(&Settings::new(pairs))?)
    }
}

fn clusters(plain: &Plain<'_>, lists: &[Vec<u32>]) -> Solution {
    Solution::Clusters(numbered(plain.table.rows, lists))
}

/// Row by row with a nearest neighbour per cluster: O(n³) without it would be no opponent.
fn merged(plain: &Plain<'_>, distance: u8, modified: bool) -> Solution {
    clusters(plain, &agglomerative_cached(plain, distance, 0.1, modified, EqualRows::Lend))
}

fn tuples(tuples: Vec<Vec<Cell>>) -> Solution {
    Solution::PerRecord(tuples)
}

fn rows(plain: &Plain<'_>) -> Vec<Vec<Cell>> {
    (0..plain.table.rows as u32).map(|row| plain.leaf(row)).collect()
}

fn levels(plain: &Plain<'_>) -> Solution {
    let demands =
        Demands::from(vec![Model::KAnonymity { k: plain.k as u32 }]).bind(plain.table).expect("k alone");
    let answer = incognito(plain, 0, &Fixed::new(), &demands);
    let (chosen, suppressed) = answer.chosen.unwrap_or_default();
    let at_least = Some(answer.cost);
    let found =
        Levels { chosen, suppressed, complete: true, cost: answer.cost, at_least, ..Levels::default() };
    Solution::Levels(found)
}
