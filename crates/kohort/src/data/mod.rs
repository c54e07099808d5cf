//! The table as algorithms see it: roles, hierarchies, small integer codes, and the space of generalized values.

mod attribute;
mod boundary;
mod codes;
mod components;
mod consistency;
mod grid;
mod hierarchy;
pub mod hierarchy_build;
mod hierarchy_builder;
mod levels;
mod numbers;
mod range_label;
mod schema;
mod space;
mod table;

pub use attribute::{Attribute, Cell, Domain};
pub use boundary::{Boundary, is_within};
pub use codes::Codes;
pub use components::components;
pub use consistency::Consistency;
pub use grid::{Grid, grid_line};
pub use hierarchy::{Hierarchy, Node, ROOT_LABEL};
pub use hierarchy_builder::{Finding, HierarchyBuilder};
use numbers::number_text;
pub use numbers::{Numbers, Point};
pub use range_label::{RangeLabel, plain_number};
pub use schema::{Ground, Intervals, Kind, Missing, Role, Suppressed, bound_names};
pub use space::{AxisCost, ONE, Space, ranked};
pub(crate) use table::fold;
pub use table::{Groups, QuasiIdentifier, Sensitive, Table};
