//! Local search: rows move and change places between finished clusters (`algorithms.md` §3.4, last step).
//!
//! Dealing looks at sensitive values first, so a cluster may hold a row that would be at home elsewhere. Row by row: if its
//! cluster would be cheaper without it, the few clusters that could take it at least cost are tried. The row moves there, where
//! its own cluster can spare it, or changes places with one of theirs. Of all that keeps every cluster at k rows and p values,
//! the change that saves most is made. Clusters neither appear nor disappear: their number is what this algorithm is for.

use super::super::cluster_scan::ClusterScan;
use super::Work;
use super::swap::{Leaver, Rest, loss};
use crate::data::Cell;
use crate::error::Result;

/// How often all rows are gone through at most.
const ROUNDS: usize = 4;

/// Clusters that are tried for a row.
const NEAR: usize = 8;

/// A row of a cluster, and what the cluster is without it.
struct Member {
    leaver: Leaver,
    rest: Rest,
}

/// A change, by rank: by how much the loss grows, with whom, and the row that comes in return, if any.
type Change = (i64, usize, Option<u32>);

impl Work<'_> {
    /// Moves rows as long as less is lost.
    pub(super) fn improve(&mut self) -> Result<()> {
        if self.clusters.len() < 2 {
            return Ok(());
        }
        let mut cluster_of = vec![0; self.space().rows()];
        let mut growing = ClusterScan::new(self.space());
        for (key, cluster) in self.clusters.iter().enumerate() {
            cluster.rows.iter().for_each(|&row| cluster_of[row as usize] = key);
            growing.put(key as u32, cluster.rows.len(), &cluster.tuple);
        }
        let mut members: Vec<_> = (0..self.clusters.len()).map(|c| self.members(c)).collect();
        for _ in 0..ROUNDS {
            let mut moved = false;
            for row in 0..cluster_of.len() {
                if self.run.time_is_up()? {
                    return Ok(());
                }
                let from = cluster_of[row];
                let Some((_, to, comes)) = self.best_change(&mut growing, &members, from, row as u32) else {
                    continue;
                };
                self.swap(to, (0, 0, from, row as u32, comes));
                cluster_of[row] = to;
                if let Some(row) = comes {
                    cluster_of[row as usize] = from;
                }
                for key in [from, to] {
                    let cluster = &self.clusters[key];
                    growing.put(key as u32, cluster.rows.len(), &cluster.tuple);
                    members[key] = self.members(key);
                }
                moved = true;
            }
            if !moved {
                break;
            }
        }
        Ok(())
    }

    /// The change of a row's cluster that saves most.
    fn best_change(
        &self,
        growing: &mut ClusterScan<'_>,
        members: &[Vec<Member>],
        from: usize,
        row: u32,
    ) -> Option<Change> {
        let own = &self.clusters[from];
        let goes = members[from].iter().find(|member| member.leaver.row == row)?;
        if self.space().cost(&goes.rest.tuple) >= self.space().cost(&own.tuple) {
            return None;
        }
        let near = self.near(growing, from, row);
        let changes = near.into_iter().flat_map(|to| self.changes(members, goes, from, to));
        changes.min().filter(|change| change.0 < 0)
    }

    /// The clusters whose loss would grow least by a row, its own left out.
    fn near(&self, growing: &mut ClusterScan<'_>, from: usize, row: u32) -> Vec<usize> {
        let tuple = self.space().tuple(self.group(row) as usize);
        let mut near =
            growing.pick(&tuple, |slot| (slot.key as usize != from).then(|| (slot.increase(), slot.key)));
        if near.len() > NEAR {
            near.select_nth_unstable(NEAR);
            near.truncate(NEAR);
        }
        near.into_iter().map(|(_, key)| key as usize).collect()
    }

    /// What can become of a row next to one other cluster: it moves there, or changes places with a row.
    fn changes(
        &self,
        members: &[Vec<Member>],
        goes: &Member,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = Change> {
        let (space, k) = (self.space(), self.problem.demands.k() as usize);
        let (own, other) = (&self.clusters[from], &self.clusters[to]);
        let before = loss(space, &own.tuple, own.rows.len()) + loss(space, &other.tuple, other.rows.len());
        let holds = move |comes: Option<&Leaver>| {
            self.lack_after(&own.kinds, Some(&goes.leaver), comes) == 0
                && self.lack_after(&other.kinds, comes, Some(&goes.leaver)) == 0
        };
        let whole = Rest { tuple: other.tuple.clone(), size: other.rows.len() };
        let moved = (own.rows.len() > k && holds(None)).then(|| {
            let after = goes.rest.loss_with(space, None) + whole.loss_with(space, Some(&goes.leaver));
            (after - before, to, None)
        });
        let swapped = members[to].iter().filter_map(move |comes| {
            let after = goes.rest.loss_with(space, Some(&comes.leaver))
                + comes.rest.loss_with(space, Some(&goes.leaver));
            (after < before && holds(Some(&comes.leaver))).then_some((
                after - before,
                to,
                Some(comes.leaver.row),
            ))
        });
        moved.into_iter().chain(swapped)
    }

    /// The rows of a cluster, each with what is left without it: joined from what comes before it and what comes after it.
    fn members(&self, cluster: usize) -> Vec<Member> {
        let (space, cluster) = (self.space(), &self.clusters[cluster]);
        let leaf = |at: usize| space.tuple(self.group(cluster.rows[at]) as usize);
        let mut after: Vec<Vec<Cell>> = vec![Vec::new(); cluster.rows.len() + 1];
        for at in (0..cluster.rows.len()).rev() {
            after[at] = self.both(&leaf(at), &after[at + 1]);
        }
        let mut before = Vec::new();
        let mut member = |at: usize| {
            let tuple = self.both(&before, &after[at + 1]);
            before = self.both(&before, &leaf(at));
            Member { leaver: self.leaver(cluster, at), rest: Rest { tuple, size: cluster.rows.len() - 1 } }
        };
        (0..cluster.rows.len()).map(&mut member).collect()
    }

    /// The smallest tuple that covers two; nobody has an empty one.
    fn both(&self, one: &[Cell], other: &[Cell]) -> Vec<Cell> {
        if one.is_empty() || other.is_empty() {
            return [one, other].concat();
        }
        one.iter().zip(other).enumerate().map(|(dim, (&a, &b))| self.space().join_cell(dim, a, b)).collect()
    }
}
