//! Trees of public facts: which country lies in which region, which diagnosis in which chapter.
//!
//! The facts are files beside this one, each with its source. A value finds its place by its words, in any of the spellings
//! there; diagnoses and occupations by their code. A value that is not among the facts stands directly below the root, as a
//! missing one does, and one that names a group stands where the group does. So a label depends on its own value alone.

use rustc_hash::FxHashMap;

use super::{below_root, misfits};
use crate::data::{Hierarchy, ROOT_LABEL, folded};
use crate::error::{Error, Result, nearest};

/// A tree that comes with the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PublicTree {
    /// Countries in the sub-regions and regions of the United Nations.
    Countries,
    /// States of the United States in divisions and regions.
    UsStates,
    /// Diagnoses in blocks and chapters of the ICD-10.
    Icd10,
    /// Occupations in groups of ISCO-08.
    Isco08,
    /// Levels of education of ISCED 2011.
    Education,
    /// Marital status: never in a union, in one, after one.
    MaritalStatus,
}

impl PublicTree {
    /// All of them, by the names that jobs use.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("countries", Self::Countries),
        ("us-states", Self::UsStates),
        ("icd-10", Self::Icd10),
        ("isco-08", Self::Isco08),
        ("education", Self::Education),
        ("marital-status", Self::MaritalStatus),
    ];

    /// The tree of that name; the error suggests the nearest one.
    pub fn read(name: &str) -> Result<Self> {
        if let Some((_, tree)) = Self::NAMES.iter().find(|(known, _)| *known == name) {
            return Ok(*tree);
        }
        let names = Self::NAMES.map(|(name, _)| name);
        let e = Error::job(format!("'{name}' is no public tree, expected one of {}", names.join(", ")));
        Err(match nearest(name, names) {
            Some(near) => e.help(format!("did you mean '{near}'?")),
            None => e.help("give the column a hierarchy file of its own"),
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, tree)| *tree == self).map_or("", |(name, _)| name)
    }

    /// What it climbs, for people.
    pub fn steps(self) -> &'static str {
        match self {
            Self::Countries => "sub-regions and regions of the United Nations",
            Self::UsStates => "divisions and regions of the Census Bureau",
            Self::Icd10 => "categories, blocks and chapters of the ICD-10",
            Self::Isco08 => "minor, sub-major and major groups of ISCO-08",
            Self::Education => "levels of ISCED 2011, and low, medium, high",
            Self::MaritalStatus => "never in a union, in one, after one",
        }
    }

    fn facts(self) -> &'static str {
        match self {
            Self::Countries => include_str!("countries.txt"),
            Self::UsStates => include_str!("us-states.txt"),
            Self::Icd10 => include_str!("icd-10.txt"),
            Self::Isco08 => include_str!("isco-08.txt"),
            Self::Education => include_str!("education.txt"),
            Self::MaritalStatus => include_str!("marital-status.txt"),
        }
    }
}

/// The facts of a tree, ready to be asked.
pub struct PublicFacts {
    tree: PublicTree,
    /// By the words of a value, the groups above it, from the lowest up.
    by_words: FxHashMap<String, Vec<&'static str>>,
    /// Ranges of codes: first, last, and their chapter.
    blocks: Vec<(&'static str, &'static str, &'static str)>,
}

impl PublicFacts {
    /// Reads the facts.
    pub fn of(tree: PublicTree) -> Self {
        let mut facts = Self { tree, by_words: FxHashMap::default(), blocks: Vec::new() };
        let mut above: Vec<&'static str> = Vec::new();
        for line in tree.facts().lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let depth = line.bytes().take_while(|&b| b == b'>').count();
            if depth > 0 {
                let label = line[depth..].trim();
                above.truncate(depth - 1);
                above.push(label);
                if facts.is_of_words() {
                    let parents = above.iter().rev().skip(1).copied().collect();
                    facts.by_words.entry(folded(label)).or_insert(parents);
                }
            } else {
                facts.add(line, &above);
            }
        }
        facts
    }

    /// Of which tree.
    pub fn tree(&self) -> PublicTree {
        self.tree
    }

    /// Whether values are found by their words, and not by their code.
    fn is_of_words(&self) -> bool {
        !matches!(self.tree, PublicTree::Icd10 | PublicTree::Isco08)
    }

    fn add(&mut self, line: &'static str, above: &[&'static str]) {
        let chapter = above.last().copied().unwrap_or(ROOT_LABEL);
        match self.tree {
            PublicTree::Icd10 => {
                let ranges = line.split_whitespace().filter_map(|range| range.split_once('-'));
                self.blocks.extend(ranges.map(|(first, last)| (first, last, chapter)));
            }
            PublicTree::Isco08 => {
                self.by_words.insert(line[..2].to_owned(), vec![line, chapter]);
                self.by_words.insert(chapter[..1].to_owned(), vec![chapter]);
            }
            _ => {
                let groups: Vec<&str> = above.iter().rev().copied().collect();
                for spelling in line.split(" | ") {
                    // A country may have the name of a group elsewhere: as a value it is the country.
                    self.by_words.insert(folded(spelling), groups.clone());
                }
            }
        }
    }

    /// The groups above a value, from the lowest up and without the root; none where it is not among the facts.
    pub fn groups(&self, value: &str) -> Option<Vec<String>> {
        match self.tree {
            PublicTree::Icd10 => self.diagnosis(value),
            PublicTree::Isco08 => self.occupation(value),
            _ => {
                let groups = self.by_words.get(folded(value).as_str())?;
                Some(groups.iter().map(|&group| group.to_owned()).collect())
            }
        }
    }

    /// `E11.9` lies in `E11`, `E10-E14` and `E00-E90 …`.
    fn diagnosis(&self, value: &str) -> Option<Vec<String>> {
        let code = value.trim().to_ascii_uppercase();
        let (category, rest) = (code.get(..3)?, code.get(3..)?);
        let mut letters = category.bytes();
        let is_category = letters.next()?.is_ascii_uppercase() && letters.all(|b| b.is_ascii_digit());
        let detail = rest.trim_end_matches(['*', '+', '!', '-', '†']);
        let detail = detail.strip_prefix('.').unwrap_or(detail);
        if !is_category || detail.len() > 4 || !detail.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return None;
        }
        let (first, last, chapter) =
            self.blocks.iter().find(|(first, last, _)| (*first..=*last).contains(&category))?;
        let block = (first != last).then(|| format!("{first}-{last}"));
        let category = Some(category.to_owned()).filter(|category| category != value);
        Some(category.into_iter().chain(block).chain([(*chapter).to_owned()]).collect())
    }

    /// `7223` lies in `722`, `72 …` and `7 …`.
    fn occupation(&self, value: &str) -> Option<Vec<String>> {
        let code = value.trim();
        if !(1..=4).contains(&code.len()) || !code.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let groups = self.by_words.get(code.get(..2).unwrap_or(code))?;
        let minor = code.get(..3).filter(|_| code.len() == 4).map(str::to_owned);
        Some(minor.into_iter().chain(groups.iter().map(|&group| group.to_owned())).collect())
    }
}

/// The tree over these values. Refused only where none of them is among the facts.
///
/// ```
/// use kohort::data::recipes::{PublicTree, public};
/// let h = public("home", &["Kenya".into(), "fr".into(), "Atlantis".into()], PublicTree::Countries)?;
/// assert_eq!(h.path(h.leaf("Kenya").unwrap()), ["Kenya", "Eastern Africa", "Africa", "*"]);
/// assert_eq!(h.path(h.leaf("fr").unwrap()), ["fr", "Western Europe", "Europe", "*"]);
/// assert_eq!(h.path(h.leaf("Atlantis").unwrap()), ["Atlantis", "*"]);
/// # Ok::<(), kohort::Error>(())
/// ```
pub fn public(name: &str, values: &[String], tree: PublicTree) -> Result<Hierarchy> {
    let facts = PublicFacts::of(tree);
    let mut known: Vec<(Vec<String>, &String)> = Vec::new();
    let mut unknown: Vec<&str> = Vec::new();
    for value in values {
        match facts.groups(value) {
            Some(groups) => known.push((groups.into_iter().rev().collect(), value)),
            None => unknown.push(value),
        }
    }
    if known.is_empty() {
        return Err(misfits(name, &unknown, &format!("in the public tree '{}'", tree.name()))
            .help("give the column a hierarchy file of its own"));
    }
    // Groups side by side, whatever the order of the table.
    known.sort_unstable();
    unknown.sort_unstable();
    let path = |(groups, value): (Vec<String>, &String)| {
        let groups = groups.into_iter().rev();
        std::iter::once(value.clone()).chain(groups).chain([ROOT_LABEL.to_owned()]).collect()
    };
    let known = known.into_iter().map(path);
    Hierarchy::from_paths(name, known.chain(unknown.into_iter().map(below_root)))
}

#[cfg(test)]
mod tests {
    use super::super::contract::{holds, path, strings};
    use super::*;

    fn groups(tree: PublicTree, value: &str) -> String {
        PublicFacts::of(tree).groups(value).map_or("unknown".into(), |groups| groups.join(" < "))
    }

    #[test]
    fn spellings_of_a_country_stand_side_by_side() {
        for value in ["Germany", "DE", "deu", "Deutschland", "allemagne", "ALEMANIA", "Germania", "deutsch"] {
            assert_eq!(groups(PublicTree::Countries, value), "Western Europe < Europe", "{value}");
        }
        assert_eq!(groups(PublicTree::Countries, "Côte d’Ivoire"), "Western Africa < Africa");
        assert_eq!(groups(PublicTree::Countries, "United-States"), "Northern America < Americas");
        assert_eq!(groups(PublicTree::Countries, "Western Europe"), "Europe");
        assert_eq!(groups(PublicTree::Countries, "Atlantis"), "unknown");
    }

    #[test]
    fn codes_climb_by_their_ranges() {
        let icd = |code| groups(PublicTree::Icd10, code);
        assert_eq!(icd("E11.9"), "E11 < E10-E14 < E00-E90 endocrine, nutrition, metabolism");
        assert_eq!(icd("E11"), "E10-E14 < E00-E90 endocrine, nutrition, metabolism");
        assert_eq!(icd("c97"), "C97 < C00-D48 neoplasms");
        for wrong in ["E9", "11.9", "E11.12345", "EE1", "", "E1é", "Émile"] {
            assert_eq!(icd(wrong), "unknown", "{wrong}");
        }
        let isco = |code| groups(PublicTree::Isco08, code);
        assert!(isco("7223").starts_with("722 < 72 Metal"), "{}", isco("7223"));
        assert!(isco("7").starts_with("7 Craft"), "{}", isco("7"));
        for wrong in ["72231", "99", "x", "", "7.2", "２２"] {
            assert_eq!(isco(wrong), "unknown", "{wrong}");
        }
    }

    #[test]
    fn every_value_is_a_leaf_once() {
        let values =
            strings(["Kenya", "KE", "Atlantis", "Micronesia", "Western Europe", "Europe", "France", ""]);
        let h = public("home", &values, PublicTree::Countries).unwrap();
        holds(&h, &values);
        assert_eq!(path(&h, "Micronesia"), ["Micronesia", "Micronesia", "Oceania", "*"]);
        assert_eq!(path(&h, "Western Europe"), ["Western Europe", "Europe", "*"]);
        let codes = strings(["7223", "722", "72", "7", "0110", "none"]);
        holds(&public("job", &codes, PublicTree::Isco08).unwrap(), &codes);
        let codes = strings(["E11.9", "E11", "E11-", "Z00", "X9"]);
        holds(&public("dx", &codes, PublicTree::Icd10).unwrap(), &codes);
    }

    #[test]
    fn nothing_known_is_refused_and_names_are_suggested() {
        let e = public("home", &strings(["x", "y"]), PublicTree::UsStates).unwrap_err().to_string();
        assert!(e.contains("us-states"), "{e}");
        assert!(PublicTree::read("country").unwrap_err().to_string().contains("'countries'"));
    }

    /// The files: no spelling means two things, no group stands at two places, every source is named.
    #[test]
    fn facts_do_not_contradict_themselves() {
        for (name, tree) in PublicTree::NAMES {
            assert_eq!(PublicTree::read(name).unwrap(), tree);
            let text = tree.facts();
            assert!(text.starts_with("# "), "{name} names its source");
            let mut place: FxHashMap<String, usize> = FxHashMap::default();
            let mut groups: Vec<&str> = Vec::new();
            for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
                if line.starts_with('>') {
                    groups.push(line.trim_start_matches('>').trim());
                    continue;
                }
                let separator = if tree == PublicTree::Icd10 { " " } else { " | " };
                for spelling in line.split(separator) {
                    let before = *place.entry(folded(spelling)).or_insert(at);
                    assert_eq!(before, at, "{name}: '{spelling}' on lines {} and {}", before + 1, at + 1);
                }
            }
            let all = groups.len();
            groups.sort_unstable();
            groups.dedup();
            assert_eq!(groups.len(), all, "{name}: a group stands twice");
        }
        assert_eq!(PublicFacts::of(PublicTree::UsStates).groups("tx").unwrap()[0], "West South Central");
        let iso: Vec<&str> = PublicTree::Countries.facts().lines().filter(|l| l.contains(" | ")).collect();
        assert!(iso.len() > 240, "{} countries", iso.len());
    }

    #[test]
    fn blocks_are_in_order_and_inside_their_chapter() {
        let facts = PublicFacts::of(PublicTree::Icd10);
        for pair in facts.blocks.windows(2) {
            assert!(pair[0].1 < pair[1].0 || pair[1].0.starts_with('U'), "{pair:?}");
        }
        for (first, last, chapter) in &facts.blocks {
            let (from, to) = chapter.split(' ').next().unwrap().split_once('-').unwrap();
            assert!(from <= *first && first <= last && *last <= to, "{first}-{last} in {chapter}");
        }
    }
}
