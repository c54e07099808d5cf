//! What a generalized cell costs. Each measure is defined once, here, and serves twice: for the costs of the search
//! (fixed-point, weighted) and for the figures that are reported (plain numbers, unweighted).

mod gauge;
mod scale;
mod tree_costs;
mod weights;

use serde::{Deserialize, Serialize};

pub use gauge::Gauge;
pub use weights::whd;

use self::scale::scale;
use crate::data::{Attribute, AxisCost, Domain, SearchCosts, Table};
use crate::error::{Error, Result, Said, nearest, plain_speech};
use crate::parameter::{Accepts, Parameter, Range};

/// A way to put a number on what a generalized cell no longer tells.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Information loss of Byun et al. 2007, as Truta et al. 2008, Kabir et al. 2011 and Miller et al. 2008 use it: subtree height over tree height, width of an interval or a range label over range.
    Il,
    /// The LM measure of Gionis et al. 2008, eq. (4): how many of the values that occur in the table the cell leaves possible.
    Lm,
    /// The entropy measure of Gionis et al. 2008, eq. (3), in bits. Not monotone: a larger cell can have less entropy.
    Entropy,
    /// Weighted hierarchical distance of Li et al. 2006, Definition 5, with weights `1/(j-1)^beta`; 0 is uniform.
    Whd {
        /// How much more a step near the root costs.
        beta: f64,
    },
    /// Normalized certainty penalty: share of the declared leaves, or interval width over range.
    Ncp,
}

/// A measure with one line about it, for help texts.
#[derive(Serialize)]
pub struct MeasureEntry {
    /// The name in flags, job files and JSON.
    pub name: &'static str,
    /// What it counts: see [`MeasureEntry::about`].
    #[serde(serialize_with = "plain_speech")]
    about: &'static str,
    /// What can be set.
    pub settings: &'static [Parameter],
    /// The measure itself, from what was set.
    #[serde(skip)]
    make: fn(Option<f64>) -> Measure,
}

impl MeasureEntry {
    /// What it counts.
    pub fn about(&self) -> Said {
        self.about.into()
    }
}

/// How much more a step near the root costs.
const BETA: Parameter = Parameter {
    name: "beta",
    accepts: Accepts::Number { range: Range::at_least(0.0), default: Some(0.0) },
    about: "weight exponent: 0 weighs all steps alike, larger makes steps near the root dearer",
};

/// All measures, in the order in which they are listed.
pub static MEASURES: &[MeasureEntry] = &[
    MeasureEntry {
        name: "il",
        about: "information loss: subtree height / tree height, width of interval or range label / range (Byun et al. 2007)",
        settings: &[],
        make: |_| Measure::Il,
    },
    MeasureEntry {
        name: "lm",
        about: "share of the column's other values the cell leaves possible (Gionis et al. 2008)",
        settings: &[],
        make: |_| Measure::Lm,
    },
    MeasureEntry {
        name: "entropy",
        about: "bits of uncertainty about the value inside the cell (Gionis et al. 2008); not monotone",
        settings: &[],
        make: |_| Measure::Entropy,
    },
    MeasureEntry {
        name: "whd",
        about: "weighted hierarchical distance; ‹beta› makes steps near the root dearer (Li et al. 2006)",
        settings: &[BETA],
        make: |beta| Measure::Whd { beta: beta.unwrap_or(0.0) },
    },
    MeasureEntry {
        name: "ncp",
        about: "share of the hierarchy's leaves, interval width / range",
        settings: &[],
        make: |_| Measure::Ncp,
    },
];

impl Measure {
    /// The measure of this name; `beta` belongs to `whd`.
    pub fn parse(name: &str, beta: Option<f64>) -> Result<Self> {
        if let Some(beta) = beta
            && !BETA.accepts.admits(&beta.to_string())
        {
            return Err(Error::job(format!("beta = {beta}, expected {}", BETA.accepts))
                .option("beta")
                .help("0 weighs all steps alike; the papers use 0 and 1"));
        }
        let Some(entry) = MEASURES.iter().find(|entry| entry.name == name) else {
            let names: Vec<_> = MEASURES.iter().map(|m| m.name).collect();
            let hint = nearest(name, names.iter().copied())
                .map_or_else(|| format!("one of {}", names.join(", ")), |n| format!("did you mean '{n}'?"));
            return Err(Error::job(format!("there is no measure '{name}'")).option("measure").help(hint));
        };
        if beta.is_some() && entry.settings.is_empty() {
            return Err(Error::job(format!("beta belongs to the measure whd, but the measure is {name}"))
                .option("beta")
                .help("use ‹measure=whd›, or omit ‹beta›"));
        }
        Ok((entry.make)(beta))
    }

    /// The name in flags, job files and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Il => "il",
            Self::Lm => "lm",
            Self::Entropy => "entropy",
            Self::Whd { .. } => "whd",
            Self::Ncp => "ncp",
        }
    }

    /// Whether a larger cell never costs less.
    pub fn is_monotone(&self) -> bool {
        !matches!(self, Self::Entropy)
    }

    /// The cost tables of a table's quasi-identifiers for the search. Weights count relative to the largest, so that a
    /// cell never costs more than the measure's own maximum and codes stay within 32 bits.
    pub fn search_costs(&self, table: &Table) -> SearchCosts {
        let heaviest = table.qi.iter().map(|q| q.attribute.weight).fold(f64::MIN_POSITIVE, f64::max);
        self.costs(table, |attribute| attribute.weight / heaviest)
    }

    /// The same for what is reported, where all quasi-identifiers weigh alike.
    pub fn reported_costs(&self, table: &Table) -> SearchCosts {
        self.costs(table, |_| 1.0)
    }

    fn costs(&self, table: &Table, share: impl Fn(&Attribute) -> f64) -> SearchCosts {
        let weighed =
            |attribute: &Attribute| Weighed { gauge: Gauge::new(*self, attribute), share: share(attribute) };
        let columns: Vec<Weighed> = table.qi.iter().map(|q| weighed(&q.attribute)).collect();
        let scale = scale(columns.iter().filter_map(Weighed::steps));
        let suppressed =
            columns.iter().map(|column| (column.gauge.full() * f64::from(scale) + 0.5) as u32).collect();
        let axes = table.qi.iter().zip(columns).map(|(q, column)| column.axis_cost(&q.attribute, scale));
        SearchCosts { axes: axes.collect(), suppressed, monotone: self.is_monotone(), scale }
    }
}

/// A gauge, and how much its column counts beside the weightiest one.
struct Weighed {
    gauge: Gauge,
    share: f64,
}

impl Weighed {
    /// Of how many equal steps its costs are multiples; none where they are of no equal steps, or weighed.
    fn steps(&self) -> Option<u32> {
        self.gauge.steps().filter(|_| (self.share - 1.0).abs() < f64::EPSILON)
    }

    fn axis_cost(self, attribute: &Attribute, scale: u32) -> AxisCost {
        let Self { gauge, share } = self;
        // Rounds; nothing is below 0.
        let fixed = move |x: f64| (x * share * f64::from(scale) + 0.5) as u32;
        match &attribute.domain {
            Domain::Tree(h) => AxisCost::Nodes((0..h.len() as u32).map(|n| fixed(gauge.node(n))).collect()),
            Domain::Interval(_) => {
                AxisCost::of_intervals(attribute.code_count(), move |cell| fixed(gauge.cell(cell)))
            }
        }
    }
}
