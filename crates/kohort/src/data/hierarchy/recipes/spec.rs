//! How a job file says which hierarchy a column has.
//!
//! A string is a list of date levels (`"day/month/year"`) or a file (`"location.csv"`); a table names one way of
//! building: `{ mask = "right", levels = 5 }`, `{ ranges = [5, 10, 20], origin = 0 }`, `{ balanced = 4 }`,
//! `{ public = "countries" }`, `{ file = "x.csv" }`.

use std::fmt;
use std::path::PathBuf;

use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::data::Hierarchy;
use crate::error::{Error, Result};

use super::{DateLevel, MaskSide, PublicTree, RangeOf, balanced, dates, mask, public, ranges};

/// Where a column's hierarchy comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum HierarchySpec {
    /// A file, relative to the job file.
    File(PathBuf),
    /// Built from the values of the column.
    Built(Recipe),
}

/// How to build a hierarchy from values.
#[derive(Debug, Clone, PartialEq)]
pub enum Recipe {
    /// Hide characters one by one.
    Mask {
        /// The end that is hidden first.
        side: MaskSide,
        /// How many characters may be hidden.
        levels: u32,
    },
    /// Nested ranges of fixed width.
    Ranges {
        /// From fine to coarse, each a multiple of the one before.
        widths: Vec<f64>,
        /// Where the ranges start.
        origin: f64,
    },
    /// The calendar.
    Dates(Vec<DateLevel>),
    /// Groups of about equally many rows. Its labels tell about the table: [`Recipe::is_made_from_data`].
    Balanced(u32),
    /// Public facts that come with the library, such as which country lies where.
    Public(PublicTree),
}

impl HierarchySpec {
    /// Whether labels are made from the values of the people in the table: see [`Recipe::is_made_from_data`]. A file is taken
    /// for public knowledge; whoever wrote it with `kohort hierarchy build --balanced` from the same table must know that
    /// it is not.
    pub fn is_made_from_data(&self) -> bool {
        matches!(self, Self::Built(recipe) if recipe.is_made_from_data())
    }
}

impl Recipe {
    /// Whether a label depends on other people's values than those it is published for, people who were suppressed
    /// included. True for balanced trees, whose cut points lie where about equally many people are on both sides: a
    /// reader of `[20, 40[` learns that roughly so many people are on each side of 20 and of 40. The certificate has to
    /// say so. The labels of all other recipes follow from a value and from what was asked.
    pub fn is_made_from_data(&self) -> bool {
        match self {
            Self::Balanced(_) => true,
            Self::Mask { .. } | Self::Ranges { .. } | Self::Dates(_) | Self::Public(_) => false,
        }
    }

    /// The hierarchy of a column with these values and row counts. Only ranges ask what they must have room for.
    pub fn build(&self, name: &str, counts: &[(String, u64)], of: RangeOf) -> Result<Hierarchy> {
        let values = || counts.iter().map(|(v, _)| v.clone()).collect::<Vec<_>>();
        match self {
            Self::Mask { side, levels } => mask(name, &values(), *side, *levels, '*'),
            Self::Ranges { widths, origin } => ranges(name, &values(), widths, *origin, of),
            Self::Dates(levels) => dates(name, &values(), levels),
            Self::Balanced(fanout) => balanced(name, counts, *fanout),
            Self::Public(tree) => public(name, &values(), *tree),
        }
    }
}

impl std::str::FromStr for HierarchySpec {
    type Err = Error;

    /// Date levels when the text has some and does not look like a file, else a file.
    fn from_str(text: &str) -> Result<Self> {
        let known = |part: &str| DateLevel::named(part.trim()).is_some();
        let mut parts = text.split('/');
        if text.trim().is_empty() {
            return Err(Error::job("the hierarchy is an empty string")
                .help("name a file, or levels such as day/month/year"));
        }
        if parts.clone().all(known) || (parts.any(known) && !text.contains('.')) {
            return DateLevel::parse_list(text).map(|levels| Self::Built(Recipe::Dates(levels)));
        }
        Ok(Self::File(PathBuf::from(text)))
    }
}

/// All keys a table may have; which of them go together is checked afterwards, with better words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    file: Option<PathBuf>,
    mask: Option<MaskSide>,
    levels: Option<u32>,
    ranges: Option<Vec<f64>>,
    origin: Option<f64>,
    balanced: Option<u32>,
    dates: Option<String>,
    public: Option<String>,
}

impl Table {
    fn spec(self) -> std::result::Result<HierarchySpec, String> {
        let (levels, origin) = (self.levels, self.origin);
        let mut ways: Vec<HierarchySpec> = self.file.map(HierarchySpec::File).into_iter().collect();
        if let Some(side) = self.mask {
            let levels =
                levels.ok_or("a mask needs 'levels', the number of characters that may be hidden")?;
            ways.push(HierarchySpec::Built(Recipe::Mask { side, levels }));
        } else if levels.is_some() {
            return Err("'levels' belongs to 'mask', as in { mask = \"right\", levels = 5 }".into());
        }
        if let Some(widths) = self.ranges {
            ways.push(HierarchySpec::Built(Recipe::Ranges { widths, origin: origin.unwrap_or(0.0) }));
        } else if origin.is_some() {
            return Err("'origin' belongs to 'ranges', as in { ranges = [5, 10], origin = 0 }".into());
        }
        ways.extend(self.balanced.map(|fanout| HierarchySpec::Built(Recipe::Balanced(fanout))));
        if let Some(list) = self.dates {
            let levels = DateLevel::parse_list(&list).map_err(|e| e.to_string())?;
            ways.push(HierarchySpec::Built(Recipe::Dates(levels)));
        }
        if let Some(name) = self.public {
            let tree = PublicTree::read(&name).map_err(|e| e.to_string())?;
            ways.push(HierarchySpec::Built(Recipe::Public(tree)));
        }
        match (ways.pop(), ways.is_empty()) {
            (Some(way), true) => Ok(way),
            (Some(_), false) => Err("a hierarchy is built in one way, several given".into()),
            (None, _) => {
                Err("expected one of 'file', 'mask', 'ranges', 'balanced', 'dates', 'public'".into())
            }
        }
    }
}

impl Serialize for HierarchySpec {
    /// As a table: a text could be a file or the name of a level.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::File(file) => map.serialize_entry("file", file)?,
            Self::Built(Recipe::Mask { side, levels }) => {
                map.serialize_entry("mask", side)?;
                map.serialize_entry("levels", levels)?;
            }
            Self::Built(Recipe::Ranges { widths, origin }) => {
                map.serialize_entry("ranges", widths)?;
                map.serialize_entry("origin", origin)?;
            }
            Self::Built(Recipe::Dates(levels)) => {
                let names: Vec<_> = levels.iter().map(|level| level.name()).collect();
                map.serialize_entry("dates", &names.join("/"))?;
            }
            Self::Built(Recipe::Balanced(fanout)) => map.serialize_entry("balanced", fanout)?,
            Self::Built(Recipe::Public(tree)) => map.serialize_entry("public", tree.name())?,
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for HierarchySpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrTable)
    }
}

struct TextOrTable;

impl<'de> Visitor<'de> for TextOrTable {
    type Value = HierarchySpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a hierarchy: a file, date levels such as \"day/month/year\", or a table such as { balanced = 4 }")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Self::Value, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<Self::Value, A::Error> {
        Table::deserialize(MapAccessDeserializer::new(map))?.spec().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Column {
        hierarchy: HierarchySpec,
    }

    fn spec(text: &str) -> std::result::Result<HierarchySpec, String> {
        toml::from_str::<Column>(&format!("hierarchy = {text}"))
            .map(|c| c.hierarchy)
            .map_err(|e| e.to_string())
    }

    #[test]
    fn every_form_is_read() {
        let dates = Recipe::Dates(vec![DateLevel::Day, DateLevel::Month, DateLevel::Year]);
        assert_eq!(spec("'day/month/year'"), Ok(HierarchySpec::Built(dates)));
        assert_eq!(spec("'year'"), Ok(HierarchySpec::Built(Recipe::Dates(vec![DateLevel::Year]))));
        for file in ["location.csv", "year/location.csv", "trees/location"] {
            assert_eq!(spec(&format!("'{file}'")), Ok(HierarchySpec::File(file.into())));
        }
        assert_eq!(spec("{ file = 'x.csv' }"), Ok(HierarchySpec::File("x.csv".into())));
        let mask = Recipe::Mask { side: MaskSide::Right, levels: 5 };
        assert_eq!(spec("{ mask = 'right', levels = 5 }"), Ok(HierarchySpec::Built(mask)));
        let ranges = Recipe::Ranges { widths: vec![5.0, 10.0, 20.0], origin: 0.0 };
        assert_eq!(spec("{ ranges = [5, 10, 20], origin = 0 }"), Ok(HierarchySpec::Built(ranges)));
        assert_eq!(spec("{ balanced = 4 }"), Ok(HierarchySpec::Built(Recipe::Balanced(4))));
        let countries = HierarchySpec::Built(Recipe::Public(PublicTree::Countries));
        assert_eq!(spec("{ public = 'countries' }"), Ok(countries));
    }

    #[test]
    fn mistakes_are_named() {
        let cases = [
            ("{ mosk = 'right' }", "unknown field `mosk`"),
            ("{ mask = 'up', levels = 1 }", "unknown variant `up`"),
            ("{ mask = 'right' }", "needs 'levels'"),
            ("{ levels = 5 }", "'levels' belongs to 'mask'"),
            ("{ origin = 5 }", "'origin' belongs to 'ranges'"),
            ("{ balanced = 4, file = 'x' }", "several given"),
            ("{ }", "expected one of 'file'"),
            ("{ public = 'country' }", "did you mean 'countries'?"),
            ("'day/mnth'", "did you mean 'month'?"),
            ("''", "empty string"),
            ("5", "a hierarchy: a file"),
        ];
        for (text, expected) in cases {
            let e = spec(text).unwrap_err();
            assert!(e.contains(expected), "{text}: {e}");
        }
    }

    #[test]
    fn only_balanced_trees_tell_about_others() {
        let told = |text| spec(text).unwrap().is_made_from_data();
        assert!(told("{ balanced = 4 }"));
        for text in [
            "{ public = 'icd-10' }",
            "'x.csv'",
            "'day/year'",
            "{ mask = 'left', levels = 2 }",
            "{ ranges = [5] }",
        ] {
            assert!(!told(text), "{text}");
        }
    }

    #[test]
    fn recipes_build() {
        let counts = [("41075".to_owned(), 2), ("41076".to_owned(), 1)];
        for text in ["{ mask = 'right', levels = 5 }", "{ ranges = [10] }", "{ balanced = 2 }"] {
            let Ok(HierarchySpec::Built(recipe)) = spec(text) else { panic!("{text}") };
            assert_eq!(recipe.build("zip", &counts, RangeOf::Whole).unwrap().leaf_count(), 2);
        }
    }
}
