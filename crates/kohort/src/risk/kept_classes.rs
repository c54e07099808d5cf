//! Classes that stay together: what an attacker takes away who knows that the tool never splits a class.
//!
//! Where classes are unions of sets of at least k rows that stay together, one of fewer than 2k rows is a single such set, and
//! goes whole into one class of the later release: one that may cover its box and has all of its rows' values. If there is only
//! one such class, it went there. What is left of that class besides all that went there is a set of people.

use rayon::prelude::*;

use super::Aims;
use super::cells::Counts;
use super::isolated::{Attack, Finds, Isolated};
use super::overlap::Tree;
use super::pair::Pair;

/// How often all classes are looked at.
const ROUNDS: usize = 16;

pub(super) fn attack(pair: &Pair<'_>, aims: Aims<'_>, finds: &mut Finds) {
    let mut left: Vec<Counts> = pair.counts[1].clone();
    let mut went: Vec<Vec<u32>> = vec![Vec::new(); left.len()];
    let mut open = candidates(pair, aims.k);
    for _ in 0..ROUNDS {
        let before = open.len();
        open.retain_mut(|(class, into)| {
            let counts = &pair.counts[0][*class as usize];
            into.retain(|&that| has_all(&left[that as usize], counts));
            if let &mut [only] = into.as_mut_slice() {
                take_away(&mut left[only as usize], counts);
                went[only as usize].push(*class);
                return false;
            }
            true
        });
        if open.len() == before {
            break;
        }
    }
    for (that, (left, mut went)) in
        (0..).zip(left.into_iter().zip(went)).filter(|(_, (_, went))| !went.is_empty())
    {
        finds.tried(Attack::KeptClasses, 1);
        let people: u64 = left.iter().map(|&(_, n)| u64::from(n)).sum();
        let keys: Vec<u32> = left.iter().map(|&(key, _)| key).collect();
        let shortage = pair.keys.shortage(&keys.iter().copied(), aims.p);
        if people > 0 && (people < aims.k || shortage.is_some()) {
            went.sort_unstable();
            finds.add(Attack::KeptClasses, people, || Isolated {
                attack: Attack::KeptClasses,
                people,
                at_least: people,
                shortage,
                taken_away: Some(pair.rows(0, &went, None)),
                among: vec![pair.rows(1, &[that], Some(&keys))],
            });
        }
    }
}

/// Classes of fewer than 2k rows, and where each may have gone.
fn candidates(pair: &Pair<'_>, k: u64) -> Vec<(u32, Vec<u32>)> {
    let is_single = |class: u32| (pair.classes[0][class as usize].rows.len() as u64) < 2 * k;
    let Some(pairs) = &pair.pairs else { return found_one_by_one(pair, is_single) };
    let by_class = pairs.chunk_by(|a, b| a.0 == b.0).filter(|pairs| is_single(pairs[0].0));
    let into = |pairs: &[(u32, u32)]| {
        let covers =
            |&&(a, b): &&(u32, u32)| pair.classes[1][b as usize].may_cover(&pair.classes[0][a as usize]);
        (pairs[0].0, pairs.iter().filter(covers).map(|pair| pair.1).collect())
    };
    by_class.map(into).collect()
}

/// How many places a class may have gone to before it is given up: it would take as many rounds to find out which.
const MOST_PLACES: usize = 64;

/// The same where there are too many pairs to list them: only classes that have few places to go to.
fn found_one_by_one(pair: &Pair<'_>, is_single: impl Fn(u32) -> bool + Sync) -> Vec<(u32, Vec<u32>)> {
    let later = Tree::of(pair.classes[1], (0..pair.classes[1].len() as u32).collect());
    let into = |class: u32| {
        let (this, counts) = (&pair.classes[0][class as usize], &pair.counts[0][class as usize]);
        let mut places = Vec::new();
        let all = later.each_around(this, &mut |that| {
            if pair.classes[1][that as usize].may_cover(this)
                && has_all(&pair.counts[1][that as usize], counts)
            {
                places.push(that);
            }
            places.len() <= MOST_PLACES
        });
        places.sort_unstable();
        all.then_some((class, places))
    };
    let classes = 0..pair.classes[0].len() as u32;
    classes.into_par_iter().filter(|&class| is_single(class)).filter_map(into).collect()
}

/// Whether there are at least as many rows of every key.
fn has_all(these: &Counts, needed: &Counts) -> bool {
    let has = |&(key, n): &(u32, u32)| {
        these.binary_search_by_key(&key, |&(key, _)| key).is_ok_and(|at| these[at].1 >= n)
    };
    needed.iter().all(has)
}

fn take_away(these: &mut Counts, gone: &Counts) {
    for &(key, n) in gone {
        if let Ok(at) = these.binary_search_by_key(&key, |&(key, _)| key) {
            these[at].1 -= n;
        }
    }
    these.retain(|&(_, n)| n > 0);
}
