//! What anybody can find out from a release who has nothing but the release and what was asked: the figures of the
//! certificate.
//!
//! The written file is looked at as a stranger read it (`read_back.rs`). What the run knows beside (which rows are
//! suppressed, which row is whose) must not be used here; that is why this comes before the comparison with the original.

use std::collections::{BTreeMap, BTreeSet};

use super::ask_verifier::{is_ambiguous, names};
use super::read_back::ReadBack;
use super::whole::whole;
use super::{CheckedJob, Made, prepare};
use crate::data::{Attribute, Domain, Hierarchy, Intervals, ROOT_LABEL, Role, are_ranges};
use crate::demand::{Model, Notion};
use crate::error::{Error, Result};
use crate::input::Column;
use crate::report::{Recomputed, Untold};
use crate::verify::{PublishedLabels, Released, is_interval, is_place, released_loss, verify_grouped};

/// What a stranger finds.
pub(super) struct Shown {
    pub(super) rows: u64,
    pub(super) labels: BTreeMap<String, PublishedLabels>,
    /// Or why the release does not tell its classes.
    pub(super) recomputed: std::result::Result<Recomputed, Untold>,
}

impl CheckedJob {
    /// Looks at the written release with the eyes of a stranger.
    pub(super) fn shown(&self, made: &Made<'_>, written: &ReadBack<'_>) -> Result<Shown> {
        let released = &written.released;
        let labels = self.published_labels(made, released);
        let recomputed = if is_ambiguous(released) {
            Err(Untold::BlankRows)
        } else {
            let qi = names(made.source, &made.roles.of, Role::QuasiIdentifier);
            self.recomputed(made, written, &qi, &labels)?
        };
        Ok(Shown { rows: released.rows as u64, labels, recomputed })
    }

    fn recomputed(
        &self,
        made: &Made<'_>,
        written: &ReadBack<'_>,
        qi: &[String],
        labels: &BTreeMap<String, PublishedLabels>,
    ) -> Result<std::result::Result<Recomputed, Untold>> {
        let ReadBack { source, released, grouping } = written;
        // A hierarchy made from values may lack a node for those that are left.
        let Ok(whole) = whole(self, *source, released) else { return Ok(Err(Untold::Hierarchy)) };
        let demands = &self.demands;
        let found = verify_grouped(released, grouping, None, Some(demands.k()), demands, &whole)?;
        if found.released == 0 {
            // All rows look like suppressed ones.
            return Ok(Err(Untold::BlankRows));
        }
        // What compares classes with the original is not asked of the release by itself. Where people are counted, rows tell
        // how many there are at most: numbers of rows and values follow, shares do not.
        let by_people = made.table.people.is_some();
        let follows = |model: &Model| match model.entry() {
            entry if by_people => entry.survives_adding_rows,
            entry => !entry.compares_with_table,
        };
        if self.notion == Notion::K
            && let Some(short) = found.shortfalls_of_classes(demands, follows).first()
        {
            return Err(Error::internal(format!(
                "read as a stranger would, the release falls short: {short}"
            )));
        }
        let middles = self.intervals == Intervals::Midpoint;
        let loss = (!middles).then(|| released_loss(released, qi, labels));
        let free = |name: &&String| !prepare::has_hierarchy(self, name);
        let pairs = qi.iter().zip(&released.qi).filter(|(name, _)| free(name));
        let intervals = pairs.filter(|(_, columns)| shows_intervals(columns, middles));
        let intervals = intervals.map(|(name, _)| name.clone()).collect();
        Ok(Ok(Recomputed::new(&found, loss, intervals, demands)))
    }

    fn published_labels(&self, made: &Made<'_>, released: &Released) -> BTreeMap<String, PublishedLabels> {
        let tree = |attribute: &Attribute| prepare::has_hierarchy(self, &attribute.name);
        let columns = made.table.qi.iter().zip(&released.qi).filter(|(q, _)| tree(&q.attribute));
        columns
            .filter_map(|(q, columns)| match (&q.attribute.domain, columns.as_slice()) {
                (Domain::Tree(h), [column]) => {
                    // Of the published labels alone: the tree holds the values of people who were left out.
                    let ranges = !q.attribute.is_category && are_ranges(shown(&column.texts));
                    let labels = PublishedLabels { ranges, ..covered(h, &column.texts) };
                    Some((q.attribute.name.clone(), labels))
                }
                _ => None,
            })
            .collect()
    }
}

/// Labels that say something.
fn shown(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().map(String::as_str).filter(|text| !text.is_empty() && *text != ROOT_LABEL)
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
    PublishedLabels { finest: finest.len() as u64, covers, ranges: false }
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
