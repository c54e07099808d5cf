//! What goes outside: tables and small files. Knows file formats; what is in them was decided and verified before.

mod column;
mod csv;
mod fresh;
pub mod hierarchy_file;
mod release;
mod shuffle;
mod staged;
mod whole_file;
mod writer;

pub use column::{Labels, OutColumn};
pub use hierarchy_file::{HierarchyFormat, save_hierarchy, write_hierarchy};
pub use release::{ReleasePlan, write_release};
pub use staged::{Staged, refuse_foreign_ending, refuse_same_file, same_file, write_error};
pub use whole_file::write_whole;
pub use writer::TableWriter;
