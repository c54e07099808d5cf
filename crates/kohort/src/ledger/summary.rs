//! What may be said of a ledger: numbers, places, digests and demands, and no value of the table.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::{Atom, Ledger, NO_ATOM};
use crate::data::Role;
use crate::error::{Said, marked};
use crate::input::{JobSpec, Scalar};

/// A ledger without the table.
#[derive(Debug, Clone, Serialize)]
pub struct LedgerSummary {
    /// Whether anybody may have seen the earlier releases.
    pub published: bool,
    /// All releases, the first one first.
    pub releases: Vec<ReleaseSummary>,
    /// How many rows the last release has.
    pub rows: u64,
    /// How many of them belong to no atom, because their people do not mind.
    pub opted_out_rows: u64,
    /// How many rows wait for the next batch.
    pub waiting_rows: u64,
    /// How many atoms are published.
    pub atoms: u64,
    /// How many of them have so many rows, the smallest first.
    pub atom_sizes: Vec<SizeCount>,
    /// How many atoms were withdrawn.
    pub withdrawn_atoms: u64,
    /// How many rows they had.
    pub withdrawn_rows: u64,
    /// What every atom satisfies by itself.
    pub demands: Vec<Said>,
    /// The quasi-identifiers.
    pub qi: Vec<String>,
    /// The sensitive columns.
    pub sensitive: Vec<String>,
    /// The columns that say whose row it is.
    pub person: Vec<String>,
    /// The released columns, with their types.
    pub columns: Vec<(String, String)>,
    /// The SHA-256 of each hierarchy, by column.
    pub hierarchies: BTreeMap<String, String>,
    /// How many different values of a sensitive column the first release had, where demands are measured against them.
    pub frozen_values: BTreeMap<String, u64>,
}

/// A release without its rows.
#[derive(Debug, Clone, Serialize)]
pub struct ReleaseSummary {
    /// Counted from 1.
    pub number: u32,
    /// Where it was written.
    pub place: PathBuf,
    /// Its SHA-256.
    pub sha256: String,
    /// How many rows it has.
    pub rows: u64,
    /// How many atoms were new in it.
    pub new_atoms: u64,
}

/// So many atoms have so many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SizeCount {
    /// The number of rows.
    pub rows: u32,
    /// The number of atoms.
    pub atoms: u64,
}

impl Ledger {
    /// What may be said of it.
    pub fn summary(&self) -> LedgerSummary {
        let (withdrawn, live): (Vec<&Atom>, Vec<&Atom>) =
            self.atoms.iter().partition(|a| a.withdrawn_in.is_some());
        let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
        for atom in &live {
            *sizes.entry(atom.rows).or_default() += 1;
        }
        LedgerSummary {
            published: self.published,
            releases: self.release_summaries(),
            rows: self.atom_of.len() as u64,
            opted_out_rows: self.atom_of.iter().filter(|&&atom| atom == NO_ATOM).count() as u64,
            waiting_rows: self.waiting_rows() as u64,
            atoms: live.len() as u64,
            atom_sizes: sizes.into_iter().map(|(rows, atoms)| SizeCount { rows, atoms }).collect(),
            withdrawn_atoms: withdrawn.len() as u64,
            withdrawn_rows: withdrawn.iter().map(|atom| u64::from(atom.rows)).sum(),
            demands: demands(&self.job),
            qi: named(&self.job.qi, &self.job, Role::QuasiIdentifier),
            sensitive: named(&self.job.sensitive, &self.job, Role::Sensitive),
            person: named(&self.job.person, &self.job, Role::Person),
            columns: self.columns.clone(),
            hierarchies: self.trees.clone(),
            frozen_values: self.frozen_values(),
        }
    }

    /// Of sensitive columns alone: values of quasi-identifiers are kept for ranges and hierarchies, and nothing is measured
    /// against them.
    fn frozen_values(&self) -> BTreeMap<String, u64> {
        let sensitive = named(&self.job.sensitive, &self.job, Role::Sensitive);
        let frozen = self.frozen.iter().filter(|(name, _)| sensitive.contains(name));
        frozen.map(|(name, all)| (name.clone(), all.len() as u64)).collect()
    }

    fn release_summaries(&self) -> Vec<ReleaseSummary> {
        let next = self.releases.iter().skip(1).map(|release| release.first_new_atom);
        let ends = next.chain([self.atoms.len() as u32]);
        let one = |(release, end): (&super::ReleaseRecord, u32)| ReleaseSummary {
            number: release.number,
            place: release.place.clone(),
            sha256: release.sha256.clone(),
            rows: release.rows,
            new_atoms: u64::from(end - release.first_new_atom),
        };
        self.releases.iter().zip(ends).map(one).collect()
    }
}

/// Columns of a role, however they were given it.
fn named(listed: &[String], job: &JobSpec, role: Role) -> Vec<String> {
    let entries = job.columns.iter().filter(|(_, entry)| entry.role == Some(role)).map(|(name, _)| name);
    let mut all: Vec<String> = listed.to_vec();
    all.extend(entries.filter(|name| !listed.contains(name)).cloned());
    all
}

/// What was asked, as it could be asked again.
fn demands(job: &JobSpec) -> Vec<Said> {
    let number = |name: &str, n: Option<u32>| n.map(|n| marked(name, n));
    let mut all: Vec<String> = number("k", job.k).into_iter().chain(number("p", job.p)).collect();
    let several = |name: &'static str, of: &[Scalar], about: &str| -> Vec<String> {
        of.iter().map(|demand| marked(name, format!("{}{about}", demand.text()))).collect()
    };
    all.extend(several("l-diversity", &job.l_diversity, ""));
    all.extend(several("t-closeness", &job.t_closeness, ""));
    all.extend(several("alpha", &job.alpha, ""));
    all.extend(several("beta-likeness", &job.beta_likeness, ""));
    all.extend(several("delta-disclosure", &job.delta_disclosure, ""));
    for (name, column) in &job.columns {
        let about = format!("@{name}");
        all.extend(column.p.map(|p| marked("p", format!("{p}{about}"))));
        all.extend(several("l-diversity", &column.l_diversity, &about));
        all.extend(several("t-closeness", &column.t_closeness, &about));
        all.extend(several("alpha", &column.alpha, &about));
        all.extend(several("beta-likeness", &column.beta_likeness, &about));
        all.extend(several("delta-disclosure", &column.delta_disclosure, &about));
    }
    all.into_iter().map(Said::from).collect()
}
