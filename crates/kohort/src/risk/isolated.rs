//! What an attack finds: sets of people, and the smallest of them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::Wanted;
use crate::error::{Said, Speech};

/// A way to isolate people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attack {
    /// A class of a release by itself.
    OneRelease,
    /// Who came, or left, between two releases.
    Difference,
    /// Who is in one class of a release and in one of another.
    Intersection,
    /// What is left of a class after classes of an earlier release are taken away.
    KeptClasses,
    /// The rows that could be those of a person whose quasi-identifiers are known.
    KnownPerson,
}

impl Attack {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::OneRelease, Self::Difference, Self::Intersection, Self::KeptClasses, Self::KnownPerson];

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::OneRelease => "a class of one release by itself",
            Self::Difference => "who came or left between two releases",
            Self::Intersection => "who is in one class of a release and in one of another",
            Self::KeptClasses => "what is left of a class when classes of an earlier release are taken away",
            Self::KnownPerson => "rows that could be those of the person you described",
        }
    }

    /// What must be so for its findings to be true.
    pub fn supposes(self) -> Option<&'static str> {
        match self {
            Self::OneRelease => None,
            Self::Difference | Self::Intersection => {
                Some("nobody left between the two releases, or, where a region only lost rows, nobody came")
            }
            Self::KeptClasses => Some("nobody left, and the tool never splits a class that it has released"),
            Self::KnownPerson => Some("the person is in all of the releases"),
        }
    }

    /// Whether it supposes that nobody leaves.
    fn supposes_that_nobody_leaves(self) -> bool {
        matches!(self, Self::Difference | Self::Intersection | Self::KeptClasses)
    }
}

/// Too few values of a sensitive column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shortage {
    /// Which column.
    pub column: usize,
    /// How many different values there are at most.
    pub values: u32,
    /// How many there should be.
    pub wanted: u32,
}

/// Rows of a release, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RowsOf {
    /// Which release, counted from 0.
    pub release: usize,
    /// The first of the rows, ascending.
    pub rows: Vec<u32>,
    /// How many there are.
    pub count: u64,
}

impl RowsOf {
    /// How many rows an example names.
    const MOST: usize = 20;

    /// Rows as the file has them, numbered from 0 here.
    pub(super) fn new(release: usize, rows: impl Iterator<Item = u32>) -> Self {
        let mut rows: Vec<u32> = rows.map(|row| row + 1).collect();
        rows.sort_unstable();
        let count = rows.len() as u64;
        rows.truncate(Self::MOST);
        Self { release, rows, count }
    }
}

/// A set of people that an attacker can tell from all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolated {
    /// How.
    pub attack: Attack,
    /// At most so many people are in it,
    pub people: u64,
    /// and at least so many.
    pub at_least: u64,
    /// The sensitive column of which it has too few values, where it does.
    pub shortage: Option<Shortage>,
    /// The rows of another release that are taken away from the first of `among`.
    pub taken_away: Option<RowsOf>,
    /// The rows that the people of the set have, or are among; one list per release.
    pub among: Vec<RowsOf>,
}

/// A release, as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReleaseSeen {
    /// What it is called.
    pub name: String,
    /// Its rows.
    pub rows: u64,
    /// Its classes.
    pub classes: u64,
    /// The rows of its smallest class.
    pub smallest_class: u64,
}

/// What an attack has found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// Sets that were looked at.
    pub tried: u64,
    /// Sets of too few people, or with too few values.
    pub found: u64,
    /// The fewest people of a set that was found; 0 where none was.
    pub fewest_people: u64,
}

/// What all attacks together have found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskFound {
    /// The releases.
    pub releases: Vec<ReleaseSeen>,
    /// The names of the sensitive columns, in the order in which a [`Shortage`] counts them.
    pub sensitive: Vec<String>,
    /// What was said to be known of a person: quasi-identifiers with their values.
    pub known: Vec<(String, String)>,
    /// The fewest people a set may have.
    pub k: u64,
    /// By attack.
    pub by_attack: BTreeMap<Attack, Counted>,
    /// The smallest set, of the simplest attack that finds one: its existence is certain, as far as is supposed of who may leave.
    pub smallest: Option<Isolated>,
    /// The smallest of those that would be there if nobody had left, where somebody may have.
    pub perhaps: Option<Isolated>,
    /// What was not tried, and what was supposed.
    pub not_tried: Vec<Said>,
}

impl RiskFound {
    /// Whether nothing was found that counts.
    pub fn is_met(&self) -> bool {
        self.smallest.is_none()
    }

    /// The JSON object, as a door speaks.
    pub fn as_json(&self, speech: &dyn Speech) -> Value {
        let left_out: Vec<String> = self.not_tried.iter().map(|said| said.spoken_by(speech)).collect();
        json!({
            "releases": self.releases,
            "known": self.known.iter().cloned().collect::<BTreeMap<_, _>>(),
            "k": self.k,
            "attacks": self.by_attack,
            "smallest": self.smallest.as_ref().map(|set| self.set_as_json(set)),
            "perhaps": self.perhaps.as_ref().map(|set| self.set_as_json(set)),
            "not_tried": left_out,
            "met": self.is_met(),
        })
    }

    fn set_as_json(&self, set: &Isolated) -> Value {
        let column = |at: usize| self.sensitive.get(at).map_or("?", String::as_str);
        let shortage = set.shortage.map(|short| {
            json!({ "sensitive_column": column(short.column), "values": short.values, "wanted": short.wanted })
        });
        json!({
            "attack": set.attack, "people_at_least": set.at_least, "people_at_most": set.people, "shortage": shortage,
            "taken_away": set.taken_away, "among": set.among, "supposes": set.attack.supposes(),
        })
    }
}

/// What is found, while it is looked for.
#[derive(Default)]
pub(super) struct Finds {
    by_attack: BTreeMap<Attack, Counted>,
    smallest: BTreeMap<Attack, Isolated>,
    not_tried: Vec<Said>,
}

impl Finds {
    /// So many sets were looked at.
    pub(super) fn tried(&mut self, attack: Attack, sets: u64) {
        self.by_attack.entry(attack).or_default().tried += sets;
    }

    /// A set of at most so many people was found. It is only described where it is smaller than those before it.
    pub(super) fn add(&mut self, attack: Attack, people: u64, describe: impl FnOnce() -> Isolated) {
        let counted = self.by_attack.entry(attack).or_default();
        counted.found += 1;
        if counted.found == 1 || people < counted.fewest_people {
            counted.fewest_people = people;
            self.smallest.insert(attack, describe());
        }
    }

    /// Something was left out.
    pub(super) fn leave_out(&mut self, what: impl Into<Said>) {
        let what = what.into();
        if !self.not_tried.contains(&what) {
            self.not_tried.push(what);
        }
    }

    pub(super) fn found(
        mut self,
        releases: Vec<ReleaseSeen>,
        k: u64,
        wanted: &Wanted,
        guesses: Vec<Said>,
    ) -> RiskFound {
        for guess in guesses {
            self.leave_out(guess);
        }
        let certain = |attack: Attack| !(wanted.may_leave && attack.supposes_that_nobody_leaves());
        let least = |certainly: bool| {
            let of = self.smallest.values().filter(|found| certain(found.attack) == certainly);
            of.min_by_key(|found| (found.people, found.attack)).cloned()
        };
        let (smallest, perhaps) = (least(true), least(false));
        RiskFound {
            releases,
            sensitive: Vec::new(),
            known: Vec::new(),
            k,
            by_attack: self.by_attack,
            smallest,
            perhaps,
            not_tried: self.not_tried,
        }
    }
}
