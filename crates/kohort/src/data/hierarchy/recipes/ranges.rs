//! Numbers in nested ranges of fixed width.
//!
//! Whole numbers get closed ranges, `[20, 29]`, because readers count the members; decimals get half-open ones,
//! `[20, 30[`, because nothing else leaves no gap. Which of the two is said, not found out: a label must not tell whether
//! somebody who was left out had half a year more.

use crate::data::{Hierarchy, ROOT_LABEL, plain_number};
use crate::error::{Error, Result};

use super::{below_root, misfits};

/// Beyond this a float no longer tells neighbouring integers apart.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Slack for quotients of widths such as 0.3 / 0.1.
const SLACK: f64 = 1e-9;

/// What a range must have room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeOf {
    /// Whole numbers; others are refused.
    Whole,
    /// Any numbers.
    Decimal,
}

impl RangeOf {
    /// The narrowest that has room for all values.
    pub fn values(values: &[String]) -> Self {
        let whole = values.iter().filter_map(|v| plain_number(v)).all(|x| x.fract() == 0.0);
        if whole { Self::Whole } else { Self::Decimal }
    }
}

/// Ranges of the given widths, each a multiple of the one before, that start at `origin`. Where width or origin are not
/// whole, ranges are those of decimals.
///
/// ```
/// use kohort::data::recipes::{RangeOf, ranges};
/// let h = ranges("age", &["37".into(), "4".into()], &[5.0, 10.0], 0.0, RangeOf::Whole)?;
/// assert_eq!(h.path(h.leaf("37").unwrap()), ["37", "[35, 39]", "[30, 39]", "*"]);
/// # Ok::<(), kohort::Error>(())
/// ```
pub fn ranges(name: &str, values: &[String], widths: &[f64], origin: f64, of: RangeOf) -> Result<Hierarchy> {
    let factors = factors(widths, origin).map_err(|e| e.in_hierarchy_of(name))?;
    let number =
        |v: &String| plain_number(v).filter(|x| ((x - origin) / widths[0]).abs() < EXACT && x.abs() < EXACT);
    let odd: Vec<&str> =
        values.iter().filter(|v| !v.is_empty() && number(v).is_none()).map(String::as_str).collect();
    if !odd.is_empty() {
        return Err(misfits(name, &odd, "numbers of usual size")
            .help("ranges need numbers; use a mask, a file or a balanced tree for words"));
    }
    let mut sorted: Vec<(f64, &String)> = values.iter().filter_map(|v| Some((number(v)?, v))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
    let integers = of == RangeOf::Whole && widths.iter().chain([&origin]).all(|x| x.fract() == 0.0);
    let between: Vec<&str> =
        sorted.iter().filter(|(x, _)| integers && x.fract() != 0.0).map(|(_, v)| v.as_str()).collect();
    if !between.is_empty() {
        return Err(misfits(name, &between, "whole numbers").help(
            "declare the column as decimal; its ranges are then written like [20, 30[, with room for 29.5",
        ));
    }
    let grid = Grid {
        width: widths[0],
        factors,
        origin,
        integers,
        decimals: decimals(widths[0]).max(decimals(origin)),
    };
    let missing = values.iter().filter(|v| v.is_empty()).map(|v| below_root(v));
    Hierarchy::from_paths(name, sorted.into_iter().map(|(x, v)| grid.path(x, v)).chain(missing))
}

/// How many of the finest ranges make one range of each level.
fn factors(widths: &[f64], origin: f64) -> Result<Vec<i64>> {
    let help = "give widths from fine to coarse, each a multiple of the one before, such as 5, 10, 20";
    let Some(&finest) = widths.first() else {
        return Err(Error::job("ranges need at least one width, none given").help(help));
    };
    if !origin.is_finite() || !widths.iter().all(|w| w.is_finite() && *w > 0.0 && w / finest < 1e12) {
        return Err(Error::job(format!("widths must be positive numbers, {widths:?} given")).help(help));
    }
    for pair in widths.windows(2) {
        let times = pair[1] / pair[0];
        if times.round() < 2.0 || (times - times.round()).abs() > SLACK {
            let what = format!("width {} is not a multiple of the width {} before it", pair[1], pair[0]);
            return Err(Error::job(what).help(help));
        }
    }
    Ok(widths.iter().map(|w| (w / finest).round() as i64).collect())
}

/// Digits behind the point that the number needs.
fn decimals(x: f64) -> usize {
    x.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

struct Grid {
    width: f64,
    factors: Vec<i64>,
    origin: f64,
    integers: bool,
    decimals: usize,
}

impl Grid {
    /// All levels derive from the finest cell, so they nest whatever floats do.
    fn path(&self, x: f64, value: &str) -> Vec<String> {
        let cell = self.cell(x);
        let groups = self.factors.iter().map(|&factor| self.label(cell.div_euclid(factor), factor));
        std::iter::once(value.to_owned()).chain(groups).chain([ROOT_LABEL.to_owned()]).collect()
    }

    /// The finest range that holds the number according to its published bounds: 0.3 / 0.1 must not decide.
    fn cell(&self, x: f64) -> i64 {
        let mut cell = ((x - self.origin) / self.width).floor() as i64;
        while x < self.bound(cell) {
            cell -= 1;
        }
        while x >= self.bound(cell + 1) {
            cell += 1;
        }
        cell
    }

    /// Where the cell starts, as a reader of the label understands it.
    fn bound(&self, cell: i64) -> f64 {
        let text = self.text(cell);
        text.parse().unwrap_or(f64::NAN)
    }

    fn text(&self, cell: i64) -> String {
        let text = format!("{:.1$}", self.origin + cell as f64 * self.width, self.decimals);
        // Floats know a negative zero, readers do not.
        match text.strip_prefix('-') {
            Some(zero) if zero.bytes().all(|b| matches!(b, b'0' | b'.')) => zero.to_owned(),
            _ => text,
        }
    }

    fn label(&self, group: i64, factor: i64) -> String {
        let (low, high) = (group * factor, (group + 1) * factor);
        if self.integers {
            return format!("[{}, {:.0}]", self.text(low), self.bound(high) - 1.0 + 0.0);
        }
        format!("[{}, {}[", self.text(low), self.text(high))
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{holds, path, strings};
    use super::*;

    #[test]
    fn integers_are_closed_and_nest() {
        let values = strings(-50..150);
        let h = ranges("age", &values, &[5.0, 10.0, 20.0], 0.0, RangeOf::Whole).unwrap();
        holds(&h, &values);
        assert_eq!(path(&h, "39"), ["39", "[35, 39]", "[30, 39]", "[20, 39]", "*"]);
        assert_eq!(path(&h, "-1"), ["-1", "[-5, -1]", "[-10, -1]", "[-20, -1]", "*"]);
        let h = ranges("age", &strings([17, 18]), &[10.0], 18.0, RangeOf::Whole).unwrap();
        assert_eq!(path(&h, "17"), ["17", "[8, 17]", "*"]);
    }

    #[test]
    fn decimals_are_half_open_and_exact_on_the_bounds() {
        let values = strings(["0.3", "0.29", "2", "-0.1", ""]);
        let h = ranges("dose", &values, &[0.1, 0.5], 0.0, RangeOf::Whole).unwrap();
        holds(&h, &values);
        assert_eq!(path(&h, "0.3"), ["0.3", "[0.3, 0.4[", "[0.0, 0.5[", "*"]);
        assert_eq!(path(&h, "0.29")[1], "[0.2, 0.3[");
        assert_eq!(path(&h, "-0.1"), ["-0.1", "[-0.1, 0.0[", "[-0.5, 0.0[", "*"]);
        assert_eq!(path(&h, ""), ["", "*"]);
    }

    #[test]
    fn every_value_lies_in_its_labels() {
        let values = strings((0..2000).map(|i| f64::from(i) * 0.037 - 20.0));
        let h = ranges("x", &values, &[0.25, 1.0, 5.0], 0.1, RangeOf::Decimal).unwrap();
        holds(&h, &values);
        for leaf in 0..h.leaf_count() {
            let x: f64 = h.label(leaf).parse().unwrap();
            let path = h.path(leaf);
            let groups = path[1..path.len() - 1].iter().map(|l| crate::data::RangeLabel::parse(l).unwrap());
            assert!(groups.into_iter().all(|r| r.contains(x)), "{path:?}");
        }
    }

    #[test]
    fn widths_that_do_not_nest_and_words_are_refused() {
        for widths in [&[][..], &[0.0], &[5.0, 12.0], &[10.0, 5.0], &[5.0, 5.0], &[f64::NAN]] {
            assert!(
                matches!(ranges("age", &strings([1]), widths, 0.0, RangeOf::Whole), Err(Error::Job(_))),
                "{widths:?}"
            );
        }
        let e = ranges("age", &strings(["1", "old", "1e300"]), &[5.0], 0.0, RangeOf::Whole)
            .unwrap_err()
            .to_string();
        assert!(e.contains("2 values are not numbers") && e.contains("'old'"), "{e}");
    }

    /// How a range is written is a matter of what was said, whoever is in the table.
    #[test]
    fn one_decimal_among_whole_numbers_changes_no_label() {
        let of = |values: &[&str], of| ranges("age", &strings(values), &[10.0], 0.0, of);
        assert_eq!(path(&of(&["30", "31.0"], RangeOf::Whole).unwrap(), "30")[1], "[30, 39]");
        for values in [&["30", "31"][..], &["30", "31.5"]] {
            assert_eq!(path(&of(values, RangeOf::Decimal).unwrap(), "30")[1], "[30, 40[");
        }
        let refused = of(&["30", "31.5"], RangeOf::Whole).unwrap_err().to_string();
        assert!(
            refused.contains("1 value is not whole numbers") && refused.contains("as decimal"),
            "{refused}"
        );
    }
}
