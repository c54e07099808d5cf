//! The parts of the `arrow` crate that Kohort uses, under arrow's own paths.
//!
//! `arrow` itself also brings kernels for arithmetic, strings and regular expressions, which are not called here and which
//! everyone who builds Kohort would have to compile. If a part of `arrow` is needed that is missing here, add its line.

pub use arrow_buffer::buffer;
pub use arrow_csv as csv;
pub use arrow_ipc as ipc;
pub use arrow_row as row;

/// Arrays, and what builds and reads them.
pub mod array {
    pub use arrow_array::builder::*;
    pub use arrow_array::cast::*;
    pub use arrow_array::*;
    pub use arrow_data::ArrayData;
}

/// What is done with whole arrays.
pub mod compute {
    pub use arrow_cast::cast::*;
    pub use arrow_select::coalesce::*;
    pub use arrow_select::concat::*;
    pub use arrow_select::interleave::*;
    pub use arrow_select::take::*;
}

/// Types of columns, and of their cells.
pub mod datatypes {
    pub use arrow_array::types::*;
    pub use arrow_array::{ArrowNativeTypeOp, ArrowPrimitiveType};
    pub use arrow_buffer::{ArrowNativeType, i256};
    pub use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef, TimeUnit};
}

/// What goes wrong.
pub mod error {
    pub use arrow_schema::ArrowError;
}

/// Cells as texts.
pub mod util {
    pub use arrow_cast::display;
}
