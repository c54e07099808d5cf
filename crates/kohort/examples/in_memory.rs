//! Anonymizes and verifies a table of Arrow record batches without touching the disk.
//!
//! `cargo run --release -p kohort --example in_memory -- [ROWS]`

use std::error::Error;

use kohort::Quiet;
use kohort::data::Role;
use kohort::generate::find;
use kohort::input::{JobSpec, MemoryTable, TableSource};
use kohort::output::MemorySink;

fn main() -> Result<(), Box<dyn Error>> {
    let rows = std::env::args().nth(1).map_or(Ok(100_000), |rows| rows.parse())?;

    // Any record batches will do; these are of made-up people.
    let census = find("census")?;
    let made = census.rows(rows, 1);
    let schema = made.schema();
    let people = MemoryTable::new("people", &schema, made.collect::<Result<_, _>>()?)?;

    let named = |role| census.columns().iter().filter(move |c| c.role == role).map(|c| c.name.to_owned());
    let spec = JobSpec {
        identifier: named(Role::Identifier).collect(),
        qi: named(Role::QuasiIdentifier).collect(),
        sensitive: named(Role::Sensitive).collect(),
        keep: named(Role::Keep).collect(),
        k: Some(10),
        p: Some(2),
        ..JobSpec::default()
    };
    let mut job = spec.check()?;
    for hierarchy in census.hierarchies()? {
        let column = hierarchy.name().to_owned();
        if spec.qi.contains(&column) {
            job = job.with_hierarchy(column, hierarchy);
        }
    }

    let mut sink = MemorySink::new("release");
    let outcome = kohort::anonymize(&job, &people, &mut sink, &Quiet)?;
    let release = sink.into_release().ok_or("a verified release")?;
    println!(
        "{} of {} rows released in {} classes, the smallest of {}; il {:.4}",
        outcome.summary.released,
        outcome.summary.rows,
        outcome.summary.classes,
        outcome.summary.achieved.k,
        outcome.summary.loss.as_ref().map_or(0.0, |loss| loss.il),
    );

    // Whoever gets the release gets the certificate with it; what a person must hear comes as warnings.
    println!("{}", kohort::report::json_text(&outcome.certificate)?);
    for warning in &outcome.warnings {
        println!("warning: {warning}");
    }

    // The check that anybody can make who has the release, and the one with the original at hand.
    let demands = spec.check_for_verification()?;
    let alone = kohort::verify(&demands, &release, None, &Quiet)?;
    println!("by itself: k = {}, falls short of: {:?}", alone.summary.achieved.k, alone.shortfalls);
    let compared = kohort::verify(&job, &release, Some(&people), &Quiet)?;
    println!(
        "with the original: cells without a source {:?}, falls short of: {:?}",
        compared.summary.achieved.illegal_cells, compared.shortfalls
    );
    println!("columns: {}", release.names().collect::<Vec<_>>().join(", "));
    Ok(())
}
