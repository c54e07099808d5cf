//! Goes through tables, k, algorithms and sizes.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::Options;
use crate::adult::usual_place;
use crate::cases::{Case, cases};
use crate::child::Task;
use crate::limit::{Expected, TRIAL_ROWS, measured};
use crate::report::Report;

pub(crate) fn run(options: &Options) -> Result<()> {
    let adult = options.adult.clone().unwrap_or_else(usual_place);
    let adult = adult.is_file().then_some(adult);
    let chosen = chosen(&options.algorithms)?;
    let mut report = Report::new(options.out.clone())?;
    for &attributes in &options.attributes {
        let adult = adult.clone().filter(|_| attributes == 8);
        for &k in &options.k {
            for case in chosen.iter().filter(|case| attributes <= case.attributes) {
                let task =
                    Task { case: case.name(), adult: adult.clone(), rows: 0, attributes, k, threads: 0 };
                sizes(options, case, &task, &mut report)?;
            }
        }
    }
    report.finish();
    Ok(())
}

fn chosen(names: &[String]) -> Result<Vec<Case>> {
    let fits = |case: &Case, name: &String| *name == case.name() || *name == case.algorithm;
    for name in names {
        ensure!(cases().iter().any(|case| fits(case, name)), "there is no algorithm '{name}' here");
    }
    let wanted = |case: &Case| names.is_empty() || names.iter().any(|name| fits(case, name));
    Ok(cases().into_iter().filter(wanted).collect())
}

/// One algorithm on ever larger tables.
fn sizes(options: &Options, case: &Case, task: &Task, report: &mut Report) -> Result<()> {
    let table = if task.adult.is_some() { "adult" } else { "census" };
    let limit = (!options.all).then_some(options.plain_limit);
    let mut expected = None;
    let mut before: Option<Value> = None;
    for size in &options.sizes {
        let task = Task { rows: size.of(table), ..task.clone() };
        let plain = plain(case, &task, limit, &mut expected)?;
        let [one, two] = [1, 2].map(|threads| shipped(&task, threads));
        let (one, two) = (one?, two?);
        same(&task, &[&one, &two, &plain])?;
        let found = found(case, &task, table, &plain, &one, &two, before.as_ref());
        report.add(&found)?;
        before = Some(found);
    }
    Ok(())
}

/// The plain loop, or why there is no measurement of it.
fn plain(case: &Case, task: &Task, limit: Option<f64>, expected: &mut Option<Expected>) -> Result<Value> {
    if case.plain.is_none() {
        return Ok(json!({ "skipped": "no loop for tables of this size" }));
    }
    if let Some(limit) = limit {
        if expected.is_none() && task.rows > TRIAL_ROWS {
            *expected = timed(&Task { rows: TRIAL_ROWS, ..task.clone() }, Some(limit))?.1;
        }
        if let Some(soon) = expected.map(|known| known.on(task.rows, case.power)) {
            *expected = Some(soon);
            if soon.seconds > limit {
                return Ok(json!({ "skipped": format!("skipped, predicted {:.0} s", soon.seconds) }));
            }
        }
    }
    let (plain, took) = timed(task, limit)?;
    *expected = took.or(*expected);
    Ok(plain)
}

fn timed(task: &Task, limit: Option<f64>) -> Result<(Value, Option<Expected>)> {
    let Some(found) = measured(task, limit)? else {
        return Ok((json!({ "skipped": "stopped, took three times the limit" }), None));
    };
    let seconds = found["seconds"].as_f64().context("no seconds")?;
    Ok((found, Some(Expected { rows: task.rows, seconds })))
}

fn shipped(task: &Task, threads: usize) -> Result<Value> {
    measured(&Task { threads, ..task.clone() }, None)?.context("stopped without a limit")
}

/// Different answers cannot be compared in speed.
fn same(task: &Task, found: &[&Value]) -> Result<()> {
    let digests: Vec<&Value> = found.iter().map(|f| &f["digest"]).filter(|d| !d.is_null()).collect();
    let flags = task.flags().join(" ");
    ensure!(
        digests.windows(2).all(|pair| pair[0] == pair[1]),
        "THE PLAIN LOOP AND THE SHIPPED FORM DISAGREE, or the number of threads matters: {flags}"
    );
    Ok(())
}

fn found(
    case: &Case,
    task: &Task,
    table: &str,
    plain: &Value,
    one: &Value,
    two: &Value,
    before: Option<&Value>,
) -> Value {
    let (plain_s, one_s) = (plain["seconds"].as_f64(), one["seconds"].as_f64());
    // Only the clock on the wall knows what two threads save.
    let (one_wall, two_wall) = (one["wall_seconds"].as_f64(), two["wall_seconds"].as_f64());
    let over = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
    let growth = |name: &str, now: Option<f64>| {
        let before = before?;
        let rows = task.rows as f64 / before["rows"].as_f64()?;
        Some((now? / before[name].as_f64()?).ln() / rows.ln())
    };
    json!({
        "algorithm": case.algorithm, "variant": case.variant, "table": table, "rows": task.rows,
        "attributes": task.attributes, "k": task.k, "p": case.p,
        "plain_seconds": plain_s, "plain_skipped": plain["skipped"],
        "shipped_seconds": one_s, "shipped_wall_seconds": one_wall, "shipped_2_threads_wall_seconds": two_wall,
        "plain_over_shipped": over(plain_s, one_s), "one_over_two_threads": over(one_wall, two_wall),
        "plain_growth": growth("plain_seconds", plain_s), "shipped_growth": growth("shipped_seconds", one_s),
        "table_bytes": one["table_bytes"], "shipped_peak_bytes": one["peak_bytes"],
        "plain_peak_bytes": plain["peak_bytes"],
    })
}
