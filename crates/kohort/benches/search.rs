//! The pieces that the inner loops of algorithms are made of, each on its own, with one thread.
//!
//! The search for the nearest row has no public door of its own: `nearest` measures `k1-nearest`, which is nothing but that
//! search once per different row.
//!
//! `cargo bench -p kohort --bench search -- --sample-count 5`
#![allow(clippy::expect_used, dead_code, reason = "what cannot be set up cannot be measured")]

mod common;

use std::sync::LazyLock;

use common::PEOPLE;
use divan::{Bencher, black_box};
use kohort::algorithm::{Algorithm as _, Goal, KType, Problem, Quiet, Run, Start};
use kohort::data::{Attribute, Cell, Domain, Table};
use kohort::demand::Demands;
use kohort::measure::Measure;
use kohort::model::Tally;
use kohort::space::Space;

static TABLE: LazyLock<Table> = LazyLock::new(|| PEOPLE.table());

fn main() {
    LazyLock::force(&TABLE);
    divan::main();
}

fn space(table: &Table) -> Space<'_> {
    let demands = Demands::new(10, None).and_then(|demands| demands.bind(table)).expect("a model");
    Space::new(table, Measure::Il.search_costs(table), &demands)
}

/// The attribute with most values among those with or without a tree.
fn widest(tree: bool) -> &'static Attribute {
    let of_kind = |a: &&Attribute| matches!(a.domain, Domain::Tree(_)) == tree;
    let attributes = TABLE.qi.iter().map(|q| &q.attribute);
    attributes.filter(of_kind).max_by_key(|a| a.code_count()).expect("an attribute of each kind")
}

/// All pairs of values.
fn join(bencher: Bencher<'_, '_>, attribute: &Attribute) {
    let leaves: Vec<Cell> = (0..attribute.code_count()).map(|code| attribute.leaf(code)).collect();
    let pairs = leaves.len() * leaves.len();
    bencher.counter(divan::counter::ItemsCount::new(pairs)).bench(|| {
        for &a in &leaves {
            for &b in &leaves {
                black_box(attribute.join(black_box(a), black_box(b)));
            }
        }
    });
}

#[divan::bench]
fn join_tree(bencher: Bencher<'_, '_>) {
    join(bencher, widest(true));
}

#[divan::bench]
fn join_interval(bencher: Bencher<'_, '_>) {
    join(bencher, widest(false));
}

/// The tuples of neighbouring groups, joined.
#[divan::bench]
fn cost(bencher: Bencher<'_, '_>) {
    let space = space(&TABLE);
    let joined = |group: usize| {
        let mut tuple = space.tuple(group);
        space.absorb(&mut tuple, group + 1);
        tuple
    };
    let tuples: Vec<Vec<Cell>> = (0..1000.min(space.groups().len() - 1)).map(joined).collect();
    bencher
        .counter(divan::counter::ItemsCount::new(tuples.len()))
        .bench(|| tuples.iter().map(|tuple| space.cost(black_box(tuple))).sum::<u64>());
}

/// The tables that a cluster makes of its tuple, one per attribute.
#[divan::bench]
fn join_costs(bencher: Bencher<'_, '_>) {
    let space = space(&TABLE);
    let tuple = space.tuple(0);
    let mut costs = Vec::new();
    bencher.counter(divan::counter::ItemsCount::new(space.dims())).bench_local(|| {
        for (dim, &cell) in tuple.iter().enumerate() {
            space.join_costs(dim, black_box(cell), &mut costs);
            black_box(&costs);
        }
    });
}

#[divan::bench(args = [500, 2000], sample_count = 10)]
fn nearest(bencher: Bencher<'_, '_>, rows: u32) {
    let table = TABLE.select(&(0..rows).collect::<Vec<_>>());
    let space = space(&table);
    let models = Demands::new(10, None).and_then(|demands| demands.bind(&table)).expect("a model");
    let solver = KType { start: Start::Nearest, goal: Goal::Tuples, refine: false };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    bencher
        .counter(divan::counter::ItemsCount::new(rows))
        .bench(|| pool.install(|| solver.group(problem, &Run::new(0, &Quiet))));
}

/// Classes of ten rows.
fn classes() -> Vec<Tally> {
    let code = |row: usize| TABLE.sensitive.iter().map(move |s| s.codes.get(row));
    let rows: Vec<usize> = (0..TABLE.rows).collect();
    let class = |rows: &[usize]| {
        let mut tally = Tally::new(TABLE.sensitive.len());
        for &row in rows {
            tally.add(code(row), 1);
        }
        tally
    };
    rows.chunks(10).map(class).collect()
}

#[divan::bench]
fn tally_add(bencher: Bencher<'_, '_>) {
    bencher.counter(divan::counter::ItemsCount::new(TABLE.rows)).bench(classes);
}

#[divan::bench]
fn tally_merge_and_judge(bencher: Bencher<'_, '_>) {
    let models = Demands::new(10, Some(3)).and_then(|demands| demands.bind(&TABLE)).expect("models");
    let classes = classes();
    bencher.counter(divan::counter::ItemsCount::new(classes.len() - 1)).bench(|| {
        let holds = |pair: &[Tally]| {
            let mut union = pair[0].clone();
            union.merge(&pair[1]);
            models.hold(&union)
        };
        classes.windows(2).filter(|pair| holds(pair)).count()
    });
}
