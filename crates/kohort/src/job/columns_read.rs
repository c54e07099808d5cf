//! How every column was read, so that whoever runs a job sees at once that postcodes were taken for numbers, or that a hierarchy
//! is not where it was looked for.

use serde::Serialize;

use super::{Made, notes};
use crate::data::{Attribute, Domain, Role, Sensitive};

/// One column of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnRead {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// What its values are and what they can become; none where nobody looks at them.
    pub read_as: Option<String>,
    /// How many different values it has, as far as they are looked at.
    pub values: Option<u64>,
    /// How many rows lack one.
    pub missing: Option<u64>,
}

impl Made<'_> {
    /// All columns, in the order of the table.
    pub(super) fn columns_read(&self) -> Vec<ColumnRead> {
        let mut known = self.table.qi.iter().peekable();
        let mut secret = self.table.sensitive.iter().peekable();
        let read = |(name, &role): (&str, &Role)| {
            let column =
                ColumnRead { name: name.to_owned(), role, read_as: None, values: None, missing: None };
            let q = known.next_if(|_| role == Role::QuasiIdentifier);
            let s = secret.next_if(|_| role == Role::Sensitive);
            match (q, s) {
                (Some(q), _) => column.of_known(&q.attribute),
                (_, Some(s)) => column.of_secret(s),
                (None, None) => column,
            }
        };
        self.source.names().zip(&self.roles.of).map(read).collect()
    }
}

impl ColumnRead {
    fn of_known(self, attribute: &Attribute) -> Self {
        let missing = match &attribute.domain {
            Domain::Interval(n) if n.has_missing() => Some(n.len()),
            Domain::Interval(_) => None,
            Domain::Tree(h) => (0..h.leaf_count()).find(|&leaf| h.label(leaf).is_empty()),
        };
        let missing = missing.map_or(0, |code| u64::from(attribute.counts[code as usize]));
        let values = attribute.present() as u64 - u64::from(missing > 0);
        let read_as = Some(notes::understood(attribute));
        Self { read_as, values: Some(values), missing: Some(missing), ..self }
    }

    fn of_secret(self, column: &Sensitive) -> Self {
        let missing = column.missing.map_or(0, |code| column.codes.iter().filter(|&c| c == code).count());
        let values = u64::from(column.distinct) - u64::from(column.missing.is_some());
        let read_as =
            column.tree.as_ref().map(|h| format!("hierarchy of {} levels above the value", h.height()));
        Self { read_as, values: Some(values), missing: Some(missing as u64), ..self }
    }
}
