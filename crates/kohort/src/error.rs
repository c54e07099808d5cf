//! What can go wrong, sorted by whose turn it is to act.
//!
//! Every message says what was given, what was expected, where, and the way out. Messages never contain cell
//! values of identifier or sensitive columns; the code that builds them must not pass any in.

use std::fmt;

/// The result of anything in this library that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    what: String,
    place: Option<String>,
    help: Option<String>,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if let Some(place) = &self.place {
            write!(f, "\n  where: {place}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  way out: {help}")?;
        }
        Ok(())
    }
}

impl Message {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), place: None, help: None }
    }
}

impl Error {
    /// The data or a file is at fault.
    pub fn input(what: impl Into<String>) -> Self {
        Self::Input(Message::new(what))
    }

    /// The request is at fault.
    pub fn job(what: impl Into<String>) -> Self {
        Self::Job(Message::new(what))
    }

    /// Nobody is at fault, but the demand cannot be met.
    pub fn unsolvable(what: impl Into<String>) -> Self {
        Self::Unsolvable(Message::new(what))
    }

    /// A checked table falls short.
    pub fn violation(what: impl Into<String>) -> Self {
        Self::Violation(Message::new(what))
    }

    /// The run was cancelled.
    pub fn stopped(what: impl Into<String>) -> Self {
        Self::Stopped(Message::new(what))
    }

    /// We are at fault.
    pub fn internal(what: impl Into<String>) -> Self {
        Self::Internal(Message::new(what)).help(
            "this is a bug in kohort, nothing was written; please report it with the job file, not the data",
        )
    }

    /// Adds where it happened: file, line, column, flag.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.message_mut().place = Some(place.into());
        self
    }

    /// Adds the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.message_mut().help = Some(help.into());
        self
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
        let e = Error::input("no column 'zap'").at("patients.csv").help("did you mean 'zip'?");
        assert_eq!(e.to_string(), "no column 'zap'\n  where: patients.csv\n  way out: did you mean 'zip'?");
    }

    #[test]
    fn nearest_suggests_only_what_is_near() {
        assert_eq!(nearest("zpi", ["age", "zip", "sex"]), Some("zip"));
        assert_eq!(nearest("Diagnose", ["age", "diagnosis"]), Some("diagnosis"));
        assert_eq!(nearest("income", ["age", "zip", "sex"]), None);
    }
}
