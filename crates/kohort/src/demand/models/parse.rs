//! Numbers of demands as people write them.

use super::ModelEntry;
use crate::error::Result;
use crate::parameter::{Accepts, Parameter, Range};

/// Any number above 0.
pub(super) const ABOVE_0: Accepts = Accepts::number(Range::above(0.0));

/// The l of an l-diversity, counted in values.
pub(super) const WHOLE_L: Parameter = Parameter {
    name: "l",
    accepts: Accepts::Integer { minimum: 1 },
    about: "how many different values: those every class must have, or the rank from which values are rare",
};

/// What `l-diversity` takes.
pub(super) const L_DIVERSITY_FORMS: &str = "write distinct:3, entropy:2.5 or recursive:2,3 (c, then l)";

/// What follows the colon.
pub(super) fn after_colon(text: &str) -> &str {
    text.split_once(':').map_or("", |(_, numbers)| numbers).trim()
}

/// The l of an l-diversity, counted in values.
pub(super) fn whole_l(entry: &ModelEntry, text: &str) -> Result<u32> {
    let l: u32 = text.trim().parse().map_err(|_| {
        entry.refuse(format!("l = '{}' is not a whole number", text.trim()), L_DIVERSITY_FORMS)
    })?;
    if WHOLE_L.accepts.admits(text.trim()) {
        Ok(l)
    } else {
        Err(entry.refuse(format!("l = {l}, expected at least 1"), L_DIVERSITY_FORMS))
    }
}

/// A parameter that is a number.
pub(super) fn number(entry: &ModelEntry, of: &Parameter, text: &str, help: &str) -> Result<f64> {
    match text.trim().parse::<f64>() {
        Ok(x) if of.accepts.admits(text.trim()) => Ok(x),
        _ => Err(entry.refuse(format!("{} = '{}', expected {}", of.name, text.trim(), of.accepts), help)),
    }
}
