//! What is asked of a growing table is said once: with its first release. Later releases take it from the ledger.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::algorithm::Choice;
use crate::data::recipes::{HierarchySpec, Recipe};
use crate::data::{Domain, Intervals, Kind, Role, Suppressed, Table};
use crate::demand::Notion;
use crate::error::{Error, Result};
use crate::input::{ColumnSpec, JobSpec};
use crate::job::checked::HierarchyFrom;
use crate::job::{CheckedJob, prepare};

/// Refuses what cannot be kept from release to release.
pub(super) fn check_growable(job: &CheckedJob, spec: &JobSpec) -> Result<()> {
    let refuse = |option: &str, what: &str, why: &str, help: &str| {
        Err(Error::job(format!("{what} cannot grow: {why}")).option(option).help(help.to_owned()))
    };
    if job.notion != Notion::K {
        return refuse(
            "notion",
            "a release by another notion than k-anonymity",
            "it has no classes that stay together from release to release",
            "omit ‹notion›",
        );
    }
    if job.search.choice.recodes_columns() {
        return refuse(
            "algorithm",
            "a release with one level per column",
            "new rows would need other levels, and old rows are published already",
            "choose another algorithm, and omit ‹levels› and ‹solutions›",
        );
    }
    if job.keep_order {
        return refuse(
            "keep-order",
            "a release in the order of the table",
            "rows in the same order can be followed from release to release",
            "omit ‹keep-order›",
        );
    }
    if job.suppressed == Some(Suppressed::Star) {
        return refuse(
            "suppressed",
            "a release with starred rows",
            "rows that are left out wait and appear later, and the number of stars would tell when",
            "omit ‹suppressed=star›",
        );
    }
    if job.publish_counts {
        return refuse(
            "publish-counts",
            "a release with counts of the original",
            "they would tell how many rows wait",
            "omit ‹publish-counts›",
        );
    }
    if job.intervals == Intervals::Midpoint {
        return refuse(
            "intervals",
            "a release with middles of intervals",
            "nobody can tell what they cover, so no later release could be checked against it",
            "use ‹intervals=text› or ‹intervals=bounds›",
        );
    }
    let balanced = |hierarchy: &Option<HierarchySpec>| {
        matches!(hierarchy, Some(HierarchySpec::Built(Recipe::Balanced(_))))
    };
    if let Some((name, _)) = spec.columns.iter().find(|(_, entry)| balanced(&entry.hierarchy)) {
        return Err(Error::job(format!(
            "the hierarchy of '{name}' is cut by the values of the table, and would be another one for the next batch"
        ))
        .in_column(name)
        .key("hierarchy")
        .help("write it to a file with `hierarchy build`, and name the file"));
    }
    if !spec.person.is_empty() && !job.demands.survive_adding_rows() {
        return refuse(
            "person",
            "a release in which people are counted and shares of values are asked for",
            "somebody can be in two groups that meet the demands, and the groups together need not",
            "ask for k, p and distinct values alone, or release one row per person",
        );
    }
    Ok(())
}

/// The job in the form in which it is kept: without the places of one run; roles in lists; with places that can be found from
/// anywhere.
pub(super) fn kept_form(spec: &JobSpec) -> JobSpec {
    let mut kept = listed_form(spec);
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    kept.hierarchies = kept.hierarchies.as_deref().map(absolute);
    for entry in kept.columns.values_mut() {
        if let Some(HierarchySpec::File(file)) = &mut entry.hierarchy {
            *file = absolute(file);
        }
    }
    kept
}

/// The job without the places of one run, with roles in lists.
pub(in crate::job) fn listed_form(spec: &JobSpec) -> JobSpec {
    let mut kept = JobSpec {
        path: None,
        input: None,
        output: None,
        solutions: None,
        certificate: None,
        audit: None,
        no_audit: None,
        time_limit: None,
        threads: None,
        ..spec.clone()
    };
    let named: Vec<String> = kept.column_order.drain(..).collect();
    let others: Vec<String> = kept.columns.keys().filter(|name| !named.contains(name)).cloned().collect();
    for name in named.into_iter().chain(others) {
        let Some(entry) = kept.columns.get_mut(&name) else { continue };
        let list = match entry.role.take() {
            Some(Role::Identifier) => &mut kept.identifier,
            Some(Role::Person) => &mut kept.person,
            Some(Role::QuasiIdentifier) => &mut kept.qi,
            Some(Role::Sensitive) => &mut kept.sensitive,
            Some(Role::Keep) => &mut kept.keep,
            Some(Role::Drop) => &mut kept.drop,
            None => continue,
        };
        if !list.contains(&name) {
            list.push(name);
        }
    }
    kept
}

/// The job with the types that were found in the first release, where nobody declared them: the next batch must not be read in
/// another way.
pub(super) fn with_types(mut spec: JobSpec, job: &CheckedJob, table: &Table) -> JobSpec {
    for q in &table.qi {
        let name = &q.attribute.name;
        let declared = job.columns.get(name).is_some_and(|entry| entry.kind.is_some());
        if declared || prepare::has_hierarchy(job, name) {
            continue;
        }
        let kind = match &q.attribute.domain {
            Domain::Interval(numbers) => numbers.kind(),
            Domain::Tree(_) => Kind::Category,
        };
        spec.columns.entry(name.clone()).or_default().kind = Some(kind);
    }
    spec
}

/// The job of a later release: that of the first one, searched for as this run wants it. Refuses to ask for anything else.
pub(super) fn continued(first: &JobSpec, given: &JobSpec) -> Result<JobSpec> {
    let given = kept_form(given);
    let merged = first.clone().overridden_by(given.clone());
    let (before, now) = (comparable(first)?, comparable(&merged)?);
    let names = before.keys().chain(now.keys());
    let differ = |name: &&String| before.get(*name) != now.get(*name);
    let mut differing: Vec<&String> = names.filter(differ).collect();
    differing.sort();
    differing.dedup();
    if let Some(name) = differing.first() {
        let all: Vec<&str> = differing.iter().map(|name| name.as_str()).collect();
        let option = if *name == "columns" { "type" } else { name.as_str() };
        return Err(Error::job(format!(
            "this is not what the first release of the ledger was asked for: {} {} different",
            all.join(", "),
            if all.len() == 1 { "is" } else { "are" }
        ))
        .option(option)
        .help("omit it: what is asked is in the ledger. To ask for something else, start a new ledger with people who were never released before"));
    }
    Ok(JobSpec { rows_are_people: merged.rows_are_people.or(given.rows_are_people), ..merged })
}

/// What a job asks for, key by key, without how it is searched for and where things lie: files are known by their digests.
fn comparable(spec: &JobSpec) -> Result<serde_json::Map<String, Value>> {
    let mut spec = JobSpec {
        algorithm: None,
        settings: BTreeMap::new(),
        distance: None,
        block_rows: None,
        refine: None,
        refine_steps: None,
        seed: None,
        bound: None,
        refuse_risky: None,
        rows_are_people: None,
        hierarchies: None,
        ..kept_form(spec)
    };
    for entry in spec.columns.values_mut() {
        if let Some(HierarchySpec::File(file)) = &mut entry.hierarchy {
            *file = PathBuf::new();
        }
    }
    for (name, entry) in &mut spec.columns {
        // How the quasi-identifiers of a batch are written is a matter of that batch: what is published is the same.
        if spec.qi.contains(name) {
            (entry.date_format, entry.decimal) = (Vec::new(), None);
        }
    }
    // What says nothing is not there.
    spec.columns.retain(|_, entry| *entry != ColumnSpec::default());
    match serde_json::to_value(&spec).map_err(|e| Error::internal(e.to_string()))? {
        Value::Object(keys) => Ok(keys),
        _ => Err(Error::internal("a job is not an object")),
    }
}

/// Refuses hierarchies that are not where the ledger says, unless this run says where they are.
pub(super) fn check_places(job: &CheckedJob, given: &JobSpec) -> Result<()> {
    let moved = |what: &str, place: &Path| {
        Error::input(format!(
            "the {what} that the first release was made with is not where the ledger recorded it"
        ))
        .in_file(place.display().to_string())
    };
    if let Some(folder) = job.hierarchies.as_deref().filter(|f| given.hierarchies.is_none() && !f.is_dir()) {
        return Err(moved("folder of hierarchies", folder).option("hierarchies").help(
            "bring it back, or say where it is now: ‹hierarchies=DIR›; the trees in it must be the same",
        ));
    }
    for (name, entry) in &job.columns {
        let file = match &entry.hierarchy {
            Some(HierarchyFrom::File(file)) if !file.is_file() => file,
            _ => continue,
        };
        return Err(moved("hierarchy", file)
            .in_hierarchy_of(name)
            .help("bring it back, or name it in a job file for this run; the tree in it must be the same"));
    }
    Ok(())
}

/// Refuses an algorithm that a growing table cannot have.
pub(super) fn check_choice(choice: Choice) -> Result<()> {
    if choice.recodes_columns() {
        return Err(Error::job("a release with one level per column cannot grow")
            .option("algorithm")
            .help("choose another algorithm"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Scalar;

    fn first() -> JobSpec {
        let age = ColumnSpec { kind: Some(Kind::Integer), ..ColumnSpec::default() };
        JobSpec {
            qi: vec!["age".into()],
            k: Some(5),
            columns: [("age".to_owned(), age)].into(),
            ..JobSpec::default()
        }
    }

    #[test]
    fn what_is_asked_stays_and_how_it_is_searched_for_need_not() {
        let given =
            JobSpec { algorithm: Some("mondrian".into()), seed: Some(7), k: Some(5), ..JobSpec::default() };
        let now = continued(&first(), &given).unwrap();
        assert_eq!((now.k, now.seed, now.algorithm.as_deref()), (Some(5), Some(7), Some("mondrian")));
        for (given, name) in [
            (JobSpec { k: Some(6), ..JobSpec::default() }, "k"),
            (JobSpec { p: Some(2), ..JobSpec::default() }, "p"),
            (JobSpec { qi: vec!["zip".into()], ..JobSpec::default() }, "qi"),
            (JobSpec { suppress: Some(Scalar::Text("5%".into())), ..JobSpec::default() }, "suppress"),
        ] {
            let message = continued(&first(), &given).unwrap_err().to_string();
            assert!(message.contains(&format!(": {name} is different")), "{message}");
        }
    }

    #[test]
    fn a_batch_may_write_dates_in_its_own_way_but_not_those_that_are_released_as_they_are() {
        let format = crate::data::DateFormat::try_from("%d.%m.%Y".to_owned()).unwrap();
        let written = |name: &str| {
            let entry = ColumnSpec { date_format: vec![format.clone()], ..ColumnSpec::default() };
            JobSpec { columns: [(name.to_owned(), entry)].into(), ..JobSpec::default() }
        };
        assert!(continued(&first(), &written("age")).is_ok());
        assert!(continued(&first(), &written("illness")).is_err());
    }

    #[test]
    fn roles_of_a_job_file_are_those_of_flags() {
        let role = |role| ColumnSpec { role: Some(role), ..ColumnSpec::default() };
        let given = JobSpec {
            k: Some(5),
            columns: [("age".to_owned(), role(Role::QuasiIdentifier))].into(),
            column_order: vec!["age".into()],
            ..JobSpec::default()
        };
        assert!(continued(&first(), &given).is_ok());
    }
}
