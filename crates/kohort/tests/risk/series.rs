//! Releases whose classes are unions of groups that never change: each group has k people and p values, and nothing that is
//! compared has fewer.

use kohort::risk::Attack;
use proptest::collection::vec;
use proptest::prelude::*;

use super::common::fixed;
use super::{Row, asked, found, interval};

/// A group that stays together: what it covers, and what its people have.
#[derive(Debug, Clone)]
struct Atom {
    ends: [(u32, u32); 2],
    secrets: Vec<u8>,
}

/// Small numbers, so that groups often cover the same, or each other.
fn atoms(k: usize) -> impl Strategy<Value = Vec<Atom>> {
    let ends = || (0..4u32, 0..3u32).prop_map(|(lo, width)| (lo, lo + width));
    let atom = (ends(), ends(), vec(0..3u8, k..2 * k + 1));
    let atom = atom.prop_map(|(a, b, mut secrets)| {
        // Two values at least.
        secrets[0] = 0;
        secrets[1] = 1;
        Atom { ends: [a, b], secrets }
    });
    vec(atom, 2..=9)
}

/// Classes as lists of atoms. In every release some atoms are new; they open classes or join, and classes join each other.
fn releases(atoms: &[Atom], choices: &[u8], count: usize) -> Vec<Vec<Row>> {
    let mut choices = choices.iter().cycle();
    let mut choose = |below: usize| *choices.next().unwrap() as usize % below;
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut covers: Vec<[(u32, u32); 2]> = Vec::new();
    let mut next = 0;
    let mut all = Vec::new();
    for release in 0..count {
        let last = release + 1 == count;
        let new =
            if last { atoms.len() - next } else { 1 + choose(atoms.len() - next - (count - release - 1)) };
        for (atom, Atom { ends, .. }) in atoms.iter().enumerate().skip(next).take(new) {
            let target = choose(classes.len() + 2);
            if target < classes.len() {
                covers[target] = join(covers[target], *ends);
                classes[target].push(atom);
            } else {
                covers.push(*ends);
                classes.push(vec![atom]);
            }
        }
        next += new;
        if classes.len() > 2 && choose(4) == 0 {
            let (gone, cover) = (classes.pop().unwrap(), covers.pop().unwrap());
            covers[0] = join(covers[0], cover);
            classes[0].extend(gone);
        }
        let rows = classes.iter().zip(&covers).flat_map(|(class, ends)| {
            let secrets = class.iter().flat_map(|&atom| &atoms[atom].secrets);
            secrets
                .map(|secret| (ends.iter().map(|&(lo, hi)| interval(lo, hi)).collect(), format!("s{secret}")))
        });
        all.push(rows.collect());
    }
    all
}

fn join(a: [(u32, u32); 2], b: [(u32, u32); 2]) -> [(u32, u32); 2] {
    [0, 1].map(|dim| (a[dim].0.min(b[dim].0), a[dim].1.max(b[dim].1)))
}

proptest! {
    #![proptest_config(fixed(1500))]

    #[test]
    fn whole_groups_give_nothing_away(
        (k, atoms) in (2..=4usize).prop_flat_map(|k| (Just(k), atoms(k))),
        choices in vec(any::<u8>(), 40),
        count in 2..=4usize,
    ) {
        let count = count.min(atoms.len());
        let series = releases(&atoms, &choices, count);
        let found = found(&series, &asked(k as u32, 2));
        prop_assert!(found.is_met(), "{:?}\n{:?}", found.smallest, series);
        prop_assert!(found.by_attack[&Attack::Difference].tried > 0);
    }

    /// The same series with one person more in some class of the last release: not every time is it certain who came, but mostly.
    #[test]
    fn one_person_more_does(
        (k, atoms) in (2..=4usize).prop_flat_map(|k| (Just(k), atoms(k))),
        choices in vec(any::<u8>(), 40),
        who in any::<proptest::sample::Index>(),
    ) {
        let mut series = releases(&atoms, &choices, 1);
        let mut later = series[0].clone();
        later.push(later[who.index(later.len())].clone());
        series.push(later);
        let found = found(&series, &asked(k as u32, 1));
        prop_assert_eq!(found.by_attack[&Attack::Difference].fewest_people, 1);
    }
}
