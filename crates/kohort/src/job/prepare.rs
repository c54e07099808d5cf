//! From files to an encoded table.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::demands::diversity;
use super::roles::Roles;
use crate::data::hierarchy_build::HierarchySpec;
use crate::data::{Domain, Ground, Hierarchy, Kind, Missing, Role, Table};
use crate::error::{Error, Result};
use crate::input::{
    Column, ColumnEntry, JobFile, QiSpec, SensitiveSpec, Source, bind, encode, parse_opt_out,
    quasi_identifier, read_hierarchy, sensitive,
};
use crate::model::Model;

/// Reads and encodes the quasi-identifiers and sensitive columns of a table.
pub(super) fn read_table(
    job: &JobFile,
    source: &Source,
    roles: &Roles,
    rows: &(dyn Fn(u64) + Sync),
) -> Result<Table> {
    check_hierarchy_folder(job)?;
    let (qi, secret) = (roles.columns(Role::QuasiIdentifier), roles.columns(Role::Sensitive));
    let mut all: Vec<usize> = qi.iter().chain(&secret).copied().collect();
    let opt_out = job.opt_out.as_deref().map(parse_opt_out).transpose()?;
    let flag = opt_out.as_ref().map(|(name, _)| source.column(name)).transpose()?;
    let flag_at = flag.map(|c| all.iter().position(|&other| other == c).unwrap_or(all.len()));
    all.extend(flag.filter(|_| flag_at == Some(all.len())));
    let mut columns = encode(source, &all, rows)?;
    let count = columns.first().map_or(0, |c| c.codes.len());
    if count == 0 {
        return Err(Error::input("the table has a header but no rows")
            .at(source.shown())
            .help("check that the export which made it has finished"));
    }
    let verbatim = match (flag_at, &opt_out) {
        (Some(at), Some((_, value))) => flagged(&columns[at], value),
        _ => Vec::new(),
    };
    columns.truncate(qi.len() + secret.len());
    let secret_columns = columns.split_off(qi.len());
    let qi = columns
        .into_iter()
        .map(|column| {
            let spec = spec(job, &column)?;
            quasi_identifier(column, spec, source.shown())
        })
        .collect::<Result<_>>()?;
    let sensitive = secret_columns
        .into_iter()
        .zip(&secret)
        .map(|(column, c)| {
            let spec = sensitive_spec(job, &column, source.is_text(*c))?;
            sensitive(column, spec, source.shown())
        })
        .collect::<Result<_>>()?;
    Ok(Table { rows: count, qi, sensitive, verbatim })
}

/// Which rows have this text; empty when none has.
pub(super) fn flagged(column: &Column, text: &str) -> Vec<bool> {
    match column.texts.iter().position(|t| t == text) {
        Some(code) => column.codes.iter().map(|c| c as usize == code).collect(),
        None => Vec::new(),
    }
}

fn check_hierarchy_folder(job: &JobFile) -> Result<()> {
    match &job.hierarchies {
        Some(folder) if !folder.is_dir() => {
            Err(Error::input("this is no folder, expected one with a file per column")
                .at(format!("--hierarchies {}", folder.display()))
                .help("name the folder that holds <column>.csv; `kohort hierarchy build` makes such files"))
        }
        _ => Ok(()),
    }
}

fn spec(job: &JobFile, column: &Column) -> Result<QiSpec> {
    let entry = job.columns.get(&column.name);
    let kind = entry.and_then(|e| e.kind);
    let given = entry.and_then(|e| e.hierarchy.as_ref());
    let file = hierarchy_file(job, &column.name);
    let hierarchy = match (&file, given) {
        (Some(file), _) => Some(from_file(file, column)?),
        (None, Some(HierarchySpec::Built(recipe))) => Some(recipe.build(&column.name, &counted(column))?),
        (None, _) => None,
    };
    let hierarchy_place = file.map(|f| f.display().to_string());
    let snap = job.snap.get(&column.name).copied().or(entry.and_then(|e| e.snap));
    let boundary = entry.map(ColumnEntry::boundary).unwrap_or_default();
    let level_weights = entry.map(|e| e.level_weights.clone()).unwrap_or_default();
    let weight = entry.and_then(|e| e.weight);
    Ok(QiSpec { kind, hierarchy, hierarchy_place, weight, snap, boundary, level_weights })
}

/// The file of a quasi-identifier's hierarchy, where it has one.
fn hierarchy_file(job: &JobFile, name: &str) -> Option<PathBuf> {
    let entry = job.columns.get(name);
    match entry.and_then(|e| e.hierarchy.as_ref()) {
        Some(HierarchySpec::File(file)) => Some(file.clone()),
        Some(HierarchySpec::Built(_)) => None,
        // A declared number or date without a hierarchy of its own becomes intervals, whatever lies in the folder.
        None if matches!(entry.and_then(|e| e.kind), Some(Kind::Integer | Kind::Decimal | Kind::Date)) => {
            None
        }
        None => in_folder(job.hierarchies.as_deref(), name),
    }
}

/// Whether the job gives a quasi-identifier a hierarchy: a public fact, whatever the table holds.
pub(super) fn has_hierarchy(job: &JobFile, name: &str) -> bool {
    let built = job.columns.get(name).is_some_and(|e| e.hierarchy.is_some());
    built || hierarchy_file(job, name).is_some()
}

/// What models must know about a sensitive column: nothing, most of the time.
pub(super) fn sensitive_spec(job: &JobFile, column: &Column, is_text: bool) -> Result<SensitiveSpec> {
    let entry = job.columns.get(&column.name);
    let kind = entry.and_then(|e| e.kind);
    let protected = entry.and_then(|e| e.protected.clone()).unwrap_or_default();
    let asked = diversity(job)?.into_iter().find_map(|m| match m {
        Model::TCloseness { ground, .. } => Some(ground),
        _ => None,
    });
    let own = entry.and_then(|e| e.closeness);
    let said = job.t_closeness.as_ref().is_some_and(|t| t.text().contains(':'));
    if let (Some(own), Some(ground), true) = (own, asked, said)
        && own != ground
    {
        return Err(Error::job(format!(
            "column '{}' is to be measured as {}, and --t-closeness says {}",
            column.name,
            own.name(),
            ground.name()
        ))
        .at("--t-closeness")
        .help("leave the distance away, such as --t-closeness 0.2: every column then has its own"));
    }
    let ground = asked.map(|ground| own.unwrap_or(ground));
    let given = entry.and_then(|e| e.hierarchy.as_ref());
    let needed = !protected.is_empty() || matches!(ground, Some(Ground::Hierarchical | Ground::Ordered));
    let hierarchy = match given {
        Some(HierarchySpec::File(file)) => Some(from_file(file, column)?),
        Some(HierarchySpec::Built(recipe)) => Some(recipe.build(&column.name, &counted(column))?),
        None if needed => in_folder(job.hierarchies.as_deref(), &column.name)
            .map(|file| from_file(&file, column))
            .transpose()?,
        None => None,
    };
    let keep_texts = asked.is_some() || !protected.is_empty();
    Ok(SensitiveSpec { is_text, kind, hierarchy, protected, ground, keep_texts })
}

fn in_folder(folder: Option<&Path>, column: &str) -> Option<PathBuf> {
    let names = ["csv", "txt", "json", "tsv"].map(|ending| format!("{column}.{ending}"));
    names.iter().map(|name| folder.map(|f| f.join(name))).find_map(|p| p.filter(|p| p.is_file()))
}

/// Reads a hierarchy and finds a place in it for numbers whose range it names. Values without a place stay without one;
/// they are all reported when the column is encoded.
fn from_file(file: &Path, column: &Column) -> Result<Hierarchy> {
    let hierarchy = read_hierarchy(file, &column.name)?;
    let present: Vec<String> = column.texts.iter().filter(|t| !t.is_empty()).cloned().collect();
    Ok(bind(hierarchy, &present)?.hierarchy)
}

fn counted(column: &Column) -> Vec<(String, u64)> {
    let pairs = column.texts.iter().cloned().zip(column.counts.iter().map(|&c| u64::from(c)));
    pairs.filter(|(text, _)| !text.is_empty()).collect()
}

/// Which rows lack a quasi-identifier and are suppressed for it, as the job says; empty when none is.
pub(super) fn lacking(job: &JobFile, table: &Table) -> Vec<bool> {
    let mut gone = vec![false; table.rows];
    for q in &table.qi {
        let said = job.columns.get(&q.attribute.name).and_then(|entry| entry.missing);
        if said.or(job.missing) != Some(Missing::Suppress) {
            continue;
        }
        let code = missing_code(&q.attribute.domain);
        for (row, gone) in gone.iter_mut().enumerate() {
            *gone |= Some(q.codes.get(row)) == code && !table.is_verbatim(row);
        }
    }
    if gone.contains(&true) { gone } else { Vec::new() }
}

/// The code of a missing value, where one may be missing.
fn missing_code(domain: &Domain) -> Option<u32> {
    match domain {
        Domain::Tree(h) => h.leaf(""),
        Domain::Interval(n) => n.has_missing().then(|| n.len()),
    }
}

/// The rows to be released in classes: not those published as they are, nor those with a missing quasi-identifier where
/// the job says so.
pub(super) fn releasable(job: &JobFile, table: &Table) -> Result<Vec<u32>> {
    let mut gone: Vec<bool> = (0..table.rows).map(|row| table.is_verbatim(row)).collect();
    let mut refused: Vec<String> = Vec::new();
    let policies: FxHashMap<&str, Missing> =
        job.columns.iter().filter_map(|(name, e)| Some((name.as_str(), e.missing?))).collect();
    for q in &table.qi {
        let name = q.attribute.name.as_str();
        let code = missing_code(&q.attribute.domain);
        // Rows that are published as they are may lack what they like.
        let lacks = |row: &usize| Some(q.codes.get(*row)) == code && !table.is_verbatim(*row);
        let count = code.map_or(0, |_| (0..table.rows).filter(lacks).count());
        match policies.get(name).copied().or(job.missing).unwrap_or_default() {
            Missing::Refuse if count > 0 => {
                refused.push(format!("'{name}' ({count} row{})", if count == 1 { "" } else { "s" }));
            }
            Missing::Suppress if count > 0 => {
                for (row, gone) in gone.iter_mut().enumerate() {
                    *gone |= Some(q.codes.get(row)) == code;
                }
            }
            _ => {}
        }
    }
    if !refused.is_empty() {
        return Err(Error::input(format!("values are missing in {}", refused.join(", ")))
            .at("missing = \"refuse\"")
            .help("fill them in, or say missing = \"value\" or \"suppress\""));
    }
    Ok((0..table.rows as u32).filter(|&row| !gone[row as usize]).collect())
}
