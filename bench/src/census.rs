//! A census-like table of 9 columns, the job that anonymizes it, and where its time goes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::Result;
use kohort::input::{Format, JobSpec};
use kohort::job::{Observer, Stage};
use kohort::output::{HierarchyFormat, Staged, TableWriter, save_hierarchy};

use crate::columns::{CENSUS, CENSUS_SECRET};

/// Writes the table, and its hierarchies into a folder of their own.
pub(crate) fn make_table(table: &Path, trees: &Path, rows: u64) -> Result<()> {
    let census = kohort::generate::find("census")?;
    std::fs::create_dir_all(trees)?;
    for tree in census.hierarchies()? {
        save_hierarchy(&tree, HierarchyFormat::Arx, &trees.join(format!("{}.csv", tree.name())))?;
    }
    let made = census.rows(rows, 1);
    let wanted: Vec<usize> = CENSUS
        .iter()
        .chain([&CENSUS_SECRET])
        .map(|name| made.schema().index_of(name))
        .collect::<Result<_, _>>()?;
    let schema = Arc::new(made.schema().project(&wanted)?);
    let staged = Staged::new(table)?;
    let mut writer = TableWriter::new(&staged, table, Format::of(table), schema)?;
    for batch in made {
        writer.write_batch(&batch?.project(&wanted)?)?;
    }
    writer.finish()?;
    Ok(staged.publish()?)
}

/// Anonymizes the table with k = 10.
pub(crate) fn job(table: &Path, folder: &Path, algorithm: &str) -> JobSpec {
    JobSpec {
        input: Some(table.to_owned()),
        output: Some(folder.join("release.csv")),
        qi: CENSUS.iter().map(|&n| n.to_owned()).collect(),
        sensitive: vec![CENSUS_SECRET.to_owned()],
        hierarchies: Some(folder.join("trees")),
        k: Some(10),
        algorithm: Some(algorithm.into()),
        rest: Some(kohort::data::Rest::Keep),
        ..JobSpec::default()
    }
}

/// The stage that is running, and seconds spent by stage.
#[derive(Default)]
pub(crate) struct Clock(Mutex<(Running, BTreeMap<String, f64>)>);

type Running = Option<(Stage, Instant)>;

impl Clock {
    fn switch(&self, next: Option<Stage>) {
        let mut clock = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((stage, since)) = clock.0.take() {
            *clock.1.entry(format!("{stage:?}").to_lowercase()).or_default() += since.elapsed().as_secs_f64();
        }
        clock.0 = next.map(|stage| (stage, Instant::now()));
    }

    pub(crate) fn stop(&self) -> BTreeMap<String, f64> {
        self.switch(None);
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).1.clone()
    }
}

impl Observer for Clock {
    fn enter(&self, stage: Stage, _of: u64) {
        self.switch(Some(stage));
    }
}
