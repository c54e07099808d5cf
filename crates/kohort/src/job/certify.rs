//! The certificate of a release.

use std::collections::BTreeMap;

use super::roles::{Roles, opt_out_column};
use super::solve::Solved;
use super::{Job, check, notes};
use crate::data::{Domain, Role, Table};
use crate::error::{Error, Result};
use crate::input::Source;
use crate::model::Notion;
use crate::report::{Asked, Certificate, Files, Summary, Suppression};

impl Job {
    /// The text of the certificate.
    pub(super) fn certify(
        &self,
        source: &Source,
        roles: &Roles,
        table: &Table,
        summary: &Summary,
        solved: &Solved,
        files: Files,
    ) -> Result<String> {
        let by_role = [
            ("identifiers_dropped", Role::Identifier),
            ("quasi_identifiers", Role::QuasiIdentifier),
            ("sensitive", Role::Sensitive),
            ("passed_through", Role::Other),
        ];
        let mut columns: BTreeMap<_, _> =
            by_role.iter().map(|(key, role)| (*key, check::names(source, &roles.of, *role))).collect();
        columns.insert("passed_through_unmentioned", roles.unmentioned.clone());
        let entries = self.file.columns.iter();
        let mut snap: BTreeMap<_, _> =
            entries.clone().filter_map(|(name, e)| Some((name.clone(), e.snap?))).collect();
        snap.extend(self.file.snap.clone());
        let intervals = table.qi.iter().filter(|q| matches!(q.attribute.domain, Domain::Interval(_)));
        let names = intervals.map(|q| q.attribute.name.clone());
        let true_ends = names.filter(|name| !snap.contains_key(name)).collect();
        let asked = Asked {
            models: self.models.clone(),
            demands: self.demands()?,
            protected: entries
                .clone()
                .filter_map(|(name, e)| Some((name.clone(), e.protected.clone()?)))
                .collect(),
            closeness: table.sensitive.iter().filter_map(|s| Some((s.name.clone(), s.ground?))).collect(),
            notion: self.notion,
            algorithm: self.file.algorithm.clone().unwrap_or_else(|| "auto".into()),
            levels: self.file.levels.clone(),
            made_by: summary.algorithm.clone().unwrap_or_default(),
            understood_as: table
                .qi
                .iter()
                .map(|q| (q.attribute.name.clone(), notes::understood(&q.attribute)))
                .collect(),
            settings: self.settings.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            hurried: solved.hurried,
            block_rows: self.file.block_rows,
            time_limit: self.file.time_limit.clone(),
            measure: self.measure.name().to_owned(),
            missing: self.file.missing.unwrap_or_default(),
            suppressed_rows: self.file.suppressed.unwrap_or_default(),
            intervals: self.intervals(),
            true_ends,
            snap,
            missing_by_column: entries
                .clone()
                .filter_map(|(name, e)| Some((name.clone(), e.missing?)))
                .collect(),
            keep_order: self.file.keep_order.unwrap_or(false),
            boundaries: table
                .qi
                .iter()
                .filter_map(|q| Some((q.attribute.name.clone(), notes::boundary(&q.attribute)?)))
                .collect(),
            suppress: self.suppress,
            opt_out: self.opt_out_for_readers(source, roles)?,
            beta: self.file.beta,
            weights: entries.clone().filter_map(|(name, e)| Some((name.clone(), e.weight?))).collect(),
            level_weights: entries
                .clone()
                .filter(|(_, e)| !e.level_weights.0.is_empty())
                .map(|(name, e)| (name.clone(), e.level_weights.0.clone()))
                .collect(),
        };
        let suppression =
            Suppression { because: solved.account, least: solved.minimal, trimmed: solved.trimmed };
        let certificate = Certificate::new(asked, summary, suppression, files, columns);
        serde_json::to_string_pretty(&certificate).map_err(|e| Error::internal(e.to_string()))
    }

    /// The models under the names they have with the notion.
    fn demands(&self) -> Result<serde_json::Value> {
        let text = serde_json::to_string(&self.models).map_err(|e| Error::internal(e.to_string()))?;
        let named = match self.notion {
            Notion::K => text,
            other => text.replace("k-anonymity", other.title()),
        };
        serde_json::from_str(&named).map_err(|e| Error::internal(e.to_string()))
    }

    /// Who checks the release needs column and value; the value of a sensitive or dropped column is nobody's business.
    fn opt_out_for_readers(&self, source: &Source, roles: &Roles) -> Result<Option<String>> {
        let Some(name) = opt_out_column(&self.file)? else { return Ok(None) };
        let open = roles.of[source.column(&name)?] == Role::Other;
        Ok(if open { self.file.opt_out.clone() } else { Some(name) })
    }
}
