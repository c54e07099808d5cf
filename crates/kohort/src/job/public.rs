//! What anybody can find out from a release who has nothing but the release and what was asked: the figures of the
//! certificate.
//!
//! The written file is read as a stranger would read it. What the run knows beside (which rows are suppressed, which row is
//! whose) must not be used here.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{blank_rows, is_ambiguous, names, read_release};
use super::verify_job::VerifyJob;
use super::{Job, Made, prepare};
use crate::data::{Attribute, Domain, Hierarchy, Intervals, ROOT_LABEL, Role, Suppressed};
use crate::error::{Error, Result};
use crate::input::{Column, Source};
use crate::model::{Model, Notion};
use crate::output::Staged;
use crate::report::Recomputed;
use crate::verify::{PublishedLabels, Released, is_interval, is_place, released_loss, verify};

/// What a stranger finds.
pub(super) struct Shown {
    pub(super) rows: u64,
    pub(super) labels: BTreeMap<String, PublishedLabels>,
    /// None where the release does not tell which rows are suppressed.
    pub(super) recomputed: Option<Recomputed>,
}

impl Job {
    /// Reads the written release with the eyes of a stranger.
    pub(super) fn shown(&self, made: &Made<'_>, staged: &Staged) -> Result<Shown> {
        let shown = self.output.display().to_string();
        let written = Source::open_as(staged.path(), self.format(made.source), &shown)?;
        let named = |role| names(made.source, &made.roles.of, role);
        let (qi, sensitive) = (named(Role::QuasiIdentifier), named(Role::Sensitive));
        let mut released = read_release(&written, &qi, &sensitive, self.file.opt_out.as_deref())?;
        if self.file.suppressed == Some(Suppressed::Star) {
            let numbers = self.intervals() == Intervals::Midpoint;
            released.hidden = blank_rows(&written, &released, numbers, true)?;
        }
        let labels = self.published_labels(made, &released);
        let recomputed =
            if is_ambiguous(&released) { None } else { self.recomputed(&written, &released, &qi, &labels)? };
        Ok(Shown { rows: released.rows as u64, labels, recomputed })
    }

    fn recomputed(
        &self,
        written: &Source,
        released: &Released,
        qi: &[String],
        labels: &BTreeMap<String, PublishedLabels>,
    ) -> Result<Option<Recomputed>> {
        let stranger = VerifyJob { release: self.output.clone(), original: None, file: self.file.clone() };
        // A hierarchy made from values may lack a node for those that are left.
        let Ok(whole) = stranger.shown(written, released) else { return Ok(None) };
        let models = self.models.about(&whole)?;
        let found = verify(released, None, Some(models.k()), &models, &whole.sensitive)?;
        if found.released == 0 {
            // All rows look like suppressed ones.
            return Ok(None);
        }
        if self.notion == Notion::K && found.k < u64::from(models.k()) {
            return Err(Error::internal(format!(
                "read as a stranger would, the release has a class of {} rows",
                found.k
            )));
        }
        let middles = self.intervals() == Intervals::Midpoint;
        let loss = (!middles).then(|| released_loss(released, qi, labels));
        let free = |name: &&String| !prepare::has_hierarchy(&self.file, name);
        let pairs = qi.iter().zip(&released.qi).filter(|(name, _)| free(name));
        let intervals = pairs.filter(|(_, columns)| shows_intervals(columns, middles));
        let intervals = intervals.map(|(name, _)| name.clone()).collect();
        let with_t = models.iter().any(|m| matches!(m, Model::TCloseness { .. }));
        Ok(Some(Recomputed::new(&found, loss, intervals, with_t)))
    }

    fn published_labels(&self, made: &Made<'_>, released: &Released) -> BTreeMap<String, PublishedLabels> {
        let tree = |attribute: &Attribute| prepare::has_hierarchy(&self.file, &attribute.name);
        let columns = made.table.qi.iter().zip(&released.qi).filter(|(q, _)| tree(&q.attribute));
        columns
            .filter_map(|(q, columns)| match (&q.attribute.domain, columns.as_slice()) {
                (Domain::Tree(h), [column]) => Some((q.attribute.name.clone(), covered(h, &column.texts))),
                _ => None,
            })
            .collect()
    }
}

/// Which published labels stand for others.
fn covered(h: &Hierarchy, texts: &[String]) -> PublishedLabels {
    let published: BTreeSet<&str> = texts.iter().map(String::as_str).filter(|t| *t != ROOT_LABEL).collect();
    let nodes = (0..h.len() as u32).filter(|&node| published.contains(h.label(node)));
    let node_of: BTreeMap<&str, u32> = nodes.map(|node| (h.label(node), node)).collect();
    let above = |label: &str| {
        let mut found = BTreeSet::new();
        let mut node = node_of.get(label).and_then(|&node| h.parent(node));
        while let Some(at) = node {
            found.extend(published.get(h.label(at)).filter(|other| **other != label));
            node = h.parent(at);
        }
        found
    };
    let coarse: BTreeSet<&str> = published.iter().flat_map(|label| above(label)).collect();
    let finest: Vec<&&str> = published.iter().filter(|label| !coarse.contains(**label)).collect();
    let mut covers: BTreeMap<String, u64> = BTreeMap::new();
    for label in &finest {
        for wider in above(label) {
            *covers.entry(wider.to_owned()).or_default() += 1;
        }
    }
    PublishedLabels { finest: finest.len() as u64, covers }
}

/// Whether a column without hierarchy is published as intervals that are more than a value, or as what could be middles.
fn shows_intervals(columns: &[Column], middles: bool) -> bool {
    match columns {
        [one] if middles => {
            let mut texts = one.texts.iter().filter(|t| !t.is_empty() && *t != ROOT_LABEL).peekable();
            texts.peek().is_some() && texts.all(|t| is_place(t))
        }
        [one] => one.texts.iter().any(|t| is_interval(t)),
        [lo, hi] => {
            lo.codes.iter().zip(hi.codes.iter()).any(|(a, b)| lo.texts[a as usize] != hi.texts[b as usize])
        }
        _ => false,
    }
}
