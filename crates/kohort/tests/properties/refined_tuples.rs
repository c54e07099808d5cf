//! Tuples that shrink: the notion holds by its plain definition, whenever they stop; nothing is lost by it, and nothing
//! depends on threads.

use std::sync::atomic::{AtomicU32, Ordering};

use kohort::algorithm::{
    Algorithm, Goal, KType, Observer, Problem, Quiet, Run, STEPS, Signal, Start, refine_tuples,
};
use kohort::data::{Cell, Kind, Table};
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::model::BoundDemands;
use kohort::solution::Solution;
use kohort::space::Space;
use proptest::prelude::*;
use proptest::sample::select;

use super::common::draw::{Drawn, Shape, Sheet, sheets};
use super::common::fixed;
use super::common::plain::Plain;
use super::common::plain::k_type::{contains, degrees, matches, tuples_above};

type Tuples = Vec<Vec<Cell>>;

const STARTS: [Start; 3] = [Start::Nearest, Start::Expansion, Start::Cheapest];

fn measures() -> impl Strategy<Value = Measure> {
    select(vec![Measure::Il, Measure::Lm, Measure::Entropy, Measure::Whd { beta: 1.0 }, Measure::Ncp])
}

/// Says "time is up" after being asked so many times.
struct Patience(AtomicU32);

impl Observer for Patience {
    fn signal(&self) -> Signal {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if left.is_ok() { Signal::Go } else { Signal::TimeUp }
    }
}

/// A table with demands it can meet.
struct Case {
    table: Table,
    measure: Measure,
    demands: BoundDemands,
    k: usize,
    p: usize,
}

impl Case {
    fn new(sheet: &Sheet, measure: Measure, k: usize, p: usize) -> Option<Self> {
        let table = sheet.table();
        let fewest = table.sensitive.iter().map(|s| s.distinct as usize).min().unwrap_or(1);
        let p = p.min(fewest).min(k);
        let demands = Demands::new(k as u32, Some(p as u32)).ok()?.bind(&table).ok()?;
        let solvable = demands.check_solvable(&table, false).is_ok();
        solvable.then_some(Self { table, measure, demands, k, p })
    }

    fn plain(&self) -> Plain<'_> {
        Plain::new(&self.table, self.measure, self.k, self.p)
    }

    fn solve(&self, of: impl FnOnce(Problem<'_>) -> Tuples) -> Tuples {
        let space = Space::new(&self.table, self.measure.search_costs(&self.table), &self.demands);
        of(Problem { space: &space, demands: &self.demands, quota: 0 })
    }

    fn tuples(&self, start: Start, goal: Goal, refine: bool) -> Tuples {
        self.solve(|problem| {
            let solver = KType { start, goal, refine };
            match solver.group(problem, &Run::new(0, &Quiet)).unwrap() {
                Solution::PerRecord(tuples) => tuples,
                other => panic!("tuples were expected, not {other:?}"),
            }
        })
    }

    fn refined(&self, goal: Goal, tuples: &Tuples, watch: &dyn Observer) -> Tuples {
        let run = Run::new(0, watch);
        self.solve(|problem| refine_tuples(problem, goal, tuples.clone(), STEPS, &run).unwrap())
    }

    fn cost(&self, tuples: &Tuples) -> u64 {
        let plain = self.plain();
        tuples.iter().map(|tuple| plain.cost(tuple)).sum()
    }
}

/// What is wrong with tuples that should be (k,k), or global (1,k) and (k,1); by the definitions.
fn fault(plain: &Plain<'_>, goal: Goal, tuples: &Tuples) -> Option<String> {
    let few = |degrees: &[usize]| degrees.iter().any(|&degree| degree < plain.k);
    let (of_rows, of_tuples) = degrees(plain, tuples);
    if !tuples.iter().zip(0..).all(|(tuple, row)| contains(plain, tuple, row)) {
        return Some("a tuple does not cover its row".into());
    }
    if few(&of_rows) || few(&of_tuples) {
        return Some(format!("rows lie in {of_rows:?} tuples, tuples cover {of_tuples:?} rows"));
    }
    let as_rows = |list: &Vec<usize>| list.iter().map(|&j| j as u32).collect::<Vec<_>>();
    let found = if goal == Goal::Global { matches(plain, tuples) } else { Vec::new() };
    let bad = found.iter().find(|list| !plain.holds(&as_rows(list)));
    bad.map(|list| format!("the matches {list:?} do not suffice"))
}

proptest! {
    #![proptest_config(fixed(600))]

    #[test]
    fn whenever_they_stop_the_notion_holds(
        sheet in sheets(2..=18usize, 1..=4, 0..=1),
        (measure, start, goal) in (measures(), select(STARTS.to_vec()), select(vec![Goal::Both, Goal::Global])),
        (k, p) in (2..=5usize, 1..=2usize),
        patience in 0..12u32,
    ) {
        let Some(case) = Case::new(&sheet, measure, k, p) else { return Ok(()) };
        let plain = case.plain();
        let paper = case.tuples(start, goal, false);
        for patience in [patience, u32::MAX] {
            let refined = case.refined(goal, &paper, &Patience(AtomicU32::new(patience)));
            prop_assert_eq!(fault(&plain, goal, &refined), None);
            prop_assert!(case.cost(&refined) <= case.cost(&paper));
        }
        let found = case.tuples(start, goal, true);
        prop_assert_eq!(fault(&plain, goal, &found), None);
        // For (k,k) they begin where the paper leaves off; for global (1,k) they part before.
        prop_assert!(goal == Goal::Global || case.cost(&found) <= case.cost(&paper) || start == Start::Cheapest);
    }
}

/// What the best (k,k) tuples cost, by trying all of them.
fn best(plain: &Plain<'_>) -> u64 {
    let above: Vec<Tuples> = (0..plain.table.rows as u32).map(|row| tuples_above(plain, row)).collect();
    let mut least = u64::MAX;
    choose(plain, &above, &mut Vec::new(), 0, &mut least);
    least
}

fn choose(plain: &Plain<'_>, above: &[Tuples], begun: &mut Tuples, cost: u64, least: &mut u64) {
    if cost >= *least {
        return;
    }
    let Some(tuples) = above.get(begun.len()) else {
        if fault(plain, Goal::Both, begun).is_none() {
            *least = cost;
        }
        return;
    };
    for tuple in tuples {
        begun.push(tuple.clone());
        choose(plain, above, begun, cost + plain.cost(tuple), least);
        begun.pop();
    }
}

fn numbers(values: &[u32]) -> Sheet {
    let texts = values.iter().map(u32::to_string).collect();
    let column =
        Drawn { name: "q0".into(), shape: Shape::Number(Kind::Integer), texts, weight: 1.0, snap: None };
    Sheet { rows: values.len(), qi: vec![column], sensitive: Vec::new() }
}

/// All tables of five numbers up to 5, in ascending order: nothing beats the best, and most are the best.
#[test]
fn most_small_tables_are_solved_as_well_as_can_be() {
    let (mut tables, mut reached) = (0, 0);
    for code in 0..6_u32.pow(5) {
        let values: Vec<u32> = (0..5).map(|place| code / 6_u32.pow(place) % 6).collect();
        if !values.is_sorted() || values[0] == values[4] {
            continue;
        }
        let case = Case::new(&numbers(&values), Measure::Il, 2, 1).unwrap();
        let (least, found) =
            (best(&case.plain()), case.cost(&case.tuples(Start::Cheapest, Goal::Both, true)));
        assert!(found >= least, "{values:?}: {found} is below {least}");
        tables += 1;
        reached += u32::from(found == least);
    }
    assert!(reached * 10 >= tables * 9, "{reached} of {tables}");
}

/// Enough rows that several are looked at side by side, more than once.
#[test]
fn threads_change_nothing() {
    let mut state = 3_u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut sheet = numbers(&(0..1300).map(|_| next(40) * next(3)).collect::<Vec<_>>());
    let paths = (0..12).map(|v| vec![format!("v{v}"), format!("g{}", v / 4), "*".to_owned()]).collect();
    let texts = (0..1300).map(|_| format!("v{}", next(12))).collect();
    sheet.qi.push(Drawn { name: "q1".into(), shape: Shape::Tree(paths), texts, weight: 1.0, snap: None });
    let case = Case::new(&sheet, Measure::Il, 4, 1).unwrap();
    for goal in [Goal::Both, Goal::Global] {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| case.tuples(Start::Cheapest, goal, true))
        };
        let (one, three) = (with(1), with(3));
        assert!(one == three, "{goal:?}");
        assert!(case.cost(&one) < case.cost(&case.tuples(Start::Expansion, goal, false)), "{goal:?}");
    }
}
