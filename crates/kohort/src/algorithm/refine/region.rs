//! A region of the table: some classes, and the steps that change them.

use super::classes::Classes;
use super::dice::Dice;
use super::draft::{Draft, Share, Trial};
use super::frame::Frame;
use super::guided::Guided;
use super::holds::Holds;
use super::index::BoxIndex;
use super::merge::Merging;
use crate::data::Cell;

/// So many words of bitsets count as one entry that is looked at: an estimate.
const WORDS: usize = 8;

/// How often a step opens a box; otherwise it clusters some classes anew, which takes three times as long. On Adult (lm, k = 10,
/// 16 steps a row, four seeds) 0.9 loses as much as 0.95, and 0.98 loses more. Doing more often what gained more per entry
/// (adaptive large neighbourhood search) was tried, and lost more on Adult.
const OPEN: f64 = 0.95;

/// How often a row is drawn before there is none whose class costs anything.
const DRAWS: usize = 16;

/// A group counts as so many rows at most when one is drawn, so that few large groups do not get all steps.
const AT_MOST: u32 = 64;

/// Classes that are refined together, with all that steps need.
pub(super) struct Region<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) index: BoxIndex,
    pub(super) holds: Holds<'a>,
    pub(super) classes: Classes,
    pub(super) trial: Trial,
    pub(super) dice: Dice,
    /// Rows without a class while a step goes on.
    pub(super) pool: Vec<Share>,
    pub(super) scratch: Scratch,
    pub(super) merging: Merging,
    /// What a suppressed row costs.
    pub(super) full_cost: u64,
    /// Boxes that are recommended.
    pub(super) guided: Option<Guided<'a>>,
    /// The group of every row, to draw one.
    drawn: Vec<u32>,
    /// The group that the step began with.
    around: u32,
    /// How many entries of lists were looked at, about.
    entries: u64,
}

/// Memory that steps use again and again.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) tuple: Vec<Cell>,
    pub(super) bits: Vec<u64>,
    pub(super) found: Vec<u32>,
    /// The groups of the best box so far.
    pub(super) best: Vec<u32>,
    /// Classes that are near.
    pub(super) near: Vec<u32>,
    /// Per class: the look around in which it was last seen; and the number of the last one.
    pub(super) seen: Vec<u32>,
    pub(super) look: u32,
    /// Per class: how many of its rows lie in a box; and for which classes that is not 0.
    pub(super) inside: Vec<u32>,
    pub(super) touched: Vec<u32>,
    /// Axes along which a box can still grow.
    pub(super) open: Vec<usize>,
}

impl<'a> Region<'a> {
    /// The region of some classes.
    pub(super) fn new(
        frame: Frame<'a>,
        index: BoxIndex,
        (holds, guided): (Holds<'a>, Option<Guided<'a>>),
        classes: &[Vec<Share>],
        full_cost: u64,
        dice: Dice,
    ) -> Self {
        let mut all = Classes::new(&frame);
        for shares in classes {
            let mut draft = Draft { shares: shares.clone(), ..Draft::default() };
            draft.size = shares.iter().map(|share| share.rows).sum();
            draft.close(&frame);
            all.put(&draft);
        }
        let groups = 0..frame.groups() as u32;
        let drawn = groups
            .flat_map(|group| std::iter::repeat_n(group, frame.rows(group).min(AT_MOST) as usize))
            .collect();
        Self {
            frame,
            index,
            holds,
            classes: all,
            trial: Trial::default(),
            dice,
            pool: Vec::new(),
            scratch: Scratch::default(),
            merging: Merging::default(),
            full_cost,
            guided,
            drawn,
            around: 0,
            entries: 0,
        }
    }

    /// How many entries of lists all steps have looked at, about: what they cost, counted the same on every machine.
    pub(super) fn entries(&self) -> u64 {
        self.entries + self.holds.entries()
    }

    /// So many entries were looked at.
    #[inline]
    pub(super) fn count(&mut self, entries: usize) {
        self.entries += entries as u64;
    }

    /// The classes.
    pub(super) fn into_lists(self) -> Vec<Vec<Share>> {
        self.classes.into_lists()
    }

    /// Tries a change, and makes it if it loses less or, by chance, not much more: up to about `temperature`.
    pub(super) fn step(&mut self, temperature: f64) {
        let tried = if self.dice.happens(OPEN) { self.open_box() } else { self.recluster() };
        if !tried || !self.mend() {
            return;
        }
        if self.trial.changes_nothing(&self.classes) {
            self.classes.was_tried(self.around);
            return;
        }
        self.polish();
        let difference = self.trial.difference(&self.classes);
        if difference <= 0 || (difference as f64) < temperature * self.dice.exponential() {
            self.trial.commit(&mut self.classes);
        }
    }

    /// Begins a change.
    pub(super) fn begin(&mut self) {
        self.trial.begin(self.classes.numbers());
        self.pool.clear();
    }

    /// A row that costs more in its class than by itself: its group and class. Where nothing was found to try, it is seldom tried again.
    pub(super) fn costly_row(&mut self) -> Option<(u32, u32)> {
        for _ in 0..DRAWS {
            let group = self.drawn[self.dice.below(self.drawn.len())];
            let of_group = self.classes.of_group(group);
            let (class, _) = of_group[self.dice.below(of_group.len())];
            let patience = f64::from(1 + self.classes.tried(group));
            if self.classes.cost(class) > self.frame.own(group) && self.dice.share() * patience < 1.0 {
                self.around = group;
                return Some((group, class));
            }
        }
        None
    }

    /// The classes with rows in a box around a group, in [`Scratch::near`]: one that costs about so many times what its dearest row
    /// costs, each beyond what the row costs by itself.
    pub(super) fn look_around(&mut self, group: u32, wide: f64) {
        let own = self.frame.own(group);
        let more = self.classes.dearest(group).saturating_sub(own);
        self.box_around(group, own + (more as f64 * wide) as u64);
        self.groups_in_box();
        let Scratch { near, found, seen, look, .. } = &mut self.scratch;
        near.clear();
        *look += 1;
        seen.resize(self.classes.numbers(), 0);
        for &group in found.iter() {
            for &(class, _) in self.classes.of_group(group) {
                if std::mem::replace(&mut seen[class as usize], *look) != *look {
                    near.push(class);
                }
            }
        }
    }

    /// The groups in the box of [`Scratch::tuple`], in [`Scratch::found`].
    pub(super) fn groups_in_box(&mut self) {
        let Scratch { tuple, bits, found, .. } = &mut self.scratch;
        self.index.groups_in(&self.frame, tuple, bits, found);
        self.entries += (found.len() + bits.len() / WORDS) as u64;
    }

    /// Empties the draft of a class into the pool.
    pub(super) fn dissolve(&mut self, class: u32) {
        let place = self.trial.check_out(&self.classes, class);
        let draft = &mut self.trial.drafts_mut()[place];
        self.pool.extend_from_slice(&draft.shares);
        draft.empty();
    }

    /// Puts rows where they cost least more: into one of the drafts or, where that is asked for, a class nearby. Says whether
    /// there was any.
    pub(super) fn insert(&mut self, share: Share, look_around: bool) -> bool {
        let Share { group, rows } = share;
        let drafts = self.trial.drafts().iter().enumerate().filter(|(_, draft)| draft.size > 0);
        let growth = |draft: &Draft| draft.growth(self.frame.cost_with(&draft.tuple, group), rows);
        let mut best = drafts.map(|(place, draft)| (growth(draft), place)).min();
        if look_around {
            let wide = self.dice.between(0.6, 1.2);
            self.look_around(group, wide);
            let near = self.scratch.near.iter().filter(|&&class| !self.trial.has(class));
            let class = near.map(|&class| (self.growth_of(class, share), class)).min();
            self.entries += self.scratch.near.len() as u64;
            if let Some((growth, class)) =
                class.filter(|(growth, _)| best.is_none_or(|(least, _)| *growth < least))
            {
                best = Some((growth, self.trial.check_out(&self.classes, class)));
            }
        }
        let Some((_, place)) = best else { return false };
        self.trial.drafts_mut()[place].add(&self.frame, share);
        true
    }

    /// By how much the loss of a class grows with some rows more.
    fn growth_of(&self, class: u32, share: Share) -> i64 {
        let cost = self.frame.cost_with(self.classes.tuple(class), share.group);
        let after = u64::from(self.classes.size(class) + share.rows) * cost;
        after.cast_signed() - self.classes.loss(class).cast_signed()
    }

    /// Merges drafts until all satisfy the demands; says whether they do.
    fn mend(&mut self) -> bool {
        while let Some(short) = self.trial.drafts().iter().position(|d| d.size > 0 && !self.holds.of(d)) {
            let drafts = self.trial.drafts();
            let growth = |draft: &Draft| {
                let cost = self.frame.cost_of_union(&draft.tuple, &drafts[short].tuple);
                let union = u64::from(draft.size + drafts[short].size) * cost;
                union.cast_signed() - draft.loss().cast_signed()
            };
            let others = drafts.iter().enumerate().filter(|(place, d)| *place != short && d.size > 0);
            let Some((_, host)) = others.map(|(place, draft)| (growth(draft), place)).min() else {
                return false;
            };
            let shares = std::mem::take(&mut self.trial.drafts_mut()[short].shares);
            for &share in &shares {
                self.trial.drafts_mut()[host].hold(share);
            }
            self.trial.drafts_mut()[short].empty();
            self.trial.drafts_mut()[host].close(&self.frame);
        }
        true
    }
}
