//! What columns are called and what they hold: see `lexicon.txt` and `values.txt`.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::data::{folded, words_of_name};

/// What the name of a column says it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Names somebody.
    Identifier,
    /// A number of a record or a person; its values decide which.
    RecordId,
    /// Text that somebody wrote.
    Text,
    /// Others can know it.
    Known,
    /// Nobody may learn it; whether the law protects it above all.
    Secret {
        /// Health, faith, opinion, sexual life, crime, money.
        above_all: bool,
    },
    /// Part of a study or a survey and not of a person.
    Technical,
    /// Of use to a program alone.
    Useless,
}

/// Something that columns may mean.
#[derive(Debug)]
pub(super) struct Meaning {
    /// Its name in a proposal.
    pub(super) name: &'static str,
    pub(super) sort: Sort,
    /// For readers.
    pub(super) words: &'static str,
    phrases: Vec<Phrase>,
}

#[derive(Debug)]
struct Phrase {
    words: Vec<String>,
    together: String,
    letters: usize,
}

/// A meaning that a name suggests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) meaning: &'static Meaning,
    /// How much of the name it explains.
    letters: usize,
}

static LEXICON: LazyLock<Vec<Meaning>> = LazyLock::new(|| read(include_str!("lexicon.txt")));
static VALUES: LazyLock<Vec<(&str, f64, FxHashSet<&str>)>> =
    LazyLock::new(|| read_values(include_str!("values.txt")));

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn read(text: &'static str) -> Vec<Meaning> {
    let mut all: Vec<Meaning> = Vec::new();
    for line in lines(text) {
        if let Some(head) = line.strip_prefix('=') {
            let mut parts = head.split('|').map(str::trim);
            let (name, sort) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let sort = match sort {
                "identifier" => Sort::Identifier,
                "id" => Sort::RecordId,
                "text" => Sort::Text,
                "qi" => Sort::Known,
                "sensitive" => Sort::Secret { above_all: false },
                "sensitive!" => Sort::Secret { above_all: true },
                "technical" => Sort::Technical,
                _ => Sort::Useless,
            };
            all.push(Meaning { name, sort, words: parts.next().unwrap_or_default(), phrases: Vec::new() });
        } else if let Some(meaning) = all.last_mut() {
            let phrases = line.split(',').map(str::trim).filter(|phrase| !phrase.is_empty());
            meaning.phrases.extend(phrases.map(Phrase::new));
        }
    }
    all
}

fn read_values(text: &'static str) -> Vec<(&'static str, f64, FxHashSet<&'static str>)> {
    let mut all: Vec<(&str, f64, FxHashSet<&str>)> = Vec::new();
    for line in lines(text) {
        if let Some(head) = line.strip_prefix('=') {
            let (name, share) = head.split_once('|').unwrap_or((head, "1"));
            all.push((name.trim(), share.trim().parse().unwrap_or(1.0), FxHashSet::default()));
        } else if let Some((_, _, values)) = all.last_mut() {
            values.extend(line.split(',').map(str::trim));
        }
    }
    all
}

impl Phrase {
    fn new(text: &'static str) -> Self {
        // Names are taken apart before and behind digits, too.
        let apart = || text.split(' ').map(str::to_owned).collect();
        let words: Vec<String> = if text.contains('*') { apart() } else { words_of_name(text) };
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        Self { together: words.concat(), words, letters }
    }

    /// Whether its words follow each other somewhere in the name, or are one of its words.
    fn is_in(&self, name: &[String]) -> bool {
        let fits = |(word, pattern): (&String, &String)| fits(word, pattern);
        name.windows(self.words.len()).any(|words| words.iter().zip(&self.words).all(fits))
            || (self.words.len() > 1 && name.contains(&self.together))
    }
}

/// Whether a word is this one; `*` stands for what a compound has besides.
fn fits(word: &str, pattern: &str) -> bool {
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        (Some(start), _) => word.starts_with(start),
        (_, Some(end)) => word.ends_with(end),
        _ => word == pattern,
    }
}

/// What the name of a column may mean, the likeliest first.
pub(super) fn of_name(name: &str) -> Vec<Hit> {
    let words = words_of_name(name);
    let best = |meaning: &'static Meaning| {
        let fitting = meaning.phrases.iter().filter(|phrase| phrase.is_in(&words));
        let letters = fitting.map(|phrase| phrase.letters).max()?;
        Some(Hit { meaning, letters })
    };
    let mut hits: Vec<Hit> = LEXICON.iter().filter_map(best).collect();
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.letters));
    hits
}

/// The meaning of that name.
pub(super) fn meaning(name: &str) -> Option<&'static Meaning> {
    LEXICON.iter().find(|meaning| meaning.name == name)
}

/// What these different values are, by the values alone.
pub(super) fn of_values(values: &[&str]) -> Option<&'static Meaning> {
    let folded: Vec<String> = values.iter().map(|value| folded(value)).collect();
    let known = |(name, share, words): &(&'static str, f64, FxHashSet<&str>)| {
        let is_one = |value: &&String| {
            words.contains(value.as_str())
                // Of several first names the first is enough.
                || *name == "given-name" && value.split(' ').next().is_some_and(|first| words.contains(first))
        };
        let found = folded.iter().filter(is_one).count();
        let enough = if *name == "sex" { (2..=4).contains(&folded.len()) } else { folded.len() >= 3 };
        enough && found as f64 >= share * folded.len() as f64
    };
    VALUES.iter().find(|entry| known(entry)).and_then(|(name, _, _)| meaning(name))
}

/// Whether a word is a first name that is known here.
pub(super) fn is_given_name(word: &str) -> bool {
    let word = folded(word);
    let is_name = |words: &FxHashSet<&str>| {
        words.contains(word.as_str()) || word.split(' ').next().is_some_and(|first| words.contains(first))
    };
    VALUES.iter().any(|(name, _, words)| *name == "given-name" && is_name(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(of: &str) -> &'static str {
        of_name(of).first().map_or("none", |hit| hit.meaning.name)
    }

    #[test]
    fn names_in_five_languages() {
        for (column, expected) in [
            ("E-Mail-Adresse", "email"),
            ("courriel_parent", "email"),
            ("Vorname", "given-name"),
            ("last.name", "surname"),
            ("dateOfBirth", "birth-date"),
            ("date_naissance", "birth-date"),
            ("fecha_nacimiento", "birth-date"),
            ("código_postal", "postcode"),
            ("PLZ", "postcode"),
            ("home_postcode", "postcode"),
            ("Familienstand", "marital-status"),
            ("estado_civil", "marital-status"),
            ("Nettoeinkommen", "money"),
            ("numéro_sécurité_sociale", "national-number"),
            ("patient_id", "record-id"),
            ("school_id", "organization"),
            ("length_of_stay", "health-figure"),
            ("WifeReligion", "faith"),
            ("no_of_children", "household"),
            ("firstname", "given-name"),
            ("Wohnungsgröße", "housing"),
            ("codice fiscale", "national-number"),
            ("xyzzy", "none"),
            ("", "none"),
        ] {
            assert_eq!(name(column), expected, "{column}");
        }
    }

    #[test]
    fn values_speak_for_columns_without_a_telling_name() {
        let value = |values: &[&str]| of_values(values).map_or("none", |meaning| meaning.name);
        assert_eq!(value(&["f", "m"]), "sex");
        assert_eq!(value(&["Männlich", "Weiblich", "Divers"]), "sex");
        assert_eq!(value(&["a", "b"]), "none");
        assert_eq!(value(&["Catholic", "Muslim", "Hindu", "Other"]), "faith");
        assert_eq!(value(&["Hans", "Anna Maria", "Zoë", "Mehmet"]), "given-name");
        assert_eq!(value(&["apple", "pear", "plum"]), "none");
        assert_eq!(value(&[]), "none");
    }

    /// The files: names are known, phrases are as names are folded, and none stands twice.
    #[test]
    fn the_lexicon_is_in_order() {
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for meaning in LEXICON.iter() {
            assert!(!meaning.words.is_empty() && !meaning.phrases.is_empty(), "{}", meaning.name);
            for phrase in &meaning.phrases {
                let text = phrase.words.join(" ");
                let bare = text.replace('*', "");
                assert_eq!(
                    folded(&bare),
                    bare,
                    "{}: '{text}' is not written as names are read",
                    meaning.name
                );
                assert!(seen.insert(text.clone()), "'{text}' stands twice, again for {}", meaning.name);
            }
        }
        for (name, share, values) in VALUES.iter() {
            assert!(meaning(name).is_some() && (0.0..=1.0).contains(share) && !values.is_empty(), "{name}");
            for value in values {
                assert_eq!(folded(value), *value, "{name}");
            }
        }
    }
}
