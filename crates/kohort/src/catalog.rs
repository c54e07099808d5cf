//! All there is to choose from. Help texts, `list`, the documentation and every door read it from here, so that none of them
//! has a list of its own.

use serde::Serialize;

use crate::algorithm::{ALGORITHMS, AUTO, AlgorithmEntry, AutoEntry, INSERTION_RULES, InsertionRuleEntry};
use crate::demand::{MODELS, ModelEntry, NOTIONS, NotionEntry};
use crate::generate::{GENERATORS, Generator};
use crate::measure::{MEASURES, MeasureEntry};

/// Every list of the library.
///
/// ```
/// let listed = serde_json::to_value(&kohort::catalog::CATALOG)?;
/// assert_eq!(listed["measures"][0]["name"], "il");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Serialize)]
pub struct Catalog {
    /// What is chosen where no algorithm is named.
    pub auto: &'static AutoEntry,
    /// The algorithms.
    pub algorithms: &'static [AlgorithmEntry],
    /// How single rows can join the classes of a table that nobody has seen.
    pub insertion_rules: &'static [InsertionRuleEntry],
    /// What can be demanded of classes.
    pub models: &'static [&'static ModelEntry],
    /// What hiding among k can mean.
    pub notions: &'static [NotionEntry],
    /// What can be minimized and reported.
    pub measures: &'static [MeasureEntry],
    /// Tables that can be made up.
    pub generators: &'static [Generator],
}

/// All lists.
pub static CATALOG: Catalog = Catalog {
    auto: &AUTO,
    algorithms: ALGORITHMS,
    insertion_rules: INSERTION_RULES,
    models: MODELS,
    notions: NOTIONS,
    measures: MEASURES,
    generators: GENERATORS,
};
