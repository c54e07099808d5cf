//! k-anonymity (Samarati and Sweeney 1998).

use super::{Model, ModelEntry};
use crate::error::Result;
use crate::parameter::{Accepts, Parameter};

const K: Parameter = Parameter {
    name: "k",
    accepts: Accepts::Integer { minimum: 2 },
    about: "how many rows must look the same",
};

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "k-anonymity",
    option: "k",
    form: "N",
    title: "k-anonymity",
    about: "every released combination of quasi-identifiers occurs at least N times",
    parameters: &[K],
    survives_adding_rows: true,
    looks_at_frequencies_alone: true,
    compares_with_table: false,
    read,
};

fn read(text: &str) -> Result<Model> {
    let help = "say how many people everyone must hide among, such as 10";
    let k = text.parse().map_err(|_| ENTRY.refuse(format!("k = '{text}' is not a whole number"), help))?;
    Ok(Model::KAnonymity { k })
}
