//! What no release loses less than, and how far this one is from it.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::error::Said;
use crate::measure::Measure;

/// A certified bound from below, in the measure that was asked for. Private: it speaks about the original.
#[derive(Debug, Clone, PartialEq)]
pub struct LowerBound {
    /// The name of the measure.
    pub measure: &'static str,
    /// What no release loses less than; none where that is not known.
    pub bound: Option<f64>,
    /// The loss of this release over that.
    pub gap: Option<f64>,
    /// Why there is no bound.
    pub reason: Option<Said>,
}

impl Default for LowerBound {
    fn default() -> Self {
        Self { measure: Measure::Il.name(), bound: None, gap: None, reason: None }
    }
}

impl LowerBound {
    /// No bound, and why.
    pub fn none(measure: Measure, reason: impl Into<Said>) -> Self {
        Self { measure: measure.name(), reason: Some(reason.into()), ..Self::default() }
    }

    /// A bound without a release.
    pub fn of(measure: Measure, bound: f64) -> Self {
        Self { measure: measure.name(), bound: Some(bound), ..Self::default() }
    }

    /// The same with the gap of a release that loses so much. Who loses nothing has none.
    #[must_use]
    pub fn with_loss(self, loss: f64) -> Self {
        let gap = match self.bound {
            Some(_) if loss <= 0.0 => Some(1.0),
            Some(bound) if bound > 0.0 => Some(loss / bound),
            _ => None,
        };
        Self { gap, ..self }
    }
}

impl Serialize for LowerBound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(self.measure, &self.bound)?;
        map.serialize_entry("gap", &self.gap)?;
        if let Some(reason) = &self.reason {
            map.serialize_entry("reason", reason)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyed_by_the_measure() {
        let json = |bound: &LowerBound| serde_json::to_string(bound).unwrap();
        let found = LowerBound::of(Measure::Lm, 0.25);
        assert_eq!(json(&found.clone().with_loss(0.5)), r#"{"lm":0.25,"gap":2.0}"#);
        assert_eq!(json(&found), r#"{"lm":0.25,"gap":null}"#);
        assert_eq!(
            json(&LowerBound::none(Measure::Il, "because")),
            r#"{"il":null,"gap":null,"reason":"because"}"#
        );
    }

    #[test]
    fn who_loses_nothing_is_at_the_bound() {
        let zero = LowerBound::of(Measure::Lm, 0.0);
        assert_eq!(zero.clone().with_loss(0.0).gap, Some(1.0));
        assert_eq!(zero.with_loss(0.1).gap, None);
        assert_eq!(LowerBound::default().with_loss(0.0).gap, None);
    }
}
