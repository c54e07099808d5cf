//! Tiny releases: everybody of the earlier one is tried as every row of the later one. What is so in all of these ways is
//! what an attacker is certain of.

use std::collections::{BTreeMap, BTreeSet};

use kohort::risk::{Attack, RiskFound, Wanted};
use proptest::collection::vec;
use proptest::prelude::*;

use super::common::fixed;
use super::{Row, asked, found, interval};

/// Somebody: a number, a letter and a secret, and how coarsely each release shows them.
#[derive(Debug, Clone)]
struct Person {
    number: u32,
    letter: bool,
    secret: u8,
    coarse: [(u8, bool); 2],
}

fn people(most: usize) -> impl Strategy<Value = Vec<Person>> {
    let coarse = || (0..4u8, any::<bool>());
    let person = (0..6u32, any::<bool>(), 0..2u8, coarse(), coarse());
    let person = person.prop_map(|(number, letter, secret, first, second)| Person {
        number,
        letter,
        secret,
        coarse: [first, second],
    });
    vec(person, 1..=most)
}

/// What a release shows of somebody: ends of the number, the letter or nothing, the secret.
type Shown = (u32, u32, Option<bool>, u8);

fn shown(person: &Person, release: usize) -> Shown {
    let (width, hides) = person.coarse[release];
    let (lo, hi) = match width {
        0 => (person.number, person.number),
        1 => (person.number / 2 * 2, person.number / 2 * 2 + 1),
        2 => (person.number / 3 * 3, person.number / 3 * 3 + 2),
        _ => (0, 5),
    };
    (lo, hi, (!hides).then_some(person.letter), person.secret)
}

fn text(shown: &Shown) -> Row {
    let letter = shown.2.map_or("*", |letter| if letter { "a" } else { "b" });
    (vec![interval(shown.0, shown.1), letter.to_owned()], format!("s{}", shown.3))
}

fn could_be(a: &Shown, b: &Shown) -> bool {
    let letters = a.2.is_none() || b.2.is_none() || a.2 == b.2;
    a.0 <= b.1 && b.0 <= a.1 && letters && a.3 == b.3
}

/// Calls `each` with every way in which the people of the first release can be rows of the second.
fn every_way(first: &[Shown], second: &[Shown], way: &mut Vec<usize>, each: &mut dyn FnMut(&[usize])) {
    let Some(row) = first.get(way.len()) else { return each(way) };
    for (at, other) in second.iter().enumerate() {
        if !way.contains(&at) && could_be(row, other) {
            way.push(at);
            every_way(first, second, way, each);
            way.pop();
        }
    }
}

fn class(shown: &Shown) -> (u32, u32, Option<bool>) {
    (shown.0, shown.1, shown.2)
}

type Class = (u32, u32, Option<bool>);

/// The fewest people of a cell, or of those who came to a region, by the plain way.
fn expected(first: &[Shown], second: &[Shown], k: u64) -> (Option<u64>, Option<u64>) {
    let mut cells: BTreeMap<(Option<Class>, Class), Vec<u64>> = BTreeMap::new();
    let mut ways = 0usize;
    every_way(first, second, &mut Vec::new(), &mut |way| {
        let mut counts: BTreeMap<(Option<Class>, Class), u64> = BTreeMap::new();
        for (at, row) in second.iter().enumerate() {
            let from = way.iter().position(|&to| to == at).map(|from| class(&first[from]));
            *counts.entry((from, class(row))).or_default() += 1;
        }
        for (cell, n) in counts {
            let all = cells.entry(cell).or_default();
            all.resize(ways, 0);
            all.push(n);
        }
        ways += 1;
    });
    assert!(ways > 0, "the truth is one of the ways");
    let (mut came, mut both) = (None, None);
    for ((from, _), mut counts) in cells {
        counts.resize(ways, 0);
        let (least, most) = (*counts.iter().min().unwrap(), *counts.iter().max().unwrap());
        if least > 0 && most < k {
            let fewest = if from.is_some() { &mut both } else { &mut came };
            *fewest = Some(fewest.map_or(most, |n: u64| n.min(most)));
        }
    }
    for region in regions(first, second) {
        let inside = |all: &[Shown], side: bool| {
            all.iter().filter(|shown| region.contains(&(side, class(shown)))).count() as u64
        };
        let new = inside(second, true) - inside(first, false);
        if (1..k).contains(&new) {
            came = Some(came.map_or(new, |n: u64| n.min(new)));
        }
    }
    (came, both)
}

/// Classes of both releases that are connected by people who could be in both.
fn regions(first: &[Shown], second: &[Shown]) -> Vec<BTreeSet<(bool, Class)>> {
    let nodes = first.iter().map(|s| (false, class(s))).chain(second.iter().map(|s| (true, class(s))));
    let mut regions: Vec<BTreeSet<(bool, Class)>> =
        nodes.collect::<BTreeSet<_>>().into_iter().map(|node| BTreeSet::from([node])).collect();
    for a in first {
        for b in second.iter().filter(|b| could_be(a, b)) {
            let ends = [(false, class(a)), (true, class(b))];
            let (joined, mut rest): (Vec<_>, Vec<_>) =
                regions.into_iter().partition(|region| ends.iter().any(|end| region.contains(end)));
            rest.push(joined.into_iter().flatten().collect());
            regions = rest;
        }
    }
    regions
}

fn fewest(found: &RiskFound, attack: Attack) -> Option<u64> {
    found.by_attack.get(&attack).filter(|counted| counted.found > 0).map(|counted| counted.fewest_people)
}

proptest! {
    #![proptest_config(fixed(3000))]

    #[test]
    fn what_is_certain_is_found(people in people(8), old in 1..=5usize, k in 2..=4u32) {
        let first: Vec<Shown> = people.iter().take(old).map(|person| shown(person, 0)).collect();
        let second: Vec<Shown> = people.iter().map(|person| shown(person, 1)).collect();
        let texts = |all: &[Shown]| all.iter().map(text).collect::<Vec<Row>>();
        let forward = found(&[texts(&first), texts(&second)], &asked(k, 1));
        let (came, both) = expected(&first, &second, u64::from(k));
        prop_assert_eq!(fewest(&forward, Attack::Difference), came);
        prop_assert_eq!(fewest(&forward, Attack::Intersection), both);
        // Who left is found as who came.
        let back = found(&[texts(&second), texts(&first)], &asked(k, 1));
        prop_assert_eq!(fewest(&back, Attack::Difference), came);
        prop_assert_eq!(fewest(&back, Attack::Intersection), both);
        let may_leave = Wanted { may_leave: true, ..asked(k, 1) };
        let uncertain = found(&[texts(&first), texts(&second)], &may_leave);
        let alone = fewest(&uncertain, Attack::OneRelease);
        prop_assert_eq!(uncertain.smallest.map(|set| set.people), alone);
    }

    #[test]
    fn a_known_person_is_among_her_rows(people in people(8), k in 2..=4u32) {
        let releases: Vec<Vec<Shown>> =
            (0..2).map(|release| people.iter().map(|person| shown(person, release)).collect()).collect();
        let her = &people[0];
        let exact = Person { coarse: [(0, false); 2], ..her.clone() };
        let rows = |release: usize, secret: u8| {
            let point = (exact.number, exact.number, Some(exact.letter), secret);
            releases[release].iter().filter(|shown| could_be(&point, shown)).count() as u64
        };
        let hers: u64 = (0..2).map(|secret| rows(0, secret).min(rows(1, secret))).sum();
        prop_assert!(hers > 0);
        let known = vec![Some(her.number.to_string()), Some(if her.letter { "a" } else { "b" }.to_owned())];
        let texts: Vec<Vec<Row>> = releases.iter().map(|all| all.iter().map(text).collect()).collect();
        let found = found(&texts, &Wanted { known, ..asked(k, 1) });
        prop_assert_eq!(fewest(&found, Attack::KnownPerson), Some(hers).filter(|&n| n < u64::from(k)));
    }
}
