//! A person whose quasi-identifiers are known, as far as they are: which rows could be hers, in all releases at once.

use std::collections::BTreeMap;

use super::classes::{Class, Grouped, Keys};
use super::isolated::{Attack, Finds, Isolated, RowsOf};
use super::reading::Span;
use super::{Aims, SeenRelease};

/// Rows that could be hers in one release, by key.
type Rows = BTreeMap<u32, Vec<u32>>;

/// Of every key she could have as many people are left as the release with the fewest such rows has.
pub(super) fn attack(
    releases: &[SeenRelease],
    grouped: &[Grouped],
    person: &[Span],
    aims: Aims<'_>,
    finds: &mut Finds,
) {
    let columns: Vec<_> =
        releases.iter().map(|r| r.released.sensitive.iter().chain(&r.others).collect()).collect();
    let rows: Vec<usize> = releases.iter().map(|r| r.released.rows).collect();
    let sensitive = releases.first().map_or(0, |r| r.released.sensitive.len());
    let keys = Keys::of(&columns, &rows, sensitive);
    let fits = |class: &&Class| class.cells.iter().zip(person).all(|(cell, known)| cell.meets(*known));
    let hers = |(at, grouped): (usize, &Grouped)| {
        let mut hers = Rows::new();
        for &row in grouped.classes.iter().filter(fits).flat_map(|class| &class.rows) {
            hers.entry(keys.at(at, row)).or_default().push(row);
        }
        hers
    };
    let hers: Vec<Rows> = grouped.iter().enumerate().map(hers).collect();
    let least =
        |key: &u32| hers.iter().map(|rows| rows.get(key).map_or(0, Vec::len)).min().unwrap_or(0) as u64;
    let possible: BTreeMap<u32, u64> = hers
        .first()
        .into_iter()
        .flat_map(|rows| rows.keys())
        .map(|key| (*key, least(key)))
        .filter(|(_, n)| *n > 0)
        .collect();
    finds.tried(Attack::KnownPerson, 1);
    let people: u64 = possible.values().sum();
    if people == 0 {
        finds.leave_out(
            "the person described: no row of every release could be hers, so she is not in all of them",
        );
        return;
    }
    let shortage = keys.shortage(&possible.keys().copied(), aims.p);
    if people < aims.k || shortage.is_some() {
        let of = |(at, rows): (usize, &Rows)| {
            RowsOf::new(at, possible.keys().filter_map(|key| rows.get(key)).flatten().copied())
        };
        finds.add(Attack::KnownPerson, people, || Isolated {
            attack: Attack::KnownPerson,
            people,
            at_least: 1,
            shortage,
            taken_away: None,
            among: hers.iter().enumerate().map(of).collect(),
        });
    }
}
