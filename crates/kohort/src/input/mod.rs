//! What comes from outside: tables, hierarchy files, job files. Knows file formats, nothing of privacy.

mod boundary;
mod checked_ipc;
mod checked_parquet;
mod csv_trouble;
mod csv_watch;
mod decimals;
mod digest;
mod encode;
mod exact;
mod guarded;
pub mod hierarchy_file;
mod job_file;
mod parquet_pages;
mod parquet_shapes;
mod plain;
mod plausible;
mod scratch;
mod sensitive;
mod source;
mod table;
mod thrift;
pub(crate) mod traces;
mod unpack;

pub use boundary::{BoundarySpec, LevelWeights, Scalar};
pub use digest::{sha256, sha256_of};
pub use encode::{Column, column_counts, encode, keep_empty, pipelined, texts};
pub use exact::{encode_exact, fingerprints};
pub use hierarchy_file::{Bound, Examined, bind, check_hierarchy, examine_hierarchy, read_hierarchy};
pub use job_file::{ColumnEntry, JobFile, parse_duration, parse_opt_out, parse_share};
pub use scratch::{Scratch, no_scratch};
pub use sensitive::{SensitiveSpec, sensitive};
pub use source::{Batches, Format, Source, batch_rows};
pub use table::{QiSpec, infer, quasi_identifier};
pub use traces::leave_no_trace;
