//! The certificate of a release.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::roles::Roles;
use super::{Job, check};
use crate::data::Role;
use crate::error::Result;
use crate::input::Source;
use crate::output::{Staged, write_error};
use crate::report::{Asked, Certificate, Files, Summary};

impl Job {
    /// Writes the certificate aside; it is published after the release.
    pub(super) fn certify(
        &self,
        source: &Source,
        roles: &Roles,
        summary: &Summary,
        files: Files,
    ) -> Result<Option<(Staged, PathBuf)>> {
        let Some(place) = self.certificate_place() else { return Ok(None) };
        let by_role = [
            ("identifiers_dropped", Role::Identifier),
            ("quasi_identifiers", Role::QuasiIdentifier),
            ("sensitive", Role::Sensitive),
            ("passed_through", Role::Other),
        ];
        let mut columns: BTreeMap<_, _> =
            by_role.iter().map(|(key, role)| (*key, check::names(source, &roles.of, *role))).collect();
        columns.insert("passed_through_unmentioned", roles.unmentioned.clone());
        let asked = Asked {
            models: self.models.clone(),
            algorithm: summary.algorithm.clone().unwrap_or_default(),
            settings: self.file.settings.clone(),
            measure: self.measure.name().to_owned(),
            missing: self.file.missing.unwrap_or_default(),
            suppressed_rows: self.file.suppressed.unwrap_or_default(),
            intervals: self.intervals(),
            snap: self.file.snap.clone(),
            keep_order: self.file.keep_order.unwrap_or(false),
        };
        let certificate = Certificate::new(asked, summary, files, columns);
        let staged = Staged::new(&place)?;
        serde_json::to_writer_pretty(staged.writer()?, &certificate)
            .map_err(|e| write_error(&std::io::Error::from(e), &place))?;
        Ok(Some((staged, place)))
    }

    /// Beside the release, unless another place was named; none for standard output.
    fn certificate_place(&self) -> Option<PathBuf> {
        let beside = || {
            let mut name = self.output.clone().into_os_string();
            name.push(".certificate.json");
            (self.output != Path::new("-")).then(|| name.into())
        };
        self.file.certificate.clone().or_else(beside)
    }
}
