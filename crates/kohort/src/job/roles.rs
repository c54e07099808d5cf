//! Which column is for what. Nothing is decided silently: what was not mentioned is listed.

use super::CheckedJob;
use crate::data::{Rest, Role};
use crate::error::{Error, Place, Result, marked};
use crate::input::{TableSource, check_source};

/// One role per column of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Roles {
    pub(super) of: Vec<Role>,
    /// Columns nobody named; what becomes of them is said of the rest.
    pub(super) unmentioned: Vec<String>,
}

impl Roles {
    /// Collects what lists and column entries say; refuses contradictions and unknown names.
    pub(super) fn resolve(job: &CheckedJob, source: &dyn TableSource) -> Result<Self> {
        check_source(source)?;
        let mut said: Vec<Option<(Role, &'static str)>> = vec![None; source.schema().fields().len()];
        let lists = [
            (&job.identifier, Role::Identifier, "‹identifier›"),
            (&job.person, Role::Person, "‹person›"),
            (&job.qi, Role::QuasiIdentifier, "‹qi›"),
            (&job.sensitive, Role::Sensitive, "‹sensitive›"),
            (&job.keep, Role::Keep, "‹keep›"),
            (&job.drop, Role::Drop, "‹drop›"),
        ];
        for (names, role, place) in lists {
            for name in names {
                say(&mut said, source, name, role, place)?;
            }
        }
        for (name, entry) in &job.columns {
            source.column(name)?;
            if let Some(role) = entry.role {
                say(&mut said, source, name, role, "[columns]")?;
            }
        }
        if let Some(name) = job.opt_out.as_ref().map(|opt_out| &opt_out.column) {
            let column = source.column(name).map_err(|e| e.option("opt-out"))?;
            if matches!(said[column], Some((Role::QuasiIdentifier, _))) {
                return Err(Error::job(format!(
                    "column '{name}' is a quasi-identifier: it cannot say who does not mind"
                ))
                .option("opt-out")
                .help("name a column that is not generalized"));
            }
            if matches!(said[column], Some((Role::Identifier | Role::Person | Role::Drop, _))) {
                return Err(Error::job(format!(
                    "column '{name}' is dropped, and with it who is published as they are"
                ))
                .option("opt-out")
                .help("who reads the release must be able to tell these rows apart: do not drop it"));
            }
            // Naming it here is mentioning it: who reads the release must be able to tell these rows apart.
            said[column].get_or_insert((Role::Keep, "‹opt-out›"));
        }
        check_entries(job, source, &said)?;
        let unmentioned =
            source.names().zip(&said).filter(|(_, s)| s.is_none()).map(|(n, _)| n.to_owned()).collect();
        let rest = job.rest.map_or(Role::Keep, Rest::role);
        let roles = Self { of: said.iter().map(|s| s.map_or(rest, |s| s.0)).collect(), unmentioned };
        if roles.columns(Role::QuasiIdentifier).is_empty() {
            return Err(Error::job(
                "no quasi-identifier: nothing would be generalized, and nobody would be protected",
            )
            .option("qi")
            .help("name the columns an outsider could know, such as ‹qi=age,sex,zip›"));
        }
        Ok(roles)
    }

    /// An error where some columns would be published only because nobody thought of them.
    pub(super) fn check_rest(&self, job: &CheckedJob) -> Result<()> {
        if job.rest.is_some() || self.unmentioned.is_empty() {
            return Ok(());
        }
        let n = self.unmentioned.len();
        let names = self.unmentioned.join(",");
        let shown = self.unmentioned.join(", ");
        let (keep, drop) = (marked("keep", &names), marked("drop", &names));
        let (have, them) = if n == 1 { ("column has", "it") } else { ("columns have", "them") };
        let is = if n == 1 { "it is" } else { "they are" };
        Err(Error::job(format!("{n} {have} no role: {shown}")).option("keep").option("drop").number("columns", n as f64).help(
            format!("{keep} releases {them} as {is}, {drop} leaves {them} out; ‹rest=keep› or ‹rest=drop› says it of all columns without a role"),
        ))
    }

    /// The columns of a role, in table order.
    pub(super) fn columns(&self, role: Role) -> Vec<usize> {
        (0..self.of.len()).filter(|&c| self.of[c] == role).collect()
    }
}

/// One entry per column: its role and where it was said.
type Roled = [Option<(Role, &'static str)>];

/// Refuses what is said about a column and means nothing in its role.
fn check_entries(job: &CheckedJob, source: &dyn TableSource, said: &Roled) -> Result<()> {
    for (name, entry) in &job.columns {
        let column = source.column(name)?;
        let mut keys = entry.boundary.keys();
        keys.extend(entry.weight.map(|_| "weight"));
        keys.extend(Some("level_weights").filter(|_| !entry.level_weights.0.is_empty()));
        keys.extend(entry.missing.map(|_| "missing"));
        keys.extend(entry.snap.map(|_| "snap"));
        if !keys.is_empty() && !matches!(said[column], Some((Role::QuasiIdentifier, _))) {
            return Err(Error::job(format!(
                "column '{name}' is not a quasi-identifier: it is not generalized, and this says nothing about it"
            ))
            .at(keys.iter().fold(Place::default().in_column(name), |place, key| place.key(*key)))
            .help("omit this, or name the column with ‹qi›"));
        }
        let generalized = matches!(said[column], Some((Role::QuasiIdentifier | Role::Sensitive, _)));
        let is_person = matches!(said[column], Some((Role::Person, _)));
        if !entry.na.is_empty() && !generalized && !is_person {
            return Err(Error::job(format!(
                "column '{name}' is neither a quasi-identifier nor sensitive: what means missing there changes nothing"
            ))
            .in_column(name)
            .key("na")
            .help("omit this, or name the column with ‹qi› or ‹sensitive›"));
        }
        if entry.written.is_said() && !generalized {
            let is_date = !entry.written.formats.is_empty();
            return Err(Error::job(format!(
                "column '{name}' is neither a quasi-identifier nor sensitive: it stays as it is, and how it is written says nothing"
            ))
            .in_column(name)
            .option(if is_date { "date-format" } else { "decimal" })
            .help("omit this, or name the column with ‹qi› or ‹sensitive›"));
        }
        if entry.hierarchy.is_some() && !generalized {
            return Err(Error::job(format!(
                "column '{name}' is neither a quasi-identifier nor sensitive: a hierarchy says nothing about it"
            ))
            .in_column(name)
            .key("hierarchy")
            .help("omit this, or name the column with ‹qi› or ‹sensitive›"));
        }
    }
    for (name, entry) in &job.columns {
        let keys = [("protected", entry.protected.is_some()), ("closeness", entry.closeness.is_some())];
        let Some((key, _)) = keys.into_iter().find(|(_, said)| *said) else { continue };
        if !matches!(said[source.column(name)?], Some((Role::Sensitive, _))) {
            return Err(Error::job(format!("column '{name}' is not sensitive: {key} says nothing about it"))
                .in_column(name)
                .key(key)
                .help("omit this, or name the column with ‹sensitive›"));
        }
    }
    for name in job.snap.keys() {
        let column = source.column(name)?;
        if !matches!(said[column], Some((Role::QuasiIdentifier, _))) {
            return Err(Error::job(format!(
                "column '{name}' is not a quasi-identifier: it has no intervals to snap"
            ))
            .option_with("snap", format!("{name}=…"))
            .help("omit this ‹snap›, or name the column with ‹qi›"));
        }
    }
    Ok(())
}

fn say(
    said: &mut [Option<(Role, &'static str)>],
    source: &dyn TableSource,
    name: &str,
    role: Role,
    place: &'static str,
) -> Result<()> {
    let column = source.column(name)?;
    if let Some((before, there)) = said[column] {
        let twice = if before == role && there == place {
            format!("column '{name}' is named twice")
        } else {
            format!("column '{name}' is declared {before} ({there}) and {role} ({place})")
        };
        return Err(Error::job(twice).at(place).help("give every column one role, once"));
    }
    said[column] = Some((role, place));
    Ok(())
}
