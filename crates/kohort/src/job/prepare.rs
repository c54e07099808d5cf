//! From files to an encoded table.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::CheckedJob;
use super::checked::HierarchyFrom;
use super::missing::MissingValues;
use super::people;
use super::roles::Roles;
use super::undeclared::{Undeclared, undeclared};
use crate::data::recipes::{DateLevel, RangeOf, Recipe};
use crate::data::{Ground, Hierarchy, Kind, Role, Sensitive, Spelling, Table};
use crate::error::{Error, Result, Said};
use crate::input::{
    Column, Declared, QiSpec, Respelled, SensitiveSpec, TableSource, bind, encode, meanings,
    quasi_identifier, read_hierarchy_of, respelled, sensitive,
};

/// An encoded table, and what it lacks.
pub(super) struct Prepared {
    pub(super) table: Table,
    pub(super) missing: MissingValues,
    /// What looks missing and was not declared to be.
    pub(super) undeclared: Vec<Undeclared>,
    /// What was read in another way than it stands there.
    pub(super) spelled: Vec<Said>,
}

/// Reads and encodes the quasi-identifiers and sensitive columns of a table.
pub(super) fn read_table(job: &CheckedJob, source: &dyn TableSource, roles: &Roles) -> Result<Prepared> {
    check_hierarchy_folder(job)?;
    let (qi, secret) = (roles.columns(Role::QuasiIdentifier), roles.columns(Role::Sensitive));
    let mut all: Vec<usize> = qi.iter().chain(&secret).copied().collect();
    let persons = roles.columns(Role::Person);
    all.extend(&persons);
    let flag = job.opt_out.as_ref().map(|opt_out| source.column(&opt_out.column)).transpose()?;
    let flag_at = flag.map(|c| all.iter().position(|&other| other == c).unwrap_or(all.len()));
    all.extend(flag.filter(|_| flag_at == Some(all.len())));
    let mut columns = encode(source, &all)?;
    let count = columns.first().map_or(0, |c| c.codes.len());
    if count == 0 && job.series.as_ref().is_none_or(|series| series.number == 1) {
        return Err(Error::input("the table has a header but no rows")
            .in_file(source.name())
            .help("check that the export which made it has finished"));
    }
    let verbatim = match (flag_at, &job.opt_out) {
        (Some(at), Some(opt_out)) => columns[at].rows_with(&opt_out.value),
        _ => Vec::new(),
    };
    let person_columns = &columns[qi.len() + secret.len()..][..persons.len()];
    let people = people::people(job, person_columns, &[], source)?;
    let unnamed: Vec<Undeclared> =
        person_columns.iter().flat_map(|c| undeclared(job, c, Role::Person)).collect();
    people::check_opt_out(people.as_ref(), &verbatim)?;
    columns.truncate(qi.len() + secret.len());
    let secret_columns = columns.split_off(qi.len());
    let mut found: Vec<Undeclared> =
        columns.iter().flat_map(|c| undeclared(job, c, Role::QuasiIdentifier)).collect();
    found.extend(secret_columns.iter().flat_map(|c| undeclared(job, c, Role::Sensitive)));
    found.extend(unnamed);
    let columns: Vec<Column> =
        columns.into_iter().map(|c| spelled(job, c, Column::with_one_missing)).collect();
    let missing = MissingValues::find(job, &columns, &verbatim);
    let mut told = Vec::new();
    let qi = columns
        .into_iter()
        .map(|column| {
            // After rows that are left out anyway: they must not decide how those of others are read.
            let Respelled { column, kind, note } =
                in_one_spelling(job, column.without(&missing.lacking), source.name())?;
            told.extend(note);
            let column = with_earlier(job, column);
            let spec = QiSpec { found: kind, ..spec(job, &column)? };
            quasi_identifier(column, spec, source.name())
        })
        .collect::<Result<_>>()?;
    let sensitive = secret_columns
        .into_iter()
        .zip(&secret)
        .map(|(column, c)| {
            let column = spelled(job, with_earlier(job, column), Column::read_with);
            let column = column.numbered_by_text(&missing.lacking);
            let spec = sensitive_spec(job, &column, source.is_text(*c))?;
            Ok(frozen(job, sensitive(column, spec, source.name())?))
        })
        .collect::<Result<_>>()?;
    let table = Table { rows: count, qi, sensitive, verbatim, lacking: missing.lacking.clone(), people };
    Ok(Prepared { table, missing, undeclared: found, spelled: told })
}

/// A column with what its texts mean where they say that a value is missing.
fn spelled(job: &CheckedJob, column: Column, read: fn(Column, &[String]) -> Column) -> Column {
    let na = job.na(&column.name);
    read(column, &na)
}

/// A quasi-identifier with the meaning of its texts, where something is to be made of that: of names, and of what stands in a
/// hierarchy as it stands in the table, nothing is.
fn in_one_spelling(job: &CheckedJob, column: Column, shown: &str) -> Result<Respelled> {
    let mut declared = declared(job, &column.name);
    let given = job.columns.get(&column.name).and_then(|entry| entry.hierarchy.as_ref());
    let is_text = match given {
        Some(HierarchyFrom::Built(recipe)) => matches!(recipe, Recipe::Mask { .. }),
        Some(HierarchyFrom::File(_) | HierarchyFrom::Given(_)) => true,
        None => hierarchy_file(job, &column.name).is_some(),
    };
    if is_text && !declared.is_said() {
        return Ok(Respelled { column, kind: None, note: None });
    }
    declared.times = matches!(
        given,
        Some(HierarchyFrom::Built(Recipe::Dates(levels))) if DateLevel::have_times(levels)
    );
    // What recipes make of dates and numbers they make of what is said of them here.
    let found = respelled(column, &declared, shown)?;
    // Earlier rows of a growing table may hold what these do not.
    let grows = job.series.as_ref().is_some_and(|series| !series.earlier.is_empty());
    Ok(if given.is_some() || grows { Respelled { kind: None, ..found } } else { found })
}

/// What the job says of how a column is written.
pub(super) fn declared(job: &CheckedJob, name: &str) -> Declared {
    job.columns.get(name).map(|entry| entry.written.clone()).unwrap_or_default()
}

/// The column with the values that earlier rows of a growing table have; no row of this one does.
pub(super) fn with_earlier(job: &CheckedJob, mut column: Column) -> Column {
    let earlier = job.series.as_ref().and_then(|series| series.earlier.get(&column.name));
    let at: FxHashMap<String, usize> = column.texts.iter().cloned().zip(0..).collect();
    for (text, times) in earlier.into_iter().flatten() {
        let times = u32::try_from(*times).unwrap_or(u32::MAX);
        if let Some(&code) = at.get(text) {
            column.counts[code] = column.counts[code].saturating_add(times);
        } else {
            column.texts.push(text.clone());
            column.counts.push(times);
        }
    }
    column
}

/// The column with how often its values occur in what the first release of a growing table was made from, where this is a later
/// one and some demand compares classes with that.
pub(super) fn frozen(job: &CheckedJob, column: Sensitive) -> Sensitive {
    let Some(earlier) = job.series.as_ref().and_then(|series| series.earlier.get(&column.name)) else {
        return column;
    };
    let spelled = column.spellings.iter().map(|(text, code)| (text.as_str(), *code));
    let code_of: FxHashMap<&str, u32> =
        column.texts.iter().map(String::as_str).zip(0..).chain(spelled).collect();
    let mut frozen = vec![0; column.distinct as usize];
    for (text, times) in earlier {
        if let Some(&code) = code_of.get(text.as_str()) {
            frozen[code as usize] += times;
        }
    }
    Sensitive { frozen, ..column }
}

fn check_hierarchy_folder(job: &CheckedJob) -> Result<()> {
    match &job.hierarchies {
        Some(folder) if !folder.is_dir() => {
            Err(Error::input("this is not a folder, expected one with a file per column")
                .option_with("hierarchies", folder.display().to_string())
                .help("name the folder that holds <column>.csv; `hierarchy build` makes such files"))
        }
        _ => Ok(()),
    }
}

fn spec(job: &CheckedJob, column: &Column) -> Result<QiSpec> {
    let entry = job.columns.get(&column.name);
    let kind = entry.and_then(|e| e.kind);
    let given = entry.and_then(|e| e.hierarchy.as_ref());
    let file = hierarchy_file(job, &column.name);
    let hierarchy = match (&file, given) {
        (Some(file), _) => Some(from_file(file, column)?),
        (None, Some(HierarchyFrom::Built(recipe))) => Some(built(recipe, column, kind)?),
        (None, Some(HierarchyFrom::Given(hierarchy))) => Some(placed(Hierarchy::clone(hierarchy), column)?),
        (None, _) => None,
    };
    let hierarchy_place = file.map(|f| f.display().to_string());
    let snap = job.snap.get(&column.name).copied().or(entry.and_then(|e| e.snap));
    let boundary = entry.map(|e| e.boundary.clone()).unwrap_or_default();
    let level_weights = entry.map(|e| e.level_weights.clone()).unwrap_or_default();
    let weight = entry.and_then(|e| e.weight);
    let place = job.named.iter().position(|name| *name == column.name).unwrap_or(job.named.len()) as u32;
    let found = None;
    Ok(QiSpec { kind, found, hierarchy, hierarchy_place, weight, snap, boundary, level_weights, place })
}

/// The file of a quasi-identifier's hierarchy, where it has one.
pub(super) fn hierarchy_file(job: &CheckedJob, name: &str) -> Option<PathBuf> {
    let entry = job.columns.get(name);
    match entry.and_then(|e| e.hierarchy.as_ref()) {
        Some(HierarchyFrom::File(file)) => Some(file.clone()),
        Some(HierarchyFrom::Built(_) | HierarchyFrom::Given(_)) => None,
        // A declared number or date without a hierarchy of its own becomes intervals, whatever lies in the folder.
        None if entry.and_then(|e| e.kind).is_some_and(Kind::is_line) => None,
        None => in_folder(job.hierarchies.as_deref(), name),
    }
}

/// Whether the job gives a quasi-identifier a hierarchy: a public fact, whatever the table holds.
pub(super) fn has_hierarchy(job: &CheckedJob, name: &str) -> bool {
    let built = job.columns.get(name).is_some_and(|e| e.hierarchy.is_some());
    built || hierarchy_file(job, name).is_some()
}

/// What models must know about a sensitive column: nothing, most of the time.
pub(super) fn sensitive_spec(job: &CheckedJob, column: &Column, is_text: bool) -> Result<SensitiveSpec> {
    let entry = job.columns.get(&column.name);
    let kind = entry.and_then(|e| e.kind);
    let protected = entry.and_then(|e| e.protected.clone()).unwrap_or_default();
    let asked = job.demands.ground(&column.name);
    let own = entry.and_then(|e| e.closeness);
    let said = entry.is_some_and(|e| e.names_distance);
    if let (Some(own), Some(ground), true) = (own, asked, said)
        && own != ground
    {
        return Err(Error::job(format!(
            "column '{}' is to be measured as {}, and ‹t-closeness› says {}",
            column.name,
            own.name(),
            ground.name()
        ))
        .option("t-closeness")
        .help("omit the distance, such as ‹t-closeness=0.2›: every column then has its own"));
    }
    let ground = asked.map(|ground| own.unwrap_or(ground));
    let declared = declared(job, &column.name);
    declared.check(&column.name)?;
    let spelling = declared.spelling();
    let given = entry.and_then(|e| e.hierarchy.as_ref());
    let needed = !protected.is_empty() || matches!(ground, Some(Ground::Hierarchical | Ground::Ordered));
    let hierarchy = match given {
        Some(HierarchyFrom::File(file)) => Some(from_file(file, column)?),
        Some(HierarchyFrom::Given(hierarchy)) => Some(placed(Hierarchy::clone(hierarchy), column)?),
        Some(HierarchyFrom::Built(recipe)) => {
            let of = meant(recipe, column, kind, spelling.as_ref());
            Some(built(recipe, of.as_ref().unwrap_or(column), kind).map_err(|e| unquoted(e, &column.name))?)
        }
        None if needed => in_folder(job.hierarchies.as_deref(), &column.name)
            .map(|file| from_file(&file, column))
            .transpose()?,
        None => None,
    };
    let compared = job.demands.of(&column.name).any(|model| model.entry().compares_with_table);
    let keep_texts = compared || !protected.is_empty();
    let (na, missing) = (job.na(&column.name), job.missing_sensitive);
    Ok(SensitiveSpec { is_text, kind, spelling, hierarchy, protected, ground, keep_texts, na, missing })
}

pub(super) fn in_folder(folder: Option<&Path>, column: &str) -> Option<PathBuf> {
    let names = ["csv", "txt", "json", "tsv"].map(|ending| format!("{column}.{ending}"));
    names.iter().map(|name| folder.map(|f| f.join(name))).find_map(|p| p.filter(|p| p.is_file()))
}

/// Reads a hierarchy and finds a place in it for numbers whose range it names. Values without a place stay without one;
/// they are all reported when the column is encoded.
fn from_file(file: &Path, column: &Column) -> Result<Hierarchy> {
    let is_value = |text: &str| column.texts.iter().any(|value| value == text);
    placed(read_hierarchy_of(file, &column.name, &is_value)?, column)
}

/// A hierarchy with a place for every number whose range it names.
fn placed(hierarchy: Hierarchy, column: &Column) -> Result<Hierarchy> {
    let present: Vec<String> = column.texts.iter().filter(|t| !t.is_empty()).cloned().collect();
    Ok(bind(hierarchy, &present)?.hierarchy)
}

/// Which values do not suit a recipe is quoted in the message; those of a sensitive column are not.
fn unquoted(error: Error, column: &str) -> Error {
    match error {
        Error::Input(_) => {
            Error::input("some values do not suit the hierarchy that is to be built from them")
                .in_hierarchy_of(column)
                .help("`hierarchy build` says which; numbers that are not whole need the type decimal")
        }
        other => other,
    }
}

/// The values of a sensitive column by what they mean, where a hierarchy is to be built from that; masks hide what is written.
fn meant(
    recipe: &Recipe,
    column: &Column,
    kind: Option<Kind>,
    declared: Option<&Spelling>,
) -> Option<Column> {
    if matches!(recipe, Recipe::Mask { .. }) {
        return None;
    }
    let mut once = Column { name: column.name.clone(), ..Column::default() };
    let mut at: FxHashMap<&String, usize> = FxHashMap::default();
    let meanings = meanings(&column.texts, kind, declared);
    for (meaning, &count) in meanings.iter().zip(&column.counts) {
        let place = *at.entry(meaning).or_insert(once.texts.len());
        if place == once.texts.len() {
            once.texts.push(meaning.clone());
            once.counts.push(0);
        }
        once.counts[place] = once.counts[place].saturating_add(count);
    }
    Some(once)
}

fn built(recipe: &Recipe, column: &Column, kind: Option<Kind>) -> Result<Hierarchy> {
    let of = if kind == Some(Kind::Decimal) { RangeOf::Decimal } else { RangeOf::Whole };
    recipe.build(&column.name, &counted(column), of)
}

fn counted(column: &Column) -> Vec<(String, u64)> {
    let pairs = column.texts.iter().cloned().zip(column.counts.iter().map(|&c| u64::from(c)));
    pairs.filter(|(text, _)| !text.is_empty()).collect()
}
