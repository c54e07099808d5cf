//! What several releases of the same people give away together, whoever made them.

use std::collections::BTreeSet;

use super::checked::{HierarchyFrom, RowsAre};
use super::observed::{Observed, WithDeadline, with_threads};
use super::prepare::hierarchy_file;
use super::verify_release::outside;
use super::{CheckedJob, Observer, Stage};
use crate::data::Intervals;
use crate::demand::{Model, Notion};
use crate::error::{Error, Result, Said};
use crate::input::{TableSource, check_source, encode, read_hierarchy};
use crate::risk::{Labels, RiskFound, SeenRelease, Wanted, attack};

/// What is asked besides the columns and demands of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RiskQuestion {
    /// What is known of a person who is in all releases: quasi-identifiers with their values.
    pub known: Vec<(String, String)>,
    /// Whether people may have left between two releases.
    pub may_leave: bool,
}

/// Attacks releases of the same people, the earliest first. The job says which columns are quasi-identifiers and sensitive, and how
/// many people and values every set must have.
pub fn risk(
    job: &CheckedJob,
    releases: &[&dyn TableSource],
    question: &RiskQuestion,
    observer: &dyn Observer,
) -> Result<RiskFound> {
    let jobs: Vec<&CheckedJob> = releases.iter().map(|_| job).collect();
    risk_of_each(&jobs, releases, question, observer)
}

/// The same where every release has a job of its own, such as what its certificate claims.
pub(super) fn risk_of_each(
    jobs: &[&CheckedJob],
    releases: &[&dyn TableSource],
    question: &RiskQuestion,
    observer: &dyn Observer,
) -> Result<RiskFound> {
    let Some(&first) = jobs.first() else {
        return Err(Error::job("no release was given").help("name the releases, the earliest first"));
    };
    let watch = WithDeadline::new(observer, None, None);
    watch.enter(Stage::Read, 0);
    let (qi, sensitive) = columns(jobs, releases)?;
    first.demands.check_columns(sensitive.iter().map(String::as_str))?;
    let wanted = wanted(jobs, &qi, &sensitive, question)?;
    let labels = qi.iter().map(|name| labels(jobs, name)).collect::<Result<Vec<_>>>()?;
    let others = others(jobs, releases, &qi, &sensitive);
    let read = |(job, source): (&&CheckedJob, &&dyn TableSource)| {
        let source = Observed { source: *source, observer: &watch };
        check_source(&source)?;
        let others: Vec<usize> = others.iter().map(|name| source.column(name)).collect::<Result<_>>()?;
        Ok(SeenRelease {
            name: source.name().to_owned(),
            released: job.read_somebody(&source, &qi, &sensitive, false)?,
            others: encode(&source, &others)?,
        })
    };
    let seen: Vec<SeenRelease> = jobs.iter().zip(releases).map(read).collect::<Result<_>>()?;
    watch.enter(Stage::Verify, 0);
    watch.check()?;
    let mut found = with_threads(first.threads, || Ok(attack(&seen, &labels, &wanted)))?;
    found.known.clone_from(&question.known);
    found.not_tried.extend(unasked(jobs));
    if seen.iter().any(|release| release.released.rows == 0) {
        found.not_tried.push("releases without rows: nobody is in them".into());
    }
    Ok(found)
}

/// What the jobs demand of classes and no attack asks of sets: numbers of rows and values are all that is counted.
fn unasked(jobs: &[&CheckedJob]) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    let mut add = |said: Said| {
        if !all.contains(&said) {
            all.push(said);
        }
    };
    for job in jobs {
        let counted =
            |model: Model| matches!(model, Model::KAnonymity { .. }) || model.different_values() > 1;
        let others = job.demands.iter().filter(|demand| !counted(demand.model));
        others.for_each(|demand| add(format!("whether sets of people satisfy {demand}").into()));
        if job.notion != Notion::K {
            add(format!(
                "what the releases give away under the notion '{}': rows were grouped by what they show",
                job.notion.name()
            )
            .into());
        }
        if job.rows_are == RowsAre::OfUnseenPeople || !job.person.is_empty() {
            add("how many people sets have where somebody has several rows: rows were counted".into());
        }
    }
    all
}

/// The quasi-identifiers and sensitive columns, which must be the same ones in all releases.
fn columns(jobs: &[&CheckedJob], releases: &[&dyn TableSource]) -> Result<(Vec<String>, Vec<String>)> {
    let mut all = jobs.iter().map(|job| job.names_without_original());
    let Some(first) = all.next().transpose()? else { return Ok((Vec::new(), Vec::new())) };
    if first.0.is_empty() {
        return Err(Error::job("no quasi-identifier was named")
            .option("qi")
            .help("name the columns an outsider could know"));
    }
    let sorted = |(qi, sensitive): &(Vec<String>, Vec<String>)| -> (BTreeSet<String>, BTreeSet<String>) {
        (qi.iter().cloned().collect(), sensitive.iter().cloned().collect())
    };
    for (other, release) in all.zip(&releases[1..]) {
        if sorted(&other?) != sorted(&first) {
            return Err(Error::job("the releases have different quasi-identifiers or sensitive columns")
                .in_file(release.name())
                .help("name those that all of them have by ‹qi› and ‹sensitive›"));
        }
    }
    Ok(first)
}

fn wanted(
    jobs: &[&CheckedJob],
    qi: &[String],
    sensitive: &[String],
    question: &RiskQuestion,
) -> Result<Wanted> {
    let values = |job: &&CheckedJob, name: &String| {
        job.demands.of(name).map(Model::different_values).max().unwrap_or(1)
    };
    let least = |name: &String| jobs.iter().map(|job| values(job, name)).min().unwrap_or(1);
    let mut known = vec![None; if question.known.is_empty() { 0 } else { qi.len() }];
    for (name, value) in &question.known {
        let at = qi.iter().position(|q| q == name).ok_or_else(|| {
            Error::job(format!("'{name}' is no quasi-identifier"))
                .help(format!("say what is known of these: {}", qi.join(", ")))
        })?;
        known[at] = Some(value.clone());
    }
    Ok(Wanted {
        k: jobs.iter().map(|job| job.demands.k()).min().filter(|&k| k > 1),
        p: sensitive.iter().map(least).collect(),
        may_leave: question.may_leave,
        known,
    })
}

/// How the texts of a quasi-identifier are read.
fn labels(jobs: &[&CheckedJob], name: &str) -> Result<Labels> {
    for job in jobs {
        if let Some(file) = hierarchy_file(job, name) {
            return Ok(Labels::Tree(Box::new(read_hierarchy(&file, name)?)));
        }
        let entry = job.columns.get(name).and_then(|entry| entry.hierarchy.as_ref());
        if let Some(HierarchyFrom::Given(tree)) = entry {
            return Ok(Labels::Tree(Box::new(tree.as_ref().clone())));
        }
    }
    if jobs.iter().any(|job| job.intervals == Intervals::Midpoint) {
        return Ok(Labels::Unreadable);
    }
    let claimed = || jobs.iter().filter_map(|job| job.claimed.as_ref());
    let published = claimed().filter_map(|claimed| claimed.labels.get(name));
    // Labels that are ranges say themselves what they cover.
    let covering = published.filter(|labels| !labels.ranges).flat_map(|labels| labels.covers.keys().cloned());
    Ok(Labels::Words { covering: covering.collect(), guessed: claimed().next().is_none() })
}

/// The columns that every release has besides, in the order of the first. Who does not mind is asked for nothing.
fn others(
    jobs: &[&CheckedJob],
    releases: &[&dyn TableSource],
    qi: &[String],
    sensitive: &[String],
) -> Vec<String> {
    let of = |release: &&dyn TableSource| -> Vec<String> {
        outside(*release, qi, sensitive).map(str::to_owned).collect()
    };
    let all: Vec<Vec<String>> = releases.iter().map(of).collect();
    let tells =
        |name: &String| jobs.iter().any(|job| job.opt_out.as_ref().is_some_and(|o| o.column == *name));
    let mut first = all.first().cloned().unwrap_or_default();
    first.retain(|name| !tells(name) && all.iter().all(|names| names.contains(name)));
    first
}
