//! The two documents of a release: the public certificate and the private audit record.

use std::collections::BTreeMap;

use arrow::datatypes::DataType;

use super::destinations::{Places, fill};
use super::public::Shown;
use super::roles::{Roles, opt_out_column};
use super::solve::Solved;
use super::{Job, Made, check, demands, notes, prepare, solutions};
use crate::data::hierarchy_build::HierarchySpec;
use crate::data::{Ground, Role, Table};
use crate::demand::{Model, Notion};
use crate::error::{Error, Result};
use crate::input::{ColumnEntry, Scalar, Source, sha256_of};
use crate::report::{
    Asked, Audit, Certificate, Files, OriginalCounts, Public, ReleaseFile, Remarks, Summary, Suppression,
    Work,
};

/// Column names by role.
type Columns = BTreeMap<&'static str, Vec<String>>;

/// What is known about a release when its documents are written.
pub(super) struct Evidence<'a> {
    /// What verification found with the original at hand.
    pub(super) summary: &'a Summary,
    /// What a stranger finds.
    pub(super) shown: Shown,
    pub(super) digests: Digests,
    pub(super) remarks: Remarks<'a>,
}

/// SHA-256 of the files of a run.
pub(super) struct Digests {
    pub(super) input: String,
    pub(super) release: String,
}

impl Job {
    /// Fills certificate, audit record and list of solutions, where they are wanted.
    pub(super) fn document(
        &self,
        made: &Made<'_>,
        solved: &Solved,
        evidence: Evidence<'_>,
        places: &Places,
    ) -> Result<()> {
        let Evidence { summary, shown, digests, remarks } = evidence;
        let asked = self.asked(made.source, made.roles)?;
        let columns = columns(made.source, made.roles);
        let counts = OriginalCounts { rows: summary.rows, suppressed: summary.suppressed };
        let counts = Some(counts).filter(|_| self.file.publish_counts.unwrap_or(false));
        let certificate =
            certificate(asked.clone(), columns.clone(), shown, digests.release.clone(), counts)?;
        let files = self.files(made.source, digests, places, &certificate);
        if let Some(place) = &places.certificate {
            fill(place, &certificate)?;
        }
        if let Some(place) = &places.audit {
            let work = self.work(made.table, solved);
            let suppression =
                Suppression { because: solved.account, least: solved.minimal, trimmed: solved.trimmed };
            fill(place, &text(&Audit::new(files, &asked, &columns, &work, summary, suppression, remarks))?)?;
        }
        if let Some((staged, place)) = &places.solutions {
            solutions::write(&solved.solutions, staged, place)?;
        }
        Ok(())
    }

    fn files(&self, source: &Source, digests: Digests, places: &Places, certificate: &str) -> Files {
        let place = places.certificate.as_ref().map(|(_, place)| place.display().to_string());
        Files {
            input: source.shown().to_owned(),
            input_sha256: digests.input,
            release: self.output.display().to_string(),
            release_sha256: digests.release,
            certificate_sha256: place.is_some().then(|| sha256_of(certificate)),
            certificate: place,
        }
    }

    /// What was asked: a function of the job alone.
    fn asked(&self, source: &Source, roles: &Roles) -> Result<Asked> {
        let entries = || self.file.columns.iter();
        let mut snap: BTreeMap<_, _> =
            entries().filter_map(|(name, e)| Some((name.clone(), e.snap?))).collect();
        snap.extend(self.file.snap.clone());
        let sensitive = check::names(source, &roles.of, Role::Sensitive);
        let boundaries = entries().filter(|(_, e)| !e.boundary().is_empty());
        Ok(Asked {
            models: self.demands.clone(),
            demands: self.demands()?,
            protected: entries().filter_map(|(name, e)| Some((name.clone(), e.protected.clone()?))).collect(),
            closeness: self.closeness(&sensitive)?,
            notion: self.notion,
            missing: self.file.missing.unwrap_or_default(),
            missing_by_column: entries().filter_map(|(name, e)| Some((name.clone(), e.missing?))).collect(),
            suppressed_rows: self.file.suppressed.unwrap_or_default(),
            intervals: self.intervals(),
            snap,
            keep_order: self.file.keep_order.unwrap_or(false),
            boundaries: boundaries.map(|(name, e)| (name.clone(), boundary(e))).collect(),
            suppress: self.suppress,
            opt_out: self.opt_out_for_readers(source, roles)?,
            cut_by_values: entries().filter(|(_, e)| is_cut_by_values(e)).map(|(n, _)| n.clone()).collect(),
            untyped: self.untyped(source, roles),
        })
    }

    /// Quasi-identifiers of which neither the job nor the file says whether they are numbers, dates or words.
    fn untyped(&self, source: &Source, roles: &Roles) -> Vec<String> {
        let columns = source.schema().fields().iter().zip(&roles.of);
        let unsaid = |name: &str| {
            let kind = self.file.columns.get(name).and_then(|e| e.kind);
            kind.is_none() && !prepare::has_hierarchy(&self.file, name)
        };
        columns
            .filter(|(field, role)| **role == Role::QuasiIdentifier && field.data_type() == &DataType::Utf8)
            .map(|(field, _)| field.name().clone())
            .filter(|name| unsaid(name))
            .collect()
    }

    fn closeness(&self, sensitive: &[String]) -> Result<BTreeMap<String, Ground>> {
        let asked = demands::diversity(&self.file)?.into_iter().find_map(|m| match m {
            Model::TCloseness { ground, .. } => Some(ground),
            _ => None,
        });
        let own = |name: &String| self.file.columns.get(name).and_then(|e| e.closeness);
        let ground =
            |ground: Ground| sensitive.iter().map(move |n| (n.clone(), own(n).unwrap_or(ground))).collect();
        Ok(asked.map(ground).unwrap_or_default())
    }

    fn work(&self, table: &Table, solved: &Solved) -> Work {
        let entries = || self.file.columns.iter();
        let attributes = || table.qi.iter().map(|q| &q.attribute);
        Work {
            algorithm: self.file.algorithm.clone().unwrap_or_else(|| "auto".into()),
            made_by: solved.algorithm.clone(),
            seed: self.seed,
            settings: self.settings.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            measure: self.measure.name().to_owned(),
            beta: self.file.beta,
            weights: entries().filter_map(|(name, e)| Some((name.clone(), e.weight?))).collect(),
            level_weights: entries()
                .filter(|(_, e)| !e.level_weights.0.is_empty())
                .map(|(name, e)| (name.clone(), e.level_weights.0.clone()))
                .collect(),
            levels: self.file.levels.clone(),
            block_rows: self.file.block_rows,
            time_limit: self.file.time_limit.clone(),
            time_was_up: solved.hurried,
            understood_as: attributes().map(|a| (a.name.clone(), notes::understood(a))).collect(),
        }
    }

    /// The models under the names they have with the notion.
    fn demands(&self) -> Result<serde_json::Value> {
        let text = serde_json::to_string(&self.demands).map_err(|e| Error::internal(e.to_string()))?;
        let named = match self.notion {
            Notion::K => text,
            other => text.replace("k-anonymity", other.title()),
        };
        serde_json::from_str(&named).map_err(|e| Error::internal(e.to_string()))
    }

    /// Who checks the release needs column and value; a sensitive value is nobody's business.
    fn opt_out_for_readers(&self, source: &Source, roles: &Roles) -> Result<Option<String>> {
        let Some(name) = opt_out_column(&self.file)? else { return Ok(None) };
        let open = roles.of[source.column(&name)?] == Role::Other;
        Ok(if open { self.file.opt_out.clone() } else { Some(name) })
    }
}

/// The text of the certificate. It is made from the job, the names of the columns and what a stranger finds in the release;
/// the steward alone may have it tell more.
fn certificate(
    asked: Asked,
    columns: Columns,
    shown: Shown,
    sha256: String,
    original: Option<OriginalCounts>,
) -> Result<String> {
    let public = Public {
        release: ReleaseFile { sha256, rows: shown.rows },
        asked,
        columns,
        labels: shown.labels,
        recomputed: shown.recomputed,
        original,
    };
    text(&Certificate::from(public))
}

/// Column names by what became of them.
fn columns(source: &Source, roles: &Roles) -> Columns {
    let by_role = [
        ("identifiers_dropped", Role::Identifier),
        ("quasi_identifiers", Role::QuasiIdentifier),
        ("sensitive", Role::Sensitive),
        ("passed_through", Role::Other),
    ];
    let mut columns: Columns =
        by_role.iter().map(|(key, role)| (*key, check::names(source, &roles.of, *role))).collect();
    columns.insert("passed_through_unmentioned", roles.unmentioned.clone());
    columns
}

fn is_cut_by_values(entry: &ColumnEntry) -> bool {
    entry.hierarchy.as_ref().is_some_and(HierarchySpec::is_made_from_data)
}

/// How far a column may be generalized, as it was said: whether any value is affected is not for everybody.
fn boundary(entry: &ColumnEntry) -> String {
    let nodes = entry.max_generalization.as_ref().map(|nodes| {
        let mut nodes = nodes.clone();
        nodes.sort();
        format!("at most to {}; values below none of them without limit", nodes.join(", "))
    });
    let width = entry.max_width.map(|w| format!("intervals of at most {w} (days, for dates)"));
    let cuts = entry.cuts.as_ref().filter(|cuts| !cuts.is_empty()).map(|cuts| {
        let cuts: Vec<String> = cuts.iter().map(Scalar::text).collect();
        format!("no interval across {}", cuts.join(", "))
    });
    nodes.into_iter().chain(width).chain(cuts).collect::<Vec<_>>().join(", ")
}

fn text(document: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(document).map_err(|e| Error::internal(e.to_string()))?;
    Ok(text + "\n")
}
