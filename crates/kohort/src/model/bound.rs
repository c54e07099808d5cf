//! Demands bound to a table: only these can say that a class holds.

use std::sync::Arc;

use super::alpha_k::AlphaK;
use super::assignable::Assignable;
use super::beta_likeness::BetaLikeness;
use super::by_person::{OfPairs, ShareOfPeople};
use super::column_model::{ColumnModel, UNIT};
use super::delta_disclosure::DeltaDisclosure;
use super::distinct_l::DistinctL;
use super::entropy_l::EntropyL;
use super::p_sensitive::{Kinds, PSensitive};
use super::present::OfPresent;
use super::recursive_l::RecursiveL;
use super::t_closeness::{Closeness, TCloseness};
use super::{Distribution, Tally, ValueCounts};
use crate::data::{Coding, Pairs, Sensitive, Table};
use crate::demand::{Demands, Model};
use crate::error::Result;

/// All demands of a job on the classes of a table; a class must satisfy every one.
///
/// A class is counted by a [`Tally`] with one entry per sensitive column that a demand looks at ([`Self::columns`]). A tally of
/// any other shape satisfies nothing.
///
/// Where it is known whose row is whose ([`Table::by_person`]), every demand counts people, and k asks for so many of them: that is
/// a number of different values of the column of people, which is one of the columns then.
#[derive(Debug, Clone)]
pub struct BoundDemands {
    demands: Demands,
    k: u32,
    columns: Vec<BoundColumn>,
}

/// How many items are looked at first where some may tell.
const SOME: usize = 64;

/// The place of what is asked of a column of people: it is k itself, and no demand of its own.
const OF_PEOPLE: usize = usize::MAX;

/// A sensitive column that some demand looks at.
#[derive(Debug, Clone)]
pub struct BoundColumn {
    /// Its place among the sensitive columns of the table.
    pub at: usize,
    /// All but its rows.
    column: Arc<Sensitive>,
    kinds: Kinds,
    table: Arc<Distribution>,
    /// What is asked of it: the place of each demand in the list, and its model.
    models: Vec<(usize, Arc<dyn ColumnModel>)>,
    /// The most different values that one of them asks for.
    values: u32,
    /// The p of p-sensitivity, where it was asked for.
    p: Option<u32>,
}

impl Demands {
    /// The same demands on the classes of a table: some compare classes with it. Rows that are published as they are do
    /// not count. Refuses demands on columns that the table does not have as sensitive ones.
    pub fn bind(&self, table: &Table) -> Result<BoundDemands> {
        self.bind_compared(table, |column| Distribution::new(table, column))
    }

    /// The same for a part of a table: `of_whole` says how often each value of a sensitive column occurs in the whole of it.
    pub fn bind_compared(
        &self,
        table: &Table,
        of_whole: impl Fn(&Sensitive) -> Distribution,
    ) -> Result<BoundDemands> {
        let of_people = |s: &Sensitive| s.coding == Coding::People;
        self.check_columns(table.sensitive.iter().filter(|s| !of_people(s)).map(|s| s.name.as_str()))?;
        let asked = |(_, s): &(usize, &Sensitive)| of_people(s) || self.of(&s.name).next().is_some();
        let columns = table.sensitive.iter().enumerate().filter(asked);
        let bound = |(at, s): (usize, &Sensitive)| BoundColumn::new(self, of_whole(s), at, s);
        let columns = columns.map(bound).collect::<Result<_>>()?;
        Ok(BoundDemands { demands: self.clone(), k: self.k(), columns })
    }
}

impl BoundColumn {
    fn new(demands: &Demands, of_whole: Distribution, at: usize, column: &Sensitive) -> Result<Self> {
        if column.coding == Coding::People {
            return Ok(Self::of_people(demands.k(), of_whole, at, column));
        }
        let mut bound = Self {
            at,
            column: Arc::new(described(column)),
            kinds: Kinds::new(column.kinds.clone(), column.missing),
            table: Arc::new(of_whole),
            models: Vec::new(),
            values: demands.of(&column.name).map(Model::different_values).max().unwrap_or(1),
            p: demands.asked_p(&column.name),
        };
        for (place, demand) in demands.iter().enumerate().filter(|(_, d)| d.is_about(&column.name)) {
            bound.models.extend(bound.model(&demand.model, column)?.map(|model| (place, model)));
        }
        Ok(bound)
    }

    /// The column of people: a class has at least k of them.
    fn of_people(k: u32, of_whole: Distribution, at: usize, column: &Sensitive) -> Self {
        Self {
            at,
            column: Arc::new(described(column)),
            kinds: Kinds::default(),
            table: Arc::new(of_whole),
            models: vec![(OF_PEOPLE, Arc::new(DistinctL { l: k, values: Kinds::default() }))],
            values: k,
            p: None,
        }
    }

    /// The model as the search asks it; none where it does not look at values.
    fn model(&self, model: &Model, column: &Sensitive) -> Result<Option<Arc<dyn ColumnModel>>> {
        let table = || self.table.clone();
        Ok(Some(match *model {
            Model::KAnonymity { .. } => return Ok(None),
            Model::PSensitive { p } => self.p_sensitive(p),
            Model::DistinctL { l } => self.distinct(l),
            Model::EntropyL { l } => self.of_present(EntropyL { l }),
            Model::RecursiveL { c, l } => self.of_present(RecursiveL { c, l }),
            Model::AlphaK { alpha } => match self.pairs() {
                None => self.of_present(AlphaK { alpha }),
                Some(pairs) => {
                    Arc::new(ShareOfPeople { alpha, pairs: pairs.clone(), missing: self.column.missing })
                }
            },
            Model::TCloseness { t, ground } => {
                let to = Closeness::new(column, table(), column.ground.unwrap_or(ground))?;
                self.of_values(Arc::new(TCloseness { t, to }))
            }
            Model::BetaLikeness { beta } => self.of_values(Arc::new(BetaLikeness { beta, table: table() })),
            Model::DeltaDisclosure { delta } => {
                self.of_values(Arc::new(DeltaDisclosure { delta, table: table() }))
            }
        }))
    }

    fn p_sensitive(&self, p: u32) -> Arc<dyn ColumnModel> {
        let kinds = self.kinds.clone();
        match self.pairs().cloned() {
            None => Arc::new(PSensitive { p, kinds }),
            Some(pairs) => Arc::new(Assignable { least: p, pairs, kinds, way_out: |n| format!("p ≤ {n}") }),
        }
    }

    fn distinct(&self, l: u32) -> Arc<dyn ColumnModel> {
        let values = self.values_alone();
        match self.pairs().cloned() {
            None => Arc::new(DistinctL { l, values }),
            Some(pairs) => Arc::new(Assignable {
                least: l,
                pairs,
                kinds: values,
                way_out: |n| format!("distinct:{n} or less"),
            }),
        }
    }

    /// What the codes stand for, where they are pairs.
    fn pairs(&self) -> Option<&Arc<Pairs>> {
        match &self.column.coding {
            Coding::Pairs(pairs) => Some(pairs),
            Coding::Values | Coding::People => None,
        }
    }

    /// A model that looks at values.
    fn of_values(&self, model: Arc<dyn ColumnModel>) -> Arc<dyn ColumnModel> {
        match self.pairs().cloned() {
            None => model,
            Some(pairs) => Arc::new(OfPairs { pairs, model }),
        }
    }

    /// Every value as a kind of its own.
    fn values_alone(&self) -> Kinds {
        Kinds::none_protected(self.column.missing)
    }

    /// A model of shares: missing values have none.
    fn of_present(&self, model: impl ColumnModel + 'static) -> Arc<dyn ColumnModel> {
        self.of_values(match self.column.missing {
            None => Arc::new(model),
            Some(missing) => Arc::new(OfPresent { missing, model: Arc::new(model) }),
        })
    }

    /// The same with the demands of a smaller k.
    fn with_k(&self, demands: &Demands, smaller: u32) -> Self {
        let lowered = |(place, model): &(usize, Arc<dyn ColumnModel>)| {
            let model: Arc<dyn ColumnModel> = match demands.iter().nth(*place).map(|d| d.model) {
                _ if *place == OF_PEOPLE => Arc::new(DistinctL { l: smaller, values: Kinds::default() }),
                Some(Model::PSensitive { p }) => self.p_sensitive(p),
                Some(Model::DistinctL { l }) => self.distinct(l),
                // The others do not know k.
                _ => model.clone(),
            };
            (*place, model)
        };
        Self {
            models: self.models.iter().map(lowered).collect(),
            values: self.values.min(smaller),
            p: self.p.map(|p| p.min(smaller)),
            ..self.clone()
        }
    }

    /// What p counts of a value: the protected part of the hierarchy it belongs to, or itself; [`NO_VALUE`](super::NO_VALUE)
    /// where it is missing and counts for nothing.
    pub fn kind(&self, code: u32) -> u32 {
        self.kinds.of(self.value(code))
    }

    /// How many different kinds of values a class has.
    pub fn kinds(&self, class: &ValueCounts) -> usize {
        self.kinds.count(&self.values_of(class))
    }

    /// The value that a code stands for.
    pub(super) fn value(&self, code: u32) -> u32 {
        self.pairs().map_or(code, |pairs| pairs.value(code))
    }

    /// How often each value occurs in a class: of a person once.
    pub(super) fn values_of(&self, class: &ValueCounts) -> ValueCounts {
        match self.pairs() {
            None => class.clone(),
            Some(pairs) => ValueCounts::of(class.iter().map(|(code, _)| (pairs.value(code), 1)).collect()),
        }
    }

    /// The code of a value, of somebody who is in no class.
    pub(super) fn of_stranger(&self, value: u32) -> u32 {
        self.pairs().map_or(value, |pairs| pairs.of_stranger(value))
    }

    /// Whether a class has this value of this person already.
    pub(super) fn is_had(&self, class: &ValueCounts, code: u32) -> bool {
        self.pairs().is_some() && class.count(code) > 0
    }

    /// Whether its codes stand for people.
    pub fn is_people(&self) -> bool {
        self.column.coding == Coding::People
    }

    /// How many different values are asked for by their number; 1 where none are.
    pub fn values(&self) -> u32 {
        self.values
    }

    /// The p of p-sensitivity, where it was asked for.
    pub fn p(&self) -> Option<u32> {
        self.p
    }

    /// How many codes of values it has.
    pub(super) fn codes(&self) -> usize {
        self.pairs().map_or(self.column.distinct, |pairs| pairs.values()) as usize
    }

    /// The column without its rows.
    pub fn column(&self) -> &Sensitive {
        &self.column
    }

    /// The values of the whole table.
    pub fn table(&self) -> &Distribution {
        &self.table
    }

    fn suits(&self, class: &ValueCounts) -> bool {
        self.models.iter().all(|(_, model)| model.holds(class))
    }

    pub(super) fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        self.models.iter().map(|(_, model)| model.gain(class, code)).sum()
    }

    /// How far the values of a class are from satisfying the models.
    pub(super) fn lack(&self, class: &ValueCounts) -> u64 {
        self.models.iter().map(|(_, model)| model.lack(class)).sum()
    }

    /// What the demand at this place in the list asks of the column.
    pub(super) fn model_at(&self, place: usize) -> Option<&dyn ColumnModel> {
        self.models.iter().find(|(at, _)| *at == place).map(|(_, model)| model.as_ref())
    }
}

/// A column without its rows and texts.
fn described(column: &Sensitive) -> Sensitive {
    Sensitive {
        name: column.name.clone(),
        distinct: column.distinct,
        kinds: column.kinds.clone(),
        ranks: column.ranks.clone(),
        tree: column.tree.clone(),
        leaf_of: column.leaf_of.clone(),
        ground: column.ground,
        missing: column.missing,
        coding: column.coding.clone(),
        ..Sensitive::default()
    }
}

impl BoundDemands {
    /// What was asked.
    pub fn demands(&self) -> &Demands {
        &self.demands
    }

    /// The sensitive columns that a demand looks at, in the order of the table.
    pub fn columns(&self) -> &[BoundColumn] {
        &self.columns
    }

    /// An empty class.
    pub fn empty_class(&self) -> Tally {
        Tally::new(self.columns.len())
    }

    /// The sensitive codes of a row of the table that are looked at.
    pub(super) fn codes_of<'a>(&'a self, table: &'a Table, row: u32) -> impl Iterator<Item = u32> + 'a {
        self.columns.iter().map(move |c| table.sensitive[c.at].codes.get(row as usize))
    }

    /// The same demands with a smaller k, and numbers of values that still fit.
    #[must_use]
    pub fn with_k(&self, smaller: u32) -> Self {
        let demands = self.demands.with_k(smaller);
        let columns = self.columns.iter().map(|c| c.with_k(&demands, smaller)).collect();
        Self { k: demands.k(), demands, columns }
    }

    /// The smallest class size asked for.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The number of different values asked for, in the column of which most are.
    pub fn p(&self) -> u32 {
        let of_values = self.columns.iter().filter(|column| !column.is_people());
        of_values.map(BoundColumn::values).max().unwrap_or(1)
    }

    /// Whether any demand looks at sensitive values.
    pub fn need_sensitive(&self) -> bool {
        !self.columns.is_empty()
    }

    /// The column that says whose row is whose, where that is known: its place among [`Self::columns`].
    pub fn people(&self) -> Option<usize> {
        self.columns.iter().position(BoundColumn::is_people)
    }

    /// Whether classes that satisfy the demands still do when they are merged. Where people have several rows, somebody can be
    /// in both classes, and what was a share of each need not be one of the union.
    pub fn survive_merging(&self) -> bool {
        self.survive_adding_rows() || self.people().is_none()
    }

    /// Whether rows can be added to any class without a check.
    pub fn survive_adding_rows(&self) -> bool {
        self.demands.survive_adding_rows()
    }

    /// Whether the models ask only how often values occur in a class, not which they are.
    pub(super) fn look_at_frequencies_alone(&self) -> bool {
        self.demands.iter().all(|d| d.model.entry().looks_at_frequencies_alone)
    }

    /// Whether a class with this content satisfies all demands.
    pub fn hold(&self, class: &Tally) -> bool {
        class.rows() >= u64::from(self.k)
            && class.columns().len() == self.columns.len()
            && self.columns.iter().zip(class.columns()).all(|(column, counts)| column.suits(counts))
    }

    /// Whether some rows together satisfy all demands, given as items with numbers of rows and `code(column, item)`. Where
    /// rows can be added without a check, some of them tell, and the others are not even listed.
    pub fn hold_together<T: Copy>(
        &self,
        mut items: impl Iterator<Item = (T, u32)>,
        code: impl Fn(usize, T) -> u32,
    ) -> bool {
        let mut listed = Vec::new();
        let mut next = if self.survive_adding_rows() { SOME.max(4 * self.k as usize) } else { usize::MAX };
        loop {
            let before = listed.len();
            listed.extend(items.by_ref().take(next - before));
            let holds = || self.hold(&Tally::gather(self.columns.len(), &listed, &code));
            if listed.len() < next {
                return holds();
            }
            if holds() {
                return true;
            }
            next = next.saturating_mul(8);
        }
    }

    /// By how much one more row with these sensitive codes lowers what a class lacks of diversity, over all columns.
    /// Diversity is chased only while it is missing (`algorithms.md` §2.1).
    pub fn gain(&self, class: &Tally, sensitive: impl IntoIterator<Item = u32>) -> i64 {
        let columns = self.columns.iter().zip(class.columns()).zip(sensitive);
        columns.map(|((column, counts), code)| column.gain(counts, code)).sum()
    }

    /// How far a class is from satisfying the models; 0 when it does. A missing row or value counts 2²⁰, what is
    /// measured in shares or distances a part of it.
    pub fn deficit(&self, class: &Tally) -> u64 {
        let rows = u64::from(self.k).saturating_sub(class.rows()) * UNIT;
        rows + self.diversity_deficit(class)
    }

    /// The same but for the number of rows.
    pub fn diversity_deficit(&self, class: &Tally) -> u64 {
        let unseen = self.columns.len().abs_diff(class.columns().len()) as u64 * UNIT;
        let lacks = self.columns.iter().zip(class.columns()).map(|(column, counts)| column.lack(counts));
        unseen + lacks.sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demand::Demand;

    fn table(columns: &[(&str, &[u32])]) -> Table {
        let column = |&(name, codes): &(&str, &[u32])| Sensitive {
            name: name.into(),
            distinct: codes.iter().max().map_or(0, |c| c + 1),
            codes: codes.iter().copied().collect(),
            ..Sensitive::default()
        };
        Table {
            rows: columns[0].1.len(),
            sensitive: columns.iter().map(column).collect(),
            ..Table::default()
        }
    }

    #[test]
    fn gain_counts_only_what_is_still_missing() {
        let table = table(&[("a", &[0, 1, 2]), ("b", &[0, 0, 1])]);
        let demands = Demands::new(3, Some(2)).unwrap().bind(&table).unwrap();
        let mut class = demands.empty_class();
        class.add([0, 0], 1);
        class.add([1, 0], 1);
        assert_eq!(demands.gain(&class, [2, 0]), 0);
        assert_eq!(demands.gain(&class, [2, 1]), UNIT.cast_signed());
        assert!(!demands.hold(&class));
        class.add([0, 1], 1);
        assert!(demands.hold(&class));
    }

    /// A class of which the values were not counted, or of too few columns, satisfies nothing.
    #[test]
    fn what_was_not_counted_does_not_hold() {
        let table = table(&[("a", &[0, 1, 0, 1]), ("b", &[0, 0, 1, 1])]);
        let options = [
            ("p", "2"),
            ("l-diversity", "distinct:2"),
            ("l-diversity", "entropy:2"),
            ("l-diversity", "recursive:3,2"),
            ("alpha", "0.9"),
            ("t-closeness", "0.9"),
            ("beta-likeness", "9"),
            ("delta-disclosure", "9"),
        ];
        for (option, text) in options {
            let demand = Demand::read(option, text).unwrap();
            let demands = Demands::new(2, None).unwrap().and(demand).unwrap().bind(&table).unwrap();
            for columns in [0, 1, 3] {
                let mut class = Tally::new(columns);
                for code in [0, 1, 1, 0] {
                    class.add(vec![code; columns], 1);
                }
                assert!(!demands.hold(&class) && demands.deficit(&class) > 0, "{option} {text}, {columns}");
            }
            let mut full = Tally::new(2);
            for codes in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                full.add(codes, 1);
            }
            assert!(demands.hold(&full) && demands.deficit(&full) == 0, "{option} {text}");
        }
    }

    #[test]
    fn a_demand_on_one_column_looks_at_that_one() {
        let table = table(&[("a", &[0, 0, 0]), ("b", &[0, 1, 2])]);
        let ask =
            |text| Demands::new(3, None).unwrap().and(Demand::read("l-diversity", text).unwrap()).unwrap();
        let demands = ask("distinct:3@b").bind(&table).unwrap();
        assert_eq!(demands.columns().iter().map(|c| c.at).collect::<Vec<_>>(), [1]);
        let mut class = demands.empty_class();
        (0..3).for_each(|row| class.add(demands.codes_of(&table, row), 1));
        assert!(demands.hold(&class));
        assert!(ask("distinct:3@c").bind(&table).is_err(), "there is no such column");
    }
}
