//! What must be as it was: the last release, the columns, the hierarchies.

use rustc_hash::FxHashSet;

use super::record::{released_columns, trees};
use crate::error::{Error, Result};
use crate::input::TableSource;
use crate::job::CheckedJob;
use crate::job::roles::Roles;
use crate::ledger::Ledger;

/// Refuses another table than the last release.
pub(super) fn check_last(ledger: &Ledger, last: &dyn TableSource) -> Result<()> {
    let recorded = ledger.releases.last();
    let place = recorded.map_or_else(String::new, |release| release.place.display().to_string());
    if recorded.is_some_and(|release| last.digest().is_ok_and(|digest| digest == release.sha256)) {
        return Ok(());
    }
    Err(Error::input("this is not the release that the ledger recorded last: its SHA-256 is another one")
        .in_file(last.name())
        .option("previous")
        .help(format!("the next release is made from the last one as it was published, at {place}: bring that file back; ‹previous=FILE› says where it is now")))
}

/// Refuses other hierarchies and other columns than those of the first release.
pub(super) fn check_as_before(
    job: &CheckedJob,
    ledger: &Ledger,
    source: &dyn TableSource,
    roles: &Roles,
) -> Result<()> {
    let columns = released_columns(source, roles);
    if columns != ledger.columns {
        let names = |columns: &[(String, String)]| {
            columns.iter().map(|(name, data)| format!("{name} ({data})")).collect::<Vec<_>>().join(", ")
        };
        return Err(Error::input(format!(
            "the release would have other columns than the first one: {}, expected {}",
            names(&columns),
            names(&ledger.columns)
        ))
        .in_file(source.name())
        .help("give every column the role it had; a release with other columns takes a new ledger and other people"));
    }
    let trees = trees(job, source, roles)?;
    let all: FxHashSet<&String> = trees.keys().chain(ledger.trees.keys()).collect();
    let mut changed: Vec<&str> = all
        .into_iter()
        .filter(|name| trees.get(*name) != ledger.trees.get(*name))
        .map(String::as_str)
        .collect();
    changed.sort_unstable();
    if changed.is_empty() {
        return Ok(());
    }
    Err(Error::input(format!(
        "the hierarchy of {} is not the one that the first release was made with",
        changed.join(", ")
    ))
    .option("hierarchies")
    .help("use the same files: under other hierarchies the releases would show different sides of the same people"))
}
