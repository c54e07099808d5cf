//! The classes of a release: rows whose published quasi-identifiers read the same.

use rustc_hash::FxHashMap;

use crate::data::{Codes, ROOT_LABEL};
use crate::input::Column;
use crate::model::Tally;

/// Classes by published text, each with what the models ask of it.
pub(super) struct Classes {
    /// Per class: its texts (as codes, one per column) and its content.
    pub(super) found: Vec<(Box<[u32]>, Tally)>,
    /// Per row, its class; `None` when the row is suppressed.
    pub(super) of_row: Vec<Option<u32>>,
}

/// Groups rows by the texts of `qi`. Rows that are all `*` with every column of `rest` empty are suppressed rows, unless
/// `starred` denies it or other rows that are all `*` show something: then `*` is a class like any other.
pub(super) fn classes(
    rows: usize,
    qi: &[&Column],
    sensitive: &[&Column],
    rest: &[&Column],
    starred: Option<bool>,
) -> Classes {
    let mut number: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
    let mut classes = Classes { found: Vec::new(), of_row: Vec::with_capacity(rows) };
    let mut hidden = HiddenRow::new(qi, rest);
    hidden.possible &= starred.unwrap_or_else(|| !hidden.is_a_class(rows));
    let mut key = vec![0; qi.len()];
    for row in 0..rows {
        if hidden.is(row) {
            classes.of_row.push(None);
            continue;
        }
        for (k, column) in key.iter_mut().zip(qi) {
            *k = column.codes.get(row);
        }
        let class = if let Some(&class) = number.get(key.as_slice()) {
            class
        } else {
            let class = classes.found.len() as u32;
            number.insert(key.clone().into(), class);
            classes.found.push((key.clone().into(), Tally::new(sensitive.len())));
            class
        };
        classes.found[class as usize].1.add(sensitive.iter().map(|s| s.codes.get(row)), 1);
        classes.of_row.push(Some(class));
    }
    classes
}

/// Recognizes suppressed rows: nothing but `*` and emptiness.
struct HiddenRow<'a> {
    stars: Vec<(&'a Codes, u32)>,
    empties: Vec<(&'a Codes, u32)>,
    possible: bool,
}

impl<'a> HiddenRow<'a> {
    fn new(qi: &[&'a Column], rest: &[&'a Column]) -> Self {
        let code = |c: &&'a Column, text: &str| Some((&c.codes, c.texts.iter().position(|t| t == text)? as u32));
        // A column published as numbers has no `*`; its suppressed cells are empty.
        let star = |c: &&'a Column| code(c, ROOT_LABEL).or_else(|| code(c, ""));
        let stars: Vec<_> = qi.iter().filter_map(star).collect();
        let empties: Vec<_> = rest.iter().filter_map(|c| code(c, "")).collect();
        let possible = !rest.is_empty() && stars.len() == qi.len() && empties.len() == rest.len();
        Self { stars, empties, possible }
    }

    /// Whether some row is all `*` and yet shows something.
    fn is_a_class(&self, rows: usize) -> bool {
        let all = |of: &[(&Codes, u32)], row: usize| of.iter().all(|(codes, code)| codes.get(row) == *code);
        self.possible && (0..rows).any(|row| all(&self.stars, row) && !all(&self.empties, row))
    }

    fn is(&self, row: usize) -> bool {
        self.possible && self.stars.iter().chain(&self.empties).all(|(codes, code)| codes.get(row) == *code)
    }
}
