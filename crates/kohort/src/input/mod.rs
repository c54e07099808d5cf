//! What comes from outside: tables, hierarchy files, job files. Knows file formats, nothing of privacy.

mod boundary;
mod csv_trouble;
mod csv_watch;
mod digest;
mod encode;
mod exact;
pub mod hierarchy_file;
mod job_file;
mod plain;
mod sensitive;
mod source;
mod table;

pub use boundary::{BoundarySpec, LevelWeights, Scalar};
pub use digest::{FileDigest, digest, sha256};
pub use encode::{Column, column_counts, encode, keep_empty, pipelined};
pub use exact::{encode_exact, fingerprints};
pub use hierarchy_file::{Bound, Examined, bind, check_hierarchy, examine_hierarchy, read_hierarchy};
pub use job_file::{ColumnEntry, JobFile, parse_duration, parse_opt_out, parse_share};
pub use sensitive::{SensitiveSpec, sensitive};
pub use source::{Batches, Format, Source};
pub use table::{QiSpec, infer, quasi_identifier};
