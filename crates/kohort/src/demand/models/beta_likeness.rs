//! Basic β-likeness (Cao and Karras 2012).

use super::parse::{ABOVE_0, number};
use super::{Model, ModelEntry};
use crate::error::Result;
use crate::parameter::Parameter;

const BETA: Parameter = Parameter {
    name: "beta",
    accepts: ABOVE_0,
    about: "the largest relative gain in frequency: 1 lets a value be twice as frequent",
};

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "beta-likeness",
    option: "beta-likeness",
    form: "B",
    title: "basic beta-likeness",
    about: "no sensitive value is more frequent in a class than in the whole table by more than B times its frequency there",
    parameters: &[BETA],
    survives_adding_rows: false,
    looks_at_frequencies_alone: false,
    compares_with_table: true,
    read,
};

fn read(text: &str) -> Result<Model> {
    let help = "1 lets every value be at most twice as frequent in a class as in the table";
    Ok(Model::BetaLikeness { beta: number(&ENTRY, &BETA, text, help)? })
}
