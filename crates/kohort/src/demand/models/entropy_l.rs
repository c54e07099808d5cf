//! Entropy l-diversity (Machanavajjhala et al. 2006).

use super::parse::{L_DIVERSITY_FORMS, after_colon};
use super::{Model, ModelEntry};
use crate::error::Result;
use crate::parameter::{Accepts, Parameter, Range};

const L: Parameter = Parameter {
    name: "l",
    accepts: Accepts::number(AT_LEAST_1),
    about: "how many equally frequent values are as uncertain",
};

const AT_LEAST_1: Range = Range::at_least(1.0);

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "entropy-l",
    option: "l-diversity",
    form: "entropy:L",
    title: "entropy l-diversity",
    about: "the values of a class are as uncertain as L equally frequent ones",
    parameters: &[L],
    survives_adding_rows: false,
    looks_at_frequencies_alone: true,
    compares_with_table: false,
    read,
};

fn read(text: &str) -> Result<Model> {
    match after_colon(text).parse::<f64>() {
        Ok(l) if AT_LEAST_1.contains(l) => Ok(Model::EntropyL { l }),
        Ok(l) => Err(ENTRY.refuse(format!("l = {l}, expected at least 1"), L_DIVERSITY_FORMS)),
        Err(_) => {
            Err(ENTRY.refuse(format!("l = '{}' is not a number", after_colon(text)), L_DIVERSITY_FORMS))
        }
    }
}
