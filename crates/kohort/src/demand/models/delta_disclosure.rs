//! δ-disclosure privacy (Brickell and Shmatikov 2008), strict: every value of the table occurs in every class.

use super::parse::{ABOVE_0, number};
use super::{Model, ModelEntry};
use crate::error::Result;
use crate::parameter::Parameter;

const DELTA: Parameter = Parameter {
    name: "delta",
    accepts: ABOVE_0,
    about: "how far the logarithm of a value's frequency in a class over that in the table may be from 0, exclusively",
};

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "delta-disclosure",
    option: "delta-disclosure",
    form: "D",
    title: "delta-disclosure privacy",
    about: "every sensitive value of the table occurs in every class, and the natural logarithm of its frequency there over that in the table lies between -D and D",
    parameters: &[DELTA],
    survives_adding_rows: false,
    looks_at_frequencies_alone: false,
    compares_with_table: true,
    read,
};

fn read(text: &str) -> Result<Model> {
    let help = "0.7 lets every value be about half to twice as frequent in a class as in the table";
    Ok(Model::DeltaDisclosure { delta: number(&ENTRY, &DELTA, text, help)? })
}
