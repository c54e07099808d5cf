//! Opening a box: rows of several classes that would lose less as one class become one.

use super::draft::Share;
use super::region::Region;

/// How many boxes are looked at in one step, at least and at most.
const BOXES: std::ops::Range<usize> = 2..21;

/// How fast they become fewer where nothing was found before.
const FEWER: f64 = 0.3;

/// What a box may cost at least and at most, as a share of what the row costs now.
const SHARE: (f64, f64) = (0.7, 1.0);

/// How often a box is drawn that prices recommend, where they are known.
const RECOMMENDED: f64 = 0.4;

/// How often a box is drawn that is like the tuple of the row's class.
const LIKE: f64 = 0.8;

/// What a row that has to find another class is expected to lose, as a share of what it cost before.
const ORPHAN: f64 = 0.02;

/// How much a box may seem to lose and still be tried, as a share of what k rows cost now.
const WORST: f64 = 0.5;

/// How often orphans are put where they cost least more, one by one; otherwise they are clustered anew.
const ONE_BY_ONE: f64 = 0.5;

/// With how many classes nearby, below this number, orphans are clustered.
const WITH: usize = 5;

/// Groups in a box at most: what is larger is not one class.
const MOST: usize = 2_000;

/// Some rows of a class that lie in a box.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Inside {
    class: u32,
    share: Share,
}

impl Region<'_> {
    /// Makes a class of the most promising of some boxes around a row; says whether there was any.
    pub(super) fn open_box(&mut self) -> bool {
        let Some((group, class)) = self.costly_row() else { return false };
        let Some(cost) = self.promising_box(group, class) else {
            self.classes.was_tried(group);
            return false;
        };
        self.begin();
        self.draw(cost);
        self.trial.drafts()[0].size >= self.holds.k() && self.house_orphans()
    }

    /// Looks at some boxes; the groups of the best one are in `scratch.best`. Returns its cost.
    fn promising_box(&mut self, group: u32, class: u32) -> Option<u64> {
        let (now, own) = (self.classes.cost(class), self.frame.own(group));
        let more = now.saturating_sub(own);
        let mut best: Option<(i64, u64)> = None;
        for _ in 0..self.boxes_for(group) {
            let most = own + (more as f64 * self.dice.between(SHARE.0, SHARE.1)) as u64;
            let cost = if let Some(cost) = self.recommended_box(group) {
                cost
            } else if self.dice.happens(LIKE) {
                self.box_like(group, class, most)
            } else {
                self.box_around(group, most)
            };
            if cost >= now {
                continue;
            }
            self.groups_in_box();
            let Some(gain) = self.gain(cost) else { continue };
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, cost));
                std::mem::swap(&mut self.scratch.found, &mut self.scratch.best);
            }
        }
        let least = -((more * u64::from(self.holds.k())) as f64 * WORST) as i64;
        best.filter(|(gain, _)| *gain >= least).map(|(_, cost)| cost)
    }

    /// How many boxes are looked at: fewer where nothing was found before.
    fn boxes_for(&mut self, group: u32) -> usize {
        let most = BOXES.len() as f64 / (1.0 + FEWER * f64::from(self.classes.tried(group)));
        BOXES.start + self.dice.below((most as usize).max(1))
    }

    /// A box that prices recommend, now and then: its cost, if there is one.
    fn recommended_box(&mut self, group: u32) -> Option<u64> {
        let guided = self.guided.as_ref().filter(|_| self.dice.happens(RECOMMENDED))?;
        let tuple = guided.draw(group, &mut self.dice)?;
        self.scratch.tuple.clear();
        self.scratch.tuple.extend_from_slice(tuple);
        Some(self.frame.cost(tuple))
    }

    /// About how much less would be lost if the groups of `scratch.found` were a class of this cost; none where too few of
    /// their rows can be had.
    fn gain(&mut self, cost: u64) -> Option<i64> {
        let k = self.holds.k();
        let rows: u64 = self.scratch.found.iter().map(|&group| u64::from(self.frame.rows(group))).sum();
        if rows < u64::from(k) || self.scratch.found.len() > MOST {
            return None;
        }
        self.count_inside();
        let (mut taken, mut gain, mut spare, mut spare_gain) = (0u32, 0i64, 0u32, 0i64);
        for &class in &self.scratch.touched {
            let inside = self.scratch.inside[class as usize];
            let (size, less) = (self.classes.size(class), self.saving(class, cost));
            if less <= 0 {
                let free = inside.min(size - k);
                spare += free;
                spare_gain += i64::from(free) * less;
            } else if inside == size || size - inside >= k || self.is_worth_all(class, inside, cost) {
                let orphans = if size - inside >= k { 0 } else { size - inside };
                taken += inside;
                gain += i64::from(inside) * less - self.lost_by_orphans(class, orphans);
            } else {
                taken += inside.min(size - k);
                gain += i64::from(inside.min(size - k)) * less;
            }
        }
        if taken.saturating_add(spare) < k {
            return None;
        }
        let missing = f64::from(k.saturating_sub(taken));
        Some(gain + (spare_gain as f64 * missing / f64::from(spare.max(1))) as i64)
    }

    /// By how much a row of a class would cost less in a box.
    fn saving(&self, class: u32, cost: u64) -> i64 {
        self.classes.cost(class).cast_signed() - cost.cast_signed()
    }

    fn lost_by_orphans(&self, class: u32, orphans: u32) -> i64 {
        (f64::from(orphans) * self.classes.cost(class) as f64 * ORPHAN) as i64
    }

    /// Whether taking all rows that a class has in a box seems to gain more than what can be taken without making orphans.
    fn is_worth_all(&self, class: u32, inside: u32, cost: u64) -> bool {
        let (size, less) = (self.classes.size(class), self.saving(class, cost));
        let all = i64::from(inside) * less - self.lost_by_orphans(class, size - inside);
        all > i64::from(inside.min(size - self.holds.k())) * less
    }

    /// Which classes have rows in the groups of `scratch.found`, in `scratch.touched`, and how many.
    fn count_inside(&mut self) {
        let scratch = &mut self.scratch;
        scratch.touched.drain(..).for_each(|class| scratch.inside[class as usize] = 0);
        scratch.inside.resize(self.classes.numbers(), 0);
        for &group in &scratch.found {
            for &(class, rows) in self.classes.of_group(group) {
                let inside = &mut scratch.inside[class as usize];
                if *inside == 0 {
                    scratch.touched.push(class);
                }
                *inside += rows;
            }
        }
    }

    /// Takes the rows of `scratch.best` into the first draft. What cannot stay a class without them is in the pool.
    fn draw(&mut self, cost: u64) {
        let k = self.holds.k();
        let inside = self.listed_inside();
        let new = self.trial.fresh();
        let mut taken: Vec<Share> = Vec::new();
        let mut rows = 0;
        let mut cheaper: Vec<&[Inside]> = Vec::new();
        for of_class in inside.chunk_by(|a, b| a.class == b.class) {
            let class = of_class[0].class;
            let (size, count) =
                (self.classes.size(class), of_class.iter().map(|i| i.share.rows).sum::<u32>());
            if self.saving(class, cost) <= 0 {
                cheaper.push(of_class);
            } else if count == size || size - count >= k {
                rows += self.take(of_class, count, &mut taken);
            } else if self.is_worth_all(class, count, cost) {
                rows += self.take(of_class, count, &mut taken);
                self.dissolve(class);
            } else {
                rows += self.take(of_class, size - k, &mut taken);
            }
        }
        // Rows that cost no more now fill up what is missing, the dearest first.
        cheaper.sort_by_key(|of_class| {
            (std::cmp::Reverse(self.classes.cost(of_class[0].class)), of_class[0].class)
        });
        for of_class in cheaper {
            let (size, missing) = (self.classes.size(of_class[0].class), k.saturating_sub(rows));
            let count: u32 = of_class.iter().map(|i| i.share.rows).sum();
            let whole = count == size && size <= missing;
            rows +=
                self.take(of_class, if whole { size } else { missing.min(size - k.min(size)) }, &mut taken);
        }
        taken.sort_unstable();
        let draft = &mut self.trial.drafts_mut()[new];
        for of_group in taken.chunk_by(|a, b| a.group == b.group) {
            let rows = of_group.iter().map(|share| share.rows).sum();
            draft.shares.push(Share { rows, ..of_group[0] });
        }
        draft.size = rows;
        self.trial.drafts_mut().iter_mut().for_each(|draft| draft.close(&self.frame));
    }

    /// The rows in the groups of `scratch.best`, class by class.
    fn listed_inside(&self) -> Vec<Inside> {
        let of_group = |&group: &u32| {
            let inside = move |&(class, rows): &(u32, u32)| Inside { class, share: Share { group, rows } };
            self.classes.of_group(group).iter().map(inside)
        };
        let mut inside: Vec<Inside> = self.scratch.best.iter().flat_map(of_group).collect();
        inside.sort_unstable();
        inside
    }

    /// Takes up to so many rows out of a class, beginning with any of its groups; returns how many.
    fn take(&mut self, of_class: &[Inside], most: u32, taken: &mut Vec<Share>) -> u32 {
        if most == 0 {
            return 0;
        }
        let place = self.trial.check_out(&self.classes, of_class[0].class);
        let start = self.dice.below(of_class.len());
        let mut left = most;
        for inside in of_class[start..].iter().chain(&of_class[..start]) {
            let rows = inside.share.rows.min(left);
            if rows == 0 {
                break;
            }
            let share = Share { rows, ..inside.share };
            self.trial.drafts_mut()[place].give(share);
            taken.push(share);
            left -= rows;
        }
        most - left
    }

    /// Finds a class for every row of the pool: where it costs least more, or by clustering them anew, perhaps with some classes
    /// nearby. Says whether all have one.
    fn house_orphans(&mut self) -> bool {
        if self.pool.is_empty() {
            return true;
        }
        if !self.dice.happens(ONE_BY_ONE) {
            let (group, with) = (self.pool[self.dice.below(self.pool.len())].group, self.dice.below(WITH));
            self.dissolve_near(group, with);
            if self.pool.iter().map(|share| share.rows).sum::<u32>() >= self.holds.k() {
                return self.cluster_pool();
            }
        }
        let pool = std::mem::take(&mut self.pool);
        let housed = pool.iter().all(|&share| self.insert(share, true));
        self.pool = pool;
        housed
    }
}
