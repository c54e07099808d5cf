//! The original a release is compared with.

use std::hash::RandomState;

use super::roles::Roles;
use super::{CheckedJob, ask_verifier, prepare};
use crate::data::{Role, Table};
use crate::error::Result;
use crate::input::{TableSource, fingerprints};
use crate::verify::Prints;

/// The table a release was made from.
pub(super) struct Original<'a> {
    source: &'a dyn TableSource,
    roles: Roles,
    /// Its quasi-identifiers.
    pub(super) qi: Vec<String>,
    /// Its sensitive columns.
    pub(super) sensitive: Vec<String>,
    /// Both, encoded.
    pub(super) table: Table,
}

/// Columns that are not held in memory, in both tables.
#[derive(Default)]
pub(super) struct Carried {
    /// Sensitive columns with too many values.
    pub(super) secrets: Option<Prints>,
    /// Columns that should be as they were.
    pub(super) untouched: Option<Prints>,
    /// Which columns those are.
    pub(super) columns: Vec<String>,
    /// Columns that the original does not have.
    pub(super) only_here: Vec<String>,
    /// Columns of the original that should be as they were, and are not there.
    pub(super) left_out: Vec<String>,
}

impl<'s> Original<'s> {
    /// Reads it by the roles of the job.
    pub(super) fn read(job: &CheckedJob, source: &'s dyn TableSource) -> Result<Self> {
        let roles = Roles::resolve(job, source)?;
        let table = prepare::read_table(job, source, &roles)?.table;
        let named = |role| ask_verifier::names(source, &roles.of, role);
        let (qi, sensitive) = (named(Role::QuasiIdentifier), named(Role::Sensitive));
        Ok(Self { source, roles, qi, sensitive, table })
    }

    /// Reads what must be compared with a release and is not in memory: sensitive columns with many values, and the
    /// columns of the release that have no role in it.
    pub(super) fn carried<'a>(
        &self,
        release: &dyn TableSource,
        outside: impl Iterator<Item = &'a str>,
    ) -> Result<Carried> {
        let many = self.sensitive.iter().zip(&self.table.sensitive).filter(|(_, s)| !s.has_texts());
        let many: Vec<&str> = many.map(|(name, _)| name.as_str()).collect();
        let (there, not_there): (Vec<_>, Vec<_>) =
            outside.partition(|name| self.source.names().any(|n| n == *name));
        let other = |name: &&str| {
            self.source.names().zip(&self.roles.of).any(|(n, role)| n == *name && *role == Role::Keep)
        };
        let mut untouched: Vec<&str> = there.into_iter().filter(other).collect();
        // Sensitive values are counted by their texts; whether they are the very same takes more.
        for name in self.sensitive.iter().filter(|name| !many.contains(&name.as_str())) {
            if self.is_exact(release, self.source.column(name)?, release.column(name)?) {
                untouched.push(name);
            }
        }
        Ok(Carried {
            secrets: self.prints(release, &many)?,
            untouched: self.prints(release, &untouched)?,
            columns: untouched.into_iter().map(str::to_owned).collect(),
            only_here: not_there.into_iter().map(str::to_owned).collect(),
            left_out: self.left_out(release),
        })
    }

    /// Columns that no role takes out of the release and that are not in it.
    fn left_out(&self, release: &dyn TableSource) -> Vec<String> {
        let other = ask_verifier::names(self.source, &self.roles.of, Role::Keep);
        other.into_iter().filter(|name| release.names().all(|n| n != name)).collect()
    }

    /// Whether two columns can be compared by all that is in them. Values may read alike and differ; a copy in another format
    /// has nothing but the text.
    fn is_exact(&self, release: &dyn TableSource, here: usize, there: usize) -> bool {
        let data = |source: &dyn TableSource, at: usize| source.schema().field(at).data_type().clone();
        !self.source.is_text_only()
            && !release.is_text_only()
            && data(self.source, here) == data(release, there)
    }

    /// What some columns show, row by row.
    fn prints(&self, release: &dyn TableSource, names: &[&str]) -> Result<Option<Prints>> {
        if names.is_empty() {
            return Ok(None);
        }
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for name in names {
            let (a, b) = (self.source.column(name)?, release.column(name)?);
            let exact = self.is_exact(release, a, b);
            here.push((a, exact));
            there.push((b, exact));
        }
        let key = RandomState::new();
        let original = fingerprints(self.source, &here, &key)?;
        Ok(Some(Prints { original, released: fingerprints(release, &there, &key)? }))
    }
}
