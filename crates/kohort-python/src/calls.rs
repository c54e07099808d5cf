//! The calls of the library, as functions that the Python side gives arguments and reads results of.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use kohort::catalog::CATALOG;
use kohort::data::{Hierarchy, Role};
use kohort::generate::find;
use kohort::input::{FileTable, JobSpec, ReadOptions, TableSource};
use kohort::job::files::{AppendPlaces, FileAppendJob, verify_claims};
use kohort::job::{ExplainQuestion, RiskQuestion, Verdict};
use kohort::output::MemorySink;
use kohort::propose::{Header, examine};
use kohort::{Error, Result};
use pyo3::prelude::*;
use serde_json::json as object;

use crate::attended::attended;
use crate::error::{OrRaise, json, raised};
use crate::hierarchy::Tree;
use crate::job::{Job, checked, cloned};
use crate::outcome::Made;
use crate::speech::Python as Speech;
use crate::table::{Given, Table};

type Trees = HashMap<String, Py<Tree>>;

/// Makes a release.
#[pyfunction]
#[pyo3(signature = (job, trees, data, name, typed_by_values=false, progress=None))]
pub(crate) fn anonymize(
    py: Python<'_>,
    job: &Job,
    trees: Trees,
    data: &Bound<'_, PyAny>,
    name: &str,
    typed_by_values: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Made> {
    let checked = checked(py, job, trees, false)?;
    let given = Given::new(data, name, &job.spec.reading())?.typed_by_values(typed_by_values);
    let done = attended(py, progress, |observer| {
        let mut sink = MemorySink::new("release");
        let outcome = kohort::anonymize(&checked, given.source(), &mut sink, observer)?;
        let release = sink.into_release().ok_or_else(|| Error::internal("a finished job has no release"))?;
        Ok((release, outcome))
    })?;
    let interrupted = done.was_interrupted();
    let (release, outcome) = done.result;
    Ok(Made { release, outcome, seconds: done.seconds, interrupted, growth: None })
}

/// What a table achieves: the verdict as JSON. A certificate, where one is given, says what is claimed of it.
#[pyfunction]
#[pyo3(signature = (job, trees, release, original=None, certificate=None, progress=None))]
pub(crate) fn verify(
    py: Python<'_>,
    job: &Job,
    trees: Trees,
    release: &Bound<'_, PyAny>,
    original: Option<&Bound<'_, PyAny>>,
    certificate: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let of_release = if original.is_some() { ReadOptions::default() } else { job.spec.reading() };
    let release = open_release(release, "release", &of_release)?;
    let open = |data| Given::new(data, "original", &job.spec.reading());
    let original = original.map(open).transpose()?;
    let done = if let Some(claims) = certificate {
        let trees = cloned(trees);
        attended(py, progress, |observer| {
            let original = original.as_ref().map(Given::source);
            verify_claims((&job.spec, trees), claims, release.source(), original, observer)
        })?
    } else {
        let checked = checked(py, job, trees, true)?;
        attended(py, progress, |observer| {
            kohort::verify(&checked, release.source(), original.as_ref().map(Given::source), observer)
        })?
    };
    verdict(py, &done.unless_interrupted()?)
}

fn verdict(py: Python<'_>, found: &Verdict) -> PyResult<String> {
    let broken = |e: serde_json::Error| raised(py, &Error::internal(e.to_string()));
    let mut all = serde_json::to_value(&found.summary).map_err(broken)?;
    let spoken =
        |said: &[kohort::error::Said]| -> Vec<String> { said.iter().map(|s| s.spoken_by(&Speech)).collect() };
    all["shortfalls"] = spoken(&found.shortfalls).into();
    if let Some(not_checked) = &found.summary.not_checked {
        all["not_checked"] = spoken(not_checked).into();
    }
    all["judged"] = found.judged.iter().map(ToString::to_string).collect::<Vec<_>>().into();
    json(py, &all)
}

/// A release to read: what is published is compared as text.
fn open_release(data: &Bound<'_, PyAny>, name: &str, reading: &ReadOptions) -> PyResult<Given> {
    match data.extract::<PathBuf>() {
        Ok(path) => FileTable::open_release_with(&path, reading)
            .or_raise(data.py())
            .map(|table| Given::File(Box::new(table))),
        Err(_) => Given::new(data, name, reading),
    }
}

/// What no release loses less than, as JSON.
#[pyfunction]
#[pyo3(signature = (job, trees, data, name, seconds=None, progress=None))]
pub(crate) fn bound(
    py: Python<'_>,
    job: &Job,
    trees: Trees,
    data: &Bound<'_, PyAny>,
    name: &str,
    seconds: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|_| {
        raised(
            py,
            &Error::job("the time is no length of time")
                .at("seconds")
                .help("give a number of seconds, such as 20"),
        )
    })?;
    let checked = checked(py, job, trees, false)?;
    let given = Given::new(data, name, &job.spec.reading())?;
    let done =
        attended(py, progress, |observer| kohort::job::bound(&checked, given.source(), time, observer))?;
    let found = done.unless_interrupted()?;
    let bound = &found.lower_bound;
    json(
        py,
        &object!({
            "rows": found.rows,
            "k": checked.demands().k(),
            "notion": checked.notion().name(),
            "measure": bound.measure,
            "bound": bound.bound,
            "reason": bound.reason.as_ref().map(|reason| reason.spoken_by(&Speech)),
            "reproducible": !found.is_timed,
        }),
    )
}

/// Why a release is as coarse as it is, as JSON.
#[pyfunction]
#[pyo3(signature = (job, trees, release, original, row=None, original_row=None, column=None, quick_rows=None, progress=None))]
#[allow(clippy::too_many_arguments)] // they are Python's keywords
pub(crate) fn explain(
    py: Python<'_>,
    job: &Job,
    trees: Trees,
    release: &Bound<'_, PyAny>,
    original: &Bound<'_, PyAny>,
    row: Option<u64>,
    original_row: Option<u64>,
    column: Option<String>,
    quick_rows: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let checked = checked(py, job, trees, false)?;
    let release = open_release(release, "release", &ReadOptions::default())?;
    let original = Given::new(original, "original", &job.spec.reading())?;
    let question = ExplainQuestion { row, original_row, column, quick_rows };
    let done = attended(py, progress, |observer| {
        kohort::job::explain(&checked, release.source(), original.source(), &question, observer)
    })?;
    json(py, &done.unless_interrupted()?.as_json(&Speech).or_raise(py)?)
}

/// What several releases give away together, as JSON.
#[pyfunction]
#[pyo3(signature = (job, trees, releases, known, may_leave, progress=None))]
pub(crate) fn risk(
    py: Python<'_>,
    job: &Job,
    trees: Trees,
    releases: Vec<(String, Bound<'_, PyAny>)>,
    known: Vec<(String, String)>,
    may_leave: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let checked = checked(py, job, trees, true)?;
    let open = |(name, data): (String, Bound<'_, PyAny>)| open_release(&data, &name, &ReadOptions::default());
    let opened = releases.into_iter().map(open).collect::<PyResult<Vec<_>>>()?;
    let question = RiskQuestion { known, may_leave };
    let done = attended(py, progress, |observer| {
        let sources: Vec<&dyn TableSource> = opened.iter().map(Given::source).collect();
        kohort::risk(&checked, &sources, &question, observer)
    })?;
    json(py, &done.unless_interrupted()?.as_json(&Speech))
}

/// A job for a table: the proposal as JSON, the text of the job file, and trees that were made from columns.
#[pyfunction]
#[pyo3(signature = (job, data, name, progress=None))]
pub(crate) fn init(
    py: Python<'_>,
    job: &Job,
    data: &Bound<'_, PyAny>,
    name: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String, HashMap<String, Tree>)> {
    let given = Given::new(data, name, &job.spec.reading())?;
    let done = attended(py, progress, |observer| {
        let source = given.source();
        let mut proposal = examine(source)?.proposal(true)?;
        let trial = kohort::job::try_proposal(&mut proposal, source, observer)?;
        Ok((proposal, trial))
    })?;
    let (proposal, trial) = done.unless_interrupted()?;
    let made: HashMap<String, Hierarchy> =
        proposal.columns.iter().filter_map(|c| Some((c.name.clone(), c.made.clone()?))).collect();
    let header = Header {
        about: vec![format!(
            "A job for {name}, proposed from what is in the table. Only you know what others can know. Private."
        )],
        input: data.extract::<PathBuf>().map_or_else(|_| String::new(), |path| path.display().to_string()),
        reading: job.spec.reading(),
        hierarchies: made.keys().map(|column| (column.clone(), format!("{column}.csv"))).collect(),
    };
    let text = proposal.to_toml(&header);
    let found = json(py, &object!({ "proposal": proposal, "trial": trial }))?;
    Ok((found, text, made.into_iter().map(|(name, tree)| (name, Tree::of(tree))).collect()))
}

/// The next release of a growing table.
#[pyfunction]
#[pyo3(signature = (job, data, ledger, previous=None, withdraw=None, withhold=false, rule=None, unpublished=false, published=false, typed_by_values=false, progress=None))]
#[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)] // they are Python's keywords
pub(crate) fn append(
    py: Python<'_>,
    job: &Job,
    data: Option<&Bound<'_, PyAny>>,
    ledger: PathBuf,
    previous: Option<PathBuf>,
    withdraw: Option<PathBuf>,
    withhold: bool,
    rule: Option<&str>,
    unpublished: bool,
    published: bool,
    typed_by_values: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Made> {
    let rule = rule
        .map(|name| kohort::algorithm::InsertionRule::named(name).map_err(|e| e.option_with("rule", name)))
        .transpose()
        .or_raise(py)?;
    let places = AppendPlaces { ledger, previous, withdraw, withhold, rule, unpublished, published };
    // A path goes the way of the command, to the byte.
    let path = data.and_then(|data| data.extract::<PathBuf>().ok());
    let given = match (data, &path) {
        (Some(data), None) => {
            let given = Given::new(data, "data", &ReadOptions::default())?.typed_by_values(typed_by_values);
            Some(given.leveled().or_raise(py)?)
        }
        _ => None,
    };
    let spec = JobSpec { input: path, ..job.spec.clone() };
    let output = spec.output.clone().unwrap_or_default();
    let reads_file = spec.input.is_some();
    let appending = FileAppendJob::new(spec, places).or_raise(py)?;
    let done = attended(py, progress, |observer| {
        let appended = if reads_file {
            appending.run(observer)?
        } else {
            appending.run_on(given.as_ref().map(Given::source), observer)?
        };
        Ok((in_memory(&output)?, appended))
    })?;
    let interrupted = done.was_interrupted();
    let (release, appended) = done.result;
    let growth = json(py, &appended.growth)?;
    Ok(Made { release, outcome: appended.outcome, seconds: done.seconds, interrupted, growth: Some(growth) })
}

fn in_memory(release: &std::path::Path) -> Result<kohort::input::MemoryTable> {
    let table = FileTable::open_release(release)?;
    let all: Vec<usize> = (0..table.schema().fields().len()).collect();
    let batches = table.batches(&all)?.collect::<Result<_>>()?;
    kohort::input::MemoryTable::new("release", table.schema(), batches)
}

/// What a column would be in a job.
type ColumnRole = (&'static str, String);

/// A made-up table, the trees that go with it, and what its columns would be in a job.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    name: &str,
    rows: u64,
    seed: u64,
) -> PyResult<(Table, HashMap<String, Tree>, Vec<ColumnRole>)> {
    let made = || {
        let generator = find(name)?;
        let rows = generator.rows(rows, seed);
        let schema = rows.schema();
        let batches = rows.collect::<Result<Vec<_>>>()?;
        Ok((Table::new(schema, batches), generator.hierarchies()?, generator))
    };
    let (table, trees, generator) = py.detach(made).or_raise(py)?;
    let role = |role: Role| serde_json::to_value(role).ok().and_then(|role| Some(role.as_str()?.to_owned()));
    let roles =
        generator.columns().iter().filter_map(|column| Some((column.name, role(column.role)?))).collect();
    Ok((table, trees.into_iter().map(|tree| (tree.name().to_owned(), Tree::of(tree))).collect(), roles))
}

/// All there is to choose from, as JSON.
#[pyfunction]
pub(crate) fn catalog(py: Python<'_>) -> PyResult<String> {
    json(py, &CATALOG)
}

/// The command: runs it with these words and returns the number it ends with.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| kohort_cli::run(words))
}
