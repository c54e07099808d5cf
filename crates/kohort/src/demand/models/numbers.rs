//! Numbers of demands as people write them.

use super::ModelEntry;
use crate::error::Result;

/// What `l-diversity` takes.
pub(super) const FORMS: &str = "write distinct:3, entropy:2.5 or recursive:2,3 (c, then l)";

/// What follows the colon.
pub(super) fn after_colon(text: &str) -> &str {
    text.split_once(':').map_or("", |(_, numbers)| numbers).trim()
}

/// The l of an l-diversity, counted in values.
pub(super) fn whole_l(entry: &ModelEntry, text: &str) -> Result<u32> {
    let l: u32 = text
        .trim()
        .parse()
        .map_err(|_| entry.refuse(format!("l = '{}' is not a whole number", text.trim()), FORMS))?;
    if l == 0 { Err(entry.refuse("l = 0, expected at least 1", FORMS)) } else { Ok(l) }
}

/// A number above 0.
pub(super) fn above_zero(entry: &ModelEntry, name: &str, text: &str, help: &str) -> Result<f64> {
    match text.trim().parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        _ => Err(entry.refuse(format!("{name} = '{}', expected a number above 0", text.trim()), help)),
    }
}
