//! The table as algorithms see it: roles, hierarchies, and small integer codes.

mod attribute;
mod boundary;
mod calendar;
mod codes;
mod components;
mod consistency;
mod cost;
mod grid;
mod hierarchy;
mod levels;
mod mix;
mod numbers;
mod people;
mod range_label;
mod range_tree;
mod schema;
mod spelling;
mod step;
mod stored;
mod table;
mod words;

pub use attribute::{Attribute, Cell, Domain};
pub use boundary::{Boundary, is_within};
pub(crate) use calendar::MIDNIGHT;
pub use calendar::{Every, Instant, Unit};
pub use codes::Codes;
pub use components::components;
pub use consistency::Consistency;
pub use cost::{AxisCost, SearchCosts};
pub use grid::{Grid, grid_line, middle};
pub use hierarchy::{Finding, Hierarchy, HierarchyBuilder, Node, ROOT_LABEL, recipes};
pub(crate) use mix::mixed;
use numbers::number_text;
pub use numbers::{Numbers, Point};
pub use people::{Coding, Owner, Pairs, People};
pub use range_label::{RangeLabel, plain_number};
pub use range_tree::{Span, are_ranges};
pub use schema::{
    Ground, Intervals, Kind, Missing, MissingSensitive, Rest, Role, Suppressed, bound_names, is_missing,
};
pub use spelling::{Alone, DateFormat, Decimal, Spelling, Unclear};
pub use step::Step;
pub use table::{Groups, QuasiIdentifier, Sensitive, Table};
pub(crate) use table::{fold, numbered};
pub use words::{folded, words_of_name};
