//! All minimal full-domain solutions, as a table for people who want to choose themselves.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::{Error, Result, Said};

/// The minimal solutions of a full-domain job and the one that was taken, the best first.
#[derive(Debug, Clone, Default)]
pub struct Solutions {
    /// The quasi-identifiers.
    pub columns: Vec<String>,
    /// The measure of the job, by which they are sorted.
    pub measure: &'static str,
    /// Whether these are all minimal ones; not if time was up.
    pub complete: bool,
    /// What each of them is.
    pub list: Vec<SolutionFigures>,
}

/// One choice of levels, and what it loses.
#[derive(Debug, Clone, Serialize)]
pub struct SolutionFigures {
    /// One level per quasi-identifier.
    #[serde(skip)]
    pub levels: Vec<u32>,
    /// Whether it was taken.
    pub chosen: bool,
    /// Whether nothing less general would do.
    pub minimal: bool,
    /// Information loss per cell.
    pub il: f64,
    /// LM per cell.
    pub lm: f64,
    /// NCP per cell.
    pub ncp: f64,
    /// Entropy per cell.
    pub entropy: f64,
    /// Discernability.
    pub dm: u128,
    /// Normalized average class size.
    pub avg: f64,
    /// Published classes.
    pub classes: u64,
    /// Suppressed rows, those that lack a value included.
    pub suppressed: u64,
}

impl Solutions {
    /// How many minimal ones there are.
    pub fn minimal(&self) -> usize {
        self.list.iter().filter(|s| s.minimal).count()
    }

    /// The levels as `--levels` takes them.
    fn flag(&self, levels: &[u32]) -> String {
        let pairs = self.columns.iter().zip(levels).map(|(name, level)| format!("{name}={level}"));
        pairs.collect::<Vec<_>>().join(",")
    }

    /// What a person should hear about the list.
    pub fn note(&self, place: &Path) -> Said {
        let (n, place) = (self.minimal(), place.display());
        let all = match (n, self.complete) {
            (1, true) => "1 minimal solution is".to_owned(),
            (n, true) => format!("all {n} minimal solutions are"),
            (1, false) => "1 solution, found before time was up, is".to_owned(),
            (n, false) => format!("{n} solutions, found before time was up, are"),
        };
        Said::from(format!(
            "{all} listed in {place}, in the words of ‹levels›; keep the list to yourself: what would not do tells more about the table than the release"
        ))
    }

    /// Writes the list as JSON.
    pub fn json(&self, mut to: impl Write) -> Result<()> {
        let broken = |e: serde_json::Error| Error::internal(e.to_string());
        let one = |s: &SolutionFigures| {
            let mut object = Map::new();
            object.insert("levels".into(), json!(self.flag(&s.levels)));
            let by_column: Map<String, Value> =
                self.columns.iter().cloned().zip(s.levels.iter().map(|l| json!(l))).collect();
            object.insert("columns".into(), Value::Object(by_column));
            if let Value::Object(figures) = serde_json::to_value(s).map_err(broken)? {
                object.extend(figures);
            }
            Ok(Value::Object(object))
        };
        let list: Vec<Value> = self.list.iter().map(one).collect::<Result<_>>()?;
        let whole = json!({
            "document": "kohort full-domain solutions",
            "measure": self.measure,
            "complete": self.complete,
            "minimal": self.minimal(),
            "solutions": list,
        });
        let text = serde_json::to_string_pretty(&whole).map_err(broken)?;
        writeln!(to, "{text}").map_err(|e| Error::input(format!("cannot write: {e}")))
    }

    /// Writes the list as CSV.
    pub fn csv(&self, to: impl Write) -> Result<()> {
        let broken = |e: csv::Error| Error::input(format!("cannot write: {e}"));
        let mut out = csv::Writer::from_writer(to);
        let names = ["il", "lm", "ncp", "entropy", "dm", "avg", "classes", "suppressed"];
        let head = ["levels", "chosen", "minimal"].into_iter();
        out.write_record(head.chain(self.columns.iter().map(String::as_str)).chain(names)).map_err(broken)?;
        for s in &self.list {
            let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
            let mut record = vec![self.flag(&s.levels), yes(s.chosen), yes(s.minimal)];
            record.extend(s.levels.iter().map(u32::to_string));
            record.extend([s.il, s.lm, s.ncp, s.entropy].map(|x| format!("{x:.6}")));
            record.extend([s.dm.to_string(), format!("{:.6}", s.avg)]);
            record.extend([s.classes, s.suppressed].map(|n| n.to_string()));
            out.write_record(record).map_err(broken)?;
        }
        out.flush().map_err(|e| Error::input(format!("cannot write: {e}")))
    }
}
