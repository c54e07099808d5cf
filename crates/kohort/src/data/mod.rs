//! The table as algorithms see it: roles, hierarchies, small integer codes, and the space of generalized values.

mod hierarchy;
pub mod hierarchy_build;
mod range_label;

pub use hierarchy::{Finding, Hierarchy, HierarchyBuilder, Node, ROOT_LABEL};
pub use range_label::{RangeLabel, plain_number};
