//! A hostile campaign: random tables × algorithms × notions × demands × boundaries × suppression × opt-outs × formats.
//!
//! [`draw`] makes a job as plain data, [`files`] writes it down, [`drive`] lets the library run it, and [`checker`], which
//! shares no code with the library, looks at what came out. [`examine`] holds all that must be true of one job, [`shrink`]
//! makes what is not as small as possible, and [`campaign`] does it many times.

pub mod campaign;
pub mod case;
pub mod checker;
pub mod damage;
pub mod draw;
pub mod drive;
pub mod examine;
pub mod files;
pub mod random;
pub mod shrink;
