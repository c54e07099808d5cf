//! Whose rows were released, as digests that only who has the ledger can compare with anything.

use arrow::array::{Array, StringArray};

use crate::data::{Role, is_missing};
use crate::error::{Error, Result};
use crate::input::{TableSource, pipelined, texts};
use crate::job::CheckedJob;
use crate::job::roles::Roles;
use crate::ledger::Ledger;

/// What tells one person from the others, under the salt of a ledger.
pub(super) type Key = [u8; 16];

/// The key of a row of which nobody knows whose it is.
pub(super) const NOBODY: Key = [0; 16];

/// The columns that tell people apart: those of the role `person` or, where there is none, the identifiers; by name.
pub(super) fn key_columns(source: &dyn TableSource, roles: &Roles) -> Vec<String> {
    let of = |role| -> Vec<String> {
        let at = roles.columns(role).into_iter();
        at.map(|column| source.schema().field(column).name().clone()).collect()
    };
    let people = of(Role::Person);
    if people.is_empty() { of(Role::Identifier) } else { people }
}

/// The key of every row; none where no column tells people apart.
pub(super) fn row_keys(
    job: &CheckedJob,
    source: &dyn TableSource,
    columns: &[String],
    ledger: &Ledger,
) -> Result<Vec<Key>> {
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    let at = columns.iter().map(|name| source.column(name)).collect::<Result<Vec<_>>>()?;
    let na: Vec<Vec<String>> = columns.iter().map(|name| job.na(name)).collect();
    let mut keys = Vec::new();
    pipelined(source.batches(&at)?, |batch| {
        let columns = batch.columns().iter().map(|array| texts(array)).collect::<Result<Vec<_>>>()?;
        let part = |column: &StringArray, na: &[String], row: usize| {
            let value = if column.is_null(row) { "" } else { column.value(row) };
            // However it is spelled, what is missing is the same, and spaces do not make another person.
            if is_missing(value, na) { String::new() } else { value.trim().to_owned() }
        };
        keys.extend((0..batch.num_rows()).map(|row| {
            let parts: Vec<String> =
                columns.iter().zip(&na).map(|(column, na)| part(column, na, row)).collect();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            if parts.iter().all(|part| part.is_empty()) { NOBODY } else { ledger.key(&parts) }
        }));
        Ok(())
    })?;
    Ok(keys)
}

/// The keys that a list of withdrawals names, row by row.
pub(super) fn withdrawn(
    job: &CheckedJob,
    list: &dyn TableSource,
    columns: &[String],
    ledger: &Ledger,
) -> Result<Vec<Key>> {
    if columns.is_empty() {
        return Err(Error::job("nothing tells whose rows are to be withdrawn: the table has neither a person nor an identifier column")
            .option("withdraw")
            .in_file(list.name())
            .help("only a table that names ‹person› or ‹identifier› columns from its first release on can take rows out again"));
    }
    let missing: Vec<&str> =
        columns.iter().map(String::as_str).filter(|name| list.names().all(|n| n != *name)).collect();
    if !missing.is_empty() {
        return Err(Error::input(format!("the list of withdrawals lacks {}", missing.join(", ")))
            .in_file(list.name())
            .option("withdraw")
            .help(format!("give it a header with {}, and one line per person", columns.join(", "))));
    }
    row_keys(job, list, columns, ledger)
}
