//! Whether the parts of a ledger fit together. What contradicts itself cannot be relied on, whoever wrote it.

use super::{Atom, Ledger, NO_ATOM};

/// What is wrong, in words without any value of the table.
type Checked = Result<(), String>;

/// Looks at everything that is said twice.
pub(super) fn consistent(ledger: &Ledger) -> Checked {
    releases(ledger)?;
    atoms(ledger)?;
    rows(ledger)?;
    keys(ledger)?;
    digests(ledger)
}

/// Releases are counted from 1, and atoms only ever come to be.
fn releases(ledger: &Ledger) -> Checked {
    let numbers = ledger.releases.iter().map(|release| release.number);
    demand(numbers.eq(1..=ledger.releases.len() as u32), "its releases are not numbered 1, 2, 3 and so on")?;
    let firsts: Vec<u32> = ledger.releases.iter().map(|release| release.first_new_atom).collect();
    demand(
        firsts.first().is_none_or(|&first| first == 0)
            && firsts.is_sorted()
            && firsts.last().is_none_or(|&last| last as usize <= ledger.atoms.len()),
        "the atoms of its releases do not follow one another",
    )?;
    demand(
        !ledger.releases.is_empty() || (ledger.atoms.is_empty() && ledger.atom_of.is_empty()),
        "it has atoms and no release",
    )
}

/// Every atom was new in the release that counts it as new, and withdrawn later if at all.
fn atoms(ledger: &Ledger) -> Checked {
    let mut new_in = 0;
    for (number, atom) in (0u32..).zip(&ledger.atoms) {
        while ledger.releases.get(new_in).is_some_and(|release| release.first_new_atom <= number) {
            new_in += 1;
        }
        demand(
            atom.first_release as usize == new_in,
            "an atom is of another release than the one it was new in",
        )?;
        demand(
            atom.rows > 0 && atom.people.is_none_or(|n| (1..=atom.rows).contains(&n)),
            "an atom is empty",
        )?;
        let later = |release: u32| release > atom.first_release && release as usize <= ledger.releases.len();
        demand(
            atom.withdrawn_in.is_none_or(later),
            "an atom was withdrawn before it was released, or in a release that is not there",
        )?;
    }
    demand(
        ledger.atoms.windows(2).all(|pair| pair[0].people.is_some() == pair[1].people.is_some()),
        "only some of its atoms count people",
    )
}

/// The rows of the last release are those of the atoms that were not withdrawn.
fn rows(ledger: &Ledger) -> Checked {
    let last = ledger.releases.last().map_or(0, |release| release.rows);
    demand(ledger.atom_of.len() as u64 == last, "its last release has another number of rows than it lists")?;
    let mut counted = vec![0u32; ledger.atoms.len()];
    for &atom in ledger.atom_of.iter().filter(|&&atom| atom != NO_ATOM) {
        let count = counted.get_mut(atom as usize).ok_or("a row belongs to an atom that is not there")?;
        *count += 1;
    }
    let published = |atom: &Atom| if atom.withdrawn_in.is_some() { 0 } else { atom.rows };
    demand(
        ledger.atoms.iter().map(published).eq(counted),
        "an atom has another number of rows than the last release has of it",
    )
}

fn keys(ledger: &Ledger) -> Checked {
    demand(
        ledger.keys.is_empty() || ledger.keys.len() == ledger.atom_of.len(),
        "it has keys of some rows only",
    )
}

fn digests(ledger: &Ledger) -> Checked {
    let mut all = ledger.trees.values().chain(ledger.releases.iter().map(|release| &release.sha256));
    let is_digest = |text: &String| {
        text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    demand(all.all(is_digest), "a digest in it is not a SHA-256")
}

fn demand(holds: bool, otherwise: &str) -> Checked {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}
