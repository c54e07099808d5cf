//! The table as algorithms see it: roles, hierarchies, small integer codes, and the space of generalized values.

mod attribute;
mod codes;
mod hierarchy;
mod numbers;
mod schema;
mod space;
mod table;

pub use attribute::{Attribute, Cell, Domain};
pub use codes::Codes;
pub use hierarchy::{Finding, Hierarchy, HierarchyBuilder, Node, ROOT_LABEL};
pub use numbers::{Numbers, Point};
pub use schema::{Kind, Missing, Role};
pub use space::{AxisCost, ONE, Space};
pub use table::{Groups, QuasiIdentifier, Sensitive, Table};
