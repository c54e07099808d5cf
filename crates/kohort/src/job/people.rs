//! Whose row is whose: the columns of the role `person`, or, where nobody named any, whether rows can be taken for people.

use std::hash::BuildHasher;

use arrow::array::{Array, AsArray};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::CheckedJob;
use super::checked::RowsAre;
use super::roles::Roles;
use crate::data::{Codes, People, Role, is_missing};
use crate::demand::Demands;
use crate::error::{Error, Place, Result, Said, counted, marked};
use crate::input::{Column, TableSource, hashes, pipelined};

/// What cannot be checked where nothing tells whose rows a release has, with the demands that rows tell nothing of; and why.
pub(super) fn unseen(demands: &Demands) -> (String, &'static str) {
    let shares = demands.iter().filter(|demand| !demand.model.entry().survives_adding_rows);
    let shares: Vec<String> = shares.map(|demand| format!(", and {demand}")).collect();
    let what = format!("how many people classes have{}", shares.concat());
    (what, "rows were counted; whose they are takes ‹original›")
}

/// The people of a table, told apart by all the given columns together. Spaces around a value do not make it another one. Rows
/// that are `aside` need not be anybody's.
pub(super) fn people(
    job: &CheckedJob,
    columns: &[Column],
    aside: &[bool],
    source: &dyn TableSource,
) -> Result<Option<People>> {
    let Some(first) = columns.first() else { return Ok(None) };
    let rows = first.codes.len();
    let (mut of_row, mut is_nobody) = (vec![0u64; rows], vec![true; rows]);
    let mut count = 0;
    for (at, column) in columns.iter().enumerate() {
        let na = job.na(&column.name);
        let mut number: FxHashMap<&str, u32> = FxHashMap::default();
        let mut parts: Vec<(u32, bool)> = Vec::with_capacity(column.texts.len());
        for text in &column.texts {
            let (new, is_missing) = (number.len() as u32, is_missing(text, &na));
            // However it is spelled, what is missing is the same.
            let text = if is_missing { "" } else { text.trim() };
            parts.push((*number.entry(text).or_insert(new), is_missing));
        }
        for ((person, nobody), code) in of_row.iter_mut().zip(&mut is_nobody).zip(column.codes.iter()) {
            let (part, is_missing) = parts[code as usize];
            *person = *person << 32 | u64::from(part);
            *nobody &= is_missing;
        }
        // Numbers of a single column are dense as they are.
        count = if at == 0 { number.len() as u32 } else { crate::data::fold(&mut of_row) };
    }
    is_nobody.iter_mut().zip(aside).for_each(|(nobody, aside)| *nobody &= !aside);
    let nobodys = is_nobody.iter().filter(|&&nobody| nobody).count();
    if nobodys > 0 {
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        return Err(Error::input(format!(
            "{} nobody's: {} empty there",
            if nobodys == 1 { "1 row is".to_owned() } else { format!("{nobodys} rows are") },
            if names.len() == 1 { format!("'{}' is", names[0]) } else { format!("{} are", names.join(" and ")) },
        ))
        .at(Place::default()
            .in_file(source.name())
            .and(format!("first in row {} below the header", is_nobody.iter().position(|&n| n).unwrap_or(0) + 1)))
        .option_with("person", names.join(","))
        .number("rows", nobodys as f64)
        .help("how many people a class has could not be told: fill the column in, or take these rows out of the table"));
    }
    let codes: Codes = of_row.into_iter().map(|person| person as u32).collect();
    Ok(Some(People { codes, count }))
}

/// Refuses rows of one person of which some are published as they are and others are not: whoever recognizes the former knows
/// the person, and the latter would hide somebody who does not hide.
pub(super) fn check_opt_out(people: Option<&People>, verbatim: &[bool]) -> Result<()> {
    let Some(people) = people.filter(|_| verbatim.contains(&true)) else { return Ok(()) };
    let mut does = vec![(false, false); people.count as usize];
    for (person, &open) in people.codes.iter().zip(verbatim) {
        let (some, others) = &mut does[person as usize];
        if open { *some = true } else { *others = true }
    }
    match does.iter().filter(|both| **both == (true, true)).count() {
        0 => Ok(()),
        n => Err(Error::input(format!(
            "{} opted out with some of their rows and not with others",
            if n == 1 { "1 person has".to_owned() } else { format!("{n} people have") }
        ))
        .option("opt-out")
        .option("person")
        .number("people", n as f64)
        .help("somebody is published as they are with all rows or with none: make the column say the same in all rows of a person")),
    }
}

/// What identifier columns tell about whether rows are people.
pub(super) struct Identifiers {
    /// Per column its name, how many rows have a value there, and how many different ones there are.
    columns: Vec<(String, u64, u64)>,
}

impl Identifiers {
    /// Looks at the identifier columns, where the job leaves open whose row is whose.
    pub(super) fn look(job: &CheckedJob, source: &dyn TableSource, roles: &Roles) -> Result<Self> {
        let columns = roles.columns(Role::Identifier);
        let said = !roles.columns(Role::Person).is_empty() || job.rows_are == RowsAre::People;
        if said || columns.is_empty() {
            return Ok(Self { columns: Vec::new() });
        }
        let mut seen: Vec<Vec<u64>> = vec![Vec::new(); columns.len()];
        pipelined(source.batches(&columns)?, |batch| {
            for (seen, array) in seen.iter_mut().zip(batch.columns()) {
                // Spaces around a name do not make it another one, and blank is nobody's.
                if let Some(texts) = array.as_string_opt::<i32>() {
                    let names = texts.iter().flatten().map(str::trim).filter(|name| !name.is_empty());
                    seen.extend(names.map(|name| FxBuildHasher.hash_one(name)));
                } else {
                    let all = hashes(array).unwrap_or_default();
                    seen.extend(
                        all.into_iter().enumerate().filter(|(row, _)| array.is_valid(*row)).map(|(_, h)| h),
                    );
                }
            }
            Ok(())
        })?;
        let told = |(&at, mut seen): (&usize, Vec<u64>)| {
            seen.sort_unstable();
            let values = seen.chunk_by(|a, b| a == b).count() as u64;
            (source.schema().field(at).name().clone(), seen.len() as u64, values)
        };
        Ok(Self { columns: columns.iter().zip(seen).map(told).collect() })
    }

    /// Stops a job whose rows are likely not people: every identifier column names somebody twice.
    pub(super) fn check(&self) -> Result<()> {
        let repeating: Vec<&(String, u64, u64)> = self.repeating().collect();
        if repeating.is_empty() || repeating.len() < self.columns.len() {
            return Ok(());
        }
        let (name, rows, values) = repeating[0];
        let all: Vec<String> = repeating.iter().map(|column| told(column)).collect();
        Err(Error::job(format!(
            "people seem to have several rows: no identifier is different in every row ({})",
            all.join("; ")
        ))
        .option("identifier")
        .number("rows", *rows as f64)
        .number("people", *values as f64)
        .help(format!(
            "{}, or another column that tells people apart, counts people instead of rows, so that nobody hides among their own rows; ‹rows-are-people› says that every row is another person",
            marked("person", name)
        )))
    }

    /// What to say where an identifier repeats beside one that does not.
    pub(super) fn warning(&self) -> Option<Said> {
        let repeating: Vec<&(String, u64, u64)> = self.repeating().collect();
        let first = repeating.first()?;
        let all: Vec<String> = repeating.iter().map(|column| told(column)).collect();
        Some(format!(
            "rows are counted, not people, and {}: if that names a person, {} counts people; ‹rows-are-people› says that every row is another person",
            all.join("; "),
            marked("person", &first.0)
        ).into())
    }

    fn repeating(&self) -> impl Iterator<Item = &(String, u64, u64)> {
        self.columns.iter().filter(|(_, rows, values)| values < rows)
    }
}

fn told((name, rows, values): &(String, u64, u64)) -> String {
    format!("'{name}' has {} in {}", counted(*values, "different value"), counted(*rows, "row"))
}
