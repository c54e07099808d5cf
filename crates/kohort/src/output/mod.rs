//! What goes outside: tables and small files. Knows file formats; what is in them was decided and verified before.

mod column;
mod csv;
mod release;
mod shuffle;
mod staged;
mod writer;

pub use column::{Labels, OutColumn};
pub use release::{Intervals, ReleasePlan, Suppressed, write_release};
pub use staged::{Staged, refuse_same_file, write_error};
pub use writer::TableWriter;
