//! What comes from outside: tables, hierarchy files, job files. Knows file formats, nothing of privacy.

mod blank_lines;
mod boundary;
mod by_meaning;
mod checked_ipc;
mod checked_parquet;
mod csv_head;
mod csv_trouble;
mod csv_watch;
mod decimals;
mod digest;
#[cfg(test)]
mod drops;
mod encode;
mod exact;
mod file_table;
mod format;
mod guarded;
pub mod hierarchy_file;
mod job_spec;
mod measured;
mod memory_table;
mod native;
mod packing;
mod parquet_pages;
mod parquet_shapes;
mod plain;
pub(crate) mod platform;
mod plausible;
mod quasi_identifier;
mod read_options;
mod scratch;
mod sensitive;
mod source;
mod spelling;
mod thrift;
pub(crate) mod traces;
mod unpack;

pub use boundary::{BoundarySpec, LevelWeights, Scalar};
pub use by_meaning::ByMeaning;
pub(crate) use csv_head::separator_of;
pub(crate) use digest::hex;
pub use digest::{sha256 as sha256_of_file, sha256_of};
pub use encode::{
    Column, column_combinations, column_counts, combinations, combinations_in, encode, keep_empty, pipelined,
    texts,
};
pub use exact::{encode_exact, fingerprints, hashes};
pub use file_table::FileTable;
pub use format::Format;
pub use hierarchy_file::{
    Bound, Examined, bind, check_hierarchy, examine_hierarchy, examine_hierarchy_of, header_of,
    read_hierarchy, read_hierarchy_of,
};
pub use job_spec::{ColumnSpec, JobSpec, parse_duration, parse_opt_out, parse_share, with_seconds};
pub use memory_table::MemoryTable;
pub use packing::Packing;
pub(crate) use packing::ending;
pub use quasi_identifier::{QiSpec, infer, quasi_identifier};
pub use read_options::ReadOptions;
pub use scratch::{Scratch, no_scratch};
pub use sensitive::{SensitiveSpec, meanings, sensitive};
pub use source::{Batches, TableSource, batch_rows, check_source};
pub use spelling::{Declared, Respelled, counts_in_one_spelling, respelled};
pub use traces::leave_no_trace;
