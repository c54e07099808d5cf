//! Gives a column a hierarchy made by the program, and looks at what the release shows.
//!
//! `cargo run -p kohort --example own_hierarchy`

use std::error::Error;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use kohort::Quiet;
use kohort::data::Hierarchy;
use kohort::input::{JobSpec, MemoryTable, texts};
use kohort::output::MemorySink;

fn main() -> Result<(), Box<dyn Error>> {
    let people = RecordBatch::try_from_iter([
        ("age", Arc::new(Int64Array::from(vec![34, 36, 61, 58, 35, 60])) as ArrayRef),
        ("town", Arc::new(StringArray::from(vec!["Ulm", "Bonn", "Lyon", "Nice", "Bonn", "Lyon"]))),
        ("illness", Arc::new(StringArray::from(vec!["flu", "gout", "flu", "gout", "flu", "gout"]))),
    ])?;
    let people = MemoryTable::new("people", &people.schema(), vec![people])?;

    // From the value up, one path per value; above all of them is `*`.
    let paths = [["Ulm", "Germany"], ["Bonn", "Germany"], ["Lyon", "France"], ["Nice", "France"]];
    let towns = Hierarchy::from_paths("town", paths)?;

    let spec = JobSpec {
        qi: vec!["age".into(), "town".into()],
        sensitive: vec!["illness".into()],
        k: Some(3),
        p: Some(2),
        keep_order: Some(true),
        ..JobSpec::default()
    };
    let job = spec.check()?.with_hierarchy("town", towns);
    let mut sink = MemorySink::new("release");
    kohort::anonymize(&job, &people, &mut sink, &Quiet)?;
    for batch in sink.into_release().ok_or("a verified release")?.record_batches() {
        let columns = batch.columns().iter().map(|column| texts(column)).collect::<Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            println!("{}", columns.iter().map(|column| column.value(row)).collect::<Vec<_>>().join("\t"));
        }
    }
    Ok(())
}
