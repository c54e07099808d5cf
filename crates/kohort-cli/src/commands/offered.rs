//! Values that shells offer. Help texts list them in their own words, and what is typed is checked as before, with messages
//! that say more than that it is none of them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use kohort::catalog::CATALOG;

/// Reads a value, and knows what a shell may offer for it.
#[derive(Clone)]
pub(crate) struct Offered<T> {
    names: Vec<&'static str>,
    read: fn(&str) -> Result<T, String>,
}

/// One of these words, read so.
pub(crate) fn offered<T>(names: &[&'static str], read: fn(&str) -> Result<T, String>) -> Offered<T> {
    Offered { names: names.to_vec(), read }
}

/// Any text, which the library checks; likely one of these names.
fn any_of(names: impl Iterator<Item = &'static str>) -> Offered<String> {
    Offered { names: names.collect(), read: |text| Ok(text.to_owned()) }
}

pub(crate) fn algorithms() -> Offered<String> {
    any_of(std::iter::once(CATALOG.auto.name).chain(CATALOG.algorithms.iter().map(|entry| entry.name)))
}

pub(crate) fn measures() -> Offered<String> {
    any_of(CATALOG.measures.iter().map(|entry| entry.name))
}

pub(crate) fn notions() -> Offered<String> {
    any_of(CATALOG.notions.iter().map(|entry| entry.notion.name()))
}

pub(crate) fn tables() -> Offered<String> {
    any_of(CATALOG.generators.iter().map(|entry| entry.name))
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Offered<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.read.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}
