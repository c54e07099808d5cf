//! What goes outside: tables and small files. Knows file formats; what is in them was decided and verified before.

mod carried;
mod column;
mod csv;
mod devices;
mod endings;
mod fresh;
mod hidden;
pub mod hierarchy_file;
mod json_lines;
mod packed;
mod pending;
mod publish;
mod release;
mod row_key;
mod same_file;
mod sink;
mod sort;
mod staged;
mod whole_file;
mod writer;

pub use carried::{Carried, Change, write_carried};
pub use column::{Labels, OutColumn};
pub use endings::refuse_foreign_ending;
pub use hierarchy_file::{HierarchyFormat, save_hierarchy, write_hierarchy};
pub(crate) use pending::{Pending, lock_folders_of, remove, sync_folder_of};
pub use publish::{publish_together, publish_together_if};
pub use release::{Onlooker, ReleasePlan, write_release};
pub use same_file::{refuse_same_file, replaces, same_file};
pub use sink::{Documents, MemorySink, OutBatch, TableSink};
pub(crate) use staged::real_place;
pub use staged::{Staged, is_streaming, write_error};
pub use whole_file::write_whole;
pub use writer::TableWriter;
