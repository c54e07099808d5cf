//! One file per subcommand. They translate between a person and the library, and decide nothing.

pub(crate) mod anonymize;
pub(crate) mod append;
pub(crate) mod bound;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod hierarchy;
pub(crate) mod init;
pub(crate) mod ledger;
pub(crate) mod list;
pub(crate) mod reproduce;
pub(crate) mod risk;
pub(crate) mod verify;

mod job_flags;
mod offered;
mod summary_table;
