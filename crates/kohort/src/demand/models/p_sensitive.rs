//! p-sensitive k-anonymity (Truta and Vinay 2006), extended by Campan and Truta (2006).

use super::{Model, ModelEntry};
use crate::error::Result;
use crate::parameter::{Accepts, Parameter};

const P: Parameter = Parameter {
    name: "p",
    accepts: Accepts::Integer { minimum: 1 },
    about: "how many different values every class must have",
};

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "p-sensitive",
    option: "p",
    form: "N",
    title: "p-sensitive k-anonymity",
    about: "every class has at least N different values of each sensitive column; with ‹protected›, values of N different protected parts of its hierarchy",
    parameters: &[P],
    survives_adding_rows: true,
    looks_at_frequencies_alone: true,
    compares_with_table: false,
    read,
};

fn read(text: &str) -> Result<Model> {
    let help = "say how many different values every class must have, such as 3";
    match text.parse() {
        Ok(p) if P.accepts.admits(text) => Ok(Model::PSensitive { p }),
        _ => Err(ENTRY.refuse(format!("p = '{text}', expected {}", P.accepts), help)),
    }
}
