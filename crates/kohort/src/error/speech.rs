//! How a message names an option, and how a door spells it.
//!
//! The library does not know whether a message will be read on a command line, in Python or in a browser. So it marks the
//! options it names, `‹suppress›` or `‹suppress=5%›`, and whoever shows the message spells them. What is marked is a type of
//! its own, [`Said`], which cannot be shown without being spelled.

use std::fmt;

use serde::{Serialize, Serializer};

/// Around the name of an option in a message.
const OPEN: char = '‹';
const CLOSE: char = '›';

/// The options that messages may name: the keys of a job, the models, and the tables themselves. Anything else between
/// the marks is somebody's text, such as the name of a column, and stays as it is.
pub const OPTIONS: &[&str] = &[
    "algorithm",
    "alpha",
    "audit",
    "beta",
    "beta-likeness",
    "block-rows",
    "bound",
    "certificate",
    "comment",
    "cuts",
    "date-format",
    "decimal",
    "delta-disclosure",
    "distance",
    "drop",
    "encoding",
    "force",
    "hierarchies",
    "identifier",
    "input",
    "intervals",
    "job",
    "k",
    "keep",
    "keep-order",
    "l-diversity",
    "levels",
    "max-generalization",
    "max-width",
    "measure",
    "missing",
    "missing-sensitive",
    "na",
    "no-audit",
    "notion",
    "opt-out",
    "original",
    "output",
    "p",
    "person",
    "previous",
    "protected",
    "publish-counts",
    "published",
    "qi",
    "query",
    "refine",
    "refine-steps",
    "refuse-risky",
    "release",
    "rest",
    "rows-are-people",
    "rule",
    "seed",
    "sensitive",
    "set",
    "sheet",
    "snap",
    "solutions",
    "suppress",
    "suppressed",
    "t-closeness",
    "threads",
    "time-limit",
    "type",
    "unpublished",
    "withdraw",
    "withhold",
];

/// Whether this is the name of an option.
fn is_option(name: &str) -> bool {
    OPTIONS.binary_search(&name).is_ok()
}

/// The way a door spells options, so that its users can type what they read.
pub trait Speech {
    /// How the option of this name is written, with the value it is to have where the message says one.
    fn option(&self, name: &str, value: Option<&str>) -> String;
}

/// The library's own speech: names as they are, for whoever has no better way to say it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Speech for Plain {
    fn option(&self, name: &str, value: Option<&str>) -> String {
        match value {
            None => format!("`{name}`"),
            Some(value) => format!("`{name} = {value}`"),
        }
    }
}

/// An option as messages mark it. Values that are somebody's text, such as the name of a column, belong through here: a
/// mark inside them is written twice, so that it does not end the marked part.
pub fn marked(name: &str, value: impl fmt::Display) -> String {
    debug_assert!(is_option(name), "{name} is not among the options that messages name");
    let value = value.to_string().replace(CLOSE, "››");
    format!("{OPEN}{name}={value}{CLOSE}")
}

/// An option that a message names, with its value where there is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its name, such as `suppress`.
    pub name: String,
    /// The value the message speaks of, such as `5%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl Named {
    /// As a door spells it.
    pub fn spoken_by(&self, speech: &dyn Speech) -> String {
        speech.option(&self.name, self.value.as_deref())
    }
}

/// Words of the library for a person. Displayed and serialized in [`Plain`] speech; a door with a speech of its own asks for
/// it by [`Said::spoken_by`].
#[derive(Clone, PartialEq, Eq)]
pub struct Said(String);

impl Said {
    /// The words as a door speaks.
    pub fn spoken_by(&self, speech: &dyn Speech) -> String {
        let mut out = String::with_capacity(self.0.len());
        for piece in pieces(&self.0) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Option(option) => out.push_str(&option.spoken_by(speech)),
            }
        }
        out
    }

    /// The options they name, in order.
    pub fn options(&self) -> impl Iterator<Item = Named> {
        pieces(&self.0).into_iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Option(option) => Some(option),
        })
    }

    /// The words with their marks, for other messages to be made from.
    pub(crate) fn marked(&self) -> &str {
        &self.0
    }
}

impl From<String> for Said {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Said {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<&String> for Said {
    fn from(text: &String) -> Self {
        Self(text.clone())
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spoken_by(&Plain))
    }
}

/// Plain, too: what is printed while looking for a bug often ends up before a user.
impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

/// Words that a list keeps with their marks, serialized as [`Said`] is.
pub(crate) fn plain_speech<S: Serializer>(words: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    Said::from(*words).serialize(serializer)
}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// A part of a message.
enum Piece<'a> {
    Text(&'a str),
    Option(Named),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    // What is text for sure ends where the next mark is looked for.
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest[from..].find(OPEN).map(|at| from + at) {
        let inside = &rest[at + OPEN.len_utf8()..];
        match option_at(inside) {
            None => from = at + OPEN.len_utf8(),
            Some((option, after)) => {
                out.extend([Piece::Text(&rest[..at]), Piece::Option(option)]);
                (rest, from) = (after, 0);
            }
        }
    }
    out.push(Piece::Text(rest));
    out
}

/// The option that an opened mark names, and what follows it.
fn option_at(inside: &str) -> Option<(Named, &str)> {
    let end = inside.find(['=', CLOSE])?;
    let (name, rest) = inside.split_at(end);
    if !is_option(name) {
        return None;
    }
    let (value, after) = match rest.strip_prefix(CLOSE) {
        Some(after) => (None, after),
        None => value_at(&rest[1..]).map(|(value, after)| (Some(value), after))?,
    };
    Some((Named { name: name.to_owned(), value }, after))
}

/// A value up to the mark that closes it, and what follows; two marks are one that belongs to the value.
fn value_at(text: &str) -> Option<(String, &str)> {
    let (mut value, mut rest) = (String::new(), text);
    loop {
        let (before, after) = rest.split_once(CLOSE)?;
        value.push_str(before);
        match after.strip_prefix(CLOSE) {
            None => return Some((value, after)),
            Some(after) => {
                value.push(CLOSE);
                rest = after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shouted;

    impl Speech for Shouted {
        fn option(&self, name: &str, value: Option<&str>) -> String {
            format!("{}<{}>", name.to_uppercase(), value.unwrap_or_default())
        }
    }

    #[test]
    fn options_are_spelled_by_whoever_shows_the_message() {
        let said = Said::from("say ‹suppress=5%›, or omit ‹k›");
        assert_eq!(said.spoken_by(&Shouted), "say SUPPRESS<5%>, or omit K<>");
        assert_eq!(said.to_string(), "say `suppress = 5%`, or omit `k`");
        assert_eq!(format!("{said:?}"), "\"say `suppress = 5%`, or omit `k`\"");
        assert_eq!(serde_json::to_value(&said).unwrap(), "say `suppress = 5%`, or omit `k`");
        assert_eq!(said.options().map(|o| o.name).collect::<Vec<_>>(), ["suppress", "k"]);
    }

    #[test]
    fn the_first_equals_sign_ends_the_name() {
        let said = Said::from(marked("snap", "age=5"));
        assert_eq!(said.options().next(), Some(Named { name: "snap".into(), value: Some("age=5".into()) }));
        assert_eq!(Said::from("‹output=-›‹set=epsilon›").to_string(), "`output = -``set = epsilon`");
    }

    #[test]
    fn marks_in_names_of_columns_are_left_alone() {
        for text in ["‹", "›", "column '‹name›'", "‹k", "‹k=", "‹snap=a", "‹‹", "‹=›", "‹›", "K ‹K›"]
        {
            assert_eq!(Said::from(text).to_string(), text);
        }
        assert_eq!(Said::from("‹name ‹k›").to_string(), "‹name `k`");
        for column in ["a›", "›", "››", "a›b", "‹k›", "="] {
            let said = Said::from(marked("levels", format!("{column}=2")));
            assert_eq!(said.to_string(), format!("`levels = {column}=2`"));
        }
    }

    #[test]
    fn the_options_can_be_looked_up() {
        assert!(OPTIONS.is_sorted());
        assert!(OPTIONS.iter().all(|name| is_option(name)));
    }
}
