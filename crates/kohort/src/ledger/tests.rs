//! What is written is read again, and nothing else is.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use sha2::{Digest, Sha256};

use super::*;

/// A ledger of two releases: `atoms` of ten rows each, the first of them withdrawn, and two rows that wait.
pub(super) fn example(atoms: u32) -> Ledger {
    let column = |texts: [&str; 2]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
    let rows =
        RecordBatch::try_from_iter([("age", column(["31", "77"])), ("illness", column(["flu", "gout"]))]);
    let rows = rows.unwrap();
    let release = |number, rows, first_new_atom| ReleaseRecord {
        number,
        place: format!("/somewhere/r{number}.csv").into(),
        sha256: crate::input::sha256_of("release"),
        rows,
        first_new_atom,
        batch: None,
    };
    let atom = |number| Atom {
        rows: 10,
        people: Some(9),
        first_release: if number < 2 { 1 } else { 2 },
        withdrawn_in: (number == 0).then_some(2),
        class: number,
    };
    let atom_of: Vec<u32> = (1..atoms).flat_map(|atom| [atom; 10]).collect();
    let salt = [7; 32];
    let mut ledger = Ledger {
        job: JobSpec { k: Some(5), p: Some(2), qi: vec!["age".into()], ..JobSpec::default() },
        trees: BTreeMap::from([("age".into(), crate::input::sha256_of("tree"))]),
        columns: vec![("age".into(), "Utf8".into()), ("illness".into(), "Utf8".into())],
        published: true,
        releases: vec![release(1, 20, 0), release(2, atom_of.len() as u64, 2)],
        atoms: (0..atoms).map(atom).collect(),
        atom_of,
        keys: Vec::new(),
        gone: vec![super::Gone { key: [9; 16], first_release: 1 }],
        salt,
        frozen: BTreeMap::from([("illness".into(), vec![("flu".into(), 12), ("gout".into(), 8)])]),
        waiting: Some(MemoryTable::new("waiting", &rows.schema(), vec![rows]).unwrap()),
    };
    ledger.keys = (0..ledger.atom_of.len()).map(|row| ledger.key(&[&row.to_string()])).collect();
    ledger
}

/// Puts a seal that is right behind what was changed.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - layout::SEAL);
    let seal = Sha256::digest(&bytes);
    bytes.extend_from_slice(&seal);
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    let e = Ledger::from_bytes(bytes, "l.ledger").unwrap_err();
    assert_eq!(e.kind(), "input", "{e}");
    let text = e.to_string();
    assert!(text.contains("l.ledger") && text.contains("way out"), "{text}");
    text
}

#[test]
fn what_is_written_is_read_again() {
    let mut ledger = example(5);
    ledger.job.column_order = vec!["illness".into(), "age".into()];
    ledger.job.suppress = Some(crate::input::Scalar::Text("5%".into()));
    ledger.job.alpha = vec![0.1.into()];
    let bytes = ledger.to_bytes().unwrap();
    let read = Ledger::from_bytes(&bytes, "l").unwrap();
    assert_eq!(read.to_bytes().unwrap(), bytes);
    assert_eq!(read.job, ledger.job);
    assert_eq!(
        (&read.releases, &read.atoms, &read.atom_of),
        (&ledger.releases, &ledger.atoms, &ledger.atom_of)
    );
    assert_eq!((&read.keys, &read.frozen, read.salt), (&ledger.keys, &ledger.frozen, ledger.salt));
    assert_eq!(read.gone, ledger.gone);
    let cells =
        |waiting: &Option<MemoryTable>| waiting.as_ref().unwrap().record_batches()[0].columns().to_vec();
    assert_eq!(cells(&read.waiting), cells(&ledger.waiting));
    let bare = Ledger { waiting: None, keys: Vec::new(), ..ledger };
    let read = Ledger::from_bytes(&bare.to_bytes().unwrap(), "l").unwrap();
    assert!(read.waiting.is_none() && read.keys.is_empty());
}

#[test]
fn places_of_files_are_not_kept() {
    let mut ledger = example(3);
    ledger.job.input = Some("patients.csv".into());
    ledger.job.output = Some("r.csv".into());
    ledger.job.audit = Some("a.json".into());
    let bytes = ledger.to_bytes().unwrap();
    assert!(!bytes.windows(12).any(|w| w == b"patients.csv"));
    assert_eq!(Ledger::from_bytes(&bytes, "l").unwrap().job.audit, None);
}

#[test]
fn at_most_24_bytes_a_row() {
    let ledger = example(10_001);
    assert_eq!(ledger.atom_of.len(), 100_000);
    let whole = ledger.to_bytes().unwrap().len();
    let waiting = waiting::to_bytes(ledger.waiting.as_ref().unwrap()).unwrap().len();
    let rows = whole - waiting - ledger.atoms.len() * layout::ATOM;
    assert!(rows <= 24 * ledger.atom_of.len(), "{rows} bytes");
}

#[test]
fn every_cut_and_every_changed_bit_is_refused() {
    let bytes = example(3).to_bytes().unwrap();
    for length in 0..bytes.len() {
        refusal(&bytes[..length]);
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        refusal(&changed);
    }
    refusal(&[bytes.as_slice(), b"x"].concat());
}

/// Somebody who knows how to seal a file cannot make one that contradicts itself.
#[test]
fn what_contradicts_itself_is_refused_under_any_seal() {
    let bytes = example(3).to_bytes().unwrap();
    let at = |name: &[u8; 4]| bytes.windows(4).position(|w| w == name).unwrap() + 12;
    let changed = |at: usize, to: u32| {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&to.to_le_bytes());
        refusal(&sealed(changed))
    };
    let (atoms, rows) = (at(b"ATOM"), at(b"ROWS"));
    assert!(changed(rows, 99).contains("an atom that is not there"));
    assert!(changed(rows, 2).contains("another number of rows"));
    assert!(changed(atoms + layout::ATOM, 11).contains("another number of rows"));
    assert!(changed(atoms, 0).contains("an atom is empty"));
    assert!(changed(atoms + 4, 11).contains("an atom is empty"));
    assert!(changed(atoms + 8, 2).contains("of another release"));
    assert!(changed(atoms + 12, 3).contains("withdrawn"));
    assert!(changed(8, 2).contains("version 2, expected version 1"));
    for length in [0, u32::MAX, 1 << 31] {
        assert!(changed(rows - 8, length).contains("damaged"));
    }
    // The high half of a length.
    assert!(changed(rows - 4, u32::MAX).contains("too short"));
    assert!(refusal(b"name,age\nAda,34\n").contains("not a ledger"));
}

#[test]
fn a_ledger_that_contradicts_itself_is_not_written() {
    let fine = example(3);
    let wrong = |change: fn(&mut Ledger)| {
        let mut ledger = fine.clone();
        change(&mut ledger);
        assert_eq!(ledger.to_bytes().unwrap_err().kind(), "internal");
    };
    wrong(|l| l.keys.truncate(1));
    wrong(|l| drop(l.releases.remove(0)));
    wrong(|l| l.releases[1].sha256 = "a1".into());
    wrong(|l| l.releases[0].first_new_atom = 1);
    wrong(|l| l.atoms[2].people = None);
    wrong(|l| l.atom_of.push(1));
}
