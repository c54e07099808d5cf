//! What a job file says about how far a column may be generalized and what its levels weigh, checked against the column.
//!
//! `max_generalization = ["California", "Midwest"]` for columns with a hierarchy; `max_width = 20` or `cuts = [18, 65]` for
//! intervals. `level_weights = { 2 = 3.0 }` weighs the step from level 2 to level 1, the root.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::data::{Attribute, Boundary, Domain, Hierarchy, Kind, Numbers, Point, Step};
use crate::error::{Error, Place, Result, nearest};

/// How far a column may be generalized, as given: nodes of a hierarchy, or limits of intervals.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BoundarySpec {
    /// Labels of the nodes up to which values may be generalized.
    pub max_generalization: Option<Vec<String>>,
    /// Largest width of an interval; in days for dates, in seconds for timestamps.
    pub max_width: Option<f64>,
    /// Values no interval may reach across, as texts.
    pub cuts: Option<Vec<Scalar>>,
}

/// A number or a text of a job file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a text in quotes")]
pub enum Scalar {
    /// Such as `18`.
    Number(f64),
    /// Such as `"2020-01-01"`.
    Text(String),
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<f64> for Scalar {
    fn from(x: f64) -> Self {
        Self::Number(x)
    }
}

impl Scalar {
    /// As it could stand on the command line.
    pub fn text(&self) -> String {
        match self {
            Self::Number(x) => x.to_string(),
            Self::Text(t) => t.clone(),
        }
    }
}

impl BoundarySpec {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The keys that were said.
    pub fn keys(&self) -> Vec<&'static str> {
        let said = [
            ("max_generalization", self.max_generalization.is_some()),
            ("max_width", self.max_width.is_some()),
            ("cuts", self.cuts.is_some()),
        ];
        said.iter().filter(|(_, is)| *is).map(|(key, _)| *key).collect()
    }

    /// The boundary of this attribute; refuses what contradicts itself or the column.
    pub fn resolve(&self, attribute: &Attribute, snap: Option<Step>) -> Result<Option<Boundary>> {
        let place = |key: &str| Place::default().in_column(&attribute.name).key(key);
        let said = self.keys();
        let Some(&key) = said.first() else { return Ok(None) };
        if self.max_generalization.is_some() && said.len() > 1 {
            return Err(Error::job(format!("{} contradict each other", said.join(" and ")))
                .at(place(said[1]))
                .help("a column has a hierarchy, with nodes, or it becomes intervals: keep one of them"));
        }
        let boundary = match (&attribute.domain, &self.max_generalization) {
            (Domain::Tree(h), Some(labels)) => nodes(h, labels).map_err(|e| e.at(place(key)))?,
            (Domain::Interval(n), None) => {
                let cuts = self.cuts.as_deref().map(|cuts| places(n, cuts, snap)).transpose();
                let width = self.max_width.map(|width| widest(n, width, snap)).transpose();
                Boundary::Line {
                    cuts: cuts.map_err(|e| e.at(place("cuts")))?.unwrap_or_default(),
                    width: width.map_err(|e| e.at(place("max_width")))?,
                }
            }
            (Domain::Tree(_), None) => {
                return Err(Error::job("this column is generalized along a hierarchy, or was taken for a category")
                    .at(place(key))
                    .help("name the highest allowed nodes with ‹max-generalization›, or declare its type with ‹type›, such as integer"));
            }
            (Domain::Interval(_), Some(_)) => {
                return Err(Error::job("this column has no hierarchy: it becomes intervals")
                    .at(place(key))
                    .help("use ‹max-width› or ‹cuts›, or give it a hierarchy"));
            }
        };
        Ok(Some(boundary))
    }
}

fn nodes(h: &Hierarchy, labels: &[String]) -> Result<Boundary> {
    if labels.is_empty() {
        return Err(Error::job("no node is named").help("name at least one node, or omit the key"));
    }
    let mut marked = Vec::new();
    for label in labels {
        let node = match h.node(label) {
            Some(node) => node,
            // "Missing values stay missing" can be said of a column where none is.
            None if label.is_empty() && labels.len() > 1 => continue,
            None => return Err(unknown(h, label)),
        };
        if marked.contains(&node) {
            return Err(Error::job(format!("node '{label}' is named twice")).help("name it once"));
        }
        marked.push(node);
    }
    Ok(Boundary::Nodes(marked))
}

fn unknown(h: &Hierarchy, label: &str) -> Error {
    let labels: std::collections::BTreeSet<&str> = (0..h.root()).map(|n| h.label(n)).collect();
    let groups: Vec<&str> = (h.leaf_count()..h.len() as u32).rev().take(8).map(|n| h.label(n)).collect();
    let several = label.contains(',') && label.split(',').all(|part| labels.contains(part.trim()));
    if several {
        return Error::job(format!("the hierarchy has no node '{label}'"))
            .help("several nodes are a list: [\"…\", \"…\"] in a job file, one ‹max-generalization› per node otherwise");
    }
    let hint = nearest(label, labels).map_or_else(
        || format!("its groups are {}{}", groups.join(", "), if groups.len() == 8 { ", …" } else { "" }),
        |near| format!("did you mean '{near}'?"),
    );
    Error::job(format!("the hierarchy has no node '{label}'")).help(hint)
}

/// The width on the line of the column; it is given in days of dates and in seconds of timestamps.
fn widest(n: &Numbers, width: f64, snap: Option<Step>) -> Result<f64> {
    if !(width.is_finite() && width >= 0.0) {
        let unit = match n.kind() {
            Kind::Date => " days",
            Kind::Timestamp => " seconds",
            _ => "",
        };
        return Err(Error::job(format!("width {width}, expected a number of at least 0")).help(format!(
            "0 keeps every value as it is; the whole column has a width of {}{unit}",
            n.range() / n.unit()
        )));
    }
    let on_line = width * n.unit();
    if let Some(step) = snap.filter(|step| step.widest(n.kind()) > on_line) {
        return Err(Error::job(format!("intervals snapped to a grid of {step} are wider than {width}"))
            .help("use a finer grid or a larger width"));
    }
    Ok(on_line)
}

fn places(n: &Numbers, cuts: &[Scalar], snap: Option<Step>) -> Result<Vec<f64>> {
    if cuts.is_empty() {
        return Err(Error::job("no cut is named").help("name at least one, or omit the key"));
    }
    let mut found: Vec<f64> = Vec::new();
    for cut in cuts.iter().map(Scalar::text) {
        // A cut between two whole numbers is as good as one at a number.
        let is_number = matches!(n.kind(), Kind::Integer | Kind::Decimal);
        let number = || cut.parse().ok().filter(|x: &f64| x.is_finite() && is_number);
        let mut at = Point::parse(n.kind(), &cut).map(Point::position).or_else(number).ok_or_else(|| {
            Error::job(format!("cut '{cut}' is not of type {}", n.kind())).help(if is_number {
                "write it the way the values of the column are written"
            } else {
                "write it as dates are published: YYYY-MM-DD, and YYYY-MM-DDThh:mm:ss with a time of day"
            })
        })?;
        if found.last().is_some_and(|last| *last >= at) {
            return Err(Error::job(format!("cut {cut} does not come after the one before it"))
                .help("list the cuts from small to large, each once"));
        }
        if let Some(step) = snap {
            at = step.line(n.kind(), at).ok_or_else(|| {
                Error::job(match step {
                    Step::Number(_) => format!("cut {cut} is not a multiple of the grid of {step}"),
                    Step::Calendar(_) => format!("cut {cut} does not begin a step of the grid of {step}"),
                })
                .help("intervals snapped to the grid would reach across it: move the cut or the grid")
            })?;
        }
        found.push(at);
    }
    Ok(found)
}

/// Weights of the steps between the levels of a hierarchy, as given: by the lower level, where level 1 is the root.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelWeights(pub BTreeMap<String, f64>);

impl LevelWeights {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The weights by level; refuses levels the column does not have and weights below zero.
    pub fn resolve(&self, attribute: &Attribute) -> Result<Vec<(u32, f64)>> {
        let whole = || Place::default().in_column(&attribute.name).key("level_weights");
        let place = |level: &str| whole().and(format!("level {level}"));
        let levels = match &attribute.domain {
            Domain::Tree(h) => h.height() + 1,
            Domain::Interval(_) if self.0.is_empty() => return Ok(Vec::new()),
            Domain::Interval(_) => {
                return Err(Error::job("this column becomes intervals: it has no levels to weigh")
                    .at(whole())
                    .help("give it a hierarchy, or say weight = … for the column as a whole"));
            }
        };
        let mut weights = Vec::new();
        for (level, &weight) in &self.0 {
            let number = (2..=levels).find(|j| j.to_string() == *level);
            let j = number.ok_or_else(|| {
                Error::job(format!("there is no step from level '{level}' to the one above it"))
                    .at(place(level))
                    .help(format!(
                        "level 1 is the root and level {levels} holds the values: weigh 2 to {levels}"
                    ))
            })?;
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(Error::job(format!("weight {weight}, expected a number of at least 0"))
                    .at(place(level))
                    .help("0 makes the step free, larger weights make it dearer"));
            }
            weights.push((j, weight));
        }
        if !weights.is_empty() && (2..=levels).all(|j| weights.contains(&(j, 0.0))) {
            return Err(Error::job("all steps weigh 0: no distance is left to measure")
                .at(whole())
                .help("give one step a weight above 0, or say weight = 0 for the column"));
        }
        Ok(weights)
    }
}
