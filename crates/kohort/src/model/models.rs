//! All demands of a job at once.

use rustc_hash::FxHashSet;

use super::closeness::Closeness;
use super::diversity::{entropy, is_entropy_diverse, largest_share, recursive_ratio};
use super::{Tally, ValueCounts};
use crate::data::{Ground, Sensitive, Table};
use crate::demand::{Demands, Model};
use crate::error::Result;

/// A whole value or row that is lacking, in the fixed point of [`Models::deficit`].
const WHOLE: u64 = 1 << 20;

/// All demands of a job, for the search; a class must satisfy every one.
#[derive(Debug, Clone, PartialEq)]
pub struct Models {
    demands: Demands,
    /// What is known of the sensitive columns of a table; empty until [`Models::about`] has seen one.
    columns: Vec<Outlook>,
}

/// What models must know of a sensitive column beyond the class they look at.
#[derive(Debug, Clone, PartialEq)]
struct Outlook {
    kinds: Vec<u32>,
    codes: usize,
    closeness: Closeness,
}

impl From<Demands> for Models {
    fn from(demands: Demands) -> Self {
        Self { demands, columns: Vec::new() }
    }
}

impl From<Vec<Model>> for Models {
    fn from(demands: Vec<Model>) -> Self {
        Demands::from(demands).into()
    }
}

impl Models {
    /// k-anonymity and, when `p` is given, p-sensitivity: [`Demands::new`].
    pub fn new(k: u32, p: Option<u32>) -> Result<Self> {
        Demands::new(k, p).map(Self::from)
    }

    /// One demand more: [`Demands::and`].
    pub fn and(self, model: Model) -> Result<Self> {
        Ok(Self { demands: self.demands.and(model)?, ..self })
    }

    /// What was asked.
    pub fn demands(&self) -> &Demands {
        &self.demands
    }

    /// The same demands on the classes of a table: some compare classes with it. Rows that are published as they are do
    /// not count.
    pub fn about(&self, table: &Table) -> Result<Self> {
        let ground = self.demands.ground();
        let outlook = |s: &Sensitive| {
            let mut counts = vec![0; s.distinct as usize];
            for (row, code) in s.codes.iter().enumerate() {
                counts[code as usize] += u64::from(!table.is_verbatim(row));
            }
            let ground =
                if ground.is_some() { s.ground.or(ground).unwrap_or_default() } else { Ground::Equal };
            let closeness = Closeness::new(s, counts, ground)?;
            Ok(Outlook { kinds: s.kinds.clone(), codes: s.distinct as usize, closeness })
        };
        let columns = table.sensitive.iter().map(outlook).collect::<Result<_>>()?;
        Ok(Self { demands: self.demands.clone(), columns })
    }

    /// The same demands with a smaller k, and numbers of values that still fit.
    #[must_use]
    pub fn with_k(&self, smaller: u32) -> Self {
        Self { demands: self.demands.with_k(smaller), columns: self.columns.clone() }
    }

    /// The single demands.
    pub fn iter(&self) -> impl Iterator<Item = &Model> {
        self.demands.iter()
    }

    /// The smallest class size asked for.
    pub fn k(&self) -> u32 {
        self.demands.k()
    }

    /// The number of different sensitive values asked for.
    pub fn p(&self) -> u32 {
        self.demands.p()
    }

    /// The p of p-sensitivity, where it was asked for.
    pub fn asked_p(&self) -> Option<u32> {
        self.demands.asked_p()
    }

    /// Whether a class with this content satisfies all demands.
    pub fn hold(&self, class: &Tally) -> bool {
        class.rows() >= u64::from(self.k())
            && class.columns().iter().enumerate().all(|(column, counts)| self.suits(column, counts))
    }

    /// Whether any demand looks at sensitive values.
    pub fn need_sensitive(&self) -> bool {
        self.demands.need_sensitive()
    }

    /// Whether rows can be added to any class without a check.
    pub fn survive_adding_rows(&self) -> bool {
        self.demands.survive_adding_rows()
    }

    /// Whether the models ask only how often values occur in a class, not which they are. (p may ask which are protected
    /// together; but who takes from the most frequent value keeps all values as long as any has two rows.)
    pub(super) fn look_at_frequencies_alone(&self) -> bool {
        !self.demands.iter().any(|m| matches!(m, Model::TCloseness { .. }))
    }

    /// What p counts of a value: the protected part of the hierarchy it belongs to, or itself.
    pub fn kind(&self, column: usize, code: u32) -> u32 {
        let kinds = self.columns.get(column).map_or(&[][..], |o| &o.kinds);
        // A value nobody has heard of is of a kind of its own.
        kinds.get(code as usize).copied().unwrap_or(if kinds.is_empty() { code } else { u32::MAX - code })
    }

    /// Whether some values of a column count as one for p.
    pub fn protects(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(|o| !o.kinds.is_empty())
    }

    /// How many different kinds of values a class has of a column.
    pub fn kinds(&self, column: usize, counts: &ValueCounts) -> usize {
        match self.columns.get(column) {
            Some(outlook) if !outlook.kinds.is_empty() => {
                counts.iter().map(|(code, _)| self.kind(column, code)).collect::<FxHashSet<_>>().len()
            }
            _ => counts.distinct(),
        }
    }

    /// How far a class's values of a column are from those of the table (t-closeness).
    pub fn distance(&self, column: usize, counts: &ValueCounts) -> f64 {
        self.columns.get(column).map_or(0.0, |o| o.closeness.distance(counts))
    }

    /// How many codes a column has.
    pub(super) fn codes(&self, column: usize) -> usize {
        self.columns.get(column).map_or(0, |o| o.codes)
    }

    /// Whether a class has less of a value than the table.
    pub(super) fn is_rarer(&self, column: usize, counts: &ValueCounts, code: u32) -> bool {
        self.columns.get(column).is_some_and(|o| o.closeness.is_rarer(counts, code))
    }

    fn suits(&self, column: usize, counts: &ValueCounts) -> bool {
        self.demands.iter().all(|m| self.meets(m, column, counts))
    }

    fn meets(&self, model: &Model, column: usize, counts: &ValueCounts) -> bool {
        match *model {
            Model::KAnonymity { .. } => true,
            Model::PSensitive { p } => self.kinds(column, counts) >= p as usize,
            Model::DistinctL { l } => counts.distinct() >= l as usize,
            Model::EntropyL { l } => is_entropy_diverse(counts, l),
            Model::RecursiveL { c, l } => recursive_ratio(counts, l) < c,
            Model::AlphaK { alpha } => largest_share(counts) <= alpha,
            Model::TCloseness { t, .. } => self.distance(column, counts) <= t,
        }
    }

    /// By how much one more row with these sensitive codes lowers what a class lacks of diversity, over all columns.
    /// Diversity is chased only while it is missing (`algorithms.md` §2.1).
    pub fn gain(&self, class: &Tally, sensitive: impl IntoIterator<Item = u32>) -> i64 {
        let brings = |(column, (counts, code)): (usize, (&ValueCounts, u32))| {
            let all = self.demands.iter().map(|m| self.brings(m, column, counts, code));
            all.sum::<i64>()
        };
        class.columns().iter().zip(sensitive).enumerate().map(brings).sum()
    }

    fn brings(&self, model: &Model, column: usize, counts: &ValueCounts, code: u32) -> i64 {
        let whole = WHOLE.cast_signed();
        match *model {
            Model::KAnonymity { .. } => 0,
            Model::PSensitive { p } => {
                let kind = self.kind(column, code);
                let lacks = self.kinds(column, counts) < p as usize;
                let new = || counts.iter().all(|(other, _)| self.kind(column, other) != kind);
                if lacks && new() { whole } else { 0 }
            }
            Model::DistinctL { l } => {
                if counts.distinct() < l as usize && counts.count(code) == 0 {
                    whole
                } else {
                    0
                }
            }
            _ => {
                let mut with = counts.clone();
                with.add(code, 1);
                self.lacks(model, column, counts).cast_signed()
                    - self.lacks(model, column, &with).cast_signed()
            }
        }
    }

    /// How far a class is from satisfying the models; 0 when it does. A missing row or value counts 2²⁰, what is
    /// measured in shares or distances a part of it.
    pub fn deficit(&self, class: &Tally) -> u64 {
        let rows = u64::from(self.k()).saturating_sub(class.rows()) * WHOLE;
        rows + self.diversity_deficit(class)
    }

    /// The same but for the number of rows.
    pub fn diversity_deficit(&self, class: &Tally) -> u64 {
        class.columns().iter().enumerate().map(|(column, counts)| self.lack(column, counts)).sum()
    }

    /// How far the values of one column are from satisfying the models.
    pub(super) fn lack(&self, column: usize, counts: &ValueCounts) -> u64 {
        self.demands.iter().map(|m| self.lacks(m, column, counts)).sum()
    }

    pub(super) fn lacks(&self, model: &Model, column: usize, counts: &ValueCounts) -> u64 {
        if self.meets(model, column, counts) {
            return 0;
        }
        let part = |x: f64| 1 + (x.max(0.0) * WHOLE as f64) as u64;
        match *model {
            Model::KAnonymity { .. } => 0,
            Model::PSensitive { p } => (u64::from(p) - self.kinds(column, counts) as u64) * WHOLE,
            Model::DistinctL { l } => (u64::from(l) - counts.distinct() as u64) * WHOLE,
            Model::EntropyL { l } => part(1.0 - entropy(counts) / l.ln()),
            Model::RecursiveL { c, l } => {
                let missing = u64::from(l).saturating_sub(counts.distinct() as u64);
                let ratio = recursive_ratio(counts, l);
                // The share of the class by which the most frequent value is too frequent.
                part(if ratio.is_finite() { largest_share(counts) * (1.0 - c / ratio) } else { 1.0 })
                    + missing * WHOLE
            }
            Model::AlphaK { alpha } => part(largest_share(counts) - alpha),
            Model::TCloseness { t, .. } => part(self.distance(column, counts) - t),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gain_counts_only_what_is_still_missing() {
        let models = Models::new(3, Some(2)).unwrap();
        let mut class = Tally::new(2);
        class.add([0, 0], 1);
        class.add([1, 0], 1);
        assert_eq!(models.gain(&class, [2, 0]), 0);
        assert_eq!(models.gain(&class, [2, 9]), WHOLE.cast_signed());
        assert!(!models.hold(&class));
        class.add([0, 9], 1);
        assert!(models.hold(&class));
    }
}
