//! Where something went wrong, as data.

use std::fmt;

use serde::{Serialize, Serializer};

use super::speech::{Named, Plain, Said, Speech};

/// Where something went wrong: file, line, column, option, as far as they are known, in the order in which a person reads
/// them ("patients.csv, line 3, column 'age'").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    File(String),
    Line(u64),
    Column(String),
    HierarchyOf(String),
    Key(String),
    Option(Named),
    Text(Said),
}

impl Place {
    /// A file, or whatever a table is called.
    #[must_use]
    pub fn in_file(self, name: impl Into<String>) -> Self {
        self.with(Part::File(name.into()))
    }

    /// A line of the file, counted from 1 as editors do.
    #[must_use]
    pub fn line(self, number: u64) -> Self {
        self.with(Part::Line(number))
    }

    /// A column of the table.
    #[must_use]
    pub fn in_column(self, name: impl Into<String>) -> Self {
        self.with(Part::Column(name.into()))
    }

    /// The hierarchy of a column.
    #[must_use]
    pub fn in_hierarchy_of(self, column: impl Into<String>) -> Self {
        self.with(Part::HierarchyOf(column.into()))
    }

    /// What a job says about the column under this key, such as `weight`.
    #[must_use]
    pub fn key(self, name: impl Into<String>) -> Self {
        self.with(Part::Key(name.into()))
    }

    /// An option of the job.
    #[must_use]
    pub fn option(self, name: &str) -> Self {
        self.with(Part::Option(Named { name: name.to_owned(), value: None }))
    }

    /// An option and the value it was given.
    #[must_use]
    pub fn option_with(self, name: &str, value: impl Into<String>) -> Self {
        self.with(Part::Option(Named { name: name.to_owned(), value: Some(value.into()) }))
    }

    /// Anything else, in words.
    #[must_use]
    pub fn and(self, text: impl Into<Said>) -> Self {
        self.with(Part::Text(text.into()))
    }

    /// There is one file, one line and one column: who knows better replaces what was said before.
    fn with(mut self, part: Part) -> Self {
        let kind = std::mem::discriminant(&part);
        let is_single = matches!(part, Part::File(_) | Part::Line(_) | Part::Column(_));
        let known = self.0.iter().position(|other| is_single && std::mem::discriminant(other) == kind);
        match known {
            Some(at) => self.0[at] = part,
            None if self.0.contains(&part) => {}
            None => self.0.push(part),
        }
        self
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The file, or what the table is called.
    pub fn file(&self) -> Option<&str> {
        self.0.iter().find_map(|part| if let Part::File(name) = part { Some(name.as_str()) } else { None })
    }

    /// The line of the file.
    pub fn line_number(&self) -> Option<u64> {
        self.0.iter().find_map(|part| if let Part::Line(n) = part { Some(*n) } else { None })
    }

    /// The column, or the one whose hierarchy it is about.
    pub fn column(&self) -> Option<&str> {
        self.0.iter().find_map(|part| match part {
            Part::Column(name) | Part::HierarchyOf(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The keys of the column.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| if let Part::Key(name) = part { Some(name.as_str()) } else { None })
    }

    /// The options of the job, those in free text included.
    pub fn options(&self) -> Vec<Named> {
        let of = |part: &Part| match part {
            Part::Option(option) => vec![option.clone()],
            Part::Text(text) => text.options().collect(),
            _ => Vec::new(),
        };
        self.0.iter().flat_map(of).collect()
    }

    /// What is none of these, in words.
    fn text(&self) -> Option<String> {
        let words = self.0.iter().filter(|part| matches!(part, Part::Text(_) | Part::HierarchyOf(_)));
        let words: Vec<String> = words.map(|part| part.spoken_by(&Plain)).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The place as a door speaks.
    pub fn spoken_by(&self, speech: &dyn Speech) -> String {
        self.0.iter().map(|part| part.spoken_by(speech)).collect::<Vec<_>>().join(", ")
    }
}

impl Part {
    fn spoken_by(&self, speech: &dyn Speech) -> String {
        match self {
            Self::File(name) | Self::Key(name) => name.clone(),
            Self::Line(number) => format!("line {number}"),
            Self::Column(name) => format!("column '{name}'"),
            Self::HierarchyOf(column) => format!("hierarchy of '{column}'"),
            Self::Option(option) => option.spoken_by(speech),
            Self::Text(text) => text.spoken_by(speech),
        }
    }
}

/// A place that is nothing but words.
impl<T: Into<Said>> From<T> for Place {
    fn from(text: T) -> Self {
        Self::default().and(text)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spoken_by(&Plain))
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Known<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            file: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            line: Option<u64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            column: Option<&'a str>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            keys: Vec<&'a str>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            options: Vec<Named>,
            #[serde(skip_serializing_if = "Option::is_none")]
            text: Option<String>,
        }
        Known {
            file: self.file(),
            line: self.line_number(),
            column: self.column(),
            keys: self.keys().collect(),
            options: self.options(),
            text: self.text(),
        }
        .serialize(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_in_the_order_it_was_said() {
        let place = Place::default().in_file("patients.csv").line(3).in_column("age");
        assert_eq!(place.to_string(), "patients.csv, line 3, column 'age'");
        assert_eq!(
            (place.file(), place.line_number(), place.column()),
            (Some("patients.csv"), Some(3), Some("age"))
        );
        let place = Place::from("boundaries").option("k").option_with("suppress", "5%");
        assert_eq!(place.to_string(), "boundaries, `k`, `suppress = 5%`");
        assert_eq!(Place::default().in_column("age").key("weight").to_string(), "column 'age', weight");
        let place = Place::default().in_file("zip.csv").in_hierarchy_of("zip");
        assert_eq!(
            (place.to_string().as_str(), place.column()),
            ("zip.csv, hierarchy of 'zip'", Some("zip"))
        );
    }

    #[test]
    fn who_knows_better_has_the_last_word() {
        let place = Place::default().in_file("a.csv").line(1).in_file("b.csv").option("qi").option("qi");
        assert_eq!(place.to_string(), "b.csv, line 1, `qi`");
    }

    #[test]
    fn options_are_found_in_words_too() {
        let place = Place::from("‹output=-› ‹certificate=-›");
        assert_eq!(
            place.options().into_iter().map(|o| o.name).collect::<Vec<_>>(),
            ["output", "certificate"]
        );
    }

    #[test]
    fn names_are_not_taken_for_options() {
        let place = Place::default().in_file("‹k›.csv").in_column("‹p›");
        assert_eq!((place.to_string().as_str(), place.options().len()), ("‹k›.csv, column '‹p›'", 0));
    }

    #[test]
    fn only_what_is_known_is_serialized() {
        let json = |place: Place| serde_json::to_string(&place).unwrap();
        assert_eq!(json(Place::default()), "{}");
        let place = Place::default().in_file("t.csv").line(2).option_with("snap", "age=5").and("batch 1");
        let expected =
            r#"{"file":"t.csv","line":2,"options":[{"name":"snap","value":"age=5"}],"text":"batch 1"}"#;
        assert_eq!(json(place), expected);
    }
}
