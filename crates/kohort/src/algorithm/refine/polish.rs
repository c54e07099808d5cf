//! Moving and swapping rows between the drafts of a step, as long as less is lost.

use super::draft::{Draft, Share};
use super::region::Region;

/// How often all drafts are gone through at most.
const ROUNDS: usize = 6;

/// Shares of a draft up to which rows are swapped: all pairs are looked at.
const SWAPPED: usize = 64;

impl Region<'_> {
    /// Improves the drafts.
    pub(super) fn polish(&mut self) {
        for _ in 0..ROUNDS {
            let mut moved = false;
            for place in 0..self.trial.drafts().len() {
                if self.trial.drafts()[place].loss() > 0 {
                    self.list_without(place);
                    moved |= self.relocate(place) || self.swap(place);
                }
            }
            if !moved {
                return;
            }
        }
    }

    fn list_without(&mut self, place: usize) {
        self.trial.drafts_mut()[place].list_without(&self.frame, &mut self.scratch.tuple);
    }

    /// Moves the rows of one group to another draft, if that loses less: those that gain most.
    fn relocate(&mut self, from: usize) -> bool {
        let drafts = self.trial.drafts();
        let draft = &drafts[from];
        if draft.size <= self.holds.k() {
            return false;
        }
        let looked_at = draft.shares.len() * drafts.len();
        let mut best: Option<(i64, Share, usize)> = None;
        for (share, &cost) in draft.shares.iter().zip(&draft.cost_without) {
            let rows = share.rows.min(draft.size - self.holds.k());
            let given = Share { rows, ..*share };
            let rest = if rows == share.rows { cost } else { draft.cost };
            let left = u64::from(draft.size - rows) * rest;
            let saved = draft.loss().cast_signed() - left.cast_signed();
            for (to, host) in drafts.iter().enumerate().filter(|(to, host)| *to != from && host.size > 0) {
                let least = best.map_or(0, |(gain, ..)| gain);
                // A row costs what the draft costs, at least.
                if (u64::from(rows) * host.cost).cast_signed() >= saved - least {
                    continue;
                }
                let gain = saved - host.growth(self.frame.cost_with(&host.tuple, given.group), rows);
                if gain > least && self.holds.without(draft, given) && self.holds.with(host, given) {
                    best = Some((gain, given, to));
                }
            }
        }
        self.count(looked_at);
        let Some((_, given, to)) = best else { return false };
        let drafts = self.trial.drafts_mut();
        drafts[from].give(given);
        drafts[from].close(&self.frame);
        drafts[to].add(&self.frame, given);
        true
    }

    /// Swaps rows of one group for as many of another draft's, if that loses less.
    fn swap(&mut self, one: usize) -> bool {
        for other in 0..self.trial.drafts().len() {
            let drafts = self.trial.drafts();
            let (own, others) = (drafts[one].shares.len(), drafts[other].shares.len());
            if other == one || others == 0 || own > SWAPPED || others > SWAPPED {
                continue;
            }
            self.list_without(other);
            self.count(own * others);
            let drafts = self.trial.drafts();
            if let Some((given, taken)) = self.better_swapped(&drafts[one], &drafts[other]) {
                let drafts = self.trial.drafts_mut();
                drafts[one].give(given);
                drafts[other].give(taken);
                drafts[one].hold(taken);
                drafts[other].hold(given);
                drafts[one].close(&self.frame);
                drafts[other].close(&self.frame);
                return true;
            }
        }
        false
    }

    /// The first swap that makes the first draft cheaper and loses less in all.
    fn better_swapped(&self, one: &Draft, other: &Draft) -> Option<(Share, Share)> {
        let dims = self.frame.axes().len();
        let before = one.loss() + other.loss();
        if one.shares.len() < 2 {
            return None;
        }
        for (at, given) in one.shares.iter().enumerate().filter(|(at, _)| one.cost_without[*at] < one.cost) {
            let rest = &one.without[at * dims..][..dims];
            for (place, taken) in other.shares.iter().enumerate() {
                if taken.rows < given.rows || taken.group == given.group {
                    continue;
                }
                let cost = self.frame.cost_with(rest, taken.group);
                if cost >= one.cost {
                    continue;
                }
                let others = match (taken.rows == given.rows, other.shares.len()) {
                    (true, 1) => 0,
                    (true, _) => self.frame.cost_with(&other.without[place * dims..][..dims], given.group),
                    (false, _) => self.frame.cost_with(&other.tuple, given.group),
                };
                let after = u64::from(one.size) * cost + u64::from(other.size) * others;
                let taken = Share { rows: given.rows, ..*taken };
                if after < before
                    && self.holds.exchanged(one, *given, taken)
                    && self.holds.exchanged(other, taken, *given)
                {
                    return Some((*given, taken));
                }
            }
        }
        None
    }
}
