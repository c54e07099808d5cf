//! Generalization boundaries: what Miller et al. 2008 proves, by exhaustive search on tiny tables, and whole jobs on random ones.

use kohort::algorithm::{Choice, Effort, Portfolio, Quiet, Settings};
use kohort::data::{Boundary, Cell, Domain, Hierarchy, Node, Numbers, Table};
use kohort::demand::{Demands, Notion};
use kohort::error::Error;
use kohort::input::JobSpec;
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::measure::Measure;
use kohort::model::Regions;
use kohort::space::Space;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::common::asked::block_rows;
use super::common::draw::{Shape, Sheet, mostly_small, sheets};
use super::common::files::{Folder, Row, read};
use super::common::fixed;
use super::common::plain::Plain;
use super::common::plain::optimum::partitions;

/// Marks, cuts and widths for every column, drawn beside the sheet: whatever fits the column is used.
pub(crate) type Drawn = Vec<(u8, Vec<u8>)>;

pub(crate) fn boundaries(most: u8) -> impl Strategy<Value = Drawn> {
    vec((0..most, vec(any::<u8>(), 1..=3)), 6)
}

/// The table with the boundaries put on its columns. A column in two has none.
pub(crate) fn bounded(sheet: &Sheet, drawn: &Drawn) -> Table {
    let mut table = sheet.table();
    for (q, (kind, choices)) in table.qi.iter_mut().zip(drawn) {
        q.attribute.boundary = match (&q.attribute.domain, kind) {
            (Domain::Tree(h), 0 | 1) => {
                let mut nodes: Vec<Node> = choices.iter().map(|&c| u32::from(c) % h.len() as u32).collect();
                nodes.sort_unstable();
                nodes.dedup();
                Some(Boundary::Nodes(nodes))
            }
            (Domain::Interval(n), 0) if !n.is_empty() => {
                let mut cuts: Vec<f64> = choices.iter().map(|&c| cut(n, c)).collect();
                cuts.sort_by(f64::total_cmp);
                cuts.dedup();
                Some(Boundary::Line { cuts, width: None })
            }
            (Domain::Interval(n), 1) => {
                // A width that not even a single value keeps to is refused.
                let least =
                    (0..n.len()).map(|code| width(n, Cell { lo: code, hi: code })).fold(0.0, f64::max);
                let width = Some((n.range() * f64::from(choices[0] % 5) / 4.0).max(least));
                // Now and then both limits at once.
                let both = choices[0].is_multiple_of(3) && !n.is_empty();
                let cuts = if both { vec![cut(n, choices[0])] } else { Vec::new() };
                Some(Boundary::Line { cuts, width })
            }
            _ => None,
        };
    }
    table
}

/// A cut at some value, or at the line of the grid below it.
fn cut(n: &Numbers, choice: u8) -> f64 {
    let code = u32::from(choice) % n.len();
    n.bounds(Cell { lo: code, hi: code }).0
}

/// How wide a cell is published.
fn width(n: &Numbers, cell: Cell) -> f64 {
    let (lo, hi) = n.bounds(cell);
    hi - lo
}

/// Definition 3, by walking up: the first marked node on the way from the value to the root.
fn magval(h: &Hierarchy, marked: &[Node], leaf: Node) -> Node {
    let mut node = leaf;
    while !marked.contains(&node) {
        let Some(parent) = h.parent(node) else { return node };
        node = parent;
    }
    node
}

/// Definition 5: whether a cell is more than this value may become.
pub(crate) fn violates(table: &Table, dim: usize, code: u32, cell: Cell) -> bool {
    let attribute = &table.qi[dim].attribute;
    match (&attribute.boundary, &attribute.domain) {
        (Some(Boundary::Nodes(marked)), Domain::Tree(h)) => !h.contains(magval(h, marked, code), cell.lo),
        (Some(boundary), Domain::Interval(n)) => {
            if cell.hi == n.len() {
                // Of a missing value nothing is lost.
                return cell.lo < n.len() && code < n.len();
            }
            let (lo, hi, width_of) = (n.position(cell.lo), n.position(cell.hi), width(n, cell));
            match boundary {
                Boundary::Line { cuts, width } => {
                    let too_wide = width.is_some_and(|most| width_of > most * (1.0 + 1e-9));
                    too_wide || cuts.iter().any(|&cut| lo < cut && cut <= hi)
                }
                Boundary::Nodes(_) => false,
            }
        }
        _ => false,
    }
}

/// Whether some rows may share a class.
pub(crate) fn allowed(plain: &Plain<'_>, rows: &[u32]) -> bool {
    let tuple = plain.closure(rows);
    let fits =
        |&row: &u32| (0..plain.dims()).all(|d| !violates(plain.table, d, plain.code(d, row), tuple[d]));
    rows.iter().all(fits)
}

/// The fewest rows that must be suppressed, by trying every partition.
fn fewest_out(plain: &Plain<'_>) -> usize {
    let mut fewest = plain.table.rows;
    partitions(plain.table.rows as u32, &mut |parts| {
        let fails = |part: &&Vec<u32>| !plain.holds(part) || !allowed(plain, part);
        fewest = fewest.min(parts.iter().filter(fails).map(Vec::len).sum());
    });
    fewest
}

/// The least that rows in classes and suppressed rows cost together, by trying every partition: with at most so many suppressed or,
/// where nothing is said, with as few as must be.
fn least_cost(plain: &Plain<'_>, full: u64, allowance: Option<usize>) -> Option<u64> {
    let most = allowance.unwrap_or_else(|| fewest_out(plain));
    let mut least = None;
    partitions(plain.table.rows as u32, &mut |parts| {
        let stands = |part: &&Vec<u32>| plain.holds(part) && allowed(plain, part);
        let classes: Vec<Vec<u32>> = parts.iter().filter(stands).cloned().collect();
        let out = plain.table.rows - classes.iter().map(Vec::len).sum::<usize>();
        if out <= most && !classes.is_empty() {
            let cost = plain.total(&classes) + out as u64 * full;
            least = Some(least.map_or(cost, |least: u64| least.min(cost)));
        }
    });
    least
}

proptest! {
    #![proptest_config(fixed(250))]

    /// `auto` tries everything on tiny tables, within boundaries as well.
    #[test]
    fn tiny_tables_are_solved_to_the_optimum(
        sheet in sheets(1..=7usize, 1..=3, 0..=1),
        drawn in boundaries(3),
        (k, p) in (2..=3u32, 1..=2u32),
        measure in select(vec![Measure::Il, Measure::Lm, Measure::Entropy, Measure::Ncp]),
        allowance in proptest::option::of(0..=3usize),
    ) {
        let table = bounded(&sheet, &drawn);
        let p = if table.sensitive.is_empty() { 1 } else { p };
        let demands = Demands::new(k, Some(p)).unwrap().bind(&table).unwrap();
        let space = Space::new(&table, measure.search_costs(&table), &demands);
        let portfolio = Portfolio {
            choice: Choice::Auto,
            settings: &Settings::default(),
            notion: Notion::K,
            block_rows: None,
            allowance,
            effort: Effort::Usual,
            guide: &|| None,
            space: &space,
            demands: &demands,
        };
        let found = portfolio.exactly(true);
        let cost = found.map(|(taken, _)| taken.answer.cost(&space).unwrap());
        let plain = Plain::new(&table, measure, k as usize, p as usize);
        prop_assert_eq!(cost, least_cost(&plain, space.full_cost(), allowance));
    }

    /// Properties 2 to 6: OUT is the least that must go whenever it is said to be, and enough in any case.
    #[test]
    fn out_is_the_least_that_must_go(
        sheet in sheets(1..=7usize, 1..=3, 0..=1),
        drawn in boundaries(3),
        (k, p) in (2..=3u32, 1..=2u32),
    ) {
        let table = bounded(&sheet, &drawn);
        let p = if table.sensitive.is_empty() { 1 } else { p };
        let models = Demands::new(k, Some(p)).unwrap().bind(&table).unwrap();
        let plain = Plain::new(&table, Measure::Il, k as usize, p as usize);
        let parts = Regions::new(&table, &models);
        let rows: usize = parts.parts.iter().map(Vec::len).sum();
        prop_assert_eq!(rows + parts.out.len(), table.rows);
        for part in &parts.parts {
            prop_assert!(plain.holds(part) && allowed(&plain, part), "{part:?} cannot stand");
        }
        let fewest = fewest_out(&plain);
        prop_assert!(parts.out.len() >= fewest);
        let one_width = table.qi.iter().filter(|q| q.attribute.has_width()).count();
        prop_assert_eq!(parts.minimal, one_width == 0 || (one_width == 1 && p == 1));
        if parts.minimal {
            prop_assert_eq!(parts.out.len(), fewest);
        }
    }

    /// Property 1: rows of different maximum allowed values cannot be generalized together without a violation.
    #[test]
    fn different_magvals_never_meet(sheet in sheets(2..=8usize, 1..=2, 0..=0), drawn in boundaries(1)) {
        let table = bounded(&sheet, &drawn);
        let plain = Plain::new(&table, Measure::Il, 2, 1);
        for (dim, q) in table.qi.iter().enumerate() {
            let (Domain::Tree(h), Some(Boundary::Nodes(marked))) = (&q.attribute.domain, &q.attribute.boundary) else {
                continue;
            };
            let ceilings = q.attribute.ceilings().unwrap();
            for a in 0..table.rows as u32 {
                let code = plain.code(dim, a);
                prop_assert_eq!(ceilings[code as usize], magval(h, marked, code));
                for b in 0..table.rows as u32 {
                    let differ = ceilings[code as usize] != ceilings[plain.code(dim, b) as usize];
                    prop_assert!(!differ || !allowed(&plain, &[a, b]));
                }
            }
        }
    }
}

/// What is asked of a whole job.
#[derive(Debug, Clone)]
struct Ask {
    algorithm: &'static str,
    k: u32,
    p: u32,
    seed: u64,
    /// In percent.
    suppress: Option<u32>,
    threshold: Option<u32>,
    opt_out: bool,
    keep_order: bool,
    block_rows: Option<usize>,
}

/// Those that do with k alone.
const ALGORITHMS: [&str; 10] = [
    "k-member",
    "greedy-cka",
    "greedy-pk",
    "oka",
    "systematic",
    "systematic-plus",
    "kaca",
    "agglomerative",
    "forest",
    "mondrian",
];

fn asks() -> impl Strategy<Value = Ask> {
    let algorithms: Vec<_> = ALGORITHMS.into_iter().chain(["enhanced-pk"]).collect();
    let how = (select(algorithms), 0..3u64, prop::option::of(0..=60u32), prop::option::of(0..6u32));
    (how, 2..=4u32, 1..=2u32, prop::bool::weighted(0.3), any::<bool>(), block_rows()).prop_map(
        |((algorithm, seed, suppress, threshold), k, p, opt_out, keep_order, block_rows)| {
            // There must be something to deal.
            let p = if algorithm == "enhanced-pk" { 2 } else { p };
            // A threshold needs a limit on what it may suppress.
            let threshold = threshold.filter(|_| algorithm == "kaca" && suppress.is_some());
            Ask { algorithm, k, p, seed, suppress, threshold, opt_out, keep_order, block_rows }
        },
    )
}

/// The job of a sheet with the boundaries of a table.
fn job(folder: &Folder, sheet: &Sheet, table: &Table, ask: &Ask) -> JobSpec {
    let mut job = JobSpec {
        k: Some(ask.k),
        p: (ask.p > 1).then_some(ask.p),
        algorithm: Some(ask.algorithm.into()),
        settings: ask.threshold.map(|t| ("threshold".to_owned(), t.to_string())).into_iter().collect(),
        seed: Some(ask.seed),
        suppress: ask.suppress.map(|percent| kohort::input::Scalar::Text(format!("{percent}%"))),
        opt_out: ask.opt_out.then(|| "s0=s1".to_owned()),
        keep_order: Some(ask.keep_order),
        block_rows: ask.block_rows,
        ..folder.job(sheet)
    };
    put_boundaries(&mut job, table);
    job
}

/// Writes the boundaries of a table into a job.
pub(crate) fn put_boundaries(job: &mut JobSpec, table: &Table) {
    for q in &table.qi {
        let entry = job.columns.entry(q.attribute.name.clone()).or_default();
        match (&q.attribute.boundary, &q.attribute.domain) {
            (Some(Boundary::Nodes(nodes)), Domain::Tree(h)) => {
                entry.max_generalization = Some(nodes.iter().map(|&n| h.label(n).to_owned()).collect());
            }
            (Some(Boundary::Line { cuts, width }), Domain::Interval(n)) => {
                let text = |&cut: &f64| kohort::input::Scalar::Text(n.point_text(cut));
                entry.cuts = (!cuts.is_empty()).then(|| cuts.iter().map(text).collect());
                entry.max_width = width.map(|width| width / n.unit());
            }
            _ => {}
        }
    }
}

/// Released rows with the row each comes from.
type Sourced<'a> = Vec<(&'a Row, usize)>;

/// Rows of a release by what they are: in classes (with their source), or published as they are.
fn sorted<'a>(released: &'a [Row], ask: &Ask) -> (Sourced<'a>, Sourced<'a>) {
    let with_source = released.iter().map(|row| (row, row["note"].parse().unwrap()));
    with_source.partition(|(row, _)| !(ask.opt_out && row["s0"] == "s1"))
}

/// Looks at a release with the eyes of somebody who has the table and the definitions.
fn inspect(sheet: &Sheet, table: &Table, ask: &Ask, folder: &Folder, suppressed: u64) -> (u64, usize) {
    let released = read(&folder.path("release.csv"));
    let (classes, verbatim) = sorted(&released, ask);
    for (row, source) in &verbatim {
        for c in &sheet.qi {
            let value = table.qi.iter().find(|q| q.attribute.name == c.name).unwrap();
            assert_eq!(row[&c.name], value.attribute.value(value.codes.get(*source)), "published as it is");
        }
    }
    let mut by_text: std::collections::BTreeMap<Vec<&String>, Vec<u32>> = std::collections::BTreeMap::new();
    for (row, source) in &classes {
        by_text.entry(sheet.qi.iter().map(|c| &row[&c.name]).collect()).or_default().push(*source as u32);
    }
    let plain = Plain::new(table, Measure::Il, ask.k as usize, ask.p as usize);
    let mut violations = 0;
    for rows in by_text.values() {
        assert!(plain.holds(rows), "{rows:?} is too small or too uniform");
        let tuple = plain.closure(rows);
        let cells = (0..plain.dims()).flat_map(|d| rows.iter().map(move |&row| (d, row)));
        violations +=
            cells.filter(|&(d, row)| violates(table, d, plain.code(d, row), tuple[d])).count() as u64;
    }
    assert_eq!(classes.len() + verbatim.len() + suppressed as usize, sheet.rows);
    (violations, verbatim.len())
}

/// Whether labels name more than one node, so that a text says more than the node it was made from.
pub(crate) fn is_plain_tree(sheet: &Sheet) -> bool {
    let twice = |paths: &Vec<Vec<String>>| paths.iter().any(|p| paths.iter().any(|q| q[1..].contains(&p[0])));
    !sheet.qi.iter().any(|c| matches!(&c.shape, Shape::Tree(paths) if twice(paths)))
}

proptest! {
    #![proptest_config(fixed(700))]

    #[test]
    fn jobs_stay_within_their_boundaries(
        sheet in sheets(mostly_small(), 1..=5, 1..=2),
        drawn in boundaries(5),
        ask in asks(),
    ) {
        // A width below the step of a grid is refused, whatever the values.
        let sheet = sheet.without_grids();
        let table = bounded(&sheet, &drawn);
        let folder = Folder::of(&sheet);
        let file = job(&folder, &sheet, &table, &ask);
        if !is_plain_tree(&sheet) {
            return Ok(());
        }
        let protected: Vec<u32> = (0..sheet.rows)
            .filter(|&row| !(ask.opt_out && sheet.sensitive[0][row] == "s1"))
            .map(|row| row as u32)
            .collect();
        let part = table.select(&protected);
        let models = Demands::new(ask.k, Some(ask.p)).unwrap().bind(&table).unwrap();
        let parts = Regions::new(&part, &models);
        let most = ask.suppress.map(|percent| protected.len() * percent as usize / 100);
        let solvable = models.check_solvable(&part, false).is_ok()
            && !parts.parts.is_empty()
            && most.is_none_or(|most| parts.out.len() <= most);
        let outcome = FileJob::new(file.clone()).unwrap().run(&Quiet);
        if !solvable {
            let refused = outcome.err();
            prop_assert!(matches!(refused, Some(Error::Unsolvable(_))), "{refused:?}");
            prop_assert!(!folder.path("release.csv").exists());
            return Ok(());
        }
        let summary = outcome.map_err(|e| TestCaseError::fail(e.to_string()))?.summary;
        let because = summary.suppressed_because.unwrap();
        prop_assert_eq!(because.boundaries as usize, parts.out.len());
        prop_assert_eq!(because.boundaries + because.outliers + because.costly, summary.suppressed);
        prop_assert!(most.is_none_or(|most| summary.suppressed as usize <= most));
        prop_assert!(ask.suppress.is_some() || because.costly == 0);
        prop_assert!(ask.threshold.is_some() || because.outliers == 0);
        let (violations, verbatim) = inspect(&sheet, &table, &ask, &folder, summary.suppressed);
        prop_assert_eq!((violations, verbatim as u64), (0, summary.opted_out));
        prop_assert_eq!(summary.opted_out as usize, sheet.rows - protected.len());

        let original = Some(folder.path("people.csv"));
        let verdict = FileVerifyJob::new(&file, folder.path("release.csv"), original).and_then(|job| job.run(&Quiet)).unwrap();
        prop_assert!(verdict.shortfalls.is_empty(), "{:?}", verdict.shortfalls);
        prop_assert_eq!(verdict.summary.achieved.boundary_violations, Some(0));
        prop_assert_eq!(verdict.summary.opted_out, summary.opted_out);
        let (mine, theirs) = (summary.loss.unwrap().il_total, verdict.summary.loss.unwrap().il_total);
        prop_assert!((mine - theirs).abs() < 1e-9);
    }

    /// A release made without boundaries is examined with them.
    #[test]
    fn violations_are_counted_per_cell(
        sheet in sheets(mostly_small(), 1..=4, 1..=1),
        drawn in boundaries(3),
        ask in asks(),
    ) {
        let sheet = sheet.without_grids();
        let table = bounded(&sheet, &drawn);
        if !is_plain_tree(&sheet) || sheet.rows < ask.k as usize || !ALGORITHMS.contains(&ask.algorithm) {
            return Ok(());
        }
        let folder = Folder::of(&sheet);
        let ask = Ask { p: 1, suppress: None, threshold: None, opt_out: false, keep_order: true, ..ask };
        FileJob::new(job(&folder, &sheet, &sheet.table(), &ask)).unwrap().run(&Quiet).unwrap();
        let (violations, _) = inspect(&sheet, &table, &ask, &folder, 0);
        let file = job(&folder, &sheet, &table, &ask);
        let original = Some(folder.path("people.csv"));
        let verdict = FileVerifyJob::new(&file, folder.path("release.csv"), original).and_then(|job| job.run(&Quiet)).unwrap();
        prop_assert_eq!(verdict.summary.achieved.boundary_violations, Some(violations));
        prop_assert_eq!(verdict.shortfalls.is_empty(), violations == 0);
    }
}

/// Suppressing costs what the cells are worth, so the loss never rises.
#[test]
fn suppression_never_loses_more() {
    let ages = (0..60).map(|i| if i == 59 { 99 } else { i / 3 }.to_string()).collect();
    let age = super::common::draw::Drawn {
        name: "q0".into(),
        shape: Shape::Number(kohort::data::Kind::Integer),
        texts: ages,
        weight: 1.0,
        snap: None,
    };
    let sheet = Sheet { rows: 60, qi: vec![age], sensitive: Vec::new() };
    let folder = Folder::of(&sheet);
    for algorithm in ALGORITHMS {
        let run = |percent: Option<u32>| {
            let suppress = percent.map(|p| kohort::input::Scalar::Text(format!("{p}%")));
            let algorithm = Some(algorithm.to_owned());
            let file = JobSpec { k: Some(3), algorithm, suppress, ..folder.job(&sheet) };
            FileJob::new(file).unwrap().run(&Quiet).unwrap().summary
        };
        let (without, with) = (run(None), run(Some(10)));
        let (before, after) = (without.loss.unwrap().il_total, with.loss.unwrap().il_total);
        assert_eq!(without.suppressed, 0);
        assert!((1..=6).contains(&with.suppressed), "{algorithm} suppresses {}", with.suppressed);
        assert!(after < before, "{algorithm}: {after} after {before}");
    }
}
