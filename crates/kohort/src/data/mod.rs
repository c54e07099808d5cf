//! The table as algorithms see it: roles, hierarchies, small integer codes, and the space of generalized values.

mod hierarchy;

pub use hierarchy::{Finding, Hierarchy, HierarchyBuilder, Node, ROOT_LABEL};
