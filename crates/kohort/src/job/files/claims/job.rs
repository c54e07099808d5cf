//! The job that asks of a release what its certificate claims.

use std::collections::BTreeSet;

use super::Claims;
use crate::data::{Ground, Role, Suppressed};
use crate::demand::{Demand, Model, Notion};
use crate::error::{Result, Said};
use crate::input::{JobSpec, Scalar};
use crate::job::CheckedJob;
use crate::job::checked::RowsAre;
use crate::job::claimed::Claimed;
use crate::job::demands::diversity;
use crate::job::people;
use crate::job::prepare::in_folder;

/// What is asked of the release, and what of the claims that leaves open.
pub(in super::super) struct ClaimedJob {
    pub(in super::super) job: CheckedJob,
    /// What is claimed and cannot be asked.
    pub(super) not_checked: Vec<Said>,
    /// Whether rows and values are counted as they were for the certificate, so that its figures can be compared.
    pub(super) counts_alike: bool,
    /// Sensitive columns whose hierarchy would be needed, and is not at hand.
    pub(super) lacking: Vec<String>,
}

impl Claims {
    /// The job: what is claimed, with what is `said` beside it put over it. Whose rows these are shows beside the original alone,
    /// unless somebody says by which columns.
    pub(in super::super) fn job(&self, said: &JobSpec, has_original: bool) -> Result<ClaimedJob> {
        let mut not_checked = Vec::new();
        let lacking = self.lacking(said);
        let untold_rows = self.opt_out().is_none() && self.asked.opt_out.is_some() && said.opt_out.is_none();
        let people_unseen =
            !self.columns.person_dropped.is_empty() && !has_original && said.person.is_empty();
        let mut claimed = if untold_rows {
            not_checked.push("what is claimed of the classes: the certificate does not tell which rows are published as they are, because that is a sensitive value; that takes ‹opt-out›".into());
            self.spec(said, &[], &lacking)
        } else {
            not_checked.extend(self.out_of_reach(&lacking));
            if people_unseen {
                let (what, why) = people::unseen(&self.asked.models);
                not_checked.push(format!("{what}: {why}").into());
            }
            self.spec(said, &self.within_reach(&lacking), &lacking)
        };
        if has_original && said.person.is_empty() {
            claimed.person.clone_from(&self.columns.person_dropped);
        }
        // What is wrong with the claims themselves is not the user's doing.
        claimed.check_for_verification().map_err(|e| e.in_file(self.shown()))?;
        let merged = claimed.clone().overridden_by(said.clone());
        // The figures are about rows.
        let counts_rows = merged.person.is_empty();
        let counts_alike = counts_rows && !untold_rows && counting(&claimed) == counting(&merged);
        let mut job = merged.check_for_verification()?;
        if people_unseen {
            job.rows_are = RowsAre::OfUnseenPeople;
        }
        if !self.asked.boundaries.is_empty() && !job.has_boundaries() {
            not_checked.push("whether cells stay within the boundaries: the certificate has them in words alone; that takes ‹original› and the boundaries".into());
        }
        let own = diversity(said)?;
        let demands_notion = said.notion.is_some() || said.k.is_some() || said.p.is_some();
        job.claimed = Some(Claimed {
            compares_with_release: self.is_complete()
                || own.iter().any(|demand| demand.model.entry().compares_with_table),
            demands_notion,
            demands_anything: demands_notion || !own.is_empty(),
            labels: self.published_labels.clone(),
        });
        Ok(ClaimedJob { job, not_checked, counts_alike, lacking })
    }

    /// Whether the claims say that no row of the original was left out. Rows of a growing table may wait.
    fn is_complete(&self) -> bool {
        if self.release_of_series.is_some() {
            return false;
        }
        let starred = self.recomputed.as_ref().map(|found| found.starred);
        let all_are_shown = self.asked.suppressed_rows == Suppressed::Star && starred == Some(0);
        let counted = self.original.is_some_and(|original| original.suppressed == 0);
        !self.asked.may_suppress() || all_are_shown || counted
    }

    /// Whose rows are published as they are, where the certificate tells it: a sensitive value is left out there.
    pub(super) fn opt_out(&self) -> Option<&String> {
        self.asked.opt_out.as_ref().filter(|told| !self.columns.sensitive.contains(told))
    }

    /// Sensitive columns that the demands read by a hierarchy which nobody gave.
    fn lacking(&self, said: &JobSpec) -> Vec<String> {
        let asked = &self.asked;
        let needs = |name: &&String| {
            asked.protected.contains_key(*name)
                || asked.closeness.get(*name) == Some(&Ground::Hierarchical)
                || asked.sensitive_hierarchies.contains(name)
        };
        let given = |name: &str| {
            let own = said.columns.get(name).is_some_and(|entry| entry.hierarchy.is_some());
            own || in_folder(said.hierarchies.as_deref(), name).is_some()
        };
        self.columns.sensitive.iter().filter(needs).filter(|name| !given(name)).cloned().collect()
    }

    /// The demands as far as they can be asked without the hierarchies that are lacking.
    fn within_reach(&self, lacking: &[String]) -> Vec<Demand> {
        let one_by_one = |demand: &Demand| -> Vec<Demand> {
            let concerned = lacking.iter().any(|name| demand.is_about(name));
            if !concerned {
                return vec![demand.clone()];
            }
            let columns = self.columns.sensitive.iter().filter(|name| demand.is_about(name));
            let of = |name: &String| {
                let model = self.without_hierarchy(demand.model, name, lacking)?;
                Some(Demand { model, column: Some(name.clone()) })
            };
            columns.filter_map(of).collect()
        };
        self.asked.models.iter().flat_map(one_by_one).collect()
    }

    /// What remains of a demand on a column without its hierarchy. Kinds of values are no more than values.
    fn without_hierarchy(&self, model: Model, column: &String, lacking: &[String]) -> Option<Model> {
        if !lacking.contains(column) {
            return Some(model);
        }
        match model {
            Model::PSensitive { p } if self.asked.protected.contains_key(column) => {
                Some(Model::DistinctL { l: p })
            }
            Model::TCloseness { ground, .. } if ground != Ground::Equal => None,
            other => Some(other),
        }
    }

    /// The rest of them, in words.
    fn out_of_reach(&self, lacking: &[String]) -> Vec<Said> {
        let mut out = Vec::new();
        for name in lacking {
            if self.asked.protected.contains_key(name) {
                out.push(format!(
                    "p of '{name}', where protected values count as one: that takes its hierarchy (‹hierarchies›); different values were counted instead"
                ));
            }
            if self.asked.closeness.get(name).is_some_and(|&ground| ground != Ground::Equal) {
                out.push(format!("t of '{name}': that takes its hierarchy (‹hierarchies›)"));
            }
        }
        out.into_iter().map(Said::from).collect()
    }

    /// What is claimed as a job. Columns that are `said` to be something keep to that.
    fn spec(&self, said: &JobSpec, demands: &[Demand], lacking: &[String]) -> JobSpec {
        let (asked, columns) = (&self.asked, &self.columns);
        let taken = roles(said);
        let free = |names: &[String]| -> Vec<String> {
            names.iter().filter(|name| !taken.contains(name.as_str())).cloned().collect()
        };
        let notion = Some(asked.notion).filter(|notion| *notion != Notion::K && !demands.is_empty());
        let mut spec = JobSpec {
            identifier: free(&columns.identifiers_dropped),
            qi: free(&columns.quasi_identifiers),
            sensitive: free(&columns.sensitive),
            keep: free(&columns.passed_through),
            drop: free(&columns.dropped),
            notion: notion.map(|notion| notion.name().to_owned()),
            missing: Some(asked.missing),
            missing_sensitive: Some(asked.missing_sensitive),
            na: asked.na.clone(),
            suppressed: Some(asked.suppressed_rows),
            intervals: Some(asked.intervals),
            snap: asked.snap.clone(),
            suppress: asked.suppress.map(share),
            opt_out: self.opt_out().cloned(),
            ..JobSpec::default()
        };
        for demand in demands {
            ask(&mut spec, demand);
        }
        for (name, &missing) in &asked.missing_by_column {
            spec.columns.entry(name.clone()).or_default().missing = Some(missing);
        }
        for (name, na) in &asked.na_by_column {
            spec.columns.entry(name.clone()).or_default().na.clone_from(na);
        }
        for (name, &kind) in &asked.sensitive_types {
            spec.columns.entry(name.clone()).or_default().kind = Some(kind);
        }
        for (name, formats) in &asked.sensitive_date_formats {
            spec.columns.entry(name.clone()).or_default().date_format.clone_from(formats);
        }
        for (name, &decimal) in &asked.sensitive_decimals {
            spec.columns.entry(name.clone()).or_default().decimal = Some(decimal);
        }
        let protected = asked.protected.iter().filter(|(name, _)| !lacking.contains(name));
        for (name, nodes) in protected.filter(|_| !demands.is_empty()) {
            spec.columns.entry(name.clone()).or_default().protected = Some(nodes.clone());
        }
        spec
    }
}

/// Columns that a job says something about.
fn roles(said: &JobSpec) -> BTreeSet<&str> {
    let lists = [&said.identifier, &said.person, &said.qi, &said.sensitive, &said.keep, &said.drop];
    let entries = said.columns.iter().filter(|(_, entry)| entry.role.is_some()).map(|(name, _)| name);
    lists.into_iter().flatten().chain(entries).map(String::as_str).collect()
}

/// As it could stand in a job, where 1 is not taken for all rows.
fn share(share: f64) -> Scalar {
    Scalar::Text(if share < 1.0 { share.to_string() } else { "100%".into() })
}

/// One demand more.
fn ask(spec: &mut JobSpec, demand: &Demand) {
    match (demand.model, &demand.column) {
        (Model::KAnonymity { k }, _) => spec.k = Some(k),
        (Model::PSensitive { p }, None) => spec.p = Some(p),
        (Model::PSensitive { p }, Some(name)) => spec.columns.entry(name.clone()).or_default().p = Some(p),
        (model, column) => {
            let list = match column {
                None => match model.entry().option {
                    "l-diversity" => &mut spec.l_diversity,
                    "t-closeness" => &mut spec.t_closeness,
                    "alpha" => &mut spec.alpha,
                    "beta-likeness" => &mut spec.beta_likeness,
                    _ => &mut spec.delta_disclosure,
                },
                Some(name) => {
                    let entry = spec.columns.entry(name.clone()).or_default();
                    match model.entry().option {
                        "l-diversity" => &mut entry.l_diversity,
                        "t-closeness" => &mut entry.t_closeness,
                        "alpha" => &mut entry.alpha,
                        "beta-likeness" => &mut entry.beta_likeness,
                        _ => &mut entry.delta_disclosure,
                    }
                }
            };
            list.push(Scalar::Text(model.written()));
        }
    }
}

/// All that decides how rows and values are counted.
fn counting(spec: &JobSpec) -> impl PartialEq + use<> {
    let named = |list: &[String], role: Role| -> BTreeSet<String> {
        let entries = spec.columns.iter().filter(|(_, e)| e.role == Some(role)).map(|(name, _)| name);
        list.iter().chain(entries).cloned().collect()
    };
    let sensitive = named(&spec.sensitive, Role::Sensitive);
    let of_values: Vec<_> = sensitive
        .iter()
        .map(|name| {
            let entry = spec.columns.get(name).cloned().unwrap_or_default();
            (entry.na, entry.kind, entry.date_format, entry.decimal, entry.protected)
        })
        .collect();
    let rows = (spec.suppressed, spec.intervals, spec.opt_out.clone());
    (
        named(&spec.qi, Role::QuasiIdentifier),
        sensitive,
        of_values,
        rows,
        spec.missing_sensitive,
        spec.na.clone(),
    )
}
