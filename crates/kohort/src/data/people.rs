//! Whose row is whose, where a person can have several rows.
//!
//! A search counts values of sensitive columns, class by class. To make it count people, it is given a table in which the
//! columns mean something else ([`Table::by_person`]): a value becomes a *pair*, this value of this person, so that a person who
//! has it in three rows has it once; and whose row it is becomes a column like any other.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Codes, Sensitive, Table};

/// One number per row: whose it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct People {
    /// One code per row, `0..count`.
    pub codes: Codes,
    /// How many people there are.
    pub count: u32,
}

impl People {
    /// Whose some rows are, in their order.
    #[must_use]
    pub fn of_rows(&self, rows: &[u32]) -> Self {
        Self { codes: rows.iter().map(|&row| self.codes.get(row as usize)).collect(), count: self.count }
    }
}

/// What the codes of a sensitive column stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Coding {
    /// A value each.
    #[default]
    Values,
    /// A value of a person each.
    Pairs(Arc<Pairs>),
    /// A person each.
    People,
}

/// Different values of different people, by code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairs {
    value_of: Vec<u32>,
    person_of: Vec<u32>,
    values: u32,
}

/// Whose a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// This person's.
    Known(u32),
    /// That of somebody of whom nothing else is known.
    Stranger(u32),
}

impl Pairs {
    /// Pairs by code; none where the lists differ in length or there are not so many `values`.
    pub fn new(value_of: Vec<u32>, person_of: Vec<u32>, values: u32) -> Option<Self> {
        let fits = value_of.len() == person_of.len() && value_of.iter().all(|&value| value < values);
        fits.then_some(Self { value_of, person_of, values })
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.value_of.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.value_of.is_empty()
    }

    /// How many codes of values there are.
    pub fn values(&self) -> u32 {
        self.values
    }

    /// The value of a pair.
    pub fn value(&self, code: u32) -> u32 {
        self.value_of.get(code as usize).copied().unwrap_or_else(|| code - self.value_of.len() as u32)
    }

    /// Whose it is.
    pub fn owner(&self, code: u32) -> Owner {
        self.person_of.get(code as usize).map_or(Owner::Stranger(code), |&person| Owner::Known(person))
    }

    /// A pair that no row has: this value of a stranger.
    pub fn of_stranger(&self, value: u32) -> u32 {
        self.value_of.len() as u32 + value
    }
}

/// The name of the column that stands for people: no column of a table is called so.
const PEOPLE: &str = "";

impl Table {
    /// The same table for a search that counts people, where it is known whose row is whose: of the sensitive columns those
    /// that are `asked` for, by pairs, and the people as one more. None where every row is another person: counting rows is
    /// counting people then.
    #[must_use]
    pub fn by_person(&self, asked: impl Fn(&str) -> bool) -> Option<Self> {
        let people = self.people.as_ref().filter(|people| (people.count as usize) < self.rows)?;
        let mut sensitive: Vec<Sensitive> =
            self.sensitive.iter().filter(|s| asked(&s.name)).map(|s| paired(s, people)).collect();
        sensitive.push(Sensitive {
            name: PEOPLE.to_owned(),
            codes: people.codes.clone(),
            distinct: people.count,
            coding: Coding::People,
            ..Sensitive::default()
        });
        Some(Self {
            rows: self.rows,
            qi: self.qi.clone(),
            sensitive,
            verbatim: self.verbatim.clone(),
            lacking: self.lacking.clone(),
            people: None,
        })
    }
}

/// A sensitive column by pairs, which are numbered by value and then by person.
fn paired(column: &Sensitive, people: &People) -> Sensitive {
    let pair = |(value, person): (u32, u32)| u64::from(value) << 32 | u64::from(person);
    let mut rows: Vec<(u64, u32)> = column.codes.iter().zip(people.codes.iter()).map(pair).zip(0..).collect();
    rows.par_sort_unstable();
    let (mut value_of, mut person_of) = (Vec::new(), Vec::new());
    let mut codes = vec![0; rows.len()];
    for same in rows.chunk_by(|a, b| a.0 == b.0) {
        for &(_, row) in same {
            codes[row as usize] = value_of.len() as u32;
        }
        value_of.push((same[0].0 >> 32) as u32);
        person_of.push(same[0].0 as u32);
    }
    Sensitive {
        codes: codes.into_iter().collect(),
        distinct: value_of.len() as u32,
        texts: Vec::new(),
        spellings: Vec::new(),
        coding: Coding::Pairs(Arc::new(Pairs { value_of, person_of, values: column.distinct })),
        ..column.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_has_twice_is_one_pair() {
        let column = |codes: [u32; 5]| codes.into_iter().collect::<Codes>();
        let table = Table {
            rows: 5,
            sensitive: ["a", "b"]
                .map(|name| Sensitive {
                    name: name.into(),
                    codes: column([1, 0, 1, 1, 1]),
                    distinct: 2,
                    ..Sensitive::default()
                })
                .to_vec(),
            people: Some(People { codes: column([0, 0, 0, 1, 1]), count: 2 }),
            ..Table::default()
        };
        let by_person = table.by_person(|name| name == "b").unwrap();
        assert_eq!(by_person.sensitive.len(), 2);
        let Coding::Pairs(pairs) = &by_person.sensitive[0].coding else { panic!("no pairs") };
        assert_eq!(by_person.sensitive[0].codes.iter().collect::<Vec<_>>(), [1, 0, 1, 2, 2]);
        let described = |code: u32| (pairs.value(code), pairs.owner(code));
        assert_eq!(
            (0..3).map(described).collect::<Vec<_>>(),
            [(0, Owner::Known(0)), (1, Owner::Known(0)), (1, Owner::Known(1))]
        );
        let strange = pairs.of_stranger(1);
        assert_eq!(described(strange), (1, Owner::Stranger(strange)));
        assert_eq!((by_person.sensitive[1].distinct, &by_person.sensitive[1].coding), (2, &Coding::People));
        let alone = People { codes: column([0, 1, 2, 3, 4]), count: 5 };
        for people in [None, Some(alone)] {
            assert!(Table { people, ..table.clone() }.by_person(|_| true).is_none());
        }
    }
}
