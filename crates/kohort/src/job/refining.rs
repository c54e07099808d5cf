//! How long an answer is to be refined: what was said, and what that means for an algorithm.

use std::time::Duration;

use crate::algorithm::{Choice, Effort};
use crate::error::{Error, Result, marked};
use crate::input::{parse_duration, with_seconds};

/// What was said about refining.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refining {
    /// Nothing: `auto` refines, algorithms that were asked for by name are left as their papers have them.
    Unsaid,
    /// Not at all.
    Off,
    /// As much as the table deserves.
    On,
    /// So many steps per row.
    Steps(u32),
    /// So long.
    For(Duration),
}

impl Refining {
    /// Reads `on`, `off` or a time, and a number of steps per row.
    pub(super) fn parse(said: Option<&str>, steps: Option<u32>, choice: Choice) -> Result<Self> {
        let refining = match (said, steps) {
            (None, None) => return Ok(Self::Unsaid),
            (Some("off"), None) | (None | Some("on"), Some(0)) => return Ok(Self::Off),
            (Some("on"), None) => Self::On,
            (None | Some("on"), Some(steps)) => Self::Steps(steps),
            (Some(time), None) => Self::For(parse_time(time)?),
            (Some(said), Some(_)) => {
                return Err(Error::job(format!(
                    "‹refine={said}› and a number of steps contradict each other"
                ))
                .option("refine-steps")
                .help("omit one of them"));
            }
        };
        if choice.recodes_columns() {
            return Err(Error::job(format!(
                "{} generalizes whole columns, of which nothing can be refined",
                choice.name()
            ))
            .option("refine")
            .help("omit it, or choose another algorithm"));
        }
        Ok(refining)
    }

    /// What an algorithm is to do.
    pub(super) fn effort(self, choice: Choice) -> Effort {
        match (self, choice) {
            (Self::Off, _) | (Self::Unsaid, Choice::Named(_)) => Effort::None,
            (Self::On, _) | (Self::Unsaid, Choice::Auto) => Effort::Usual,
            (Self::Steps(steps), _) => Effort::Steps(steps),
            (Self::For(_), _) => Effort::Time,
        }
    }

    /// How long, where a time was given.
    pub(super) fn time(self) -> Option<Duration> {
        match self {
            Self::For(time) => Some(time),
            _ => None,
        }
    }
}

fn parse_time(text: &str) -> Result<Duration> {
    parse_duration(text).map_err(|_| {
        let usual = "omit it: auto refines by a number of steps that grows with the rows";
        let help = match (with_seconds(text), text.parse::<u32>()) {
            (Some(time), Ok(steps)) => format!(
                "{} refines for so many seconds, {} makes so many steps per row",
                marked("refine", time),
                marked("refine-steps", steps)
            ),
            (Some(time), Err(_)) => format!("{} refines for so many seconds", marked("refine", time)),
            (None, _) => usual.to_owned(),
        };
        Error::job(format!("'{text}' is no way to refine, expected on, off or a time such as 30s or 5m"))
            .option("refine")
            .help(help)
    })
}
