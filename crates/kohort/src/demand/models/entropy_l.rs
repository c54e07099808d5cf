//! Entropy l-diversity (Machanavajjhala et al. 2006).

use super::numbers::{FORMS, after_colon};
use super::{Model, ModelEntry};
use crate::error::Result;

pub(super) static ENTRY: ModelEntry = ModelEntry {
    model: "entropy-l",
    option: "l-diversity",
    form: "entropy:L",
    name: "entropy l-diversity",
    about: "the values of a class are as uncertain as L equally frequent ones",
    survives_adding_rows: false,
    looks_at_frequencies_alone: true,
    compares_with_table: false,
    read,
};

fn read(text: &str) -> Result<Model> {
    match after_colon(text).parse::<f64>() {
        Ok(l) if l.is_finite() && l >= 1.0 => Ok(Model::EntropyL { l }),
        Ok(l) => Err(ENTRY.refuse(format!("l = {l}, expected at least 1"), FORMS)),
        Err(_) => Err(ENTRY.refuse(format!("l = '{}' is not a number", after_colon(text)), FORMS)),
    }
}
