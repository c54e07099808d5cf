//! Recursive (c,l)-diversity (Machanavajjhala et al. 2006).

use super::parse::{ABOVE_0, L_DIVERSITY_FORMS, WHOLE_L, after_colon, number, whole_l};
use super::{Model, ModelEntry};
use crate::error::Result;
use crate::parameter::Parameter;

const C: Parameter = Parameter {
    name: "c",
    accepts: ABOVE_0,
    about: "how many times as often as the rare values the most frequent one may occur, exclusively",
};

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "recursive-l",
    option: "l-diversity",
    form: "recursive:C,L",
    title: "recursive (c,l)-diversity",
    about: "the most frequent value of a class occurs less than C times as often as all values from the L-th most frequent on",
    parameters: &[C, WHOLE_L],
    survives_adding_rows: false,
    looks_at_frequencies_alone: true,
    compares_with_table: false,
    read,
};

fn read(text: &str) -> Result<Model> {
    let Some((c, l)) = after_colon(text).split_once(',') else {
        return Err(ENTRY.refuse(format!("'{text}' is not a form of l-diversity"), L_DIVERSITY_FORMS));
    };
    Ok(Model::RecursiveL { c: number(&ENTRY, &C, c, L_DIVERSITY_FORMS)?, l: whole_l(&ENTRY, l)? })
}
