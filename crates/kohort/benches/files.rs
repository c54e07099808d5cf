//! The way into memory and out again, step by step: a table of 10,000 rows × 13 columns.
//!
//! `cargo bench -p kohort --bench files -- --sample-count 5`
#![allow(clippy::expect_used, dead_code, reason = "what cannot be set up cannot be measured")]

mod common;

use common::PEOPLE;
use divan::Bencher;
use kohort::algorithm::{Algorithm as _, Cut, Mondrian, Problem, Quiet, Run};
use kohort::data::{Intervals, Table};
use kohort::demand::Demands;
use kohort::input::JobSpec;
use kohort::job::files::FileSink;
use kohort::measure::Measure;
use kohort::output::{ReleasePlan, TableSink, write_release};
use kohort::recode::recode as recoded;
use kohort::solution::Solution;
use kohort::space::Space;

fn main() {
    std::sync::LazyLock::force(&PEOPLE);
    divan::main();
}

fn solution(table: &Table) -> Solution {
    let models = Demands::new(10, None).and_then(|demands| demands.bind(table)).expect("a model");
    let space = Space::new(table, Measure::Il.search_costs(table), &models);
    let problem = Problem { space: &space, demands: &models, quota: 0 };
    Mondrian { cut: Cut::Strict }.group(problem, &Run::new(0, &Quiet)).expect("a solution")
}

/// From CSV to codes, for the columns that are not passed through.
#[divan::bench]
fn encode(bencher: Bencher<'_, '_>) {
    let bytes = std::fs::metadata(&PEOPLE.file).expect("the table").len();
    bencher.counter(divan::counter::BytesCount::new(bytes)).bench(|| PEOPLE.table());
}

/// From clusters to generalized tuples.
#[divan::bench]
fn recode(bencher: Bencher<'_, '_>) {
    let table = PEOPLE.table();
    let solution = solution(&table);
    bencher.counter(divan::counter::ItemsCount::new(table.rows)).bench(|| recoded(&table, &solution));
}

/// From tuples to a CSV file in a new order; columns that are passed through are read once more.
#[divan::bench]
fn write(bencher: Bencher<'_, '_>) {
    let (table, source, roles, output) = (PEOPLE.table(), PEOPLE.source(), PEOPLE.roles(), PEOPLE.output());
    let release = recoded(&table, &solution(&table));
    let rows: Vec<u32> = (0..table.rows as u32).collect();
    let plan = ReleasePlan {
        source: &source,
        roles: &roles,
        table: &table,
        release: &release,
        intervals: Intervals::Text,
        rows: &rows,
        in_order: false,
        as_text: true,
        onlooker: None,
    };
    bencher.counter(divan::counter::ItemsCount::new(table.rows)).bench(|| {
        let mut sink = FileSink::new(&JobSpec::default(), &output, source.format());
        sink.open().expect("a place");
        write_release(&plan, &mut sink).expect("a release");
    });
}
