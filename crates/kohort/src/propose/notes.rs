//! What a steward should look at first.

use super::demands::grouped;
use super::{Proposal, ProposedColumn};
use crate::data::{Kind, Role};

/// With more different values, a column that climbs nothing loses much.
const MANY: u64 = 8;

impl Proposal {
    /// What a steward should look at first: guesses that would be published, then other guesses, then what could be better.
    pub(super) fn to_look_at(&self) -> Vec<String> {
        let cut = || format!("only the first {} rows were looked at", grouped(self.rows));
        let notes = [
            self.published_guesses(),
            self.open_dates(),
            self.guessed_persons(),
            self.other_guesses(),
            self.is_cut.then(cut),
            self.without_tree(),
        ];
        notes.into_iter().flatten().collect()
    }

    fn names(&self, wanted: impl Fn(&ProposedColumn) -> bool) -> Vec<&str> {
        self.columns.iter().filter(|c| wanted(c)).map(|c| c.name.as_str()).collect()
    }

    fn published_guesses(&self) -> Option<String> {
        let names = self.names(is_published_guess);
        let (were, are) = if names.len() == 1 { ("column was", "is") } else { ("columns were", "are") };
        (!names.is_empty()).then(|| {
            format!(
                "{} {were} not recognized and {are} released as in the table: {}. Whatever somebody else could know of a person there must become a quasi-identifier",
                names.len(),
                names.join(", ")
            )
        })
    }

    fn open_dates(&self) -> Option<String> {
        let names = self.names(has_open_dates);
        (!names.is_empty()).then(|| {
            format!(
                "nobody can tell from their values whether days or months come first in these dates, and days are taken to: {}. Correct date-format in the job where months do",
                names.join(", ")
            )
        })
    }

    fn guessed_persons(&self) -> Option<String> {
        let names = self.names(|c| c.is_guess && c.role == Role::Person);
        (!names.is_empty()).then(|| {
            format!(
                "that {} says whose row it is was guessed from how its values repeat: where it measures something, give it another role",
                names.join(", ")
            )
        })
    }

    fn other_guesses(&self) -> Option<String> {
        let is_other = |c: &ProposedColumn| {
            c.is_guess && c.role != Role::Person && !is_published_guess(c) && !has_open_dates(c)
        };
        let names = self.names(is_other);
        let roles =
            if names.len() == 1 { "the role of 1 column was" } else { "the roles of these columns were" };
        (!names.is_empty()).then(|| format!("{roles} guessed, too: {}", names.join(", ")))
    }

    fn without_tree(&self) -> Option<String> {
        let names = self.names(|c| {
            c.role == Role::QuasiIdentifier
                && c.hierarchy.is_none()
                && c.made.is_none()
                && c.facts.distinct > MANY
                && c.kind.is_none_or(|k| k == Kind::Category)
        });
        let have = if names.len() == 1 { "column has" } else { "columns have" };
        (!names.is_empty()).then(|| {
            format!(
                "{} {have} many values and no tree, so that they can only be kept or hidden: {}. A hierarchy file keeps more",
                names.len(),
                listed(&names)
            )
        })
    }
}

fn is_published_guess(column: &ProposedColumn) -> bool {
    column.is_guess && matches!(column.role, Role::Sensitive | Role::Keep)
}

/// Whether days and months of its dates may change places, and nobody said which come first.
fn has_open_dates(column: &ProposedColumn) -> bool {
    column.is_guess && !column.date_format.is_empty() && !is_published_guess(column)
}

/// Names, of very many only the first.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
}
