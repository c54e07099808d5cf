//! t-closeness (Li, Li and Venkatasubramanian 2007).

use super::{Model, ModelEntry};
use crate::data::Ground;
use crate::error::Result;
use crate::parameter::{Accepts, Parameter, Range};

const DISTANCES: Range = Range::at_least(0.0).below(1.0);

const T: Parameter = Parameter {
    name: "t",
    accepts: Accepts::number(DISTANCES),
    about: "how far the values of a class may be distributed from those of the table",
};

const GROUND: Parameter = Parameter {
    name: "distance",
    accepts: Accepts::Choice { values: &["equal", "ordered", "hierarchical"], default: "equal" },
    about: "how far values are apart: 1 if different, by rank, or by their hierarchy",
};

pub(super) static ENTRY: ModelEntry = ModelEntry {
    name: "t-closeness",
    option: "t-closeness",
    form: "T[:DISTANCE]",
    title: "t-closeness",
    about: "the sensitive values of a class are distributed as in the whole table, up to T; DISTANCE says how far values are apart: equal (default), ordered, hierarchical",
    parameters: &[T, GROUND],
    survives_adding_rows: false,
    looks_at_frequencies_alone: false,
    compares_with_table: true,
    read,
};

/// `0.2`, `0.2:equal`, `0.2:ordered` or `0.2:hierarchical`.
fn read(text: &str) -> Result<Model> {
    let wrong = |what: String| {
        ENTRY.refuse(
            what,
            "write a number between 0 and 1, and how far values are apart: 0.2, 0.2:ordered or 0.2:hierarchical",
        )
    };
    let (number, ground) = text.split_once(':').unwrap_or((text, "equal"));
    let ground = [Ground::Equal, Ground::Ordered, Ground::Hierarchical]
        .into_iter()
        .find(|g| g.name() == ground.trim())
        .ok_or_else(|| wrong(format!("there is no distance '{}'", ground.trim())))?;
    let t = number.trim().parse::<f64>();
    match t.map_err(|_| wrong(format!("t = '{}' is not a number", number.trim())))? {
        t if DISTANCES.contains(t) => Ok(Model::TCloseness { t, ground }),
        t => Err(wrong(format!("t = {t}, expected at least 0 and less than 1"))),
    }
}
