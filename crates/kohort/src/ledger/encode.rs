//! A ledger as bytes.

use sha2::{Digest, Sha256};

use super::layout::{ATOM, GONE, Head, MARK, SEAL, SECTIONS, VERSION};
use super::{Atom, Gone, Ledger, check, waiting};
use crate::error::{Error, Result};
use crate::input::JobSpec;

impl Ledger {
    /// The bytes of its file. Refuses to write what [`Ledger::from_bytes`] would not read.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        check::consistent(self)
            .map_err(|what| Error::internal(format!("the ledger contradicts itself: {what}")))?;
        let sections = [
            self.head()?,
            self.salt.to_vec(),
            self.atoms.iter().flat_map(atom).collect(),
            self.atom_of.iter().flat_map(|atom| atom.to_le_bytes()).collect(),
            self.keys.as_flattened().to_vec(),
            self.gone.iter().flat_map(gone).collect(),
            self.waiting.as_ref().map(waiting::to_bytes).transpose()?.unwrap_or_default(),
        ];
        Ok(sealed(&sections))
    }

    fn head(&self) -> Result<Vec<u8>> {
        let head = Head {
            job: without_places(self.job.clone()),
            column_order: self.job.column_order.clone(),
            trees: self.trees.clone(),
            columns: self.columns.clone(),
            published: self.published,
            releases: self.releases.clone(),
            frozen: self.frozen.clone(),
        };
        serde_json::to_vec(&head)
            .map_err(|e| Error::internal(format!("the ledger cannot be written as JSON: {e}")))
    }
}

/// Where files lie belongs to one run, not to the table.
fn without_places(job: JobSpec) -> JobSpec {
    JobSpec {
        path: None,
        input: None,
        output: None,
        solutions: None,
        certificate: None,
        audit: None,
        no_audit: None,
        ..job
    }
}

fn gone(gone: &Gone) -> [u8; GONE] {
    let mut bytes = [0; GONE];
    bytes[..16].copy_from_slice(&gone.key);
    bytes[16..].copy_from_slice(&gone.first_release.to_le_bytes());
    bytes
}

fn atom(atom: &Atom) -> [u8; ATOM] {
    let numbers =
        [atom.rows, atom.people.unwrap_or(0), atom.first_release, atom.withdrawn_in.unwrap_or(0), atom.class];
    let mut bytes = [0; ATOM];
    for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    bytes
}

/// Puts the sections behind one another, and the seal behind them.
fn sealed(sections: &[Vec<u8>; SECTIONS.len()]) -> Vec<u8> {
    let length: usize = sections.iter().map(|section| section.len() + 12).sum();
    let mut bytes = Vec::with_capacity(MARK.len() + 4 + length + SEAL);
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    for (name, section) in SECTIONS.iter().zip(sections) {
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(&(section.len() as u64).to_le_bytes());
        bytes.extend_from_slice(section);
    }
    let seal = Sha256::digest(&bytes);
    bytes.extend_from_slice(&seal);
    bytes
}
