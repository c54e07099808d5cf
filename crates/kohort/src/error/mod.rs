//! What can go wrong, sorted by whose turn it is to act.
//!
//! Every message says what was given, what was expected, where, and the way out. Messages never contain cell
//! values of identifier or sensitive columns; the code that builds them must not pass any in. They name options in a marked
//! form, and doors spell them ([`Speech`]).

mod place;
mod speech;

use std::collections::BTreeMap;
use std::fmt;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

pub use place::Place;
pub(crate) use speech::plain_speech;
pub use speech::{Named, OPTIONS, Plain, Said, Speech, marked};

/// The result of anything in this library that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no result. Displayed in [`Plain`] speech; doors that have a speech of their own ask [`Error::spoken_by`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The data, a hierarchy or the place to write to is not usable as it is.
    #[error("{0}")]
    Input(Message),
    /// What was asked for contradicts itself or the table.
    #[error("{0}")]
    Job(Message),
    /// The request is well-formed, but no release of this table can satisfy it.
    #[error("{0}")]
    Unsolvable(Message),
    /// A table that was checked does not meet what was demanded of it.
    #[error("{0}")]
    Violation(Message),
    /// The run was stopped from outside before it had a result.
    #[error("{0}")]
    Stopped(Message),
    /// Our bug: a release failed its own verification, or an invariant broke.
    #[error("{0}")]
    Internal(Message),
}

/// What happened, where, and what to do about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    what: Said,
    place: Place,
    help: Option<Said>,
    numbers: BTreeMap<String, f64>,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spoken_by(&Plain))
    }
}

impl Message {
    fn new(what: impl Into<Said>) -> Self {
        Self { what: what.into(), place: Place::default(), help: None, numbers: BTreeMap::new() }
    }

    fn spoken_by(&self, speech: &dyn Speech) -> String {
        let place = Some(&self.place).filter(|place| !place.is_empty());
        let place = place.map(|place| format!("\n  where: {}", place.spoken_by(speech)));
        let help = self.help.as_ref().map(|help| format!("\n  way out: {}", help.spoken_by(speech)));
        self.what.spoken_by(speech) + &place.unwrap_or_default() + &help.unwrap_or_default()
    }
}

impl Error {
    /// The data or a file is at fault.
    pub fn input(what: impl Into<Said>) -> Self {
        Self::Input(Message::new(what))
    }

    /// The request is at fault.
    pub fn job(what: impl Into<Said>) -> Self {
        Self::Job(Message::new(what))
    }

    /// Nobody is at fault, but the demand cannot be met.
    pub fn unsolvable(what: impl Into<Said>) -> Self {
        Self::Unsolvable(Message::new(what))
    }

    /// A checked table falls short.
    pub fn violation(what: impl Into<Said>) -> Self {
        Self::Violation(Message::new(what))
    }

    /// The run was cancelled.
    pub fn stopped(what: impl Into<Said>) -> Self {
        Self::Stopped(Message::new(what))
    }

    /// We are at fault.
    pub fn internal(what: impl Into<Said>) -> Self {
        Self::Internal(Message::new(what)).help(
            "this is a bug in kohort, nothing was written; please report it with the job file, not the data",
        )
    }
}

/// What is added to an error while it is on its way.
impl Error {
    /// Says where it happened, in the place of what was said about that before. Words alone are a place, too, where there
    /// is neither file nor column nor option.
    #[must_use]
    pub fn at(mut self, place: impl Into<Place>) -> Self {
        self.message_mut().place = place.into();
        self
    }

    /// Adds the file, or what the table is called.
    #[must_use]
    pub fn in_file(self, name: impl Into<String>) -> Self {
        self.placed(|place| place.in_file(name))
    }

    /// Adds the line, counted from 1.
    #[must_use]
    pub fn line(self, number: u64) -> Self {
        self.placed(|place| place.line(number))
    }

    /// Adds the column.
    #[must_use]
    pub fn in_column(self, name: impl Into<String>) -> Self {
        self.placed(|place| place.in_column(name))
    }

    /// Adds that it is about the hierarchy of a column.
    #[must_use]
    pub fn in_hierarchy_of(self, column: impl Into<String>) -> Self {
        self.placed(|place| place.in_hierarchy_of(column))
    }

    /// Adds the key under which a job speaks about the column.
    #[must_use]
    pub fn key(self, name: impl Into<String>) -> Self {
        self.placed(|place| place.key(name))
    }

    /// Adds the option.
    #[must_use]
    pub fn option(self, name: &str) -> Self {
        self.placed(|place| place.option(name))
    }

    /// Adds the option and the value it was given.
    #[must_use]
    pub fn option_with(self, name: &str, value: impl Into<String>) -> Self {
        self.placed(|place| place.option_with(name, value))
    }

    /// Adds the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<Said>) -> Self {
        self.message_mut().help = Some(help.into());
        self
    }

    /// Adds a number that the message speaks of, for programs; see [`Error::numbers`].
    #[must_use]
    pub fn number(mut self, name: impl Into<String>, value: f64) -> Self {
        if value.is_finite() {
            self.message_mut().numbers.insert(name.into(), value);
        }
        self
    }

    fn placed(mut self, change: impl FnOnce(Place) -> Place) -> Self {
        let message = self.message_mut();
        message.place = change(std::mem::take(&mut message.place));
        self
    }
}

/// What programs may ask an error.
impl Error {
    /// Whose turn it is, in one word: `input`, `job`, `unsolvable`, `violation`, `stopped` or `internal`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Job(_) => "job",
            Self::Unsolvable(_) => "unsolvable",
            Self::Violation(_) => "violation",
            Self::Stopped(_) => "stopped",
            Self::Internal(_) => "internal",
        }
    }

    /// What happened.
    pub fn what(&self) -> &Said {
        &self.message().what
    }

    /// Where; empty where that is not known.
    pub fn place(&self) -> &Place {
        &self.message().place
    }

    /// The way out.
    pub fn way_out(&self) -> Option<&Said> {
        self.message().help.as_ref()
    }

    /// The numbers the message speaks of, by name.
    ///
    /// What was asked has the name of the model's number (`k`, `p`, `l`, `c`, `alpha`, `t`, `beta`, `delta`); what the table
    /// reaches at best is called `alpha_reachable`, and so on. `rows` are the rows that could be released, `suppressed` those
    /// that would have to go, `allowed` those that may, and `suppress_at_least` is the share to allow instead.
    pub fn numbers(&self) -> &BTreeMap<String, f64> {
        &self.message().numbers
    }

    /// The whole message as a door speaks: what happened, where, and the way out.
    pub fn spoken_by(&self, speech: &dyn Speech) -> String {
        self.message().spoken_by(speech)
    }

    fn message(&self) -> &Message {
        match self {
            Self::Input(m)
            | Self::Job(m)
            | Self::Unsolvable(m)
            | Self::Violation(m)
            | Self::Stopped(m)
            | Self::Internal(m) => m,
        }
    }

    fn message_mut(&mut self) -> &mut Message {
        match self {
            Self::Input(m)
            | Self::Job(m)
            | Self::Unsolvable(m)
            | Self::Violation(m)
            | Self::Stopped(m)
            | Self::Internal(m) => m,
        }
    }
}

/// An object with the keys `kind`, `what`, `place`, `help` and `numbers`, texts in [`Plain`] speech.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let message = self.message();
        let mut object = to.serialize_struct("Error", 5)?;
        object.serialize_field("kind", self.kind())?;
        object.serialize_field("what", &message.what)?;
        object.serialize_field("place", &message.place)?;
        object.serialize_field("help", &message.help)?;
        object.serialize_field("numbers", &Numbers(&message.numbers))?;
        object.end()
    }
}

/// Whole numbers are written without a point: k is 10, not 10.0.
struct Numbers<'a>(&'a BTreeMap<String, f64>);

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = to.serialize_map(Some(self.0.len()))?;
        for (name, &value) in self.0 {
            object.serialize_key(name)?;
            if value.fract() == 0.0 && value.abs() < 9e15 {
                object.serialize_value(&(value as i64))?;
            } else {
                object.serialize_value(&value)?;
            }
        }
        object.end()
    }
}

/// `1 row`, `2 rows`.
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// So many people, in words: `1 person`, `3 people`.
pub(crate) fn people(n: u64) -> String {
    format!("{n} {}", if n == 1 { "person" } else { "people" })
}

/// The candidate closest in spelling to `given`, when one is close enough to be a likely typing error.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = given.to_lowercase();
    candidates
        .into_iter()
        .filter(|c| !c.is_empty())
        .map(|c| (strsim::damerau_levenshtein(&folded, &c.to_lowercase()), c))
        .filter(|(distance, c)| *distance <= 1 + c.chars().count().min(given.chars().count()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_what_where_and_the_way_out() {
        let e = Error::input("no column 'zap'").in_file("patients.csv").help("did you mean 'zip'?");
        assert_eq!(e.to_string(), "no column 'zap'\n  where: patients.csv\n  way out: did you mean 'zip'?");
        assert_eq!(Error::job("no").to_string(), "no");
    }

    #[test]
    fn doors_spell_options_their_own_way() {
        struct Python;
        impl Speech for Python {
            fn option(&self, name: &str, value: Option<&str>) -> String {
                let name = name.replace('-', "_");
                value.map_or_else(|| name.clone(), |value| format!("{name}=\"{value}\""))
            }
        }
        let e = Error::job("‹keep-order› is on").option("k").help("say ‹suppress=5%›");
        let spoken = "keep_order is on\n  where: k\n  way out: say suppress=\"5%\"";
        assert_eq!(e.spoken_by(&Python), spoken);
    }

    #[test]
    fn an_error_is_an_object() {
        let e = Error::unsolvable("too few").option("k").help("ask for ‹k=3›").number("k", 5.0);
        let e = e.number("suppress_at_least", 0.05).number("delta_reachable", f64::INFINITY);
        let json = serde_json::to_string(&e).unwrap();
        assert_eq!(
            json,
            r#"{"kind":"unsolvable","what":"too few","place":{"options":[{"name":"k"}]},"help":"ask for `k = 3`","numbers":{"k":5,"suppress_at_least":0.05}}"#
        );
        let bare = serde_json::to_value(Error::stopped("stopped")).unwrap();
        assert!(bare["help"].is_null() && bare["place"] == serde_json::json!({}), "{bare}");
    }

    #[test]
    fn a_place_is_added_to_or_replaced() {
        let e = Error::input("no").in_file("a.csv").option("opt-out");
        assert_eq!(e.place().to_string(), "a.csv, `opt-out`");
        assert_eq!(e.at(Place::default().in_column("x")).place().to_string(), "column 'x'");
    }

    #[test]
    fn errors_travel_between_threads() {
        fn travels<T: Send + Sync + Clone + 'static>() {}
        travels::<Error>();
    }

    #[test]
    fn nearest_suggests_only_what_is_near() {
        assert_eq!(nearest("zpi", ["age", "zip", "sex"]), Some("zip"));
        assert_eq!(nearest("Diagnose", ["age", "diagnosis"]), Some("diagnosis"));
        assert_eq!(nearest("income", ["age", "zip", "sex"]), None);
    }
}
