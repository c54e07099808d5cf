//! What may be asked of a release, as data: demands on every class, and what hiding among k means.
//!
//! This room only names and describes. Whether a class meets a demand is decided twice and independently: by [`crate::model`]
//! while a release is made, and by [`mod@crate::verify`] when it is checked.

mod models;
mod notion;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use models::{MODELS, Model, ModelEntry};
pub use notion::{NOTIONS, Notion, NotionEntry};

use crate::data::Ground;
use crate::error::{Error, Result, nearest};

/// A model, asked of all sensitive columns or of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Demand {
    /// What is asked.
    #[serde(flatten)]
    pub model: Model,
    /// Of which sensitive column; of all where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
}

impl From<Model> for Demand {
    fn from(model: Model) -> Self {
        Self { model, column: None }
    }
}

impl Demand {
    /// Reads what was given for an option: `distinct:3`, or `distinct:3@diagnosis` for one column. Column names may contain
    /// an `@`, numbers do not.
    pub fn read(option: &str, text: &str) -> Result<Self> {
        let (numbers, column) = text.split_once('@').map_or((text, None), |(n, c)| (n, Some(c.trim())));
        let model = Model::read(option, numbers)?;
        if column == Some("") {
            return Err(Error::job(format!("'{text}' names no column after the @"))
                .option(model.entry().option)
                .help("write the name of a sensitive column after it, or omit the @"));
        }
        Ok(Self { model, column: column.map(str::to_owned) })
    }

    /// Whether it is asked of this sensitive column.
    pub fn is_about(&self, column: &str) -> bool {
        self.model.needs_sensitive() && self.column.as_deref().is_none_or(|own| own == column)
    }

    /// The option that asks for it.
    pub fn option(&self) -> &'static str {
        self.model.entry().option
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            None => write!(f, "{}", self.model),
            Some(column) => write!(f, "{} of '{column}'", self.model),
        }
    }
}

/// All demands of a job; a class must satisfy every one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Demands(Vec<Demand>);

impl From<Vec<Model>> for Demands {
    fn from(models: Vec<Model>) -> Self {
        Self(models.into_iter().map(Demand::from).collect())
    }
}

impl Demands {
    /// k-anonymity and, when `p` is given, p-sensitivity. Refuses values that protect nobody or contradict each other.
    pub fn new(k: u32, p: Option<u32>) -> Result<Self> {
        if k < 2 {
            return Err(Error::job(format!("k = {k}, expected at least 2"))
                .option("k")
                .number("k", f64::from(k))
                .help("with k = 1 every person may stand alone; common choices are 5, 10 or 20"));
        }
        let demands = Self::from(vec![Model::KAnonymity { k }]);
        match p {
            None | Some(1) => Ok(demands),
            Some(0) => Err(Error::job("p = 0, expected at least 1")
                .option("p")
                .help("omit ‹p› to ask for k-anonymity alone")),
            Some(p) => demands.and(Model::PSensitive { p }),
        }
    }

    /// One demand more. Refuses what no class of k rows can meet.
    pub fn and(self, demand: impl Into<Demand>) -> Result<Self> {
        let demand = demand.into();
        let (k, values) = (self.k(), demand.model.different_values());
        if values > k {
            let name = if matches!(demand.model, Model::PSensitive { .. }) { "p" } else { "l" };
            let help = format!(
                "a class of k rows has at most k different values: raise k to {values} or lower {name} to {k}"
            );
            let of = demand.column.as_ref().map_or_else(String::new, |column| format!(" of '{column}'"));
            return Err(Error::job(format!("{name} = {values}{of} is larger than k = {k}"))
                .option(demand.option())
                .number(name, f64::from(values))
                .number("k", f64::from(k))
                .help(help));
        }
        Ok(self.anyway(demand))
    }

    /// One demand more, whatever the smallest class size is.
    #[must_use]
    pub fn anyway(mut self, demand: impl Into<Demand>) -> Self {
        self.0.push(demand.into());
        self
    }

    /// The same demands with a smaller k, and numbers of values that still fit.
    #[must_use]
    pub fn with_k(&self, smaller: u32) -> Self {
        let lowered = |demand: &Demand| {
            let model = match demand.model {
                Model::KAnonymity { .. } => Model::KAnonymity { k: smaller },
                Model::PSensitive { p } => Model::PSensitive { p: p.min(smaller) },
                Model::DistinctL { l } => Model::DistinctL { l: l.min(smaller) },
                other => other,
            };
            Demand { model, column: demand.column.clone() }
        };
        Self(self.0.iter().map(lowered).collect())
    }

    /// The single demands.
    pub fn iter(&self) -> impl Iterator<Item = &Demand> {
        self.0.iter()
    }

    /// What is asked of a sensitive column.
    pub fn of<'a>(&'a self, column: &'a str) -> impl Iterator<Item = &'a Model> {
        self.0.iter().filter(move |demand| demand.is_about(column)).map(|demand| &demand.model)
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The smallest class size asked for.
    pub fn k(&self) -> u32 {
        let k = |d: &Demand| if let Model::KAnonymity { k } = d.model { k } else { 1 };
        self.0.iter().map(k).max().unwrap_or(1)
    }

    /// The number of different sensitive values asked for, in the column of which most are.
    pub fn p(&self) -> u32 {
        self.0.iter().map(|d| d.model.different_values()).max().unwrap_or(1)
    }

    /// The p of p-sensitivity, where it was asked for of a column.
    pub fn asked_p(&self, column: &str) -> Option<u32> {
        let p = |m: &Model| if let Model::PSensitive { p } = m { Some(*p) } else { None };
        self.of(column).filter_map(p).max()
    }

    /// How far values of a column are apart for t-closeness, where it was asked for.
    pub fn ground(&self, column: &str) -> Option<Ground> {
        let ground = |m: &Model| if let Model::TCloseness { ground, .. } = m { Some(*ground) } else { None };
        self.of(column).find_map(ground)
    }

    /// Whether any demand looks at sensitive values.
    pub fn need_sensitive(&self) -> bool {
        self.0.iter().any(|d| d.model.needs_sensitive())
    }

    /// The models that compare classes with the whole table, each once, in the order of their list.
    pub fn compared_with_table(&self) -> impl Iterator<Item = &'static ModelEntry> {
        let asked = |entry: &&ModelEntry| self.0.iter().any(|d| d.model.entry().name == entry.name);
        MODELS.iter().copied().filter(|entry| entry.compares_with_table).filter(asked)
    }

    /// Whether rows can be added to any class without a check.
    pub fn survive_adding_rows(&self) -> bool {
        self.0.iter().all(|d| d.model.entry().survives_adding_rows)
    }

    /// Refuses demands on sensitive values where there are none, on columns that are not sensitive, and two distances for
    /// one column: the certificate could only name one.
    pub fn check_columns<'a>(&self, sensitive: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let sensitive: Vec<&str> = sensitive.into_iter().collect();
        for demand in self.0.iter().filter(|d| d.model.needs_sensitive()) {
            let refuse =
                |what: String, help: String| Err(Error::job(what).option(demand.option()).help(help));
            match demand.column.as_deref() {
                _ if sensitive.is_empty() => {
                    let what = format!("{demand} is about sensitive values, but no column is sensitive");
                    return refuse(what, "name the columns nobody may learn with ‹sensitive›".into());
                }
                Some(name) if !sensitive.contains(&name) => {
                    let hint = nearest(name, sensitive.iter().copied()).map_or_else(
                        || format!("name one of them: {}", sensitive.join(", ")),
                        |near| format!("did you mean '{near}'?"),
                    );
                    return refuse(
                        format!("{} is asked of '{name}', which is not a sensitive column", demand.model),
                        hint,
                    );
                }
                _ => {}
            }
        }
        for name in sensitive {
            let grounds = |m: &Model| matches!(m, Model::TCloseness { ground, .. } if Some(*ground) != self.ground(name));
            if self.of(name).any(grounds) {
                return Err(Error::job(format!(
                    "t-closeness of '{name}' is asked by two different distances"
                ))
                .option("t-closeness")
                .help("use the same distance in both, or name other columns after an @"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k_and_p_are_checked_before_use() {
        for (k, p) in [(0, None), (1, None), (5, Some(0)), (3, Some(4))] {
            assert!(matches!(Demands::new(k, p), Err(Error::Job(_))), "k = {k}, p = {p:?}");
        }
        assert_eq!(Demands::new(3, Some(1)).unwrap(), Demands::new(3, None).unwrap());
    }

    #[test]
    fn demands_travel_as_json() {
        let demands = Demands::new(5, Some(2)).unwrap();
        let demands = demands.and(Demand::read("alpha", "0.5@diagnosis").unwrap()).unwrap();
        let text = serde_json::to_string(&demands).unwrap();
        let expected = r#"[{"model":"k-anonymity","k":5},{"model":"p-sensitive","p":2},{"model":"alpha-k","alpha":0.5,"column":"diagnosis"}]"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Demands>(&text).unwrap(), demands);
    }

    #[test]
    fn a_demand_may_name_a_column() {
        let demand = Demand::read("l-diversity", "distinct:3@mail@home").unwrap();
        assert_eq!(demand.column.as_deref(), Some("mail@home"));
        assert!(demand.is_about("mail@home") && !demand.is_about("mail"));
        assert!(Demand::read("alpha", "0.5@").is_err());
        let all = Demands::new(4, Some(2)).unwrap().and(demand).unwrap();
        assert_eq!((all.of("mail").count(), all.of("mail@home").count()), (1, 2));
        assert!(all.check_columns(["mail"]).unwrap_err().to_string().contains("mail@home"));
        assert!(all.check_columns([]).is_err() && all.check_columns(["mail@home", "x"]).is_ok());
    }

    #[test]
    fn a_column_has_one_distance() {
        let read = |text| Demand::read("t-closeness", text).unwrap();
        let ask = |one, two| Demands::default().anyway(read(one)).anyway(read(two)).check_columns(["a", "b"]);
        assert!(ask("0.3", "0.2:ordered@b").is_err());
        assert!(ask("0.3@a", "0.2:ordered@b").is_ok() && ask("0.3", "0.2@b").is_ok());
    }
}
