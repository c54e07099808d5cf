//! Digest, columns and figures of a certificate, held against the release.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::{ClaimedJob, Claims};
use crate::data::bound_names;
use crate::demand::{Demands, Model, Notion};
use crate::error::{Error, Result, Said};
use crate::input::TableSource;
use crate::job::verify_release::outside;
use crate::job::{CheckedJob, Verdict};
use crate::report::{Agreement, CertificateCheck};

/// What differs: of the columns, and of the figures.
#[derive(Default)]
struct Differences {
    columns: Vec<Said>,
    figures: Vec<Said>,
}

impl Claims {
    /// Columns without which the claims cannot be recomputed, and which the release does not have.
    fn gone(&self, release: &dyn TableSource) -> Vec<&String> {
        let columns = &self.columns;
        let needed = columns.quasi_identifiers.iter().chain(&columns.sensitive);
        let tells = |name: &&String| self.opt_out().is_some_and(|told| told.starts_with(&format!("{name}=")));
        let needed = needed.chain(columns.passed_through.iter().filter(tells));
        needed.filter(|name| !is_published(release, name)).collect()
    }

    /// The job for a release that lacks columns: what can still be counted is, and nothing is demanded of it.
    pub(in super::super) fn without_gone(
        &self,
        claimed: &ClaimedJob,
        release: &dyn TableSource,
    ) -> Result<Option<CheckedJob>> {
        if self.gone(release).is_empty() {
            return Ok(None);
        }
        let there = |names: &[String]| -> Vec<String> {
            names.iter().filter(|name| is_published(release, name)).cloned().collect()
        };
        let job = claimed.job.clone();
        let (qi, sensitive) = (there(&job.qi), there(&job.sensitive));
        if qi.is_empty() {
            return Err(Error::violation(
                "the release has none of the quasi-identifiers its certificate names",
            )
            .in_file(release.name())
            .help("is this the certificate of this release?"));
        }
        let (demands, notion) = (Demands::default(), Notion::K);
        let opt_out = job.opt_out.clone().filter(|told| is_published(release, &told.column));
        Ok(Some(CheckedJob { qi, sensitive, demands, notion, opt_out, ..job }))
    }

    /// Holds the certificate against the release, and adds what is found to the verdict.
    pub(in super::super) fn compare(
        &self,
        claimed: &ClaimedJob,
        release: &dyn TableSource,
        has_original: bool,
        verdict: &mut Verdict,
    ) -> Result<()> {
        let bytes = match release.digest()? == self.release.sha256 {
            false if !release.has_bytes() => Agreement::NotChecked,
            is_same => Agreement::of(is_same),
        };
        let gone = self.gone(release);
        let countable = claimed.counts_alike && gone.is_empty();
        let mut differences = Differences::default();
        differences.columns(self, claimed, release);
        differences.rows(self, countable, has_original, verdict);
        if countable {
            differences.figures(self, claimed, has_original, verdict);
        }
        let mut not_checked = claimed.not_checked.clone();
        not_checked.extend(self.uncounted(claimed, !gone.is_empty()));
        let figures = match (differences.figures.is_empty(), countable && self.recomputed.is_some()) {
            (false, _) => Agreement::Differs,
            (true, true) => Agreement::Same,
            (true, false) => Agreement::NotChecked,
        };
        verdict.summary.certificate = Some(CertificateCheck {
            file: self.shown(),
            sha256: bytes,
            columns: Agreement::of(differences.columns.is_empty()),
            figures,
            claims: self.in_words(),
        });
        let mut short: Vec<Said> = Vec::new();
        if bytes == Agreement::NotChecked {
            not_checked.push("the digest of the certificate: it is that of a file, or of a table as it was made, and this one lies in memory".into());
        }
        if bytes == Agreement::Differs {
            short.push("the SHA-256 digest of the release is not the one in its certificate: one of them was changed, or they do not belong together".into());
        }
        short.extend(differences.columns);
        // The examination names identifiers, too, where they show something.
        let mut known = std::mem::take(&mut verdict.shortfalls);
        known.retain(|said| !short.contains(said));
        short.extend(known.into_iter().chain(differences.figures));
        verdict.summary.met = Some(short.is_empty());
        verdict.shortfalls = short;
        verdict.summary.not_checked.get_or_insert_default().extend(not_checked);
        Ok(())
    }

    /// What is claimed, in words.
    fn in_words(&self) -> Vec<String> {
        let models = self.asked.models.iter().map(ToString::to_string);
        let notion = Some(self.asked.notion).filter(|notion| *notion != Notion::K);
        models.chain(notion.map(|notion| format!("notion {}", notion.name()))).collect()
    }

    /// Why figures were not compared.
    fn uncounted(&self, claimed: &ClaimedJob, is_short_of_columns: bool) -> Option<Said> {
        let why = if is_short_of_columns {
            "columns are gone, and the demands with them"
        } else if self.recomputed.is_none() {
            "it has none, because the release does not tell its classes"
        } else if !claimed.job.person.is_empty() {
            "they are about rows, and people were counted here"
        } else if !claimed.counts_alike {
            "they were counted in another way than was asked for here"
        } else {
            return None;
        };
        Some(format!("figures of the certificate: {why}").into())
    }
}

impl Differences {
    fn columns(&mut self, claims: &Claims, claimed: &ClaimedJob, release: &dyn TableSource) {
        let columns = &claims.columns;
        let expected = columns.quasi_identifiers.iter().chain(&columns.sensitive);
        let expected = expected.chain(&columns.passed_through);
        for name in expected.filter(|name| !is_published(release, name)) {
            self.columns
                .push(format!("the certificate names column '{name}', which is not in the release").into());
        }
        let gone = claimed.job.should_be_gone();
        for name in outside(release, &columns.quasi_identifiers, &columns.sensitive) {
            if columns.passed_through.iter().any(|kept| kept == name) {
                continue;
            }
            let said = gone.iter().find(|(_, other)| other == name).map(|(said, _)| said.clone());
            let unsaid =
                || format!("column '{name}' is in the release, and by its certificate should not be").into();
            self.columns.push(said.unwrap_or_else(unsaid));
        }
    }

    fn rows(&mut self, claims: &Claims, countable: bool, has_original: bool, verdict: &Verdict) {
        let s = &verdict.summary;
        self.count("release.rows", claims.release.rows, verdict.table_rows);
        let Some(original) = claims.original else { return };
        if has_original {
            self.count("original.rows", original.rows, s.rows);
        }
        if has_original && countable {
            self.count("original.suppressed", original.suppressed, s.suppressed);
        } else if countable && claims.recomputed.is_some() {
            let rest = original.rows.saturating_sub(s.released + s.opted_out);
            self.count("original.suppressed", original.suppressed, rest);
        }
    }

    fn figures(&mut self, claims: &Claims, claimed: &ClaimedJob, has_original: bool, verdict: &Verdict) {
        let Some(said) = &claims.recomputed else { return };
        let (s, found) = (&verdict.summary, &verdict.summary.achieved);
        let starred = verdict.table_rows.saturating_sub(s.released + s.opted_out);
        self.count("recomputed.released", said.released, s.released);
        self.count("recomputed.starred", said.starred, starred);
        self.count("recomputed.opted_out", said.opted_out, s.opted_out);
        self.count("recomputed.classes", said.classes, s.classes);
        self.count("recomputed.k", said.k, found.k);
        self.count("recomputed.largest_class", said.largest_class, found.largest_class);
        // Kinds of values cannot be counted without the hierarchy.
        let by_itself = |name: &str| {
            !(claims.asked.protected.contains_key(name) && claimed.lacking.iter().any(|other| other == name))
        };
        self.counts("recomputed.p", &said.p, &found.p, by_itself);
        self.counts("recomputed.l_distinct", &said.l_distinct, &found.l_distinct, |_| true);
        self.measures("recomputed.l_entropy", &said.l_entropy, &found.l_entropy, |_| true);
        self.measures("recomputed.alpha", &said.alpha, &found.alpha, |_| true);
        // Some figures depend on what was asked for: on the l of recursive diversity, and on distances.
        let alike = |name: &str, of: fn(&Model) -> bool| {
            let here = claimed.job.demands().of(name).filter(|model| of(model));
            here.eq(claims.asked.models.of(name).filter(|model| of(model)))
        };
        let recursive = |name: &str| alike(name, |m| matches!(m, Model::RecursiveL { .. }));
        self.measures("recomputed.recursive", &said.recursive, &found.recursive, recursive);
        if !has_original {
            let t = |name: &str| alike(name, |m| matches!(m, Model::TCloseness { .. }));
            self.measures("recomputed.t_against_release", &said.t_against_release, &found.t, t);
            let there = |name: &str| found.beta.contains_key(name);
            self.measures("recomputed.beta_against_release", &said.beta_against_release, &found.beta, there);
            self.measures(
                "recomputed.delta_against_release",
                &said.delta_against_release,
                &found.delta,
                there,
            );
        }
        if let (Some(said), Some(found)) = (&said.loss_against_release, &verdict.loss_by_itself) {
            let mean = |figure: f64| BTreeMap::from([(String::new(), figure)]);
            let key = "recomputed.loss_against_release";
            self.measures(&format!("{key}.mean"), &mean(said.mean), &mean(found.mean), |_| true);
            self.measures(&format!("{key}.per_column"), &said.per_column, &found.per_column, |_| true);
        }
    }

    fn count(&mut self, key: &str, said: u64, found: u64) {
        if said != found {
            self.differs(key, "", said, Some(found));
        }
    }

    fn counts(
        &mut self,
        key: &str,
        said: &BTreeMap<String, u64>,
        found: &BTreeMap<String, u64>,
        is_comparable: impl Fn(&str) -> bool,
    ) {
        for (name, &said) in said.iter().filter(|(name, _)| is_comparable(name)) {
            let found = found.get(name).copied();
            if found != Some(said) {
                self.differs(key, name, said, found);
            }
        }
    }

    fn measures(
        &mut self,
        key: &str,
        said: &BTreeMap<String, f64>,
        found: &BTreeMap<String, f64>,
        is_comparable: impl Fn(&str) -> bool,
    ) {
        for (name, &said) in said.iter().filter(|(name, _)| is_comparable(name)) {
            let found = found.get(name).copied();
            if !found.is_some_and(|found| is_near(said, found)) {
                self.differs(key, name, said, found);
            }
        }
    }

    fn differs<T: Display>(&mut self, key: &str, column: &str, said: T, found: Option<T>) {
        let of = if column.is_empty() { String::new() } else { format!(" of '{column}'") };
        let found = found.map_or_else(|| "nothing".into(), |found| found.to_string());
        self.figures.push(
            format!("{key}{of} is {said} in the certificate; recomputed from the release it is {found}")
                .into(),
        );
    }
}

/// Logarithms may differ between machines in their last digits.
fn is_near(a: f64, b: f64) -> bool {
    (a.is_infinite() && b.is_infinite()) || (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}

/// Whether a release has a column, or its bounds.
fn is_published(release: &dyn TableSource, name: &str) -> bool {
    let has = |name: &str| release.names().any(|other| other == name);
    has(name) || bound_names(name).iter().all(|bound| has(bound))
}
