//! From what the library knows to files.

pub mod hierarchy_file;
mod whole_file;

pub use hierarchy_file::{HierarchyFormat, save_hierarchy, write_hierarchy};
pub use whole_file::write_whole;
