//! The library as a program uses it: tables in memory, observers, jobs as data.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use kohort::algorithm::{Quiet, Signal};
use kohort::data::{Hierarchy, Role, Suppressed};
use kohort::generate::find;
use kohort::input::{Batches, FileTable, JobSpec, MemoryTable, TableSource, texts};
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::job::{CheckedJob, Observer, Outcome, Stage, Verdict};
use kohort::output::{MemorySink, Staged, TableWriter};

fn is_shared<T: Send + Sync + ?Sized>() {}

#[test]
fn what_doors_hold_may_cross_threads() {
    is_shared::<CheckedJob>();
    is_shared::<JobSpec>();
    is_shared::<Outcome>();
    is_shared::<Verdict>();
    is_shared::<kohort::Error>();
    is_shared::<dyn Observer>();
    is_shared::<dyn TableSource>();
    is_shared::<MemoryTable>();
    is_shared::<FileTable>();
}

/// So many made-up people.
fn people(rows: u64) -> MemoryTable {
    let made = find("hospital").unwrap().rows(rows, 3);
    let schema = made.schema();
    MemoryTable::new("people", &schema, made.map(Result::unwrap).collect()).unwrap()
}

fn spec() -> JobSpec {
    let hospital = find("hospital").unwrap();
    let named = |role| hospital.columns().iter().filter(move |c| c.role == role).map(|c| c.name.to_owned());
    JobSpec {
        identifier: named(Role::Identifier).collect(),
        qi: named(Role::QuasiIdentifier).collect(),
        sensitive: named(Role::Sensitive).collect(),
        keep: named(Role::Keep).collect(),
        k: Some(5),
        p: Some(2),
        ..JobSpec::default()
    }
}

fn trees(spec: &JobSpec, job: CheckedJob) -> CheckedJob {
    let all = find("hospital").unwrap().hierarchies().unwrap();
    let mine = all.into_iter().filter(|h| spec.qi.iter().any(|qi| qi == h.name()));
    mine.fold(job, |job, h| job.with_hierarchy(h.name().to_owned(), h))
}

/// All rows as texts.
fn rows(table: &dyn TableSource) -> Vec<Vec<String>> {
    let all: Vec<usize> = (0..table.schema().fields().len()).collect();
    let mut out = Vec::new();
    for batch in table.batches(&all).unwrap() {
        let batch = batch.unwrap();
        let columns: Vec<_> = batch.columns().iter().map(|c| texts(c).unwrap()).collect();
        let row =
            |at: usize| columns.iter().map(move |c| c.iter().nth(at).flatten().unwrap_or("").to_owned());
        out.extend((0..batch.num_rows()).map(|at| row(at).collect()));
    }
    out
}

/// The same job in memory and from file to file gives the same rows in the same order.
#[test]
fn memory_and_files_agree() {
    let people = people(600);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let file = at("people.parquet");
    let staged = Staged::new(&file).unwrap();
    let mut writer =
        TableWriter::new(&staged, &file, kohort::input::Format::Parquet, people.schema().clone()).unwrap();
    for batch in people.record_batches() {
        writer.write_batch(batch).unwrap();
    }
    writer.finish().unwrap();
    staged.publish().unwrap();
    let jobs = [
        spec(),
        JobSpec { keep_order: Some(true), suppressed: Some(Suppressed::Star), ..spec() },
        JobSpec { intervals: Some(kohort::data::Intervals::Midpoint), ..spec() },
        JobSpec {
            algorithm: Some("mondrian".into()),
            intervals: Some(kohort::data::Intervals::Bounds),
            ..spec()
        },
    ];
    for spec in jobs {
        let mut sink = MemorySink::new("release");
        let here = kohort::anonymize(&spec.check().unwrap(), &people, &mut sink, &Quiet).unwrap();
        let release = sink.into_release().unwrap();
        let output = at("release.parquet");
        let placed = JobSpec { input: Some(file.clone()), output: Some(output.clone()), ..spec.clone() };
        let there = FileJob::new(placed).unwrap().run(&Quiet).unwrap();
        assert_eq!(rows(&release), rows(&FileTable::open(&output).unwrap()));
        assert_eq!(here.summary.loss, there.summary.loss);
        let demands = spec.check_for_verification().unwrap();
        let seen = kohort::verify(&demands, &release, Some(&people), &Quiet).unwrap();
        let file = FileVerifyJob::new(&spec, output, Some(file.clone())).unwrap().run(&Quiet).unwrap();
        assert_eq!((seen.shortfalls.len(), seen.summary.achieved.k), (0, file.summary.achieved.k));
        // A certificate is for the release, not for the file that holds it: only its digest differs.
        let told = |outcome: &Outcome| {
            let mut object = serde_json::to_value(&outcome.certificate).unwrap();
            object["release"]["sha256"] = "".into();
            object
        };
        assert_eq!(told(&here), told(&there));
    }
}

#[test]
fn a_hierarchy_may_be_given_in_memory() {
    let spec = spec();
    let mut sink = MemorySink::new("release");
    let job = trees(&spec, spec.check().unwrap());
    kohort::anonymize(&job, &people(300), &mut sink, &Quiet).unwrap();
    let release = sink.into_release().unwrap();
    let all = find("hospital").unwrap().hierarchies().unwrap();
    let tree = all.iter().find(|h| h.name() == "postcode").unwrap();
    let at = release.column("postcode").unwrap();
    let shown = rows(&release).into_iter().map(|row| row[at].clone());
    assert!(shown.clone().all(|text| tree.node(&text).is_some()), "{:?}", shown.collect::<Vec<_>>());
    let flat = Hierarchy::flat("sex", ["other"]).unwrap();
    let job = spec.check().unwrap().with_hierarchy("sex", flat);
    let refused = kohort::anonymize(&job, &people(30), &mut MemorySink::new("release"), &Quiet);
    assert!(matches!(refused, Err(kohort::Error::Input(_))), "values that are not in the hierarchy");
}

/// Cancels at its n-th question within a stage.
struct Canceller {
    stage: Stage,
    entered: Mutex<Option<Stage>>,
    threads: AtomicUsize,
}

impl Observer for Canceller {
    fn enter(&self, stage: Stage, _of: u64) {
        self.threads.store(rayon::current_num_threads(), Ordering::Relaxed);
        *self.entered.lock().unwrap() = Some(stage);
    }

    fn signal(&self) -> Signal {
        let here = *self.entered.lock().unwrap() == Some(self.stage);
        if here { Signal::Cancelled } else { Signal::Go }
    }
}

#[test]
fn cancelling_is_heard_in_every_stage() {
    let (people, spec) = (people(300), spec());
    for stage in [Stage::Read, Stage::Solve, Stage::Recode, Stage::Write, Stage::Verify] {
        let observer = Canceller { stage, entered: Mutex::default(), threads: AtomicUsize::new(0) };
        let mut sink = MemorySink::new("release");
        let stopped = kohort::anonymize(&spec.check().unwrap(), &people, &mut sink, &observer);
        assert!(matches!(stopped, Err(kohort::Error::Stopped(_))), "{stage:?}: {:?}", stopped.err());
        assert!(sink.into_release().is_none(), "{stage:?}");
    }
    for stage in [Stage::Read, Stage::Verify] {
        let observer = Canceller { stage, entered: Mutex::default(), threads: AtomicUsize::new(0) };
        let stopped = kohort::verify(&spec.check().unwrap(), &people, None, &observer);
        assert!(matches!(stopped, Err(kohort::Error::Stopped(_))), "{stage:?}: {:?}", stopped.err());
    }
}

/// Whoever calls the library need not know of them.
#[test]
fn threads_and_time_limits_are_the_jobs() {
    let people = people(2000);
    let spec = JobSpec { threads: Some(3), time_limit: Some("1ms".into()), ..spec() };
    let observer =
        Canceller { stage: Stage::Verify, entered: Mutex::default(), threads: AtomicUsize::new(0) };
    let mut sink = MemorySink::new("release");
    let _ = kohort::anonymize(&spec.check().unwrap(), &people, &mut sink, &observer);
    assert_eq!(observer.threads.load(Ordering::Relaxed), 3);
    let hurried = kohort::anonymize(&spec.check().unwrap(), &people, &mut sink, &Quiet).unwrap();
    assert!(hurried.notes.iter().any(|note| note.to_string().contains("time was up")), "{:?}", hurried.notes);
    let wrong = |threads| JobSpec { threads: Some(threads), ..spec.clone() }.check();
    assert!(wrong(0).is_err() && wrong(100_000).is_err());
    assert!(JobSpec { time_limit: Some("soon".into()), ..spec.clone() }.check().is_err());
}

/// Flags, job files, Python and a browser all speak of jobs as data.
#[test]
fn jobs_travel_as_data() {
    let text = r#"
        k = 10
        p = 3
        l-diversity = ["distinct:3", "entropy:2.5@diagnosis"]
        suppress = "5%"
        levels = { age = 2 }
        [columns]
        name      = { role = "identifier" }
        age       = { role = "quasi-identifier", type = "integer", cuts = [18, 65], weight = 2.0 }
        birth     = { role = "quasi-identifier", type = "date", hierarchy = "day/month/year" }
        zip       = { role = "quasi-identifier", hierarchy = { mask = "right", levels = 5 } }
        income    = { role = "quasi-identifier", hierarchy = { ranges = [10.0, 100.0], origin = 5.0 } }
        score     = { role = "quasi-identifier", hierarchy = { balanced = 4 } }
        location  = { role = "quasi-identifier", hierarchy = "location.csv", level_weights = { 2 = 3.0 } }
        diagnosis = { role = "sensitive", protected = ["Tumours"], closeness = "hierarchical", alpha = 0.5 }
    "#;
    let spec: JobSpec = toml::from_str(text).unwrap();
    let json = serde_json::to_string(&spec).unwrap();
    let again: JobSpec = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), json);
    let toml_text = toml::to_string(&spec).unwrap();
    let thrice: JobSpec = toml::from_str(&toml_text).unwrap();
    assert_eq!(serde_json::to_string(&thrice).unwrap(), json);
    assert!(!json.contains("null"), "what was not said is not there: {json}");
}

/// A source of somebody else's, with a schema of its own.
struct Foreign {
    inner: MemoryTable,
    schema: SchemaRef,
}

impl Foreign {
    /// Renames the first column, or gives it another type.
    fn new(change: impl Fn(&Field) -> Field) -> Self {
        let inner = people(50);
        let mut fields: Vec<_> = inner.schema().fields().iter().map(|f| f.as_ref().clone()).collect();
        fields[0] = change(&fields[0]);
        Self { inner, schema: Arc::new(Schema::new(fields)) }
    }
}

impl TableSource for Foreign {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn batches(&self, columns: &[usize]) -> kohort::Result<Batches<'_>> {
        self.inner.batches(columns)
    }

    fn digest(&self) -> kohort::Result<String> {
        self.inner.digest()
    }
}

#[test]
fn what_no_table_may_be_is_refused_whoever_made_it() {
    let twice = Foreign::new(|f| f.clone().with_name("sex"));
    let stored = Foreign::new(|f| {
        f.clone().with_data_type(DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)))
    });
    let nameless = Foreign::new(|f| f.clone().with_name(""));
    let job = spec().check().unwrap();
    for (wrong, why) in [(twice, "both named 'sex'"), (stored, "plain values"), (nameless, "no name")] {
        let refused = kohort::anonymize(&job, &wrong, &mut MemorySink::new("release"), &Quiet).unwrap_err();
        assert!(refused.to_string().contains(why), "{refused}");
        let refused = kohort::verify(&job, &wrong, None, &Quiet).unwrap_err();
        assert!(refused.to_string().contains(why), "{refused}");
    }
}

/// Asks for what there is as soon as something is being refined.
#[derive(Default)]
struct Satisfied(AtomicBool);

impl Observer for Satisfied {
    fn enter(&self, stage: Stage, _of: u64) {
        self.0.fetch_or(stage == Stage::Refine, Ordering::Relaxed);
    }

    fn signal(&self) -> Signal {
        if self.0.load(Ordering::Relaxed) { Signal::TimeUp } else { Signal::Go }
    }
}

/// Nobody hears of a time that was not given.
#[test]
fn who_stops_early_is_said_as_it_is() {
    let job = JobSpec { k: Some(10), ..spec() }.check().unwrap();
    let mut sink = MemorySink::new("release");
    let stopped = kohort::anonymize(&job, &people(3000), &mut sink, &Satisfied::default()).unwrap();
    let reason = stopped.summary.lower_bound.reason.clone();
    let said: Vec<String> = stopped.notes.iter().chain(&reason).map(ToString::to_string).collect();
    assert!(said.iter().any(|note| note.starts_with("stopped (Ctrl-C) before")), "{said:?}");
    assert!(!said.iter().any(|note| note.contains("time was up")), "{said:?}");
    let audit = serde_json::to_value(&stopped.audit).unwrap();
    assert_eq!(
        (&audit["work"]["stopped_early"], &audit["work"]["time_was_up"]),
        (&true.into(), &false.into())
    );
    assert!(audit["search"].to_string().contains("by whoever ran it"), "{}", audit["search"]);
}
