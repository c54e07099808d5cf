//! Distinct l-diversity (Machanavajjhala et al. 2006).

use super::parse::{WHOLE_L, after_colon, whole_l};
use super::{Model, ModelEntry};
use crate::error::Result;

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "distinct-l",
    option: "l-diversity",
    form: "distinct:L",
    title: "distinct l-diversity",
    about: "every class has at least L different values of each sensitive column",
    parameters: &[WHOLE_L],
    survives_adding_rows: true,
    looks_at_frequencies_alone: true,
    compares_with_table: false,
    read,
};

fn read(text: &str) -> Result<Model> {
    Ok(Model::DistinctL { l: whole_l(&ENTRY, after_colon(text))? })
}
