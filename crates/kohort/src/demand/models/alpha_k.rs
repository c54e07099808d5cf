//! (α,k)-anonymity (Wong et al. 2006), of all values of a column.

use super::{Model, ModelEntry};
use crate::error::Result;
use crate::parameter::{Accepts, Parameter, Range};

/// Shares that leave something to hide, and something to show.
const SHARE: Range = Range::above(0.0).below(1.0);

const ALPHA: Parameter = Parameter {
    name: "alpha",
    accepts: Accepts::number(SHARE),
    about: "the largest share of a class that one value may have",
};

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "alpha-k",
    option: "alpha",
    form: "A",
    title: "(alpha,k)-anonymity",
    about: "no sensitive value has a larger share of a class than A",
    parameters: &[ALPHA],
    survives_adding_rows: false,
    looks_at_frequencies_alone: true,
    compares_with_table: false,
    read,
};

/// `0.5` or `50%`.
fn read(text: &str) -> Result<Model> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim_end().parse::<f64>().map(|p| p / 100.0),
        None => text.parse::<f64>(),
    };
    let help = "0.5 or 50% lets no sensitive value have more than half of a class";
    match share {
        Ok(alpha) if SHARE.contains(alpha) => Ok(Model::AlphaK { alpha }),
        _ => Err(ENTRY.refuse(format!("alpha = '{text}', expected a share above 0 and below 1"), help)),
    }
}
