//! A ledger from bytes. Whatever is not as it was written is refused; lengths are believed only as far as there are bytes.

use sha2::{Digest, Sha256};

use super::layout::{ATOM, GONE, Head, MARK, SEAL, SECTIONS, VERSION};
use super::{Atom, Gone, Ledger, check, waiting};
use crate::error::{Error, Result};
use crate::input::JobSpec;

/// What to do about a ledger that cannot be read.
const WAY_OUT: &str = "let `ledger repair` look at it: it says what can be saved; do not begin a new ledger for this table, it would know nothing of what was released";

impl Ledger {
    /// Reads the bytes of a file; `name` is what messages call it.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Self> {
        let [head, salt, atoms, rows, keys, gone, wait] = sections(bytes, name)?;
        let cut = |what: &str| damaged(&format!("its {what} cannot be read"), name);
        let head: Head = serde_json::from_slice(head).map_err(|_| cut("head"))?;
        let atoms = records::<ATOM>(atoms).ok_or_else(|| cut("atoms"))?;
        let rows = records::<4>(rows).ok_or_else(|| cut("rows"))?;
        let gone = records::<GONE>(gone).ok_or_else(|| cut("keys of rows that are gone"))?;
        let ledger = Self {
            job: JobSpec { column_order: head.column_order, ..head.job },
            trees: head.trees,
            columns: head.columns,
            published: head.published,
            releases: head.releases,
            atoms: atoms.iter().map(atom).collect(),
            atom_of: rows.iter().map(|row| u32::from_le_bytes(*row)).collect(),
            keys: records(keys).ok_or_else(|| cut("keys"))?.to_vec(),
            gone: gone.iter().map(self::gone).collect(),
            salt: salt.try_into().map_err(|_| cut("salt"))?,
            frozen: head.frozen,
            waiting: (!wait.is_empty()).then(|| waiting::from_bytes(wait, name)).transpose()?,
        };
        check::consistent(&ledger).map_err(|what| damaged(&what, name))?;
        Ok(ledger)
    }
}

/// The sections of a file whose mark, version and seal are right.
fn sections<'a>(bytes: &'a [u8], name: &str) -> Result<[&'a [u8]; SECTIONS.len()]> {
    let content = unsealed(bytes, name)?;
    let mut rest = &content[MARK.len() + 4..];
    let mut found: [&[u8]; SECTIONS.len()] = [&[]; SECTIONS.len()];
    for (section, expected) in found.iter_mut().zip(SECTIONS) {
        let next = section_of(rest, expected);
        (*section, rest) = next.ok_or_else(|| damaged("a section is missing or too short", name))?;
    }
    if rest.is_empty() { Ok(found) } else { Err(damaged("there is something behind its last section", name)) }
}

/// Everything before the seal: at least mark and version.
fn unsealed<'a>(bytes: &'a [u8], name: &str) -> Result<&'a [u8]> {
    if !bytes.starts_with(&MARK[..bytes.len().min(MARK.len())]) {
        return Err(Error::input("this is not a ledger")
            .in_file(name)
            .help("name the ledger that was made with the first release"));
    }
    let damage = || damaged("it was cut off or changed: its checksum is not that of its content", name);
    let content = bytes.len().checked_sub(SEAL).map(|end| bytes.split_at(end));
    let (content, seal) = content.filter(|(c, _)| c.len() >= MARK.len() + 4).ok_or_else(damage)?;
    let version = content[MARK.len()..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
    if version != VERSION {
        return Err(Error::input(format!("the ledger has version {version}, expected version {VERSION}"))
            .in_file(name)
            .help("use the kohort that wrote it last, or a newer one"));
    }
    if Sha256::digest(content)[..] == *seal { Ok(content) } else { Err(damage()) }
}

/// What is left of a damaged ledger. It is not to be relied on: it only serves to say what is lost.
#[derive(Clone, Copy)]
pub(super) struct Remains {
    /// How many releases its head knows.
    pub(super) releases: Option<usize>,
    /// How many sections are there from beginning to end.
    pub(super) whole: usize,
    /// How many there should be.
    pub(super) all: usize,
}

impl Default for Remains {
    fn default() -> Self {
        Self { releases: None, whole: 0, all: SECTIONS.len() }
    }
}

/// Reads as far as there are whole sections.
pub(super) fn remains(bytes: &[u8]) -> Remains {
    let mut left = Remains::default();
    let mut rest = bytes.get(MARK.len() + 4..).unwrap_or_default();
    for name in SECTIONS {
        let Some((section, behind)) = section_of(rest, name) else { break };
        if name == SECTIONS[0] {
            let head: Option<Head> = serde_json::from_slice(section).ok();
            left.releases = head.map(|head| head.releases.len());
        }
        left.whole += 1;
        rest = behind;
    }
    left
}

/// The bytes of the section of this name, and what comes behind it.
fn section_of(bytes: &[u8], name: [u8; 4]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.strip_prefix(&name)?.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

/// Records of `N` bytes, if nothing is left over.
fn records<const N: usize>(bytes: &[u8]) -> Option<&[[u8; N]]> {
    let (records, rest) = bytes.as_chunks();
    rest.is_empty().then_some(records)
}

fn gone(bytes: &[u8; GONE]) -> Gone {
    let (mut key, mut release) = ([0; 16], [0; 4]);
    key.copy_from_slice(&bytes[..16]);
    release.copy_from_slice(&bytes[16..]);
    Gone { key, first_release: u32::from_le_bytes(release) }
}

fn atom(bytes: &[u8; ATOM]) -> Atom {
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let unless_zero = |number: u32| (number > 0).then_some(number);
    Atom {
        rows: number(0),
        people: unless_zero(number(4)),
        first_release: number(8),
        withdrawn_in: unless_zero(number(12)),
        class: number(16),
    }
}

/// What is said of a ledger that must not be relied on.
pub(super) fn damaged(what: &str, name: &str) -> Error {
    Error::input(format!("the ledger is damaged: {what}")).in_file(name).help(WAY_OUT)
}
