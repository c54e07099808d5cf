//! The two documents of a release: the public certificate and the private audit record.

use std::collections::BTreeMap;

use arrow::datatypes::{DataType, Field};

use super::checked::{CheckedColumn, HierarchyFrom, OptOut};
use super::observed::Ended;
use super::public::Shown;
use super::roles::Roles;
use super::solve::Solved;
use super::{CheckedJob, Made, ask_verifier, notes, prepare};
use crate::data::{Ground, Kind, Role, Table};
use crate::demand::Notion;
use crate::error::{Error, Result};
use crate::input::{BoundarySpec, JobSpec, Scalar, TableSource, sha256_of};
use crate::report::{
    Asked, Audit, Certificate, Files, Growth, OriginalCounts, Public, ReleaseFile, Remarks, Summary,
    Suppression, Work, json_text,
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
    pub(super) remarks: Remarks,
    /// What became of a batch, where the table grows.
    pub(super) growth: Option<Growth>,
}

/// SHA-256 of the files of a run.
pub(super) struct Digests {
    pub(super) input: String,
    pub(super) release: String,
}

impl CheckedJob {
    /// The certificate and the audit record; the release and its certificate go where the names say.
    pub(super) fn document(
        &self,
        made: &Made<'_>,
        solved: &Solved,
        evidence: Evidence<'_>,
        (release, certificate_place): (String, Option<String>),
    ) -> Result<(Certificate, Audit)> {
        let Evidence { summary, shown, digests, remarks, growth } = evidence;
        let asked = self.asked(made.source, made.roles)?;
        let columns = columns(made.source, made.roles);
        let counts = OriginalCounts { rows: summary.rows, suppressed: summary.suppressed };
        let counts = Some(counts).filter(|_| self.publish_counts);
        let series = self.series.as_ref().map(|series| series.number);
        let certificate =
            certificate((asked.clone(), series), columns.clone(), shown, digests.release.clone(), counts);
        let certificate_sha256 = match certificate_place {
            Some(_) => Some(sha256_of(&json_text(&certificate)?)),
            None => None,
        };
        let files = Files {
            input: made.source.name().to_owned(),
            input_sha256: digests.input,
            release,
            release_sha256: digests.release,
            certificate_sha256,
            certificate: certificate_place,
        };
        let work = self.work(made.table, solved);
        let suppression =
            Suppression { because: solved.account, least: solved.minimal, trimmed: solved.trimmed };
        let audit = Audit::new(
            (files, JobSpec::clone(&self.said)),
            asked,
            columns,
            work,
            summary.clone(),
            suppression,
            remarks,
        )
        .with_growth(growth);
        Ok((certificate, audit))
    }

    /// What was asked: a function of the job alone.
    fn asked(&self, source: &dyn TableSource, roles: &Roles) -> Result<Asked> {
        let entries = || self.columns.iter();
        let mut snap: BTreeMap<_, _> =
            entries().filter_map(|(name, e)| Some((name.clone(), e.snap?))).collect();
        snap.extend(self.snap.clone());
        let sensitive = ask_verifier::names(source, &roles.of, Role::Sensitive);
        let boundaries = entries().filter(|(_, e)| !e.boundary.is_empty());
        Ok(Asked {
            models: self.demands.clone(),
            demands: self.named_demands()?,
            protected: entries().filter_map(|(name, e)| Some((name.clone(), e.protected.clone()?))).collect(),
            closeness: self.closeness(&sensitive),
            notion: self.notion,
            people: ask_verifier::names(source, &roles.of, Role::Person),
            missing: self.missing,
            missing_by_column: entries().filter_map(|(name, e)| Some((name.clone(), e.missing?))).collect(),
            missing_sensitive: self.missing_sensitive,
            na: self.na.clone(),
            na_by_column: entries()
                .filter(|(_, e)| !e.na.is_empty())
                .map(|(n, e)| (n.clone(), e.na.clone()))
                .collect(),
            suppressed_rows: self.suppressed.unwrap_or_default(),
            intervals: self.intervals,
            snap,
            keep_order: self.keep_order,
            boundaries: boundaries.map(|(name, e)| (name.clone(), boundary(&e.boundary, e.kind))).collect(),
            suppress: self.suppress,
            opt_out: self.opt_out_for_readers(source, roles)?,
            cut_by_values: entries().filter(|(_, e)| is_cut_by_values(e)).map(|(n, _)| n.clone()).collect(),
            untyped: self.untyped(source, roles),
            typed_by_values: source.is_typed_by_values(),
            sensitive_types: self.declared(&sensitive),
            sensitive_date_formats: self.of_sensitive(&sensitive, |e| {
                Some(e.written.formats.clone()).filter(|formats| !formats.is_empty())
            }),
            sensitive_decimals: self.of_sensitive(&sensitive, |e| e.written.decimal),
            sensitive_hierarchies: sensitive.into_iter().filter(|name| self.reads_hierarchy(name)).collect(),
        })
    }

    /// Quasi-identifiers of which neither the job nor the file says whether they are numbers, dates or words.
    fn untyped(&self, source: &dyn TableSource, roles: &Roles) -> Vec<String> {
        let columns = source.schema().fields().iter().zip(&roles.of);
        let unsaid = |name: &str| {
            let kind = self.columns.get(name).and_then(|e| e.kind);
            kind.is_none() && !prepare::has_hierarchy(self, name)
        };
        // Types that were found from values say nothing: which ones have one depends on people who may be left out.
        let typeless = |field: &Field| source.is_typed_by_values() || field.data_type() == &DataType::Utf8;
        columns
            .filter(|(field, role)| **role == Role::QuasiIdentifier && typeless(field))
            .map(|(field, _)| field.name().clone())
            .filter(|name| unsaid(name))
            .collect()
    }

    /// The types that were declared of sensitive columns.
    fn declared(&self, sensitive: &[String]) -> BTreeMap<String, Kind> {
        self.of_sensitive(sensitive, |entry| entry.kind)
    }

    /// What was said of sensitive columns.
    fn of_sensitive<T>(
        &self,
        sensitive: &[String],
        said: impl Fn(&CheckedColumn) -> Option<T>,
    ) -> BTreeMap<String, T> {
        let of = |name: &String| Some((name.clone(), said(self.columns.get(name)?)?));
        sensitive.iter().filter_map(of).collect()
    }

    /// Whether some demand looks at the hierarchy of a sensitive column: who checks the release needs it, too.
    fn reads_hierarchy(&self, name: &String) -> bool {
        let entry = self.columns.get(name);
        let is_protected = entry.is_some_and(|entry| entry.protected.is_some());
        let own = entry.and_then(|entry| entry.closeness);
        match self.demands.ground(name).map(|ground| own.unwrap_or(ground)) {
            Some(Ground::Hierarchical) => true,
            Some(Ground::Ordered) => is_protected || prepare::has_hierarchy(self, name),
            Some(Ground::Equal) | None => is_protected,
        }
    }

    fn closeness(&self, sensitive: &[String]) -> BTreeMap<String, Ground> {
        let own = |name: &String| self.columns.get(name).and_then(|e| e.closeness);
        let ground = |name: &String| Some((name.clone(), own(name).unwrap_or(self.demands.ground(name)?)));
        sensitive.iter().filter_map(ground).collect()
    }

    fn work(&self, table: &Table, solved: &Solved) -> Work {
        let entries = || self.columns.iter();
        let attributes = || table.qi.iter().map(|q| &q.attribute);
        Work {
            algorithm: self.search.asked.clone(),
            made_by: solved.algorithm.clone(),
            chose_levels: self.search.choice.recodes_columns(),
            seed: self.search.seed,
            settings: self
                .search
                .settings
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            measure: self.search.measure.name().to_owned(),
            beta: self.beta,
            weights: entries().filter_map(|(name, e)| Some((name.clone(), e.weight?))).collect(),
            level_weights: entries()
                .filter(|(_, e)| !e.level_weights.0.is_empty())
                .map(|(name, e)| (name.clone(), e.level_weights.0.clone()))
                .collect(),
            levels: self.search.levels.clone(),
            block_rows: self.search.block_rows,
            time_limit: self.time_limit.map(|limit| format!("{}s", limit.as_secs_f64())),
            stopped_early: solved.hurried.is_some(),
            time_was_up: solved.hurried == Some(Ended::TimeUp),
            refined: solved.refined.clone(),
            bound: self.bound.name(),
            understood_as: attributes().map(|a| (a.name.clone(), notes::understood(a))).collect(),
        }
    }

    /// The models under the names they have with the notion.
    fn named_demands(&self) -> Result<serde_json::Value> {
        let text = serde_json::to_string(&self.demands).map_err(|e| Error::internal(e.to_string()))?;
        let named = match self.notion {
            Notion::K => text,
            other => text.replace("k-anonymity", other.title()),
        };
        serde_json::from_str(&named).map_err(|e| Error::internal(e.to_string()))
    }

    /// Who checks the release needs column and value; a sensitive value is nobody's business.
    fn opt_out_for_readers(&self, source: &dyn TableSource, roles: &Roles) -> Result<Option<String>> {
        let Some(OptOut { column, value }) = &self.opt_out else { return Ok(None) };
        let open = roles.of[source.column(column)?] == Role::Keep;
        Ok(Some(if open { format!("{column}={value}") } else { column.clone() }))
    }
}

/// The certificate. It is made from the job, the names of the columns and what a stranger finds in the release; the steward
/// alone may have it tell more.
fn certificate(
    (asked, series): (Asked, Option<u32>),
    columns: Columns,
    shown: Shown,
    sha256: String,
    original: Option<OriginalCounts>,
) -> Certificate {
    Certificate::from(Public {
        release: ReleaseFile { sha256, rows: shown.rows },
        asked,
        columns,
        labels: shown.labels,
        recomputed: shown.recomputed,
        original,
        series,
    })
}

/// Column names by what became of them.
fn columns(source: &dyn TableSource, roles: &Roles) -> Columns {
    let by_role = [
        ("identifiers_dropped", Role::Identifier),
        ("person_dropped", Role::Person),
        ("quasi_identifiers", Role::QuasiIdentifier),
        ("sensitive", Role::Sensitive),
        ("dropped", Role::Drop),
        ("passed_through", Role::Keep),
    ];
    let mut columns: Columns =
        by_role.iter().map(|(key, role)| (*key, ask_verifier::names(source, &roles.of, *role))).collect();
    let kept = |name: &&String| columns["passed_through"].contains(name);
    let unmentioned = roles.unmentioned.iter().filter(kept).cloned().collect();
    columns.insert("passed_through_unmentioned", unmentioned);
    columns
}

fn is_cut_by_values(column: &CheckedColumn) -> bool {
    column.hierarchy.as_ref().is_some_and(HierarchyFrom::is_made_from_data)
}

/// How far a column may be generalized, as it was said: whether any value is affected is not for everybody.
fn boundary(boundary: &BoundarySpec, kind: Option<Kind>) -> String {
    let nodes = boundary.max_generalization.as_ref().map(|nodes| {
        let mut nodes = nodes.clone();
        nodes.sort();
        format!("at most to {}; values below none of them without limit", nodes.join(", "))
    });
    let unit = if kind == Some(Kind::Timestamp) { "seconds" } else { "days for dates, seconds for times" };
    let width = boundary.max_width.map(|w| format!("intervals of at most {w} ({unit})"));
    let cuts = boundary.cuts.as_ref().filter(|cuts| !cuts.is_empty()).map(|cuts| {
        let cuts: Vec<String> = cuts.iter().map(Scalar::text).collect();
        format!("no interval across {}", cuts.join(", "))
    });
    nodes.into_iter().chain(width).chain(cuts).collect::<Vec<_>>().join(", ")
}
