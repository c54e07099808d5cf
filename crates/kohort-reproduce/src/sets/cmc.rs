//! UCI Contraceptive Method Choice, which is not part of the project.

use std::path::Path;

use kohort::Result;
use kohort::data::Hierarchy;
use kohort::data::recipes::{RangeOf, ranges};
use kohort::input::Column;

use super::{Design, Set, known, read_columns};

/// All columns but the class.
const COLUMNS: [&str; 9] = [
    "WifeAge",
    "WifeEducation",
    "HusbandEducation",
    "NumberChildren",
    "WifeReligion",
    "WifeWorking",
    "HusbandOccupation",
    "SOLindex",
    "MediaExposure",
];

/// The table.
pub(crate) struct Cmc {
    columns: Vec<Column>,
}

impl Cmc {
    /// Reads it.
    pub(crate) fn open(file: &Path) -> Result<Self> {
        let file = known(file, "https://archive.ics.uci.edu/dataset/30/contraceptive+method+choice")?;
        let columns = read_columns(file, &COLUMNS).map_err(|e| {
            e.help("use UCI Contraceptive Method Choice (https://archive.ics.uci.edu/dataset/30/contraceptive+method+choice) with the header WifeAge,WifeEducation,HusbandEducation,NumberChildren,WifeReligion,WifeWorking,HusbandOccupation,SOLindex,MediaExposure,ContraceptiveMethod")
        })?;
        Ok(Self { columns })
    }

    /// All rows. Four grades become two halves, ages ranges of 5, 10 and 20 years, numbers of children ranges of 2, 4 and 8.
    pub(crate) fn whole(&self) -> Result<Set> {
        let tree = |column: &Column| -> Result<Hierarchy> {
            let (name, values) = (column.name.as_str(), &column.texts);
            match (name, values.len()) {
                ("WifeAge", _) => ranges(name, values, &[5.0, 10.0, 20.0], 15.0, RangeOf::Whole),
                ("NumberChildren", _) => ranges(name, values, &[2.0, 4.0, 8.0], 0.0, RangeOf::Whole),
                (_, 4) => ranges(name, values, &[2.0], 1.0, RangeOf::Whole),
                _ => Hierarchy::flat(name, values.iter().cloned()),
            }
        };
        let trees = self.columns.iter().map(tree).collect::<Result<_>>()?;
        let rows: Vec<usize> = (0..self.columns[0].codes.len()).collect();
        Set::of("CMC", &self.columns, &rows, Design { qi: &COLUMNS, trees, ..Design::default() })
    }
}
