//! Full-domain generalization: the shipped search gives what looking at the whole lattice gives.

use std::sync::atomic::{AtomicU32, Ordering};

use super::common::draw::{Drawn, Shape, Sheet, mostly_small, sheets};
use super::common::fixed;
use super::common::plain::Plain;
use super::common::plain::incognito::{Answer, incognito};
use kohort::algorithm::{Algorithm, Fixed, Incognito, Observer, Problem, Quiet, Run, Signal};
use kohort::data::{Boundary, Cell, Domain, Ground, Table};
use kohort::demand::{Demands, Model};
use kohort::error::Error;
use kohort::measure::Measure;
use kohort::model::BoundDemands;
use kohort::solution::{Levels, Solution};
use kohort::space::Space;
use proptest::collection::vec;
use proptest::prelude::*;

/// What is asked of a table.
#[derive(Debug, Clone)]
struct Ask {
    measure: Measure,
    k: usize,
    p: usize,
    quota: usize,
    /// A demand that only survives merging, sometimes.
    extra: Option<Model>,
    /// Marks, cuts and widths, for the columns whose first number says so.
    boundaries: Vec<(u8, u8)>,
    /// Levels that are fixed, for the columns whose number is one.
    fixed: Vec<u32>,
}

fn asks() -> impl Strategy<Value = Ask> {
    let all = [Measure::Il, Measure::Lm, Measure::Entropy, Measure::Whd { beta: 1.0 }, Measure::Ncp];
    let k = prop_oneof![6 => 2..=5usize, 1 => 6..=12usize, 1 => Just(usize::MAX)];
    let quota = prop_oneof![2 => Just(0usize), 2 => 1..=6usize, 1 => Just(usize::MAX)];
    let boundaries = prop_oneof![2 => Just(Vec::new()), 1 => vec((0..4u8, any::<u8>()), 6)];
    let extras = vec![
        Model::EntropyL { l: 1.8 },
        Model::RecursiveL { c: 2.0, l: 2 },
        Model::AlphaK { alpha: 0.6 },
        Model::TCloseness { t: 0.3, ground: Ground::Equal },
        Model::DistinctL { l: 2 },
    ];
    let extra = prop_oneof![1 => Just(None), 1 => proptest::sample::select(extras).prop_map(Some)];
    let fixed = prop_oneof![2 => Just(Vec::new()), 1 => vec(0..8u32, 6)];
    (proptest::sample::select(all.to_vec()), k, 1..=3usize, quota, extra, boundaries, fixed).prop_map(
        |(measure, k, p, quota, extra, boundaries, fixed)| Ask {
            measure,
            k,
            p,
            quota,
            extra,
            boundaries,
            fixed,
        },
    )
}

impl Ask {
    /// k-anonymity alone.
    fn plain(measure: Measure, k: usize, quota: usize) -> Self {
        Self { measure, k, p: 1, quota, extra: None, boundaries: Vec::new(), fixed: Vec::new() }
    }

    fn fixed(&self, table: &Table) -> Fixed {
        let said = table.qi.iter().zip(&self.fixed).filter(|(q, level)| **level <= q.attribute.height());
        said.map(|(q, &level)| (q.attribute.name.clone(), level)).collect()
    }
}

fn bounded(sheet: &Sheet, ask: &Ask) -> Table {
    let mut table = sheet.table();
    for (q, &(kind, choice)) in table.qi.iter_mut().zip(&ask.boundaries) {
        q.attribute.boundary = match &q.attribute.domain {
            _ if kind > 1 => None,
            Domain::Tree(h) => Some(Boundary::Nodes(vec![
                u32::from(choice) % h.len() as u32,
                u32::from(choice / 3) % h.len() as u32,
            ])),
            Domain::Interval(n) if kind == 0 && !n.is_empty() => {
                let code = u32::from(choice) % n.len();
                // At a line of the grid, if there is one.
                let cut = n.bounds(Cell { lo: code, hi: code }).0;
                Some(Boundary::Line { cuts: vec![cut], width: None })
            }
            Domain::Interval(n) => Some(Boundary::Line {
                cuts: Vec::new(),
                width: Some(n.range() * f64::from(choice % 5) / 4.0),
            }),
        };
    }
    table
}

/// The demands as far as the table can meet them at all.
fn demands(table: &Table, ask: &Ask) -> Option<BoundDemands> {
    let k = ask.k.min(table.rows).max(2);
    let fewest = table.sensitive.iter().map(|s| s.distinct as usize).min().unwrap_or(1);
    let models = Demands::new(k as u32, Some(ask.p.min(fewest).min(k) as u32)).ok()?;
    let models = match ask.extra {
        Some(extra) if !table.sensitive.is_empty() => models.and(extra).ok()?,
        _ => models,
    };
    let models = models.bind(table).ok()?;
    models.check_solvable(table, ask.quota > 0).is_ok().then_some(models)
}

/// How the shipped search is called: for the list of all minimal solutions, or for the best alone, with a budget.
#[derive(Debug, Clone, Copy)]
enum Call {
    Every,
    Best(Option<u64>),
}

fn shipped(
    table: &Table,
    ask: &Ask,
    models: &BoundDemands,
    call: Call,
    watch: &dyn Observer,
) -> Result<Levels, Error> {
    let costs = ask.measure.search_costs(table);
    let space = Space::new(table, costs, models);
    let problem = Problem { space: &space, demands: models, quota: ask.quota };
    let (every, budget) = match call {
        Call::Every => (true, None),
        Call::Best(budget) => (false, budget),
    };
    match (Incognito { fixed: ask.fixed(table), every, budget }).group(problem, &Run::new(0, watch))? {
        Solution::Levels(levels) => Ok(levels),
        other => panic!("levels were expected, not {other:?}"),
    }
}

fn slowly(table: &Table, ask: &Ask, models: &BoundDemands) -> Answer {
    let plain = Plain::new(table, ask.measure, models.k() as usize, models.p() as usize);
    incognito(&plain, ask.quota, &ask.fixed(table), models)
}

fn agree(sheet: &Sheet, ask: &Ask) {
    let table = bounded(sheet, ask);
    let Some(models) = demands(&table, ask) else { return };
    let slow = slowly(&table, ask, &models);
    for call in [Call::Every, Call::Best(None)] {
        match (shipped(&table, ask, &models, call, &Quiet), &slow.chosen) {
            (Ok(fast), Some((chosen, suppressed))) => {
                assert_eq!((&fast.chosen, &fast.suppressed), (chosen, suppressed), "{call:?} {ask:?}");
                assert_eq!(fast.cost, slow.cost, "{call:?} {ask:?}");
                assert!(fast.complete && fast.at_least.is_none_or(|least| least == slow.cost));
                if matches!(call, Call::Every) {
                    assert_eq!(fast.minimal, slow.minimal, "{ask:?}");
                }
            }
            (Err(Error::Unsolvable(_)), None) => {}
            (fast, slow) => panic!("{fast:?}, but {slow:?} was expected; {call:?} {ask:?}"),
        }
    }
}

proptest! {
    #![proptest_config(fixed(8000))]

    #[test]
    fn on_small_tables(sheet in sheets(mostly_small(), 1..=3, 0..=2), ask in asks()) {
        agree(&sheet, &ask);
    }
}

proptest! {
    #![proptest_config(fixed(400))]

    #[test]
    fn on_six_columns(sheet in sheets(2..=40usize, 4..=6, 0..=1), ask in asks()) {
        agree(&sheet, &ask);
    }
}

/// Says "time is up" after being asked so many times.
struct Patience(AtomicU32);

impl Observer for Patience {
    fn signal(&self) -> Signal {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if left.is_ok() { Signal::Go } else { Signal::TimeUp }
    }
}

/// An answer that need not be the best is one that does, with the rows suppressed that must be, and bounds the best from
/// below; one that says it is the best is it.
fn is_sound(fast: &Levels, slow: &Answer) {
    assert!(slow.accepted.contains(&fast.chosen));
    assert!(slow.cost <= fast.cost && fast.at_least.is_none_or(|least| least <= slow.cost));
    assert!(fast.minimal.iter().all(|levels| slow.accepted.contains(levels)));
    if fast.complete && fast.at_least.is_some() {
        assert_eq!(Some((&fast.chosen, &fast.suppressed)), slow.chosen.as_ref().map(|(c, s)| (c, s)));
    }
}

proptest! {
    #![proptest_config(fixed(400))]

    #[test]
    fn whenever_time_is_up_the_levels_do(
        sheet in sheets(2..=40usize, 2..=4, 0..=1),
        ask in asks(),
        patience in 0..12u32,
        every in any::<bool>(),
    ) {
        let table = bounded(&sheet, &ask);
        if let Some(models) = demands(&table, &ask) {
            let slow = slowly(&table, &ask, &models);
            let call = if every { Call::Every } else { Call::Best(None) };
            match shipped(&table, &ask, &models, call, &Patience(AtomicU32::new(patience))) {
                Ok(fast) => {
                    is_sound(&fast, &slow);
                    prop_assert!(!every || !fast.complete || fast.minimal == slow.minimal);
                }
                // Nothing but all levels at the top may be looked at, and under some models even that fails.
                Err(_) => prop_assert!(slow.chosen.is_none() || (!models.survive_adding_rows() && ask.quota > 0)),
            }
        }
    }

    #[test]
    fn within_a_small_budget_the_levels_do(
        sheet in sheets(2..=40usize, 3..=5, 0..=1),
        ask in asks(),
        budget in prop_oneof![0..2_000u64, 2_000..20_000u64, Just(u64::MAX)],
    ) {
        let table = bounded(&sheet, &ask);
        if let Some(models) = demands(&table, &ask) {
            let slow = slowly(&table, &ask, &models);
            match shipped(&table, &ask, &models, Call::Best(Some(budget)), &Quiet) {
                Ok(fast) => {
                    is_sound(&fast, &slow);
                    prop_assert!(fast.complete || budget < u64::MAX);
                }
                Err(_) => prop_assert!(slow.chosen.is_none() || (!models.survive_adding_rows() && ask.quota > 0)),
            }
        }
    }
}

/// Columns of two values each, drawn like coins of which some fall on one side more often.
fn coins(rows: usize, columns: usize) -> Sheet {
    let mut state = 7_u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut column = |c: usize| Drawn {
        name: format!("q{c}"),
        shape: Shape::Flat,
        texts: (0..rows).map(|_| u64::from(next(3 + c as u64 / 4) == 0).to_string()).collect(),
        weight: 1.0,
        snap: None,
    };
    Sheet { rows, qi: (0..columns).map(&mut column).collect(), sensitive: Vec::new() }
}

/// 2⁴⁰ nodes: no list of them would fit. The answer does, and how far it is from the best is known.
#[test]
fn a_lattice_too_large_to_be_listed() {
    let table = coins(200, 40).table();
    let models = Demands::new(3, None).unwrap().bind(&table).unwrap();
    for (quota, measure) in [(0, Measure::Il), (10, Measure::Il), (30, Measure::Il), (10, Measure::Entropy)] {
        let ask = Ask::plain(measure, 3, quota);
        let plain = Plain::new(&table, measure, 3, 1);
        let mut proven = Vec::new();
        for budget in [0, 10_000, 1_000_000] {
            let found = shipped(&table, &ask, &models, Call::Best(Some(budget)), &Quiet).unwrap();
            let again = shipped(&table, &ask, &models, Call::Best(Some(budget)), &Quiet).unwrap();
            assert_eq!(found, again, "same budget, same answer");
            // The levels alone as a lattice of one node.
            let fixed: Fixed = (0..40).map(|c| (format!("q{c}"), found.chosen[c])).collect();
            let alone = incognito(&plain, quota, &fixed, &models);
            assert_eq!((Some((found.chosen, found.suppressed)), found.cost), (alone.chosen, alone.cost));
            let least = found.at_least.unwrap();
            assert!(least <= found.cost && (!found.complete || least == found.cost));
            proven.push((least, found.cost, found.complete));
        }
        assert!(!proven[0].2, "a budget of nothing is used up at once");
        assert!(proven.is_sorted_by(|a, b| a.1 >= b.1), "more budget, no worse levels: {proven:?}");
        let best = proven.iter().map(|p| p.1).min();
        assert!(proven.iter().all(|p| Some(p.0) <= best), "bounds hold: {proven:?}");
        assert!(proven[2].0 > proven[0].0, "more budget, a better bound: {proven:?}");
    }
    let ask = Ask::plain(Measure::Il, 3, 0);
    let listed = shipped(&table, &ask, &models, Call::Every, &Quiet);
    assert!(matches!(listed, Err(Error::Job(_))), "{listed:?}");
}

/// Columns that cost nothing and levels that change nothing do not multiply the work.
#[test]
fn levels_of_equal_cost_are_no_burden() {
    let mut sheet = coins(30, 40);
    for (at, column) in sheet.qi.iter_mut().enumerate() {
        match at % 3 {
            0 => column.weight = 0.0,
            1 => column.texts.fill("same".into()),
            _ => {}
        }
    }
    let table = sheet.table();
    let models = Demands::new(3, None).unwrap().bind(&table).unwrap();
    let ask = Ask::plain(Measure::Il, 3, 0);
    let found = shipped(&table, &ask, &models, Call::Best(Some(20_000_000)), &Quiet).unwrap();
    assert!((0..40).filter(|at| at % 3 == 1).all(|at| found.chosen[at] == 0));
    assert!(found.complete, "{found:?}");
}
