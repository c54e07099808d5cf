//! What a release leaves in the ledger for the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rustc_hash::FxHashSet;

use super::keys::{Key, NOBODY, key_columns, row_keys};
use super::{asked, chained};
use crate::data::{Domain, Role, Sensitive, Table};
use crate::error::{Result, Said};
use crate::input::{JobSpec, TableSource, sha256_of_file};
use crate::job::checked::HierarchyFrom;
use crate::job::roles::Roles;
use crate::job::{CheckedJob, Made, prepare};
use crate::ledger::{Atom, Ledger, ReleaseRecord};
use crate::measure::Measure;
use crate::solution::{SUPPRESSED, VERBATIM};
use crate::verify::{Atoms, NO_ATOM};

/// Values of a column and how often they occur.
pub(super) type Counted = Vec<(String, u64)>;

/// The ledger of a first release: every class is an atom. Also what falls short if the atoms are looked at one by one.
pub(super) fn first(
    job: &CheckedJob,
    kept: &JobSpec,
    made: &Made<'_>,
    order: &[u32],
    written: &dyn TableSource,
) -> Result<(Ledger, Vec<Said>)> {
    let read = job.read_back(made, job.intervals, written)?;
    let (class_of, classes) = read.grouping.classes();
    let atom_of: Vec<u32> = class_of.iter().map(|class| class.unwrap_or(NO_ATOM)).collect();
    let people = made.table.people.as_ref().map(|people| people.of_rows(order));
    let atoms = Atoms { of_row: &atom_of, people, uncounted: &[] };
    let short = atoms.shortfalls(&read.released, &read.grouping, &job.demands, made.table)?;
    drop(read);

    let waits: Vec<bool> = made.release.class_of.iter().map(|&class| class == SUPPRESSED).collect();
    let mut ledger = Ledger {
        job: asked::with_types(kept.clone(), job, made.table),
        trees: trees(job, made.source, made.roles)?,
        columns: released_columns(made.source, made.roles),
        published: true,
        releases: vec![ReleaseRecord {
            number: 1,
            place: PathBuf::new(),
            sha256: String::new(),
            rows: order.len() as u64,
            first_new_atom: 0,
            batch: None,
        }],
        atoms: (0..classes as u32).map(|class| new_atom(1, class)).collect(),
        atom_of,
        keys: Vec::new(),
        gone: Vec::new(),
        salt: Ledger::new_salt()?,
        frozen: frozen(job, made.table),
        waiting: Some(chained::rows_of(made.source, &columns_that_wait(made.roles), &waits)?),
    };
    let of_source = row_keys(job, made.source, &key_columns(made.source, made.roles), &ledger)?;
    if !of_source.is_empty() {
        ledger.keys = order.iter().map(|&row| of_source[row as usize]).collect();
    }
    keep_values(&mut ledger.frozen, job, made);
    count(&mut ledger, !made.roles.columns(Role::Person).is_empty());
    Ok((ledger, short))
}

/// An atom that a release shows for the first time.
pub(super) fn new_atom(release: u32, class: u32) -> Atom {
    Atom { rows: 0, people: None, first_release: release, withdrawn_in: None, class }
}

/// Counts the rows of every atom in the last release, and its people where people are counted.
pub(super) fn count(ledger: &mut Ledger, by_people: bool) {
    let mut rows = vec![0u32; ledger.atoms.len()];
    let mut people: Vec<FxHashSet<Key>> = vec![FxHashSet::default(); if by_people { rows.len() } else { 0 }];
    for (row, &atom) in ledger.atom_of.iter().enumerate().filter(|(_, atom)| **atom != NO_ATOM) {
        rows[atom as usize] += 1;
        if by_people {
            people[atom as usize].insert(ledger.keys[row]);
        }
    }
    for (at, atom) in ledger.atoms.iter_mut().enumerate().filter(|(_, atom)| atom.withdrawn_in.is_none()) {
        atom.rows = rows[at];
        atom.people = by_people.then(|| people[at].len() as u32);
    }
}

/// The keys of everybody in a list of rows.
pub(super) fn everybody(keys: &[Key]) -> FxHashSet<Key> {
    keys.iter().copied().filter(|key| *key != NOBODY).collect()
}

/// Columns that a row keeps while it waits: all that any later run could read.
pub(super) fn columns_that_wait(roles: &Roles) -> Vec<usize> {
    (0..roles.of.len()).filter(|&column| roles.of[column] != Role::Drop).collect()
}

/// Names and types of the columns that are in a release.
pub(super) fn released_columns(source: &dyn TableSource, roles: &Roles) -> Vec<(String, String)> {
    let fields = source.schema().fields().iter().zip(&roles.of);
    let shown = |role: &Role| matches!(role, Role::QuasiIdentifier | Role::Sensitive | Role::Keep);
    fields
        .filter(|(_, role)| shown(role))
        .map(|(field, _)| (field.name().clone(), field.data_type().to_string()))
        .collect()
}

/// SHA-256 of the hierarchy files that the job reads, by column.
pub(super) fn trees(
    job: &CheckedJob,
    source: &dyn TableSource,
    roles: &Roles,
) -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for (field, role) in source.schema().fields().iter().zip(&roles.of) {
        let name = field.name();
        let file = match role {
            Role::QuasiIdentifier => prepare::hierarchy_file(job, name),
            Role::Sensitive => match job.columns.get(name).and_then(|entry| entry.hierarchy.as_ref()) {
                Some(HierarchyFrom::File(file)) => Some(file.clone()),
                Some(_) => None,
                None => prepare::in_folder(job.hierarchies.as_deref(), name),
            },
            _ => None,
        };
        if let Some(file) = file {
            found.insert(name.clone(), sha256_of_file(&file)?);
        }
    }
    Ok(found)
}

/// What classes are compared with from now on: the values of sensitive columns that some demand compares with the table.
fn frozen(job: &CheckedJob, table: &Table) -> BTreeMap<String, Counted> {
    let compared = |s: &&Sensitive| job.demands.of(&s.name).any(|model| model.entry().compares_with_table);
    let columns = table.sensitive.iter().filter(compared);
    columns.map(|column| (column.name.clone(), distribution(table, column))).collect()
}

/// How often every value occurs, rows that are published as they are left out; what somebody has twice counts once.
fn distribution(table: &Table, column: &Sensitive) -> Counted {
    let mut times = vec![0u64; column.distinct as usize];
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    for (row, code) in column.codes.iter().enumerate().filter(|(row, _)| !table.is_verbatim(*row)) {
        let is_new = table.people.as_ref().is_none_or(|p| seen.insert((p.codes.get(row), code)));
        times[code as usize] += u64::from(is_new);
    }
    let mut text_of: Vec<Option<&String>> = vec![None; times.len()];
    let spelled = column.spellings.iter().map(|(text, code)| (text, *code));
    for (text, code) in column.texts.iter().zip(0..).chain(spelled) {
        let first = &mut text_of[code as usize];
        if first.is_none_or(|other| text < other) {
            *first = Some(text);
        }
    }
    let pairs = text_of.into_iter().zip(times);
    pairs.filter_map(|(text, times)| Some((text?.clone(), times))).filter(|(_, times)| *times > 0).collect()
}

/// Keeps values of quasi-identifiers that the next release must have room for: one below every published label where a hierarchy is
/// built from values, the ends of the range, and all of them with their frequencies where the measure asks for these.
pub(super) fn keep_values(kept: &mut BTreeMap<String, Counted>, job: &CheckedJob, made: &Made<'_>) {
    let counts_all = job.search.measure == Measure::Entropy;
    for (dim, q) in made.table.qi.iter().enumerate() {
        let name = &q.attribute.name;
        let shown = || {
            let rows = made.rows.iter().filter(|&&row| made.release.class_of[row as usize] != SUPPRESSED);
            rows.map(|&row| q.codes.get(row as usize))
        };
        if !counts_all
            && matches!(q.attribute.domain, Domain::Tree(_))
            && prepare::hierarchy_file(job, name).is_some()
        {
            continue;
        }
        let mut values: BTreeMap<String, u64> = kept.remove(name).into_iter().flatten().collect();
        if counts_all {
            for code in shown() {
                *values.entry(q.attribute.value(code).to_owned()).or_default() += 1;
            }
        } else {
            let as_they_are =
                made.rows.iter().filter(|&&row| made.release.class_of[row as usize] == VERBATIM);
            let open: BTreeSet<u32> = as_they_are.map(|&row| q.codes.get(row as usize)).collect();
            let standing = representatives(&q.attribute.domain, &made.release.cells[dim], shown());
            for code in standing.into_iter().chain(open) {
                values.entry(q.attribute.value(code).to_owned()).or_insert(1);
            }
            if let Domain::Interval(_) = q.attribute.domain {
                keep_ends(&mut values, q);
            }
        }
        kept.insert(name.clone(), values.into_iter().collect());
    }
}

/// Codes of values that stand for all that was published.
fn representatives(
    domain: &Domain,
    cells: &[crate::data::Cell],
    shown: impl Iterator<Item = u32>,
) -> BTreeSet<u32> {
    match domain {
        Domain::Tree(tree) => {
            // A value that some row has, so that no label stands for nothing.
            let values: BTreeSet<u32> = shown.collect();
            let below = |cell: &crate::data::Cell| values.range(tree.leaves(cell.lo)).next().copied();
            cells.iter().filter_map(below).collect()
        }
        Domain::Interval(numbers) => {
            let (present, missing): (BTreeSet<u32>, BTreeSet<u32>) =
                shown.partition(|&code| code < numbers.len());
            let ends = present.first().into_iter().chain(present.last());
            ends.chain(missing.first()).copied().collect()
        }
    }
}

/// Leaves only the smallest and the largest number, and what is missing.
fn keep_ends(values: &mut BTreeMap<String, u64>, q: &crate::data::QuasiIdentifier) {
    let Domain::Interval(numbers) = &q.attribute.domain else { return };
    let place =
        |text: &String| crate::data::Point::parse(numbers.kind(), text).map(crate::data::Point::position);
    let placed: Vec<(f64, String)> =
        values.keys().filter_map(|text| Some((place(text)?, text.clone()))).collect();
    let by_place = |a: &&(f64, String), b: &&(f64, String)| a.0.total_cmp(&b.0);
    let ends: BTreeSet<String> = placed
        .iter()
        .min_by(by_place)
        .into_iter()
        .chain(placed.iter().max_by(by_place))
        .map(|(_, text)| text.clone())
        .collect();
    values.retain(|text, _| text.is_empty() || ends.contains(text));
}
