//! A table that grows by random batches, and everything that an observer of the test may know.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use kohort::algorithm::{InsertionRule, Quiet};
use kohort::input::{JobSpec, MemoryTable, TableSource, texts};
use kohort::job::append::{Appended, Earlier, append, begin};
use kohort::ledger::Ledger;
use kohort::output::{MemorySink, TableSink};
use kohort::report::Growth;

/// A row as texts, by column.
pub(crate) type Row = BTreeMap<String, String>;

/// The columns of the batches.
pub(crate) const COLUMNS: [&str; 7] = ["who", "age", "zip", "sex", "illness", "consent", "note"];

/// Numbers that depend on the seed alone.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Below `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

/// Rows of new people; `first` is the number of the first one.
pub(crate) fn people(dice: &mut Dice, first: usize, rows: usize) -> Vec<Row> {
    let illnesses = ["flu", "flu", "flu", "gout", "gout", "asthma", "ulcer"];
    let row = |number: usize| {
        let values = [
            format!("p{number}"),
            (20 + dice.below(50)).to_string(),
            format!("4{}{}", dice.below(3), dice.below(10)),
            ["f", "m"][dice.below(2)].to_owned(),
            illnesses[dice.below(illnesses.len())].to_owned(),
            if dice.below(12) == 0 { "public" } else { "no" }.to_owned(),
            format!("n{number}"),
        ];
        COLUMNS.iter().map(|&name| name.to_owned()).zip(values).collect()
    };
    (first..first + rows).map(row).collect()
}

/// Rows as a table of texts.
pub(crate) fn table(name: &str, columns: &[&str], rows: &[Row]) -> MemoryTable {
    let column = |name: &&str| {
        let values: StringArray =
            rows.iter().map(|row| Some(row[*name].as_str()).filter(|t| !t.is_empty())).collect();
        ((*name).to_owned(), Arc::new(values) as ArrayRef, true)
    };
    let batch = RecordBatch::try_from_iter_with_nullable(columns.iter().map(column)).unwrap();
    MemoryTable::new(name, &batch.schema(), vec![batch]).unwrap()
}

/// All rows of a table.
pub(crate) fn rows_of(table: &dyn TableSource) -> Vec<Row> {
    let names: Vec<String> = table.names().map(str::to_owned).collect();
    let all: Vec<usize> = (0..names.len()).collect();
    let mut rows = Vec::new();
    for batch in table.batches(&all).unwrap() {
        let batch = batch.unwrap();
        let columns: Vec<StringArray> = batch.columns().iter().map(|c| texts(c).unwrap()).collect();
        for row in 0..batch.num_rows() {
            let cell = |column: &StringArray| column.iter().nth(row).flatten().unwrap_or_default().to_owned();
            rows.push(names.iter().cloned().zip(columns.iter().map(cell)).collect());
        }
    }
    rows
}

/// What is asked: everything but the demands.
pub(crate) fn spec() -> JobSpec {
    let named = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    JobSpec {
        identifier: named(&["who"]),
        qi: named(&["age", "zip", "sex"]),
        sensitive: named(&["illness"]),
        keep: named(&["note"]),
        opt_out: Some("consent=public".into()),
        k: Some(3),
        bound: Some("off".into()),
        refine: Some("off".into()),
        ..JobSpec::default()
    }
}

/// A growing table and all its releases.
pub(crate) struct Series {
    pub(crate) spec: JobSpec,
    pub(crate) ledger: Option<Ledger>,
    pub(crate) releases: Vec<MemoryTable>,
    pub(crate) growths: Vec<Growth>,
    /// Whether nobody sees the releases that are made from now on.
    pub(crate) unpublished: bool,
    /// How the next batches join classes, where they make no atoms of their own.
    pub(crate) rule: Option<InsertionRule>,
}

impl Series {
    pub(crate) fn new(spec: JobSpec) -> Self {
        Self { spec, ledger: None, releases: Vec::new(), growths: Vec::new(), unpublished: false, rule: None }
    }

    /// Makes the next release, or says why there is none.
    pub(crate) fn grow(&mut self, batch: &[Row], gone: &[Row], withhold: bool) -> kohort::Result<()> {
        self.grow_asked(&JobSpec { threads: self.spec.threads, ..JobSpec::default() }, batch, gone, withhold)
    }

    /// The same, where the call says more about the job.
    pub(crate) fn grow_asked(
        &mut self,
        given: &JobSpec,
        batch: &[Row],
        gone: &[Row],
        withhold: bool,
    ) -> kohort::Result<()> {
        let source = table("batch", &COLUMNS, batch);
        let mut sink = MemorySink::new("release");
        let appended = match self.ledger.clone() {
            None => begin(&self.spec, &source, &mut sink, &Quiet)?,
            Some(ledger) => {
                let list = table("gone", &["who"], gone);
                let earlier = Earlier {
                    ledger,
                    last: self.releases.last().unwrap(),
                    withdrawn: (!gone.is_empty()).then_some(&list as &dyn TableSource),
                    withhold,
                    rule: self.rule,
                };
                let batch = (!batch.is_empty()).then_some(&source as &dyn TableSource);
                append(given, &earlier, batch, &mut sink, &Quiet)?
            }
        };
        let Appended { outcome, mut ledger, growth } = appended;
        ledger.published = !self.unpublished;
        sink.publish(&outcome.documents())?;
        self.releases.push(sink.into_release().unwrap());
        // What the file keeps is all there is.
        self.ledger = Some(Ledger::from_bytes(&ledger.to_bytes()?, "ledger")?);
        self.growths.push(growth);
        Ok(())
    }

    /// The rows of every release, those apart that are published as they are.
    pub(crate) fn hidden(&self) -> Vec<Vec<Row>> {
        let hidden = |release: &MemoryTable| {
            rows_of(release).into_iter().filter(|row| row["consent"] != "public").collect()
        };
        self.releases.iter().map(hidden).collect()
    }

    /// The notes of the rows that wait.
    pub(crate) fn waiting(&self) -> BTreeSet<String> {
        let waiting = self.ledger.as_ref().and_then(|ledger| ledger.waiting.as_ref());
        waiting
            .map_or_else(BTreeSet::new, |rows| rows_of(rows).iter().map(|row| row["note"].clone()).collect())
    }
}
